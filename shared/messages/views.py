"""What may be seen of a game. There is no field here that could hold a face-down card, only counts."""

from typing import Literal

import msgspec
from msgspec import UNSET, UnsetType

from shared.messages.base import COMMAND_ID, GAME_ID, MILLISECONDS, PLAYER_ID, SEAT, VERSION, PlayerId
from shared.messages.commands import Deal, Mode, PauseReason
from shared.messages.events import AnyEvent
from shared.rules.cards import Card
from shared.rules.variants import DrawsTo

Status = Literal["running", "won", "lost", "resigned", "waiting", "drawn"]
"""`waiting`: nobody has joined the game yet."""


class ColumnView(msgspec.Struct, frozen=True, kw_only=True):
    """A column of the tableau: how many lie face down, and the face-up cards above them, topmost last."""

    down: int
    up: tuple[Card, ...]


class Opponent(msgspec.Struct, frozen=True, kw_only=True):
    """The other side of a game for two, as far as it lies open."""

    columns: tuple[ColumnView, ...]
    foundations: tuple[tuple[Card, ...], ...]
    """The own ones of that side; the same as `foundations` of the view where they are shared."""
    stock: int
    waste: tuple[Card, ...]
    pass_number: int
    points: int
    moves: int
    cards_up: int
    """Cards of that side that are on the foundations."""
    status: Status
    """`running`, or `resigned`, and its result once the game is over."""
    away_since: MILLISECONDS | None = None
    """When that player was last there; none while there."""
    claim_at: MILLISECONDS | None = None
    """From when on the player who is there may `claim` the absence."""


class Duel(msgspec.Struct, frozen=True, kw_only=True):
    """What a view of a game for two has besides."""

    seat: SEAT | None
    """Whose side the view shows as its own: 0 who invited, 1 who joined. None: somebody who watches; then it is 0's."""
    players: tuple[PLAYER_ID, ...]
    """By seat."""
    status: Status
    """Of the own side: `resigned` once that player gave up, while the other plays on."""
    cards_up: int
    """Own cards that are on the foundations."""
    shared: bool
    """Whether both build on the same foundations."""
    absence_ms: MILLISECONDS
    """How long a player may be away before the other may claim it."""
    expires_at: MILLISECONDS
    """Until when the game could be joined."""
    code: str | None = None
    """The invitation's short code, while the game waits."""
    opponent: Opponent | None = None
    """None until somebody has joined."""
    away_since: MILLISECONDS | None = None
    """As `opponent.away_since`, of the own side."""
    claim_at: MILLISECONDS | None = None
    """As `opponent.claim_at`, of the own side."""


class View(msgspec.Struct, frozen=True, kw_only=True):
    """A whole game as its player may see it."""

    game: GAME_ID
    version: VERSION
    variant: str
    scoring: str
    mode: Mode
    deal: Deal
    commitment: str
    status: Status
    columns: tuple[ColumnView, ...]
    foundations: tuple[tuple[Card, ...], ...]
    """In suit order clubs, diamonds, hearts, spades; topmost last."""
    stock: int
    waste: tuple[Card, ...]
    """Topmost, the playable card, last."""
    draw: int
    """How many cards a draw turns."""
    draws_to: DrawsTo = "waste"
    """Where it lays them: onto the waste, or one onto each column from the left."""
    pass_number: int
    """1 for the first time through the stock."""
    passes: int | None
    """How many there may be; none for no limit."""
    points: int
    moves: int
    play_ms: MILLISECONDS
    """Play time up to `at`."""
    clock_runs: bool
    """Whether time is counted now: from the first move to the end, but in a pause."""
    at: MILLISECONDS
    """When the newest version was accepted, server time."""
    assisted: bool
    can_undo: bool
    can_redo: bool
    legal: tuple[str, ...]
    """Every legal move in text form, empty in a pause and when the game is over."""
    stuck: bool = False
    """Whether it is proved that nothing changes any more, whatever lies face down: no card can be turned up, be seen
    for the first time, or go up. Told from public facts, no help, and ends nothing."""
    secret: str = ""
    """The deal's secret, once the game is over."""
    paused: PauseReason | None = None
    """Why the clock stands still, in a pause."""
    duel: Duel | UnsetType = UNSET
    """Of games for two."""


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """One version of a game: the command that made it, what happened, and what it looks like since."""

    game: GAME_ID
    version: VERSION
    command: COMMAND_ID
    at: MILLISECONDS
    events: tuple[AnyEvent, ...]
    view: View
    """Of a game for two, on the feed: as somebody sees it who watches."""
    seat: SEAT | UnsetType = UNSET
    """Of games for two: whose command it was."""
    seats: tuple[View, ...] | UnsetType = UNSET
    """Of a game for two, on the feed: what the player of each seat sees."""


def seen_by(player: PlayerId, step: Step) -> Step:
    """A step of the feed with the view that is a player's own, or that of somebody who watches."""
    for view in step.seats or ():
        if plays(player, view):
            return msgspec.structs.replace(step, view=view, seats=UNSET)
    return msgspec.structs.replace(step, seats=UNSET)


def plays(player: PlayerId, view: View) -> bool:
    """Whether a view of a game for two is that player's own."""
    duel = view.duel
    return duel is not UNSET and duel.seat is not None and duel.players[duel.seat] == player


class PastStep(msgspec.Struct, frozen=True, kw_only=True):
    """A version that was missed: without a view, since the newest one comes with it."""

    version: VERSION
    command: COMMAND_ID
    at: MILLISECONDS
    events: tuple[AnyEvent, ...]
    seat: SEAT | UnsetType = UNSET
    """As in a step."""
