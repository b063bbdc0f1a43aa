"""Answers of the services to requests on the bus."""

from typing import Annotated, Final, Literal

import msgspec
from msgspec import UNSET, UnsetType

from shared.messages.base import COMMAND_ID, DAY, GAME_ID, MILLISECONDS, MONTH, PLAYER_ID, VERSION, Input, Stored
from shared.messages.errors import Error
from shared.messages.events import Result, SeatResult
from shared.messages.views import PastStep, Step, View

COUNT = Annotated[int, msgspec.Meta(ge=0, le=1_000_000)]
STEPS_MAX: Final = 500
"""Steps that `Fetched` has at most; whoever asks for more gets the view alone."""


class Answer(msgspec.Struct, frozen=True, kw_only=True, tag_field="type"):
    """An answer of game-state."""


class Accepted(Answer, frozen=True, kw_only=True, tag="accepted"):
    """The command is in the log. `repeated`: it already was; `step` then has the current view."""

    command: COMMAND_ID
    step: Step
    repeated: bool = False


class Refused(Answer, frozen=True, kw_only=True, tag="refused"):
    """The command changed nothing (or, with `outcome-unknown`, nobody knows yet)."""

    command: COMMAND_ID | None
    error: Error
    version: VERSION | None = None
    """The game's current version, where the asker may know it."""


class Fetched(Answer, frozen=True, kw_only=True, tag="fetched"):
    """A game's view. `steps`: what happened since the version asked for; none when that is too long ago."""

    view: View
    steps: tuple[PastStep, ...] | None = None


PeriodKind = Literal["all", "day", "week"]
"""What a ranking is over: everything, or one day or one week (from Monday on), UTC, in which the games ended."""

CommandAnswer = Accepted | Refused
FetchAnswer = Fetched | Refused


class FetchStatistics(Input, frozen=True, kw_only=True, tag="fetch-statistics"):
    """Ask scoring for a player's statistics."""

    player: PLAYER_ID


class FetchRanking(Input, frozen=True, kw_only=True, tag="fetch-ranking"):
    """Ask scoring for the ranking of a variant and scoring mode."""

    variant: str
    scoring: str
    period: PeriodKind = "all"
    day: DAY | None = None
    """Which day, or a day of which week. None: now."""
    player: PLAYER_ID | None = None
    """Whose own place is wanted too."""
    limit: Annotated[int, msgspec.Meta(ge=1, le=100)] = 20


GAMES_PAGE_MAX: Final = 100
"""Games that one answer lists at most."""


class FetchGames(Input, frozen=True, kw_only=True, tag="fetch-games"):
    """Ask scoring for a player's running games, newest first; or for those that are over, the last to end first."""

    player: PLAYER_ID
    over: bool = False
    limit: Annotated[int, msgspec.Meta(ge=1, le=GAMES_PAGE_MAX)] = 20
    until: MILLISECONDS | None = None
    """Of running games: those that began then or before. The next page is asked for by the last one's `started_at`."""


class FetchCalendar(Input, frozen=True, kw_only=True, tag="fetch-calendar"):
    """Ask scoring what became of a player's deals of the day, of one variant."""

    player: PLAYER_ID
    variant: str
    month: MONTH | None = None
    """None: this one, UTC."""


CURSOR_PATTERN: Final = "^[0-9]{1,16}-[a-z2-7]{26}$"
CURSOR = Annotated[str, msgspec.Meta(pattern=CURSOR_PATTERN)]
"""A place in the order of ended games: when a game ended, and its id."""


class FindGames(Input, frozen=True, kw_only=True, tag="find-games"):
    """Ask scoring for games that are over, the last to end first. What is None is not asked for."""

    player: PLAYER_ID | None = None
    variant: str | None = None
    scoring: str | None = None
    result: Result | None = None
    assisted: bool | None = None
    ended_from: MILLISECONDS | None = None
    ended_before: MILLISECONDS | None = None
    """The first instant that is too late."""
    moves_min: COUNT | None = None
    moves_max: COUNT | None = None
    """Of the moves that stand at the end."""
    after: CURSOR | None = None
    """`next` of the page before: it goes on behind it, whatever has ended since."""
    limit: Annotated[int, msgspec.Meta(ge=1, le=GAMES_PAGE_MAX)] = 20


class Statistics(msgspec.Struct, frozen=True, kw_only=True):
    """Sums over one player's games of one variant × scoring mode × assisted or not. A game counts from its first move.

    A running game counts as unassisted until it is assisted; then it changes over.
    """

    variant: str
    scoring: str
    assisted: bool
    games: int = 0
    wins: int = 0
    losses: int = 0
    """Lost or resigned. Games less wins, losses and draws are running."""
    points: int = 0
    """Of ended games."""
    best_points: int | None = None
    """Of won games."""
    best_play_ms: int | None = None
    fewest_moves: int | None = None
    play_ms: int = 0
    """Of won games, for the mean."""
    streak: int = 0
    """Wins in a row up to now; below zero, losses."""
    longest_streak: int = 0
    """Of wins."""
    longest_losses: int = 0
    """The longest streak of losses."""
    draws: int = 0
    """Games for two that nobody won. They end a streak and begin none."""


class PlayerStatistics(Answer, frozen=True, kw_only=True, tag="statistics"):
    """All of a player's statistics, ordered by variant, scoring mode, assisted."""

    player: PLAYER_ID
    rows: tuple[Statistics, ...]
    bankroll: int | None = None
    """Dollars won and lost in all ended games that are played for dollars, with help or without, resigned ones too;
    none without such a game."""


class Rank(msgspec.Struct, frozen=True, kw_only=True):
    """A place in a ranking, from 1."""

    place: int
    player: PLAYER_ID
    points: int
    """Of the best win; where a scoring is ranked by wins (`win-loss`), their number."""
    play_ms: int
    """Of the best win; less is better among equal points. 0 where wins are counted."""


class Ranking(Answer, frozen=True, kw_only=True, tag="ranking"):
    """The ranking of unassisted games on secret deals, best first."""

    variant: str
    scoring: str
    rows: tuple[Rank, ...]
    own: Rank | None = None
    period: PeriodKind = "all"
    begins_at: MILLISECONDS | None = None
    """From when on games count that end; none: from the beginning."""
    ends_at: MILLISECONDS | None = None
    """Until before when; none: for good."""


class GameEnd(msgspec.Struct, frozen=True, kw_only=True):
    """How a game ended."""

    at: MILLISECONDS
    result: Result
    points: int
    moves: int
    play_ms: MILLISECONDS
    assisted: bool
    formula: int = 1
    """The version of the formula that it was counted by in the statistics."""
    seats: tuple[SeatResult, ...] | UnsetType = UNSET
    """Of a game for two, by seat. The fields above are those of the player whose list it is."""


class GameSummary(msgspec.Struct, frozen=True, kw_only=True):
    """A game, enough to choose it from a list."""

    game: GAME_ID
    variant: str
    scoring: str
    mode: str
    player: PLAYER_ID
    started_at: MILLISECONDS
    version: VERSION
    end: GameEnd | None = None
    """None while it runs."""
    guest: PLAYER_ID | None = None
    """Who joined, in a game for two; `player` has invited."""


class PlayerGames(Answer, frozen=True, kw_only=True, tag="games"):
    """A player's games, newest first: those that run, or those that are over and had a move."""

    player: PLAYER_ID
    games: tuple[GameSummary, ...]


class FoundGames(Answer, frozen=True, kw_only=True, tag="found-games"):
    """A page of games that are over and had a move, the last to end first."""

    games: tuple[GameSummary, ...]
    next: CURSOR | None
    """Where the next page begins; none: there are no more. A page may hold fewer games than were asked for, even none,
    and still have a next one: so many games are looked at for a page and no more."""


class DayResult(msgspec.Struct, frozen=True, kw_only=True):
    """The best that came of one day's deal, of a game that had a move."""

    day: DAY
    won: bool
    in_time: bool = False
    """It was won before the day was over everywhere on Earth, twelve hours after its end in UTC."""
    assisted: bool = False
    """It was won with help, and never without."""
    play_ms: MILLISECONDS | None = None
    """Of the shortest of these wins."""


class Calendar(Answer, frozen=True, kw_only=True, tag="calendar"):
    """A player's deals of the day in one month, and how many days in a row were won in time."""

    player: PLAYER_ID
    variant: str
    month: MONTH
    days: tuple[DayResult, ...]
    """Those that were played, in order."""
    streak: int = 0
    """Days in a row up to now. The day that still runs does not end it."""
    longest_streak: int = 0


class RequestRefused(Answer, frozen=True, kw_only=True, tag="request-refused"):
    """A request that scoring cannot answer."""

    error: Error


class ForgetPlayer(Input, frozen=True, kw_only=True, tag="forget-player"):
    """Ask scoring to forget a player. It may be repeated."""

    player: PLAYER_ID


class Forgotten(Answer, frozen=True, kw_only=True, tag="forgotten"):
    """Nothing is kept of the player but what the log holds, which says of nobody who a player is."""

    player: PLAYER_ID
    games: Annotated[int, msgspec.Meta(ge=0)] | None = None
    """Games that were counted or listed of the player until now. None: the sender is of an earlier release."""
    before: bool = False
    """Whether the player had been forgotten before."""


class ForgottenPlayer(Stored, frozen=True, kw_only=True, tag="forgotten-player"):
    """What is kept so that no rebuild counts the player again."""

    schema: int = 1
    player: PLAYER_ID
    at: MILLISECONDS


StatisticsAnswer = PlayerStatistics | Ranking | PlayerGames | FoundGames | Calendar | Forgotten | RequestRefused
