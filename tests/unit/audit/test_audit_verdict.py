"""What an audit says of a game that is over: until when it could be won, and whether a promise was kept."""

import time

import msgspec
import pytest

from services.cli.auditing import text
from services.cli.auditing.report import build
from services.cli.auditing.verdict import BROKEN_PROMISE, verdict_text, with_verdict
from shared.messages.base import GameId
from shared.messages.commands import NumberedDeal, WinnableDeal
from shared.messages.dealer import GameVerdict, LosingMove
from shared.rules.deal import secret_deck
from shared.rules.table import lay_out
from shared.rules.variants import VARIANTS
from shared.solver.solve import Budget, Solvable, Solver
from tests.tampering import SECRET, Written, kept

LOST_BY_ITS_SECOND_MOVE = ("T5>F2", "T3>T7")
"""Of deal 23 with draw one."""
VERDICT = GameVerdict(
    game=GameId("a" * 26), version=9, result="resigned", moves=7, winnable_through=None, lost_from=None
)


def written(*moves: str, deal: NumberedDeal | WinnableDeal = NumberedDeal(number=23)) -> Written:  # noqa: B008 - frozen
    game = Written(deal=deal, variant="draw1")
    for move in moves:
        game.play(move)
    return game


def promised(*, kept_promise: bool) -> WinnableDeal:
    """A seed whose deal can, or cannot, be won with the tests' secret."""
    solver = Solver(time.monotonic)
    for number in range(100):
        table = lay_out(secret_deck(SECRET, str(number), decks=1), VARIANTS["draw1"])
        if isinstance(solver.solve(table, VARIANTS["draw1"], Budget()), Solvable) is kept_promise:
            return WinnableDeal(player_seed=str(number))
    raise AssertionError("no such deal")


def test_the_move_that_lost_the_game_is_named_and_the_report_stays_clean() -> None:
    copy = written(*LOST_BY_ITS_SECOND_MOVE, "draw", "undo", "redo", "resign").copy()
    report = with_verdict(build(copy.game, kept(copy), boards=False, reveal=False), kept(copy))
    assert report.clean
    assert report.verdict is not None
    assert report.verdict.lost_by == LosingMove(number=2, version=3, move="T3>T7")
    assert "verdict     could be won through move 1; move 2 (T3>T7, version 3) lost it" in [*text.lines(report)]
    assert msgspec.json.decode(msgspec.json.encode(report))["verdict"]["lost_from"] == 2


@pytest.mark.parametrize("reveal", [False, True])
def test_of_a_game_that_runs_no_verdict_is_made(reveal: bool) -> None:
    copy = written(*LOST_BY_ITS_SECOND_MOVE).copy()
    report = build(copy.game, kept(copy), boards=True, reveal=reveal)
    assert with_verdict(report, kept(copy)) is report
    assert not any(line.startswith("verdict") for line in text.lines(report))


def test_what_is_not_as_it_was_accepted_is_not_judged() -> None:
    copy = written(*LOST_BY_ITS_SECOND_MOVE, "resign").copy()
    short = msgspec.structs.replace(kept(copy), records=kept(copy).records[1:])
    report = build(copy.game, short, boards=False, reveal=False)
    assert not report.clean
    assert with_verdict(report, short) is report


def test_a_deal_that_was_certified_winnable_and_is_not_is_a_finding() -> None:
    copy = written("draw", "resign", deal=promised(kept_promise=False)).copy()
    report = with_verdict(build(copy.game, kept(copy), boards=False, reveal=False), kept(copy))
    assert not report.clean
    assert report.first_bad is not None
    assert (report.first_bad.place, report.first_bad.what) == ("sealed deal", BROKEN_PROMISE)


def test_a_promise_that_was_kept_is_clean_and_the_deal_says_that_there_was_one() -> None:
    copy = written("draw", "resign", deal=promised(kept_promise=True)).copy()
    report = with_verdict(build(copy.game, kept(copy), boards=False, reveal=False), kept(copy))
    assert report.clean
    assert report.verdict is not None
    assert report.verdict.winnable_through is not None
    assert report.deal is not None
    assert report.deal.endswith("certified winnable")


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"result": "won", "winnable_through": 7}, "won"),
        ({"lost_from": 0}, "the deal could not be won"),
        ({"winnable_through": 7}, "could still be won at its end"),
        (
            {"winnable_through": 0, "lost_from": 1, "lost_by": LosingMove(number=1, version=2, move="draw")},
            "the deal could be won; move 1 (draw, version 2) lost it",
        ),
        (
            {"winnable_through": 2, "lost_from": 5, "undecided": "budget"},
            "could be won through move 2; could not be won from move 5 on (the search had to end)",
        ),
        (
            {"winnable_through": 2, "undecided": "budget"},
            "could be won through move 2; the rest is not decided (the search had to end)",
        ),
        (
            {"undecided": "budget"},
            "not known to be winnable; the rest is not decided (the search had to end)",
        ),
        ({"undecided": "variant"}, "the solver does not play this variant"),
    ],
)
def test_a_verdict_in_a_line_says_no_more_than_is_proved(changes: dict[str, object], said: str) -> None:
    assert verdict_text(msgspec.structs.replace(VERDICT, **changes)) == said
