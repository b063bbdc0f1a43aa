"""Verdicts on games that are over, on real servers; and that of a game that runs nothing is told."""

import asyncio
import random
import time
from collections.abc import AsyncIterator
from functools import partial

import httpx
import msgspec
import pytest

from services.dealer.histories import Histories
from services.dealer.lane import Lane
from services.dealer.verdicts import Verdicts
from shared import clock, subjects
from shared.bus.requests import Requests
from shared.game.line import Made
from shared.logs import Log
from shared.messages.answers import STEPS_MAX, RequestRefused
from shared.messages.base import GameId
from shared.messages.codec import encode
from shared.messages.dealer import FetchVerdict, GameVerdict, VerdictAnswer
from shared.messages.frames import ResignFrame
from shared.rules.deal import numbered_deck
from shared.rules.moves import parse_move
from shared.rules.table import lay_out
from shared.rules.variants import VARIANTS
from shared.solver.solve import Budget, Solver
from shared.solver.verdicts import Ended, judge
from tests.conftest import ConnectAs, RedisAs
from tests.integration.dealer import ask_verdict, code_of, dealer, verdict_of
from tests.integration.game_state import ANSWER_SECONDS, PLAYER, STRANGER, Player, game_state, soon
from tests.integration.gateway import Running, made, player

LOST_DEAL = 9
"""A numbered deal that cannot be won with draw one."""


@pytest.fixture
async def owner(connect_as: ConnectAs, redis_as: RedisAs, log: Log) -> AsyncIterator[Player]:
    """A player at a game-state with a dealer beside it."""
    async with (
        game_state(await connect_as("game-state"), await redis_as("game-state"), log),
        dealer(await connect_as("dealer"), log, pool_deals=0),
    ):
        yield Player(await connect_as("gateway"))


async def careless_game(owner: Player, *, number: int | None, moves: int = 45) -> tuple[GameId, list[Made]]:
    """A game with undo and redo in it, given up in the end; and the moves that stand."""
    chance = random.Random(5)
    view = await owner.start(number=number)
    line: list[Made] = []
    for count in range(moves):
        text = chance.choice(view.legal)
        view = await owner.play(text)
        line.append(Made(view.version, parse_move(text)))
        if count % 9 == 8:
            view = await owner.play("undo")
            view = await owner.play("undo")
            view = await owner.play("redo")
            line[-2:] = [Made(view.version, line[-2].move)]
    await owner.play("resign")
    return view.game, line


async def test_the_verdict_is_the_solvers_on_the_moves_that_stand(owner: Player) -> None:
    game, line = await careless_game(owner, number=18)
    found = verdict_of(await ask_verdict(owner.nc, game))
    variant = VARIANTS["draw1"]
    deal = lay_out(numbered_deck(18, decks=1), variant)
    assert owner.view is not None
    ended = Ended(
        game=game, version=owner.view.version, result="resigned", variant=variant, deal=deal, line=tuple(line)
    )
    solver = Solver(time.monotonic)
    assert found == judge(ended, partial(solver.solve, variant=variant, budget=Budget(seconds=60)))
    assert found.undecided is None
    assert found.moves == owner.view.moves
    assert await ask_verdict(owner.nc, game) == found


async def test_a_secret_deal_is_judged_by_what_its_end_revealed(owner: Player) -> None:
    game, line = await careless_game(owner, number=None, moves=12)
    found = verdict_of(await ask_verdict(owner.nc, game))
    assert (found.game, found.moves, found.result) == (game, len(line), "resigned")
    assert found.undecided is None


async def test_of_a_lost_deal_it_is_said_that_it_could_not_be_won(owner: Player) -> None:
    game, _ = await careless_game(owner, number=LOST_DEAL, moves=3)
    found = verdict_of(await ask_verdict(owner.nc, game))
    assert (found.winnable_through, found.lost_from, found.lost_by, found.way_out) == (None, 0, None, ())


@pytest.mark.parametrize("number", [None, LOST_DEAL], ids=["secret", "numbered"])
async def test_of_a_game_that_runs_nothing_is_told(owner: Player, number: int | None) -> None:
    """Not at its start, not later, not by another's request, and the refusal is the same for a lost deal and a won."""
    view = await owner.start(number=number)
    refusals = []
    for _ in range(3):
        request = encode(FetchVerdict(game=view.game, player=PLAYER))
        refusals.append((await owner.nc.request(subjects.VERDICTS, request, timeout=ANSWER_SECONDS)).data)
        view = await owner.play("draw")
    won = await owner.start(number=18)
    request = encode(FetchVerdict(game=won.game, player=PLAYER))
    refusals.append((await owner.nc.request(subjects.VERDICTS, request, timeout=ANSWER_SECONDS)).data)
    assert len(set(refusals)) == 1, "it depends on the game"
    assert code_of(msgspec.msgpack.decode(refusals[0], type=VerdictAnswer)) == "game-running"


async def test_a_verdict_is_its_players_alone(owner: Player) -> None:
    game, _ = await careless_game(owner, number=18, moves=3)
    assert code_of(await ask_verdict(owner.nc, game, STRANGER)) == "not-your-game"
    verdict_of(await ask_verdict(owner.nc, game))
    assert code_of(await ask_verdict(owner.nc, game, STRANGER)) == "not-your-game", "once it is known, too"
    assert code_of(await ask_verdict(owner.nc, GameId("a" * 26))) == "unknown-game"


async def test_a_history_of_many_pages_is_read_whole(owner: Player) -> None:
    view = await owner.start(number=1)
    for _ in range(STEPS_MAX // 2 + 2):
        await owner.play("draw")
        view = await owner.play("undo")
    await owner.play("draw")
    await owner.play("resign")
    assert view.version > STEPS_MAX
    found = verdict_of(await ask_verdict(owner.nc, view.game))
    assert (found.version, found.moves) == (view.version + 2, 1)


async def test_a_search_that_takes_long_is_done_once_while_its_askers_are_told_to_come_again(
    connect_as: ConnectAs, redis_as: RedisAs, log: Log
) -> None:
    """Games go on meanwhile: it is another process, and another thread of that, which searches."""
    async with game_state(await connect_as("game-state"), await redis_as("game-state"), log):
        owner, lane = Player(await connect_as("gateway")), Lane("test")
        game, _ = await careless_game(owner, number=18, moves=3)
        verdicts = Verdicts(Histories(Requests(await connect_as("dealer"), clock.jitter)), lane, answer_seconds=0.05)
        busy, release = asyncio.Event(), asyncio.Event()
        loop = asyncio.get_running_loop()

        def hold() -> None:
            loop.call_soon_threadsafe(busy.set)
            asyncio.run_coroutine_threadsafe(release.wait(), loop).result()

        holding = asyncio.ensure_future(lane.run(hold))
        await busy.wait()
        request = FetchVerdict(game=game, player=PLAYER)
        answers = await asyncio.gather(*(verdicts.answer(request) for _ in range(5)))
        assert [code_of(answer) for answer in answers] == ["unavailable"] * 5
        await owner.start(number=2)
        release.set()
        await holding

        async def known() -> bool:
            return isinstance(await verdicts.answer(request), GameVerdict)

        await soon(known)
        await lane.close()
        assert isinstance(await verdicts.answer(request), GameVerdict), "what is known needs no search"


async def test_bad_input_is_named(owner: Player) -> None:
    for payload in (b"\xc1", encode({"type": "fetch-verdict", "game": "x", "player": PLAYER})):
        message = await owner.nc.request(subjects.VERDICTS, payload, timeout=ANSWER_SECONDS)
        answer = msgspec.msgpack.decode(message.data, type=VerdictAnswer)
        assert isinstance(answer, RequestRefused)
        assert answer.error.code == "bad-frame"


async def test_over_http_a_player_gets_the_verdict_on_an_own_game_that_is_over(
    at: Running, connect_as: ConnectAs, log: Log
) -> None:
    async with player(at) as one, httpx.AsyncClient(base_url=at.address, timeout=30) as web:
        signed = one.signed
        game = (await one.new_game()).game
        path = f"/api/games/{game}/verdict"
        async with dealer(await connect_as("dealer"), log, pool_deals=0):
            running = await web.get(path, headers=signed)
            assert (running.status_code, running.json()["code"]) == (409, "game-running")
            made(await one.play("draw"))
            made(await one.ask(ResignFrame(id=clock.new_command_id(), game=game, version=2)))
            over = await web.get(path, headers=signed)
            assert over.status_code == 200
            verdict = msgspec.json.decode(over.content, type=GameVerdict)
            assert (verdict.game, verdict.moves, verdict.result) == (game, 1, "resigned")
            async with player(at) as other:
                foreign = await web.get(path, headers=other.signed)
            assert (foreign.status_code, foreign.json()["code"]) == (403, "not-your-game")
            assert (await web.get(path)).status_code == 401
            assert (await web.get(f"/api/games/{'a' * 26}/verdict", headers=signed)).status_code == 404
            bad = await web.get("/api/games/mine/verdict", headers=signed)
            assert (bad.status_code, bad.json()["code"], bad.json()["field"]) == (400, "bad-request", "game")


async def test_over_http_a_missing_dealer_is_said(at: Running) -> None:
    async with player(at) as one, httpx.AsyncClient(base_url=at.address, timeout=30) as web:
        game = (await one.new_game()).game
        response = await web.get(f"/api/games/{game}/verdict", headers=one.signed)
        assert (response.status_code, response.json()["code"]) == (503, "unavailable")
