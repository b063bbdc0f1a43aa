"""The archive's bytes: what goes in comes out, and nothing else is ever read."""

from collections.abc import Iterator
from contextlib import contextmanager

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.messages.archive import (
    HEAD_BYTES,
    Archived,
    ArchivedGame,
    DamagedArchiveError,
    Message,
    UnfitGameError,
    check_head,
    open_manifest,
    open_place,
    pack_game,
    pack_segment,
    unpack_game,
)
from shared.messages.base import GameId
from shared.messages.codec import encode, link
from tests.tampering import Copy, whole_game

COPY = whole_game(3)


def archived(copy: Copy, *, first: int = 7, step: int = 3) -> Archived:
    messages = [
        Message(first + step * number, 1_700_000_000_000_000_000 + 123_456_789 * number, data)
        for number, (_, data) in enumerate(copy.messages)
    ]
    return Archived(copy.game, messages[0], tuple(messages[1:]))


def entry_of(game: Archived, packed: bytes) -> ArchivedGame:
    return ArchivedGame(
        game=game.game,
        offset=HEAD_BYTES,
        length=len(packed),
        versions=len(game.records),
        hash=game.records[-1].data[:32],
        first_sequence=game.deal.sequence,
        last_sequence=game.records[-1].sequence,
        live_bytes=0,
        ended_at=0,
    )


GAME = archived(COPY)
PACKED = pack_game(GAME)
ENTRY = entry_of(GAME, PACKED)


@st.composite
def chains(draw: st.DrawFn) -> Archived:
    """Any bodies that hold the hash before somewhere: today's records have it at the end, others may not."""
    deal = draw(st.binary(max_size=50))
    previous, records = link(b"", deal), []
    for number, (before, after) in enumerate(draw(st.lists(st.tuples(st.binary(), st.binary()), min_size=1))):
        body = before + previous + after
        previous = link(previous, body)
        records.append(Message(draw(st.integers(0, 2**40)), number, previous + body))
    return Archived(GameId("a" * 26), Message(draw(st.integers(0, 2**40)), 5, deal), tuple(records))


@given(chains())
def test_whatever_follows_its_chain_comes_back_bit_for_bit(game: Archived) -> None:
    packed = pack_game(game)
    assert unpack_game(packed, entry_of(game, packed), "s") == game


def test_a_real_game_is_smaller_and_the_same() -> None:
    assert unpack_game(PACKED, ENTRY, "s") == GAME
    assert len(PACKED) < 0.4 * sum(len(message.data) for message in (GAME.deal, *GAME.records))


@given(st.integers(0, 8 * len(PACKED) - 1))
def test_any_bit_that_changes_is_named_with_game_versions_and_offset(bit: int) -> None:
    changed = bytearray(PACKED)
    changed[bit // 8] ^= 1 << bit % 8
    said = f"game {GAME.game}, versions 1 to {ENTRY.versions}, offset {HEAD_BYTES}"
    with suppress_if_named(said):
        assert unpack_game(bytes(changed), ENTRY, "segment") == GAME, "a bit of zlib's header may say the same"


@contextmanager
def suppress_if_named(said: str) -> Iterator[None]:
    """Damage may be refused if it is named so."""
    try:
        yield
    except DamagedArchiveError as error:
        if said not in str(error):
            raise


@given(st.integers(0, len(PACKED) - 1))
def test_a_game_that_is_cut_off_is_refused(length: int) -> None:
    with pytest.raises(DamagedArchiveError, match="it is cut off"):
        unpack_game(PACKED[:length], ENTRY, "segment")


@pytest.mark.parametrize(
    "change",
    [
        {"versions": ENTRY.versions - 1},
        {"hash": bytes(32)},
        {"last_sequence": ENTRY.last_sequence + 1},
        {"game": GameId("b" * 26)},
    ],
    ids=str,
)
def test_another_game_than_the_manifest_names_is_refused(change: dict[str, object]) -> None:
    with pytest.raises(DamagedArchiveError):
        unpack_game(PACKED, msgspec.structs.replace(ENTRY, **change), "segment")


def test_records_that_do_not_follow_are_not_packed() -> None:
    exchanged = Archived(GAME.game, GAME.deal, (GAME.records[1], GAME.records[0], *GAME.records[2:]))
    with pytest.raises(UnfitGameError, match="version 1 "):
        pack_game(exchanged)
    with pytest.raises(UnfitGameError, match="version 1 "):
        pack_game(Archived(GAME.game, Message(1, 1, b"another"), GAME.records))


@pytest.mark.parametrize(
    ("head", "said"),
    [
        (b"", "does not begin as a segment does"),
        (pack_segment([PACKED])[:5], "does not begin as a segment does"),
        (b"x" + pack_segment([PACKED])[1:], "does not begin as a segment does"),
        (b"klondike-segment\x02", "format 2, newer than 1: read it with a newer release"),
        (b"klondike-segment\x00", "format 0, which never was"),
    ],
)
def test_a_segment_that_is_none_or_too_new_is_refused(head: bytes, said: str) -> None:
    with pytest.raises(DamagedArchiveError, match=said):
        check_head(head, "segment")


@pytest.mark.parametrize(
    ("stored", "said"),
    [
        (b"", "cannot be decoded"),
        (b"\xc1", "cannot be decoded"),
        (encode({"schema": 2, "type": "manifest"}), "schema 2, newer than 1: read it with a newer release"),
        (encode({"schema": 1, "type": "manifest"}), "missing required field"),
        (encode({"schema": 1, "type": "other"}), "cannot be decoded"),
    ],
)
def test_a_manifest_or_place_that_is_none_or_too_new_is_refused(stored: bytes, said: str) -> None:
    for opened in (open_manifest, open_place):
        with pytest.raises(DamagedArchiveError, match=said if "missing" not in said else "cannot be decoded"):
            opened(stored)
