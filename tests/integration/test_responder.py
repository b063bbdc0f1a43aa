"""Answering requests over a real server: each one, in its own time, whatever happens."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from typing import cast

import msgspec
import pytest
import structlog
from nats.aio.client import Client
from structlog.testing import capture_logs

from shared import subjects
from shared.bus import responder
from shared.bus.responder import Endpoint, Responder, serve
from shared.logs import CORRELATION
from shared.messages.answers import RequestRefused
from shared.messages.codec import encode
from shared.messages.errors import Error
from tests.conftest import ConnectAs

SUBJECT = subjects.STATISTICS
PATIENCE_SECONDS = 20.0

Handler = Callable[[bytes, Mapping[str, str]], Awaitable[bytes]]
Serve = Callable[[Handler], Awaitable[Responder]]


def refusal(error: Error) -> bytes:
    return encode(RequestRefused(error=error))


def refused(payload: bytes) -> Error:
    return msgspec.msgpack.decode(payload, type=RequestRefused).error


async def echo(payload: bytes, _headers: Mapping[str, str]) -> bytes:
    return payload


@pytest.fixture
async def serving(connect_as: ConnectAs) -> AsyncIterator[Serve]:
    """Starts an endpoint; stops it at the end."""
    started: list[Responder] = []

    async def start(handler: Handler) -> Responder:
        one = await serve(
            await connect_as("scoring"),
            name="under-test",
            version="1.2.3",
            description="under test",
            endpoints=[Endpoint("echo", SUBJECT, "group", handler)],
            refusal=refusal,
        )
        started.append(one)
        return one

    yield start
    for one in started:
        await one.stop()


@pytest.fixture
async def asker(connect_as: ConnectAs) -> Client:
    return await connect_as("gateway")


async def ask(asker: Client, payload: bytes, headers: dict[str, str] | None = None) -> bytes:
    return (await asker.request(SUBJECT, payload, timeout=PATIENCE_SECONDS, headers=headers)).data


async def test_a_slow_request_holds_up_no_other(serving: Serve, asker: Client) -> None:
    release = asyncio.Event()

    async def handler(payload: bytes, _headers: Mapping[str, str]) -> bytes:
        if payload == b"slow":
            await release.wait()
        return payload

    await serving(handler)
    slow = asyncio.create_task(ask(asker, b"slow"))
    assert await ask(asker, b"quick") == b"quick"
    assert not slow.done()
    release.set()
    assert await slow == b"slow"


async def test_a_handler_that_fails_is_logged_and_answered(serving: Serve, asker: Client) -> None:
    async def handler(_payload: bytes, _headers: Mapping[str, str]) -> bytes:
        raise RuntimeError("a bug")

    await serving(handler)
    with capture_logs() as lines:
        error = refused(await ask(asker, b"x"))
    assert error.code == "internal"
    assert "a bug" not in error.text + error.fix
    assert [line["event"] for line in lines if line["log_level"] == "error"] == ["request failed"]


async def test_the_correlation_id_of_a_request_is_on_what_its_handler_logs_and_on_no_other(
    serving: Serve, asker: Client
) -> None:
    async def handler(_payload: bytes, _headers: Mapping[str, str]) -> bytes:
        await asyncio.sleep(0)
        return encode(structlog.contextvars.get_contextvars())

    await serving(handler)
    ids = [f"id-{number}" for number in range(20)]
    answers = await asyncio.gather(*(ask(asker, b"", {subjects.CORRELATION_HEADER: one}) for one in ids))
    assert [msgspec.msgpack.decode(answer) for answer in answers] == [{CORRELATION: one} for one in ids]
    assert msgspec.msgpack.decode(await ask(asker, b"")) == {}


async def test_no_more_requests_run_at_once_than_the_limit_and_what_cannot_wait_is_refused(
    serving: Serve, asker: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(responder, "RUNNING_MAX", 2)
    monkeypatch.setattr(responder, "WAITING_MAX", 3)
    release, running = asyncio.Event(), 0

    async def handler(payload: bytes, _headers: Mapping[str, str]) -> bytes:
        nonlocal running
        running += 1
        await release.wait()
        return payload

    await serving(handler)
    asked = [asyncio.create_task(ask(asker, b"%d" % number)) for number in range(8)]
    done, _ = await asyncio.wait(asked, return_when=asyncio.FIRST_COMPLETED, timeout=PATIENCE_SECONDS)
    assert {refused(one.result()).code for one in done} == {"unavailable"}
    assert running == 2
    release.set()
    answers = await asyncio.gather(*asked)
    assert answers[:5] == [b"%d" % number for number in range(5)]
    assert [refused(answer).code for answer in answers[5:]] == ["unavailable"] * 3


async def test_a_request_that_is_too_large_is_refused_without_its_handler(serving: Serve, asker: Client) -> None:
    await serving(echo)
    largest = b"x" * responder.REQUEST_BYTES_MAX
    assert await ask(asker, largest) == largest
    assert refused(await ask(asker, largest + b"x")).code == "bad-request"


async def test_stopping_answers_every_request_that_was_taken(serving: Serve, asker: Client) -> None:
    begun = asyncio.Event()
    release = asyncio.Event()

    async def handler(payload: bytes, _headers: Mapping[str, str]) -> bytes:
        begun.set()
        await release.wait()
        return payload

    one = await serving(handler)
    asked = [asyncio.create_task(ask(asker, b"%d" % number)) for number in range(10)]
    await begun.wait()
    stopping = asyncio.create_task(one.stop())
    asyncio.get_running_loop().call_soon(release.set)
    await stopping
    assert await asyncio.gather(*asked) == [b"%d" % number for number in range(10)]


async def test_two_instances_share_the_requests_and_each_is_answered_once(serving: Serve, asker: Client) -> None:
    taken: list[bytes] = []

    async def handler(payload: bytes, _headers: Mapping[str, str]) -> bytes:
        taken.append(payload)
        return payload

    await serving(handler)
    await serving(handler)
    payloads = [b"%d" % number for number in range(50)]
    assert await asyncio.gather(*(ask(asker, payload) for payload in payloads)) == payloads
    assert sorted(taken) == sorted(payloads)


async def test_the_service_tells_what_it_is_and_how_its_handlers_do(
    serving: Serve, asker: Client, connect_as: ConnectAs
) -> None:
    async def handler(payload: bytes, headers: Mapping[str, str]) -> bytes:
        if payload == b"bad":
            raise RuntimeError("a bug")
        return await echo(payload, headers)

    await serving(handler)
    for payload in (b"good", b"bad", b"good"):
        await ask(asker, payload)
    operator = await connect_as("auditor")
    told = [
        cast("dict[str, object]", json.loads((await operator.request(f"$SRV.{verb}.under-test", timeout=5)).data))
        for verb in ("PING", "INFO", "STATS")
    ]
    assert [(one["name"], one["version"]) for one in told] == [("under-test", "1.2.3")] * 3
    (endpoint,) = cast("list[dict[str, object]]", told[2]["endpoints"])
    assert (endpoint["subject"], endpoint["queue_group"]) == (SUBJECT, "group")
    assert (endpoint["num_requests"], endpoint["num_errors"]) == (3, 1)
    assert endpoint["last_error"] == "RuntimeError('a bug')"
    assert cast(int, endpoint["average_processing_time"]) > 0
