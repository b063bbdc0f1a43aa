"""`klondike bench solver`: how long a verdict takes, beside pyksolve on the same deals where that is installed."""

import importlib
import importlib.util
import resource
import statistics
import time
from collections.abc import Iterator
from typing import IO, Any, Final, NamedTuple

import click
import msgspec

from services.cli.deal_lines import deal_lines
from shared.rules.cards import Card
from shared.rules.deal import numbered_deck
from shared.rules.table import lay_out
from shared.rules.variants import VARIANTS, Variant
from shared.solver.formats import deal_text, parse_deal
from shared.solver.solve import Budget, Solver, Unknown, verdict
from shared.solver.warm import warm

REFERENCE: Final = "pyksolve"
REFERENCE_STATES: Final = 50_000
"""How many states the reference may keep: more costs it minutes on the deals that it does not decide."""


class Figures(msgspec.Struct, frozen=True, kw_only=True):
    """Of one solver on one set of deals. Times in milliseconds."""

    solver: str
    deals: int
    decided: int
    mean: float
    median: float
    p90: float
    p99: float
    states: int | None = None
    """All states searched."""


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """A run on one variant."""

    variant: str
    figures: list[Figures]
    memory_mb: int
    """The most that the process took, the reference included."""


class Timed(NamedTuple):
    """One deal's decision."""

    seconds: float
    decided: bool
    states: int = 0


@click.command()
@click.argument("file", type=click.File(encoding="utf-8"), required=False)
@click.option("--variant", type=click.Choice(list(VARIANTS)), default="draw1", show_default=True)
@click.option("--deals", type=click.IntRange(1, 1_000_000), default=400, show_default=True, help="Without FILE.")
@click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True, help="Number of the first deal.")
@click.option("--timeout", type=click.FloatRange(min=0.001), default=10.0, show_default=True, help="Seconds a deal.")
@click.option("--reference", type=click.IntRange(min=0), default=20, show_default=True, help="Deals for pyksolve too.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of the table.")
def solver(
    *, file: IO[str] | None, variant: str, deals: int, seed: int, timeout: float, reference: int, as_json: bool
) -> None:
    """Time the solver on the deals of FILE, one a line as for `klondike solve`, or on numbered deals.

    Measures the time of this process, not of the clock on the wall. pyksolve is the reference that anybody can
    install: `pip install pyksolve`.
    """
    rules = VARIANTS[variant]
    decks = _decks(file, deals, seed)
    figures = [_figures("klondike", [*_own(decks, rules, Budget(seconds=timeout))])]
    if reference and importlib.util.find_spec(REFERENCE):
        part = decks[:reference]
        figures.append(_figures(f"klondike, first {len(part)}", [*_own(part, rules, Budget(seconds=timeout))]))
        figures.append(_figures(f"{REFERENCE}, first {len(part)}", [*_reference(part, rules)]))
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    report = Report(variant=variant, figures=figures, memory_mb=memory)
    click.echo(msgspec.json.encode(report).decode() if as_json else _text(report))


def _decks(file: IO[str] | None, deals: int, seed: int) -> list[tuple[Card, ...]]:
    if file is None:
        return [numbered_deck(number, decks=1) for number in range(seed, seed + deals)]
    return [parse_deal(line.text) for line in deal_lines(file)]


def _own(decks: list[tuple[Card, ...]], variant: Variant, budget: Budget) -> Iterator[Timed]:
    mine = Solver(time.process_time)
    warm()
    for deck in decks:
        table = lay_out(deck, variant)
        start = time.process_time()
        outcome = mine.search(table, variant, budget)
        seconds = time.process_time() - start
        found = verdict(table, variant, outcome)
        yield Timed(seconds, not isinstance(found, Unknown), found.states)


def _reference(decks: list[tuple[Card, ...]], variant: Variant) -> Iterator[Timed]:
    module: Any = importlib.import_module(f"{REFERENCE}.solver")
    undecided = module.SolveResult.CouldNotComplete
    for deck in decks:
        game = module.Solitaire()
        game.draw_count = variant.draw
        game.load_solitaire(deal_text(deck, "digits"))
        game.reset_game()
        start = time.process_time()
        found = game.solve_fast(REFERENCE_STATES)
        yield Timed(time.process_time() - start, found != undecided)


def _figures(name: str, timed: list[Timed]) -> Figures:
    millis = sorted(one.seconds * 1e3 for one in timed)
    return Figures(
        solver=name,
        deals=len(timed),
        decided=sum(one.decided for one in timed),
        mean=statistics.fmean(millis),
        median=statistics.median(millis),
        p90=_quantile(millis, 0.9),
        p99=_quantile(millis, 0.99),
        states=sum(one.states for one in timed) or None,
    )


def _quantile(ascending: list[float], share: float) -> float:
    return ascending[min(len(ascending) - 1, int(share * len(ascending)))]


def _text(report: Report) -> str:
    lines = [f"{report.variant}; times in ms of processor time; {report.memory_mb} MB at most"]
    lines.append(f"{'':28}{'deals':>7}{'decided':>9}{'mean':>10}{'median':>10}{'p90':>10}{'p99':>10}{'states':>12}")
    for one in report.figures:
        times = "".join(f"{value:10.3f}" for value in (one.mean, one.median, one.p90, one.p99))
        lines.append(f"{one.solver:28}{one.deals:7}{one.decided:9}{times}{one.states or '':>12}")
    return "\n".join(lines)
