"""A player leaves and comes back, over one gateway or two: the clock stands still meanwhile, and nothing is lost."""

from collections.abc import AsyncIterator

import msgspec
import pytest

from shared import clock
from shared.logs import Log
from shared.messages.answers import Fetched
from shared.messages.base import GameId
from shared.messages.events import GameContinued, GamePaused
from shared.messages.frames import Leave, PauseFrame, Ping, Pong, RefusedFrame, Repeated, StepFrame, Welcome
from tests.conftest import ConnectAs, RedisAs
from tests.integration.game_state import Player as Asker
from tests.integration.game_state import fetched, game_state, soon
from tests.integration.gateway import SETTINGS, Player, Running, code, gateway, made, player

AT_ONCE = msgspec.structs.replace(SETTINGS, grace_seconds=0.0)
NEVER = msgspec.structs.replace(SETTINGS, grace_seconds=3600.0)


@pytest.fixture
async def at_once(connect_as: ConnectAs, redis_as: RedisAs, log: Log) -> AsyncIterator[Running]:
    """A gateway without grace, and a game-state."""
    async with (
        game_state(await connect_as("game-state"), await redis_as("game-state"), log),
        gateway(await connect_as("gateway"), log, AT_ONCE) as running,
    ):
        yield running


@pytest.fixture
async def other(at_once: Running, connect_as: ConnectAs, log: Log) -> AsyncIterator[Running]:
    """A second gateway in front of the same game-state, without grace too."""
    async with gateway(await connect_as("gateway"), log, AT_ONCE) as running:
        yield running


@pytest.fixture
async def asker(connect_as: ConnectAs) -> Asker:
    """Looks at games beside all gateways."""
    return Asker(await connect_as("gateway"))


async def until_paused(asker: Asker, one: Player) -> GameId:
    """Waits until the player's game is paused because of absence."""
    assert one.view is not None
    game = one.view.game

    async def paused() -> bool:
        return (await seen(asker, one, game)).view.paused == "absence"

    await soon(paused)
    return game


async def seen(asker: Asker, one: Player, game: GameId) -> Fetched:
    """A game as it is, with all its steps."""
    (welcome,) = [frame for frame in one.seen if isinstance(frame, Welcome)]
    asker.id = welcome.player
    return fetched(await asker.fetch(game, since=0))


async def events_of(asker: Asker, one: Player, game: GameId) -> list[str]:
    steps = (await seen(asker, one, game)).steps
    assert steps is not None
    return [str(event.__struct_config__.tag) for step in steps for event in step.events]


async def begin(one: Player) -> GameId:
    """A game whose clock runs."""
    view = await one.new_game()
    made(await one.play("draw"))
    return view.game


async def test_a_closed_socket_pauses_the_game_and_who_resumes_it_plays_on(at_once: Running, asker: Asker) -> None:
    async with player(at_once) as one:
        await begin(one)
        before = one.view
    game = await until_paused(asker, one)
    assert before is not None
    away = (await seen(asker, one, game)).view
    assert (away.clock_runs, away.legal) == (False, ())
    async with player(at_once, one.token) as again:
        resumed = await again.resume(game)
        assert resumed.view.paused == "absence"
        (event,) = made(await again.receive()).events
        assert isinstance(event, GameContinued)
        assert again.view is not None
        assert (again.view.paused, again.view.clock_runs, again.view.play_ms) == (None, True, away.play_ms)
        made(await again.play("draw"))


async def test_a_command_without_an_answer_is_done_when_it_is_sent_again_after_the_pause(
    at_once: Running, asker: Asker
) -> None:
    """With the version that it was decided on, right behind `resume`, as the protocol says."""
    async with player(at_once) as one:
        await begin(one)
        unanswered = one.frame("draw")
    game = await until_paused(asker, one)
    async with player(at_once, one.token) as again:
        again.view = one.view
        await again.resume(game, version=2)
        answer = await again.ask(unanswered)
        assert made(answer).version == 5
    assert (await events_of(asker, one, game))[1:5] == ["cards-drawn", "game-paused", "game-continued", "cards-drawn"]


async def test_a_command_alone_tells_that_the_player_is_back(at_once: Running, asker: Asker) -> None:
    """A client that does not follow its games plays on all the same."""
    async with player(at_once) as one:
        await begin(one)
    await until_paused(asker, one)
    async with player(at_once, one.token) as again:
        assert made(await again.ask(one.frame("draw"))).version == 5


async def test_only_the_last_socket_that_leaves_pauses_the_game(at_once: Running, asker: Asker) -> None:
    async with player(at_once) as one:
        game = await begin(one)
        async with player(at_once, one.token) as two:
            await two.resume(game)
        await one.send(Ping(nonce=1))
        await one.expect(Pong)
        made(await one.play("draw"))
        assert "game-paused" not in await events_of(asker, one, game)
        await one.send(Leave(game=game))
        await until_paused(asker, one)


async def test_a_gateway_that_is_still_followed_continues_what_another_paused(
    at_once: Running, other: Running, asker: Asker
) -> None:
    async with player(at_once) as one:
        game = await begin(one)
        async with player(other, one.token) as two:
            await two.resume(game)
        events = [event for _ in range(2) for event in made(await one.receive()).events]
        assert [type(event) for event in events] == [GamePaused, GameContinued]
        assert one.view is not None
        assert one.view.clock_runs
        made(await one.play("draw"))


async def test_a_player_of_two_gateways_who_leaves_both_is_away_once(
    at_once: Running, other: Running, asker: Asker
) -> None:
    async with player(at_once) as one, player(other, one.token) as two:
        game = await begin(one)
        await two.resume(game)
    await until_paused(asker, one)
    told = await events_of(asker, one, game)
    assert told.count("game-paused") == told.count("game-continued") + 1


async def test_a_pause_by_the_player_is_ended_by_the_player_alone(at_once: Running, asker: Asker) -> None:
    async with player(at_once) as one:
        game = await begin(one)
        (event,) = made(await one.play("pause")).events
        assert isinstance(event, GamePaused)
        assert event.reason == "player"
        refused = await one.play("draw")
        assert code(refused) == "game-paused"
    async with player(at_once, one.token) as again:
        assert (await again.resume(game)).view.paused == "player"
        await again.send(Ping(nonce=1))
        assert isinstance(await again.receive(), Pong), "nobody continues it but the player"
        (event,) = made(await again.play("continue")).events
        assert isinstance(event, GameContinued)


async def test_pause_and_continue_are_done_once_however_often_they_are_sent(at_once: Running, asker: Asker) -> None:
    async with player(at_once) as one:
        game = await begin(one)
        pause = one.frame("pause")
        made(await one.ask(pause))
        assert isinstance(await one.ask(pause), Repeated)
        back = one.frame("continue")
        made(await one.ask(back))
        assert isinstance(await one.ask(back), Repeated)
        assert isinstance(await one.ask(pause), Repeated), "an old pause does not stop the clock again"
        assert (await events_of(asker, one, game))[2:] == ["game-paused", "game-continued"]


async def test_a_game_without_a_move_and_one_that_is_over_are_not_paused(at_once: Running, asker: Asker) -> None:
    async with player(at_once) as one:
        fresh = await one.new_game()
        assert code(await one.play("pause")) == "nothing-to-pause"
        one.view = None
        over = await begin(one)
        made(await one.play("resign"))
        assert code(await one.play("pause")) == code(await one.play("continue")) == "game-ended"
        one.view = None
        await begin(one)
    await until_paused(asker, one)
    assert await events_of(asker, one, fresh.game) == ["game-started"]
    assert (await events_of(asker, one, over))[-1] == "game-ended"


async def test_a_gateway_that_stops_pauses_its_games_without_waiting(
    connect_as: ConnectAs, redis_as: RedisAs, log: Log, asker: Asker
) -> None:
    async with (
        game_state(await connect_as("game-state"), await redis_as("game-state"), log),
        gateway(await connect_as("gateway"), log, NEVER) as running,
        player(running) as one,
    ):
        await begin(one)
        await running.stop()
        await until_paused(asker, one)


async def test_who_comes_back_in_time_finds_the_game_as_it_was(
    connect_as: ConnectAs, redis_as: RedisAs, log: Log
) -> None:
    async with (
        game_state(await connect_as("game-state"), await redis_as("game-state"), log),
        gateway(await connect_as("gateway"), log, NEVER) as running,
    ):
        async with player(running) as one:
            game = await begin(one)
        async with player(running, one.token) as again:
            assert (await again.resume(game)).view == one.view


@pytest.mark.parametrize("move", ["pause", "continue"])
async def test_games_of_others_and_games_that_are_not_there_are_neither_paused_nor_continued(
    at_once: Running, move: str
) -> None:
    async with player(at_once) as one, player(at_once) as stranger:
        game = await begin(one)
        stranger.view = one.view
        assert code(await stranger.play(move)) == "not-your-game"
        assert one.view is not None
        nowhere = msgspec.structs.replace(one.view, game=GameId("a" * 26))
        one.view, shown = nowhere, one.view
        assert code(await one.play(move)) == "unknown-game"
        one.view = shown
        assert (await one.resume(game)).view == shown
        assert code(await one.ask(one.frame("pause", version=1))) == "stale-version"


@pytest.mark.parametrize("closes", [True, False])
async def test_time_counts_until_a_client_closes_or_if_it_was_lost_until_it_was_last_heard(
    closes: bool, at_once: Running, asker: Asker, connect_as: ConnectAs, log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the gateway's own clock, which the test sets: 1 ms after the move, then 9."""
    now, real = [0], clock.now_ms
    monkeypatch.setattr(clock, "now_ms", lambda: now[0])
    async with gateway(await connect_as("gateway"), log, AT_ONCE) as at, player(at) as one:
        game = await begin(one)
        assert one.view is not None
        moved_at = one.view.at
        now[0] = moved_at + 1
        await one.send(Ping(nonce=1))
        await one.expect(Pong)
        now[0] = moved_at + 9

        async def later() -> bool:
            return real() > moved_at + 9

        await soon(later)
        if closes:
            await one.socket.close()
        else:
            one.socket.transport.abort()
        await until_paused(asker, one)
        steps = (await seen(asker, one, game)).steps
    assert steps is not None
    (event,) = steps[-1].events
    assert isinstance(event, GamePaused)
    assert event.since == moved_at + (9 if closes else 1)


async def test_a_pause_needs_a_version_and_takes_nothing_else(at_once: Running) -> None:
    async with player(at_once) as one:
        await begin(one)
        assert one.view is not None
        frame = msgspec.to_builtins(PauseFrame(id=one.frame("draw").id, game=one.view.game, version=2))
        for change, field in (
            ({"since": 1}, "$.since"),
            ({"reason": "absence"}, "$.reason"),
            ({"version": -1}, "$.version"),
            ({"game": "mine"}, "$.game"),
        ):
            await one.socket.send(msgspec.json.encode(frame | change).decode())
            refused = await one.expect(RefusedFrame)
            assert (refused.error.code, refused.error.field) == ("bad-frame", field)
        assert isinstance(await one.play("pause"), StepFrame)
