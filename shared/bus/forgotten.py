"""Whether a player was deleted: the word about that is kept for good, in a stream of its own."""

from nats.aio.client import Client

from shared import subjects
from shared.bus.direct_get import read_newest
from shared.messages.base import PlayerId


async def is_forgotten(nc: Client, player: PlayerId) -> bool:
    """Whether the word is there that a player is forgotten.

    Raises:
        LogUnavailableError: it cannot be read now.
    """
    return await read_newest(nc, subjects.FORGOTTEN_STREAM, subjects.forgotten(player)) is not None
