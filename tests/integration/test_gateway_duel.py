"""Games for two over sockets: each sees the own side and what lies open of the other, and so does who watches."""

import asyncio

import httpx
import msgspec
import pytest

from shared import clock
from shared.logs import Log
from shared.messages.events import PlayerLeft, PlayerReturned
from shared.messages.frames import (
    ClaimFrame,
    Join,
    JoinCode,
    NewGame,
    QuickMatch,
    Repeated,
    ResignFrame,
    Resume,
    Resumed,
    StepFrame,
    Watch,
)
from shared.messages.views import Duel, View
from tests.conftest import ConnectAs, RedisAs
from tests.integration.game_state import game_state
from tests.integration.gateway import SETTINGS, Player, Running, code, gateway, made, player

FOR_TWO = ("double", "double-mini")


def duel(view: View | None) -> Duel:
    assert view is not None
    assert view.duel
    return view.duel


async def invite(one: Player, variant: str = "double") -> View:
    return made(await one.ask(NewGame(id=clock.new_command_id(), variant=variant, mode="ranked"))).view


async def seated(one: Player, two: Player, variant: str = "double") -> None:
    view = await invite(one, variant)
    made(await two.ask(Join(id=clock.new_command_id(), game=view.game)))
    assert (await one.expect(StepFrame)).view.status == "running"


async def caught_up(*players: Player) -> None:
    """Waits until all have the newest version that one of them has."""
    newest = max(one.view.version for one in players if one.view)
    for one in players:
        while one.view is None or one.view.version < newest:
            await one.receive()


@pytest.mark.parametrize("variant", FOR_TWO)
async def test_both_and_a_watcher_see_each_move_live_and_no_card_that_is_hidden(at: Running, variant: str) -> None:
    async with player(at) as one, player(at) as two, player(at) as three:
        await seated(one, two, variant)
        assert one.view is not None
        watched = await three.ask(Watch(id=clock.new_command_id(), game=one.view.game))
        assert isinstance(watched, Resumed)
        for mover in (one, two, two, one):
            assert mover.view is not None
            step = made(await mover.play(mover.view.legal[0]))
            assert step.seat == duel(mover.view).seat
            await caught_up(one, two, three)
        assert three.view is not None
        assert (duel(one.view).seat, duel(two.view).seat, duel(three.view).seat) == (0, 1, None)
        assert three.view.legal == ()
        others = duel(one.view).opponent, duel(two.view).opponent, duel(three.view).opponent
        assert all(others)
        assert two.view is not None
        assert others[0]
        assert (others[0].columns, others[0].waste, others[0].stock) == (
            two.view.columns,
            two.view.waste,
            two.view.stock,
        )
        assert others[2] == others[0]
        assert others[1]
        assert others[1].columns == one.view.columns


async def test_simultaneous_moves_are_all_decided_and_everybody_ends_on_the_same_version(at: Running) -> None:
    async with player(at) as one, player(at) as two:
        await seated(one, two)
        for _ in range(5):
            both = await asyncio.gather(one.play("draw"), two.play("draw"))
            assert all(isinstance(answer, StepFrame) for answer in both)
        await caught_up(one, two)
        assert one.view is not None
        assert one.view.version == 12


async def test_joining_is_refused_to_a_second_one_to_the_host_and_for_a_game_of_one(at: Running) -> None:
    async with player(at) as one, player(at) as two, player(at) as three:
        await seated(one, two)
        assert one.view is not None
        game, alone = one.view.game, (await three.new_game()).game
        assert code(await three.ask(Join(id=clock.new_command_id(), game=game))) == "already-joined"
        assert code(await two.ask(Join(id=clock.new_command_id(), game=game))) == "already-joined"
        assert code(await one.ask(Join(id=clock.new_command_id(), game=game))) == "own-game"
        assert code(await one.ask(Join(id=clock.new_command_id(), game=alone))) == "not-for-two"
        for asker in (one, three):
            assert code(await asker.ask(Watch(id=clock.new_command_id(), game=alone))) == "not-for-two"
        claim = ClaimFrame(id=clock.new_command_id(), game=alone, version=1)
        assert code(await three.ask(claim)) == "not-for-two"
        assert code(await three.ask(Resume(id=clock.new_command_id(), game=game))) == "not-your-game"
        three.view = one.view
        assert code(await three.play("draw")) == "not-your-game"


async def test_a_short_code_leads_to_the_game_until_somebody_has_joined(at: Running) -> None:
    async with player(at) as one, player(at) as two, player(at) as three:
        letters = duel(await invite(one)).code
        assert letters is not None
        joined = made(await two.ask(JoinCode(id=clock.new_command_id(), code=letters)))
        assert joined.view.status == "running"
        await caught_up(one, two)
        assert code(await three.ask(JoinCode(id=clock.new_command_id(), code=letters))) in (
            "unknown-invitation",
            "already-joined",
        )
        assert code(await three.ask(JoinCode(id=clock.new_command_id(), code="a" * 10))) == "unknown-invitation"


async def test_a_quick_match_brings_together_who_comes_at_once(at: Running) -> None:
    async with player(at) as one, player(at) as two, player(at) as three, player(at) as four:
        sockets = (one, two, three, four)
        answers = await asyncio.gather(*(one.ask(QuickMatch(id=clock.new_command_id())) for one in sockets))
        assert all(isinstance(answer, StepFrame) for answer in answers)
        for socket in sockets:
            while socket.view is None or socket.view.status == "waiting":
                await socket.receive()
        games = [socket.view.game for socket in sockets if socket.view]
        assert sorted(games.count(game) for game in games) == [2, 2, 2, 2]


async def test_a_quick_match_of_what_is_played_alone_is_refused(at: Running) -> None:
    async with player(at) as one:
        assert code(await one.ask(QuickMatch(id=clock.new_command_id(), variant="draw1"))) == "not-for-two"
        assert code(await one.ask(QuickMatch(id=clock.new_command_id(), variant="duel"))) == "unknown-variant"
        assert code(await one.ask(QuickMatch(id=clock.new_command_id(), scoring="vegas"))) == "scoring-not-offered"


async def test_who_leaves_is_told_of_and_who_comes_back_too(connect_as: ConnectAs, redis_as: RedisAs, log: Log) -> None:
    async with (
        game_state(await connect_as("game-state"), await redis_as("game-state"), log),
        gateway(await connect_as("gateway"), log, msgspec.structs.replace(SETTINGS, grace_seconds=0.0)) as at,
        player(at) as two,
    ):
        async with player(at) as one:
            await seated(one, two)
            await two.play("draw")
            await caught_up(one, two)
        left = await two.expect(StepFrame)
        assert [type(event) for event in left.events] == [PlayerLeft]
        other = duel(left.view).opponent
        assert other is not None
        assert other.away_since is not None
        assert other.claim_at == other.away_since + duel(left.view).absence_ms
        claim = ClaimFrame(id=clock.new_command_id(), game=left.game, version=left.version)
        assert code(await two.ask(claim)) == "not-absent"
        async with player(at, one.token) as again:
            assert isinstance(await again.ask(Resume(id=clock.new_command_id(), game=left.game)), Resumed)
            back = await two.expect(StepFrame)
            assert [type(event) for event in back.events] == [PlayerReturned]
            await caught_up(again, two)
            assert made(await again.play("draw")).version == back.version + 1


async def test_a_command_sent_again_over_a_new_connection_is_done_once(at: Running) -> None:
    async with player(at) as one, player(at) as two:
        await seated(one, two)
        frame = one.frame("draw")
        made(await one.ask(frame))
        for _ in range(3):
            await two.play("draw")
        async with player(at, one.token) as again:
            assert one.view is not None
            resumed = await again.resume(one.view.game, frame.version)
            assert resumed.steps is not None
            assert [step.seat for step in resumed.steps] == [0, 1, 1, 1]
            repeated = await again.ask(frame)
            assert isinstance(repeated, Repeated)
            assert (repeated.version, duel(repeated.view).seat) == (3, 0)


async def test_both_give_up_and_each_sees_the_own_result(at: Running) -> None:
    async with player(at) as one, player(at) as two:
        await seated(one, two, "double-mini")
        for each in (one, two):
            assert each.view is not None
            made(await each.ask(ResignFrame(id=clock.new_command_id(), game=each.view.game, version=2)))
        await caught_up(one, two)
        assert one.view is not None
        assert two.view is not None
        assert (one.view.status, two.view.status) == ("resigned", "resigned")
        assert one.view.secret == two.view.secret != ""


@pytest.mark.parametrize("variant", FOR_TWO)
async def test_only_who_has_invited_may_give_the_free_seat_to_the_computer(
    at: Running, web: httpx.AsyncClient, variant: str
) -> None:
    """Whoever has the link knows the game's id, and may only take the seat."""
    async with player(at) as one, player(at) as two:
        game = (await invite(one, variant)).game
        refused = await web.post(f"/api/games/{game}/opponent", headers=two.signed)
        assert (refused.status_code, refused.json()["code"]) == (403, "not-your-game")
        asked = await web.post(f"/api/games/{game}/opponent", headers=one.signed)
        assert (asked.status_code, asked.json()["code"]) == (503, "unavailable")  # there is no computer here
        made(await two.ask(Join(id=clock.new_command_id(), game=game)))
