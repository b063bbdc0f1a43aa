"""A call in a thread gives what it would give, and its thread serves the next one."""

import asyncio
import threading

import pytest

from shared.logs import correlated, correlation_id
from shared.threads import Threads


async def test_a_call_gives_its_result_or_raises_its_error() -> None:
    threads = Threads()
    assert await threads.run(lambda: 6 * 7) == 42
    with pytest.raises(ZeroDivisionError):
        await threads.run(lambda: 1 // 0)


async def test_calls_run_beside_the_loop_and_each_other() -> None:
    meet = threading.Barrier(2, timeout=10)
    threads = Threads()
    first, second = await asyncio.gather(*(threads.run(lambda: (meet.wait(), threading.get_ident())[1]) for _ in "ab"))
    assert len({first, second, threading.get_ident()}) == 3


async def test_a_thread_is_used_again_also_after_an_error() -> None:
    def failing() -> None:
        raise KeyError

    threads = Threads()
    idents = set()
    for _ in range(5):
        idents.add(await threads.run(threading.get_ident))
        with pytest.raises(KeyError):
            await threads.run(failing)
    assert len(idents) == 1


async def test_the_thread_of_a_call_that_was_given_up_is_free_when_the_call_ends_and_not_before() -> None:
    threads = Threads()
    may_end = threading.Event()
    given_up = asyncio.ensure_future(threads.run(lambda: (may_end.wait(10), threading.get_ident())[1]))
    await asyncio.sleep(0)
    given_up.cancel()
    other = await threads.run(threading.get_ident)
    assert len(threads._idle) == 1
    may_end.set()
    async with asyncio.timeout(10):
        while len(threads._idle) < 2:  # noqa: ASYNC110 - a thread that is free tells nobody
            await asyncio.sleep(0.001)
    assert await threads.run(threading.get_ident) != other
    assert given_up.cancelled()


async def test_the_correlation_id_goes_along() -> None:
    with correlated("the-command"):
        assert await Threads().run(correlation_id) == "the-command"


async def test_threads_do_not_keep_the_process_alive() -> None:
    threads = Threads()
    assert await threads.run(lambda: threading.current_thread().daemon)
