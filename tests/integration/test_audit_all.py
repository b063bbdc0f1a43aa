"""`klondike audit --all` on real servers: every game, statistics and rankings, also while games go on."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import suppress
from itertools import islice
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner, Result
from nats.aio.client import Client

from services.cli.audit import audit
from services.cli.auditing.whole.summary import Summary
from services.cli.benching.written import Template, messages, played, write
from services.scoring.rows import PlayerRow
from shared import subjects
from shared.bus.redis_connection import Redis
from shared.logs import Log
from shared.messages.codec import HASH_BYTES, encode
from tests.archives import ENDED, RUNNING, bench
from tests.conftest import ConnectAs, RedisAs
from tests.integration.scoring import Scoring, eventually, instance
from tests.servers import Servers
from tests.tampering import flipped

GAMES = 40
TEMPLATES: tuple[Template, ...] = tuple(played(seed, 12) for seed in range(8))
WRITTEN = list(messages(GAMES, TEMPLATES))


def run(servers: Servers, *flags: str) -> Result:
    addresses = ("--nats", servers.nats_url("auditor"), "--redis", servers.redis_url("auditor"))
    return CliRunner().invoke(audit, ["--all", "--jobs", "2", *addresses, *flags])


async def audited(servers: Servers, *flags: str) -> Summary:
    result = await asyncio.to_thread(run, servers, "--json", *flags)
    assert isinstance(result.exception, SystemExit | None), result.exception
    assert result.exit_code in {0, 1}, result.output
    # A scoring of the same process may write a line of its log before.
    return msgspec.json.decode(result.stdout[result.stdout.index("{\n") :], type=Summary)


@pytest.fixture
async def redis(redis_as: RedisAs) -> Redis:
    return await redis_as("default")


@pytest.fixture
async def scoring(log_writer: Client, connect_as: ConnectAs, redis: Redis, log: Log) -> AsyncIterator[Scoring]:
    async with instance(await connect_as("scoring"), redis, log) as one:
        yield one


async def counted(scoring: Scoring, sequence: int) -> None:
    async def done() -> bool:
        position = await scoring.store.position()
        return position is not None and position.cursor.sequence == sequence

    await eventually(done, "the records to be counted")


async def test_a_log_as_it_was_written_is_clean_with_its_statistics(
    servers: Servers, log_writer: Client, scoring: Scoring, tmp_path: Path
) -> None:
    await counted(scoring, await write(log_writer, WRITTEN))
    found = await audited(servers, "--html", str(tmp_path / "report.html"))
    assert (found.clean, found.faults) == (True, ())
    assert (found.games, found.records) == (GAMES, len(WRITTEN) - GAMES)
    assert found.statuses == {"resigned": GAMES}
    assert found.statistics is not None
    assert (found.statistics.players, found.statistics.through) == (GAMES // 8, len(WRITTEN))
    page = (tmp_path / "report.html").read_text()
    assert "clean: " in page
    assert "http" not in page, "it needs nothing else"


async def forged_sums(scoring: Scoring, redis: Redis) -> str:
    """A player whose sums, and whose place in a ranking, no game gives."""
    position = await scoring.store.position()
    assert position is not None
    key = subjects.players_key(position.generation)
    stored = msgspec.convert(await redis.hgetall(key), dict[bytes, bytes])
    richer = max(stored)
    first, *rest = msgspec.msgpack.decode(stored[richer], type=PlayerRow).statistics
    row = PlayerRow(statistics=(msgspec.structs.replace(first, points=first.points + 1), *rest))
    await redis.hset(key, richer, encode(row))
    await redis.zadd(subjects.ranking_key(position.generation, "all", "draw1", "standard"), {richer.decode(): 5})
    return richer.decode()


async def test_every_fault_is_named_and_the_rest_is_audited(
    servers: Servers, log_writer: Client, scoring: Scoring, redis: Redis, tmp_path: Path
) -> None:
    """A byte of a record, a record that is missing, a head beyond the log, sums and a ranking that no game gives."""
    games = list(dict.fromkeys(subjects.game_of(subject) for subject, _ in WRITTEN))
    changed, shortened, headed = games[3], games[17], games[30]
    stored = list(WRITTEN)
    place = [at for at, (subject, _) in enumerate(stored) if subject == subjects.game_log(changed)][4]
    stored[place] = (stored[place][0], flipped(stored[place][1], HASH_BYTES + 60))
    gone = [at for at, (subject, _) in enumerate(stored) if subject == subjects.game_log(shortened)][2]
    del stored[gone]
    await counted(scoring, await write(log_writer, stored))
    await redis.hset(subjects.snapshot_key(headed), "head", encode((99, bytes(32))))
    richer = await forged_sums(scoring, redis)
    found = await audited(servers, "--html", str(tmp_path / "report.html"))
    assert not found.clean
    assert found.games == GAMES
    by_game = {fault.game: fault.finding for fault in reversed(found.faults) if fault.game}
    assert set(by_game) == {changed, shortened, headed}
    assert (by_game[changed].version, by_game[changed].place) == (5, "record")
    assert by_game[changed].sequence == place + 1 - (gone < place)
    assert (by_game[shortened].version, "version 4 follows version 2" in by_game[shortened].what) == (4, True)
    assert (by_game[headed].place, by_game[headed].version) == ("head", 99)
    beside = {fault.finding.what for fault in found.faults if fault.game is None}
    assert any(f"the row of sums of player {richer} is not what the log gives" in what for what in beside)
    assert any("in the ranking draw1 standard (all) follows from no game" in what for what in beside)
    page = (tmp_path / "report.html").read_text()
    assert all(game in page for game in by_game)
    assert page.count("<tr>") == len(found.faults) + 1


async def test_an_audit_goes_on_where_it_was_interrupted(
    servers: Servers, log_writer: Client, redis: Redis, tmp_path: Path
) -> None:
    """Half of the games are marked as not done: they are audited, the others are not looked at again."""
    await write(log_writer, WRITTEN)
    state = tmp_path / "state"
    first = await audited(servers, "--state", str(state))
    with sqlite3.connect(state) as file:
        file.execute("update games set done = 0 where game < 'i'")
        file.execute("delete from counted where 1")
        file.execute("update games set status = 'kept' where done")
        left = file.execute("select count(*) from games where not done").fetchone()[0]
    file.close()
    second = await audited(servers, "--state", str(state))
    assert first.clean
    assert second.clean
    assert 0 < left < GAMES
    assert second.statuses == {"kept": GAMES - left, "resigned": left}


async def test_games_that_go_on_meanwhile_are_no_fault(
    servers: Servers, log_writer: Client, scoring: Scoring, redis: Redis
) -> None:
    """Records are written, and counted, all through the audit."""
    first = len(WRITTEN) // 2
    await write(log_writer, islice(WRITTEN, first))

    async def play_on() -> None:
        for message in WRITTEN[first:]:
            await write(log_writer, [message])
            await asyncio.sleep(0.005)

    playing = asyncio.create_task(play_on())
    try:
        for _ in range(2):
            found = await audited(servers)
            assert found.faults == ()
    finally:
        playing.cancel()
        with suppress(asyncio.CancelledError):
            await playing


@pytest.mark.parametrize(
    ("flags", "why"),
    [
        (("--boards",), "--all takes no"),
        (("--state", "/nowhere/state"), "cannot be used as --state"),
        (("--html", "/nowhere/page.html"), "cannot be written"),
    ],
)
async def test_bad_options_are_named(servers: Servers, log_writer: Client, flags: tuple[str, ...], why: str) -> None:
    result = await asyncio.to_thread(run, servers, *flags)
    assert (result.exit_code, why in result.output) == (2, True), result.output


async def test_a_state_of_another_log_or_another_kind_of_file_is_refused(
    servers: Servers, log_writer: Client, tmp_path: Path
) -> None:
    await write(log_writer, WRITTEN[:10])
    state = tmp_path / "state"
    await audited(servers, "--state", str(state))
    await log_writer.jetstream().delete_stream(subjects.EVENT_STREAM)
    refused = await asyncio.to_thread(run, servers, "--state", str(state))
    assert (refused.exit_code, "holds no games" in refused.output) == (2, True), refused.output
    strange = tmp_path / "strange"
    strange.write_text("no database")
    with sqlite3.connect(tmp_path / "other") as file:
        file.execute("create table games (id)")
    file.close()
    for path in (strange, tmp_path / "other"):
        refused = await asyncio.to_thread(run, servers, "--state", str(path))
        assert (refused.exit_code, "Traceback" in refused.output) == (2, False), refused.output


async def test_archived_games_are_audited_with_the_rest_and_damage_of_the_archive_is_named(
    servers: Servers, connect_as: ConnectAs
) -> None:
    at = await bench(connect_as)
    await at.store((*ENDED, RUNNING))
    before = await audited(servers)
    await at.run()
    after = await audited(servers)
    assert (before.faults, after.faults) == ((), ())
    assert (after.games, after.records, after.statuses) == (before.games, before.records, before.statuses)
    (listed,) = await at.manifests()
    place = await at.archive.place(listed.manifest.games[1].game)
    assert place is not None
    whole = bytearray(await at.archive.segment(place.segment))
    whole[place.entry.offset + place.entry.length // 2] ^= 1
    await at.archivist.publish(subjects.archive_chunk(place.segment.name, 0), bytes(whole))
    await at.archivist.flush()
    damaged = await audited(servers)
    assert damaged.games == before.games
    assert {fault.game for fault in damaged.faults} == {place.entry.game}
    assert damaged.faults[0].finding.place == "archive"
