"""scoring against the real servers: from the log to the answers, and through every loss."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, replace

import msgspec
import pytest
from nats.aio.client import Client
from structlog.testing import capture_logs

from services.scoring import projector, store
from services.scoring.log_reader import BATCH_MAX, LogLostError, open_log
from services.scoring.projector import Projector, end
from services.scoring.queries import Queries, refusal
from services.scoring.reading import LogMessage
from services.scoring.rows import FORMAT
from services.scoring.store import Store, format_of
from shared import subjects
from shared.bus.redis_connection import Redis
from shared.bus.responder import serve
from shared.bus.streams import ensure_streams
from shared.logs import Log
from shared.messages.answers import (
    FetchGames,
    FetchRanking,
    FetchStatistics,
    PlayerGames,
    PlayerStatistics,
    Ranking,
    RequestRefused,
    StatisticsAnswer,
)
from shared.messages.base import Input
from shared.messages.codec import encode
from tests.conftest import ConnectAs, RedisAs
from tests.scoring_dumps import Dump, dump, folded_dump
from tests.scoring_logs import Act, Script, Writer, game_id, player_id, write
from tests.servers import Servers

PATIENCE_SECONDS = 20.0

GAMES = (
    Script(acts=("move", "draw", "won"), points=500, play_ms=90_000, moves=2),
    Script(player=2, acts=("move", "won"), points=500, play_ms=80_000, moves=1),
    Script(player=2, acts=("draw", "undo", "redo", "won"), points=700, play_ms=10),
    Script(player=3, variant="draw3", acts=("draw", "won"), points=650, play_ms=50_000),
    Script(player=3, secret=False, acts=("draw", "won"), points=690, play_ms=50_000),
    Script(player=1, acts=("draw", "move")),
    Script(player=1, acts=("hint", "resigned")),
)
INTERLEAVED = tuple(range(7)) * 4


@dataclass
class Scoring:
    """One instance at work, and what a test needs to look at it."""

    client: Client
    redis: Redis
    store: Store
    projector: Projector

    async def dump(self) -> Dump:
        position = await self.store.position()
        return await dump(self.redis, position.generation) if position else {}


Start = Callable[[], Awaitable[Scoring]]


async def eventually(condition: Callable[[], Awaitable[bool]], what: str) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not await condition():
        assert time.monotonic() < deadline, f"waited {PATIENCE_SECONDS} s for {what}"
        await asyncio.sleep(0.01)


@pytest.fixture
async def log_writer(connect_as: ConnectAs) -> Client:
    """A connection of game-state, with the streams made."""
    client = await connect_as("game-state")
    await ensure_streams(client.jetstream())
    return client


@asynccontextmanager
async def instance(client: Client, redis: Redis, log: Log) -> AsyncIterator[Scoring]:
    one = Scoring(client, redis, Store(redis), Projector(client, Store(redis), log))
    task = asyncio.create_task(one.projector.run())
    try:
        yield one
    finally:
        await end(task)


@pytest.fixture
async def scoring(connect_as: ConnectAs, redis_as: RedisAs, log: Log) -> AsyncIterator[Scoring]:
    """One instance that follows the log."""
    async with instance(await connect_as("scoring"), await redis_as("scoring"), log) as one:
        yield one


async def publish(client: Client, log: Sequence[LogMessage]) -> list[LogMessage]:
    """Write records to the real stream; returns them with the sequences that they got there."""
    acks = [await client.jetstream().publish(message.subject, message.payload) for message in log]
    return [msgspec.structs.replace(message, sequence=ack.seq) for message, ack in zip(log, acks, strict=True)]


async def caught_up(scoring: Scoring, log: Sequence[LogMessage]) -> None:
    """Wait until all of the log is counted, then hold it against the fold over the log."""

    async def done() -> bool:
        position = await scoring.store.position()
        return position is not None and position.cursor == log[-1].cursor

    await eventually(done, "the cursor to reach the end of the log")
    assert await scoring.dump() == folded_dump(log)


async def test_records_are_counted_as_they_come(scoring: Scoring, log_writer: Client) -> None:
    log: list[LogMessage] = []
    for message in write(GAMES, INTERLEAVED):
        log += await publish(log_writer, [message])
    await caught_up(scoring, log)


async def test_sealed_deals_lie_between_the_records_and_are_not_read(scoring: Scoring, log_writer: Client) -> None:
    await log_writer.jetstream().publish(subjects.sealed_deal(game_id(0)), b"sealed")
    log = await publish(log_writer, write(GAMES[:1]))
    await log_writer.jetstream().publish(subjects.sealed_deal(game_id(1)), b"sealed")
    await caught_up(scoring, log)


async def test_a_log_of_many_batches_is_counted_whole(scoring: Scoring, log_writer: Client) -> None:
    games = [Script(player=number % 9, acts=("move", "draw", "won"), points=number) for number in range(BATCH_MAX)]
    log = write(games, range(len(games)))
    assert len(log) > 2 * BATCH_MAX
    context = log_writer.jetstream()
    acks = [await context.publish_async(message.subject, message.payload) for message in log]
    await context.publish_async_completed()
    stored = [
        msgspec.structs.replace(message, sequence=(await ack).seq) for message, ack in zip(log, acks, strict=True)
    ]
    await caught_up(scoring, stored)


async def test_a_record_that_cannot_be_used_leaves_its_game_out_and_holds_up_no_other(
    scoring: Scoring, log_writer: Client
) -> None:
    log = write(GAMES, INTERLEAVED)
    writer = Writer(game_id(5), GAMES[5])
    writer.record(writer.started())
    newer = writer.record(writer.event("move"), schema=2)
    broken = next(index for index, message in enumerate(log) if message.subject == subjects.game_log(game_id(5)))
    log[broken + 7] = msgspec.structs.replace(log[broken + 7], payload=newer)
    log[1] = msgspec.structs.replace(log[1], payload=b"\x00" + log[1].payload[1:])
    with capture_logs() as lines:
        stored = await publish(log_writer, log)
        await caught_up(scoring, stored)
    said = [line for line in lines if line["event"].startswith("game left out")]
    assert [(line["game"], line["version"], line["sequence"]) for line in said] == [
        (game_id(1), 1, stored[1].sequence),
        (game_id(5), 2, stored[broken + 7].sequence),
    ]
    assert "newer" in said[1]["reason"]


async def test_a_restarted_instance_goes_on_at_its_cursor(
    connect_as: ConnectAs, redis_as: RedisAs, log: Log, log_writer: Client
) -> None:
    records = write(GAMES, INTERLEAVED)
    stored: list[LogMessage] = []
    for start in range(0, len(records), 5):
        async with instance(await connect_as("scoring"), await redis_as("scoring"), log) as one:
            stored += await publish(log_writer, records[start : start + 5])
            await caught_up(one, stored)


async def test_instances_that_race_and_die_count_each_record_once(
    connect_as: ConnectAs, redis_as: RedisAs, log: Log, log_writer: Client
) -> None:
    """Three at work, each killed and started again over and over while records come in."""
    games = [Script(player=number % 4, acts=("move", "undo", "draw", "won"), points=number) for number in range(60)]
    records = write(games, list(range(60)) * 5)
    stopping = asyncio.Event()

    async def mortal(life_ms: int) -> None:
        client, redis = await connect_as("scoring"), await redis_as("scoring")
        while not stopping.is_set():
            async with instance(client, redis, log):
                with suppress(TimeoutError):
                    await asyncio.wait_for(stopping.wait(), life_ms / 1000)

    mortals = [asyncio.create_task(mortal(life_ms)) for life_ms in (7, 13, 29)]
    stored = await publish(log_writer, records)
    stopping.set()
    await asyncio.gather(*mortals)
    async with instance(await connect_as("scoring"), await redis_as("scoring"), log) as last:
        await caught_up(last, stored)


async def test_each_reader_has_a_name_of_its_own_and_leaves_it_at_the_end(
    scoring: Scoring, log_writer: Client, connect_as: ConnectAs
) -> None:
    """The instance of the fixture has one; a reader that finds none free says so, and ends no other."""
    client = await connect_as("scoring")
    await caught_up(scoring, await publish(log_writer, write(GAMES[:1])))
    taken: list[str] = []
    async with AsyncExitStack() as open_readers:
        for _ in subjects.LOG_READERS[1:]:
            reader = await open_readers.enter_async_context(open_log(client, start=1))
            assert await reader.batch()
            taken.append(reader.name)
        with pytest.raises(LogLostError, match="all 8 readers are taken"):
            async with open_log(client, start=1):
                pass
    assert len({*taken}) == len(taken) == len(subjects.LOG_READERS) - 1
    async with open_log(client, start=1) as again:
        assert again.name in taken


async def test_a_rebuild_equals_what_was_counted_live(scoring: Scoring, log_writer: Client) -> None:
    stored = await publish(log_writer, write(GAMES, INTERLEAVED))
    await caught_up(scoring, stored)
    live = await scoring.store.position()
    counted = await scoring.dump()
    await scoring.projector.rebuild_now()
    rebuilt = await scoring.store.position()
    assert live is not None
    assert rebuilt is not None
    assert rebuilt.generation != live.generation
    assert await scoring.dump() == counted
    assert await dump(scoring.redis, live.generation) == {}
    stored += await publish(log_writer, write([Script()] * 8 + [Script(acts=("draw", "lost"))])[8:])
    await caught_up(scoring, stored)


async def test_lost_projections_are_rebuilt_byte_for_byte(
    scoring: Scoring, log_writer: Client, redis_as: RedisAs
) -> None:
    stored = await publish(log_writer, write(GAMES, INTERLEAVED))
    await caught_up(scoring, stored)
    await (await redis_as("default")).flushall()
    stored += await publish(log_writer, write([*GAMES, Script(acts=("draw", "lost"))])[-3:])
    await caught_up(scoring, stored)


async def test_projections_that_were_set_back_go_on_from_their_old_cursor(
    scoring: Scoring, log_writer: Client, redis_as: RedisAs
) -> None:
    operator = await redis_as("default")
    records = write(GAMES, INTERLEAVED)
    stored = await publish(log_writer, records[:9])
    await caught_up(scoring, stored)
    backup = {key: await operator.dump(key) async for key in operator.scan_iter()}
    stored += await publish(log_writer, records[9:])
    await caught_up(scoring, stored)
    async with operator.pipeline(transaction=True) as restoring:
        restoring.flushall()  # type: ignore[unused-awaitable] # queued
        for key, value in backup.items():
            assert isinstance(value, bytes)
            restoring.restore(key, 0, value)  # type: ignore[unused-awaitable] # queued
        await restoring.execute()
    stored += await publish(log_writer, write([*GAMES, Script(acts=("draw", "lost"))])[-3:])
    await caught_up(scoring, stored)


async def test_projections_of_an_older_release_are_rebuilt(
    scoring: Scoring, log_writer: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Such as one that did not know the schema of some records yet: their games count after the upgrade."""
    log = write(GAMES, INTERLEAVED)
    stored = await publish(log_writer, log)
    await caught_up(scoring, stored)
    old = await scoring.store.position()
    assert old is not None
    await scoring.redis.hset(subjects.faults_key(old.generation), game_id(0), b"left out by the old release")
    monkeypatch.setattr(projector, "FORMAT", (FORMAT[0], FORMAT[1] + 1))
    monkeypatch.setattr(store, "FORMAT", (FORMAT[0], FORMAT[1] + 1))
    await scoring.projector.follow()
    new = await scoring.store.position()
    assert new is not None
    assert format_of(new.generation) > format_of(old.generation)
    assert await scoring.dump() == folded_dump(stored)


async def test_projections_of_a_newer_release_are_left_alone(
    connect_as: ConnectAs, redis_as: RedisAs, log: Log, log_writer: Client
) -> None:
    """While releases are exchanged one by one, the old one only answers."""
    redis = await redis_as("scoring")
    newer = f"{FORMAT[0]}.{FORMAT[1] + 1}-1"
    await redis.set(subjects.SCORING_LIVE_KEY, newer)
    await publish(log_writer, write(GAMES))
    with capture_logs() as lines:
        async with instance(await connect_as("scoring"), redis, log):

            async def said() -> bool:
                return any("newer release" in line["event"] for line in lines)

            await eventually(said, "the line that says so")
    assert await dump(redis, newer) == {}
    assert await redis.get(subjects.SCORING_LIVE_KEY) == newer.encode()


@pytest.mark.parametrize("kept", [0, 5])
async def test_a_log_that_ends_before_the_cursor_is_said_loudly_and_counted_anew(
    scoring: Scoring, log_writer: Client, kept: int
) -> None:
    records = write(GAMES, INTERLEAVED)
    await caught_up(scoring, await publish(log_writer, records))
    with capture_logs() as lines:
        await log_writer.jetstream().delete_stream(subjects.EVENT_STREAM)
        await ensure_streams(log_writer.jetstream())
        older = await publish(log_writer, records[:kept])

        async def rebuilt() -> bool:
            return await scoring.dump() == folded_dump(older)

        await eventually(rebuilt, "the projections of the older log")
    assert any(line["log_level"] == "error" and "shorter, or another log" in line["event"] for line in lines)
    await caught_up(scoring, older + await publish(log_writer, records[kept:]))


async def test_another_log_of_the_same_length_is_noticed(scoring: Scoring, log_writer: Client) -> None:
    await caught_up(scoring, await publish(log_writer, write(GAMES, INTERLEAVED)))
    await log_writer.jetstream().delete_stream(subjects.EVENT_STREAM)
    await ensure_streams(log_writer.jetstream())
    other = [replace(game, player=1) for game in GAMES]
    await caught_up(scoring, await publish(log_writer, write(other, INTERLEAVED)))


@pytest.mark.parametrize("lost", ["nats", "redis", "both"])
async def test_a_lost_server_is_waited_for_and_nothing_is_lost_or_doubled(
    scoring: Scoring, log_writer: Client, servers: Servers, lost: str
) -> None:
    records = write(GAMES, INTERLEAVED)
    stored = await publish(log_writer, records[:9])
    await caught_up(scoring, stored)
    with capture_logs() as lines:
        if lost in {"redis", "both"}:
            servers.kill_redis()
        if lost in {"nats", "both"}:
            servers.kill_nats()

        async def said() -> bool:
            return any(line["event"].startswith("waiting, then") for line in lines)

        if lost == "redis":
            stored += await publish(log_writer, records[9:12])
        await eventually(said, "a line that says what is waited for")
        if lost in {"redis", "both"}:
            servers.start_redis()
        if lost in {"nats", "both"}:
            servers.start_nats()

    async def connected() -> bool:
        return log_writer.is_connected

    await eventually(connected, "the connection of the writer")
    await caught_up(scoring, stored + await publish(log_writer, records[len(stored) :]))


Ask = Callable[[str, Input], Awaitable[StatisticsAnswer]]


@pytest.fixture
async def ask(scoring: Scoring, connect_as: ConnectAs) -> AsyncIterator[Ask]:
    """Ask the way the gateway does."""
    responder = await serve(
        scoring.client,
        name="scoring",
        version="1.0.0",
        description="under test",
        endpoints=Queries(scoring.redis).endpoints(),
        refusal=refusal,
    )
    gateway = await connect_as("gateway")

    async def one(subject: str, request: Input) -> StatisticsAnswer:
        reply = await gateway.request(subject, encode(request), timeout=PATIENCE_SECONDS)
        return msgspec.msgpack.decode(reply.data, type=StatisticsAnswer)

    yield one
    await responder.stop()


async def test_a_player_gets_the_statistics_of_each_kind_of_game(
    scoring: Scoring, log_writer: Client, ask: Ask
) -> None:
    await caught_up(scoring, await publish(log_writer, write(GAMES, INTERLEAVED)))
    answer = await ask(subjects.STATISTICS, FetchStatistics(player=player_id(2)))
    assert isinstance(answer, PlayerStatistics)
    assert [(row.variant, row.assisted, row.games, row.wins, row.best_points) for row in answer.rows] == [
        ("draw1", False, 1, 1, 500),
        ("draw1", True, 1, 1, 700),
    ]
    nobody = await ask(subjects.STATISTICS, FetchStatistics(player=player_id(77)))
    assert nobody == PlayerStatistics(player=player_id(77), rows=())


async def test_a_ranking_holds_unassisted_wins_on_secret_deals_of_its_own_variant(
    scoring: Scoring, log_writer: Client, ask: Ask
) -> None:
    await caught_up(scoring, await publish(log_writer, write(GAMES, INTERLEAVED)))
    draw1 = await ask(subjects.RANKING, FetchRanking(variant="draw1", scoring="standard", player=player_id(1), limit=1))
    assert isinstance(draw1, Ranking)
    assert [(row.place, row.player, row.points, row.play_ms) for row in draw1.rows] == [(1, player_id(2), 500, 80_000)]
    assert draw1.own is not None
    assert (draw1.own.place, draw1.own.points, draw1.own.play_ms) == (2, 500, 90_000)
    draw3 = await ask(subjects.RANKING, FetchRanking(variant="draw3", scoring="standard", player=player_id(1)))
    assert isinstance(draw3, Ranking)
    assert [(row.player, row.points) for row in draw3.rows] == [(player_id(3), 650)]
    assert draw3.own is None


async def test_win_loss_ranks_by_the_number_of_wins(scoring: Scoring, log_writer: Client, ask: Ask) -> None:
    won = Script(scoring="win-loss", acts=("move", "won"), points=1, play_ms=5)
    games = [won, won, replace(won, player=2)]
    await caught_up(scoring, await publish(log_writer, write(games)))
    answer = await ask(subjects.RANKING, FetchRanking(variant="draw1", scoring="win-loss"))
    assert isinstance(answer, Ranking)
    assert [(row.place, row.player, row.points) for row in answer.rows] == [(1, player_id(1), 2), (2, player_id(2), 1)]


async def test_a_player_gets_the_running_games_newest_first(scoring: Scoring, log_writer: Client, ask: Ask) -> None:
    games = [Script(), Script(variant="draw3", acts=("draw",)), Script(acts=("move", "won")), Script(player=2)]
    await caught_up(scoring, await publish(log_writer, write(games)))
    answer = await ask(subjects.PLAYER_GAMES, FetchGames(player=player_id(1)))
    assert isinstance(answer, PlayerGames)
    assert {(game.game, game.variant, game.version) for game in answer.games} == {
        (game_id(0), "draw1", 1),
        (game_id(1), "draw3", 2),
    }


async def test_a_player_gets_the_games_that_are_over_the_last_to_end_first(
    scoring: Scoring, log_writer: Client, ask: Ask
) -> None:
    longer = [_resigned_after(length) for length in range(1, 4)]
    others = [Script(), Script(acts=("resigned",)), Script(player=2, acts=("draw", "lost"))]
    await caught_up(scoring, await publish(log_writer, write([*longer, *others])))
    answer = await ask(subjects.PLAYER_GAMES, FetchGames(player=player_id(1), over=True))
    assert isinstance(answer, PlayerGames)
    assert [(one.game, one.version, one.end and one.end.result) for one in answer.games] == [
        (game_id(number), number + 2, "resigned") for number in (2, 1, 0)
    ]


@pytest.mark.parametrize(
    ("variant", "scoring_mode", "code", "field", "named"),
    [
        ("draw9", "standard", "unknown-variant", "variant", "draw3"),
        ("draw1", "points", "unknown-scoring", "scoring", "win-loss"),
        ("vegas", "standard", "scoring-not-offered", "scoring", "vegas"),
    ],
)
async def test_an_unknown_name_is_refused_with_its_field_and_the_known_ones(
    ask: Ask, variant: str, scoring_mode: str, code: str, field: str, named: str
) -> None:
    answer = await ask(subjects.RANKING, FetchRanking(variant=variant, scoring=scoring_mode))
    assert isinstance(answer, RequestRefused)
    assert (answer.error.code, answer.error.field) == (code, field)
    assert named in answer.error.fix


async def test_a_request_that_is_not_its_schema_is_refused_with_the_field(ask: Ask) -> None:
    answer = await ask(subjects.STATISTICS, FetchStatistics(player=game_id(0)[:5]))  # type: ignore[arg-type] # bad on purpose
    assert isinstance(answer, RequestRefused)
    assert (answer.error.code, answer.error.field) == ("bad-request", "$.player")


def _resigned_after(moves: int, player: int = 1) -> Script:
    made: list[Act] = ["move"] * moves
    return Script(player=player, acts=(*made, "resigned"))
