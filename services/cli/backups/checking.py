"""Every game of log and archive, audited one after the other: chain, schema, each move, the deal."""

from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

import msgspec
from nats.aio.client import Client

from services.cli.data_directory import RefusedError
from shared import subjects
from shared.bus.api_error import ApiError
from shared.bus.archive import Archive, Listed, check_chain
from shared.bus.direct_get import Stored, read_subject
from shared.game.audit import Message, audit_deal, audit_records
from shared.messages.archive import Archived, DamagedArchiveError
from shared.messages.base import GameId

FAULTS_SHOWN_MAX: Final = 50
ANSWER_SECONDS: Final = 30.0


@dataclass
class Checked:
    """What was found."""

    games: int = 0
    archived: int = 0
    """Of these, how many are in the archive."""
    records: int = 0
    faults: list[str] = field(default_factory=list)
    """The first of each game that is not clean, and what is wrong with the archive itself."""


class _State(msgspec.Struct):
    subjects: dict[str, int] | None = None


class _Answer(msgspec.Struct):
    total: int = 0
    state: _State | None = None
    error: ApiError | None = None


async def checked(nc: Client, advance: Callable[[], None]) -> Checked:
    """Audits everything.

    Raises:
        LogUnavailableError, nats.errors.Error: it cannot be read.
        RefusedError: there is no log.
    """
    found = Checked()
    before: list[Listed] = []
    async for listed in Archive(nc).manifests():
        if isinstance(listed, DamagedArchiveError):
            found.faults.append(str(listed))
            continue
        before = [*before[-1:], listed]
        found.faults += map(str, check_chain(before) if len(before) > 1 or listed.manifest.number != 1 else ())
        found.games += len(listed.manifest.games)
        found.archived += len(listed.manifest.games)
        async for game in Archive(nc).games(listed.manifest):
            _archived(game, found)
            advance()
    async for game_id in _live(nc):
        await _in_log(nc, game_id, found)
        advance()
    return found


def _archived(game: Archived | DamagedArchiveError, found: Checked) -> None:
    if isinstance(game, DamagedArchiveError):
        found.faults.append(str(game))
        return
    log = subjects.game_log(game.game)
    deal = Message(subjects.sealed_deal(game.game), game.deal.sequence, game.deal.data)
    records = [Message(log, message.sequence, message.data) for message in game.records]
    found.records += len(records)
    found.faults += _first(_faults(game.game, [deal], records))


async def _in_log(nc: Client, game: GameId, found: Checked) -> None:
    deals = await read_subject(nc, subjects.EVENT_STREAM, subjects.sealed_deal(game))
    records = await read_subject(nc, subjects.EVENT_STREAM, subjects.game_log(game))
    if await Archive(nc).newest_place(game) is not None:
        return  # on its way to the archive, where it was looked at
    found.games += 1
    found.records += len(records)
    found.faults += _first(_faults(game, list(map(_message, deals)), list(map(_message, records))))


def _faults(game: GameId, deals: Sequence[Message], records: Sequence[Message]) -> Iterator[str]:
    sealed = audit_deal(game, deals)
    yield from (f"game {game}, sealed deal: {fault}" for fault in sealed.faults)
    for audit in audit_records(game, sealed, records):
        for fault in audit.faults:
            yield f"game {game}, version {audit.version}, sequence {audit.sequence}: {fault}"


def _first(faults: Iterator[str]) -> list[str]:
    return [fault for fault, _ in zip(faults, range(1), strict=False)]


def _message(stored: Stored) -> Message:
    return Message(stored.subject, stored.sequence, stored.data)


async def _live(nc: Client) -> AsyncIterator[GameId]:
    """The games of the log, page by page as the server gives their subjects out."""
    offset, total = 0, 1
    while offset < total:
        question = msgspec.json.encode({"subjects_filter": subjects.GAME_LOGS, "offset": offset})
        asked = f"$JS.API.STREAM.INFO.{subjects.EVENT_STREAM}"
        answer = msgspec.json.decode((await nc.request(asked, question, timeout=ANSWER_SECONDS)).data, type=_Answer)
        if answer.state is None:
            raise RefusedError(f"the log cannot be read: {answer.error.description if answer.error else 'no state'}.")
        page = answer.state.subjects or {}
        for subject in sorted(page):
            yield subjects.game_of(subject)
        offset, total = offset + max(len(page), 1), answer.total
