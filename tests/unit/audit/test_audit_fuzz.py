"""Whatever is altered in a stored game is noticed, and a game as it was played never raises an alarm.

Some hundred games by default; `KLONDIKE_FUZZ=100000` makes it so many.
"""

import os
import random

import msgspec
import pytest

from services.cli.auditing.reading import Kept
from services.cli.auditing.report import Report, build
from shared.messages.base import GameId
from tests import fuzzer
from tests.forgeries import fitting, found, played
from tests.fuzzer import Fuzzer, audited, told
from tests.tampering import Copy, kept, whole_game

COUNT = int(os.environ.get("KLONDIKE_FUZZ", "600"))
FORGERIES = (
    "a whole game is removed",
    "a whole game is replaced",
    "a game has lost its end, all made to fit",
)
SEED = int(os.environ.get("KLONDIKE_FUZZ_SEED", "1"))


def test_every_alteration_is_noticed_and_nothing_else_is() -> None:
    tally = Fuzzer(SEED).run(COUNT)
    assert (tally.unnoticed, tally.false_alarms) == ([], []), list(told(tally, 0))
    assert tally.altered + tally.unaltered == COUNT
    assert tally.unaltered >= COUNT // 10
    assert len(tally.changes) == 21, "every kind of change was made"


def test_an_audit_that_sees_nothing_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """The fuzzer itself can fail: with a blind audit every alteration goes unnoticed."""
    copy = whole_game()
    clean = audited(copy)

    def blind(_game: GameId, _kept: Kept, *, boards: bool, reveal: bool) -> Report:
        assert (boards, reveal) == (False, False)
        return clean

    monkeypatch.setattr(fuzzer, "build", blind)
    tally = Fuzzer(SEED).run(20)
    forged = sum(tally.changes[name] for name in FORGERIES)
    assert len(tally.unnoticed) == tally.altered - forged > 10


def test_an_audit_that_always_finds_something_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    copy = whole_game()
    bad = build(copy.game, kept(copy.with_records(copy.records[1:])), boards=False, reveal=False)

    def nervous(game: GameId, _kept: Kept, *, boards: bool, reveal: bool) -> Report:
        assert (boards, reveal) == (False, False)
        return msgspec.structs.replace(bad, game=game)

    monkeypatch.setattr(fuzzer, "build", nervous)
    tally = Fuzzer(SEED).run(20)
    assert len(tally.false_alarms) == tally.unaltered > 1


def test_a_forgery_that_fits_together_is_seen_by_the_checkpoint_alone() -> None:
    """And a whole game that was added, which it does not know."""
    chance = random.Random(SEED)
    original, other = played(chance, 11), played(chance, 11)
    assert original.game == other.game
    assert original.messages != other.messages
    assert audited(other).clean
    for forged in (other, fitting(original, 1), Copy(original.game, (), None, None)):
        assert any(finding.place == "checkpoint" for finding in found(original, forged))
    assert found(original, original) == ()
    (added,) = found(original, original, known=False)
    assert (added.place, "the whole game lies before" in added.what) == ("checkpoint", True)
