"""`klondike bench levels`: what the strong player wins, and how long it thinks, with more and more effort."""

from importlib.metadata import version
from pathlib import Path
from typing import Final

import click
import msgspec

from services.cli.benching.plot import Points, plot_points
from services.cli.player import Settings, Summary, run_deals, summary, usual_aim
from services.cli.solver_options import SOLVED
from shared import DISTRIBUTION
from shared.solver.player import LEVELS, Effort

BETWEEN: Final = (1, 3, 30, 120, 200)
"""Searches a choice of efforts that differ from `strong` in nothing else."""


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """Runs on the same deals. The names say how much effort each had."""

    variant: str
    stock_known: bool
    runs: dict[str, Summary]


@click.command()
@click.option(
    "--variant",
    "variants",
    type=SOLVED,
    multiple=True,
    default=("draw1", "draw3"),
    show_default=True,
    help="Repeat it.",
)
@click.option("--deals", type=click.IntRange(1, 10_000_000), default=1000, show_default=True)
@click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True, help="Number of the first deal.")
@click.option("--stock-known", is_flag=True, help="Show it the stock at the deal, as published figures mostly do.")
@click.option("--between", is_flag=True, help="Also efforts between and beyond the levels.")
@click.option("--jobs", type=click.IntRange(1, 256), default=1, show_default=True, help="Processes.")
@click.option("--plot", "picture", type=click.Path(dir_okay=False, path_type=Path), help="Draw it: an SVG file.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, a line for each variant, instead of the tables.")
def levels(
    *,
    variants: tuple[str, ...],
    deals: int,
    seed: int,
    stock_known: bool,
    between: bool,
    jobs: int,
    picture: Path | None,
    as_json: bool,
) -> None:
    """Count what the strong player wins on the same deals at each of its levels, beside the time of a game."""
    reports = list[Report]()
    for variant in variants:
        runs = dict[str, Summary]()
        for name, effort in efforts(between=between).items():
            settings = Settings(
                klondike=version(DISTRIBUTION),
                variant=variant,
                aim=usual_aim(variant),
                first=seed,
                deals=deals,
                stock_known=stock_known,
                budget_ms=None,
                effort=effort,
            )
            runs[name] = summary(settings, list(run_deals(settings, jobs)))
            if not as_json:
                click.echo(_row(variant, name, runs[name]))
        reports.append(Report(variant=variant, stock_known=stock_known, runs=runs))
        if as_json:
            click.echo(msgspec.json.encode(reports[-1]).decode())
    if picture is not None:
        picture.write_text(_picture(reports), encoding="utf-8")


def efforts(*, between: bool) -> dict[str, Effort]:
    """What is measured."""
    found = dict(LEVELS)
    if between:
        found |= {
            f"{number} searches": msgspec.structs.replace(LEVELS["strong"], searches=number) for number in BETWEEN
        }
    return found


def _row(variant: str, name: str, run: Summary) -> str:
    return (
        f"{variant:14} {name:16} {run.won:6} of {run.settings.deals}  {run.share:6.1%} "
        f"({run.low:.1%} to {run.high:.1%})  {run.up_mean:4.1f} cards up  {run.ms_mean:7.0f} ms a game"
    )


def _picture(reports: list[Report]) -> str:
    return plot_points("Share of deals won, against the time of a game", [_points(report) for report in reports])


def _points(report: Report) -> Points:
    reached = sorted((run.ms_mean, run.share, run.low, run.high) for run in report.runs.values())
    known = ", the stock known" if report.stock_known else ""
    return Points(f"{report.variant}{known}", reached)
