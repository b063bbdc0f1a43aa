"""A worker's report is what it did."""

from dataclasses import dataclass

from services.solver_worker.tally import PACE_SECONDS, Tally
from shared.subjects import PRIORITIES


@dataclass
class Clock:
    now: float = 100.0

    def __call__(self) -> float:
        return self.now


def a_tally(clock: Clock) -> Tally:
    return Tally(clock, instance="worker0", capacity=2, priorities=PRIORITIES)


def test_a_fresh_worker_reports_nothing_done() -> None:
    report = a_tally(Clock()).report()
    assert (report.capacity, report.priorities, report.busy, report.done) == (2, PRIORITIES, 0, 0)
    assert (report.jobs_per_second, report.search_ms_mean, report.waited_ms_mean) == (0, 0, 0)


def test_a_worker_tells_when_its_kernels_are_loaded() -> None:
    loaded = False
    tally = Tally(Clock(), instance="worker0", capacity=1, priorities=PRIORITIES, warm=lambda: loaded)
    assert not tally.report().warm
    loaded = True
    assert tally.report().warm


def test_means_are_over_the_jobs_that_were_done() -> None:
    tally = a_tally(Clock())
    tally.done(searched_micros=1_000, waited_micros=5_000)
    tally.done(searched_micros=3_000, waited_micros=0)
    report = tally.report()
    assert (report.done, report.search_ms_mean, report.waited_ms_mean) == (2, 2.0, 2.5)
    assert tally.searched_nanoseconds == 4_000_000


def test_the_pace_is_that_of_the_last_minute() -> None:
    clock = Clock()
    tally = a_tally(clock)
    for _ in range(2 * PACE_SECONDS):
        for _ in range(3):
            tally.done(searched_micros=1, waited_micros=1)
        clock.now += 1
    assert tally.report().jobs_per_second == 3 * (PACE_SECONDS - 1) / PACE_SECONDS
    clock.now += 2 * PACE_SECONDS
    assert tally.report().jobs_per_second == 0


def test_a_worker_younger_than_a_minute_has_the_pace_of_its_life() -> None:
    clock = Clock()
    tally = a_tally(clock)
    for _ in range(20):
        tally.done(searched_micros=1, waited_micros=1)
    clock.now += 10
    assert tally.report().jobs_per_second == 2


def test_busy_is_the_number_of_jobs_under_way_whatever_their_end() -> None:
    tally = a_tally(Clock())
    with tally.busy(), tally.busy():
        assert tally.report().busy == 2
    try:
        with tally.busy():
            raise KeyError
    except KeyError:
        pass
    assert tally.report().busy == 0
