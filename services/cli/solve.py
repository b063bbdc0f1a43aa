"""`klondike solve`: deals in, verdicts out."""

import math
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from typing import IO, Final, Literal, assert_never

import click
import msgspec

from services.cli.deal_lines import DealLine, deal_lines
from shared.rules.cards import Card
from shared.rules.moves import move_text
from shared.rules.table import lay_out
from shared.rules.variants import VARIANTS, Variant
from shared.solver.formats import DealError, deal_text, parse_deal
from shared.solver.solve import Budget, Solvable, Solver, Unknown, Unsolvable, verdict
from shared.solver.warm import warm

JOBS_MAX: Final = 64
TABLE_BYTES: Final = 1 << 30
"""For all jobs together."""
BATCH: Final = 1024
"""Lines that are read ahead of the answers when there are several jobs."""


class Answer(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A line of output."""

    line: int
    deal: str
    verdict: Literal["solvable", "unsolvable", "unknown"] | None = None
    proof: Literal["certified", "argued"] | None = None
    """Certified: the rules core accepted each move to the win. Argued: the search proved it (docs/solver.md)."""
    reason: str | None = None
    difficulty: int | None = None
    """The binary logarithm of the states searched, rounded down."""
    moves: list[str] = []
    move_count: int | None = None
    states: int | None = None
    micros: int | None = None
    """Time to the verdict; the playing of the moves not included."""
    error: str | None = None


class Deals:
    """Solves deals, one at a time."""

    def __init__(self, variant: Variant, budget: Budget, clock: Callable[[], float]) -> None:
        self._variant = variant
        self._budget = budget
        self._clock = clock
        self._solver = Solver(clock)

    def answer(self, line: DealLine) -> Answer:
        try:
            cards = parse_deal(line.text)
        except DealError as error:
            return Answer(line=line.number, deal=line.text, error=str(error))
        return self._solved(line, cards)

    def _solved(self, line: DealLine, cards: tuple[Card, ...]) -> Answer:
        table = lay_out(cards, self._variant)
        start = self._clock()
        outcome = self._solver.search(table, self._variant, self._budget)
        micros = round((self._clock() - start) * 1e6)
        found = verdict(table, self._variant, outcome)
        answer = Answer(
            line=line.number,
            deal=deal_text(cards, "list"),
            difficulty=int(math.log2(found.states + 1)),
            states=found.states,
            micros=micros,
        )
        match found:
            case Solvable(moves=moves):
                texts = [move_text(move) for move in moves]
                return msgspec.structs.replace(
                    answer, verdict="solvable", proof="certified", moves=texts, move_count=len(texts)
                )
            case Unsolvable():
                return msgspec.structs.replace(answer, verdict="unsolvable", proof="argued")
            case Unknown(reason=reason):
                return msgspec.structs.replace(answer, verdict="unknown", reason=reason)
        assert_never(found)


@click.command()
@click.argument("file", type=click.File(encoding="utf-8"), default="-")
@click.option("--variant", type=click.Choice(list(VARIANTS)), default="draw1", show_default=True)
@click.option("--timeout", type=click.FloatRange(min=0.001), default=10.0, show_default=True, help="Seconds a deal.")
@click.option("--max-states", type=click.IntRange(min=1), help="States a deal.  [default: no limit]")
@click.option("--jobs", type=click.IntRange(1, JOBS_MAX), default=1, show_default=True, help="Deals at a time.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON on a terminal too.")
def solve(*, file: IO[str], variant: str, timeout: float, max_states: int | None, jobs: int, as_json: bool) -> None:
    """Decide whether deals can be won when all cards are known, and how.

    Reads a deal a line from FILE or the standard input: 52 cards in dealing order such as `7D 9C … TS`, the digits
    of Klondike-Solver, or Solvitaire's JSON on one line. Prints a JSON object a line, in the same order; on a
    terminal, a short line instead.

    Exit status: 0, or 1 if any line was bad.
    """
    budget = Budget(seconds=timeout, table_bytes=TABLE_BYTES // jobs)
    if max_states is not None:
        budget = msgspec.structs.replace(budget, states=max_states)
    as_json = as_json or not sys.stdout.isatty()
    warm()
    bad = False
    for answer in _answers(deal_lines(file), VARIANTS[variant], budget, jobs):
        bad = bad or answer.error is not None
        click.echo(msgspec.json.encode(answer).decode() if as_json else _short(answer))
    sys.exit(1 if bad else 0)


def _answers(lines: Iterator[DealLine], variant: Variant, budget: Budget, jobs: int) -> Iterator[Answer]:
    """The answers in the order of the lines. Threads do, because the kernels let go of the interpreter's lock."""
    if jobs == 1:
        deals = Deals(variant, budget, time.perf_counter)
        yield from map(deals.answer, lines)
        return
    idle = [Deals(variant, budget, time.perf_counter) for _ in range(jobs)]

    def answer(line: DealLine) -> Answer:
        deals = idle.pop()
        try:
            return deals.answer(line)
        finally:
            idle.append(deals)

    with ThreadPoolExecutor(jobs) as pool:
        while batch := list(islice(lines, BATCH)):
            yield from pool.map(answer, batch)


def _short(answer: Answer) -> str:
    if answer.error is not None:
        return f"line {answer.line}: {answer.error}"
    moves = f", {answer.move_count} moves" if answer.move_count else ""
    return f"line {answer.line}: {answer.verdict}{moves}, {answer.states} states, {answer.micros} µs"
