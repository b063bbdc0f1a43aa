"""Asks the servers and the services, as the auditor, who may read and nothing else."""

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator
from typing import Final, TypeVar

import msgspec
import nats.errors
from nats.aio.client import Client
from nats.js import JetStreamContext
from nats.js.errors import NotFoundError

from services.cli.reporting.overview import Dead, Letter, Line, Overview, Service
from shared import subjects
from shared.messages.workers import (
    DEALER_ENDPOINT,
    DEALER_SERVICE,
    WORKER_ENDPOINT,
    WORKER_SERVICE,
    DealerReport,
    WorkerReport,
)

ASK_ALL: Final = "$SRV.STATS"
ANSWERS_SECONDS: Final = 1.0
"""How long the first answer is waited for."""
QUIET_SECONDS: Final = 0.25
"""When nobody has answered for so long, all have."""
TIME_HEADER: Final = "Nats-Time-Stamp"

Report = TypeVar("Report", WorkerReport, DealerReport)


class _Endpoint(msgspec.Struct):
    name: str
    data: msgspec.Raw = msgspec.Raw(b"null")


class _Stats(msgspec.Struct):
    """What the micro protocol says of an instance, as far as it is used."""

    name: str
    version: str
    endpoints: tuple[_Endpoint, ...] = ()


_stats_decoder: Final = msgspec.json.Decoder(_Stats)


async def overview(client: Client, *, letters_max: int) -> Overview:
    """Asks for everything.

    Raises:
        nats.errors.Error, nats.js.errors.Error: the server does not answer.
    """
    jetstream = client.jetstream()
    answers = [answer async for answer in _answers(client)]
    return Overview(
        services=_services(answers),
        queue=await _queue(jetstream),
        workers=_reports(answers, WORKER_SERVICE, WORKER_ENDPOINT, WorkerReport),
        dealers=_reports(answers, DEALER_SERVICE, DEALER_ENDPOINT, DealerReport),
        dead=await _dead(jetstream, letters_max),
    )


async def _answers(client: Client) -> AsyncIterator[_Stats]:
    """Of all instances of all services. An answer that is not as it should be is skipped."""
    inbox = client.new_inbox()
    subscription = await client.subscribe(inbox)
    await client.publish(ASK_ALL, reply=inbox)
    seconds = ANSWERS_SECONDS
    while True:
        try:
            message = await subscription.next_msg(seconds)
        except nats.errors.TimeoutError:
            break
        seconds = QUIET_SECONDS
        if not message.headers:  # else it says that there is nobody
            try:
                yield _stats_decoder.decode(message.data)
            except msgspec.DecodeError:
                continue
    await subscription.unsubscribe()


def _services(answers: list[_Stats]) -> tuple[Service, ...]:
    versions: defaultdict[str, list[str]] = defaultdict(list)
    for answer in answers:
        versions[answer.name].append(answer.version)
    return tuple(
        Service(name=name, versions=tuple(sorted(set(found))), instances=len(found))
        for name, found in sorted(versions.items())
    )


def _reports(answers: list[_Stats], service: str, endpoint: str, form: type[Report]) -> tuple[Report, ...]:
    """What the instances of a service report of themselves."""
    found = (
        msgspec.json.decode(one.data, type=form)
        for answer in answers
        if answer.name == service
        for one in answer.endpoints
        if one.name == endpoint
    )
    return tuple(sorted(found, key=lambda report: report.instance))


async def _queue(jetstream: JetStreamContext) -> tuple[Line, ...]:
    try:
        return tuple([await _line(jetstream, priority) for priority in subjects.PRIORITIES])
    except NotFoundError:
        return ()


async def _line(jetstream: JetStreamContext, priority: subjects.Priority) -> Line:
    found = await jetstream.consumer_info(subjects.JOB_STREAM, subjects.job_consumer(priority))
    return Line(
        priority=priority,
        waiting=found.num_pending or 0,
        in_progress=found.num_ack_pending or 0,
        redelivered=found.num_redelivered or 0,
    )


async def _dead(jetstream: JetStreamContext, letters_max: int) -> Dead:
    try:
        state = (await jetstream.stream_info(subjects.DEAD_STREAM)).state
    except NotFoundError:
        return Dead(count=0, newest=())
    newest = range(state.last_seq, max(state.first_seq, state.last_seq - letters_max + 1) - 1, -1)
    letters = [await _letter(jetstream, sequence) for sequence in newest] if state.messages else []
    return Dead(count=state.messages, newest=tuple(letters))


async def _letter(jetstream: JetStreamContext, sequence: int) -> Letter:
    message = await jetstream.get_msg(subjects.DEAD_STREAM, sequence)
    headers = message.headers or {}
    return Letter(
        kind=(message.subject or "").rpartition(".")[2],
        at=message.time.isoformat(timespec="seconds") if message.time else "",
        reason=headers.get(subjects.REASON_HEADER, ""),
        correlation=headers.get(subjects.CORRELATION_HEADER, ""),
    )


async def gathered(client: Client, *, letters_max: int, timeout_seconds: float) -> Overview:
    """`overview`, in bounded time.

    Raises:
        TimeoutError: the server takes too long.
    """
    async with asyncio.timeout(timeout_seconds):
        return await overview(client, letters_max=letters_max)
