"""Whole games of a strong player on the rules core, which accepts every move or stops with a bug."""

from collections.abc import Callable
from typing import Final

import msgspec

from shared.messages.knowledge import knowledge
from shared.rules.legal import breach
from shared.rules.table import Table, apply, is_won
from shared.rules.variants import Variant
from shared.solver.belief import seen_after, seen_at_deal
from shared.solver.player import Effort, StrongPlayer

MOVES_MAX: Final = 5_000
"""More than any game has: at most 52 + 45 plans, each with fewer than two passes and 40 other moves."""


class Game(msgspec.Struct, frozen=True, kw_only=True):
    """How a game ended."""

    won: bool
    up: int
    """Cards on the foundations."""
    moves: int
    plans: int


def play(
    table: Table,
    player: StrongPlayer,
    *,
    effort: Effort,
    seed: int,
    stock_known: bool = False,
    stops: Callable[[], Callable[[], bool]] = lambda: lambda: False,
) -> Game:
    """Play a table to its end: won, or nothing left to do that could win.

    Args:
        table: where it starts. The player is shown nothing of it but what lies face up.
        player: who plays.
        effort: for each plan.
        seed: for the worlds that are imagined.
        stock_known: whether the stock's cards are shown at the start.
        stops: called before each plan, gives what tells when to decide.
    """
    variant: Variant = player.variant
    seen = seen_at_deal(table, stock_known=stock_known)
    moves = plans = 0
    while not is_won(table, variant):
        plan = player.plan(knowledge(table, seen), seed=seed + plans, effort=effort, stopped=stops())
        if plan is None:
            break
        plans += 1
        for move in plan.moves:
            broken = breach(table, move, variant)
            assert broken is None, f"the player chose {move}, against {broken}"
            table = apply(table, move, variant).table
            seen = seen_after(seen, table)
        moves += len(plan.moves)
        assert plan.moves, "a plan without moves"
        assert moves <= MOVES_MAX, "the player runs in a circle"
    return Game(won=is_won(table, variant), up=sum(map(len, table.foundations)), moves=moves, plans=plans)
