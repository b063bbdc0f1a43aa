"""A game that comes from a file: what its player did, to be played again by the rules."""

from typing import Annotated, Final

import msgspec

from shared.messages.answers import Answer
from shared.messages.base import GAME_ID, MILLISECONDS
from shared.messages.commands import Deal, Mode
from shared.messages.events import ChancesGiven, GamePaused, HintGiven
from shared.messages.history import Deed
from shared.messages.views import PastStep

MOVE_MAX: Final = 12
"""Characters of a move."""
STEPS_MAX: Final = 5_000
"""Of a game in a file, as of one that is told over HTTP."""


class ImportedStep(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a player did, without what came of it."""

    deed: Deed
    move: Annotated[str, msgspec.Meta(max_length=MOVE_MAX)] | None
    at: MILLISECONDS
    told: HintGiven | ChancesGiven | GamePaused | None = None
    """What only the file can say: a hint, an answer about chances, why and from when on the clock stood still."""


class ImportedGame(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A game as a file has it."""

    variant: str
    scoring: str
    mode: Mode
    deal: Deal
    secret: str = ""
    """Hexadecimal; empty for a numbered deal."""
    commitment: str = ""
    """What the secret must fit; empty where the file has none."""
    started_at: MILLISECONDS
    steps: Annotated[tuple[ImportedStep, ...], msgspec.Meta(max_length=STEPS_MAX)]
    """After the deal."""


class PlayedAgain(Answer, frozen=True, kw_only=True, tag="played-again"):
    """Every step was by the rules. One that was not over is given up at its end, so that it can be looked at."""

    game: GAME_ID
    """Comes from what was played, and is no game of this server's."""
    steps: tuple[PastStep, ...]
    """From the deal to the end."""


class Misplayed(Answer, frozen=True, kw_only=True, tag="misplayed"):
    """The first thing that is against the rules."""

    step: int | None
    """Its index among the steps after the deal; None: no such game is dealt."""
    what: str
    """A clause, without a full stop."""
