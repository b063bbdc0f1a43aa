"""The summary of an audit of all games, for people."""

from collections.abc import Iterator
from typing import Final

from services.cli.auditing.whole.summary import Compared, Covered, Fault, Summary
from services.cli.auditing.words import time_text

NONE: Final = "-"


def lines(summary: Summary) -> Iterator[str]:
    """Every figure, then every fault, a line each."""
    yield from (f"{name:<12}{value}" for name, value in figures(summary))
    yield from (f"note: {note}" for note in summary.notes)
    yield ""
    yield from map(fault_text, summary.faults)
    yield verdict(summary)


def figures(summary: Summary) -> Iterator[tuple[str, str]]:
    """Name and value of what was audited."""
    statuses = ", ".join(f"{count} {status}" for status, count in sorted(summary.statuses.items()))
    yield "games", f"{summary.games}" + (f" ({statuses})" if statuses else "")
    yield "records", str(summary.records)
    yield "statistics", _statistics(summary.statistics)
    if summary.checkpoint is not None:
        yield "checkpoint", _checkpoint(summary.checkpoint)
    yield "processor", f"{summary.seconds:.1f} s"


def verdict(summary: Summary) -> str:
    """The last line."""
    if summary.clean:
        return f"clean: {summary.records} records of {summary.games} games, each as it was accepted"
    return f"NOT CLEAN: {len(summary.faults)} findings, in {summary.faulty} of {summary.games} games"


def fault_text(fault: Fault) -> str:
    """A fault with everything needed to look at it."""
    found = fault.finding
    where = f"game {fault.game}, version {_or_none(found.version)}, stream sequence {_or_none(found.sequence)}"
    return f"{found.place} of {where}: {found.what}" if fault.game else f"{found.place}: {found.what}"


def _statistics(compared: Compared | None) -> str:
    if compared is None:
        return "not compared"
    left_out = f", {compared.left_out} players left out" if compared.left_out else ""
    done = f"{compared.players} players and {compared.rankings} rankings computed again"
    return f"{done}, as of stream sequence {compared.through}{left_out}"


def _checkpoint(covered: Covered) -> str:
    since = f", held against the published number {covered.since}" if covered.since else ""
    through = f"{covered.games} games through stream sequence {covered.sequence}"
    return f"number {covered.number} of {time_text(covered.at)} UTC, {through}{since}"


def _or_none(value: int | None) -> str:
    return NONE if value is None else str(value)
