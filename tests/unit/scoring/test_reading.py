"""From stored bytes to a record that may be used."""

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from services.scoring.reading import Opened, Unreadable, read
from shared.messages.codec import HASH_BYTES
from tests.scoring_logs import Script, Writer, game_id, message, write


def test_a_record_of_a_newer_schema_is_named_with_its_version() -> None:
    writer = Writer(game_id(0), Script())
    writer.record(writer.started())
    entry = read(message(8, game_id(0), writer.record(writer.event("move"), schema=2)))
    assert isinstance(entry, Unreadable)
    assert (entry.game, entry.sequence, entry.version) == (game_id(0), 8, 2)
    assert "schema 2 is newer than 1" in entry.reason


def test_a_newer_schema_is_named_though_nothing_else_of_it_is_known() -> None:
    body = msgspec.msgpack.encode({"type": "record-of-the-future", "schema": 3, "version": 5, "unheard-of": {}})
    entry = read(message(8, game_id(0), bytes(HASH_BYTES) + body))
    assert isinstance(entry, Unreadable)
    assert entry.version == 5
    assert "schema 3" in entry.reason


def test_a_record_on_the_subject_of_another_game_is_not_used() -> None:
    log = write([Script()])
    entry = read(msgspec.structs.replace(log[0], subject=f"klondike.game.{game_id(1)}"))
    assert isinstance(entry, Unreadable)
    assert entry.game == game_id(1)


@given(st.data())
def test_a_changed_bit_is_noticed_wherever_it_is(data: st.DataObject) -> None:
    log = write([Script(acts=("move", "draw"))])
    original = data.draw(st.sampled_from(log))
    bit = data.draw(st.integers(0, 8 * len(original.payload) - 1))
    payload = bytearray(original.payload)
    payload[bit // 8] ^= 1 << bit % 8
    assert isinstance(read(original), Opened)
    assert isinstance(read(msgspec.structs.replace(original, payload=bytes(payload))), Unreadable)


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused_and_never_raise(payload: bytes) -> None:
    assert isinstance(read(message(1, game_id(0), payload)), Unreadable)
