"""`klondike solve`: deals in, verdicts out."""

import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from typing import IO, Final

import click
import msgspec

from services.cli.answers import Answer, BadLine, Deals, short_text
from services.cli.deal_lines import FORMAT, FORMAT_HELP, INPUT, DealLine, deal_lines
from services.cli.progress import progress
from services.cli.solver_options import SOLVED
from shared.rules.variants import VARIANTS
from shared.solver.solve import Budget
from shared.solver.warm import warm, warm_minimal

JOBS_MAX: Final = 64
TABLE_BYTES: Final = 1 << 30
"""For all jobs together."""
MINIMAL_BYTES: Final = 4 << 30
"""The same, for shortest solutions."""
BATCH: Final = 1024
"""Lines that are read ahead of the answers when there are several jobs."""


@click.command(epilog=FORMAT_HELP)
@click.argument("file", type=INPUT, default="-")
@click.option("--variant", type=SOLVED, default="draw1", show_default=True)
@click.option("--from", "form", type=FORMAT, help="Format to read.  [default: told from the text]")
@click.option("--timeout", type=click.FloatRange(min=0.001), default=10.0, show_default=True, help="Seconds a deal.")
@click.option("--max-states", type=click.IntRange(min=1), help="States a deal.  [default: no limit]")
@click.option("--jobs", type=click.IntRange(1, JOBS_MAX), default=1, show_default=True, help="Deals at a time.")
@click.option("--certified", is_flag=True, help="Let a second, plain search confirm each unsolvable deal, too.")
@click.option("--minimal", is_flag=True, help="Find a shortest solution: draws and moves of cards, one each.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON on a terminal too.")
def solve(  # noqa: PLR0913 - an argument for each option
    *,
    file: IO[str],
    variant: str,
    form: str | None,
    timeout: float,
    max_states: int | None,
    jobs: int,
    certified: bool,
    minimal: bool,
    as_json: bool,
) -> None:
    """Decide whether deals can be won when all cards are known, and how.

    Reads a deal or position a line from FILE or the standard input; a board is several lines, up to an empty one.
    Prints a JSON object a line, in the same order; on a terminal, a short line instead.

    Exit status: 0, or 1 if any line was bad.
    """
    rules = VARIANTS[variant]
    budget = Budget(seconds=timeout, table_bytes=(MINIMAL_BYTES if minimal else TABLE_BYTES) // jobs)
    if max_states is not None:
        budget = msgspec.structs.replace(budget, states=max_states)
    as_json = as_json or not sys.stdout.isatty()
    (warm_minimal if minimal else warm)()
    stopped = threading.Event()
    solvers = [
        Deals(rules, budget, time.perf_counter, stopped.is_set, certified=certified, minimal=minimal)
        for _ in range(jobs)
    ]
    bad = answered = False
    with progress("deals", _number_of_deals(file)) as shown:
        for answer in _answers(deal_lines(file), form, solvers, stopped):
            answered = True
            bad = bad or isinstance(answer, BadLine)
            shown.echo(msgspec.json.encode(answer).decode() if as_json else short_text(answer))
            shown.advance()
    if not answered:
        click.echo(
            "klondike solve: there is no deal in it. Give one a line, such as `pysolfc:32001`; see --help.", err=True
        )
    sys.exit(1 if bad else 0)


def _number_of_deals(file: IO[str]) -> int | None:
    """None when the input cannot be read twice."""
    if not (sys.stderr.isatty() and file.seekable()):
        return None
    start = file.tell()
    number = sum(1 for _ in deal_lines(file))
    file.seek(start)
    return number


def _answers(
    lines: Iterator[DealLine], form: str | None, solvers: list[Deals], stopped: threading.Event
) -> Iterator[Answer | BadLine]:
    """The answers in the order of the lines. Threads do, because the kernels let go of the interpreter's lock."""
    idle = list(solvers)

    def answer(line: DealLine) -> Answer | BadLine:
        deals = idle.pop()
        try:
            return deals.answer(line, form)
        finally:
            idle.append(deals)

    pool = ThreadPoolExecutor(len(solvers))
    try:
        if len(solvers) == 1:
            yield from map(answer, lines)
        while batch := list(islice(lines, BATCH)):
            yield from pool.map(answer, batch)
    finally:
        stopped.set()
        pool.shutdown(cancel_futures=True)
