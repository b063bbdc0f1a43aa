"""Plain search for a shortest solution by the rules alone: slow, obvious, and what shortest solutions are held to."""

from collections import deque

from shared.rules.legal import legal_moves
from shared.rules.moves import Recycle
from shared.rules.table import Table, apply, is_won
from shared.rules.variants import Variant
from tests.unit.solver.exhaustive import state_of


def shortest(table: Table, variant: Variant, states_max: int) -> int | None:
    """How many moves a win counts at least, recycling not counted.

    Returns -1 when no moves win, None when more states would have to be looked at than allowed.
    """
    best = {state_of(table): 0}
    queue = deque([(0, table)])
    done: set[tuple[object, ...]] = set()
    while queue:
        cost, current = queue.popleft()
        state = state_of(current)
        if state in done:
            continue
        done.add(state)
        if is_won(current, variant):
            return cost
        for move in legal_moves(current, variant):
            free = isinstance(move, Recycle)
            following = apply(current, move, variant).table
            total = cost + (not free)
            if total < best.get(key := state_of(following), total + 1):
                best[key] = total
                (queue.appendleft if free else queue.append)((total, following))
        if len(best) > states_max:
            return None
    return -1
