"""A game with its place in the log, built record by record with its hash chain checked."""

import msgspec

from shared.game.evolve import BrokenHistoryError, evolve, start
from shared.game.state import Game
from shared.messages.codec import link
from shared.messages.events import GameStarted, Record, SealedDeal


class Logged(msgspec.Struct, frozen=True, array_like=True):
    """A game, the hash of its newest record, and that record's sequence in the stream."""

    game: Game
    hash: bytes
    sequence: int


class Read(msgspec.Struct, frozen=True):
    """A record as it was read: decoded, with its stored hash and its sequence in the stream."""

    record: Record
    hash: bytes
    sequence: int


def begin(sealed: SealedDeal, deal_hash: bytes, first: Read) -> Logged:
    """The game after its first record.

    Raises:
        BrokenHistoryError: the record does not start this game.

    """
    events = first.record.events
    if not events or not isinstance(events[0], GameStarted):
        raise BrokenHistoryError("the first record does not start a game")
    if first.record.previous != deal_hash:
        raise BrokenHistoryError("the first record follows another sealed deal")
    return Logged(evolve(start(events[0], sealed), first.record), first.hash, first.sequence)


def advance(logged: Logged, read: Read) -> Logged:
    """The game after its next record.

    Raises:
        BrokenHistoryError: the record does not follow.

    """
    if read.record.previous != logged.hash:
        raise BrokenHistoryError("the record follows another one: the hash chain is broken")
    return Logged(evolve(logged.game, read.record), read.hash, read.sequence)


def appended(logged: Logged, record: Record, body: bytes, sequence: int) -> Logged:
    """The game after a record of its own making was stored. `body`: the record's canonical bytes."""
    return Logged(evolve(logged.game, record), link(record.previous, body), sequence)
