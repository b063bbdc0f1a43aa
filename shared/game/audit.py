"""Whether the messages of a game, as they are stored, are what was once accepted: every byte, every rule.

`audit_deal` looks at the sealed deal, `audit_records` at the records, each with all that does not fit. A fault does not
end the audit: what follows is read, and replayed as far as the game is still known.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, TypeVar

import msgspec

from shared import subjects
from shared.game.evolve import BrokenHistoryError, evolve, start
from shared.game.rebuild import Logged
from shared.game.replay import QUOTED_MAX, fault_of_first, fault_of_next, quoted
from shared.game.state import Game
from shared.messages.base import GameId
from shared.messages.codec import HASH_BYTES, CorruptRecordError, decode_deal, decode_record, is_canonical, link
from shared.messages.commands import NumberedDeal, SecretDeal, WinnableDeal
from shared.messages.events import (
    CardsDrawn,
    CardsMoved,
    GameStarted,
    MoveRedone,
    MoveUndone,
    Record,
    SealedDeal,
    StockRecycled,
)
from shared.rules import deal

MOVES: Final = (CardsMoved, CardsDrawn, StockRecycled, MoveUndone, MoveRedone)
"""Events that `evolve` accepts only as the very ones that the command causes."""

Schema = TypeVar("Schema", Record, SealedDeal)


class Message(msgspec.Struct, frozen=True):
    """A message of the stream, as it is stored."""

    subject: str
    sequence: int
    data: bytes


class DealAudit(msgspec.Struct, frozen=True):
    """The sealed deal as it was found. `sealed` is None where a game cannot be dealt from it."""

    sequence: int | None
    sealed: SealedDeal | None
    hash: bytes | None
    faults: tuple[str, ...]


class RecordAudit(msgspec.Struct, frozen=True):
    """One record as it was found, in the game as it was before and is since; None where that is not known."""

    version: int
    """Its own, or where it lies if it cannot be read."""
    sequence: int
    record: Record | None
    hash: bytes
    before: Logged | None
    after: Logged | None
    faults: tuple[str, ...]


def audit_deal(game: GameId, found: Sequence[Message]) -> DealAudit:
    """Checks the messages on the subject of a game's sealed deal, of which there must be one."""
    if not found:
        return DealAudit(None, None, None, ("the sealed deal is missing",))
    first = found[0]
    sealed, faults = _decoded(decode_deal, first.data)
    if first.subject != subjects.sealed_deal(game):
        faults.append(f"it lies on the subject {quoted(first.subject)}")
    if len(found) > 1:
        faults.append(f"there are {len(found)} sealed deals, the second at sequence {found[1].sequence}")
    unusable = _fault_of_deal(sealed, game) if sealed is not None else None
    if unusable is not None:
        faults.append(unusable)
        sealed = None
    return DealAudit(first.sequence, sealed, link(b"", first.data), tuple(faults))


def audit_records(game: GameId, sealed: DealAudit, found: Iterable[Message]) -> Iterator[RecordAudit]:
    """Checks the messages on the subject of a game's log, oldest first, against the deal and each other."""
    walk = _Walk(game, sealed)
    return map(walk.follow, found)


class _Walk:
    """The way along a log: what the next message must follow."""

    def __init__(self, game: GameId, deal_audit: DealAudit) -> None:
        self._game = game
        self._subject = subjects.game_log(game)
        self._deal = deal_audit
        self._version = 0
        self._hash = deal_audit.hash
        self._sequence = deal_audit.sequence or 0
        self._logged: Logged | None = None

    def follow(self, message: Message) -> RecordAudit:
        digest, body = message.data[:HASH_BYTES], message.data[HASH_BYTES:]
        record, faults = _decoded(decode_record, body)
        if record is not None and not self._fits(record, message, digest, body):
            faults += self._misfits(record, message, digest, body)
        before, self._logged = self._logged, None
        if record is not None:
            after = self._replayed(record, before)
            if isinstance(after, str):
                faults.append(after)
            elif after is not None:
                self._logged = Logged(after, digest, message.sequence)
        self._version = self._version + 1 if record is None else record.version
        self._hash, self._sequence = digest, message.sequence
        return RecordAudit(self._version, message.sequence, record, digest, before, self._logged, tuple(faults))

    def _fits(self, record: Record, message: Message, digest: bytes, body: bytes) -> bool:
        """Whether `_misfits` has nothing to say: asked of every record, and answered at once."""
        return (
            record.previous == self._hash
            and record.version == self._version + 1
            and record.game == self._game
            and message.sequence > self._sequence
            and message.subject == self._subject
            and link(record.previous, body) == digest
        )

    def _misfits(self, record: Record, message: Message, digest: bytes, body: bytes) -> Iterator[str]:
        """What can be said of a record without knowing the game."""
        if link(record.previous, body) != digest:
            yield "the hash does not fit the bytes"
        if message.subject != self._subject:
            yield f"it lies on the subject {quoted(message.subject)}"
        if message.sequence <= self._sequence:
            yield f"it was stored before what it follows, sequence {self._sequence}"
        if record.game != self._game:
            yield f"it is a record of game {quoted(record.game)}"
        if record.version != self._version + 1:
            yield f"version {record.version} follows version {self._version}"
        if self._hash is not None and record.previous != self._hash:
            yield "the hash chain is broken: it follows another " + ("record" if self._version else "sealed deal")

    def _replayed(self, record: Record, before: Logged | None) -> Game | str | None:
        """The game after a record, or why the record cannot have happened; None where the game is not known."""
        if record.version != self._version + 1 or record.game != self._game:
            return None
        if self._version == 0:
            sealed = self._deal.sealed
            return None if sealed is None else _started(record, sealed)
        if before is None:
            return None
        return _next(before.game, record)


def _started(record: Record, sealed: SealedDeal) -> Game | str:
    fault = fault_of_first(record, sealed)
    if fault is not None:
        return fault
    event = record.events[0]
    assert isinstance(event, GameStarted), "`fault_of_first` has seen to it"
    return _evolved(start(event, sealed), record)


def _next(game: Game, record: Record) -> Game | str:
    """The game after a record, or why it cannot have happened.

    `evolve` holds every field of a move against the game. So for a move the command is decided again only where it
    refuses, to say what does not fit. In a game for two it depends on what the mover had seen.
    """
    evolved = _evolved(game, record)
    if isinstance(evolved, str) or len(game.seats) > 1 or not isinstance(record.events[0], MOVES):
        return fault_of_next(game, record) or evolved
    return evolved


def _evolved(game: Game, record: Record) -> Game | str:
    try:
        return evolve(game, record)
    except BrokenHistoryError as error:
        return str(error)


def _decoded(decode: Callable[[bytes], Schema], body: bytes) -> tuple[Schema | None, list[str]]:
    """What bytes hold, and what is wrong with them as such."""
    try:
        found = decode(body)
    except CorruptRecordError as error:
        return None, [f"it {_plain(str(error))}"]
    return found, [] if is_canonical(found, body) else ["its bytes are not the canonical ones"]


def _plain(reason: str) -> str:
    """What it says about stored bytes may quote them: only what is harmless on a terminal goes there as it is."""
    return reason if reason.isascii() and reason.isprintable() and len(reason) <= QUOTED_MAX else quoted(reason)


def _fault_of_deal(sealed: SealedDeal, game: GameId) -> str | None:
    """Why no game can be dealt from a sealed deal, or None."""
    if sealed.game != game:
        return f"it is the deal of game {quoted(sealed.game)}"
    if sealed.shuffle != deal.SHUFFLE:
        return f"the shuffle {quoted(sealed.shuffle)} is unknown"
    match sealed.deal:
        case SecretDeal() | WinnableDeal() if not _is_secret(sealed.secret):
            return f"its secret is not {deal.SECRET_BYTES} bytes in hexadecimal"
        case NumberedDeal() if sealed.secret:
            return "it has a secret, though its origin is public"
    return None


def _is_secret(text: str) -> bool:
    try:
        secret = bytes.fromhex(text)
    except ValueError:
        return False
    return len(secret) == deal.SECRET_BYTES and secret.hex() == text
