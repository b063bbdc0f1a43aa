"""Games for two on real servers: joining, races, repetitions."""

import asyncio
import random
from collections.abc import AsyncIterator

import pytest

from shared import clock
from shared.logs import Log
from shared.messages import commands
from shared.messages.answers import Accepted, CommandAnswer
from shared.messages.base import PlayerId
from shared.messages.views import View
from tests.conftest import ConnectAs, RedisAs
from tests.integration.game_state import PLAYER, STRANGER, Player, accepted, fetched, game_state, refused

THIRD = PlayerId("t" * 26)


@pytest.fixture
async def two(connect_as: ConnectAs, redis_as: RedisAs, log: Log) -> AsyncIterator[tuple[Player, Player]]:
    """Two players, with two instances of game-state, either of which may answer."""
    async with (
        game_state(await connect_as("game-state"), await redis_as("game-state"), log),
        game_state(await connect_as("game-state"), await redis_as("game-state"), log),
    ):
        yield Player(await connect_as("gateway"), PLAYER), Player(await connect_as("gateway"), STRANGER)


def join_command(view: View, player: PlayerId) -> commands.JoinGame:
    return commands.JoinGame(id=clock.new_command_id(), game=view.game, player=player, version=1)


async def started(host: Player, guest: Player, variant: str = "double", number: int | None = None) -> None:
    view = await host.start(mode="ranked", variant=variant, number=number)
    assert view.status == "waiting"
    await guest.ask(join_command(view, guest.id))
    assert guest.view is not None
    host.view = fetched(await host.fetch(view.game)).view


def code(answer: CommandAnswer) -> str:
    return refused(answer).error.code


async def test_both_play_to_the_end_and_each_answer_is_the_own_view(two: tuple[Player, Player]) -> None:
    host, guest = two
    await started(host, guest)
    chance = random.Random(1)
    for player in (host, guest) * 20:
        assert player.view is not None
        view = await player.play(chance.choice(player.view.legal))
        assert view.duel
        assert view.duel.players[view.duel.seat or 0] == player.id
    for player in two:
        await player.play("resign")
    assert host.view is not None
    host.view = fetched(await host.fetch(host.view.game)).view
    assert guest.view is not None
    assert {host.view.status, guest.view.status} in ({"won", "resigned"}, {"drawn"})
    assert host.view.secret


async def test_of_two_who_join_at_once_one_is_in_and_a_repeated_join_is_one(two: tuple[Player, Player]) -> None:
    host, guest = two
    view = await host.start(mode="ranked", variant="double", number=None)
    third = Player(guest.nc, THIRD)
    joins = [join_command(view, STRANGER), join_command(view, THIRD)]
    answers = await asyncio.gather(guest.ask(joins[0]), third.ask(joins[1]))
    assert sorted("in" if isinstance(one, Accepted) else one.error.code for one in answers) == ["already-joined", "in"]
    winner = next(join for join, answer in zip(joins, answers, strict=True) if isinstance(answer, Accepted))
    again = accepted(await guest.ask(winner))
    assert again.repeated
    assert again.step.view.duel
    assert again.step.view.duel.seat == 1
    assert code(await host.ask(join_command(view, PLAYER))) == "own-game"
    assert code(await guest.ask(join_command(view, winner.player))) == "already-joined"
