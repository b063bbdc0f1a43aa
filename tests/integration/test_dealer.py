"""Winnable deals on real servers: what is promised is kept, committed to, and given to one player alone."""

import asyncio
import time

import httpx
import msgspec
import pytest
from nats.aio.client import Client

from services.dealer.lane import BusyError, Lane
from services.dealer.pool import Pool
from shared import subjects
from shared.logs import Log
from shared.messages.answers import RequestRefused
from shared.messages.codec import encode
from shared.messages.commands import WinnableDeal
from shared.messages.dealer import DailyAnswer, DailyDeal, FetchDaily, WinnableAnswer
from shared.messages.events import GameStarted
from shared.rules.deal import commitment, numbered_deck, secret_deck
from shared.rules.table import lay_out
from shared.rules.variants import VARIANTS, Variant
from shared.solver.solve import Budget, Solvable, Solver
from shared.solver.winnable import certifiable
from tests.conftest import ConnectAs, RedisAs
from tests.integration.dealer import code_of, dealer, secret_of, take, winnable_game
from tests.integration.game_state import ANSWER_SECONDS, Player, accepted, fetched, game_state, refused, soon
from tests.integration.gateway import Running
from tests.integration.work import PATIENCE_SECONDS


def can_be_won(secret: bytes, variant: str = "draw1", player_seed: str = "") -> bool:
    rules = VARIANTS[variant]
    table = lay_out(secret_deck(secret, player_seed, decks=rules.decks), rules)
    return isinstance(Solver(time.monotonic).solve(table, rules, Budget(seconds=60)), Solvable)


@pytest.mark.parametrize(("variant", "seed"), [("draw1", ""), ("draw3", ""), ("draw1", "lucky ♥")])
async def test_a_winnable_game_can_be_won_and_is_committed_to_as_any_other(
    connect_as: ConnectAs, redis_as: RedisAs, log: Log, variant: str, seed: str
) -> None:
    """The record says what was promised; the revealed secret fits the commitment and gives the cards."""
    async with (
        dealer(await connect_as("dealer"), log),
        game_state(await connect_as("game-state"), await redis_as("game-state"), log),
    ):
        player = Player(await connect_as("gateway"))
        step = accepted(await player.ask(winnable_game(variant, seed))).step
        started = step.events[0]
        assert isinstance(started, GameStarted)
        assert started.deal == step.view.deal == WinnableDeal(player_seed=seed)
        assert step.view.secret == ""
        over = await player.play("resign")
        secret = bytes.fromhex(over.secret)
        assert commitment(secret) == started.commitment
        deck = secret_deck(secret, seed, decks=1)
        faces = tuple(column.up for column in lay_out(deck, VARIANTS[variant]).columns)
        assert faces == started.faces
        assert can_be_won(secret, variant, seed)


async def test_a_repeated_command_gives_the_same_winnable_game(
    connect_as: ConnectAs, redis_as: RedisAs, log: Log
) -> None:
    async with (
        dealer(await connect_as("dealer"), log),
        game_state(await connect_as("game-state"), await redis_as("game-state"), log),
        game_state(await connect_as("game-state"), await redis_as("game-state"), log),
    ):
        player, command = Player(await connect_as("gateway")), winnable_game()
        answers = await asyncio.gather(*(player.ask(command) for _ in range(6)))
        assert len({accepted(answer).step.view.commitment for answer in answers}) == 1


async def test_without_a_dealer_nothing_is_dealt_and_the_same_command_is_done_once_there_is_one(
    connect_as: ConnectAs, redis_as: RedisAs, log: Log
) -> None:
    """Never another deal instead."""
    async with game_state(await connect_as("game-state"), await redis_as("game-state"), log):
        player, command = Player(await connect_as("gateway")), winnable_game()
        assert refused(await player.ask(command)).error.code == "no-winnable-deal"
        assert refused(await player.fetch(command.game)).error.code == "unknown-game"
        accepted(await player.ask(player.start_command(number=None)))  # other deals need no dealer
        async with dealer(await connect_as("dealer"), log):
            assert accepted(await player.ask(command)).step.view.deal == WinnableDeal()
            assert fetched(await player.fetch(command.game)).view.version == 1


@pytest.mark.parametrize("variant", [one.id for one in VARIANTS.values() if not certifiable(one)])
async def test_a_winnable_deal_of_what_the_solver_does_not_play_is_refused_for_good(
    connect_as: ConnectAs, redis_as: RedisAs, log: Log, variant: str
) -> None:
    """Nobody is told to ask again, and nothing is dealt."""
    command = msgspec.structs.replace(
        winnable_game(variant),
        scoring=VARIANTS[variant].scorings[0],
        mode="relaxed" if VARIANTS[variant].players == 1 else "ranked",
    )
    async with (
        dealer(await connect_as("dealer"), log, pool_deals=0),
        game_state(await connect_as("game-state"), await redis_as("game-state"), log),
    ):
        player = Player(await connect_as("gateway"))
        error = refused(await player.ask(command)).error
        assert error.code == "winnable-not-offered"
        assert "again" not in error.fix
        assert refused(await player.fetch(command.game)).error.code == "unknown-game"


async def test_no_two_players_get_the_same_deal_and_each_can_be_won(connect_as: ConnectAs, log: Log) -> None:
    """From the pool or found on the spot, from one dealer or another, all at the same time."""
    async with dealer(await connect_as("dealer"), log), dealer(await connect_as("dealer"), log, pool_deals=0):
        asking = await connect_as("game-state")
        answers = await asyncio.gather(*(take(asking) for _ in range(40)))
        secrets = [secret_of(answer) for answer in answers]
        assert len(set(secrets)) == len(secrets)
        assert all(map(can_be_won, secrets))


async def test_what_no_dealer_can_certify_is_refused_and_bad_input_named(connect_as: ConnectAs, log: Log) -> None:
    async with dealer(await connect_as("dealer"), log, pool_deals=0):
        asking = await connect_as("game-state")
        assert code_of(await take(asking, "patience")) == "winnable-not-offered"
        for payload in (b"\xc1", encode({"type": "take-winnable"}), encode({"type": "take-winnable", "variant": 1})):
            message = await asking.request(subjects.WINNABLE_SECRETS, payload, timeout=ANSWER_SECONDS)
            answer = msgspec.msgpack.decode(message.data, type=WinnableAnswer)
            assert isinstance(answer, RequestRefused)
            assert answer.error.code == "bad-frame"


async def test_the_pool_is_filled_again_and_what_left_it_does_not_come_back() -> None:
    """Of each variant alike; what was taken is drawn anew."""
    drawn = iter(range(10_000))
    filling, asked = Lane("filling"), Lane("asked")
    variants = [VARIANTS["draw1"], VARIANTS["draw3"]]
    pool = Pool(variants, 3, lambda count: next(drawn).to_bytes(count, "big"), filling=filling, asked=asked)
    keeping = asyncio.ensure_future(pool.fill())

    async def full() -> bool:
        return pool.ready == {"draw1": 3, "draw3": 3}

    try:
        taken: list[bytes | None] = []
        for _ in range(3):
            await soon(full, seconds=60)
            taken += [await pool.take("draw1", ""), await pool.take("draw3", "")]
        assert None not in taken
        assert len(set(taken)) == len(taken)
    finally:
        keeping.cancel()
        await filling.close()
        await asked.close()


async def test_searches_that_wait_are_bounded_and_end_at_once_with_their_lane() -> None:
    """A deal that cannot be won, drawn again and again: so many may wait, and a stop waits for none."""
    hopeless = Variant(id="hopeless", passes=1, draw=3, foundation_give_back=False)
    lane = Lane("test")
    pool = Pool([hopeless], 0, bytes, filling=lane, asked=lane)
    asking = asyncio.ensure_future(pool.take("hopeless", "one deal again and again"))
    waiting = [asyncio.ensure_future(pool.take("hopeless", "the same")) for _ in range(63)]
    await asyncio.sleep(0)
    with pytest.raises(BusyError):
        await pool.take("hopeless", "one too many")
    async with asyncio.timeout(PATIENCE_SECONDS):
        await lane.close()
    assert await asking is None
    ends = await asyncio.gather(*waiting, return_exceptions=True)
    assert all(end is None or isinstance(end, asyncio.CancelledError) for end in ends)


async def daily(nc: Client, variant: str, day: str | None = None) -> DailyAnswer:
    request = encode(FetchDaily(variant=variant, day=day))
    message = await nc.request(subjects.DAILY_DEALS, request, timeout=ANSWER_SECONDS)
    return msgspec.msgpack.decode(message.data, type=DailyAnswer)


@pytest.mark.parametrize("variant", ["draw1", "draw3"])
async def test_the_deal_of_a_day_is_the_days_first_that_can_be_won_whoever_is_asked(
    connect_as: ConnectAs, log: Log, variant: str
) -> None:
    async with dealer(await connect_as("dealer"), log, pool_deals=0):
        asking = await connect_as("game-state")
        days = [await daily(asking, variant, day) for day in ("2026-02-28", "2026-03-01", None)]
    async with dealer(await connect_as("dealer"), log, pool_deals=0):
        assert await daily(asking, variant, "2026-03-01") == days[1]
    assert all(isinstance(day, DailyDeal) for day in days)
    solver, rules = Solver(time.monotonic), VARIANTS[variant]
    for found in days:
        assert isinstance(found, DailyDeal)
        first = int(found.day.replace("-", "")) * 1000
        assert first <= found.number < first + 1000
        tables = [lay_out(numbered_deck(number, decks=1), rules) for number in range(first, found.number + 1)]
        can = [isinstance(solver.solve(table, rules, Budget(seconds=60)), Solvable) for table in tables]
        assert can == [False] * (len(tables) - 1) + [True]


@pytest.mark.parametrize("day", ["2999-01-01", "2026-02-29", "2026-13-01", "0000-00-00"])
async def test_a_day_that_has_no_deal_is_refused_with_the_field(connect_as: ConnectAs, log: Log, day: str) -> None:
    async with dealer(await connect_as("dealer"), log, pool_deals=0):
        asking = await connect_as("game-state")
        answer = await daily(asking, "draw1", day)
        assert isinstance(answer, RequestRefused)
        assert (answer.error.code, answer.error.field) == ("bad-request", "day")
        unknown = await daily(asking, "patience")
        assert isinstance(unknown, RequestRefused)
        assert unknown.error.code == "unknown-variant"


async def test_the_deal_of_the_day_is_had_over_http_without_a_token(
    at: Running, connect_as: ConnectAs, log: Log
) -> None:
    async with (
        httpx.AsyncClient(base_url=at.address, timeout=30) as web,
        dealer(await connect_as("dealer"), log, pool_deals=0),
    ):
        found = (await web.get("/api/daily/draw1", params={"day": "2026-03-01"})).json()
        assert (found["variant"], found["day"], found["number"] // 1000) == ("draw1", "2026-03-01", 20260301)
        assert (await web.get("/api/daily/draw1")).status_code == 200
        for path, status, field in (("draw1?day=soon", 400, "day"), ("patience", 404, "variant")):
            refusal = await web.get(f"/api/daily/{path}")
            assert (refusal.status_code, refusal.json()["field"]) == (status, field)
