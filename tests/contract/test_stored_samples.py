"""What was stored by any release is read by this one, and written to the same bytes."""

from pathlib import Path
from typing import get_args

import msgspec
import pytest

from shared.bus.snapshots import SnapshotError, pack_snapshot, unpack_snapshot
from shared.game.view import view_of
from shared.messages.codec import CorruptRecordError, encode, link, open_deal, open_record, seal
from shared.messages.events import AnyEvent, Record
from tests.contract.sample_messages import SAMPLES, messages
from tests.play import start_game

RECORDS = sorted(SAMPLES.glob("record-*.hex"))
DEALS = sorted(SAMPLES.glob("sealed-deal-*.hex"))
SNAPSHOTS = sorted(SAMPLES.glob("snapshot*.hex"))
GAME = start_game().game


def bytes_of(file: Path) -> bytes:
    return bytes.fromhex(file.read_text(encoding="utf-8"))


def by_name(file: Path) -> str:
    return file.stem


@pytest.mark.parametrize("file", RECORDS, ids=by_name)
def test_a_stored_record_is_read_and_written_to_the_same_bytes(file: Path) -> None:
    record, digest = open_record(bytes_of(file))
    assert seal(record) == bytes_of(file)
    assert digest == bytes_of(file)[:32]
    assert str(record.events[0].__struct_config__.tag) in file.stem


@pytest.mark.parametrize("file", DEALS, ids=by_name)
def test_a_stored_deal_is_read_and_written_to_the_same_bytes(file: Path) -> None:
    sealed, digest = open_deal(bytes_of(file))
    assert encode(sealed) == bytes_of(file)
    assert digest == link(b"", bytes_of(file))


@pytest.mark.parametrize("file", SNAPSHOTS, ids=by_name)
def test_a_stored_snapshot_is_read_and_written_to_the_same_bytes_or_thrown_away(file: Path) -> None:
    """When the state's form changes, its schema is raised: then the old snapshot is of another schema, not misread."""
    try:
        logged = unpack_snapshot(GAME, bytes_of(file))
    except SnapshotError as error:
        assert "schema" in str(error), "the state's form has changed: raise SNAPSHOT_SCHEMA"  # noqa: PT017 - either way
        return
    assert pack_snapshot(logged) == bytes_of(file)
    assert view_of(logged.game).moves == 1


def test_every_message_that_is_stored_has_a_sample_of_the_newest_schema() -> None:
    files = {file.stem for file in SAMPLES.iterdir()}
    assert set(messages()) <= files, "run python -m tests.contract.sample_messages"
    events = {type(open_record(bytes_of(file))[0].events[0]) for file in RECORDS}
    assert events == set(get_args(AnyEvent))


@pytest.mark.parametrize("name", messages())
def test_this_release_writes_what_its_samples_say(name: str) -> None:
    """Bytes are covered by hashes, so not even the order of two fields may change."""
    assert messages()[name] == bytes_of(SAMPLES / f"{name}.hex")


@pytest.mark.parametrize("file", RECORDS, ids=by_name)
def test_fields_that_a_later_release_added_are_skipped(file: Path) -> None:
    """In the record and in its events. The hash covers them all the same."""
    record, _ = open_record(bytes_of(file))
    builtins = msgspec.msgpack.decode(bytes_of(file)[32:])
    builtins["added"] = {"later": [1, 2]}
    builtins["events"] = [event | {"added": 1} for event in builtins["events"]]
    body = encode(builtins)
    newer, _ = open_record(link(record.previous, body) + body)
    assert newer == record
    with pytest.raises(CorruptRecordError, match="hash"):
        _ = open_record(bytes_of(file)[:32] + body)


@pytest.mark.parametrize("file", DEALS, ids=by_name)
def test_fields_that_a_later_release_added_to_a_deal_are_skipped(file: Path) -> None:
    sealed, _ = open_deal(bytes_of(file))
    assert open_deal(encode(msgspec.msgpack.decode(bytes_of(file)) | {"added": 1}))[0] == sealed


@pytest.mark.parametrize("file", RECORDS, ids=by_name)
def test_fields_with_defaults_may_be_missing_as_in_what_an_earlier_release_wrote(file: Path) -> None:
    """A field is only ever added with a default, so what was written before it is read with that."""
    record, _ = open_record(bytes_of(file))
    for event in record.events:
        required = [field for field in msgspec.structs.fields(event) if field.required]
        sent = {"type": event.__struct_config__.tag} | {
            field.name: msgspec.to_builtins(getattr(event, field.name)) for field in required
        }
        read = msgspec.convert(sent, AnyEvent)
        assert type(read) is type(event)
        assert all(getattr(read, field.name) == getattr(event, field.name) for field in required)


def test_an_event_of_a_kind_that_is_not_known_is_refused_and_not_skipped() -> None:
    """A game cannot go on without knowing what happened in it."""
    record, _ = open_record(bytes_of(RECORDS[0]))
    builtins = msgspec.msgpack.decode(encode(record))
    builtins["events"] = [{"type": "cards-eaten"}]
    body = encode(builtins)
    with pytest.raises(CorruptRecordError, match="cards-eaten"):
        _ = open_record(link(record.previous, body) + body)


def test_samples_are_whole_records() -> None:
    assert all(isinstance(open_record(bytes_of(file))[0], Record) for file in RECORDS)
    assert len(RECORDS) >= 9
    assert len(DEALS) >= 2
    assert len(SNAPSHOTS) >= 1
