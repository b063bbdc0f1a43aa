"""What a scoring process does: answer requests, and keep the projections up with the log."""

import asyncio
from importlib.metadata import version

from services.scoring.forgetting import Forgetting
from services.scoring.profiles import Profiles
from services.scoring.projector import Projector, end
from services.scoring.queries import Queries, refusal, unread
from services.scoring.store import Store
from shared import DISTRIBUTION, clock
from shared.bus.responder import serve
from shared.service import ServiceContext
from shared.settings import ScoringSettings


async def run(context: ServiceContext[ScoringSettings]) -> None:
    """Serve until told to stop. Requests that were taken are answered; the projector stops where it is."""
    queries = Queries(context.redis, clock.now_ms)
    profiles = Profiles(context.nats, context.redis, clock.jitter, clock.random_bytes, clock.now_ms)
    forgetting = Forgetting(context.nats, context.redis, profiles, clock.jitter, clock.now_ms)
    responder = await serve(
        context.nats,
        name=context.role,
        version=version(DISTRIBUTION),
        description="Statistics, rankings, running games and settings of players",
        endpoints=[*queries.endpoints(), forgetting.endpoint(unread), profiles.endpoint(unread)],
        refusal=refusal,
    )
    context.ready()
    projector = Projector(context.nats, Store(context.redis), context.log)
    try:
        await _until_stopped(context, projector)
    finally:
        await responder.stop()


async def _until_stopped(context: ServiceContext[ScoringSettings], projector: Projector) -> None:
    """Whatever work fails for good ends the process with its reason."""
    working = [asyncio.create_task(projector.run())]
    if context.settings.rebuild:
        working.append(asyncio.create_task(projector.rebuild_now()))
    stopped = asyncio.ensure_future(context.stopping.wait())
    try:
        waiting = {stopped, *working}
        while not stopped.done():
            done, waiting = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
    finally:
        stopped.cancel()
        for task in working:
            await end(task)
