"""The notary as a service: a checkpoint at intervals, and an answer to who asks for the newest."""

import asyncio
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path
from typing import Final

import msgspec
import nats.errors
from nats.js.errors import Error as JetStreamError

from services.notary.notary import Notary, OtherKeyError
from services.notary.records import GapError
from shared import DISTRIBUTION, clock, subjects
from shared.bus.direct_get import LogUnavailableError
from shared.bus.event_log import LogRefusedError
from shared.bus.responder import Endpoint, Handler, decoding, serve
from shared.checkpoints import BadCheckpointError, BadKeyError, load_key, published
from shared.messages.answers import RequestRefused
from shared.messages.checkpoint import CheckpointAnswer, FetchCheckpoint
from shared.messages.codec import encode
from shared.messages.errors import Error
from shared.service import ServiceContext
from shared.settings import NotarySettings, SettingsError

QUEUE_GROUP: Final = "notary"
RETRY_SECONDS: Final = 10.0
OUTAGE: Final = (LogUnavailableError, LogRefusedError, GapError, nats.errors.Error, JetStreamError, OSError)
NONE_YET: Final = Error(
    code="unavailable", text="There is no checkpoint yet.", fix="Ask again once a game has been played."
)
AWAY: Final = Error(code="unavailable", text="The checkpoints cannot be read now.", fix="Ask again in a moment.")

_fetches: Final = msgspec.msgpack.Decoder(FetchCheckpoint)


async def run(context: ServiceContext[NotarySettings]) -> None:
    """Signs until told to stop."""
    settings = context.settings
    try:
        key, made = load_key(Path(settings.checkpoint_key))
    except BadKeyError as error:
        raise SettingsError(f"KLONDIKE_CHECKPOINT_KEY: {error}") from None
    public = key.public_key().public_bytes_raw().hex()
    if made:
        context.log.warning(
            "made a new key for checkpoints: keep a copy of it", file=settings.checkpoint_key, key=public
        )
    notary = Notary(context.nats, key, context.log, now_ms=clock.now_ms, jitter=clock.jitter)
    responder = await serve(
        context.nats,
        name=context.role,
        version=version(DISTRIBUTION),
        description="Signed checkpoints over all games",
        endpoints=[Endpoint("newest", subjects.NEWEST_CHECKPOINT, QUEUE_GROUP, _handler(notary))],
        refusal=_refusal,
    )
    context.ready()
    context.log.info("signing checkpoints", key=public)
    new_key = settings.checkpoint_new_key
    while not context.stopping.is_set():
        pause = await _once(context, notary, new_key=new_key)
        new_key = False
        with suppress(TimeoutError):
            await asyncio.wait_for(context.stopping.wait(), pause)
    await responder.stop()


async def _once(context: ServiceContext[NotarySettings], notary: Notary, *, new_key: bool) -> float:
    """All checkpoints that are due. How many seconds to wait before the next look."""
    failure = ""
    try:
        made = await notary.run(new_key=new_key)
    except OUTAGE as error:
        context.log.warning("waiting, then signing again", reason=str(error) or type(error).__name__)
        return RETRY_SECONDS
    except (OtherKeyError, BadCheckpointError) as error:
        failure = str(error)
    else:
        if made:
            context.log.info("checkpoint signed", checkpoints=made)
    if failure:
        context.log.error("no checkpoint can be signed", reason=failure)
    return context.settings.checkpoint_every_minutes * 60


def _handler(notary: Notary) -> Handler:
    async def newest(_: FetchCheckpoint) -> CheckpointAnswer:
        try:
            stored = await notary.newest()
            return published(stored.data) if stored else RequestRefused(error=NONE_YET)
        except (LogUnavailableError, BadCheckpointError):
            return RequestRefused(error=AWAY)

    return decoding("checkpoint request", _fetches, newest, _refusal)


def _refusal(error: Error) -> bytes:
    return encode(RequestRefused(error=error))
