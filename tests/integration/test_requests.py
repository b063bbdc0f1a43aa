"""Asking until there is an answer: the same bytes, and an outcome that says what is known."""

import asyncio

import pytest
from nats.aio.client import Client
from nats.aio.msg import Msg

from shared import subjects
from shared.backoff import Backoff
from shared.bus.requests import Requests, Unanswered
from tests.conftest import ConnectAs
from tests.integration.game_state import soon
from tests.servers import Servers

SUBJECT = subjects.STATISTICS
FAST = Backoff(first_seconds=0.01, most_seconds=0.05)


@pytest.fixture
async def asker(connect_as: ConnectAs) -> Client:
    return await connect_as("gateway")


@pytest.fixture
async def answerer(connect_as: ConnectAs) -> Client:
    return await connect_as("scoring")


async def ask(
    asker: Client, *, attempt: float = 0.1, deadline: float = 5.0, unsettled: bytes = b""
) -> bytes | Unanswered:
    return await Requests(asker, lambda: 0.5, FAST).ask(
        SUBJECT,
        b"question",
        decode=bytes,
        settled=lambda answer: answer != unsettled,
        correlation="the-id",
        attempt_seconds=attempt,
        deadline_seconds=deadline,
    )


class Answerer:
    """Answers each attempt with the next of its answers; `None` is silence."""

    def __init__(self, *answers: bytes | None) -> None:
        self.left = list(answers)
        self.asked: list[Msg] = []

    async def take(self, message: Msg) -> None:
        self.asked.append(message)
        answer = self.left.pop(0) if self.left else None
        if answer is not None:
            await message.respond(answer)


async def answering(client: Client, *answers: bytes | None) -> Answerer:
    made = Answerer(*answers)
    await client.subscribe(SUBJECT, cb=made.take)
    await client.flush()
    return made


async def connected(expected: bool, *clients: Client) -> bool:
    return all(client.is_connected is expected for client in clients)


async def test_silence_is_asked_again_with_the_same_bytes_and_the_same_id(asker: Client, answerer: Client) -> None:
    taken = await answering(answerer, None, None, b"at last")
    assert await ask(asker) == b"at last"
    assert [message.data for message in taken.asked] == [b"question"] * 3
    assert {(message.headers or {})[subjects.CORRELATION_HEADER] for message in taken.asked} == {"the-id"}


async def test_an_answer_that_settles_nothing_is_asked_for_again(asker: Client, answerer: Client) -> None:
    await answering(answerer, b"later", b"later", b"now")
    assert await ask(asker, unsettled=b"later") == b"now"


async def test_when_time_is_up_an_unsettled_answer_is_the_answer(asker: Client, answerer: Client) -> None:
    await answering(answerer, *[b"later"] * 100)
    assert await ask(asker, unsettled=b"later", attempt=2, deadline=0.5) == b"later"


async def test_one_attempt_that_may_have_arrived_leaves_the_outcome_unknown(asker: Client, answerer: Client) -> None:
    """Even when a later attempt was answered by "not now": the first may be done yet."""
    await answering(answerer, None, *[b"later"] * 100)
    assert await ask(asker, unsettled=b"later", deadline=0.6) is Unanswered.UNKNOWN


async def test_what_nobody_heard_was_not_done(asker: Client) -> None:
    assert await ask(asker, attempt=2, deadline=1) is Unanswered.NOT_SENT


async def test_without_a_connection_nothing_is_sent_then_or_later(
    asker: Client, answerer: Client, servers: Servers
) -> None:
    servers.kill_nats()
    await soon(lambda: connected(False, asker))
    assert await ask(asker, deadline=0.2) is Unanswered.NOT_SENT
    servers.start_nats()
    await soon(lambda: connected(True, asker, answerer))
    taken = await answering(answerer, b"first")
    assert await ask(asker) == b"first"
    assert len(taken.asked) == 1


async def test_a_cancellation_that_comes_in_the_same_turn_as_the_answer_is_not_lost(
    asker: Client, answerer: Client
) -> None:
    """Else a task that asks for ever could not be ended."""
    waiting: list[Msg] = []

    async def hold(message: Msg) -> None:
        waiting.append(message)

    await answerer.subscribe(SUBJECT, cb=hold)
    await answerer.flush()
    task = asyncio.ensure_future(ask(asker, attempt=5))

    async def asked() -> bool:
        return bool(waiting)

    await soon(asked)
    (answer,) = asker._resp_map.values()
    answer.add_done_callback(lambda _: task.cancel())
    await waiting[0].respond(b"answer")
    with pytest.raises(asyncio.CancelledError):
        await task
