"""What is wrong with stored records is named with game, version and place in the stream, and the rest is audited."""

from collections.abc import Callable

import msgspec
import pytest

from services.cli.auditing import text
from services.cli.auditing.report import Report, build
from shared.messages.codec import HASH_BYTES, encode, link
from shared.messages.upcast import SCHEMA_NEWEST
from tests.tampering import Copy, kept, put, records_of, whole_game

GAME, STRANGER = whole_game(), whole_game(salt=1)
LAST = len(GAME.records)
PLACE = 6
"""Of the record that is spoilt, from 0: version 7, sequence 8 behind the deal."""


def without(copy: Copy) -> Copy:
    return copy.with_records([*copy.records[:PLACE], *copy.records[PLACE + 1 :]])


def reordered(copy: Copy) -> Copy:
    records = list(copy.records)
    records[PLACE], records[PLACE + 1] = records[PLACE + 1], records[PLACE]
    return copy.with_records(records)


def newer(copy: Copy, fields: dict[str, object]) -> Copy:
    """A record of a later schema, with a hash that fits."""
    body = copy.records[PLACE][HASH_BYTES:]
    later = encode(msgspec.msgpack.decode(body, type=dict[str, object]) | {"schema": SCHEMA_NEWEST + 1} | fields)
    return put(copy, PLACE, link(records_of(copy)[PLACE].previous, later) + later)


KINDS: dict[str, tuple[Callable[[Copy], Copy], tuple[str, int | None, int | None], str]] = {
    "missing": (without, ("record", 8, 8), "version 8 follows version 6"),
    "the first is missing": (lambda c: c.with_records(c.records[1:]), ("record", 2, 2), "version 2 follows version 0"),
    "the last is missing": (lambda c: c.with_records(c.records[:-1]), ("head", LAST, None), "was acknowledged"),
    "truncated": (lambda c: put(c, PLACE, c.records[PLACE][:-9]), ("record", 7, 8), "cannot be decoded"),
    "cut to nothing": (lambda c: put(c, PLACE, b""), ("record", 7, 8), "cannot be decoded"),
    "reordered": (reordered, ("record", 8, 8), "version 8 follows version 6"),
    "duplicated": (
        lambda c: c.with_records([*c.records[: PLACE + 1], *c.records[PLACE:]]),
        ("record", 7, 9),
        "version 7 follows version 7",
    ),
    "altered": (
        lambda c: put(c, PLACE, c.records[PLACE][:-1] + bytes([c.records[PLACE][-1] ^ 1])),
        ("record", 7, 8),
        "hash",
    ),
    "of a newer release": (lambda c: newer(c, {}), ("record", 7, 8), "has schema 2, newer than 1"),
    "of a newer release, in another form": (
        lambda c: newer(c, {"events": "in another form", "version": "seven"}),
        ("record", 7, 8),
        "has schema 2, newer than 1: read it with a newer release",
    ),
    "of another game": (lambda c: put(c, PLACE, STRANGER.records[PLACE]), ("record", 7, 8), "it is a record of game"),
    "a snapshot of another game": (
        lambda c: Copy(c.game, c.messages, c.head, STRANGER.snapshot),
        ("snapshot", None, None),
        f"it is of game {STRANGER.game}",
    ),
    "a snapshot of another version": (
        lambda c: Copy(c.game, c.messages, c.head, b"2" + (c.snapshot or b"")[1:]),
        ("snapshot", None, None),
        "it has another schema",
    ),
    "no deal": (lambda c: c.with_deal(), ("sealed deal", 0, None), "missing"),
}


def audited(copy: Copy) -> Report:
    return build(copy.game, kept(copy), boards=True, reveal=False)


@pytest.mark.parametrize("kind", KINDS)
def test_the_first_bad_one_is_named_with_game_version_and_place(kind: str) -> None:
    spoil, place, said = KINDS[kind]
    report = audited(spoil(GAME))
    first = report.first_bad
    assert first is not None
    assert (first.place, first.version, first.sequence) == place, first
    assert any(said in finding.what for finding in report.findings), report.findings
    line = text.finding_text(report, first)
    assert f"of game {GAME.game}, version " in line
    assert "stream sequence " in line


@pytest.mark.parametrize("kind", KINDS)
def test_the_rest_is_audited_all_the_same(kind: str) -> None:
    """Every record that is there has its line, and a second damage is found behind the first."""
    spoilt = KINDS[kind][0](GAME)
    assert len(audited(spoilt).records) == len(spoilt.records)
    last = len(spoilt.records) - 1
    twice = audited(put(spoilt, last, spoilt.records[last][:-1] + b"\0"))
    assert any(finding.place == "record" and finding.sequence == last + _first(spoilt) for finding in twice.findings)
    assert list(text.lines(twice))


def _first(copy: Copy) -> int:
    """The sequence of the first record."""
    return len(copy.messages) - len(copy.records) + 1
