"""Any service inside the test's loop, on real servers."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TypeVar

from nats.aio.client import Client

from shared import clock
from shared.bus.redis_connection import Redis
from shared.logs import Log
from shared.service import Run, ServiceContext
from shared.settings import Role, ServiceSettings
from shared.traffic import Traffic

Settings = TypeVar("Settings", bound=ServiceSettings)


async def compiled_in_time(_log: Log) -> None:
    """In place of `shared.warming.warmed`: here kernels are loaded by who needs them first."""


@dataclass(frozen=True)
class Life:
    """Of one instance: whether it is ready, and whether it is to stop."""

    ready: asyncio.Event = field(default_factory=asyncio.Event)
    stopping: asyncio.Event = field(default_factory=asyncio.Event)

    def context(
        self, role: Role, settings: Settings, nc: Client, log: Log, redis: Redis | None = None
    ) -> ServiceContext[Settings]:
        """What the skeleton of a service gives it."""
        return ServiceContext(
            settings=settings,
            role=role,
            instance=clock.random_bytes(6).hex(),
            nats=nc,
            log=log,
            traffic=Traffic(log),
            stopping=self.stopping,
            ready=self.ready.set,
            redis_or_none=redis,
        )


@asynccontextmanager
async def serving(
    run: Run[Settings], role: Role, settings: Settings, nc: Client, log: Log, redis: Redis | None = None
) -> AsyncIterator[None]:
    """One instance, from when it is ready until the block ends."""
    life = Life()
    work = asyncio.ensure_future(run(life.context(role, settings, nc, log, redis)))
    waiting = asyncio.ensure_future(life.ready.wait())
    await asyncio.wait({work, waiting}, return_when=asyncio.FIRST_COMPLETED)
    waiting.cancel()
    if work.done():
        work.result()
    try:
        yield
    finally:
        life.stopping.set()
        await work
