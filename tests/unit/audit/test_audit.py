"""The audit's judgement on what is stored: honest games are clean, and no change of any kind goes unnoticed."""

import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import get_args

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from services.cli.auditing import text
from services.cli.auditing.report import Report, build
from shared.game.view import legal_texts
from shared.messages.codec import HASH_BYTES
from shared.messages.commands import Deal, NumberedDeal, SecretDeal, WinnableDeal
from shared.messages.events import AnyEvent, BetweenPlayers
from tests.tampering import (
    KEPT_BY_RULES,
    SECRET,
    Copy,
    Written,
    field_changes,
    flipped,
    kept,
    kinds_of_event,
    put,
    raw,
    rechained,
    records_of,
    resealed,
    structural_changes,
    whole_game,
)

GAME, STRANGER = whole_game(), whole_game(salt=1)
FIELDS = {name: (place, record) for name, place, record in field_changes(GAME)}
STRUCTURES = structural_changes(GAME, STRANGER)
SEEN_BY_HEAD_ONLY = {"record.command", "record.at"} | {f"{tag}.{name}" for tag, name in KEPT_BY_RULES}
"""What the rules allow as well: without the head, somebody who writes the whole log anew could change these."""


def audited(copy: Copy, *, reveal: bool = False) -> Report:
    return build(copy.game, kept(copy), boards=True, reveal=reveal)


def without_redis(copy: Copy) -> Copy:
    return Copy(copy.game, copy.messages, None, None)


@pytest.fixture(scope="module", autouse=True)
def every_kind_of_event_is_in_the_game() -> None:
    assert kinds_of_event(GAME) == frozenset(get_args(AnyEvent)) - frozenset(get_args(BetweenPlayers))


def test_a_game_as_it_was_played_is_clean() -> None:
    report = audited(GAME)
    assert (report.findings, report.notes, report.status) == ((), (), "resigned")
    assert [line.version for line in report.records] == list(range(1, len(GAME.records) + 1))
    assert all(line.replayed for line in report.records)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    seed=st.integers(0, 2**32),
    variant=st.sampled_from(["draw1", "draw3"]),
    scoring=st.sampled_from(["standard", "win-loss"]),
    mode=st.sampled_from(["ranked", "relaxed"]),
    deal=st.one_of(
        st.builds(SecretDeal, player_seed=st.text(max_size=8)),
        st.builds(WinnableDeal, player_seed=st.text(max_size=8)),
        st.builds(NumberedDeal, number=st.integers(0, 2**53 - 1)),
    ),
)
def test_whatever_is_played_by_the_rules_is_clean(seed: int, variant: str, scoring: str, mode: str, deal: Deal) -> None:
    chance = random.Random(seed)
    written = Written(deal=deal, variant=variant, scoring=scoring, mode=mode)
    for _ in range(30):
        legal = legal_texts(written.game)
        if written.game.status != "running" or not legal:
            break
        written.play(chance.choice(legal), after_ms=chance.choice((0, 40, 90_000)))
        if mode == "relaxed" and chance.random() < 0.3:
            written.play("undo")
            written.play(chance.choice(("redo", "hint")))
    assert audited(written.copy()).findings == ()


@pytest.mark.parametrize("way", [raw, resealed, rechained])
@pytest.mark.parametrize("name", FIELDS)
def test_each_field_is_guarded_in_whatever_way_it_is_changed(name: str, way: type) -> None:
    """Changed on disk, changed with a fitting hash, or with the whole log written anew behind it."""
    place, record = FIELDS[name]
    report = audited(way(GAME, place, record))
    assert report.first_bad is not None
    if way is raw:
        assert report.first_bad.sequence == place + 2


@pytest.mark.parametrize("name", sorted(FIELDS.keys() - SEEN_BY_HEAD_ONLY))
def test_what_the_rules_decide_cannot_be_forged_even_with_the_log_written_anew_and_redis_lost(name: str) -> None:
    place, record = FIELDS[name]
    report = audited(without_redis(rechained(GAME, place, record)))
    assert report.first_bad is not None
    assert report.first_bad.version is not None
    assert report.first_bad.version >= place


@pytest.mark.parametrize("kind", STRUCTURES)
def test_each_change_of_whole_messages_is_noticed(kind: str) -> None:
    report = audited(STRUCTURES[kind](GAME))
    assert report.first_bad is not None
    assert list(text.lines(report))


@pytest.mark.parametrize("place", [0, 1, 5, len(GAME.records) - 1])
def test_a_flipped_bit_in_any_byte_is_noticed_at_its_record(place: int) -> None:
    stored = GAME.records[place]
    chance = random.Random(place)
    for byte in range(len(stored)):
        report = audited(put(GAME, place, flipped(stored, byte, chance.randrange(8))))
        assert report.first_bad is not None, byte
        assert report.first_bad.sequence == place + 2, byte


def test_a_flipped_bit_in_any_byte_of_the_sealed_deal_is_noticed() -> None:
    stored = GAME.messages[0][1]
    for byte in range(len(stored)):
        report = audited(GAME.with_deal(flipped(stored, byte, byte % 8)))
        assert report.first_bad is not None, byte
        assert report.first_bad.sequence in {1, 2}, byte


@pytest.mark.parametrize("field", ["head", "snapshot"])
def test_a_flipped_bit_in_any_byte_of_what_redis_holds_is_noticed(field: str) -> None:
    stored = {"head": GAME.head, "snapshot": GAME.snapshot}[field]
    assert stored is not None
    for byte in range(0, len(stored), 1 if field == "head" else 7):
        changed = msgspec.structs.replace(kept(GAME), **{field: flipped(stored, byte, byte % 8)})
        report = build(GAME.game, changed, boards=False, reveal=False)
        assert report.first_bad is not None, byte
        assert report.first_bad.place == field, byte


def test_after_a_bad_record_the_rest_is_still_shown_and_what_can_be_checked_is() -> None:
    report = audited(put(GAME, 4, flipped(GAME.records[4], HASH_BYTES + 40)))
    assert len(report.records) == len(GAME.records)
    assert [line.version for line in report.records][5:] == list(range(6, len(GAME.records) + 1))
    later = audited(put(put(GAME, 4, b""), 9, flipped(GAME.records[9], 3)))
    assert {finding.sequence for finding in later.findings} >= {6, 11}


@settings(max_examples=60, deadline=None)
@given(st.lists(st.binary(max_size=80), max_size=4), st.binary(max_size=60), st.binary(max_size=60))
def test_no_bytes_make_the_audit_fail(records: list[bytes], deal: bytes, redis: bytes) -> None:
    copy = GAME.with_records(records).with_deal(deal)
    report = audited(Copy(copy.game, copy.messages, redis, redis))
    assert not report.clean
    assert list(text.lines(report))
    assert msgspec.json.encode(report)


def test_a_running_game_shows_no_card_that_its_player_has_not_seen() -> None:
    written = Written(deal=SecretDeal(), variant="draw1")
    written.play("draw")
    report = audited(written.copy())
    everything = msgspec.json.encode(report).decode() + "\n".join(text.lines(report))
    table = written.game.seat.table
    hidden = {*table.stock, *(card for column in table.columns for card in column.down)}
    assert len(hidden) == 52 - 7 - 1
    boards = " ".join(line for record in report.records for line in record.board)
    assert not hidden.intersection(re.findall(r"\b[2-9ATJQK][CDHS]\b", everything + boards.upper()))
    assert SECRET.hex() not in everything


def test_reveal_shows_the_secret_and_the_hidden_cards() -> None:
    written = Written(deal=SecretDeal(), variant="draw1")
    report = audited(written.copy(), reveal=True)
    assert report.secret == SECRET.hex()
    board = " ".join(report.records[0].board)
    assert all(card.lower() in board for card in written.game.seat.table.stock)


def test_what_was_stored_cannot_write_to_the_terminal() -> None:
    """Control characters in stored text come out escaped."""
    first = records_of(GAME)[0]
    evil = msgspec.structs.replace(first.events[0], variant="\x1b[2J\u202e", scoring="x\ny")
    report = audited(rechained(GAME, 0, msgspec.structs.replace(first, events=(evil,))))
    assert not report.clean
    assert all(line.isascii() and line.isprintable() for line in text.lines(report))


def test_the_chain_can_be_checked_by_hand_as_the_documentation_says() -> None:
    document = (Path(__file__).parents[3] / "docs" / "audit.md").read_text()
    names: dict[str, Callable[[bytes, list[bytes]], int | None]] = {}
    exec(document.split("```python")[1].split("```")[0], names)
    sealed, records = GAME.messages[0][1], list(GAME.records)
    assert names["broken_at"](sealed, records) is None
    assert names["broken_at"](flipped(sealed, 9), records) == 1
    assert names["broken_at"](sealed, [*records[:4], flipped(records[4], 50), *records[5:]]) == 5
    assert names["broken_at"](sealed, [*records[:4], *records[5:]]) == 5
