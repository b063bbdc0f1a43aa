"""How a game that ends changes the sums of its player, by version.

A formula that changes is a further one, with the time from which on it holds: a game is counted by the one that held
when it began, whenever that is done. So old results stay as they are, and a rebuild gives them again.
"""

from collections.abc import Callable
from typing import Final

import msgspec
from msgspec.structs import replace

from shared.messages.answers import Statistics
from shared.messages.events import GameEnded


class Formula(msgspec.Struct, frozen=True, kw_only=True):
    """One version."""

    version: int
    since: int
    """Games that begin from then on are counted by it, in milliseconds since 1970 UTC. Choose a time by which every
    process of scoring knows the formula."""
    close: Callable[[Statistics, GameEnded], Statistics]
    """The sums with the end of one of their games."""


def close_1(sums: Statistics, ended: GameEnded) -> Statistics:
    """Any end but a win or a draw is a loss; times, moves and best points are those of wins."""
    sums = replace(sums, points=sums.points + ended.points)
    if ended.result == "drawn":
        return replace(sums, draws=sums.draws + 1, streak=0)
    if ended.result != "won":
        streak = min(sums.streak, 0) - 1
        return replace(sums, losses=sums.losses + 1, streak=streak, longest_losses=max(sums.longest_losses, -streak))
    streak = max(sums.streak, 0) + 1
    return replace(
        sums,
        wins=sums.wins + 1,
        best_points=_best(max, sums.best_points, ended.points),
        best_play_ms=_best(min, sums.best_play_ms, ended.play_ms),
        fewest_moves=_best(min, sums.fewest_moves, ended.moves),
        play_ms=sums.play_ms + ended.play_ms,
        streak=streak,
        longest_streak=max(sums.longest_streak, streak),
    )


FORMULAS: Final[tuple[Formula, ...]] = (Formula(version=1, since=0, close=close_1),)
"""All that ever held, the newest last."""


def formula_at(started_at: int) -> Formula:
    """The formula of a game that began at a time."""
    return next(formula for formula in reversed(FORMULAS) if formula.since <= started_at)


def formula_of(version: int) -> Formula:
    """The formula of a version that a row names."""
    return next(formula for formula in FORMULAS if formula.version == version)


def _best(better: Callable[[int, int], int], old: int | None, new: int) -> int:
    return new if old is None else better(old, new)
