"""What a player meets of the job queue: limits, moves that overtake a hint, workers that die."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from nats.aio.client import Client

from services.solver_worker.kinds import Search, work_out
from shared import subjects
from shared.bus.streams import JOBS_PER_PLAYER_MAX
from shared.logs import Log
from shared.messages.events import HintGiven
from shared.messages.jobs import AnyResult, Job
from tests.conftest import ConnectAs, RedisAs
from tests.integration.game_state import STRANGER, Player, accepted, game_state, refused
from tests.integration.work import ACK_WAIT_SECONDS, PATIENCE_SECONDS, set_ack_wait, until_queued, working


@pytest.fixture
async def gateway(connect_as: ConnectAs, redis_as: RedisAs, log: Log) -> AsyncIterator[Client]:
    """A gateway's connection to a game-state, without workers."""
    async with game_state(await connect_as("game-state"), await redis_as("game-state"), log):
        yield await connect_as("gateway")


async def test_a_player_who_asks_for_too_many_hints_is_told_so_and_others_are_not(
    gateway: Client, connect_as: ConnectAs, log: Log
) -> None:
    """In as many games as they like: the limit is the player's."""
    greedy = [Player(gateway) for _ in range(JOBS_PER_PLAYER_MAX + 1)]
    for number, one in enumerate(greedy):
        await one.start(number=number)
    asking = [asyncio.ensure_future(one.ask(one.command("hint"))) for one in greedy[:-1]]
    owner = await connect_as("game-state")
    await until_queued(owner, JOBS_PER_PLAYER_MAX)
    last = greedy[-1]
    answer = refused(await last.ask(last.command("hint")))
    assert answer.error.code == "too-many-hints"
    assert last.view is not None
    assert answer.version == last.view.version
    other = Player(gateway, STRANGER)
    await other.start()
    async with working(await connect_as("solver-worker"), log):
        accepted(await other.ask(other.command("hint")))
        for answered in await asyncio.gather(*asking):
            accepted(answered)
        accepted(await last.ask(last.command("hint")))


async def test_a_move_takes_the_hint_that_it_overtakes_off_the_queue(gateway: Client, connect_as: ConnectAs) -> None:
    """The asker is told at once, with the version that there is now; the player may ask anew."""
    player = Player(gateway)
    view = await player.start()
    asking = asyncio.ensure_future(player.ask(player.command("hint")))
    owner = await connect_as("game-state")
    await until_queued(owner, 1)
    await player.play("draw")
    answer = refused(await asking)
    assert (answer.error.code, answer.version) == ("stale-version", view.version + 1)
    await until_queued(owner, 0)


async def test_a_hint_survives_the_death_of_the_worker_that_has_it(
    gateway: Client, connect_as: ConnectAs, log: Log
) -> None:
    """Its connection is gone with it; the job comes back by itself after the ack wait."""
    loop = asyncio.get_running_loop()
    began, never = asyncio.Event(), asyncio.Event()

    def stuck(job: Job, search: Search) -> AnyResult:
        loop.call_soon_threadsafe(began.set)
        asyncio.run_coroutine_threadsafe(never.wait(), loop).result(PATIENCE_SECONDS)
        return work_out(job, search)

    await set_ack_wait(await connect_as("game-state"), ACK_WAIT_SECONDS)
    player = Player(gateway)
    await player.start()
    dying = await connect_as("solver-worker")
    async with working(dying, log, stuck):
        asking = asyncio.ensure_future(player.ask(player.command("hint")))
        await began.wait()
        await dying.close()
    never.set()
    async with working(await connect_as("solver-worker"), log):
        step = accepted(await asking).step
    assert isinstance(step.events[0], HintGiven)
    owner = await connect_as("game-state")
    assert (await owner.jetstream().stream_info(subjects.DEAD_STREAM)).state.messages == 0
