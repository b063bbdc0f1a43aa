"""A bounded look-ahead: the cheapest sequence of steps that reaches a goal.

The search is exhaustive up to `DEPTH_MAX`, every step has a price above zero, and what a sequence may hold is decided
by looking at one step alone. So after the first step of a cheapest plan there is another that costs less. That hints
follow a plan through without remembering it, and never turn back on it, rests on this.
"""

import functools
from collections.abc import Callable
from typing import Final, NamedTuple

from shared.rules.cards import SUITS
from shared.rules.variants import Variant
from shared.solver.layout import FOUNDATION, RANK, RED, WASTE, Position, Step, apply, goes_to_empty, lifted, steps

DEPTH_MAX: Final = 3
COLUMNS_MAX: Final = 7
"""On more columns a plan has a step less: there are too many ways."""
AT_ONCE: Final = 2
"""Cards up to this rank go up at once."""

STEP_PRICE: Final = 2
EMPTY_COLUMN_PRICE: Final = 2
"""Added when a King takes an empty column."""
WASTE_PRICE: Final = 1
"""Added when a card is brought into the tableau from the waste."""
BLOCKING_PRICE: Final = 3
"""Added when a card goes up that may still be needed."""
GIVE_BACK_PRICE: Final = 4
"""Added when a card comes back from a foundation."""

Judge = Callable[[Position, Step], bool]


class Plan(NamedTuple):
    """Steps to a goal. Plans compare by price, then by gain, then by the steps, so that the best one is unique."""

    price: int
    loss: int
    """The gain at the goal, negative."""
    steps: tuple[Step, ...]

    def before_last(self, position: Position) -> Position:
        """The position in which the last step is made, when the plan starts from `position`."""
        return functools.reduce(apply, self.steps[:-1], position)


class _Node(NamedTuple):
    price: int
    steps: tuple[Step, ...]


def blocks(card: int, heights: tuple[int, ...]) -> bool:
    """Whether a card that goes up may be missed as the place of another, so that a run is blocked.

    Aces and twos never are. Any other card is not when whatever could lie on it can soon go up itself: its rank is at
    most two above the lowest foundation of the other colour, and three above the lowest of its own. This also keeps
    the foundations level, and threes, fours and fives from being hurried.
    """
    if RANK[card] <= AT_ONCE:
        return False
    reds = min(height for index, height in enumerate(heights) if index % len(SUITS) in (1, 2))
    blacks = min(height for index, height in enumerate(heights) if index % len(SUITS) in (0, 3))
    own, other = (reds, blacks) if RED[card] else (blacks, reds)
    return RANK[card] > min(other + 2, own + 3)


def price(position: Position, step: Step) -> int:
    """What a step gives up, above zero."""
    total = STEP_PRICE
    if step.target >= FOUNDATION:
        return total + (BLOCKING_PRICE if blocks(lifted(position, step), position.heights) else 0)
    if goes_to_empty(position, step):
        total += EMPTY_COLUMN_PRICE
    if step.source == WASTE:
        total += WASTE_PRICE
    elif step.source >= FOUNDATION:
        total += GIVE_BACK_PRICE
    return total


def within_tableau(position: Position, step: Step) -> bool:
    """Whether a step goes from a column to one that is not empty."""
    return step.source < FOUNDATION and step.target < FOUNDATION and bool(position.columns[step.target].up)


def anything(_position: Position, _step: Step) -> bool:
    """No restriction."""
    return True


def cheapest(
    position: Position,
    variant: Variant,
    goal: Judge,
    *,
    on_the_way: Judge = anything,
    gain: Callable[[Position, Step], int],
    depth: int = DEPTH_MAX,
) -> Plan | None:
    """The best plan whose last step meets the goal, if there is one of at most `depth` steps.

    Args:
        position: where it starts.
        variant: the rules.
        goal: judges the last step.
        on_the_way: judges the steps before it. None of them meets the goal, else the plan would end there.
        gain: of the last step; among plans of the same price the one with most is taken.
        depth: how many steps a plan may have.
    """
    best: Plan | None = None
    cheapest_to: dict[Position, int] = {position: 0}
    layer = {position: _Node(0, ())}
    for left in reversed(range(depth if len(position.columns) <= COLUMNS_MAX else depth - 1)):
        following: dict[Position, _Node] = {}
        for here, node in layer.items():
            for step in steps(here, variant):
                total = node.price + price(here, step)
                if best is not None and total > best.price:
                    continue
                path = (*node.steps, step)
                if goal(here, step):
                    plan = Plan(total, -gain(here, step), path)
                    best = plan if best is None else min(best, plan)
                elif left and on_the_way(here, step):
                    _reach(following, cheapest_to, apply(here, step), _Node(total, path))
        layer = following
    return best


def _reach(following: dict[Position, _Node], cheapest_to: dict[Position, int], position: Position, node: _Node) -> None:
    """Note a way to a position, unless one that is no longer has no higher price."""
    known = following.get(position)
    if known is not None:
        following[position] = min(known, node)
    elif node.price >= cheapest_to.get(position, node.price + 1):
        return
    else:
        following[position] = node
    cheapest_to[position] = min(node.price, cheapest_to.get(position, node.price))
