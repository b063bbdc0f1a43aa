"""A position as one line of JSON: the board of `shared.rules.board` without its layout.

```
{"columns":["KH","9s JC","","","3c 6H","4d TS","8H"],"foundations":["2C","--","AH","--"],
 "stock":"5C QD 7S","waste":"KS 9D","pass":1}
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
