"""A segment that an earlier release wrote is read for good: the file is never written anew."""

import hashlib

from shared.messages.archive import HEAD_BYTES, ArchivedGame, check_head, unpack_game
from shared.messages.base import GameId
from shared.messages.codec import HASH_BYTES, open_deal, open_record
from shared.messages.events import GameEnded
from tests.contract.sample_messages import SAMPLES

SEGMENT = bytes.fromhex((SAMPLES / "archive-segment-format-1.hex").read_text(encoding="utf-8"))
GAME = GameId("bq5ua3734eer34rcd6rnteum4j")
VERSIONS = 21
NEWEST = "62d719c2493f621c6c2bc9db872309e3b20fb5409a10aefae2e129876dbf59ec"
WHOLE = "0d2251b3f93807b951d6261b846f463af2d3637ed2f5fb27b81d3042253dd1eb"
"""SHA-256 over all messages of the game, one after the other."""


def test_a_stored_segment_gives_the_same_messages_as_when_it_was_written() -> None:
    check_head(SEGMENT, "sample")
    entry = ArchivedGame(
        game=GAME,
        offset=HEAD_BYTES,
        length=len(SEGMENT) - HEAD_BYTES,
        versions=VERSIONS,
        hash=bytes.fromhex(NEWEST),
        first_sequence=7,
        last_sequence=7 + 3 * VERSIONS,
        live_bytes=0,
        ended_at=0,
    )
    game = unpack_game(SEGMENT[HEAD_BYTES:], entry, "sample")
    messages = (game.deal, *game.records)
    assert hashlib.sha256(b"".join(message.data for message in messages)).hexdigest() == WHOLE
    assert [message.sequence for message in messages] == [7 + 3 * number for number in range(VERSIONS + 1)]
    assert [message.at_ns for message in messages][:2] == [1_700_000_000_000_000_000, 1_700_000_000_123_456_789]
    assert open_deal(game.deal.data)[0].game == GAME
    record, digest = open_record(game.records[-1].data)
    assert (record.version, digest) == (VERSIONS, game.records[-1].data[:HASH_BYTES])
    assert isinstance(record.events[-1], GameEnded)
