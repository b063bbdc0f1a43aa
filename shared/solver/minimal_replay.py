"""From the positions of a shortest way to the commands of the game, each one checked by the rules."""

from collections.abc import Sequence
from typing import NamedTuple

from shared.rules.cards import Card
from shared.rules.moves import Move, Recycle
from shared.rules.table import Table, is_won
from shared.rules.variants import Variant
from shared.solver.bits import ALL
from shared.solver.flat import CARDS
from shared.solver.minimal_sheet import PAIRS, Sheet, View, bits_of, view_of
from shared.solver.replay import Player


class _Step(NamedTuple):
    """A card that moves, and where it goes: to its foundation, or to a parent, None for a king or the only one."""

    card: Card
    up: bool
    parent: Card | None = None


def play_way(table: Table, variant: Variant, sheet: Sheet, way: Sequence[tuple[int, int]]) -> tuple[Move, ...]:
    """The moves from a table along positions of the kernels to the win, of which nothing is left to choose then."""
    views = [view_of(first, second, sheet) for first, second in way]
    player = Player(table, variant)
    for at in range(1, len(views)):
        step = _step(views, at, sheet)
        if step.up:
            player.put_up(step.card)
        else:
            player.put_down(step.card, step.parent)
    player.raise_to(ALL)
    assert is_won(player.table, variant)
    return tuple(player.moves)


def counted(moves: Sequence[Move]) -> int:
    """Moves of cards and draws. Turning the waste over is not counted."""
    return sum(not isinstance(move, Recycle) for move in moves)


def _step(views: Sequence[View], at: int, sheet: Sheet) -> _Step:
    """The move from one view to the next."""
    before, after = views[at - 1], views[at]
    raised = after.up & ~before.up
    if raised:
        return _Step(CARDS[raised], up=True)
    if before.stock != after.stock:
        card = int(sheet.stock[(before.stock ^ after.stock).bit_length() - 1])
    elif before.up != after.up:
        card = before.up ^ after.up
    else:
        card = before.roots & ~after.roots
    return _Step(CARDS[card], up=False, parent=_parent(views, at, card.bit_length() - 1))


def _parent(views: Sequence[View], at: int, card: int) -> Card | None:
    """The parent to put a card on, if there are two that could carry it: the one that it turns out to lie on later."""
    pair, child = card >> 1, card & 1
    parents = bits_of(views[at].visible, (pair + 2) ^ 1)
    if pair >= PAIRS or parents != 3 or bits_of(views[at].lying, pair) == 3:
        return None
    crossed = 0
    for view in views[at:]:
        lying, code = bits_of(view.lying, pair), view.codes >> 2 * pair & 3
        if code:
            return _card((pair + 2) ^ 1, code - 1 ^ crossed)
        if not lying >> child & 1:
            if not lying:
                break
            # Only the twin is left, on the other parent.
            child, crossed = child ^ 1, crossed ^ 1
    return None


def _card(pair: int, which: int) -> Card:
    return CARDS[1 << 2 * pair + which]
