"""The measurements of `klondike bench hints`: one job at a time, and as many as keep a number of workers busy."""

import asyncio
import itertools
import os
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from services.cli.benching.figures import latency
from services.cli.benching.job_figures import Alone, Kind, Load, Way
from services.cli.benching.positions import hint_questions, player, strong
from services.cli.benching.stack import BenchError
from shared.bus.jobs import JobDesk
from shared.messages.jobs import AnyQuestion, AnyResult, JobRefused, ProbeQuestion

ASKERS_PER_WORKER: Final = 2
"""One job under way and one that waits, so that no worker stands idle."""
WARM_UP: Final = 20
ROUNDS: Final = 5
KINDS: Final[tuple[Kind, ...]] = ("empty", "hint", "strong", "search")
ANSWER_SECONDS: Final = 60.0
"""A later answer is an error."""
BUDGET_MS: Final = 30_000


@dataclass
class Samples:
    """Seconds of each single job."""

    total: list[float] = field(default_factory=list)
    waiting: list[float] = field(default_factory=list)
    search: list[float] = field(default_factory=list)
    refused: int = 0

    def take(self, seconds: float, result: AnyResult) -> None:
        if isinstance(result, JobRefused):
            self.refused += 1
            return
        self.total.append(seconds)
        self.waiting.append(result.waited_micros / 1e6)
        self.search.append(result.micros / 1e6)

    def way(self) -> Way:
        return Way(total=latency(self.total), waiting=latency(self.waiting), search=latency(self.search))


@dataclass(frozen=True)
class Bench:
    """Who asks, and what. `states` is the size of a search-bound job."""

    desk: JobDesk
    seed: int
    states: int

    def questions(self, kind: Kind, asker: int) -> Iterator[AnyQuestion]:
        """Without end, no two the same. Each asker is a player of its own: a player may not have many at a time."""
        match kind:
            case "hint":
                yield from hint_questions(self.seed * 1_000 + asker, player(asker))
            case "strong":
                yield from map(strong, hint_questions(self.seed * 1_000 + asker, player(asker)))
            case "empty" | "search":
                states = self.states if kind == "search" else 0
                for number in itertools.count():
                    yield ProbeQuestion(player=player(asker), states=states, number=number, budget_ms=BUDGET_MS)

    async def alone(self, jobs: int) -> Alone:
        """So many of each kind, one after the other, kinds in turns: what else the machine does meets both."""
        asked: dict[Kind, Iterator[AnyQuestion]] = {kind: self.questions(kind, 0) for kind in ("empty", "hint")}
        samples: Mapping[Kind, Samples] = {kind: Samples() for kind in asked}
        await self._some(asked, {kind: Samples() for kind in asked}, WARM_UP)
        for _ in range(ROUNDS):
            await self._some(asked, samples, max(jobs // ROUNDS, 1))
        empty, hint = samples["empty"].way(), samples["hint"].way()
        above = round(hint.total.p99_ms - empty.total.p99_ms, 3)
        return Alone(empty=empty, hint=hint, hint_above_floor_p99_ms=above)

    async def _some(
        self, asked: Mapping[Kind, Iterator[AnyQuestion]], samples: Mapping[Kind, Samples], count: int
    ) -> None:
        for kind, questions in asked.items():
            for question in itertools.islice(questions, count):
                await self._ask(question, samples[kind])

    async def load(self, kind: Kind, processes: Sequence[int], seconds: float, one: Load | None) -> Load:
        """For so long, as many jobs at a time as keep these worker processes busy. `one`: the same with one worker."""
        askers = ASKERS_PER_WORKER * len(processes)
        samples = Samples()
        before, began = processor_seconds(processes), time.perf_counter()
        over = began + seconds
        await asyncio.gather(*(self._keep_asking(kind, asker, over, samples) for asker in range(1, askers + 1)))
        took, after = time.perf_counter() - began, processor_seconds(processes)
        jobs = len(samples.total)
        if not jobs:
            raise BenchError(f"no {kind} job was done in {took:.0f} s")
        pace = jobs / took
        return Load(
            kind=kind,
            workers=len(processes),
            askers=askers,
            jobs=jobs,
            refused=samples.refused,
            jobs_per_second=round(pace, 1),
            speedup=round(pace / one.jobs_per_second, 2) if one else 1.0,
            processor_ms=None if before is None or after is None else round((after - before) / jobs * 1e3, 3),
            way=samples.way(),
        )

    async def _keep_asking(self, kind: Kind, asker: int, over: float, samples: Samples) -> None:
        for question in self.questions(kind, asker):
            if time.perf_counter() >= over:
                return
            await self._ask(question, samples)

    async def _ask(self, question: AnyQuestion, samples: Samples) -> None:
        began = time.perf_counter()
        answer = await self.desk.ask(question, timeout_seconds=ANSWER_SECONDS)
        seconds = time.perf_counter() - began
        if not isinstance(answer, AnyResult):
            raise BenchError(f"a job was not answered: {answer.reason}")
        samples.take(seconds, answer)


def processor_seconds(processes: Sequence[int]) -> float | None:
    """Processor time that processes have used, all together. None where the system does not tell."""
    try:
        return sum(map(_processor_seconds, processes))
    except (FileNotFoundError, ProcessLookupError):
        return None


def _processor_seconds(process: int) -> float:
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    user, system = int(fields[11]), int(fields[12])
    return (user + system) / os.sysconf("SC_CLK_TCK")
