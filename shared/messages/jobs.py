"""Jobs for solver workers, and their results. A job holds only what the player may know."""

from typing import Annotated, Literal

import msgspec

from shared.messages.base import GAME_ID, MILLISECONDS, PLAYER_ID, VERSION, Input
from shared.rules.cards import Card

HintReason = Literal[
    "turn-up-card",  # a face-down card is turned up
    "free-column-for-king",  # empties a column that a King waits for
    "king-to-column",  # a King takes the empty column, to uncover or to build on
    "build-foundation",  # a card goes up, and nothing is blocked by it
    "build-tableau",  # a card from the waste gets a place where it helps
    "draw",  # nothing above applies: turn cards
    "recycle",  # the same, with the stock used up
]
"""Which preference of RULES.md's order a hint follows."""

MOVE_TEXT = Annotated[str, msgspec.Meta(max_length=12)]


class KnownColumn(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A column as the player knows it. A face-down card is known when it was seen and then undone."""

    down: tuple[Card | None, ...]
    up: tuple[Card, ...]


class Knowledge(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The view and the allowed history in one: every card the player has ever seen, where it lies now."""

    columns: tuple[KnownColumn, ...]
    foundations: tuple[tuple[Card, ...], ...]
    stock: tuple[Card | None, ...]
    """The next card to be drawn last. None: never seen."""
    waste: tuple[Card, ...]
    pass_number: int


class HintJob(Input, frozen=True, kw_only=True, tag="hint"):
    """Find the next good move."""

    schema: int = 1
    id: Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{32}$")]
    reply_to: Annotated[str, msgspec.Meta(pattern=r"^klondike\.result\.[a-z0-9]+\.[0-9a-f]{32}$")]
    game: GAME_ID
    player: PLAYER_ID
    version: VERSION
    variant: str
    known: Knowledge
    legal: tuple[MOVE_TEXT, ...]
    deadline: MILLISECONDS
    """When nobody waits for the answer any more, server time."""


AnyJob = HintJob


class Hint(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A move and why. `cards` are those that the reason is about."""

    move: MOVE_TEXT
    reason: HintReason
    cards: tuple[Card, ...] = ()


class HintResult(Input, frozen=True, kw_only=True, tag="hint-result"):
    """The answer to a hint job. No hint: nothing useful is left to suggest."""

    id: str
    hint: Hint | None
    micros: int
    """Time spent on it by the worker."""


class JobRefused(Input, frozen=True, kw_only=True, tag="job-refused"):
    """A job that no worker can do, with the reason. It went to the dead letters."""

    id: str
    reason: str


AnyResult = HintResult | JobRefused
