"""Deals of the day, from the dealer through the log to a player's calendar."""

from datetime import timedelta

import msgspec
import pytest
from msgspec.structs import replace
from nats.aio.client import Client

from services.scoring.app import run as run_scoring
from services.scoring.periods import date_of
from shared import clock, subjects
from shared.logs import Log
from shared.messages.answers import Calendar, DayResult, FetchCalendar, RequestRefused
from shared.messages.codec import encode
from shared.messages.commands import NumberedDeal, StartGame
from shared.messages.dealer import DailyAnswer, DailyDeal, FetchDaily
from shared.messages.events import GameStarted
from shared.rules.variants import VARIANTS
from shared.settings import ScoringSettings
from tests.conftest import ConnectAs, RedisAs
from tests.integration.dealer import dealer
from tests.integration.game_state import ANSWER_SECONDS, Player, accepted, fetched, game_state, refused, soon
from tests.integration.services import serving

DAY = "2026-03-01"


async def daily(nc: Client, variant: str, day: str | None = None) -> DailyAnswer:
    request = encode(FetchDaily(variant=variant, day=day))
    message = await nc.request(subjects.DAILY_DEALS, request, timeout=ANSWER_SECONDS)
    return msgspec.msgpack.decode(message.data, type=DailyAnswer)


async def number_of(nc: Client, variant: str = "draw1", day: str = DAY) -> int:
    found = await daily(nc, variant, day)
    assert isinstance(found, DailyDeal)
    return found.number


def daily_game(player: Player, number: int, day: str = DAY) -> StartGame:
    return replace(player.start_command(number=number), deal=NumberedDeal(number=number, day=day))


async def test_a_game_says_that_it_is_the_days_only_when_its_number_is(
    connect_as: ConnectAs, redis_as: RedisAs, log: Log
) -> None:
    gateway = await connect_as("gateway")
    async with (
        dealer(await connect_as("dealer"), log, pool_deals=0),
        game_state(await connect_as("game-state"), await redis_as("game-state"), log),
    ):
        player, number = Player(gateway), await number_of(gateway)
        step = accepted(await player.ask(daily_game(player, number))).step
        started = step.events[0]
        assert isinstance(started, GameStarted)
        assert started.deal == step.view.deal == NumberedDeal(number=number, day=DAY)
        for wrong, field in (
            (daily_game(player, number + 1), "deal.number"),
            (daily_game(player, number, "2026-03-02"), "deal.number"),
            (daily_game(player, number, "2026-02-29"), "deal.day"),
            (daily_game(player, number, "2019-12-31"), "deal.day"),
        ):
            refusal = refused(await player.ask(wrong))
            assert (refusal.error.code, refusal.error.field) == ("bad-deal", field)
            assert refused(await player.fetch(wrong.game)).error.code == "unknown-game"


async def test_without_a_dealer_no_day_is_confirmed_and_the_same_command_is_done_once_there_is_one(
    connect_as: ConnectAs, redis_as: RedisAs, log: Log, capsys: pytest.CaptureFixture[str]
) -> None:
    gateway = await connect_as("gateway")
    async with game_state(await connect_as("game-state"), await redis_as("game-state"), log):
        async with dealer(await connect_as("dealer"), log, pool_deals=0):
            number = await number_of(gateway)
        player = Player(gateway)
        command = daily_game(player, number)
        assert refused(await player.ask(command)).error.code == "unavailable"
        assert refused(await player.ask(command)).error.code == "unavailable"
        told = [one for one in capsys.readouterr().out.splitlines() if "day not confirmed" in one]
        assert len(told) == 1, "one warning for a command, however often it is sent"
        assert "code=unanswered" in told[0]
        assert "Unanswered(" not in told[0]
        accepted(await player.ask(player.start_command(number=number)))  # as any number it needs no dealer
        async with dealer(await connect_as("dealer"), log, pool_deals=0):
            accepted(await player.ask(command))
        assert accepted(await player.ask(command)).repeated
        assert fetched(await player.fetch(command.game)).view.version == 1


async def test_every_variant_that_is_played_alone_has_a_deal_of_the_day(
    connect_as: ConnectAs, log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the solver does not play the variant it is any deal, and says so."""
    async with dealer(await connect_as("dealer"), log, pool_deals=0):
        gateway = await connect_as("gateway")
        found = await daily(gateway, "spider-klondike", DAY)
        assert found == DailyDeal(variant="spider-klondike", day=DAY, number=20260301000, certified=False)
        for variant in ("vegas", "open"):
            certain = await daily(gateway, variant, DAY)
            assert isinstance(certain, DailyDeal)
            assert certain.certified
        monkeypatch.setitem(VARIANTS, "draw1", replace(VARIANTS["draw1"], players=2))
        refusal = await daily(gateway, "draw1", DAY)
        assert isinstance(refusal, RequestRefused)
        assert (refusal.error.code, refusal.error.field) == ("bad-request", "variant")


async def test_a_day_that_is_played_comes_into_the_players_calendar(
    connect_as: ConnectAs, redis_as: RedisAs, log: Log
) -> None:
    gateway, today = await connect_as("gateway"), date_of(clock.now_ms())
    month = f"{today:%Y-%m}"
    async with (
        dealer(await connect_as("dealer"), log, pool_deals=0),
        game_state(await connect_as("game-state"), await redis_as("game-state"), log),
        serving(run_scoring, "scoring", ScoringSettings(), await connect_as("scoring"), log, await redis_as("scoring")),
    ):
        player = Player(gateway)

        async def calendar() -> Calendar | RequestRefused:
            request = encode(FetchCalendar(player=player.id, variant="draw1"))
            reply = await gateway.request(subjects.CALENDARS, request, timeout=ANSWER_SECONDS)
            return msgspec.msgpack.decode(reply.data, type=Calendar | RequestRefused)

        for day in (str(today), str(today + timedelta(days=1))):
            accepted(await player.ask(daily_game(player, await number_of(gateway, day=day), day)))
            if day == str(today):
                await player.play("draw")

        async def played() -> bool:
            answer = await calendar()
            return isinstance(answer, Calendar) and bool(answer.days)

        await soon(played)
        assert await calendar() == Calendar(
            player=player.id, variant="draw1", month=month, days=(DayResult(day=str(today), won=False),)
        )
