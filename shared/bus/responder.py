"""The answering side of request/reply, as services that describe themselves by the NATS micro protocol.

Every request is answered: by its handler, or with a refusal when the handler fails or too much is waiting already.
"""

import asyncio
import functools
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeVar

import msgspec
import nats.errors
import nats.micro
import structlog
from nats.aio.client import Client
from nats.micro.request import Request
from nats.micro.service import EndpointStats, Service

from shared.logs import CORRELATION
from shared.messages.codec import bad_input, encode
from shared.messages.errors import Error
from shared.subjects import CORRELATION_HEADER

RUNNING_MAX: Final = 256
"""Requests of one process whose handlers run at the same time."""
WAITING_MAX: Final = 4096
"""Requests that wait for one of those; one more is refused at once."""
REQUEST_BYTES_MAX: Final = 64 * 1024
CORRELATION_LENGTH_MAX: Final = 64
DRAIN_SECONDS_MAX: Final = 5.0
"""How long a stop waits for requests that were already taken."""

TOO_MANY: Final = Error(
    code="unavailable", text="The service has too many requests waiting.", fix="Send the same request again later."
)
TOO_LARGE: Final = Error(
    code="bad-request", text=f"The request has more than {REQUEST_BYTES_MAX} bytes.", fix="Send a smaller request."
)
FAILED: Final = Error(
    code="internal",
    text="The service failed while it worked on the request.",
    fix="Send the same request again; the log has the reason under its correlation id.",
)

Question = TypeVar("Question")

Handler = Callable[[bytes, Mapping[str, str]], Awaitable[bytes]]
"""Payload and headers to the answer's payload. It must answer bad input with a value; what it raises is a bug."""
Refusal = Callable[[Error], bytes]
"""The endpoint family's own form of a refusal."""

_log: Final = structlog.stdlib.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One subject that is answered, shared by all that are in the same queue group."""

    name: str
    subject: str
    queue_group: str
    handler: Handler
    report: Callable[[], msgspec.Struct] | None = None
    """What the endpoint tells of itself as the data of its statistics."""


@dataclass(slots=True)
class _Tally:
    """What the micro protocol tells about an endpoint, measured around the handler itself."""

    failures: int = 0
    finished: int = 0
    nanoseconds: int = 0
    last_failure: str = ""

    def fill(self, stats: EndpointStats) -> None:
        """nats-py times its own callback, which here only starts a task: put in what was measured instead."""
        stats.num_errors = self.failures
        stats.last_error = self.last_failure
        stats.processing_time = self.nanoseconds
        stats.average_processing_time = self.nanoseconds // max(self.finished, 1)


@dataclass(slots=True)
class Responder:
    """Running endpoints. Whoever started them calls `stop` before the connection is closed."""

    service: Service
    refusal: Refusal
    tallies: dict[str, _Tally]
    slots: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(RUNNING_MAX))
    requests: set[asyncio.Task[None]] = field(default_factory=set)

    async def stop(self) -> None:
        """Stop taking requests, then wait for the answers of those already taken."""
        try:
            async with asyncio.timeout(DRAIN_SECONDS_MAX):
                await _drain(self.service)
                if self.requests:
                    await asyncio.wait(self.requests)
                await self.service.stop()
        except (TimeoutError, nats.errors.Error) as error:
            _log.warning("requests not drained", reason=str(error) or "time is up", left=len(self.requests))
            for request in self.requests:
                request.cancel()

    async def take(self, endpoint: Endpoint, request: Request) -> None:
        """Start a task for a request, so that one slow request holds up no other."""
        if len(self.requests) >= RUNNING_MAX + WAITING_MAX:
            await _respond(request, self.refusal(TOO_MANY))
            return
        task = asyncio.create_task(self._answer(endpoint, request), name=f"{endpoint.name} request")
        self.requests.add(task)
        task.add_done_callback(self.requests.discard)

    async def _answer(self, endpoint: Endpoint, request: Request) -> None:
        headers = request.headers or {}
        correlation = headers.get(CORRELATION_HEADER, "")[:CORRELATION_LENGTH_MAX]
        with structlog.contextvars.bound_contextvars(**({CORRELATION: correlation} if correlation else {})):
            async with self.slots:
                payload = await self._handle(endpoint, request.data, headers)
            await _respond(request, payload)

    async def _handle(self, endpoint: Endpoint, payload: bytes, headers: Mapping[str, str]) -> bytes:
        if len(payload) > REQUEST_BYTES_MAX:
            return self.refusal(TOO_LARGE)
        tally = self.tallies[endpoint.name]
        started = time.perf_counter_ns()
        try:
            return await endpoint.handler(payload, headers)
        except Exception as error:  # noqa: BLE001 - the edge of the process: a bug is logged, the asker gets an answer
            tally.failures += 1
            tally.last_failure = repr(error)
            _log.exception("request failed", endpoint=endpoint.name)
            return self.refusal(FAILED)
        finally:
            tally.finished += 1
            tally.nanoseconds += time.perf_counter_ns() - started


def decoding(
    what: str,
    decoder: "msgspec.msgpack.Decoder[Question]",
    handle: Callable[[Question], Awaitable[object]],
    refusal: Refusal,
) -> Handler:
    """The handler of requests of one schema, whose answer is encoded; `what` names them where one is not understood."""

    async def answer(payload: bytes, _headers: Mapping[str, str]) -> bytes:
        try:
            request = decoder.decode(payload)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            return refusal(bad_input(error, what=what))
        return encode(await handle(request))

    return answer


async def _drain(service: Service) -> None:
    """Take no more requests, but every one that the server has already handed over."""
    for endpoint in service._endpoints:  # noqa: SLF001 - the library's own stop drops what was handed over
        await endpoint._subscription.drain()  # noqa: SLF001 - the same
    service._endpoints = []  # noqa: SLF001 - the same


async def _respond(request: Request, payload: bytes) -> None:
    try:
        await request.respond(payload)
    except ValueError:
        _log.warning("request without a reply subject", subject=request.subject)
    except nats.errors.Error as error:
        _log.warning("answer not sent", subject=request.subject, reason=str(error))


async def serve(
    nc: Client,
    *,
    name: str,
    version: str,
    description: str,
    endpoints: Sequence[Endpoint],
    refusal: Refusal,
) -> Responder:
    """Answer requests until `Responder.stop`. `nats micro ls`, `info` and `stats` find the service under `name`."""
    tallies = {endpoint.name: _Tally() for endpoint in endpoints}
    reports = {endpoint.name: endpoint.report for endpoint in endpoints if endpoint.report}

    def told(stats: EndpointStats) -> object:
        tallies[stats.name].fill(stats)
        return msgspec.to_builtins(reports[stats.name]()) if stats.name in reports else None

    service = await nats.micro.add_service(
        nc,
        name=name,
        version=version,
        description=description,
        stats_handler=told,
    )
    responder = Responder(service, refusal, tallies)
    for endpoint in endpoints:
        await service.add_endpoint(
            name=endpoint.name,
            subject=endpoint.subject,
            queue_group=endpoint.queue_group,
            handler=functools.partial(responder.take, endpoint),
        )
    # nats-py writes a ping ahead of the subscriptions that wait in its buffer: only the second one comes after them.
    await nc.flush()
    await nc.flush()
    return responder
