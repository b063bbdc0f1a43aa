"""Compiles the kernels, or loads what was compiled before: once a process, before the first deal that is timed."""

from typing import Final

from shared.rules.deal import numbered_deck
from shared.rules.table import lay_out
from shared.rules.variants import Variant
from shared.solver.solve import Budget, Solver

_SOLVED: Final = 3
"""A deal that is won."""
_HARD: Final = 94
"""With draw three, a deal that is lost after some thousand states: enough for restarts and a larger table."""


def warm() -> None:
    """Compile every kernel. What is compiled is kept beside the source, or where NUMBA_CACHE_DIR says."""
    solver = Solver(lambda: 0.0)
    for number, draw in (_SOLVED, 1), (_HARD, 3):
        variant = Variant(id="warm", draw=draw)
        solver.solve(lay_out(numbered_deck(number, decks=1), variant), variant, Budget())
