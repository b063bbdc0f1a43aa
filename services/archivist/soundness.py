"""Whether a game may leave the log: it is over, and all of it is there and follows."""

from collections.abc import Sequence

from shared.messages.archive import Message, UnfitGameError
from shared.messages.base import GameId
from shared.messages.codec import CorruptRecordError, open_deal, open_record
from shared.messages.events import GameEnded, Record


def last_record(game: GameId, deal: Message, records: Sequence[Message]) -> Record:
    """The newest record of a game that may be archived.

    Raises:
        UnfitGameError: it may not; the message says why. It stays in the log, for the audit.
    """
    try:
        sealed, previous = open_deal(deal.data)
    except CorruptRecordError as error:
        raise UnfitGameError(f"its sealed deal {error}") from None
    record = None
    for version, message in enumerate(records, start=1):
        try:
            record, digest = open_record(message.data)
        except CorruptRecordError as error:
            raise UnfitGameError(f"version {version}, sequence {message.sequence}: {error}") from None
        if (record.game, record.version, record.previous) != (game, version, previous):
            raise UnfitGameError(f"version {version}, sequence {message.sequence}: it does not follow the one before")
        previous = digest
    if record is None or sealed.game != game or not is_over(record):
        raise UnfitGameError("it is not over, or has the sealed deal of another game")
    return record


def is_over(record: Record) -> bool:
    """Whether a game ends with a record."""
    return bool(record.events) and isinstance(record.events[-1], GameEnded)
