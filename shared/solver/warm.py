"""Compiles the kernels, or loads what was compiled before: once a process, before the first deal that is timed."""

from typing import Final

from shared.messages.knowledge import knowledge
from shared.rules.cards import DECK
from shared.rules.table import Table, lay_out
from shared.rules.variants import Variant
from shared.solver.belief import lay_known, new_chance
from shared.solver.certify import certify
from shared.solver.dead_ends import Prover
from shared.solver.decide import new_world
from shared.solver.minimal import MinimalSolver
from shared.solver.player import Effort, StrongPlayer
from shared.solver.player_game import play
from shared.solver.solve import Budget, Solver

_SOLVED: Final = 3
"""The ordered deck, read in such steps, is a deal that is won."""
_HARD: Final = 35
"""With draw three this one is lost, after more states than are looked at here: enough for larger tables."""
_PROOF_STATES: Final = 100_000
_MANY: Final = 20_000
"""States of a search after which its table has grown."""
_SMALL: Final = 1 << 26


def warm_all() -> None:
    """Compile every kernel there is. What is compiled is kept beside the source, or where NUMBA_CACHE_DIR says."""
    warm()
    warm_minimal()
    warm_player()
    variant = Variant(id="warm", draw=3)
    certify(_dealt(_HARD, variant), variant, Budget(states=_MANY), lambda: 0.0)


def warm() -> None:
    """Compile or load the kernels of `solve`."""
    solver = Solver(lambda: 0.0)
    for step, draw in (_SOLVED, 1), (_HARD, 3):
        variant = Variant(id="warm", draw=draw)
        table = _dealt(step, variant)
        solver.solve(table, variant, Budget(states=_MANY))
        lay_known(knowledge(table, frozenset(DECK)), world := new_world())
        Prover(variant, _PROOF_STATES, lambda: False).prove(world, new_chance(0))


def warm_minimal() -> None:
    """Compile or load the kernels of shortest solutions, and those of `solve`."""
    warm()
    variant = Variant(id="warm", draw=3)
    table = _dealt(_SOLVED, variant)
    MinimalSolver(lambda: 0.0).solve(table, variant, Budget(states=_MANY, table_bytes=_SMALL))


def warm_player() -> None:
    """Compile or load the kernels of the strong player: two whole games, played for wins and for cards."""
    variant = Variant(id="warm", draw=3, passes=3)
    table = _dealt(_SOLVED, variant)
    effort = Effort(searches=1)
    for player in StrongPlayer(variant), StrongPlayer(variant, "cards"):
        play(table, player, effort=effort, seed=1)


def _dealt(step: int, variant: Variant) -> Table:
    """No numbered deal: what loads kernels need not know how deals are made."""
    return lay_out(tuple(DECK[index * step % len(DECK)] for index in range(len(DECK))), variant)
