"""A player who is forgotten is in no statistics, ranking or list, now and after any rebuild; games stay as they are."""

import random
from collections.abc import Awaitable, Callable

import msgspec
import pytest
from nats.aio.client import Client

from services.scoring.forgetting import Forgetting
from services.scoring.profiles import Profiles
from services.scoring.queries import unread
from services.scoring.reading import LogMessage
from shared import clock, subjects
from shared.logs import Log
from shared.messages.answers import ForgetPlayer, Forgotten, RequestRefused
from shared.messages.base import PlayerId
from tests.conftest import ConnectAs, RedisAs
from tests.integration.scoring import GAMES, INTERLEAVED, Scoring, eventually, instance, publish
from tests.scoring_dumps import Dump, folded_dump
from tests.scoring_logs import Script, game_id, player_id, write

FORGOTTEN = player_id(2)
ALL = (*GAMES, Script(player=2, acts=("move", "draw")), Script(player=2, acts=("move", "won")))
Forget = Callable[[PlayerId], Awaitable[Forgotten | RequestRefused]]


@pytest.fixture
async def forget(scoring: Scoring) -> Forget:
    profiles = Profiles(scoring.client, scoring.redis, random.random, clock.random_bytes, clock.now_ms)
    forgetting = Forgetting(scoring.client, scoring.redis, profiles, random.random, clock.now_ms)
    assert forgetting.endpoint(unread).subject == subjects.FORGETTING

    async def one(player: PlayerId) -> Forgotten | RequestRefused:
        return await forgetting.forget(ForgetPlayer(player=player))

    return one


async def counted(one: Scoring, sequence: int) -> Dump:
    async def done() -> bool:
        position = await one.store.position()
        return position is not None and position.cursor.sequence >= sequence

    await eventually(done, "the end of the log")
    return await one.dump()


def without_forgotten(log: list[LogMessage]) -> Dump:
    """What is counted of a log in which the player had never been."""
    games = {subjects.game_log(game_id(number)) for number, game in enumerate(ALL) if game.player == 2}
    return folded_dump([message for message in log if message.subject not in games])


async def test_a_forgotten_player_is_nowhere_and_everybody_else_as_before(
    scoring: Scoring, log_writer: Client, forget: Forget, connect_as: ConnectAs, redis_as: RedisAs, log: Log
) -> None:
    """At once, when more records come, after a rebuild, and after Redis was lost."""
    records = write(ALL, INTERLEAVED)
    stored = await publish(log_writer, records[:-2])
    before = await counted(scoring, stored[-1].sequence)
    assert FORGOTTEN in repr(before)
    logs = {subjects.game_log(game_id(number)) for number, game in enumerate(ALL) if game.player == 2}
    own = len(logs & {message.subject for message in stored})
    assert await forget(FORGOTTEN) == Forgotten(player=FORGOTTEN, games=own)
    assert await forget(FORGOTTEN) == Forgotten(player=FORGOTTEN, games=0, before=True), "it may be repeated"
    assert FORGOTTEN not in repr(await scoring.dump())
    stored += await publish(log_writer, records[-2:])
    expected = without_forgotten(stored) | {"cursor": None}
    assert await counted(scoring, stored[-1].sequence) | {"cursor": None} == expected
    assert await scoring.projector.rebuild("a test wants it")
    assert await counted(scoring, stored[-1].sequence) | {"cursor": None} == expected
    await (await redis_as("default")).flushall()
    async with instance(await connect_as("scoring"), await redis_as("scoring"), log) as another:
        assert await counted(another, stored[-1].sequence) | {"cursor": None} == expected


async def test_what_is_kept_is_the_id_and_when(forget: Forget, log_writer: Client) -> None:
    await forget(FORGOTTEN)
    found = await log_writer.jetstream().get_last_msg(subjects.FORGOTTEN_STREAM, subjects.forgotten(FORGOTTEN))
    assert found.data is not None
    assert set(msgspec.msgpack.decode(found.data)) == {"type", "schema", "player", "at"}


async def test_who_was_never_there_can_be_forgotten(forget: Forget, scoring: Scoring, log_writer: Client) -> None:
    await log_writer.flush()
    before = await scoring.dump()
    assert await forget(player_id(77)) == Forgotten(player=player_id(77), games=0)
    assert await scoring.dump() == before
