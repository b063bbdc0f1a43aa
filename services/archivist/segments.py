"""Games together as one segment with its manifest. Pure."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from shared.bus.archive import Listed, mark_of
from shared.messages.archive import (
    HEAD_BYTES,
    Archived,
    ArchivedGame,
    Manifest,
    Segment,
    pack_game,
    pack_segment,
    segment_name,
)
from shared.messages.codec import HASH_BYTES

CHUNK_BYTES: Final = 128 * 1024
"""One game is read from one or two messages of this size."""
SEGMENT_GAMES_MAX: Final = 200
SEGMENT_BYTES_MAX: Final = 4 * 1024 * 1024
"""A segment that has come to this size is closed."""


class Packed(NamedTuple):
    """A game ready for a segment."""

    archived: Archived
    ended_at: int
    stream: bytes

    @staticmethod
    def of(archived: Archived, ended_at: int) -> "Packed":
        """A game packed.

        Raises:
            UnfitGameError: its records do not follow each other.
        """
        return Packed(archived, ended_at, pack_game(archived))


class Made(NamedTuple):
    """A segment and its manifest, not stored yet."""

    segment: bytes
    manifest: Manifest

    def chunks(self) -> list[bytes]:
        return [self.segment[at : at + CHUNK_BYTES] for at in range(0, len(self.segment), CHUNK_BYTES)]


def made(games: Sequence[Packed], before: Listed | None, at: int) -> Made:
    """The segment of some games, and the manifest that follows the one before."""
    segment = pack_segment([game.stream for game in games])
    entries, offset = [], HEAD_BYTES
    for game in games:
        entries.append(_entry(game, offset))
        offset += len(game.stream)
    through_sequence, through_mark = _through(games, before)
    earlier = before.manifest if before else None
    manifest = Manifest(
        number=earlier.number + 1 if earlier else 1,
        previous=mark_of(before.stored.data) if before else b"",
        at=at,
        segment=Segment(name=segment_name(segment), length=len(segment), chunk_bytes=CHUNK_BYTES),
        games=tuple(entries),
        through_sequence=through_sequence,
        through_mark=through_mark,
        games_so_far=(earlier.games_so_far if earlier else 0) + len(games),
        messages_so_far=(earlier.messages_so_far if earlier else 0) + sum(entry.versions + 1 for entry in entries),
    )
    return Made(segment, manifest)


def full(games: Sequence[Packed]) -> bool:
    """Whether a segment takes no more games."""
    return len(games) >= SEGMENT_GAMES_MAX or sum(len(game.stream) for game in games) >= SEGMENT_BYTES_MAX


def _entry(packed: Packed, offset: int) -> ArchivedGame:
    archived = packed.archived
    newest = archived.records[-1]
    return ArchivedGame(
        game=archived.game,
        offset=offset,
        length=len(packed.stream),
        versions=len(archived.records),
        hash=newest.data[:HASH_BYTES],
        first_sequence=archived.deal.sequence,
        last_sequence=newest.sequence,
        live_bytes=len(archived.deal.data) + sum(len(message.data) for message in archived.records),
        ended_at=packed.ended_at,
    )


def _through(games: Sequence[Packed], before: Listed | None) -> tuple[int, bytes]:
    newest = max((game.archived.records[-1] for game in games), key=lambda message: message.sequence)
    if before and before.manifest.through_sequence > newest.sequence:
        return before.manifest.through_sequence, before.manifest.through_mark
    return newest.sequence, mark_of(newest.data)
