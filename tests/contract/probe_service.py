"""A service that does what it is told by its environment: for the tests of the skeleton."""

import asyncio
import os

from shared.service import ServiceContext, main
from shared.settings import ScoringSettings, SettingsError


async def run(context: ServiceContext[ScoringSettings]) -> None:
    """Ready at once; then as PROBE says."""
    match os.environ["PROBE"]:
        case "crash":
            raise RuntimeError("a bug")
        case "refuse":
            raise SettingsError("KLONDIKE_PROBE is 'x', which does not do")
        case "hang":
            context.ready()
            await asyncio.Event().wait()
        case "serve":
            await context.redis.ping()
            context.ready()
            await context.stopping.wait()
            context.log.info("finishing", connected=context.nats.is_connected)
            context.log.info("finished")
        case other:
            raise AssertionError(other)


if __name__ == "__main__":
    main("scoring", ScoringSettings, run)
