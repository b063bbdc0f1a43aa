"""Who reads a game does not notice that it was archived; damage of the archive is named, and the rest can be read."""

import asyncio
import json
import random
from collections.abc import Awaitable, Callable

import msgspec
import pytest
from click.testing import CliRunner, Result
from nats.aio.client import Client

from services.cli.audit import audit
from shared import subjects
from shared.bus.requests import Requests, Unanswered
from shared.logs import Log
from shared.messages.answers import FetchAnswer, Fetched, Refused
from shared.messages.archive import Place
from shared.messages.base import GameId
from shared.messages.codec import encode
from shared.messages.commands import FetchGame
from tests.archives import ENDED, RUNNING, Bench, bench
from tests.conftest import ConnectAs, RedisAs
from tests.integration.game_state import game_state
from tests.servers import Servers
from tests.tampering import PLAYER, Copy

GAME, OTHER = ENDED[0], ENDED[1]


@pytest.fixture
async def at(connect_as: ConnectAs, redis_as: RedisAs) -> Bench:
    """With the heads of all games, and the snapshot of the first, whose messages come first in the stream."""
    opened = await bench(connect_as)
    redis = await redis_as("default")
    for copy in (*ENDED, RUNNING):
        assert copy.head is not None
        await redis.hset(subjects.snapshot_key(copy.game), "head", copy.head)
    assert GAME.snapshot is not None
    await redis.hset(subjects.snapshot_key(GAME.game), "snapshot", GAME.snapshot)
    await opened.store([GAME])
    await opened.store((*ENDED[1:], RUNNING))
    return opened


async def told(asker: Client, game: GameId) -> Fetched | Refused:
    """What game-state says of a game, with all steps, as soon as it is there."""
    requests = Requests(asker, random.random)
    answer = await requests.ask(
        subjects.view(game),
        encode(FetchGame(game=game, player=PLAYER, since=0)),
        decode=msgspec.msgpack.Decoder(FetchAnswer).decode,
        settled=lambda _: True,
        correlation=None,
        attempt_seconds=5,
        deadline_seconds=10,
    )
    assert not isinstance(answer, Unanswered)
    return answer


async def audited(servers: Servers, copy: Copy, *flags: str) -> Result:
    addresses = ("--nats", servers.nats_url("auditor"), "--redis", servers.redis_url("auditor"))
    result = await asyncio.to_thread(CliRunner().invoke, audit, [copy.game, *addresses, "--no-verdict", *flags])
    assert isinstance(result.exception, SystemExit | None), result.exception
    return result


async def test_an_audit_says_the_same_of_an_archived_game_but_where_it_was(at: Bench, servers: Servers) -> None:
    before = {copy.game: json.loads((await audited(servers, copy, "--json")).stdout) for copy in (*ENDED, RUNNING)}
    await at.run()
    for copy in ENDED:
        result = await audited(servers, copy, "--json")
        assert result.exit_code == 0, result.output
        report = json.loads(result.stdout)
        (note,) = report.pop("notes")
        assert "archive" in note
        before[copy.game].pop("notes")
        assert report == before[copy.game]
    running = json.loads((await audited(servers, RUNNING, "--json")).stdout)
    assert running == before[RUNNING.game], "what left is not taken for lost"


async def test_a_game_that_was_not_archived_and_never_played_is_unknown_as_before(at: Bench, servers: Servers) -> None:
    await at.run()
    result = await audited(servers, Copy(GameId("a" * 26), (), None, None))
    assert (result.exit_code, "there is no game" in result.stderr) == (2, True)


@pytest.mark.parametrize("snapshots", [True, False], ids=["with snapshots", "without Redis"])
async def test_game_state_shows_an_archived_game_and_all_its_steps_as_before(
    snapshots: bool, at: Bench, connect_as: ConnectAs, redis_as: RedisAs, log: Log
) -> None:
    client, redis = await connect_as("game-state"), await redis_as("game-state")
    asker = await connect_as("gateway")
    async with game_state(client, redis, log):
        before = [await told(asker, copy.game) for copy in ENDED]
    await at.run()
    if not snapshots:
        await (await redis_as("default")).flushall()
    async with game_state(await connect_as("game-state"), redis, log):
        after = [await told(asker, copy.game) for copy in ENDED]
    assert after == before
    assert all(isinstance(one, Fetched) and one.steps for one in after)


Damage = Callable[[Bench, Place], Awaitable[None]]


async def altered(at: Bench, place: Place) -> None:
    whole = bytearray(await at.archive.segment(place.segment))
    whole[place.entry.offset + place.entry.length // 2] ^= 1
    await at.archivist.publish(subjects.archive_chunk(place.segment.name, 0), bytes(whole))


async def truncated(at: Bench, place: Place) -> None:
    whole = await at.archive.segment(place.segment)
    cut = whole[: place.entry.offset + 5]
    await at.archivist.publish(subjects.archive_chunk(place.segment.name, 0), cut)


async def missing(at: Bench, place: Place) -> None:
    chunk = subjects.archive_chunk(place.segment.name, 0)
    await at.archivist.jetstream().purge_stream(subjects.ARCHIVE_STREAM, subject=chunk)


async def from_the_future(at: Bench, place: Place) -> None:
    newer = msgspec.structs.replace(place, segment=msgspec.structs.replace(place.segment, format=2))
    await at.archivist.publish(subjects.archived_game(place.entry.game), encode(newer))


async def place_from_the_future(at: Bench, place: Place) -> None:
    newer = encode(msgspec.structs.replace(place, schema=2))
    await at.archivist.publish(subjects.archived_game(place.entry.game), newer)


async def place_of_another(at: Bench, place: Place) -> None:
    other = await at.archive.newest_place(OTHER.game)
    assert other is not None
    await at.archivist.publish(subjects.archived_game(place.entry.game), other.data)


async def nonsense(at: Bench, place: Place) -> None:
    await at.archivist.publish(subjects.archived_game(place.entry.game), b"\xc1nonsense")


DAMAGES: dict[str, tuple[Damage, str, bool]] = {
    "altered": (altered, "its bytes are not what was written", True),
    "truncated": (truncated, "it is cut off", False),
    "missing": (missing, "are missing", False),
    "of a future format": (from_the_future, "format 2, newer than 1", True),
    "a place of a future schema": (place_from_the_future, "schema 2, newer than 1", True),
    "the place of another game": (place_of_another, "kept as that of game", True),
    "a place that is nonsense": (nonsense, "cannot be decoded", True),
}
"""What is done, what is said, and whether another game of the same segment can be read all the same."""


@pytest.mark.parametrize("kind", DAMAGES)
async def test_damage_is_named_and_ends_nothing_else(
    kind: str, at: Bench, servers: Servers, connect_as: ConnectAs, redis_as: RedisAs, log: Log
) -> None:
    await at.run()
    place = await at.archive.place(GAME.game)
    assert place is not None
    damage, said, other_is_whole = DAMAGES[kind]
    await damage(at, place)
    await at.archivist.flush()
    result = await audited(servers, GAME)
    assert result.exit_code == 1, result.output
    assert said in result.stderr
    assert f"archive of game {GAME.game}" in result.stderr
    assert ((await audited(servers, OTHER)).exit_code == 0) == other_is_whole
    assert (await audited(servers, RUNNING)).exit_code == 0
    async with game_state(await connect_as("game-state"), await redis_as("game-state"), log):
        refused = await told(await connect_as("gateway"), GAME.game)
        assert isinstance(refused, Refused)
        assert refused.error.code == "broken-game"
