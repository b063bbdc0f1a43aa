"""A game over the socket, on real servers."""

import msgspec
import pytest
import structlog
from nats.aio.msg import Msg

from shared import clock, subjects
from shared.messages.base import GameId
from shared.messages.frames import (
    PROTOCOL_JSON,
    PROTOCOL_MSGPACK,
    Leave,
    MoveFrame,
    NewGame,
    Ping,
    Pong,
    RefusedFrame,
    Repeated,
    Resume,
    StepFrame,
)
from tests.conftest import ConnectAs
from tests.integration.game_state import soon
from tests.integration.gateway import Player, Running, code, made, player


async def play_some(one: Player, count: int) -> None:
    for _ in range(count):
        assert one.view is not None
        made(await one.play(one.view.legal[-1]))


@pytest.mark.parametrize("protocol", [PROTOCOL_JSON, PROTOCOL_MSGPACK])
async def test_a_new_game_is_dealt_and_each_move_makes_the_next_version(at: Running, protocol: str) -> None:
    async with player(at, protocol=protocol) as one:
        assert (await one.new_game()).version == 1
        for version in range(2, 12):
            assert one.view is not None
            assert made(await one.play(one.view.legal[0])).version == version


async def test_two_sockets_of_a_player_see_the_same_game_and_a_stranger_sees_nothing(at: Running) -> None:
    async with player(at) as one, player(at) as stranger:
        view = await one.new_game()
        async with player(at, one.token) as two:
            assert (await two.resume(view.game)).view == view
            await play_some(one, 3)
            for version in (2, 3, 4):
                assert (await two.expect(StepFrame)).version == version
            assert two.view == one.view
        refused = await stranger.ask(Resume(id=clock.new_command_id(), game=view.game))
        assert code(refused) == "not-your-game"
        await play_some(one, 1)
        await stranger.send(Ping(nonce=1))
        assert isinstance(await stranger.receive(), Pong), "no step comes before the pong"


async def test_somebody_elses_game_cannot_be_moved_in(at: Running) -> None:
    async with player(at) as one, player(at) as stranger:
        stranger.view = await one.new_game()
        assert code(await stranger.play("draw")) == "not-your-game"
        assert made(await one.play("draw")).version == 2


async def test_resume_brings_the_missed_versions_and_without_a_version_the_whole_view(at: Running) -> None:
    async with player(at) as one:
        view = await one.new_game()
        await play_some(one, 5)
        async with player(at, one.token) as two:
            resumed = await two.resume(view.game, version=2)
            assert resumed.steps is not None
            assert [step.version for step in resumed.steps] == [3, 4, 5, 6]
            assert resumed.view == one.view
            assert (await two.resume(view.game)).view == one.view


async def test_a_command_repeated_on_a_new_connection_is_done_once(at: Running) -> None:
    async with player(at) as one:
        await one.new_game()
        frame = one.frame("draw")
        await one.send(frame)
    async with player(at, one.token) as two:
        two.view = one.view
        assert one.view is not None
        await two.resume(one.view.game, one.view.version)
        answer = await two.ask(frame)
        assert isinstance(answer, Repeated | StepFrame)
        assert answer.version == 2
        assert (await two.resume(one.view.game)).version == 2


async def test_a_repeated_new_game_is_the_same_game(at: Running) -> None:
    async with player(at) as one:
        frame = NewGame(id=clock.new_command_id())
        first = made(await one.ask(frame))
        await play_some(one, 2)
        async with player(at, one.token) as two:
            answer = await two.ask(frame)
            assert isinstance(answer, Repeated)
            assert (answer.game, answer.version, answer.view.version) == (first.game, 1, 3)
            await play_some(one, 1)
            assert (await two.expect(StepFrame)).version == 4


async def test_moves_sent_without_waiting_are_all_made_in_their_order(at: Running) -> None:
    async with player(at) as one:
        await one.new_game()
        frames = [one.frame("draw", version) for version in range(1, 21)]
        for frame in frames:
            await one.send(frame)
        for frame, version in zip(frames, range(2, 22), strict=True):
            step = await one.expect(StepFrame)
            assert (step.version, step.command) == (version, frame.id)


async def test_a_stale_command_is_refused_with_the_current_version(at: Running) -> None:
    async with player(at) as one:
        await one.new_game()
        await play_some(one, 2)
        answer = await one.ask(one.frame("draw", version=1))
        assert code(answer) == "stale-version"
        assert isinstance(answer, RefusedFrame)
        assert answer.version == 3


async def test_an_illegal_move_names_the_rule_and_changes_nothing(at: Running) -> None:
    async with player(at) as one:
        view = await one.new_game()
        legal = set(view.legal)
        illegal = next(f"T{a}>T{b}" for a in range(1, 8) for b in range(1, 8) if f"T{a}>T{b}" not in legal and a != b)
        answer = await one.play(illegal)
        assert isinstance(answer, RefusedFrame)
        assert answer.error.code == "illegal-move"
        assert answer.error.rule
        assert (await one.resume(view.game)).view == view


@pytest.mark.parametrize(
    ("field", "value", "expected"),
    [("variant", "nope", "unknown-variant"), ("scoring", "nope", "unknown-scoring"), ("mode", "nope", "unknown-mode")],
)
async def test_a_game_that_there_is_not_is_refused_by_name(at: Running, field: str, value: str, expected: str) -> None:
    async with player(at) as one:
        frame = msgspec.structs.replace(NewGame(id=clock.new_command_id()), **{field: value})
        assert code(await one.ask(frame)) == expected
        assert (await one.new_game()).version == 1


async def test_an_unknown_game_is_refused(at: Running) -> None:
    async with player(at) as one:
        game = GameId("a" * 26)
        assert code(await one.ask(Resume(id=clock.new_command_id(), game=game))) == "unknown-game"
        move = MoveFrame(id=clock.new_command_id(), game=game, version=1, source="W", target="T1")
        assert code(await one.ask(move)) == "unknown-game"


async def test_undo_and_redo_make_versions_of_their_own(at: Running) -> None:
    async with player(at) as one:
        before = await one.new_game()
        drawn = made(await one.play("draw")).view
        undone = made(await one.play("undo")).view
        assert (undone.version, undone.waste, undone.stock) == (3, before.waste, before.stock)
        redone = made(await one.play("redo")).view
        assert (redone.version, redone.waste, redone.stock) == (4, drawn.waste, drawn.stock)


async def test_a_game_that_was_left_sends_no_more_steps(at: Running) -> None:
    async with player(at) as one, player(at, one.token) as two:
        view = await one.new_game()
        await two.resume(view.game)
        await two.send(Leave(game=view.game))
        await two.send(Ping(nonce=1))
        await two.expect(Pong)
        await play_some(one, 3)
        await two.send(Ping(nonce=2))
        await two.expect(Pong)


async def test_gateways_side_by_side_serve_the_same_game(at: Running, beside: Running) -> None:
    async with player(at) as one, player(beside, one.token) as two:
        frame = NewGame(id=clock.new_command_id())
        view = made(await one.ask(frame)).view
        await two.resume(view.game)
        await play_some(one, 2)
        assert [(await two.expect(StepFrame)).version for _ in range(2)] == [2, 3]
        await play_some(two, 2)
        assert [(await one.expect(StepFrame)).version for _ in range(2)] == [4, 5]
        answer = await two.ask(frame)
        assert isinstance(answer, Repeated)
        assert answer.game == view.game


async def test_the_command_id_is_on_every_line_and_message_of_its_way(at: Running, connect_as: ConnectAs) -> None:
    tapped: list[Msg] = []

    async def tap(message: Msg) -> None:
        tapped.append(message)

    listener = await connect_as("game-state")
    await listener.subscribe(subjects.COMMANDS, cb=tap)
    await listener.flush()
    async with player(at) as one:
        await one.new_game()
        frame = one.frame("draw")
        with structlog.testing.capture_logs(processors=[structlog.contextvars.merge_contextvars]) as lines:
            made(await one.ask(frame))

            async def all_are_written() -> bool:
                """Lines of requests are written a moment after them."""
                of_the_command = [line for line in lines if line.get("correlation_id") == frame.id]
                return {"outcome", "result"} <= {key for line in of_the_command for key in line}

            await soon(all_are_written)
    assert (tapped[-1].headers or {})[subjects.CORRELATION_HEADER] == frame.id
