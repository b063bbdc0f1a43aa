"""Until when an audited game could be won, and whether a deal that was promised to be winnable is.

The solver and its compiled kernels are loaded only for a game that is over and clean.
"""

import time
from typing import Final

import msgspec

from services.cli.auditing.reading import Kept
from services.cli.auditing.report import Finding, Report
from shared.game.evolve import dealt_table
from shared.game.line import standing_line
from shared.messages.codec import open_deal, open_record
from shared.messages.commands import WinnableDeal
from shared.messages.dealer import GameVerdict
from shared.messages.events import GameEnded, GameStarted
from shared.rules.variants import VARIANTS

BROKEN_PROMISE: Final = "it was certified winnable, and cannot be won"
OPEN_PROMISE: Final = "the deal was certified winnable; that was not decided again in the time for it"


def with_verdict(report: Report, kept: Kept) -> Report:
    """The report with the solver's verdict, if the game is over and all of it is as it was accepted."""
    if not report.clean or report.status in {None, "running"}:
        return report
    verdict, promised = _judged(report, kept)
    judged = msgspec.structs.replace(report, verdict=verdict)
    if not promised or verdict.winnable_through is not None:
        return judged
    if verdict.lost_from != 0:
        return msgspec.structs.replace(judged, notes=(*judged.notes, OPEN_PROMISE))
    broken = Finding(place="sealed deal", version=0, sequence=report.deal_sequence, what=BROKEN_PROMISE)
    return msgspec.structs.replace(judged, clean=False, first_bad=broken, findings=(broken,))


def verdict_text(verdict: GameVerdict) -> str:
    """The verdict in one line."""
    through, lost, losing = verdict.winnable_through, verdict.lost_from, verdict.lost_by
    if verdict.undecided == "variant":
        return "the solver does not play this variant"
    if verdict.result == "won":
        return "won"
    if lost == 0:
        return "the deal could not be won"
    if through == verdict.moves:
        return "could still be won at its end"
    if losing is not None:
        until = f"could be won through move {losing.number - 1}" if losing.number > 1 else "the deal could be won"
        return f"{until}; move {losing.number} ({losing.move}, version {losing.version}) lost it"
    first = "not known to be winnable" if through is None else f"could be won through move {through}"
    last = "the rest is not decided" if lost is None else f"could not be won from move {lost} on"
    return f"{first}; {last} (the search had to end)"


def _judged(report: Report, kept: Kept) -> tuple[GameVerdict, bool]:
    """The verdict, and whether the deal was promised to be winnable."""
    from shared.solver.solve import Solver
    from shared.solver.verdicts import Ended, Patience, judge

    sealed, _ = open_deal(kept.deals[0].data)
    records = [open_record(message.data)[0] for message in kept.records]
    started, over = records[0].events[0], records[-1].events[-1]
    assert isinstance(started, GameStarted), "the report is clean"
    assert isinstance(over, GameEnded), "the game is over"
    variant = VARIANTS[started.variant]
    ended = Ended(
        game=report.game,
        version=records[-1].version,
        result=over.result,
        variant=variant,
        deal=dealt_table(sealed, variant),
        line=standing_line((record.version, record.events) for record in records),
    )
    patience = Patience(Solver(time.monotonic).solve, variant, time.monotonic)
    return judge(ended, patience), isinstance(started.deal, WinnableDeal)
