"""Statistics when games have left the log: the same, whenever and in whatever state they are made."""

import random
from collections.abc import Sequence

import pytest
from nats.aio.client import Client
from structlog.testing import capture_logs

from services.archivist import archivist as archiving
from services.archivist import segments
from services.scoring.reading import LogMessage
from shared import subjects
from shared.logs import Log
from shared.messages.archive import Message, UnfitGameError
from shared.messages.base import GameId
from shared.messages.codec import open_record
from shared.messages.events import Record
from tests.archives import Bench, bench
from tests.conftest import ConnectAs, RedisAs
from tests.integration.scoring import caught_up, eventually, instance, publish
from tests.scoring_logs import Act, Script, Writer, game_id, message

RESULTS: tuple[Act, ...] = ("won", "won", "lost", "won", "won", "won", "resigned", "lost", "lost", "won")
SCRIPTS = tuple(
    Script(player=number % 3, acts=("move", "draw", result), points=number * 10, moves=2, play_ms=1000 - number)
    for number, result in enumerate(RESULTS * 3)
)
RUNNING = Script(player=1, acts=("move", "draw"))


Leaving = set[GameId]


@pytest.fixture
def staying(monkeypatch: pytest.MonkeyPatch) -> Leaving:
    """Games that the archivist leaves where they are. The games have no real deal, so it believes the others."""
    games: Leaving = set()

    def believed(game: GameId, _deal: Message, records: Sequence[Message]) -> Record:
        if game in games:
            raise UnfitGameError("a test wants it to stay")
        return open_record(records[-1].data)[0]

    monkeypatch.setattr(archiving, "last_record", believed)
    return games


@pytest.fixture
async def at(connect_as: ConnectAs, staying: Leaving) -> Bench:
    assert not staying
    return await bench(connect_as)


async def stored(at: Bench, scripts: Sequence[Script], first: int = 0) -> list[LogMessage]:
    """Games in the log, record by record in turn, each with what stands for its sealed deal."""
    games = {game_id(number): script for number, script in enumerate(scripts, start=first)}
    for game in games:
        await at.owner.jetstream().publish(subjects.sealed_deal(game), b"sealed deal")
    waiting = {game: list(Writer(game, script).records()) for game, script in games.items()}
    turns = [game for game, records in waiting.items() for _ in records]
    random.Random(7).shuffle(turns)
    return await publish(at.owner, [message(1, game, waiting[game].pop(0)) for game in turns])


async def rebuilt_by(client: Client, redis_as: RedisAs, log: Log, records: Sequence[LogMessage]) -> None:
    """All projections are lost, and made anew."""
    await (await redis_as("default")).flushall()
    async with instance(client, await redis_as("scoring"), log) as one:
        await caught_up(one, records)


async def test_statistics_that_are_rebuilt_from_archive_and_log_are_those_of_the_whole_log(
    at: Bench, staying: Leaving, connect_as: ConnectAs, redis_as: RedisAs, log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Byte for byte, streaks too: with segments whose ends overlap, and games that ended in between and stayed."""
    monkeypatch.setattr(segments, "SEGMENT_GAMES_MAX", 4)
    records = await stored(at, [*SCRIPTS, RUNNING])
    client = await connect_as("scoring")
    for stay in (range(1, len(SCRIPTS), 2), range(3, len(SCRIPTS), 7)):
        staying.clear()
        staying.update(map(game_id, stay))
        await at.run()
        await rebuilt_by(client, redis_as, log, records)
    assert len(await at.manifests()) > 6
    left = {message.subject for message in records if await at.live.read(message.subject)}
    assert left == {subjects.game_log(game_id(number)) for number in (3, 17, len(SCRIPTS))}
    records += await stored(at, [Script(player=1, acts=("move", "won"), points=5)], first=100)
    await rebuilt_by(client, redis_as, log, records)


@pytest.mark.parametrize("number", [4, 5, 6, 7, 10, 25])
async def test_a_game_whose_way_to_the_archive_was_cut_short_counts_once(
    number: int, at: Bench, connect_as: ConnectAs, redis_as: RedisAs, log: Log
) -> None:
    records = await stored(at, SCRIPTS)
    assert len(await at.run(dies_at=number)) == number
    await rebuilt_by(await connect_as("scoring"), redis_as, log, records)


async def test_scoring_goes_on_when_the_record_at_its_cursor_has_left(
    at: Bench, connect_as: ConnectAs, redis_as: RedisAs, log: Log
) -> None:
    """Nothing is rebuilt: that the log does not begin where it was left is no sign of another log."""
    client, redis = await connect_as("scoring"), await redis_as("scoring")
    records = await stored(at, SCRIPTS[:3])
    async with instance(client, redis, log) as one:
        await caught_up(one, records)
    assert (await at.outcome()).games == 3
    assert await at.live_messages() == 0
    with capture_logs() as lines:
        async with instance(client, redis, log) as one:
            records += await stored(at, [RUNNING], first=3)
            await caught_up(one, records)
    assert [line["event"] for line in lines if "rebuil" in line["event"] or line["log_level"] == "error"] == []


async def test_records_that_left_before_they_were_counted_are_counted_all_the_same(
    at: Bench, connect_as: ConnectAs, redis_as: RedisAs, log: Log
) -> None:
    client, redis = await connect_as("scoring"), await redis_as("scoring")
    records = await stored(at, [RUNNING])
    async with instance(client, redis, log) as one:
        await caught_up(one, records)
    records += await stored(at, SCRIPTS, first=1)
    await at.outcome()
    async with instance(client, redis, log) as one:
        await caught_up(one, records)


async def test_a_damaged_game_of_the_archive_is_left_out_with_its_reason_and_the_rest_is_counted(
    at: Bench, connect_as: ConnectAs, redis_as: RedisAs, log: Log
) -> None:
    await stored(at, SCRIPTS)
    await at.outcome()
    (listed,) = await at.manifests()
    entry = listed.manifest.games[4]
    chunk = subjects.archive_chunk(listed.manifest.segment.name, 0)
    whole = bytearray(await at.archive.segment(listed.manifest.segment))
    whole[entry.offset + 20] ^= 1
    await at.archivist.jetstream().publish(chunk, bytes(whole))
    await (await redis_as("default")).flushall()
    with capture_logs() as lines:
        async with instance(await connect_as("scoring"), await redis_as("scoring"), log) as one:

            async def counted() -> bool:
                return await one.store.position() is not None

            await eventually(counted, "statistics")
            found = await one.dump()
    left_out = [line for line in lines if line["event"].startswith("game left out")]
    assert [line["game"] for line in left_out] == [entry.game]
    assert f"game {entry.game}, versions 1 to {entry.versions}, offset {entry.offset}" in left_out[0]["reason"]
    over = found["over"]
    assert isinstance(over, dict)
    assert len(over) == len(SCRIPTS) - 1
