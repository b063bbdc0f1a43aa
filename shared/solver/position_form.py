"""A position as one line of JSON: the board of `shared.rules.board` without its layout.

```
{"columns":["KD","5s 5D","4s 6H","js 3d ts 9D","8h qc 2c JD","qs 4c qh 3h th KH","jc 7c kc 3c ad 2d 8S"],
 "foundations":["AC","--","2H","3S"],"stock":"6S 9S 8C TC 4H 8D JH 7S 5H 9H TD 7H 4D","waste":"9C 5C 6C QD KS 6D 7D",
 "pass":3}
```

Each text is cards with blanks between, the lowest of a column first, the next of the stock first, the top of the waste
last. Lower case lies face down. Of a foundation the top card is enough.
"""

from collections.abc import Iterator

import msgspec

from shared.rules.board import NONE, DealError, cards_of, pile_under
from shared.rules.cards import Card
from shared.rules.table import Column, Table


class _Position(msgspec.Struct, forbid_unknown_fields=True, rename={"pass_number": "pass"}):
    columns: list[str]
    foundations: list[str]
    stock: str
    waste: str = ""
    pass_number: int = 1


def from_position(text: str) -> Table:
    """The table that a line shows. Whether it can be one of a game is for `positions` to say.

    Raises:
        DealError: it cannot be read.
    """
    try:
        position = msgspec.json.decode(text, type=_Position)
    except msgspec.DecodeError as error:
        raise DealError(f"no position: {error}") from None
    return Table(
        columns=tuple(_columns(position.columns)),
        foundations=tuple(_foundation(f"F{number}", pile) for number, pile in enumerate(position.foundations, 1)),
        stock=cards_of(position.stock, "stock")[::-1],
        waste=cards_of(position.waste, "waste"),
        pass_number=position.pass_number,
    )


def to_position(table: Table) -> str:
    columns = [" ".join([*(card.lower() for card in pile.down), *pile.up]) for pile in table.columns]
    foundations = [pile[-1] if pile else NONE for pile in table.foundations]
    position = _Position(columns, foundations, " ".join(table.stock[::-1]), " ".join(table.waste), table.pass_number)
    return msgspec.json.encode(position).decode()


def _columns(piles: list[str]) -> Iterator[Column]:
    for number, text in enumerate(piles, 1):
        down: list[Card] = []
        up: list[Card] = []
        for word in text.split():
            (card,) = cards_of(word, f"T{number}")
            if not word.islower():
                up.append(card)
            elif up:
                raise DealError(f"T{number}: {card} lies face down above {up[-1]}, which lies face up")
            else:
                down.append(card)
        yield Column(tuple(down), tuple(up))


def _foundation(name: str, text: str) -> tuple[Card, ...]:
    cards = cards_of(text.replace(NONE, ""), name)
    return pile_under(cards[0], name) if len(cards) == 1 else cards
