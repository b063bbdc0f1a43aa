"""Higher priorities first, and none left out for long."""

from hypothesis import given
from hypothesis import strategies as st

from shared.bus.job_turns import NEGLECT_SECONDS, Turns
from shared.subjects import PRIORITIES, Priority


def test_the_higher_priority_is_asked_first() -> None:
    assert Turns(0.0).order(1.0) == ("waiting", "analysis", "pool")
    assert Turns(0.0).first == "waiting"


def test_one_that_was_not_asked_for_long_is_asked_first_and_once() -> None:
    turns = Turns(0.0)
    late = NEGLECT_SECONDS["analysis"] + 1
    assert turns.order(late) == ("analysis", "waiting", "pool")
    turns.asked("analysis", late)
    assert turns.order(late) == ("waiting", "analysis", "pool")


def test_of_several_that_were_left_out_the_lowest_goes_first() -> None:
    """It has waited longest."""
    assert Turns(0.0).order(NEGLECT_SECONDS["pool"] + 1) == ("pool", "analysis", "waiting")


def test_a_taker_of_some_priorities_asks_for_no_others() -> None:
    turns = Turns(0.0, ("analysis", "pool"))
    assert set(turns.order(1_000.0)) == {"analysis", "pool"}
    assert turns.first == "analysis"


@given(
    st.lists(
        st.tuples(st.floats(0.001, 5.0), st.sets(st.sampled_from(PRIORITIES), min_size=1)), min_size=50, max_size=300
    )
)
def test_no_priority_that_has_jobs_waits_much_longer_than_its_time(jobs: list[tuple[float, set[Priority]]]) -> None:
    """Each step: some priorities have a job; the first of the order that has one is done, and takes some time."""
    turns = Turns(0.0)
    now, served = 0.0, dict.fromkeys(PRIORITIES, 0.0)
    for seconds, waiting in jobs:
        for priority in turns.order(now):
            turns.asked(priority, now)
            served[priority] = now
            if priority in waiting:
                break
        now += seconds
        for priority in PRIORITIES[1:]:
            assert now - served[priority] <= NEGLECT_SECONDS[priority] + 3 * 5.0


@given(st.integers(1, 200))
def test_a_higher_priority_is_held_up_by_at_most_one_job_of_each_other_in_its_time(steps: int) -> None:
    """With jobs of every priority there all the time, of a second each."""
    turns = Turns(0.0)
    done: list[Priority] = []
    for step in range(steps):
        first = turns.order(float(step))[0]
        turns.asked(first, float(step))
        done.append(first)
    for priority in PRIORITIES[1:]:
        assert done.count(priority) <= steps / NEGLECT_SECONDS[priority] + 1
