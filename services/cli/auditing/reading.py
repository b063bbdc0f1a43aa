"""What is stored of a game, fetched as the auditor: nothing is changed, nothing is judged."""

from typing import Final

import msgspec
import nats.errors
from nats.aio.client import Client
from redis.exceptions import RedisError

from services.cli.nats_client import clause
from shared import clock, subjects
from shared.bus.api_error import ApiError
from shared.bus.archive import Archive, message_of, stored_of
from shared.bus.direct_get import LogUnavailableError, Stored
from shared.bus.event_log import EventLog
from shared.bus.redis_connection import Redis
from shared.bus.snapshots import load_caches
from shared.game.audit import Message
from shared.messages.archive import Archived, DamagedArchiveError
from shared.messages.base import GameId

ANSWER_SECONDS: Final = 5.0
NO_SUCH_STREAM: Final = 10059


class UnreadableError(Exception):
    """Nothing can be said about the game: one line that says why, and what to do."""


class Kept(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that is stored of a game."""

    deals: list[Message]
    records: list[Message]
    counted: dict[str, int]
    """How many messages the server counts on the two subjects. It gives out fewer when some are damaged on disk."""
    holes: int
    """Messages that the stream has lost, of whatever game."""
    head: bytes | None
    snapshot: bytes | None
    archived: bool = False
    """Whether the game has left the log for the archive."""
    damage: str | None = None
    """What of the archive cannot be read that should hold the game."""


class _Lost(msgspec.Struct):
    msgs: list[int] | None = None


class _State(msgspec.Struct):
    messages: int = 0
    last_seq: int = 0
    lost: _Lost | None = None
    subjects: dict[str, int] | None = None


class _StreamInfo(msgspec.Struct):
    state: _State | None = None
    error: ApiError | None = None


_infos: Final = msgspec.json.Decoder(_StreamInfo)


async def read_kept(nc: Client, redis: Redis, game: GameId) -> Kept:
    """Reads Redis first: a running game's log then holds at least what the head names.

    Raises:
        UnreadableError: a server cannot be asked, or knows no such game.

    """
    try:
        head, snapshot = await load_caches(redis, game)
    except (RedisError, OSError) as error:
        raise UnreadableError(f"Redis cannot be read: {clause(error)}. Try again.") from None
    try:
        before = await _stream(nc, game)
        archive = Archive(nc) if await has_archive(nc) else None
        log = EventLog(nc, clock.jitter)
        records = await log.read_game(game)
        deals = await log.read(subjects.sealed_deal(game))
        # Asked last, as a game leaves the log only after it can be found in the archive.
        archived, damage = await from_archive(archive, game)
        holes = await _holes(before, archive)
    except (nats.errors.Error, LogUnavailableError, TimeoutError, OSError, msgspec.DecodeError) as error:
        raise UnreadableError(f"the log cannot be read: {clause(error)}. Try again.") from None
    if not (records or before.subjects or head or archived or damage):
        raise UnreadableError(f"there is no game {game} in this log. Check the id and the servers (--data, --nats).")
    if archived is not None:
        damage = damage or difference_of(archived, [*deals, *records])
        deals = [stored_of(subjects.sealed_deal(game), archived.deal)]
        records = [stored_of(subjects.game_log(game), message) for message in archived.records]
    return Kept(
        deals=[_message(one) for one in deals],
        records=[_message(one) for one in records],
        counted=before.subjects or {},
        holes=holes,
        archived=archived is not None,
        damage=damage,
        head=head,
        snapshot=snapshot,
    )


async def from_archive(archive: Archive | None, game: GameId) -> tuple[Archived | None, str | None]:
    """A game as the archive holds it, and why it cannot be read from there."""
    if archive is None:
        return None, None
    try:
        return await archive.game(game), None
    except DamagedArchiveError as error:
        return None, str(error)


def difference_of(archived: Archived, live: list[Stored]) -> str | None:
    """What is in the log of a game that is archived: for a moment the same, else something that never was."""
    known = {archived.deal, *archived.records}
    strange = next((one for one in live if message_of(one) not in known), None)
    return None if strange is None else f"the log holds another message of it at sequence {strange.sequence}"


async def _holes(state: _State, archive: Archive | None) -> int:
    """How many messages are neither in the log nor in the archive, as far as manifests tell."""
    lost = len((state.lost and state.lost.msgs) or ())
    try:
        newest = await archive.newest() if archive else None
    except DamagedArchiveError:
        return lost
    archived = newest.manifest.messages_so_far if newest else 0
    return max(lost, state.last_seq - state.messages - archived)


async def has_archive(nc: Client) -> bool:
    """Whether there is an archive: none has been made where no game-state of this release ran yet."""
    answer = await nc.request(f"$JS.API.STREAM.INFO.{subjects.ARCHIVE_STREAM}", b"", timeout=ANSWER_SECONDS)
    error = _infos.decode(answer.data).error
    return error is None or error.err_code != NO_SUCH_STREAM


async def _stream(nc: Client, game: GameId) -> _State:
    """The state of the stream, with the number of messages on each of the game's subjects.

    Raises:
        UnreadableError: there is no stream.

    """
    counts = await _info(nc, subjects.game_log(game))
    deals = await _info(nc, subjects.sealed_deal(game))
    return msgspec.structs.replace(counts, subjects={**(counts.subjects or {}), **(deals.subjects or {})})


async def _info(nc: Client, subject: str) -> _State:
    request = msgspec.json.encode({"subjects_filter": subject})
    answer = await nc.request(f"$JS.API.STREAM.INFO.{subjects.EVENT_STREAM}", request, timeout=ANSWER_SECONDS)
    info = _infos.decode(answer.data)
    if info.error is not None and info.error.err_code == NO_SUCH_STREAM:
        raise UnreadableError("this NATS server holds no games. Check --data or --nats.")
    if info.state is None:
        raise UnreadableError(f"NATS refuses: {info.error.description if info.error else 'no state'}.")
    return info.state


def _message(stored: Stored) -> Message:
    return Message(stored.subject, stored.sequence, stored.data)
