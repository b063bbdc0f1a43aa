"""The audit as a table for people."""

from collections.abc import Iterator
from typing import Final

from services.cli.auditing.report import Finding, Line, Report
from services.cli.auditing.verdict import verdict_text

NONE: Final = "-"
PLAYER_LETTERS: Final = 6


def lines(report: Report) -> Iterator[str]:
    """The whole report, line by line: what game, each record, what was found."""
    yield from _head(report)
    yield ""
    yield f"{'version':>7}  {'time (UTC)':<23}  {'who':<6}  {'move':<12}  {'points':>6}  {'sum':>5}  what came of it"
    yield from (text for line in report.records for text in _record(line))
    yield ""
    yield from _verdict(report)


def finding_text(report: Report, finding: Finding) -> str:
    """One finding, with everything needed to look at it."""
    version = NONE if finding.version is None else finding.version
    sequence = NONE if finding.sequence is None else finding.sequence
    return f"{finding.place} of game {report.game}, version {version}, stream sequence {sequence}: {finding.what}"


def _head(report: Report) -> Iterator[str]:
    yield f"game        {report.game}  ({report.status or 'state unknown'})"
    yield f"kind        {report.kind or NONE}"
    yield f"deal        {report.deal or NONE}  (stream sequence {_or_none(report.deal_sequence)})"
    yield f"commitment  {report.commitment or NONE}"
    yield f"secret      {_secret(report)}"
    yield f"deal hash   {report.deal_hash or NONE}"


def _secret(report: Report) -> str:
    if report.secret is None:
        return "not shown before the game is over (--reveal shows it)"
    return report.secret or "none: the deal has a public origin"


def _record(line: Line) -> Iterator[str]:
    mark = " " if line.replayed and not line.faults else "?" if not line.faults else "!"
    who = line.player[:PLAYER_LETTERS] if line.player else NONE
    points = NONE if line.points is None else f"{line.points:+d}" if line.points else ""
    moves = line.moves or (NONE,)
    came = line.happened or ("",)
    total = _or_none(line.sum)
    first = f"{line.version:>6}{mark}  {line.time or NONE:<23}  {who:<6}  {moves[0]:<12}  {points:>6}  {total:>5}"
    yield f"{first}  {came[0]}".rstrip()
    for move, happened in zip(moves[1:], came[1:], strict=True):
        yield f"{'':>7}  {'':<23}  {'':<6}  {move:<12}  {'':>6}  {'':>5}  {happened}".rstrip()
    for fault in line.faults:
        yield f"{'':>7}  stream sequence {line.sequence}: {fault}"
    for text in line.board:
        yield f"{'':>9}{text}"


def _verdict(report: Report) -> Iterator[str]:
    for note in report.notes:
        yield f"note: {note}"
    yield f"head        version {_or_none(report.head_version)}"
    yield f"snapshot    version {_or_none(report.snapshot_version)}"
    if report.verdict is not None:
        yield f"verdict     {verdict_text(report.verdict)}"
    if report.first_bad is None:
        yield f"clean: {len(report.records)} records, each as it was accepted"
        return
    yield f"NOT CLEAN, {len(report.findings)} findings; the first bad one is the"
    yield finding_text(report, report.first_bad)


def _or_none(value: int | None) -> str:
    return NONE if value is None else str(value)
