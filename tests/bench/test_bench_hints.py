"""`klondike bench hints`, with very few jobs: that it measures everything, and that nothing fails. Never how fast."""

import itertools

import msgspec
import pytest

from services.cli.benching import jobs_text
from services.cli.benching.figures import Latency
from services.cli.benching.job_figures import Alone, JobsReport, Way
from services.cli.benching.positions import hint_questions, player, strong
from shared.bus.jobs import job_id
from shared.messages.jobs import HintQuestion, StrongHintQuestion
from shared.solver.check import question_fault
from tests.benches import run_bench


async def test_a_tiny_run_measures_every_kind_with_every_number_of_workers() -> None:
    arguments = (
        "hints",
        "--workers",
        "2",
        "--jobs",
        "10",
        "--seconds",
        "0.5",
        "--states",
        "2000",
        "--seed",
        "7",
        "--json",
    )
    printed, _ = await run_bench(*arguments)
    report = msgspec.json.decode(printed, type=JobsReport)
    assert (report.kind, report.seed, report.states) == ("hints", 7, 2000)
    for way in (report.alone.empty, report.alone.hint):
        assert way.total.samples == way.waiting.samples == way.search.samples == 10
        assert way.search.p50_ms <= way.total.p50_ms
    measured = {(load.kind, load.workers) for load in report.loads}
    assert measured == set(itertools.product(("empty", "hint", "strong", "search"), (1, 2)))
    for load in report.loads:
        assert (load.refused, load.askers) == (0, 2 * load.workers)
        assert load.jobs == load.way.total.samples > 0
        assert load.jobs_per_second > 0
        assert load.workers > 1 or load.speedup == 1
    assert all(line == line.rstrip() for line in jobs_text.lines(report) if line)


def alone(samples: int, above: float) -> Alone:
    some = Latency(samples=samples, p50_ms=1, p90_ms=2, p99_ms=3, max_ms=4)
    way = Way(total=some, waiting=some, search=some)
    return Alone(empty=way, hint=way, hint_above_floor_p99_ms=above)


@pytest.mark.parametrize(
    ("samples", "above", "said"),
    [
        (5, -22.8, "too few samples, --jobs 100 is the least"),
        (99, 3.0, "too few samples"),
        (100, 3.0, "p99 is 3.000 ms above the floor's"),
        (1000, -0.2, "p99 is not above the floor's"),
    ],
)
def test_a_p99_is_told_from_samples_enough_and_never_as_less_than_nothing(
    samples: int, above: float, said: str
) -> None:
    line = jobs_text.above_floor(alone(samples, above))
    assert said in line
    assert ("ms above" in line) is (samples >= 100 and above > 0)


def test_the_questions_are_true_and_no_two_the_same() -> None:
    """A worker would refuse others, and answer the same ones together."""
    hints = list(itertools.islice(hint_questions(3, player(4)), 300))
    asked: list[HintQuestion | StrongHintQuestion] = [*hints, *map(strong, hints)]
    assert [fault for question in asked if (fault := question_fault(question)) is not None] == []
    assert len(set(map(job_id, asked))) == len(asked)
    assert {question.variant for question in hints} == {"draw1", "draw3"}
    assert hints == list(itertools.islice(hint_questions(3, player(4)), 300))
