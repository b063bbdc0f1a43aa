"""`klondike player`: whole games of the strong player, how many it wins, and how long it thinks about them."""

import functools
import multiprocessing
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from importlib.metadata import version
from typing import IO, Final

import click
import msgspec

from shared import DISTRIBUTION
from shared.rules.deal import numbered_deck
from shared.rules.table import lay_out
from shared.rules.variants import VARIANTS
from shared.solver.flat import unplayable
from shared.solver.intervals import wilson
from shared.solver.player import LEVELS, Aim, Effort, StrongPlayer
from shared.solver.player_game import Game, play

WARM_DEAL: Final = 1
"""Played once before any is timed, so that kernels are loaded."""
VEGAS_CARD: Final = 5
VEGAS_STAKE: Final = 52
"""Dollars."""


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """What a run's results follow from, the clock apart where there is a budget in milliseconds."""

    klondike: str
    variant: str
    aim: Aim
    first: int
    deals: int
    stock_known: bool
    budget_ms: int | None
    effort: Effort


class Played(msgspec.Struct, frozen=True, kw_only=True):
    """One deal. `ms` is the processor time of its game."""

    deal: int
    game: Game
    ms: float


class Summary(msgspec.Struct, frozen=True, kw_only=True):
    """Of a whole run. Shares from 0 to 1, the interval at 95 %."""

    settings: Settings
    won: int
    share: float
    low: float
    high: float
    up_mean: float
    """Cards on the foundations at the end."""
    ms_mean: float
    ms_median: float
    ms_max: float
    moves_mean: float
    plans_mean: float


@click.command()
@click.option("--variant", type=click.Choice(list(VARIANTS)), default="draw1", show_default=True)
@click.option("--deals", type=click.IntRange(1, 10_000_000), default=100, show_default=True)
@click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True, help="Number of the first deal.")
@click.option(
    "--level", type=click.Choice(list(LEVELS)), default="strong", show_default=True, help="How much it thinks."
)
@click.option(
    "--budget-ms", type=click.IntRange(min=1), help="The most it thinks about a move: depends on the machine."
)
@click.option(
    "--aim", type=click.Choice(["wins", "cards"]), help="Cards: each one up counts, as in Vegas: the default there."
)
@click.option("--stock-known", is_flag=True, help="Show it the stock at the deal, as published figures mostly do.")
@click.option("--jobs", type=click.IntRange(1, 256), default=1, show_default=True, help="Processes.")
@click.option(
    "--results", type=click.File("w", encoding="utf-8"), help="Write settings, then each deal, as JSON lines."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of sentences.")
def player(  # noqa: PLR0913 - one for each option
    *,
    variant: str,
    deals: int,
    seed: int,
    level: str,
    budget_ms: int | None,
    aim: Aim | None,
    stock_known: bool,
    jobs: int,
    results: IO[str] | None,
    as_json: bool,
) -> None:
    """Let the strong player play numbered deals. The rules core accepts each of its moves.

    It knows what a player sees, and no more. The same settings give the same games, but for --budget-ms.
    """
    if problem := unplayable(VARIANTS[variant]):
        raise click.UsageError(f"the strong player cannot play {variant}: {problem}")
    settings = Settings(
        klondike=version(DISTRIBUTION),
        variant=variant,
        aim=aim or usual_aim(variant),
        first=seed,
        deals=deals,
        stock_known=stock_known,
        budget_ms=budget_ms,
        effort=LEVELS[level],
    )
    played = list(_written(run_deals(settings, jobs), settings, results))
    result = summary(settings, played)
    click.echo(msgspec.json.encode(result).decode() if as_json else _sentences(result))


def usual_aim(variant: str) -> Aim:
    """What is played for where nothing else is said."""
    return "cards" if VARIANTS[variant].scorings == ("vegas",) else "wins"


def summary(settings: Settings, played: list[Played]) -> Summary:
    """The figures of a run."""
    won = sum(one.game.won for one in played)
    low, high = wilson(won, len(played))
    times = [one.ms for one in played]
    return Summary(
        settings=settings,
        won=won,
        share=won / len(played),
        low=low,
        high=high,
        up_mean=statistics.fmean(one.game.up for one in played),
        ms_mean=statistics.fmean(times),
        ms_median=statistics.median(times),
        ms_max=max(times),
        moves_mean=statistics.fmean(one.game.moves for one in played),
        plans_mean=statistics.fmean(one.game.plans for one in played),
    )


def run_deals(settings: Settings, jobs: int) -> Iterator[Played]:
    """Play all deals, in order."""
    numbers = range(settings.first, settings.first + settings.deals)
    if jobs == 1:
        _begin(settings)
        yield from map(functools.partial(_play, settings), numbers)
        return
    with ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn"), _begin, (settings,)) as pool:
        yield from pool.map(functools.partial(_play, settings), numbers)


@functools.cache
def _player(variant: str, aim: Aim) -> StrongPlayer:
    """One for each process."""
    return StrongPlayer(VARIANTS[variant], aim)


def _begin(settings: Settings) -> None:
    _play(settings, WARM_DEAL)


def _play(settings: Settings, number: int) -> Played:
    variant = VARIANTS[settings.variant]
    start = time.thread_time()
    game = play(
        lay_out(numbered_deck(number, decks=variant.decks), variant),
        _player(settings.variant, settings.aim),
        effort=settings.effort,
        seed=number,
        stock_known=settings.stock_known,
        stops=functools.partial(_stop, settings.budget_ms),
    )
    return Played(deal=number, game=game, ms=(time.thread_time() - start) * 1e3)


def _stop(budget_ms: int | None) -> Callable[[], bool]:
    if budget_ms is None:
        return lambda: False
    end = time.thread_time() + budget_ms / 1e3
    return lambda: time.thread_time() >= end


def _written(played: Iterator[Played], settings: Settings, results: IO[str] | None) -> Iterator[Played]:
    """Pass the deals on, and write each as soon as it is there."""
    _write(results, settings)
    with click.progressbar(played, length=settings.deals, file=sys.stderr, hidden=not sys.stderr.isatty()) as shown:
        for one in shown:
            _write(results, one)
            yield one


def _write(results: IO[str] | None, line: msgspec.Struct) -> None:
    if results:
        results.write(msgspec.json.encode(line).decode() + "\n")
        results.flush()


def _sentences(result: Summary) -> str:
    settings = result.settings
    dollars = f", {VEGAS_CARD * result.up_mean - VEGAS_STAKE:+.2f} dollars in Vegas" if settings.aim == "cards" else ""
    known = "the stock known" if settings.stock_known else "nothing known but what it saw"
    return (
        f"{settings.variant}, {known}: {result.won} of {settings.deals} deals won, {result.share:.1%}, "
        f"with 95 % confidence {result.low:.1%} to {result.high:.1%}\n"
        f"a game: {result.ms_mean:.0f} ms of processor time, median {result.ms_median:.0f}, "
        f"at most {result.ms_max:.0f}; {result.moves_mean:.0f} moves, {result.up_mean:.1f} cards up{dollars}"
    )
