"""Whether there is still a way to win, as far as a player may know."""

from typing import Annotated

import msgspec

SHARE = Annotated[float, msgspec.Meta(ge=0, le=1)]
COUNT = Annotated[int, msgspec.Meta(ge=0)]


class Lost(msgspec.Struct, frozen=True, kw_only=True, tag="lost", tag_field="type"):
    """Proved: no way to win is left, whatever lies face down."""


class Estimate(msgspec.Struct, frozen=True, kw_only=True, tag="estimate", tag_field="type"):
    """In how many of the ways that unseen cards may lie there is a way to win, for one who sees them all."""

    samples: Annotated[int, msgspec.Meta(ge=1)]
    """Ways that were tried, each drawn at random; all there are when `exact`."""
    winnable: COUNT
    undecided: COUNT = 0
    """Of the samples: given up before an answer. They widen the interval on both sides."""
    low: SHARE
    """With `high`: the interval at 95 % for the share of all ways."""
    high: SHARE
    exact: bool = False


Chances = Lost | Estimate
