"""The audit of one game as data: every record in words, and everything that does not fit, the first first."""

from collections import deque
from collections.abc import Callable, Iterator
from functools import partial
from typing import Final, Literal, TypeGuard, TypeVar

import msgspec

from services.cli.auditing import words
from services.cli.auditing.board import board_lines
from services.cli.auditing.reading import Kept
from shared import subjects
from shared.bus.snapshots import Head, SnapshotError, pack_snapshot, unpack_head, unpack_snapshot
from shared.game.audit import DealAudit, Message, RecordAudit, audit_deal, audit_records
from shared.game.rebuild import Logged
from shared.game.replay import quoted
from shared.game.state import Game
from shared.messages.base import GameId
from shared.messages.dealer import GameVerdict
from shared.messages.events import AnyEvent, GameStarted, Record

Unpacked = TypeVar("Unpacked")
Place = Literal["sealed deal", "record", "log", "archive", "head", "snapshot", "checkpoint", "statistics"]
ARCHIVED: Final = "the game has left the log: all of it was read from the archive"
NO_HEAD: Final = "Redis holds no head of the game: that the log has lost its end could not be seen"
HOLES: Final = "the stream has lost {} messages of whatever games; this game's own are all there"


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """Something that does not fit."""

    place: Place
    version: int | None
    sequence: int | None
    """Of the message in the stream."""
    what: str


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """One record as it is shown."""

    version: int
    sequence: int
    hash: str
    time: str | None = None
    player: str | None = None
    command: str | None = None
    moves: tuple[str, ...] = ()
    happened: tuple[str, ...] = ()
    points: int | None = None
    sum: int | None = None
    """The score since; none where the game could not be followed so far."""
    replayed: bool
    faults: tuple[str, ...]
    board: tuple[str, ...] = ()


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """The whole audit."""

    game: GameId
    clean: bool
    first_bad: Finding | None
    findings: tuple[Finding, ...]
    notes: tuple[str, ...]
    status: str | None
    """Of the game after its last record; none where that is not known."""
    kind: str | None
    deal: str | None
    commitment: str | None
    secret: str | None
    """Shown once the game is over, or when asked for."""
    deal_sequence: int | None
    deal_hash: str | None
    head_version: int | None
    snapshot_version: int | None
    records: tuple[Line, ...]
    verdict: GameVerdict | None = None
    """Until when the game could be won; only of one that is over and clean."""


def build(game: GameId, kept: Kept, *, boards: bool, reveal: bool) -> Report:
    """Audits what is stored of a game.

    Args:
        game: which.
        kept: everything that is stored of it.
        boards: whether each line has the board.
        reveal: whether the hidden cards of a game that runs are shown; those of an ended one are.

    """
    sealed = audit_deal(game, kept.deals)
    shown = reveal or (boards and _ended(game, sealed, kept))
    lines: list[Line] = []
    marks, findings = examine(game, kept, sealed, lambda audit: lines.append(_line(audit, boards=boards, reveal=shown)))
    started, last = marks.started, marks.last
    over = last is not None and last.over
    return Report(
        game=game,
        clean=not findings,
        first_bad=findings[0] if findings else None,
        findings=findings,
        notes=_notes(kept),
        status=last.status if last else None,
        kind=words.kind_words(started) if started else None,
        deal=words.deal_words(started.deal) if started else None,
        commitment=words.plain(started.commitment) if started else None,
        secret=sealed.sealed.secret if sealed.sealed and (reveal or over) else None,
        deal_sequence=sealed.sequence,
        deal_hash=sealed.hash.hex() if sealed.hash else None,
        head_version=marks.head_version,
        snapshot_version=marks.snapshot_version,
        records=tuple(lines),
    )


def examine(
    game: GameId, kept: Kept, sealed: DealAudit, look: Callable[[RecordAudit], None]
) -> tuple["Marks", tuple[Finding, ...]]:
    """All that does not fit, the first first, and what was seen on the way. `look` is shown every record."""
    marks = Marks(game, kept)
    bad = [*_archive_findings(kept), *_deal_findings(sealed)]
    for audit in marks.watch(audit_records(game, sealed, kept.records)):
        look(audit)
        if audit.faults:
            bad += _record_findings(audit)
    return marks, (*bad, *_log_findings(game, kept), *marks.findings())


def _ended(game: GameId, sealed: DealAudit, kept: Kept) -> bool:
    """Whether the game is over, known before the first line: one audit is kept at a time, for a long game's sake."""
    last = deque(audit_records(game, sealed, kept.records), maxlen=1)
    return bool(last) and last[0].after is not None and last[0].after.game.over


class Marks:
    """What is kept of the records as they go by: the first, the last, and the two that Redis holds something of."""

    def __init__(self, game: GameId, kept: Kept) -> None:
        self._stored = kept.snapshot
        self.head, self._head_fault = _unpacked(kept.head, unpack_head)
        self.snapshot, self._snapshot_fault = _unpacked(kept.snapshot, partial(unpack_snapshot, game))
        self._at_head: RecordAudit | None = None
        self._at_snapshot: RecordAudit | None = None
        self._last_version = 0
        self.started: GameStarted | None = None
        self.last: Game | None = None
        """The game after the last record, if it is known."""

    def watch(self, audits: Iterator[RecordAudit]) -> Iterator[RecordAudit]:
        for audit in audits:
            if self.head is not None and audit.version == self.head.version:
                self._at_head = audit
            if self.snapshot is not None and audit.version == self.snapshot.game.version:
                self._at_snapshot = audit
            self._last_version = audit.version
            self.last = audit.after.game if audit.after else None
            if self.started is None:
                self.started = next(filter(_is_start, _events(audit)), None)
            yield audit

    def findings(self) -> Iterator[Finding]:
        """What does not fit, the head before the snapshot."""
        head, what = self.head, self._head_fault
        if what or (head is not None and (what := self._misfit_of_head(head))):
            yield Finding(place="head", version=self.head_version, sequence=_sequence(self._at_head), what=what)
        snapshot, what = self.snapshot, self._snapshot_fault
        if what or (snapshot is not None and (what := self._misfit_of_snapshot(snapshot))):
            sequence = _sequence(self._at_snapshot)
            yield Finding(place="snapshot", version=self.snapshot_version, sequence=sequence, what=what)

    @property
    def head_version(self) -> int | None:
        return self.head.version if self.head else None

    @property
    def snapshot_version(self) -> int | None:
        return self.snapshot.game.version if self.snapshot else None

    def _misfit_of_head(self, head: Head) -> str | None:
        if self._at_head is None and head.version > self._last_version:
            return f"the log ends at version {self._last_version}, but version {head.version} was acknowledged"
        if self._at_head is None:
            return "the log has no record of the version that was acknowledged"
        return None if self._at_head.hash == head.hash else "the record of this version is not the acknowledged one"

    def _misfit_of_snapshot(self, snapshot: Logged) -> str | None:
        rebuilt = self._at_snapshot.after if self._at_snapshot else None
        if self._at_snapshot is None:
            return f"the log has no record of version {snapshot.game.version}"
        if rebuilt is None:
            return "the game could not be rebuilt up to it, so it was not compared"
        same = pack_snapshot(rebuilt) == self._stored
        return None if same else "it is not the state that the records give"


def _unpacked(stored: bytes | None, unpack: Callable[[bytes], Unpacked]) -> tuple[Unpacked | None, str | None]:
    """What is stored, or why it cannot be used."""
    if stored is None:
        return None, None
    try:
        return unpack(stored), None
    except (SnapshotError, RecursionError) as error:
        return None, quoted(str(error))


def _deal_findings(sealed: DealAudit) -> Iterator[Finding]:
    return (Finding(place="sealed deal", version=0, sequence=sealed.sequence, what=fault) for fault in sealed.faults)


def _record_findings(audit: RecordAudit) -> Iterator[Finding]:
    return (
        Finding(place="record", version=audit.version, sequence=audit.sequence, what=fault) for fault in audit.faults
    )


def _archive_findings(kept: Kept) -> Iterator[Finding]:
    if kept.damage is not None:
        yield Finding(place="archive", version=None, sequence=None, what=kept.damage)


def _log_findings(game: GameId, kept: Kept) -> Iterator[Finding]:
    if not kept.records and kept.damage is None:
        yield Finding(place="log", version=None, sequence=None, what="there is no record of the game")
    for subject, found in ((subjects.game_log(game), kept.records), (subjects.sealed_deal(game), kept.deals)):
        counted = kept.counted.get(subject, 0)
        if counted > len(found):
            place: Place = "log" if found is kept.records else "sealed deal"
            yield Finding(place=place, version=None, sequence=None, what=_undelivered(counted, found))


def _undelivered(counted: int, found: list[Message]) -> str:
    return f"the server counts {counted} messages and gives out {len(found)}: some are damaged on its disk"


def _notes(kept: Kept) -> tuple[str, ...]:
    no_head = () if kept.head else (NO_HEAD,)
    archived = (ARCHIVED,) if kept.archived else ()
    return (*archived, *no_head, *((HOLES.format(kept.holes),) if kept.holes else ()))


def _line(audit: RecordAudit, *, boards: bool, reveal: bool) -> Line:
    record, after = audit.record, audit.after
    before = audit.before.game if audit.before else None
    return Line(
        version=audit.version,
        sequence=audit.sequence,
        hash=audit.hash.hex(),
        time=words.time_text(record.at) if record else None,
        player=record.player if record else None,
        command=record.command if record else None,
        moves=tuple(words.move_words(event, before) for event in _events(audit)),
        happened=tuple(words.happened(event) for event in _events(audit)),
        points=sum(map(words.points_of, _events(audit))) if record else None,
        sum=_sum(after.game, record) if after and record else None,
        replayed=after is not None,
        faults=audit.faults,
        board=board_lines(after.game, reveal=reveal) if boards and after else (),
    )


def _sum(game: Game, record: Record) -> int:
    """The points of the player whose record it is."""
    return game.seats[game.seat_of(record.player) or 0].points


def _events(audit: RecordAudit) -> tuple[AnyEvent, ...]:
    return audit.record.events if audit.record else ()


def _is_start(event: AnyEvent) -> TypeGuard[GameStarted]:
    return isinstance(event, GameStarted)


def _sequence(audit: RecordAudit | None) -> int | None:
    return audit.sequence if audit else None
