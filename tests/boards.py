"""What a player knows, from a board written as text, and from a game that is played on.

    F:  2C - 3H -          the top card of each foundation, clubs, diamonds, hearts, spades
    T1: -- -- 5H 4S        a column from its bottom; `--` is face down, `(9C)` face down and once seen
    stock: ?? ?? 3D        the next card to be drawn last; `??` was never seen
    waste: 4C 9H           the playable card last
    pass: 2

What is left out is empty. A board need not hold all cards: hints look at what is there.
"""

import random
from dataclasses import dataclass, field

from shared.messages.base import GameId, PlayerId
from shared.messages.jobs import HintQuestion, Knowledge, KnownColumn
from shared.rules.cards import DECK, RANKS, Card, parse_card
from shared.rules.legal import legal_moves
from shared.rules.moves import Move, move_text
from shared.rules.table import Table, apply, is_won, lay_out
from shared.rules.variants import VARIANTS, Variant
from shared.solver.check import as_table

GAME = GameId("a" * 26)
PLAYER = PlayerId("b" * 26)
DRAW1, DRAW3 = VARIANTS["draw1"], VARIANTS["draw3"]


def board(text: str) -> Knowledge:
    """The knowledge that a text shows."""
    rows = dict(line.strip().split(":", 1) for line in text.strip().splitlines())
    cells = {name.strip(): row.split() for name, row in rows.items()}
    unknown = set(cells) - {"F", "stock", "waste", "pass", *(f"T{index}" for index in range(1, 8))}
    assert not unknown, f"no such row: {unknown}"
    return Knowledge(
        columns=tuple(_column(cells.get(f"T{index}", [])) for index in range(1, 8)),
        foundations=tuple(map(_foundation, cells.get("F", ["-"] * 4))),
        stock=tuple(None if cell == "??" else parse_card(cell) for cell in cells.get("stock", [])),
        waste=tuple(map(parse_card, cells.get("waste", []))),
        pass_number=int(cells.get("pass", ["1"])[0]),
    )


def _column(cells: list[str]) -> KnownColumn:
    down = [cell for cell in cells if cell == "--" or cell.startswith("(")]
    return KnownColumn(
        down=tuple(None if cell == "--" else parse_card(cell[1:-1]) for cell in down),
        up=tuple(parse_card(cell) for cell in cells[len(down) :]),
    )


def _foundation(cell: str) -> tuple[Card, ...]:
    if cell == "-":
        return ()
    return tuple(parse_card(rank + cell[-1]) for rank in RANKS[: RANKS.index(cell[0].upper()) + 1])


def legal_texts(known: Knowledge, variant: Variant) -> tuple[str, ...]:
    return tuple(move_text(move) for move in legal_moves(as_table(known), variant))


@dataclass
class Playing:
    """A game on an open table, and what its player has seen of it."""

    table: Table
    variant: Variant
    seen: set[Card] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._look()

    @property
    def won(self) -> bool:
        return is_won(self.table, self.variant)

    def legal(self) -> tuple[Move, ...]:
        return legal_moves(self.table, self.variant)

    def play(self, move: Move) -> None:
        self.table = apply(self.table, move, self.variant).table
        self._look()

    def play_at_random(self, chance: random.Random, moves: int) -> None:
        for _ in range(moves):
            legal = self.legal()
            if legal:
                self.play(chance.choice(legal))

    def known(self) -> Knowledge:
        table = self.table
        return Knowledge(
            columns=tuple(KnownColumn(down=self._as_seen(column.down), up=column.up) for column in table.columns),
            foundations=table.foundations,
            stock=self._as_seen(table.stock),
            waste=table.waste,
            pass_number=table.pass_number,
        )

    def question(self, version: int = 1) -> HintQuestion:
        return HintQuestion(
            game=GAME,
            player=PLAYER,
            version=version,
            variant=self.variant.id,
            known=self.known(),
            legal=tuple(map(move_text, self.legal())),
        )

    def _as_seen(self, cards: tuple[Card, ...]) -> tuple[Card | None, ...]:
        return tuple(card if card in self.seen else None for card in cards)

    def _look(self) -> None:
        for pile in (*self.table.foundations, self.table.waste, *(column.up for column in self.table.columns)):
            self.seen.update(pile)


def random_game(chance: random.Random, variant: Variant) -> Playing:
    """A freshly dealt game."""
    deck = list(DECK * variant.decks)
    chance.shuffle(deck)
    return Playing(lay_out(tuple(deck), variant), variant)
