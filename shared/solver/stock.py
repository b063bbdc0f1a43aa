"""What drawing on brings to the top of the waste, as far as the player knows the stock."""

from collections.abc import Iterator
from typing import NamedTuple

import msgspec

from shared.messages.jobs import Knowledge
from shared.rules.cards import Card
from shared.rules.variants import Variant


class Turn(NamedTuple):
    """The state after drawing and recycling `actions` times without playing a card."""

    actions: int
    top: Card | None
    """The card that can be played. None: it was never seen."""
    reveals: bool
    """Whether the last draw turned up a card that was never seen."""
    first_is_draw: bool
    """Whether the first action is a draw, not a recycle."""


def turns(known: Knowledge, variant: Variant) -> Iterator[Turn]:
    """Draws to come, as far as known and allowed, each possible top of the waste at least once.

    Ends with the first draw that turns up an unseen card, when no pass is left, or after one whole pass from an
    untouched stock on: from then on everything repeats.
    """
    stock: list[Card | None] = list(known.stock)
    waste: list[Card | None] = list(known.waste)
    first_is_draw = bool(stock)
    actions, recycles = 0, 0
    while stock or waste:
        if not stock:
            pass_left = variant.passes is None or known.pass_number + recycles < variant.passes
            if recycles == 1 or not pass_left:
                return
            stock, waste = waste[::-1], []
            recycles, actions = recycles + 1, actions + 1
        actions += 1
        drawn = stock[: -variant.draw - 1 : -1]
        del stock[-len(drawn) :]
        waste += drawn
        yield Turn(actions, waste[-1], None in drawn, first_is_draw)
        if None in drawn:
            return


def turned(known: Knowledge, variant: Variant, *, draw: bool) -> Knowledge | None:
    """What is known after one draw, or else after a recycle. None: a card turns up that was never seen."""
    if not draw:
        return msgspec.structs.replace(known, stock=known.waste[::-1], waste=(), pass_number=known.pass_number + 1)
    drawn = tuple(card for card in known.stock[: -variant.draw - 1 : -1] if card is not None)
    count = min(variant.draw, len(known.stock))
    if len(drawn) < count:
        return None
    return msgspec.structs.replace(known, stock=known.stock[:-count], waste=known.waste + drawn)
