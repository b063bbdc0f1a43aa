"""`klondike bench minimal`: how many shortest solutions are found in time, and whether their counts are right."""

import csv
import resource
import statistics
import time
from collections import Counter
from collections.abc import Iterator
from typing import IO, Final, Literal, NamedTuple

import click
import msgspec

from services.cli.deal_lines import INPUT
from services.cli.progress import progress
from shared.rules.table import Table
from shared.rules.variants import VARIANTS, Variant
from shared.solver.formats import DealError, parse_table
from shared.solver.minimal import MinimalSolver, Shortest
from shared.solver.solve import Budget, Unsolvable
from shared.solver.warm import warm_minimal

GIB: Final = 1 << 30
COLUMNS: Final = ("draw", "cards", "verdict", "minimal_moves")


class Case(NamedTuple):
    """A deal and what is known of it."""

    variant: Variant
    table: Table
    solvable: bool
    least: int | None
    """Moves of a shortest solution."""


class Timed(NamedTuple):
    """What the solver found, in seconds of processor time."""

    case: Case
    seconds: float
    found: int | None
    """The least number of moves, -1 if no moves win, None if the budget ended first."""
    states: int

    @property
    def judged(self) -> Literal["right", "fewer", "wrong"] | None:
        """Beside what is known; None when nothing was found or is known.

        Fewer moves than a table says are no fault: the rules core has played them, so the table's count was not least.
        """
        known = self.case.least if self.case.solvable else -1
        if self.found is None or known is None:
            return None
        if self.found == known:
            return "right"
        return "fewer" if 0 < self.found < known else "wrong"


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """The deals of one variant. Times in milliseconds of processor time."""

    variant: str
    deals: int
    finished: int
    right: int
    fewer: int
    """Shorter solutions than the table knows, each played by the rules core."""
    wrong: int
    mean: float
    median: float
    p90: float
    maximum: float
    states: int
    memory_mb: int
    """The most that the process took until then."""


@click.command()
@click.argument("file", type=INPUT)
@click.option("--timeout", type=click.FloatRange(min=0.001), default=10.0, show_default=True, help="Seconds a deal.")
@click.option("--memory", type=click.FloatRange(0.01, 64), default=4.0, show_default=True, help="GiB a deal.")
@click.option("--every", type=click.IntRange(min=1), default=1, show_default=True, help="Take only one row in so many.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of the table.")
def minimal(*, file: IO[str], timeout: float, memory: float, every: int, as_json: bool) -> None:
    """Time shortest solutions of deals whose counts are known.

    FILE is a table with a head: draw (1 or 3), cards, verdict (solvable or unsolvable), minimal_moves (may be empty).
    Measures the time of this process, not of the clock on the wall.
    """
    cases = list(_cases(file))[::every]
    if not cases:
        raise click.BadParameter("there is no deal in it", param_hint="'FILE'")
    warm_minimal()
    budget = Budget(seconds=timeout, table_bytes=int(memory * GIB))
    solver = MinimalSolver(time.process_time)
    timed: dict[str, list[Timed]] = {}
    with progress("deals", len(cases)) as shown:
        for case in cases:
            timed.setdefault(case.variant.id, []).append(_timed(solver, case, budget))
            shown.advance()
    reports = [_report(variant, of) for variant, of in timed.items()]
    click.echo(msgspec.json.encode(reports).decode() if as_json else _text(reports))


def _cases(file: IO[str]) -> Iterator[Case]:
    rows = csv.DictReader(file)
    if missing := set(COLUMNS) - set(rows.fieldnames or ()):
        raise click.BadParameter(f"its first line does not name {', '.join(sorted(missing))}", param_hint="'FILE'")
    for number, row in enumerate(rows, 2):
        variant = VARIANTS.get(f"draw{row['draw']}")
        if variant is None:
            raise click.BadParameter(f"line {number}: draw {row['draw']} is neither 1 nor 3", param_hint="'FILE'")
        try:
            table = parse_table(row["cards"], variant)
        except DealError as error:
            raise click.BadParameter(f"line {number}: {error}", param_hint="'FILE'") from None
        yield Case(variant, table, row["verdict"] == "solvable", int(row["minimal_moves"] or 0) or None)


def _timed(solver: MinimalSolver, case: Case, budget: Budget) -> Timed:
    start = time.process_time()
    answer = solver.solve(case.table, case.variant, budget)
    seconds = time.process_time() - start
    found = None
    if isinstance(answer, Shortest) and answer.minimal:
        found = answer.count
    elif isinstance(answer, Unsolvable):
        found = -1
    return Timed(case, seconds, found, answer.states)


def _report(variant: str, timed: list[Timed]) -> Report:
    millis = sorted(one.seconds * 1e3 for one in timed)
    judged = Counter(one.judged for one in timed)
    return Report(
        variant=variant,
        deals=len(timed),
        finished=sum(one.found is not None for one in timed),
        right=judged["right"],
        fewer=judged["fewer"],
        wrong=judged["wrong"],
        mean=statistics.fmean(millis),
        median=statistics.median(millis),
        p90=millis[min(len(millis) - 1, len(millis) * 9 // 10)],
        maximum=millis[-1],
        states=sum(one.states for one in timed),
        memory_mb=resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    )


def _text(reports: list[Report]) -> str:
    heads = ("deals", "finished", "share", "right", "fewer", "wrong", "mean", "median", "p90", "most", "memory")
    lines = ["times in ms of processor time, memory in MB", f"{'':8}" + "".join(f"{head:>10}" for head in heads)]
    for one in reports:
        numbers = (
            f"{one.deals:10}{one.finished:10}{one.finished / one.deals:10.1%}{one.right:10}{one.fewer:10}{one.wrong:10}"
        )
        times = "".join(f"{value:10.1f}" for value in (one.mean, one.median, one.p90, one.maximum))
        lines.append(f"{one.variant:8}{numbers}{times}{one.memory_mb:10}")
    return "\n".join(lines)
