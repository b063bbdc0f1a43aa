"""Until when a game could be won: the solver's verdicts on the positions of a line of play, by bisection.

From a position that can be won, each position before it can be won too: the moves between lead there. So along a line
of play *can be won* changes to *cannot* once, if at all, and bisection finds the place with a verdict on each side.
"""

import itertools
from collections.abc import Callable, Sequence
from typing import Final

import msgspec

from shared.game.evolve import dealt_table
from shared.game.imported import sealed_deal
from shared.game.line import Made, standing_line
from shared.messages.base import GameId
from shared.messages.dealer import GameVerdict, LosingMove
from shared.messages.events import GameEnded, Result
from shared.messages.imports import ImportedGame, PlayedAgain
from shared.rules.moves import Move, move_text
from shared.rules.table import Table, apply
from shared.rules.variants import VARIANTS, Variant
from shared.solver.flat import unsupported
from shared.solver.solve import Budget, Solvable, Unsolvable, Verdict

replace = msgspec.structs.replace


POSITION_BUDGET: Final = Budget(states=8_000_000, seconds=8.0, table_bytes=1 << 28)
"""For one position. Of careless games the hardest took a third of the states."""
GAME_SECONDS: Final = 30.0
"""For all positions of one game."""

Solve = Callable[[Table, Variant, Budget], Verdict]


class Patience:
    """Solves the positions of one game within what is left of its time."""

    def __init__(self, solve: Solve, variant: Variant, clock: Callable[[], float]) -> None:
        """`clock` counts seconds. The time runs from the first position on."""
        self._solve = solve
        self._variant = variant
        self._clock = clock
        self._deadline: float | None = None

    def __call__(self, table: Table) -> Verdict:
        now = self._clock()
        if self._deadline is None:
            self._deadline = now + GAME_SECONDS
        seconds = min(POSITION_BUDGET.seconds, max(0.0, self._deadline - now))
        return self._solve(table, self._variant, replace(POSITION_BUDGET, seconds=seconds))


class Bounds(msgspec.Struct, frozen=True):
    """What is proved of the positions 0 … last: up to `winnable_through` they can be won, from `lost_from` on not.

    −1 and last + 1 stand for none. What lies between could not be decided.
    """

    winnable_through: int
    lost_from: int
    way_out: tuple[Move, ...]
    """Wins from the position `winnable_through`."""


class Ended(msgspec.Struct, frozen=True, kw_only=True):
    """A game that is over, with all its cards known."""

    game: GameId
    version: int
    result: Result
    variant: Variant
    deal: Table
    """The table as it was dealt."""
    line: tuple[Made, ...]


def ended_import(game: ImportedGame, again: PlayedAgain) -> Ended:
    """A game from a file with all its cards."""
    over = again.steps[-1].events[-1]
    assert isinstance(over, GameEnded), "it was played to its end"
    variant = VARIANTS[game.variant]
    return Ended(
        game=again.game,
        version=again.steps[-1].version,
        result=over.result,
        variant=variant,
        deal=dealt_table(sealed_deal(game), variant),
        line=standing_line((step.version, step.events) for step in again.steps),
    )


def judge(ended: Ended, solve: Callable[[Table], Verdict]) -> GameVerdict:
    """The verdict on a game. `solve` may answer that it does not know, for instance since time is up."""
    if ended.result == "won":
        return _verdict(ended, Bounds(len(ended.line), len(ended.line) + 1, ()))
    if unsupported(ended.deal, ended.variant) is not None:
        return _verdict(ended, Bounds(-1, len(ended.line) + 1, ()), of_variant=True)
    tables = positions(ended.deal, [made.move for made in ended.line], ended.variant)
    return _verdict(ended, bounds(tables, solve))


def positions(deal: Table, moves: Sequence[Move], variant: Variant) -> list[Table]:
    """The tables along a line of play: the deal, and what each move makes of it."""
    return list(itertools.accumulate(moves, lambda table, move: apply(table, move, variant).table, initial=deal))


def bounds(tables: Sequence[Table], solve: Callable[[Table], Verdict]) -> Bounds:
    """What can be proved of the positions of a line of play. Each is solved once at most, and few of them are."""
    known: dict[int, Verdict] = {}

    def verdict(position: int) -> Verdict:
        if position not in known:
            known[position] = solve(tables[position])
        return known[position]

    # The deal first: if it is lost, one proof is enough, and it is the longest; if not, it is mostly found at once.
    if isinstance(verdict(0), Unsolvable):
        return Bounds(-1, 0, ())
    won, beyond = (0 if isinstance(verdict(0), Solvable) else -1), len(tables)
    while beyond - won > 1:
        middle = (won + beyond) // 2
        if isinstance(verdict(middle), Solvable):
            won = middle
        else:
            beyond = middle
    # Here nothing is left to do unless a verdict was missing.
    lost = min((position for position, one in known.items() if isinstance(one, Unsolvable)), default=len(tables))
    open_from = won
    while lost - open_from > 1:
        middle = (open_from + lost) // 2
        if isinstance(verdict(middle), Unsolvable):
            lost = middle
        else:
            open_from = middle
    won = max((position for position, one in known.items() if isinstance(one, Solvable)), default=won)
    last = known.get(won)
    return Bounds(won, lost, last.moves if isinstance(last, Solvable) else ())


def _verdict(ended: Ended, found: Bounds, *, of_variant: bool = False) -> GameVerdict:
    last = len(ended.line)
    decided = found.lost_from == found.winnable_through + 1
    number = found.lost_from
    losing = ended.line[number - 1] if decided and 1 <= number <= last else None
    return GameVerdict(
        game=ended.game,
        version=ended.version,
        result=ended.result,
        moves=last,
        winnable_through=None if found.winnable_through < 0 else found.winnable_through,
        lost_from=None if found.lost_from > last else found.lost_from,
        lost_by=LosingMove(number=number, version=losing.version, move=move_text(losing.move)) if losing else None,
        way_out=tuple(map(move_text, found.way_out)),
        undecided=None if decided else "variant" if of_variant else "budget",
    )
