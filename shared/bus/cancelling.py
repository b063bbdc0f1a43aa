"""A request whose cancellation is never lost.

`asyncio.wait_for` of Python 3.11, by which nats-py waits for an answer, gives an answer that came in the same turn as a
cancellation, and drops the cancellation. A task that asks for ever would then go on for ever, and who waits for its end
with it.
"""

import asyncio

from nats.aio.client import Client
from nats.aio.msg import Msg


async def request(
    client: Client, subject: str, message: bytes, *, seconds: float, headers: dict[str, str] | None = None
) -> Msg:
    """The answer to a message, as `Client.request` gives it.

    Raises:
        CancelledError: the task was cancelled meanwhile, answer or not.
    """
    task = asyncio.current_task()
    before = task.cancelling() if task else 0
    answer = await client.request(subject, message, timeout=seconds, headers=headers)
    if task and task.cancelling() > before:
        raise asyncio.CancelledError
    return answer
