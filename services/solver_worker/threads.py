"""Searches run beside the event loop, and a process does not wait for one that it has given up."""

import asyncio
import contextvars
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

Result = TypeVar("Result")


async def beside(call: Callable[[], Result], name: str) -> Result:
    """What a call in a thread of its own gives. Unlike one of `asyncio.to_thread`, the thread ends with the process."""
    loop = asyncio.get_running_loop()
    outcome: asyncio.Future[Result] = loop.create_future()

    def tell(result: Result | None, error: BaseException | None) -> None:
        if outcome.cancelled():
            return
        if error is not None:
            outcome.set_exception(error)
        else:
            outcome.set_result(result)  # type: ignore[arg-type] # there is a result where there is no error

    def run() -> None:
        result, failure = None, None
        try:
            result = call()
        except Exception as error:  # noqa: BLE001 - raised again where it is awaited
            failure = error
        with suppress(RuntimeError):  # the loop is closed: nobody waits any more
            loop.call_soon_threadsafe(tell, result, failure)

    context = contextvars.copy_context()
    threading.Thread(target=context.run, args=(run,), name=name, daemon=True).start()
    return await outcome
