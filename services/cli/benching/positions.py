"""Questions as players would ask them: about positions of games that are played at random from numbered deals."""

from collections.abc import Iterator
from random import Random  # noqa: TID251 - seeded: the same positions in every run
from typing import Final

from shared.messages.base import GameId, PlayerId
from shared.messages.jobs import HintQuestion, Knowledge, KnownColumn, StrongHintQuestion
from shared.rules.cards import Card
from shared.rules.deal import numbered_deck
from shared.rules.legal import legal_moves
from shared.rules.moves import move_text
from shared.rules.table import Table, apply, lay_out
from shared.rules.variants import VARIANTS

LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"
ID_LENGTH: Final = 26
MOVES_MAX: Final = 80
VARIANTS_ASKED: Final = ("draw1", "draw3")


def player(number: int) -> PlayerId:
    """A player of a number."""
    return PlayerId(_id(number))


def hint_questions(seed: int, asker: PlayerId) -> Iterator[HintQuestion]:
    """Without end, no two the same: each position of each game, until no move is left or it has become old."""
    chance = Random(seed)  # noqa: S311 - no secret
    while True:
        number = chance.randrange(2**31)
        variant = VARIANTS[chance.choice(VARIANTS_ASKED)]
        table = lay_out(numbered_deck(number, decks=1), variant)
        seen: set[Card] = set()
        for version in range(1, MOVES_MAX):
            seen |= _shown(table)
            legal = legal_moves(table, variant)
            if not legal:
                break
            yield HintQuestion(
                player=asker,
                game=GameId(_id(number)),
                version=version,
                variant=variant.id,
                known=_known(table, seen),
                legal=tuple(map(move_text, legal)),
            )
            table = apply(table, chance.choice(legal), variant).table


def strong(question: HintQuestion) -> StrongHintQuestion:
    """The same question, to be thought through."""
    return StrongHintQuestion(
        player=question.player,
        game=question.game,
        version=question.version,
        variant=question.variant,
        known=question.known,
        legal=question.legal,
    )


def _shown(table: Table) -> set[Card]:
    piles = (*table.foundations, table.waste, *(column.up for column in table.columns))
    return {card for pile in piles for card in pile}


def _known(table: Table, seen: set[Card]) -> Knowledge:
    def as_seen(cards: tuple[Card, ...]) -> tuple[Card | None, ...]:
        return tuple(card if card in seen else None for card in cards)

    return Knowledge(
        columns=tuple(KnownColumn(down=as_seen(column.down), up=column.up) for column in table.columns),
        foundations=table.foundations,
        stock=as_seen(table.stock),
        waste=table.waste,
        pass_number=table.pass_number,
    )


def _id(number: int) -> str:
    digits = ""
    while number:
        number, digit = divmod(number, len(LETTERS))
        digits += LETTERS[digit]
    return digits.ljust(ID_LENGTH, "a")
