"""`klondike bench solver`: how long a verdict takes, beside pyksolve on the same deals where that is installed."""

import importlib
import importlib.util
import resource
import statistics
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, Final, NamedTuple

import click
import msgspec

from services.cli.benching.figures import percentile
from services.cli.benching.plot import Curve, plot
from services.cli.deal_lines import INPUT, deal_lines
from services.cli.progress import Shown, progress
from services.cli.solver_options import SOLVED
from shared.rules.deal import numbered_deck
from shared.rules.table import Table, lay_out
from shared.rules.variants import VARIANTS, Variant
from shared.solver.formats import DealError, parse_table, table_text
from shared.solver.solve import Budget, Solver, Unknown, verdict
from shared.solver.warm import warm

REFERENCE: Final = "pyksolve"
PLAYED: Final = "draw1", "draw3"
REFERENCE_STATES: Final = 50_000
"""How many states the reference may keep: more costs it minutes on the deals that it does not decide."""
SMALLEST_MS: Final = 0.001
"""What the clock cannot tell from nothing is plotted as this."""


class Figures(msgspec.Struct, frozen=True, kw_only=True):
    """Of one solver on one set of deals. Times in milliseconds of processor time."""

    solver: str
    deals: int
    decided: int
    mean: float
    median: float
    p90: float
    p99: float
    states: int | None = None
    """All states searched."""
    states_per_second: int | None = None
    memory_mb: int
    """The most that the process took until then."""


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """A run on one variant."""

    variant: str
    figures: list[Figures]
    faster: float | None = None
    """The reference's mean over ours on the same deals."""


class Timed(NamedTuple):
    """One deal's decision."""

    seconds: float
    decided: bool
    states: int = 0


class Series(NamedTuple):
    """One solver's decisions on one variant."""

    name: str
    variant: str
    timed: list[Timed]
    memory_mb: int


@click.command()
@click.argument("file", type=INPUT, required=False)
@click.option(
    "--variant",
    "variants",
    type=SOLVED,
    multiple=True,
    default=PLAYED,
    help="May be given again.",
)
@click.option("--deals", type=click.IntRange(1, 1_000_000), default=400, show_default=True, help="Without FILE.")
@click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True, help="Number of the first deal.")
@click.option("--timeout", type=click.FloatRange(min=0.001), default=10.0, show_default=True, help="Seconds a deal.")
@click.option("--reference", type=click.IntRange(min=0), default=20, show_default=True, help="Deals for pyksolve too.")
@click.option("--plot", "picture", type=click.Path(dir_okay=False, path_type=Path), help="Draw the times: an SVG file.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of the table.")
def solver(
    *,
    file: IO[str] | None,
    variants: tuple[str, ...],
    deals: int,
    seed: int,
    timeout: float,
    reference: int,
    picture: Path | None,
    as_json: bool,
) -> None:
    """Time verdicts, beside pyksolve on the same deals.

    Takes the deals of FILE, one a line as for `klondike solve`, or numbered ones. Measures the time of this process,
    not of the clock on the wall. pyksolve is the reference that anybody can install: `pip install pyksolve`.
    """
    texts = [(line.number, line.text) for line in deal_lines(file)] if file else None
    numbers = range(seed, seed + deals)
    tables = {name: _tables(texts, numbers, VARIANTS[name]) for name in variants}
    warm()
    # All of ours come first: what the reference leaves behind in memory made the next variant 1.4 times as slow.
    series = [_own(name, tables[name], Budget(seconds=timeout)) for name in tables]
    if reference and importlib.util.find_spec(REFERENCE):
        series += [_reference(name, tables[name][:reference]) for name in tables]
    if picture:
        picture.write_text(plot("Share of deals decided in a time", [*map(_curve, series)]), encoding="utf-8")
    reports = [_report(name, [one for one in series if one.variant == name]) for name in tables]
    click.echo(msgspec.json.encode(reports).decode() if as_json else "\n\n".join(map(_text, reports)))


def _tables(texts: list[tuple[int, str]] | None, numbers: range, variant: Variant) -> list[Table]:
    if texts is not None:
        return _read(texts, variant)
    return [lay_out(numbered_deck(number, decks=1), variant) for number in numbers]


def _read(texts: list[tuple[int, str]], variant: Variant) -> list[Table]:
    tables: list[Table] = []
    for number, text in texts:
        try:
            tables.append(parse_table(text, variant))
        except DealError as error:
            raise click.BadParameter(f"line {number + error.row}: {error}", param_hint="'FILE'") from None
    if not tables:
        raise click.BadParameter("there is no deal in it", param_hint="'FILE'")
    return tables


def _own(name: str, tables: list[Table], budget: Budget) -> Series:
    with progress(name, len(tables)) as shown:
        return _series("klondike", name, _decided(tables, VARIANTS[name], budget, shown))


def _reference(name: str, tables: list[Table]) -> Series:
    with progress(f"{REFERENCE}, {name}", len(tables)) as shown:
        return _series(REFERENCE, name, _decided_by_reference(tables, VARIANTS[name], shown))


def _series(solver: str, variant: str, decisions: Iterator[Timed]) -> Series:
    timed = list(decisions)
    return Series(solver, variant, timed, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)


def _decided(tables: list[Table], variant: Variant, budget: Budget, shown: Shown) -> Iterator[Timed]:
    mine = Solver(time.process_time)
    for table in tables:
        start = time.process_time()
        outcome = mine.search(table, variant, budget)
        seconds = time.process_time() - start
        found = verdict(table, variant, outcome)
        shown.advance()
        yield Timed(seconds, not isinstance(found, Unknown), found.states)


def _decided_by_reference(tables: list[Table], variant: Variant, shown: Shown) -> Iterator[Timed]:
    module: Any = importlib.import_module(f"{REFERENCE}.solver")
    undecided = module.SolveResult.CouldNotComplete
    for table in tables:
        game = module.Solitaire()
        game.draw_count = variant.draw
        game.load_solitaire(table_text(table, variant, "digits"))
        game.reset_game()
        start = time.process_time()
        found = game.solve_fast(REFERENCE_STATES)
        shown.advance()
        yield Timed(time.process_time() - start, found != undecided)


def _curve(one: Series) -> Curve:
    millis = sorted(max(SMALLEST_MS, timed.seconds * 1e3) for timed in one.timed if timed.decided)
    return Curve(f"{one.name}, {one.variant}, {len(one.timed)} deals", millis, len(one.timed))


def _report(variant: str, series: list[Series]) -> Report:
    figures = [_figures(one.name, one.timed, one.memory_mb) for one in series]
    if len(series) == 1:
        return Report(variant=variant, figures=figures)
    own, reference = series
    same = _figures(own.name, own.timed[: len(reference.timed)], own.memory_mb)
    return Report(variant=variant, figures=[figures[0], same, figures[1]], faster=figures[1].mean / same.mean)


def _figures(name: str, timed: list[Timed], memory_mb: int) -> Figures:
    millis = sorted(one.seconds * 1e3 for one in timed)
    states = sum(one.states for one in timed)
    return Figures(
        solver=name,
        deals=len(timed),
        decided=sum(one.decided for one in timed),
        mean=statistics.fmean(millis),
        median=statistics.median(millis),
        p90=percentile(millis, 0.9),
        p99=percentile(millis, 0.99),
        states=states or None,
        states_per_second=round(states / sum(one.seconds for one in timed)) if states else None,
        memory_mb=memory_mb,
    )


def _text(report: Report) -> str:
    lines = [f"{report.variant}: times in ms of processor time, memory in MB"]
    heads = "".join(f"{head:>10}" for head in ("deals", "decided", "mean", "median", "p90", "p99", "memory"))
    lines.append(f"{'':10}{heads}{'states':>13}{'a second':>12}")
    for one in report.figures:
        times = "".join(f"{value:10.3f}" for value in (one.mean, one.median, one.p90, one.p99))
        states = f"{one.states:13,}{one.states_per_second:12,}" if one.states and one.states_per_second else ""
        lines.append(f"{one.solver:10}{one.deals:10}{one.decided:10}{times}{one.memory_mb:10}{states}".rstrip())
    if report.faster:
        lines.append(f"{REFERENCE}'s mean is {report.faster:,.0f} times ours, on the deals that both were given")
    return "\n".join(lines)
