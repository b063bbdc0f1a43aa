"""The chain of checkpoints: read, verified, and laid ready for every game to be held against.

A published checkpoint pins the chain: it must be in it, and all must be signed with its key. Every game that the chain
knows must still have the record that it names, and no record that the chain covers may be unknown to it.
"""

from collections.abc import Iterator
from typing import Final

from nats.aio.client import Client

from services.cli.auditing.reading import UnreadableError
from services.cli.auditing.report import Finding
from services.cli.auditing.whole.store import Store
from services.cli.auditing.whole.summary import Covered
from services.cli.nats_client import clause
from shared import subjects
from shared.bus.direct_get import LogUnavailableError, Stored, batches
from shared.checkpoints import BadCheckpointError, Opened, open_published, open_signed

NO_CHECKPOINTS: Final = "there is no checkpoint: a game that was replaced or removed as a whole could not be seen"
UNPINNED: Final = "checkpoints are signed with the key {}: only one that was kept elsewhere (--since) shows whose it is"


def read_published(content: bytes, name: str) -> Opened:
    """The checkpoint of --since.

    Raises:
        UnreadableError: it is none, or its signature does not fit.

    """
    try:
        return open_published(content)
    except BadCheckpointError as error:
        raise UnreadableError(f"{name} is not to be held against: {error}.") from None


async def cover(nc: Client, store: Store, pin: Opened | None) -> tuple[str, ...]:
    """Reads the chain into the store. Returns notes; faults go to the store.

    Raises:
        UnreadableError: the chain cannot be read.

    """
    chain = _Chain(store, pin)
    try:
        async for batch in batches(nc, subjects.CHECKPOINT_STREAM, subjects.CHECKPOINTS):
            for stored in batch:
                chain.follow(stored)
    except LogUnavailableError as error:
        if pin is None and chain.newest is None:
            return (NO_CHECKPOINTS,)
        raise UnreadableError(f"the checkpoints cannot be read: {clause(error)}. Try again.") from None
    return chain.end()


def covered(store: Store, pin: Opened | None) -> Covered | None:
    """What games were held against."""
    known = store.noted("checkpoint")
    if known is None:
        return None
    number, sequence, at = map(int, known.split())
    return Covered(
        number=number, sequence=sequence, at=at, games=store.covered(), since=pin.checkpoint.number if pin else None
    )


class _Chain:
    def __init__(self, store: Store, pin: Opened | None) -> None:
        self._store = store
        self._pin = pin
        self._pinned = pin is None
        self.newest: Opened | None = None

    def follow(self, stored: Stored) -> None:
        """The next message of the stream."""
        try:
            opened = open_signed(stored.data)
        except BadCheckpointError as error:
            self._fault(stored.sequence, f"a checkpoint proves nothing: {error}")
            return
        for what in self._misfits(opened):
            self._fault(stored.sequence, what)
        self.newest = opened
        self._store.cover((change.game, change.version, change.hash) for change in opened.changes)

    def _misfits(self, opened: Opened) -> Iterator[str]:
        number, before, pin = opened.checkpoint.number, self.newest, self._pin
        if number != (before.checkpoint.number if before else 0) + 1:
            yield f"checkpoint {number} follows number {before.checkpoint.number if before else 0}: some are missing"
        elif opened.checkpoint.previous != (before.hash if before else b""):
            yield f"checkpoint {number} follows another one than number {number - 1}: it was replaced"
        elif before is not None and opened.checkpoint.sequence < before.checkpoint.sequence:
            yield f"checkpoint {number} covers less than the one before"
        if pin is not None and opened.key != pin.key:
            yield f"checkpoint {number} is signed with another key, {opened.key.hex()}"
        elif pin is None and before is not None and opened.key != before.key:
            yield f"checkpoint {number} is signed with another key than the one before, {opened.key.hex()}"
        if pin is not None and number == pin.checkpoint.number:
            self._pinned = True
            if opened.hash != pin.hash:
                yield f"checkpoint {number} is another one than was published: what came before it was changed"

    def end(self) -> tuple[str, ...]:
        if not self._pinned:
            self._fault(None, "the published checkpoint is not there: it was removed, or this is another log")
        if self.newest is None:
            return (NO_CHECKPOINTS,)
        last = self.newest.checkpoint
        self._store.note("checkpoint", f"{last.number} {last.sequence} {last.at}".encode())
        return () if self._pin else (UNPINNED.format(self.newest.key.hex()),)

    def _fault(self, sequence: int | None, what: str) -> None:
        self._store.add_fault(None, Finding(place="checkpoint", version=None, sequence=sequence, what=what))
