"""`klondike bench …` as a process of its own, run to its end."""

import asyncio
import sys
from collections.abc import Container

from tests.system.up_process import PATIENCE

BENCH_SECONDS = 100.0 * PATIENCE


async def run_bench(
    *arguments: str, seconds: float = BENCH_SECONDS, statuses: Container[int] = (0,)
) -> tuple[bytes, str]:
    """What a benchmark prints, and what it tells beside that. Fails unless it ends so, and in time."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "services.cli", "bench", *arguments),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    async with asyncio.timeout(seconds):
        printed, told = await process.communicate()
    assert process.returncode is not None
    assert process.returncode in statuses, told.decode()
    return printed, told.decode()
