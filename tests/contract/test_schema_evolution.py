"""Whole games of every schema that was ever written, and of one that never was: read, lifted, replayed, audited.

The schema that never was, 0, has other names and forms, as a real older one would: its steps go through the registry
that real ones go through, and nothing else knows of it.
"""

import importlib
import pkgutil
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import shared.messages
from services.cli.auditing.report import build
from services.gateway.history.replay import history_of
from services.scoring.projections import fold
from services.scoring.reading import LogMessage, Opened, read
from services.scoring.rows import PlayerRow
from shared import subjects
from shared.bus.snapshots import pack_snapshot
from shared.game.view import past_step
from shared.messages import upcast
from shared.messages.answers import ForgottenPlayer
from shared.messages.archive import Manifest, Place
from shared.messages.base import Stored
from shared.messages.checkpoint import Checkpoint, SignedCheckpoint
from shared.messages.codec import CorruptRecordError, encode, link, open_deal, open_record
from shared.messages.events import AnyEvent, BetweenPlayers, GameEnded, Record, SealedDeal
from shared.messages.history import GameHistory
from shared.messages.profile import KeptSettings
from shared.messages.sharing import Share
from shared.messages.upcast import SCHEMA_NEWEST, STEPS, Fields, Kind
from tests.contract.sample_messages import SAMPLES
from tests.play import rebuilt
from tests.tampering import Copy, kept, put, whole_game
from tests.unit.messages.test_strictness import structs_in

GAMES = sorted(SAMPLES.glob("game-*.hex"))
MESSAGES = sorted(file for file in SAMPLES.glob("*.hex") if file.stem.startswith(("record", "sealed-deal")))


# A schema that never was: `who` for `player`, cards in one text, points under another name, the secret in bytes.


def lifted_record(fields: Fields) -> Fields:
    fields = {"player" if name == "who" else name: value for name, value in fields.items()}
    events = fields["events"]
    if not isinstance(events, list):
        raise TypeError(events)
    return fields | {"events": [_lifted_event(event) for event in events]}


def lifted_deal(fields: Fields) -> Fields:
    secret = fields["secret"]
    if not isinstance(secret, bytes):
        raise TypeError(secret)
    return fields | {"secret": secret.hex()}


def _lifted_event(event: Fields) -> Fields:
    fields = {"points" if name == "score" else name: value for name, value in event.items()}
    cards = fields.get("cards")
    return fields | {"cards": cards.split()} if isinstance(cards, str) else fields


def old_record(record: Record, previous: bytes) -> bytes:
    """A record as schema 0 would have stored it."""
    fields: Fields = msgspec.to_builtins(record, builtin_types=(bytes,))
    fields = {"who" if name == "player" else name: value for name, value in fields.items()}
    events = [_old_event(event) for event in msgspec.convert(fields["events"], list[Fields])]
    body = encode(fields | {"schema": 0, "events": events, "previous": previous})
    return link(previous, body) + body


def old_deal(sealed: SealedDeal) -> bytes:
    fields: Fields = msgspec.to_builtins(sealed)
    return encode(fields | {"schema": 0, "secret": bytes.fromhex(sealed.secret)})


def _old_event(event: Fields) -> Fields:
    fields = {"score" if name == "points" else name: value for name, value in event.items()}
    cards = fields.get("cards")
    joined = isinstance(cards, list | tuple)
    return fields | {"cards": " ".join(map(str, cards))} if joined and isinstance(cards, list | tuple) else fields


@pytest.fixture
def schema_0(monkeypatch: pytest.MonkeyPatch) -> None:
    """Registers the steps from it, as a release would that had once written it."""
    monkeypatch.setitem(STEPS["record"], 0, lifted_record)
    monkeypatch.setitem(STEPS["sealed-deal"], 0, lifted_deal)


def of_schema_0(copy: Copy, records: int) -> Copy:
    """The game with its deal and its first records stored in the old schema, the rest after an upgrade."""
    sealed, _ = open_deal(copy.messages[0][1])
    stored = [old_deal(sealed)]
    previous = link(b"", stored[0])
    for number, data in enumerate(copy.records):
        record = msgspec.structs.replace(open_record(data)[0], previous=previous)
        body = encode(record)
        stored.append(old_record(record, previous) if number < records else link(previous, body) + body)
        previous = stored[-1][:32]
    return copy.with_deal(stored[0]).with_records(stored[1:])


def with_redis(copy: Copy) -> Copy:
    """With head and snapshot as they follow from the messages. The deal lies before the records."""
    logged = rebuilt(copy.messages[0][1], list(copy.records))
    placed = msgspec.structs.replace(logged, sequence=len(copy.messages))
    return Copy(copy.game, copy.messages, encode((logged.game.version, logged.hash)), pack_snapshot(placed))


def records_of(copy: Copy) -> list[Record]:
    return [open_record(data)[0] for data in copy.records]


@pytest.mark.parametrize("records", [0, 1, 7, 1000])
@pytest.mark.usefixtures("schema_0")
def test_a_game_of_an_older_schema_is_read_replayed_counted_shown_and_audited_like_any(records: int) -> None:
    game = whole_game()
    old = of_schema_0(game, records)
    assert b"who" in old.records[0] or not records
    without_links = [msgspec.structs.replace(one, previous=b"") for one in records_of(old)]
    assert without_links == [msgspec.structs.replace(one, previous=b"") for one in records_of(game)]
    assert rebuilt(old.messages[0][1], list(old.records)).game == rebuilt(game.messages[0][1], list(game.records)).game
    assert _shown(old) == _shown(game)
    assert _counted(old) == _counted(game)
    report = build(old.game, kept(with_redis(old)), boards=True, reveal=False)
    assert (report.findings, report.notes) == ((), ())
    assert all(line.replayed for line in report.records)


@pytest.mark.usefixtures("schema_0")
def test_a_change_in_a_record_of_an_older_schema_is_noticed_all_the_same() -> None:
    """In every byte: its hash is over what was stored, not over what it is lifted to."""
    old = with_redis(of_schema_0(whole_game(), 1000))
    for place in (0, 3):
        stored = old.records[place]
        for byte in range(0, len(stored), 3):
            changed = put(old, place, stored[:byte] + bytes([stored[byte] ^ 1]) + stored[byte + 1 :])
            report = build(old.game, kept(changed), boards=False, reveal=False)
            assert report.first_bad is not None, (place, byte)
            assert report.first_bad.sequence == place + 2, (place, byte)


@pytest.mark.usefixtures("schema_0")
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.dictionaries(
        st.sampled_from(["type", "who", "events", "secret", "game"]),
        st.none() | st.integers(-5, 5) | st.text(max_size=3) | st.lists(st.none() | st.text(max_size=3), max_size=2),
    )
)
def test_what_is_no_message_of_an_older_schema_is_corrupt_and_nothing_else(fields: dict[str, object]) -> None:
    body = encode(fields | {"schema": 0})
    for opened in (open_deal, open_record):
        with pytest.raises(CorruptRecordError):
            _ = opened(body if opened is open_deal else bytes(32) + body)


def test_a_schema_without_a_step_never_was() -> None:
    with pytest.raises(CorruptRecordError, match="schema 0, which never was"):
        _ = open_deal(encode({"type": "sealed-deal", "schema": 0}))


@pytest.mark.parametrize("kind", get_args(Kind))
def test_from_the_oldest_schema_to_the_newest_no_step_is_missing(kind: Kind) -> None:
    assert sorted(STEPS[kind]) == [*range(upcast.oldest(kind), SCHEMA_NEWEST)]
    files = [file for file in MESSAGES if file.stem.startswith(kind)]
    schemas = {int(file.suffixes[0].removeprefix(".")) for file in files}
    assert schemas == {*range(upcast.oldest(kind), SCHEMA_NEWEST + 1)}, "every schema has stored samples"


# What was really stored


@pytest.mark.parametrize("file", GAMES, ids=lambda file: file.stem)
def test_a_stored_game_is_audited_clean_and_shown_whole(file: Path) -> None:
    deal, *records = (bytes.fromhex(line) for line in file.read_text(encoding="utf-8").split())
    game = open_deal(deal)[0].game
    log = tuple((subjects.game_log(game), data) for data in records)
    copy = with_redis(Copy(game, ((subjects.sealed_deal(game), deal), *log), None, None))
    report = build(game, kept(copy), boards=True, reveal=False)
    assert (report.findings, report.notes, report.status) == ((), (), "resigned")
    told = _shown(copy)
    assert len(told.steps) == len(records)
    assert _counted(copy)[0] == told.steps[-1].events[-1], "scoring has seen its end"


def test_there_are_stored_games_of_every_schema_and_in_the_newest_every_event_is_in_one() -> None:
    schemas = {int(file.suffixes[0].removeprefix(".")) for file in GAMES}
    assert schemas == {*range(1, SCHEMA_NEWEST + 1)}
    newest = [file for file in GAMES if file.stem.endswith(f".{SCHEMA_NEWEST}")]
    records = [bytes.fromhex(line) for file in newest for line in file.read_text(encoding="utf-8").split()[1:]]
    events = {type(event) for data in records for event in open_record(data)[0].events}
    assert events == set(get_args(AnyEvent)) - set(get_args(BetweenPlayers)), (
        "run python -m tests.contract.sample_messages"
    )


def test_no_message_that_is_stored_lacks_a_sample() -> None:
    """Nor anything that lies in one: each kind of deal, of answer about chances, of event."""
    for module in pkgutil.iter_modules(shared.messages.__path__, "shared.messages."):
        importlib.import_module(module.name)
    stored = {kind for kind in _below(Stored) if kind.__struct_config__.tag is not None and not _below(kind)}
    assert {Record, SealedDeal, *get_args(AnyEvent)} <= stored
    needed = {one for kind in stored for one in structs_in(kind)} & stored | structs_in(Record) | structs_in(SealedDeal)
    seen = {type(found) for message in _samples() for found in _structs(message)}
    missing = sorted(kind.__name__ for kind in needed - seen)
    assert missing == [], (
        "add them to tests/contract/sample_messages.py, and run python -m tests.contract.sample_messages"
    )


def _below(kind: type[msgspec.Struct]) -> set[type[msgspec.Struct]]:
    return {*kind.__subclasses__(), *(one for sub in kind.__subclasses__() for one in _below(sub))}


def _samples() -> Iterator[msgspec.Struct]:
    for file in MESSAGES:
        data = bytes.fromhex(file.read_text(encoding="utf-8"))
        yield open_record(data)[0] if file.stem.startswith("record") else open_deal(data)[0]
    for file in SAMPLES.glob("checkpoint.*.hex"):
        signed = msgspec.msgpack.decode(bytes.fromhex(file.read_text(encoding="utf-8")), type=SignedCheckpoint)
        yield from (signed, msgspec.msgpack.decode(signed.checkpoint, type=Checkpoint))
    for kind in (Share, Manifest, Place, ForgottenPlayer, KeptSettings):
        for file in SAMPLES.glob(f"{kind.__struct_config__.tag}.*.hex"):
            yield msgspec.msgpack.decode(bytes.fromhex(file.read_text(encoding="utf-8")), type=kind)


def _structs(value: object) -> Iterator[msgspec.Struct]:
    if isinstance(value, msgspec.Struct):
        yield value
        for name in value.__struct_fields__:
            yield from _structs(getattr(value, name))
    elif isinstance(value, tuple):
        for one in value:
            yield from _structs(one)


def _shown(copy: Copy) -> GameHistory:
    """What the viewer gets."""
    return history_of(copy.game, map(past_step, records_of(copy)))


def _counted(copy: Copy) -> tuple[GameEnded | None, PlayerRow]:
    """What scoring makes of a game: how it ended, and its player's sums."""
    game, player, ended = None, PlayerRow(), None
    for sequence, data in enumerate(copy.records, 1):
        entry = read(LogMessage(sequence, subjects.game_log(copy.game), data, 0))
        assert isinstance(entry, Opened), entry
        folded = fold(game, player, entry.record, entry.digest)
        game, player, ended = folded.game, folded.player, folded.ended
    return ended, player
