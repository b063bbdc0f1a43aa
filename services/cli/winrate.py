"""`klondike winrate`: how many deals can be won, with the interval that the number of deals allows."""

import time

import click
import msgspec

from services.cli.progress import progress
from services.cli.solver_options import SOLVED
from shared.rules.deal import numbered_deck
from shared.rules.table import lay_out
from shared.rules.variants import VARIANTS
from shared.solver import kernels
from shared.solver.intervals import wilson
from shared.solver.solve import Budget, Solver


class Winrate(msgspec.Struct, frozen=True, kw_only=True):
    """Shares from 0 to 1, of all deals. What was not decided widens the interval on both sides."""

    variant: str
    first: int
    deals: int
    solvable: int
    unsolvable: int
    unknown: int
    share: float
    """Of the deals that were decided."""
    low: float
    high: float


@click.command()
@click.option("--variant", type=SOLVED, default="draw1", show_default=True)
@click.option("--deals", type=click.IntRange(1, 100_000_000), default=1000, show_default=True)
@click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True, help="Number of the first deal.")
@click.option("--timeout", type=click.FloatRange(min=0.001), default=60.0, show_default=True, help="Seconds a deal.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of a sentence.")
def winrate(*, variant: str, deals: int, seed: int, timeout: float, as_json: bool) -> None:
    """Estimate how many deals can be won when all cards are known, from numbered deals in a row.

    The interval is Wilson's, at 95 %.
    """
    rules = VARIANTS[variant]
    solver = Solver(time.perf_counter)
    answers = {kernels.SOLVABLE: 0, kernels.UNSOLVABLE: 0}
    numbers = range(seed, seed + deals)
    with progress("deals", deals) as shown:
        for number in numbers:
            table = lay_out(numbered_deck(number, decks=1), rules)
            answer = solver.search(table, rules, Budget(seconds=timeout)).answer
            if answer in answers:
                answers[answer] += 1
            shown.advance()
    result = estimate(variant, seed, deals, answers[kernels.SOLVABLE], answers[kernels.UNSOLVABLE])
    click.echo(msgspec.json.encode(result).decode() if as_json else _sentence(result))


def estimate(variant: str, first: int, deals: int, solvable: int, unsolvable: int) -> Winrate:
    """The share of solvable deals and its interval, from the worst to the best case of those not decided."""
    unknown = deals - solvable - unsolvable
    return Winrate(
        variant=variant,
        first=first,
        deals=deals,
        solvable=solvable,
        unsolvable=unsolvable,
        unknown=unknown,
        share=solvable / max(1, solvable + unsolvable),
        low=wilson(solvable, deals)[0],
        high=wilson(solvable + unknown, deals)[1],
    )


def _sentence(result: Winrate) -> str:
    unknown = f", {result.unknown} not decided" if result.unknown else ""
    return (
        f"{result.variant}: {result.solvable} of {result.deals} deals can be won{unknown}: "
        f"{result.share:.2%}, with 95 % confidence {result.low:.2%} to {result.high:.2%}"
    )
