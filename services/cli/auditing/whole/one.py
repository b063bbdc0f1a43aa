"""One game of many: judged, and reduced to what statistics are made of."""

from collections.abc import Iterator

from services.cli.auditing.reading import Kept
from services.cli.auditing.report import Finding, examine
from services.cli.auditing.whole.store import Game, Judged
from shared.game.audit import RecordAudit, audit_deal
from shared.messages.base import PlayerId
from shared.messages.codec import encode
from shared.messages.events import AnyEvent

Counted = tuple[str, int, bytes]


def judge(game: Game, kept: Kept) -> Judged:
    """Everything that does not fit, and the records that may change a sum."""
    counted = Counting()
    checkpoint = _Checkpoint(game)

    def look(audit: RecordAudit) -> None:
        counted.look(audit)
        if game.sequence:
            checkpoint.look(audit)

    marks, findings = examine(game.game, kept, audit_deal(game.game, kept.deals), look)
    clean = not findings
    return Judged(
        game=game.game,
        records=len(kept.records),
        status=marks.last.status if marks.last else None,
        headless=kept.head is None,
        findings=(*findings, *checkpoint.findings()),
        counted=tuple(counted.of_each_player()) if clean else (),
        players=() if clean else tuple(sorted(counted.players)),
    )


class Counting:
    """Of each player the first record of each kind, and those with more than one event: all that can change sums.

    Records of a kind that came before change none: a game is counted once, and is with help or not.
    """

    def __init__(self) -> None:
        self.players: set[PlayerId] = set()
        self._found: list[tuple[int, bytes]] = []
        self._kinds: set[tuple[PlayerId, type[AnyEvent]]] = set()

    def of_each_player(self) -> Iterator[Counted]:
        """All of them for each: what one player of a game for two does counts for the other too."""
        return ((player, *one) for player in sorted(self.players) for one in self._found)

    def look(self, audit: RecordAudit) -> None:
        record = audit.record
        if record is None or not record.events:
            return
        kind = record.player, type(record.events[0])
        if len(record.events) > 1 or kind not in self._kinds:
            self._kinds.add(kind)
            self.players.add(record.player)
            self._found.append((audit.sequence, encode(record)))


class _Checkpoint:
    """Whether the record that a checkpoint knows is still there."""

    def __init__(self, game: Game) -> None:
        self._version, self._hash, self._sequence = game.version or 0, game.hash, game.sequence
        self._seen: RecordAudit | None = None
        self._added: RecordAudit | None = None

    def look(self, audit: RecordAudit) -> None:
        if self._version and audit.version == self._version:
            self._seen = audit
        elif audit.version > self._version and audit.sequence <= self._sequence:
            self._added = self._added or audit

    def findings(self) -> tuple[Finding, ...]:
        return (*self._kept(), *self._unknown())

    def _unknown(self) -> tuple[Finding, ...]:
        if self._added is None:
            return ()
        place = f"before sequence {self._sequence}, which the checkpoint covers, and is not known there"
        what = f"the whole game lies {place}" if self._version == 0 else f"it lies {place}: it was added"
        return (_finding(self._added.version, self._added.sequence, what),)

    def _kept(self) -> tuple[Finding, ...]:
        if not self._version or (self._seen is not None and self._seen.hash == self._hash):
            return ()
        what = "its record of this version is another one than the checkpoint knows: the game was changed or replaced"
        if self._seen is None:
            what = "it has no record of this version, which the checkpoint knows: it lost its end"
        return (_finding(self._version, self._seen.sequence if self._seen else None, what),)


def _finding(version: int, sequence: int | None, what: str) -> Finding:
    return Finding(place="checkpoint", version=version, sequence=sequence, what=what)
