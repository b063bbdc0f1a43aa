"""Projections in a real Redis: every record exactly once, whatever happens between any two steps."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from services.scoring.reading import LogMessage, read
from services.scoring.rows import Cursor
from services.scoring.store import MovedError, Position, Store
from shared import subjects
from shared.bus.redis_connection import Redis
from tests.conftest import RedisAs
from tests.scoring_dumps import dump, folded_dump, keys_of
from tests.scoring_logs import Script, logs, write

STEPS_MAX = 400
"""More turns of the event loop than one update takes."""


@dataclass(frozen=True)
class Turn:
    """What an instance does next: look where it is, dawdle, apply a batch, and perhaps die over it."""

    size: int
    dawdle: int
    dies_after: int | None


TURNS = st.builds(
    Turn,
    size=st.integers(1, 10),
    dawdle=st.integers(0, STEPS_MAX),
    dies_after=st.none() | st.integers(0, STEPS_MAX),
)


async def live_store(redis: Redis) -> tuple[Store, str]:
    """A store with a fresh generation that is live."""
    store = Store(redis)
    position = await store.begin()
    await store.switch(position)
    return store, position.generation


def after(cursor: Cursor, log: Sequence[LogMessage], size: int) -> list[LogMessage]:
    return [message for message in log if message.sequence > cursor.sequence][:size]


async def pass_turns(count: int) -> None:
    for _ in range(count):
        await asyncio.sleep(0)


async def apply_next(store: Store, log: Sequence[LogMessage], turn: Turn) -> bool:
    """One step of an instance that has just started: whether there was anything left to do."""
    position = await store.position()
    assert position is not None
    await pass_turns(turn.dawdle)
    batch = after(position.cursor, log, turn.size)
    if batch:
        with suppress(MovedError):
            await store.apply(position, [read(message) for message in batch], batch[-1].cursor)
    return bool(batch)


async def take(turn: Turn, store: Store, log: Sequence[LogMessage]) -> bool:
    task = asyncio.ensure_future(apply_next(store, log, turn))
    if turn.dies_after is None:
        return await task
    await pass_turns(turn.dawdle + turn.dies_after)
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task
    return True


async def work(store: Store, log: Sequence[LogMessage], turns: Sequence[Turn]) -> None:
    """An instance takes its turns, then goes on with single records until nothing is left."""
    for turn in turns:
        await take(turn, store, log)
    while await take(Turn(1, 0, None), store, log):
        pass


@given(logs(), st.lists(st.lists(TURNS, max_size=5), min_size=1, max_size=3))
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
async def test_any_batches_crashes_and_races_equal_the_fold_over_the_log_once(
    redis_as: RedisAs, log: list[LogMessage], instances: list[list[Turn]]
) -> None:
    connections = [await redis_as("scoring") for _ in instances]
    _, generation = await live_store(connections[0])
    await asyncio.gather(*(work(Store(one), log, turns) for one, turns in zip(connections, instances, strict=True)))
    assert await dump(connections[0], generation) == folded_dump(log)


async def test_an_update_on_a_position_that_moved_writes_nothing(redis_as: RedisAs) -> None:
    redis = await redis_as("scoring")
    store, generation = await live_store(redis)
    log = write([Script(acts=("move", "draw", "won"))])
    old = await store.position()
    assert old is not None
    await store.apply(old, [read(message) for message in log[:2]], log[1].cursor)
    before = await dump(redis, generation)
    with pytest.raises(MovedError):
        await store.apply(old, [read(message) for message in log], log[-1].cursor)
    assert await dump(redis, generation) == before


async def test_an_update_of_a_generation_that_is_not_live_any_more_writes_nothing(redis_as: RedisAs) -> None:
    redis = await redis_as("scoring")
    store, generation = await live_store(redis)
    old = await store.position()
    assert old is not None
    await live_store(redis)
    log = write([Script(acts=("move",))])
    with pytest.raises(MovedError):
        await store.apply(old, [read(message) for message in log], log[-1].cursor)
    assert await dump(redis, generation) == folded_dump([])


async def test_of_two_rebuilds_at_once_one_becomes_live(redis_as: RedisAs) -> None:
    store = Store(await redis_as("scoring"))
    first, second = await store.begin(), await store.begin()
    await store.switch(second)
    with pytest.raises(MovedError):
        await store.switch(first)
    assert await store.position() == Position(generation=second.generation, live=second.generation, cursor=Cursor())


async def test_cleaning_keeps_the_live_generation_and_those_that_are_being_built(redis_as: RedisAs) -> None:
    redis = await redis_as("scoring")
    store = Store(redis)
    log = write([Script(acts=("move",)), Script(player=2, acts=("draw", "won"))])
    entries = [read(message) for message in log]
    old, live, building = [await store.begin() for _ in range(3)]
    for position in (old, live, building):
        await store.apply(position, entries, log[-1].cursor)
    await redis.set(subjects.SCORING_LIVE_KEY, live.generation)
    await store.clean()
    assert await keys_of(redis, old.generation) == []
    assert await dump(redis, live.generation) == await dump(redis, building.generation) == folded_dump(log)
