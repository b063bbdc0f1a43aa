"""Bytes and back: what is stored opens to the same, what is altered or newer does not, and ids stay what they are."""

import re
from typing import get_args

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.messages.base import COMMAND_ID, GAME_ID, CommandId, PlayerId
from shared.messages.codec import (
    HASH_BYTES,
    QUOTED_MAX,
    CorruptRecordError,
    bad_input,
    encode,
    link,
    new_game_id,
    open_deal,
    open_record,
    seal,
)
from shared.messages.commands import StartGame
from shared.messages.events import Record
from shared.messages.frames import ClientFrame
from shared.messages.upcast import SCHEMA_NEWEST
from tests.play import PLAYER, command_id, new_play, random_play, start_game

GAME_ID_FORM = get_args(GAME_ID)[1].pattern
COMMAND_ID_FORM = get_args(COMMAND_ID)[1].pattern


def test_what_is_sealed_opens_to_the_same() -> None:
    for record in random_play(3, commands=60).must("resign").records:
        opened, digest = open_record(seal(record))
        assert opened == record
        assert digest == link(record.previous, encode(record))
        assert len(digest) == HASH_BYTES


@given(st.binary(max_size=200))
def test_bytes_that_were_never_written_are_corrupt_and_nothing_else(data: bytes) -> None:
    with pytest.raises(CorruptRecordError):
        _ = open_record(data)
    with pytest.raises(CorruptRecordError):
        _ = open_deal(data)


def test_a_record_under_another_previous_hash_is_corrupt() -> None:
    record = new_play().records[0]
    forged = msgspec.structs.replace(record, previous=bytes(32))
    with pytest.raises(CorruptRecordError, match="hash"):
        _ = open_record(seal(record)[:HASH_BYTES] + encode(forged))


def test_a_message_nested_without_end_is_corrupt() -> None:
    nested = b"\x81\xa1x" * 100_000
    with pytest.raises(CorruptRecordError):
        _ = open_deal(nested)
    with pytest.raises(CorruptRecordError):
        _ = open_record(bytes(HASH_BYTES) + nested)


@pytest.mark.parametrize(("schema", "says"), [(SCHEMA_NEWEST + 1, "has schema 2, newer than 1"), (0, "has schema 0")])
def test_a_message_of_another_schema_is_refused_and_says_so(schema: int, says: str) -> None:
    """Also where nothing else of it can be understood any more."""
    play = new_play()
    record = msgspec.structs.replace(play.records[0], schema=schema)
    with pytest.raises(CorruptRecordError, match=says):
        _ = open_record(seal(record))
    with pytest.raises(CorruptRecordError, match=says):
        _ = open_deal(encode(msgspec.structs.replace(play.sealed, schema=schema)))
    with pytest.raises(CorruptRecordError, match=says):
        _ = open_deal(encode({"type": "deal-of-another-kind", "schema": schema}))


def test_equal_messages_have_equal_bytes() -> None:
    """Canonical: decoding and encoding again gives the very same."""
    for record in random_play(9, commands=40).records:
        body = encode(record)
        assert encode(msgspec.msgpack.decode(body, type=Record)) == body


@given(st.text("abcdefghijklmnopqrstuvwxyz234567", min_size=26, max_size=26), st.uuids())
def test_a_game_id_is_a_token_of_a_subject(player: str, command: object) -> None:
    assert re.search(COMMAND_ID_FORM, str(command))
    assert re.search(GAME_ID_FORM, new_game_id(PlayerId(player), CommandId(str(command))))


def test_the_same_player_and_command_start_the_same_game_and_no_others_do() -> None:
    ids = {new_game_id(PlayerId(player * 26), command_id(number)) for player in "abc" for number in range(100)}
    assert len(ids) == 300
    assert new_game_id(PLAYER, command_id(0)) == new_game_id(PLAYER, command_id(0))


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"deal": {"type": "number", "number": -1}}, "$.deal.number"),
        ({"deal": {"type": "number"}}, "$.deal.number"),
        ({"deal": {"type": "number", "number": 1, "seed": 2}}, "$.deal.seed"),
        ({"deal": {"type": "secret", "player_seed": "x" * 65}}, "$.deal.player_seed"),
        ({"version": "one"}, "$.version"),
        ({"id": "no id"}, "$.id"),
        ({"extra": 1}, "$.extra"),
    ],
)
def test_bad_input_names_the_field(changes: dict[str, object], field: str) -> None:
    sent = msgspec.to_builtins(start_game()) | changes
    with pytest.raises(msgspec.ValidationError) as refused:
        _ = msgspec.convert(sent, StartGame)
    error = bad_input(refused.value, what="command")
    assert (error.code, error.field) == ("bad-frame", field)


def test_a_missing_field_is_named() -> None:
    sent = msgspec.to_builtins(start_game())
    del sent["player"]
    with pytest.raises(msgspec.ValidationError) as refused:
        _ = msgspec.convert(sent, StartGame)
    assert bad_input(refused.value, what="command").field == "$.player"


@pytest.mark.parametrize(("sent", "field"), [({1: 2}, "$"), ({"deal": {1: 2}}, "$.deal")])
def test_the_object_of_a_key_that_is_no_text_is_named(sent: dict[object, object], field: str) -> None:
    with pytest.raises(msgspec.ValidationError) as refused:
        _ = msgspec.msgpack.decode(msgspec.msgpack.encode(sent | {"type": "new-game"}), type=ClientFrame)
    assert bad_input(refused.value, what="frame").field == field


def test_what_is_quoted_of_bad_input_has_an_end() -> None:
    error = bad_input(ValueError("x" * 10_000), what="frame")
    assert len(error.text) < QUOTED_MAX + 100
