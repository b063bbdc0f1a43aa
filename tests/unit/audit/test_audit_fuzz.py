"""Whatever is altered in a stored game is noticed, and a game as it was played never raises an alarm.

Some hundred games by default; `KLONDIKE_FUZZ=100000` makes it so many.
"""

import os

import msgspec
import pytest

from services.cli.auditing.reading import Kept
from services.cli.auditing.report import Report, build
from shared.messages.base import GameId
from tests import fuzzer
from tests.fuzzer import Fuzzer, audited, told
from tests.tampering import kept, whole_game

COUNT = int(os.environ.get("KLONDIKE_FUZZ", "600"))
SEED = int(os.environ.get("KLONDIKE_FUZZ_SEED", "1"))


def test_every_alteration_is_noticed_and_nothing_else_is() -> None:
    tally = Fuzzer(SEED).run(COUNT)
    assert (tally.unnoticed, tally.false_alarms) == ([], []), list(told(tally, 0))
    assert tally.altered + tally.unaltered == COUNT
    assert tally.unaltered >= COUNT // fuzzer.UNALTERED
    if COUNT >= 600:
        assert len(tally.changes) == 18, "every kind of change was made"


def test_an_audit_that_sees_nothing_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """The fuzzer itself can fail: with a blind audit every alteration goes unnoticed."""
    copy = whole_game()
    clean = audited(copy)

    def blind(_game: GameId, _kept: Kept, *, boards: bool, reveal: bool) -> Report:
        assert (boards, reveal) == (False, False)
        return clean

    monkeypatch.setattr(fuzzer, "build", blind)
    tally = Fuzzer(SEED).run(20)
    assert len(tally.unnoticed) == tally.altered > 10


def test_an_audit_that_always_finds_something_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    copy = whole_game()
    bad = build(copy.game, kept(copy.with_records(copy.records[1:])), boards=False, reveal=False)

    def nervous(game: GameId, _kept: Kept, *, boards: bool, reveal: bool) -> Report:
        assert (boards, reveal) == (False, False)
        return msgspec.structs.replace(bad, game=game)

    monkeypatch.setattr(fuzzer, "build", nervous)
    tally = Fuzzer(SEED).run(20)
    assert len(tally.false_alarms) == tally.unaltered > 1
