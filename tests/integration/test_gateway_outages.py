"""What a player sees when something behind the gateway is away: a delay, or a clear answer; nothing lost or doubled."""

import asyncio
import os
import socket
import subprocess
import sys

import pytest
from nats.aio.transport import TcpTransport

from services.gateway import backend
from services.solver_worker.app import run as run_worker
from shared import clock
from shared.bus import connection
from shared.logs import Log
from shared.messages.frames import NewGame, Ping, Pong, RefusedFrame, Repeated, Resumed, StepFrame
from shared.settings import SolverWorkerSettings
from tests.conftest import ConnectAs, RedisAs
from tests.integration.game_state import game_state
from tests.integration.gateway import Running, code, gateway, made, player
from tests.integration.services import serving
from tests.servers import Servers

START_SECONDS = 20


async def test_a_command_waits_for_a_game_state_that_comes_back(
    connect_as: ConnectAs, redis_as: RedisAs, log: Log
) -> None:
    games, redis = await connect_as("game-state"), await redis_as("game-state")
    async with gateway(await connect_as("gateway"), log) as at, player(at) as one:
        async with game_state(games, redis, log):
            await one.new_game()
        frame = one.frame("draw")
        await one.send(frame)
        await one.send(Ping(nonce=1))
        await one.expect(Pong)
        async with game_state(games, redis, log):
            assert made(await one.answer(frame.id)).version == 2


async def test_without_game_state_a_command_is_not_done_and_said_so(
    connect_as: ConnectAs, log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backend, "DEADLINE_SECONDS", 1.0)
    async with gateway(await connect_as("gateway"), log) as at, player(at) as one:
        assert code(await one.ask(NewGame(id=clock.new_command_id()))) == "unavailable"


async def test_a_command_whose_answer_never_comes_has_an_unknown_outcome_and_may_be_repeated(
    connect_as: ConnectAs, redis_as: RedisAs, log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody knows whether game-state did it: it is asked while its server hangs."""
    games, redis = await connect_as("game-state"), await redis_as("game-state")
    async with gateway(await connect_as("gateway"), log) as at, player(at) as one:
        async with game_state(games, redis, log):
            await one.new_game()
        swallowing = await games.subscribe("klondike.cmd.*.*")
        await games.flush()
        monkeypatch.setattr(backend, "DEADLINE_SECONDS", 0.3)
        frame = one.frame("draw")
        assert code(await one.ask(frame)) == "outcome-unknown"
        await swallowing.unsubscribe()
        monkeypatch.setattr(backend, "DEADLINE_SECONDS", 10.0)
        async with game_state(games, redis, log):
            answer = await one.ask(frame)
            assert isinstance(answer, StepFrame | Repeated)
            assert answer.version == 2
            assert made(await one.play("draw")).version == 3


async def test_a_killed_bus_costs_time_and_no_move(at: Running, servers: Servers) -> None:
    async with player(at) as one:
        await one.new_game()
        servers.kill_nats()
        frames = [one.frame("draw", version) for version in (1, 2, 3)]
        for frame in frames:
            await one.send(frame)
        await one.send(Ping(nonce=1))
        await one.expect(Pong)
        servers.start_nats()
        for frame, version in zip(frames, (2, 3, 4), strict=True):
            answer = await one.answer(frame.id)
            assert not isinstance(answer, RefusedFrame), answer
            assert answer.version == version
        assert (await one.resume(made(one.seen[1]).game)).version == 4


async def test_steps_missed_while_the_bus_was_away_come_afterwards(
    at: Running, beside: Running, servers: Servers
) -> None:
    """The second gateway's player only watches: it must end at the newest version, without a gap."""
    async with player(at) as one, player(beside, one.token) as watching:
        view = await one.new_game()
        await watching.resume(view.game)
        servers.restart_nats()
        for _ in range(5):
            answer = await one.play("draw")
            assert not isinstance(answer, RefusedFrame), answer
        while watching.view is None or watching.view.version < 6:
            await watching.receive()
        assert watching.view == one.view


async def test_what_a_cut_off_gateway_missed_is_sent_as_resumed(
    at: Running, connect_as: ConnectAs, log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "_any_server", lambda servers, _: (servers[0], 0.3))
    nc = await connect_as("gateway")
    async with gateway(nc, log) as cut_off, player(at) as one, player(cut_off, one.token) as watching:
        view = await one.new_game()
        await watching.resume(view.game)
        transport = nc._transport
        assert isinstance(transport, TcpTransport)
        assert transport._io_writer is not None
        transport._io_writer.transport.abort()
        for _ in range(3):
            made(await one.play("draw"))
        resumed = await watching.expect(Resumed)
        assert (resumed.command, resumed.version) == (None, 4)
        assert resumed.steps is not None
        assert [step.version for step in resumed.steps] == [2, 3, 4]
        made(await one.play("draw"))
        assert (await watching.expect(StepFrame)).version == 5


async def test_a_hint_that_waits_for_a_worker_holds_up_no_move(at: Running, connect_as: ConnectAs, log: Log) -> None:
    async with player(at) as one:
        await one.new_game()
        hint = one.frame("hint")
        await one.send(hint)
        assert made(await one.play("draw")).version == 2
        settings = SolverWorkerSettings()
        async with serving(run_worker, "solver-worker", settings, await connect_as("solver-worker"), log):
            assert code(await one.answer(hint.id)) == "stale-version", "the game has moved on"
            given = made(await one.play("hint"))
            assert given.events[0].__struct_config__.tag == "hint-given"
            assert given.view.assisted


async def test_a_gateway_that_stops_answers_what_is_under_way_and_says_bye(at: Running) -> None:
    async with player(at) as one, player(at) as idle:
        await one.new_game()
        frame = one.frame("draw")
        await one.send(frame)
        await one.send(Ping(nonce=1))
        while not isinstance(await one.receive(), Pong):
            pass
        stopping = asyncio.create_task(at.stop())
        assert (await idle.bye()).error.code == "going-away"
        assert idle.socket.close_code == 1001
        bye = await one.bye()
        assert bye.error.code == "going-away"
        assert any(isinstance(seen, StepFrame) and seen.command == frame.id for seen in one.seen)
        await stopping
        with pytest.raises(OSError, match=r"Connect call failed"):
            await player(at).__aenter__()


async def test_a_port_that_is_taken_ends_the_process_with_one_clear_line(servers: Servers) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        environment = {**os.environ, "KLONDIKE_NATS": servers.nats_url("gateway"), "KLONDIKE_PORT": str(port)}
        ended = await asyncio.to_thread(
            subprocess.run,
            [sys.executable, "-m", "services.gateway"],
            env=environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=START_SECONDS,
        )
    assert ended.returncode == 2
    (line,) = [line for line in ended.stderr.splitlines() if "cannot listen" in line]
    assert f"port {port}" in line
    assert "--port" in line
    assert "Traceback" not in ended.stderr
