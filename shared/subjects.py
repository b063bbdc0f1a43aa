"""Every subject, stream, consumer, header and Redis key of the system.

Nothing else spells one. `deploy/nats.conf` repeats the subjects as permissions; a test holds the two together.
"""

from typing import Final, Literal, get_args

from shared.messages.base import GameId, PlayerId

Priority = Literal[
    "waiting",  # a player waits for it, and it takes an instant
    "analysis",  # takes seconds: how a game stands, or stood
    "pool",  # nobody waits for it: to have some ready
]
PRIORITIES: Final[tuple[Priority, ...]] = get_args(Priority)
"""Of jobs, the first before the others."""

EVENT_STREAM = "KLONDIKE_GAMES"
JOB_STREAM = "KLONDIKE_JOBS"
DEAD_STREAM = "KLONDIKE_DEAD"
SHARE_STREAM = "KLONDIKE_SHARES"
ARCHIVE_STREAM = "KLONDIKE_ARCHIVE"
CHECKPOINT_STREAM = "KLONDIKE_CHECKPOINTS"
FORGOTTEN_STREAM = "KLONDIKE_FORGOTTEN"
SETTINGS_STREAM = "KLONDIKE_SETTINGS"
KEPT_STREAMS = (
    CHECKPOINT_STREAM,
    EVENT_STREAM,
    ARCHIVE_STREAM,
    SHARE_STREAM,
    SETTINGS_STREAM,
    FORGOTTEN_STREAM,
)
"""What cannot be made again, in the order of a backup: a game that moves meanwhile is then in both, not in none, and
all that checkpoints know is there.
"""

OLD_JOB_CONSUMER = "solver"
"""The one consumer of all jobs, before there were priorities."""

LOG_READERS = tuple(f"scoring-{number}" for number in range(1, 9))
"""The pull consumers of game logs on `EVENT_STREAM`, one for each process of scoring, whichever is free."""

NOTARY_READER = "notary"
"""The pull consumer of game logs on `EVENT_STREAM` of whichever notary is at work."""

GAME_LOGS = "klondike.game.*"
SEALED_DEALS = "klondike.deal.*"
JOBS = "klondike.job.*.*.*"
DEAD_LETTERS = "klondike.dead.*"
ARCHIVE = "klondike.archive.>"
ARCHIVE_MANIFESTS = "klondike.archive.manifest"
"""One message for each segment of the archive, in the order in which they were made."""
CHECKPOINTS = "klondike.checkpoint"
"""One message for each checkpoint, each naming the one before."""
FORGOTTEN = "klondike.forgotten.*"
"""Players that were forgotten."""
SETTINGS = "klondike.settings.*"
"""Settings of players."""
COMMANDS = "klondike.cmd.*.*"
VIEWS = "klondike.view.*.*"
SHARES = "klondike.share.*"
LOBBY = "klondike.lobby"
"""Requests of the gateway for games that wait for a second player."""
SHARING = "klondike.sharing"
"""Requests to make, withdraw or use the link to a game."""

PARTITIONS = 16
"""Commands of a game carry one of this many partitions, so that instances can share them out. Fixed for good."""

CORRELATION_HEADER = "Klondike-Correlation-Id"
SCHEMA_HEADER = "Klondike-Schema"
REASON_HEADER = "Klondike-Reason"
"""Why a job is among the dead letters."""


def game_log(game: GameId) -> str:
    """The game's event log: one message per accepted command."""
    return f"klondike.game.{game}"


def create_log_reader(name: str) -> str:
    """Where a consumer of the game logs, and of nothing else, is made."""
    return f"$JS.API.CONSUMER.CREATE.{EVENT_STREAM}.{name}.{GAME_LOGS}"


def next_of_log(name: str) -> str:
    """Where a consumer of the event stream is asked for its next messages."""
    return f"$JS.API.CONSUMER.MSG.NEXT.{EVENT_STREAM}.{name}"


def delete_log_reader(name: str) -> str:
    """Where a consumer of the event stream is removed."""
    return f"$JS.API.CONSUMER.DELETE.{EVENT_STREAM}.{name}"


def sealed_deal(game: GameId) -> str:
    """The one message that holds the game's hidden cards. Read by game-state and auditors alone."""
    return f"klondike.deal.{game}"


def archive_chunk(segment: str, number: int) -> str:
    """The bytes of a segment, from the one with number `number * chunk_bytes` on."""
    return f"klondike.archive.segment.{segment}.{number}"


def archive_chunks(segment: str) -> str:
    """All bytes of a segment."""
    return f"klondike.archive.segment.{segment}.*"


def archived_game(game: GameId) -> str:
    """Where in the archive a game is; its newest message counts."""
    return f"klondike.archive.game.{game}"


def forgotten(player: PlayerId) -> str:
    """The word that a player was forgotten."""
    return f"klondike.forgotten.{player}"


def settings(player: PlayerId) -> str:
    """The newest settings of a player."""
    return f"klondike.settings.{player}"


def game_of(subject: str) -> GameId:
    """The game that a log, deal, command, view or feed subject belongs to."""
    return GameId(subject.rsplit(".", 1)[-1])


def partition(game: GameId) -> int:
    """The partition of a game: the same in every process and on every machine (`hash()` is not)."""
    return sum(game.encode()) % PARTITIONS


def command(game: GameId) -> str:
    """Requests that change a game."""
    return f"klondike.cmd.{partition(game)}.{game}"


def view(game: GameId) -> str:
    """Requests for a game's view, and what was missed since a version."""
    return f"klondike.view.{partition(game)}.{game}"


def share(game: GameId) -> str:
    """The one message that says whether a game has a link, and which."""
    return f"klondike.share.{game}"


def feed(game: GameId) -> str:
    """Steps of a game as they are accepted, for every socket that has it open."""
    return f"klondike.feed.{game}"


def job(priority: Priority, kind: str, player: PlayerId) -> str:
    """Where jobs of one kind and priority for one player wait. Their number is limited."""
    return f"klondike.job.{priority}.{kind}.{player}"


def jobs_of(priority: Priority) -> str:
    """All jobs of one priority."""
    return f"klondike.job.{priority}.*.*"


def job_consumer(priority: Priority) -> str:
    """The durable pull consumer that all workers share for one priority."""
    return f"solver-{priority}"


def kind_of_job(subject: str) -> str:
    """The kind that a job's subject names."""
    return subject.split(".")[3]


def dead_letter(kind: str) -> str:
    """Where jobs go that no worker could do."""
    return f"klondike.dead.{kind}"


def results(instance: str) -> str:
    """All results for one game-state instance."""
    return f"klondike.result.{instance}.*"


def result(instance: str, job_id: str) -> str:
    """The result of one job."""
    return f"klondike.result.{instance}.{job_id}"


def worker(instance: str) -> str:
    """Requests for a worker's report."""
    return f"klondike.worker.{instance}"


WINNABLE_SECRETS = "klondike.dealer.secret"
"""Requests of game-state for a secret whose deal can be won."""
DAILY_DEALS = "klondike.dealer.daily"
"""Requests for the number of a day's deal."""
VERDICTS = "klondike.dealer.verdict"
"""Requests for what the solver says of a game that is over."""
IMPORTS = "klondike.dealer.import"
"""Requests to play a game from a file again, or to judge it."""

NEWEST_CHECKPOINT = "klondike.notary.newest"
"""Requests for the newest checkpoint as it is published."""
OPPONENT = "klondike.opponent.challenge"
"""Requests that the computer joins a game for two."""

STATISTICS = "klondike.stats.player"
FORGETTING = "klondike.stats.forget"
"""Requests to forget a player."""
PROFILES = "klondike.stats.profile"
"""Requests about a player's settings and devices."""
RANKING = "klondike.stats.ranking"
PLAYER_GAMES = "klondike.stats.games"
ENDED_GAMES = "klondike.stats.history"
CALENDARS = "klondike.stats.calendar"
"""Requests for a player's results on deals of the day."""


INBOXES = "_INBOX_"


def inbox(role: str) -> str:
    """Inbox prefix of a service's connection: replies to one service cannot be read by another."""
    return f"{INBOXES}{role}"


def snapshot_key(game: GameId) -> str:
    """Redis hash: the game's newest snapshot, and its head."""
    return f"klondike:game:{game}"


SCORING_LIVE_KEY = "klondike:scoring:live"
"""Redis string: the generation of projections that answers come from."""
FORGOTTEN_PLAYERS_KEY = "klondike:scoring:forgotten"
"""Redis set: the players that are counted nowhere any more."""
SCORING_GENERATIONS_KEY = "klondike:scoring:generations"
"""Redis counter: the number of the newest generation that was begun."""


def scoring_cursor_key(generation: str) -> str:
    """Redis string: the last record that the generation's projections hold."""
    return f"klondike:scoring:{generation}:cursor"


def running_games_key(generation: str) -> str:
    """Redis hash: a row for each running game."""
    return f"klondike:scoring:{generation}:games"


def players_key(generation: str) -> str:
    """Redis hash: a row for each player, with all statistics."""
    return f"klondike:scoring:{generation}:players"


def faults_key(generation: str) -> str:
    """Redis hash: the games that are left out, and why."""
    return f"klondike:scoring:{generation}:faults"


def player_games_key(generation: str, player: PlayerId) -> str:
    """Redis sorted set: one player's running games by the time of their start."""
    return f"klondike:scoring:{generation}:player:{player}"


def summaries_key(generation: str) -> str:
    """Redis hash: a row for each game that is over."""
    return f"klondike:scoring:{generation}:over"


def ended_games_key(generation: str, player: PlayerId | None) -> str:
    """Redis sorted set: the games that are over of one player, or of all, by the time of their end."""
    return f"klondike:scoring:{generation}:ended{f':{player}' if player else ''}"


def ranking_key(generation: str, period: str, variant: str, scoring: str) -> str:
    """Redis sorted set: the players of a ranking, of all time, a day or a week."""
    return f"klondike:scoring:{generation}:ranking:{period}:{variant}:{scoring}"


def daily_results_key(generation: str, player: PlayerId, variant: str) -> str:
    """Redis sorted set: the days whose deal one player has played, by what came of it."""
    return f"klondike:scoring:{generation}:daily:{player}:{variant}"


def scoring_generation(key: str) -> str | None:
    """The generation that a key belongs to, none for the two keys that stand above them."""
    parts = key.split(":")
    return parts[2] if len(parts) > 3 else None


def invitation_key(code: str) -> str:
    """Redis string: the game for two that a short code leads to, while it waits."""
    return f"klondike:lobby:code:{code}"


def queue_key(variant: str, scoring: str) -> str:
    """Redis sorted set: games for two that wait for anybody, by the time until when."""
    return f"klondike:lobby:queue:{variant}:{scoring}"


LEFT_GAMES_KEY = "klondike:lobby:left"
"""Redis sorted set: games for two that nobody plays any more, by the time from when on they are ended."""


def device_code_key(code: str) -> str:
    """Redis string: the player whose device one becomes by a code."""
    return f"klondike:profile:code:{code}"


def player_code_key(player: PlayerId) -> str:
    """Redis string: the code that leads to a player."""
    return f"klondike:profile:player:{player}"


LOBBY_KEYS = "klondike:lobby:*"
"""What game-state may use of Redis beside its games: it is lost without harm."""
GAME_KEYS = "klondike:game:*"
"""What game-state may use of Redis."""
SCORING_KEYS = "klondike:scoring:*"
"""What scoring may use of Redis."""
PROFILE_KEYS = "klondike:profile:*"
"""What scoring may use of Redis beside its projections: it is lost without harm."""
