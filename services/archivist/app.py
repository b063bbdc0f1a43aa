"""The archivist as a service: looks for what is due, again and again, never in the way of who plays."""

import asyncio
import os
from contextlib import suppress
from typing import Final

import nats.errors
from nats.js.errors import Error as JetStreamError

from services.archivist.archivist import Archivist, OtherArchivistError, PurgeRefusedError
from shared import clock
from shared.bus.direct_get import LogUnavailableError
from shared.bus.event_log import LogRefusedError
from shared.messages.archive import DamagedArchiveError
from shared.service import ServiceContext
from shared.settings import ArchivistSettings

NICENESS: Final = 10
DAY_MS: Final = 24 * 3600 * 1000
RETRY_SECONDS: Final = 30.0
OUTAGE: Final = (LogUnavailableError, LogRefusedError, OtherArchivistError, nats.errors.Error, JetStreamError, OSError)


async def run(context: ServiceContext[ArchivistSettings]) -> None:
    """Archives until told to stop. Stopped anywhere, it loses nothing, and the next run goes on from there."""
    with suppress(OSError):
        os.setpriority(os.PRIO_PROCESS, 0, NICENESS)
    archivist = Archivist(context.nats, jitter=clock.jitter, now_ms=clock.now_ms, name=f"archivist-{context.instance}")
    context.ready()
    stopped = asyncio.ensure_future(context.stopping.wait())
    while not stopped.done():
        working = asyncio.ensure_future(_once(context, archivist))
        await asyncio.wait({working, stopped}, return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            working.cancel()
        with suppress(asyncio.CancelledError):
            pause = await working
            await asyncio.wait({stopped}, timeout=pause)


async def _once(context: ServiceContext[ArchivistSettings], archivist: Archivist) -> float:
    """One run. How many seconds to wait before the next."""
    failure = ""
    try:
        outcome = await archivist.run(after_ms=round(context.settings.archive_after_days * DAY_MS))
    except OUTAGE as error:
        context.log.warning("waiting, then archiving again", reason=str(error) or type(error).__name__)
        return RETRY_SECONDS
    except (PurgeRefusedError, DamagedArchiveError) as error:
        failure = str(error)
    else:
        if outcome.games:
            context.log.info("archived", games=outcome.games, records=outcome.records, segments=outcome.segments)
    if failure:
        context.log.error("nothing can be archived", reason=failure)
    return context.settings.archive_every_minutes * 60
