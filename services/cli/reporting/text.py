"""The overview as lines for people."""

from collections.abc import Iterator

from services.cli.reporting.overview import Dead, Overview
from shared.messages.workers import DealerReport, WorkerReport


def lines(seen: Overview) -> Iterator[str]:
    """Services, queue, workers, dealers, dead letters."""
    services = (f"{one.instances} {one.name} ({', '.join(one.versions)})" for one in seen.services)
    yield "services  " + (", ".join(services) or "none answers")
    yield ""
    yield from _queue(seen)
    yield ""
    yield from _workers(seen.workers)
    yield ""
    yield from _dealers(seen.dealers)
    yield ""
    yield from _dead(seen.dead)


def _queue(seen: Overview) -> Iterator[str]:
    if not seen.queue:
        yield "jobs      there is no queue: game-state makes it when it starts"
        return
    yield f"{'jobs':<10}{'waiting':>9}{'in progress':>13}{'tried before':>14}"
    for line in seen.queue:
        yield f"{line.priority:<10}{line.waiting:>9}{line.in_progress:>13}{line.redelivered:>14}"


def _workers(workers: tuple[WorkerReport, ...]) -> Iterator[str]:
    if not workers:
        yield "workers   none answers"
        return
    yield (
        f"{'workers':<14}{'busy':>7}{'jobs/s':>9}{'search ms':>11}{'waited ms':>11}"
        f"{'done':>9}{'refused':>9}{'dropped':>9}  takes"
    )
    for worker in workers:
        yield _row(worker)
    busy, capacity = sum(one.busy for one in workers), sum(one.capacity for one in workers)
    pace = sum(one.jobs_per_second for one in workers)
    yield f"{'all ' + str(len(workers)):<14}{f'{busy}/{capacity}':>7}{pace:>9.2f}"


def _row(report: WorkerReport) -> str:
    cold = "" if report.warm else " (instant hints only: compiling or loading the kernels)"
    return (
        f"{report.instance:<14}{f'{report.busy}/{report.capacity}':>7}{report.jobs_per_second:>9.2f}"
        f"{report.search_ms_mean:>11.3f}{report.waited_ms_mean:>11.3f}"
        f"{report.done:>9}{report.refused:>9}{report.dropped:>9}  {', '.join(report.priorities)}{cold}"
    )


def _dealers(dealers: tuple[DealerReport, ...]) -> Iterator[str]:
    if not dealers:
        yield "dealers   none answers: nobody finds winnable deals, or verdicts"
        return
    yield f"{'dealers':<14}{'ready':>7}{'searches':>10}  for"
    for dealer in dealers:
        yield from _dealer(dealer)


def _dealer(report: DealerReport) -> Iterator[str]:
    ready = f"{sum(report.ready.values())}/{report.pool * len(report.ready)}"
    searches = ", ".join(f"{lane} {number}" for lane, number in report.searches.items() if number) or "nothing"
    cold = "" if report.warm else " (none yet: compiling or loading the kernels)"
    yield f"{report.instance:<14}{ready:>7}{sum(report.searches.values()):>10}  {searches}{cold}"
    lacking = [f"{variant} {number}" for variant, number in report.ready.items() if number < report.pool]
    if lacking:
        yield f"{'':<14}of {report.pool} each: {', '.join(lacking)}"


def _dead(dead: Dead) -> Iterator[str]:
    yield f"dead letters: {dead.count}" + (", the newest:" if dead.newest else "")
    for letter in dead.newest:
        yield f"  {letter.at}  {letter.kind:<8} {letter.reason}  [{letter.correlation}]"
