"""Makes checkpoints, one after the other, as long as there is something new.

Nothing is kept between two of them but what the newest checkpoint says, so the notary may die anywhere. Each is written
on the condition that the one that it names is the newest: of two notaries one gives way.
"""

import asyncio
from collections.abc import Callable
from contextlib import aclosing
from typing import Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from nats.aio.client import Client

from services.notary.records import records_from
from shared import subjects
from shared.bus.archive import Archive, Listed
from shared.bus.direct_get import Stored, read_newest
from shared.bus.event_log import Appended, EventLog
from shared.checkpoints import Opened, open_signed, sign
from shared.logs import Log
from shared.messages.archive import DamagedArchiveError
from shared.messages.base import GameId
from shared.messages.checkpoint import Change, Checkpoint, SignedCheckpoint, changes_digest
from shared.messages.codec import CorruptRecordError, encode, open_record

CHANGES_MAX: Final = 8_000
"""Of one checkpoint: a message of the server has room for twice as many. What is left is in the next."""
CHANGES_AND_ARCHIVED_MAX: Final = 12_000
WRITE_SECONDS: Final = 10.0
NOTHING_YET: Final = Opened(Checkpoint(number=0, previous=b"", at=0, sequence=0, manifest=0, changes=b""), b"", b"")


class OtherKeyError(Exception):
    """The newest checkpoint was signed with another key. One line that says what to do."""


class Notary:
    """One process's. `run` makes all checkpoints that are due."""

    def __init__(
        self, nc: Client, key: Ed25519PrivateKey, log: Log, *, now_ms: Callable[[], int], jitter: Callable[[], float]
    ) -> None:
        self._nc = nc
        self._key = key
        self._log = log
        self._now_ms = now_ms
        self._jitter = jitter
        self._manifests_after = 0
        """Sequence in the archive's stream of the newest manifest that was covered, as far as this process knows."""

    async def newest(self) -> Stored | None:
        """The newest checkpoint as it is stored.

        Raises:
            LogUnavailableError: it cannot be read now.

        """
        return await read_newest(self._nc, subjects.CHECKPOINT_STREAM, subjects.CHECKPOINTS)

    async def run(self, *, new_key: bool = False) -> int:
        """Makes checkpoints until all records are covered. How many. `new_key`: go on where another key ended.

        Raises:
            OtherKeyError: the newest one is another key's.
            BadCheckpointError: the newest one is damaged.
            LogUnavailableError, LogRefusedError, GapError, nats.errors.Error: an outage.

        """
        made = 0
        while await self._one(new_key=new_key and not made):
            made += 1
        return made

    async def _one(self, *, new_key: bool) -> bool:
        stored = await self.newest()
        before = open_signed(stored.data) if stored else NOTHING_YET
        if stored and before.key != self._key.public_key().public_bytes_raw() and not new_key:
            raise OtherKeyError(
                f"the newest checkpoint was signed with the key {before.key.hex()}, not with this one: restore that"
                " key's file, or start once with --checkpoint-new-key true"
            )
        signed = await self._next(before)
        if signed is None:
            return False
        log = EventLog(self._nc, self._jitter, stream=subjects.CHECKPOINT_STREAM)
        deadline = asyncio.get_running_loop().time() + WRITE_SECONDS
        expected = stored.sequence if stored else 0
        return isinstance(
            await log.append(subjects.CHECKPOINTS, encode(signed), expected=expected, deadline=deadline), Appended
        )

    async def _next(self, before: Opened) -> SignedCheckpoint | None:
        """The checkpoint of what came after another one; None when nothing did."""
        changes: dict[GameId, Change] = {}
        sequence = before.checkpoint.sequence
        async with aclosing(records_from(self._nc, sequence + 1)) as records:
            async for message in records:
                sequence = message.metadata.sequence.stream
                change = self._change(subjects.game_of(message.subject), message.data, sequence)
                if change is not None:
                    changes[change.game] = change
                if len(changes) >= CHANGES_MAX:
                    break
        if sequence == before.checkpoint.sequence:
            return None
        manifest = await self._add_archived(changes, before.checkpoint.manifest)
        ordered = tuple(changes[game] for game in sorted(changes))
        checkpoint = Checkpoint(
            number=before.checkpoint.number + 1,
            previous=before.hash,
            at=self._now_ms(),
            sequence=sequence,
            manifest=manifest,
            changes=changes_digest(ordered),
        )
        return sign(self._key, checkpoint, ordered)

    def _change(self, game: GameId, data: bytes, sequence: int) -> Change | None:
        try:
            record, digest = open_record(data)
        except CorruptRecordError as error:
            self._log.error(
                "a damaged record is left out of the checkpoint", game=game, sequence=sequence, reason=str(error)
            )
            return None
        return Change(game, record.version, digest)

    async def _add_archived(self, changes: dict[GameId, Change], covered: int) -> int:
        """Games that moved to the archive, which may have left the log before they were read there. The newest manifest
        that is covered then. Manifests come after the log was read: what left it meanwhile is in one.
        """
        async for listed in Archive(self._nc).manifests(after=self._manifests_after):
            if isinstance(listed, DamagedArchiveError):
                self._log.error("a damaged manifest is left out of the checkpoint", reason=str(listed))
            elif listed.manifest.number > covered:
                if len(changes) + len(listed.manifest.games) > CHANGES_AND_ARCHIVED_MAX:
                    break
                self._add(changes, listed)
                covered = listed.manifest.number
            if isinstance(listed, Listed):
                self._manifests_after = listed.stored.sequence
        return covered

    @staticmethod
    def _add(changes: dict[GameId, Change], listed: Listed) -> None:
        for entry in listed.manifest.games:
            changes[entry.game] = Change(entry.game, entry.versions, entry.hash)
