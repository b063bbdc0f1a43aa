"""Searches run beside the event loop, and a process does not wait for one that it has given up."""

import asyncio
import contextvars
import functools
import threading
from collections.abc import Callable
from contextlib import suppress
from queue import SimpleQueue
from typing import Final, TypeVar

Result = TypeVar("Result")

NAME: Final = "search"


class Threads:
    """Threads that are started when they are needed and kept for the next call: starting one takes longer than a hint.

    Unlike those of `asyncio.to_thread`, they end with the process, whatever they are doing.
    """

    def __init__(self) -> None:
        self._idle: list[SimpleQueue[Callable[[], None]]] = []

    async def run(self, call: Callable[[], Result]) -> Result:
        """What a call in a thread gives. When its awaiter is cancelled, the call goes on, and nobody hears of it."""
        loop = asyncio.get_running_loop()
        outcome: asyncio.Future[Result] = loop.create_future()
        thread = self._idle.pop() if self._idle else _started()

        def tell(set_outcome: Callable[[], None]) -> None:
            self._idle.append(thread)
            if not outcome.done():
                set_outcome()

        def work() -> None:
            try:
                told = functools.partial(outcome.set_result, call())
            except Exception as error:  # noqa: BLE001 - raised again where it is awaited
                told = functools.partial(outcome.set_exception, error)
            with suppress(RuntimeError):  # the loop is closed: nobody waits any more
                loop.call_soon_threadsafe(tell, told)

        context = contextvars.copy_context()
        thread.put(lambda: context.run(work))
        return await outcome


def _started() -> SimpleQueue[Callable[[], None]]:
    """A new thread that does what is put into its queue, one after the other."""
    calls: SimpleQueue[Callable[[], None]] = SimpleQueue()

    def loop() -> None:
        while True:
            calls.get()()

    threading.Thread(target=loop, name=NAME, daemon=True).start()
    return calls
