"""Events: what happened in a game, in the past tense. They hold only what became visible by happening.

A stored schema: fields are only added, with defaults.
"""

from typing import Literal

import msgspec
from msgspec import UNSET, UnsetType

from shared.messages.base import COMMAND_ID, GAME_ID, MILLISECONDS, PLAYER_ID, SEAT, VERSION, Stored
from shared.messages.chances import Chances
from shared.messages.commands import Deal, Mode, PauseReason
from shared.messages.jobs import HintReason
from shared.rules.cards import Card
from shared.rules.piles import Pile

Result = Literal["won", "lost", "resigned", "drawn"]


class Event(Stored, frozen=True, kw_only=True):
    """Anything that can happen in a game."""


class GameStarted(Event, frozen=True, kw_only=True, tag="game-started"):
    """A game was dealt."""

    player: PLAYER_ID
    variant: str
    variant_version: str
    scoring: str
    mode: Mode
    deal: Deal
    shuffle: str
    """How cards were derived: the name of a published, versioned method."""
    commitment: str
    """SHA-256 of the secret, hexadecimal; empty for a deal with a public origin."""
    faces: tuple[tuple[Card, ...], ...]
    """The face-up cards of each column after the deal. In a game for two none: cards are dealt when both are there."""
    points: int
    expires_at: MILLISECONDS | UnsetType = UNSET
    """Until when the other player may join a game for two."""
    absence_ms: MILLISECONDS | UnsetType = UNSET
    """How long a player of a game for two may be away before the other may claim it."""


class PlayerJoined(Event, frozen=True, kw_only=True, tag="player-joined"):
    """The second player came, and the cards were dealt."""

    player: PLAYER_ID
    faces: tuple[tuple[tuple[Card, ...], ...], ...]
    """For each seat, the one who invited first: the face-up cards of each column after the deal."""


class PlayerResigned(Event, frozen=True, kw_only=True, tag="player-resigned"):
    """A player of a game for two gave up, or stayed away for so long that the other claimed it."""

    seat: SEAT
    absent: bool = False


class CardsMoved(Event, frozen=True, kw_only=True, tag="cards-moved"):
    """Cards went from one pile to another."""

    source: Pile
    target: Pile
    cards: tuple[Card, ...]
    """In the order they lie, topmost last."""
    turned_up: Card | None = None
    """The card of the source column that was turned up in the same move."""
    points: int = 0


class CardsDrawn(Event, frozen=True, kw_only=True, tag="cards-drawn"):
    """Cards were turned from the stock onto the waste."""

    cards: tuple[Card, ...]
    """In the order they were turned, so the playable one last."""


class StockRecycled(Event, frozen=True, kw_only=True, tag="stock-recycled"):
    """The waste became the stock."""

    cards: int
    begins_pass: int
    """The number of the pass that begins: 2 for the first recycle."""
    points: int = 0


class MoveUndone(Event, frozen=True, kw_only=True, tag="move-undone"):
    """The last move was taken back."""

    points: int = 0
    """Change of the score: the opposite of what the move had brought."""


class MoveRedone(Event, frozen=True, kw_only=True, tag="move-redone"):
    """The move that was taken back last was made again, with the same cards."""

    points: int = 0


class Alternative(msgspec.Struct, frozen=True, kw_only=True):
    """Another move that leads on as well."""

    move: str
    reason: HintReason
    cards: tuple[Card, ...] = ()


class HintGiven(Event, frozen=True, kw_only=True, tag="hint-given"):
    """The player was told a move."""

    move: str
    """In text form, such as `W>F2`."""
    reason: HintReason
    cards: tuple[Card, ...] = ()
    """The cards that the reason is about."""
    alternatives: tuple[Alternative, ...] | UnsetType = UNSET
    """The better one first. Left out when there is none, as before there were any."""
    then: tuple[str, ...] | UnsetType = UNSET
    """Moves to make after it, as parts of one plan. Left out when there is none."""


class ChancesGiven(Event, frozen=True, kw_only=True, tag="chances-given"):
    """The player was told whether there is still a way to win."""

    chances: Chances


class GamePaused(Event, frozen=True, kw_only=True, tag="game-paused"):
    """The clock stopped, and the table was closed."""

    reason: PauseReason
    since: MILLISECONDS
    """Up to when play time was counted, not after the record's own time."""


class GameContinued(Event, frozen=True, kw_only=True, tag="game-continued"):
    """The clock runs again, from the record's time on."""


class PlayerLeft(Event, frozen=True, kw_only=True, tag="player-left"):
    """A player of a game for two is not there any more. The other plays on, and may claim it after a while."""

    seat: SEAT
    since: MILLISECONDS
    """When the player was last there, not after the record's own time."""


class PlayerReturned(Event, frozen=True, kw_only=True, tag="player-returned"):
    """A player who had left is there again."""

    seat: SEAT


class SeatResult(msgspec.Struct, frozen=True, kw_only=True):
    """How a game for two ended for one of them."""

    result: Result
    points: int
    moves: int
    cards_up: int
    """Own cards on the foundations."""
    bonus: int = 0
    """As in `game-ended`."""


class GameEnded(Event, frozen=True, kw_only=True, tag="game-ended"):
    """The game is over for good. Sums are repeated here so that readers need not add up."""

    result: Result
    points: int
    moves: int
    play_ms: MILLISECONDS
    assisted: bool
    secret: str = ""
    """The secret of the deal, hexadecimal, revealed; empty for a deal with a public origin."""
    bonus: int = 0
    """Points that came with the end itself, part of `points`."""
    seats: tuple[SeatResult, ...] | UnsetType = UNSET
    """Of a game for two, by seat. `result` is then `won` when one of them has won, and `points`, `bonus` and `moves`
    are those of the winner, else of the first seat."""


BetweenPlayers = PlayerJoined | PlayerResigned | PlayerLeft | PlayerReturned
"""What happens only in games for two."""

AnyEvent = (
    GameStarted
    | CardsMoved
    | CardsDrawn
    | StockRecycled
    | MoveUndone
    | MoveRedone
    | HintGiven
    | ChancesGiven
    | GamePaused
    | GameContinued
    | GameEnded
    | PlayerJoined
    | PlayerResigned
    | PlayerLeft
    | PlayerReturned
)


class SealedDeal(Stored, frozen=True, kw_only=True, tag="sealed-deal"):
    """The hidden part of a game, on a subject of its own, written before the first record."""

    schema: int = 1
    game: GAME_ID
    deal: Deal
    shuffle: str
    secret: str
    """32 bytes, hexadecimal; empty for a deal with a public origin."""


class Record(Stored, frozen=True, kw_only=True, tag="record"):
    """One accepted command with all that it caused: one message of the log."""

    schema: int = 1
    game: GAME_ID
    version: VERSION
    command: COMMAND_ID
    player: PLAYER_ID
    at: MILLISECONDS
    events: tuple[AnyEvent, ...]
    previous: bytes
    """Hash of the record before; for the first, hash of the sealed deal."""
