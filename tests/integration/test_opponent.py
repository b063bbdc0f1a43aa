"""The computer as the other player: it joins when asked, plays by the rules with what a player knows, and goes on."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial

import msgspec
import pytest
from nats.aio.client import Client
from nats.aio.msg import Msg

from services.opponent import app
from services.opponent.app import run
from services.scoring.app import run as run_scoring
from shared import clock, subjects
from shared.logs import Log
from shared.messages.answers import Refused, RequestRefused
from shared.messages.base import GameId, PlayerId
from shared.messages.codec import encode
from shared.messages.commands import PauseGame
from shared.messages.errors import Error
from shared.messages.opponent import COMPUTERS, LEVELS, Challenge, ChallengeAnswer, Challenged, Level
from shared.messages.views import View
from shared.settings import OpponentSettings, ScoringSettings
from tests.conftest import ConnectAs, RedisAs
from tests.integration.game_state import ANSWER_SECONDS, Player, fetched, game_state, soon
from tests.integration.services import compiled_in_time, serving

GAME_SECONDS = 60.0


@asynccontextmanager
async def opponent(nc: Client, log: Log, *, pace_ms: int = 1) -> AsyncIterator[None]:
    """The computer, in a hurry."""
    settings = OpponentSettings(pace_ms=pace_ms)
    async with serving(partial(run, warm=compiled_in_time), "opponent", settings, nc, log):
        yield


@pytest.fixture
async def host(connect_as: ConnectAs, redis_as: RedisAs, log: Log) -> AsyncIterator[Player]:
    """A player, with a game-state."""
    async with game_state(await connect_as("game-state"), await redis_as("game-state"), log):
        yield Player(await connect_as("gateway"))


async def challenge(nc: Client, game: GameId, level: Level) -> ChallengeAnswer:
    """Asks as the gateway does."""
    reply = await nc.request(subjects.OPPONENT, encode(Challenge(game=game, level=level)), timeout=ANSWER_SECONDS)
    return msgspec.msgpack.decode(reply.data, type=ChallengeAnswer)


async def seen(host: Player, game: GameId) -> View:
    """The game as the host sees it now."""
    host.view = fetched(await host.fetch(game)).view
    return host.view


async def moved(host: Player, game: GameId, moves: int) -> bool:
    view = await seen(host, game)
    assert view.duel
    assert view.duel.opponent
    return view.duel.opponent.moves >= moves


async def over(host: Player, game: GameId) -> bool:
    return (await seen(host, game)).status not in ("waiting", "running")


@pytest.mark.parametrize("variant", ["double", "double-mini"])
@pytest.mark.parametrize("level", LEVELS)
async def test_it_joins_and_plays_to_the_end_when_the_other_has_resigned(
    host: Player, connect_as: ConnectAs, log: Log, variant: str, level: Level
) -> None:
    """It never runs in a circle: it wins, or gives up when nothing leads anywhere."""
    game = (await host.start(mode="ranked", variant=variant, number=3)).game
    async with opponent(await connect_as("opponent"), log):
        assert await challenge(host.nc, game, level) == Challenged(game=game, level=level)
        view = await seen(host, game)
        assert view.duel
        assert view.duel.players[1] == COMPUTERS[level]
        await host.play("resign")
        await soon(partial(over, host, game), GAME_SECONDS)
    assert host.view
    assert host.view.duel
    assert host.view.duel.opponent
    assert host.view.duel.opponent.moves > 0
    assert host.view.duel.opponent.cards_up > 0


async def test_a_game_that_cannot_be_joined_is_refused_with_the_reason(
    host: Player, connect_as: ConnectAs, log: Log
) -> None:
    alone = (await host.start()).game
    duel = (await host.start(mode="ranked", variant="double", number=3)).game
    async with opponent(await connect_as("opponent"), log):
        answers = [await challenge(host.nc, game, "easy") for game in (alone, GameId("z" * 26), duel, duel)]
    codes = [answer.error.code if isinstance(answer, RequestRefused) else "joined" for answer in answers]
    assert codes == ["not-for-two", "unknown-game", "joined", "already-joined"]


async def test_it_waits_for_who_is_away_and_goes_on_when_they_are_back(
    host: Player, connect_as: ConnectAs, log: Log
) -> None:
    """Long after `claim_at`, too: a closed page loses no game."""
    game = (await host.start(mode="ranked", variant="double", number=3)).game
    async with opponent(await connect_as("opponent"), log):
        await challenge(host.nc, game, "easy")
        await soon(partial(moved, host, game, 1))
        await host.ask(left(await seen(host, game), host.id))
        away = await rested(host, game)
        assert away.status == "running"
        assert away.duel
        assert away.duel.claim_at
        assert away.duel.claim_at < clock.now_ms()
        assert away.duel.opponent
        await host.play("draw")
        await soon(partial(moved, host, game, away.duel.opponent.moves + 1))


def left(view: View, player: PlayerId) -> PauseGame:
    """As the gateway tells that somebody left, hours ago."""
    return PauseGame(
        id=clock.new_command_id(),
        game=view.game,
        player=player,
        version=view.version,
        reason="absence",
        since=clock.now_ms() - 3 * 3_600_000,
    )


async def rested(host: Player, game: GameId) -> View:
    """The game once so many looks of the computer in a row, at its pace of a millisecond, have changed nothing."""
    last = await seen(host, game)
    same = 0
    while same < 50:
        view = await seen(host, game)
        same = same + 1 if view.version == last.version else 0
        last = view
    return last


async def test_what_a_process_leaves_the_next_one_goes_on_with(
    host: Player, connect_as: ConnectAs, redis_as: RedisAs, log: Log
) -> None:
    game = (await host.start(mode="ranked", variant="double-mini", number=3)).game
    scoring, redis = await connect_as("scoring"), await redis_as("scoring")
    async with serving(run_scoring, "scoring", ScoringSettings(), scoring, log, redis):
        async with opponent(await connect_as("opponent"), log):
            await challenge(host.nc, game, "easy")
            await soon(partial(moved, host, game, 3))
        left = await seen(host, game)
        assert left.duel
        assert left.duel.opponent
        before = left.duel.opponent.moves
        async with opponent(await connect_as("opponent"), log):
            await soon(partial(moved, host, game, before + 3))


async def test_all_games_that_were_left_are_gone_on_with_also_beyond_a_page(
    host: Player, connect_as: ConnectAs, redis_as: RedisAs, log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(app, "GAMES_PAGE_MAX", 2)
    games = [(await host.start(mode="ranked", variant="double-mini", number=number)).game for number in range(5)]
    scoring, redis = await connect_as("scoring"), await redis_as("scoring")
    async with serving(run_scoring, "scoring", ScoringSettings(), scoring, log, redis):
        async with opponent(await connect_as("opponent"), log, pace_ms=50):
            for game in games:
                await challenge(host.nc, game, "easy")
                await soon(partial(moved, host, game, 1))
        before = [await rival_moves(host, game) for game in games]
        async with opponent(await connect_as("opponent"), log, pace_ms=50):
            for game, count in zip(games, before, strict=True):
                await soon(partial(moved, host, game, count + 1))


async def test_what_scoring_did_not_know_yet_is_gone_on_with_when_it_does(
    host: Player, connect_as: ConnectAs, redis_as: RedisAs, log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process may end as soon as it has joined, and the next may start before scoring has read of it."""
    monkeypatch.setattr(app, "FIND_SECONDS", 0.2)
    game = (await host.start(mode="ranked", variant="double-mini", number=3)).game
    async with opponent(await connect_as("opponent"), log):
        await challenge(host.nc, game, "easy")
    before = await rival_moves(host, game)
    scoring, redis = await connect_as("scoring"), await redis_as("scoring")
    async with (
        opponent(await connect_as("opponent"), log),
        serving(run_scoring, "scoring", ScoringSettings(), scoring, log, redis),
    ):
        await soon(partial(moved, host, game, before + 3))


async def rival_moves(host: Player, game: GameId) -> int:
    view = await seen(host, game)
    assert view.duel
    assert view.duel.opponent
    return view.duel.opponent.moves


async def test_a_join_of_unknown_outcome_is_asked_for_again_as_it_was(connect_as: ConnectAs, log: Log) -> None:
    """Else the computer could have a seat and not know of it."""
    asked: list[bytes] = []
    games = await connect_as("game-state")

    async def unsure(message: Msg) -> None:
        asked.append(message.data)
        error = Error(code="outcome-unknown", text="Nobody knows.", fix="Ask again.")
        await message.respond(encode(Refused(command=None, error=error)))

    await games.subscribe(subjects.COMMANDS, cb=unsure)
    async with opponent(await connect_as("opponent"), log):
        answer = await challenge(await connect_as("gateway"), GameId("g" * 26), "easy")
    assert isinstance(answer, RequestRefused)
    assert len(asked) > 1
    assert len(set(asked)) == 1
