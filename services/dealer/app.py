"""The dealer put together: a pool, verdicts, and the endpoints that they are asked by."""

import asyncio
from collections.abc import Callable
from contextlib import AsyncExitStack
from typing import Final

import msgspec

from services.dealer.daily import Daily
from services.dealer.histories import Histories
from services.dealer.imports import Imports
from services.dealer.lane import BusyError, Lane
from services.dealer.pool import Pool
from services.dealer.verdicts import Verdicts
from shared import clock, subjects
from shared.bus.requests import Requests
from shared.bus.responder import Endpoint, decoding, serve
from shared.game.refusals import refused
from shared.messages.answers import RequestRefused
from shared.messages.codec import encode
from shared.messages.dealer import (
    FetchDaily,
    FetchVerdict,
    ImportRequest,
    TakeWinnable,
    WinnableAnswer,
    WinnableSecret,
)
from shared.messages.errors import Error
from shared.messages.workers import DEALER_ENDPOINT, DEALER_SERVICE, DealerReport
from shared.rules.variants import VARIANTS
from shared.service import ServiceContext
from shared.settings import DealerSettings
from shared.solver.winnable import certifiable
from shared.warming import Warm, warmed

QUEUE_GROUP: Final = "dealer"

_taking: Final = msgspec.msgpack.Decoder(TakeWinnable)
_days: Final = msgspec.msgpack.Decoder(FetchDaily)
_importing: Final = msgspec.msgpack.Decoder(ImportRequest)
_asking: Final = msgspec.msgpack.Decoder(FetchVerdict)


async def run(context: ServiceContext[DealerSettings], warm: Warm = warmed) -> None:
    """Serves until told to stop. A search that is under way then is cut short; before `warm` is over, none begins."""
    loaded = asyncio.Event()
    async with AsyncExitStack() as open_lanes:
        lanes = filling, asked, dating, judging = tuple(
            Lane(name, loaded.is_set) for name in ("filling", "asked", "dating", "judging")
        )
        for lane in lanes:
            open_lanes.push_async_callback(lane.close)
        variants = [variant for variant in VARIANTS.values() if certifiable(variant)]
        pool = Pool(variants, context.settings.pool_deals, clock.random_bytes, filling=filling, asked=asked)
        daily = Daily(variants, dating, clock.now_ms)
        verdicts = Verdicts(Histories(Requests(context.nats, clock.jitter)), judging)

        def report() -> DealerReport:
            return DealerReport(
                instance=context.instance,
                warm=loaded.is_set(),
                ready=pool.ready,
                pool=context.settings.pool_deals,
                searches={lane.name: lane.searches for lane in lanes},
            )

        responder = await serve(
            context.nats,
            name=DEALER_SERVICE,
            version="1.0.0",
            description="Deals that can be won, and verdicts on games that are over",
            endpoints=endpoints(pool, daily, verdicts, report),
            refusal=_refusal,
        )
        context.ready()

        async def fill() -> None:
            await warm(context.log)
            loaded.set()
            await pool.fill()

        await context.until_stopped(asyncio.create_task(fill()))  # a bug there ends the process
        await judging.close()
        await responder.stop()
        await verdicts.close()


def endpoints(pool: Pool, daily: Daily, verdicts: Verdicts, report: Callable[[], DealerReport]) -> list[Endpoint]:
    """What the dealer answers on the bus."""

    async def take(request: TakeWinnable) -> WinnableAnswer:
        if not pool.offers(request.variant):
            return RequestRefused(error=refused("winnable-not-offered"))
        try:
            secret = await pool.take(request.variant, request.player_seed)
        except BusyError:
            secret = None
        if secret is None:
            return RequestRefused(error=refused("no-winnable-deal"))
        return WinnableSecret(secret=secret.hex())

    taken = decoding("request for a deal", _taking, take, _refusal)
    dated = decoding("daily request", _days, daily.answer, _refusal)
    judged = decoding("verdict request", _asking, verdicts.answer, _refusal)
    imported = decoding("game from a file", _importing, Imports(verdicts).answer, _refusal)
    return [
        Endpoint(DEALER_ENDPOINT, subjects.WINNABLE_SECRETS, QUEUE_GROUP, taken, report),
        Endpoint("daily", subjects.DAILY_DEALS, QUEUE_GROUP, dated),
        Endpoint("verdict", subjects.VERDICTS, QUEUE_GROUP, judged),
        Endpoint("import", subjects.IMPORTS, QUEUE_GROUP, imported),
    ]


def _refusal(error: Error) -> bytes:
    return encode(RequestRefused(error=error))
