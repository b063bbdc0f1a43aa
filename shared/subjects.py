"""Every subject, stream, consumer, header and Redis key of the system.

Nothing else spells one. `deploy/nats.conf` repeats the subjects as permissions; a test holds the two together.
"""

from shared.messages.base import GameId, PlayerId

EVENT_STREAM = "KLONDIKE_GAMES"
JOB_STREAM = "KLONDIKE_JOBS"
DEAD_STREAM = "KLONDIKE_DEAD"

JOB_CONSUMER = "solver"
"""The workers' one durable pull consumer on `JOB_STREAM`."""

GAME_LOGS = "klondike.game.*"
SEALED_DEALS = "klondike.deal.*"
JOBS = "klondike.job.*"
DEAD_LETTERS = "klondike.dead.*"
COMMANDS = "klondike.cmd.*.*"
VIEWS = "klondike.view.*.*"

PARTITIONS = 16
"""Commands of a game carry one of this many partitions, so that instances can share them out. Fixed for good."""

CORRELATION_HEADER = "Klondike-Correlation-Id"
SCHEMA_HEADER = "Klondike-Schema"


def game_log(game: GameId) -> str:
    """The game's event log: one message per accepted command."""
    return f"klondike.game.{game}"


def sealed_deal(game: GameId) -> str:
    """The one message that holds the game's hidden cards. Read by game-state and auditors alone."""
    return f"klondike.deal.{game}"


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


def feed(game: GameId) -> str:
    """Steps of a game as they are accepted, for every socket that has it open."""
    return f"klondike.feed.{game}"


def job(kind: str) -> str:
    """The work queue for jobs of one kind."""
    return f"klondike.job.{kind}"


def dead_letter(kind: str) -> str:
    """Where jobs go that no worker could do."""
    return f"klondike.dead.{kind}"


def results(instance: str) -> str:
    """All results for one game-state instance."""
    return f"klondike.result.{instance}.*"


def result(instance: str, job_id: str) -> str:
    """The result of one job."""
    return f"klondike.result.{instance}.{job_id}"


STATISTICS = "klondike.stats.player"
RANKING = "klondike.stats.ranking"
PLAYER_GAMES = "klondike.stats.games"


def inbox(role: str) -> str:
    """Inbox prefix of a service's connection: replies to one service cannot be read by another."""
    return f"_INBOX_{role}"


def snapshot_key(game: GameId) -> str:
    """Redis hash: the game's newest snapshot, and its head."""
    return f"klondike:game:{game}"


def statistics_key(player: PlayerId) -> str:
    """Redis hash: one player's statistics, a field per bucket."""
    return f"klondike:scoring:player:{player}"
