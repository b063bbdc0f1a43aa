"""The table of what a worker can do: one case a kind of question.

A new kind is a question and a result in `shared/messages/jobs.py`, its search in `shared/solver`, and a case in
`work_out` and in `told`. mypy says what is missing. Queue, deadlines, retries and dead letters know no kinds.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, assert_never

from shared.messages.chances import Chances
from shared.messages.jobs import (
    BUDGET_MS_MAX,
    PLAN_MAX,
    AnyQuestion,
    AnyResult,
    ChancesQuestion,
    ChancesResult,
    GameQuestion,
    Hint,
    HintQuestion,
    HintResult,
    Job,
    JobRefused,
    ProbeQuestion,
    ProbeResult,
    StrongHintQuestion,
)
from shared.rules.moves import move_text
from shared.rules.variants import VARIANTS
from shared.solver.check import as_table, question_fault
from shared.solver.hints import best_hint
from shared.solver.probe import probe

SEED_DIGITS: Final = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """What a search has besides its question. All of it is passed in: the same gives the same."""

    seconds: float
    """How long it may take: the question's budget, or less when its deadline comes first."""
    clock: Callable[[], float]
    """Seconds, of which only differences mean anything."""
    stopped: Callable[[], bool]
    """Whether nobody wants the answer any more. Asked every few milliseconds, from the search's own thread."""


Solve = Callable[[Job, Search], AnyResult]


def work_out(job: Job, search: Search) -> AnyResult:
    """The result of a job, or why it is none that can be done."""
    fault = _fault(job.question)
    if fault is not None:
        return JobRefused(id=job.id, reason=fault)
    match job.question:
        case HintQuestion() as asked:
            return HintResult(id=job.id, hint=best_hint(asked.known, asked.legal, VARIANTS[asked.variant]))
        case StrongHintQuestion() as asked:
            return HintResult(id=job.id, hint=_strong_hint(asked, seed_of(job), search))
        case ChancesQuestion() as asked:
            return ChancesResult(id=job.id, chances=_chances(asked, seed_of(job), search))
        case ProbeQuestion() as asked:
            return ProbeResult(id=job.id, states=probe(asked.states, search.clock, search.stopped))
        case _:
            assert_never(job.question)


def told(result: AnyResult) -> dict[str, object]:
    """What the log says about a result, besides the times. No card that is face down is in a result."""
    match result:
        case HintResult(hint=hint):
            others = len(hint.alternatives) + len(hint.then) if hint else 0
            return {"move": hint and hint.move, "reason": hint and hint.reason, "more": others}
        case ChancesResult(chances=chances):
            return {"chances": repr(chances)}
        case ProbeResult(states=states):
            return {"states": states}
        case JobRefused(reason=reason):
            return {"reason": reason}
        case _:
            assert_never(result)


def seed_of(job: Job) -> int:
    """Where a search's random numbers begin: the same question, the same numbers, on every worker."""
    return int(job.id[:SEED_DIGITS], 16)


def _strong_hint(asked: StrongHintQuestion, seed: int, search: Search) -> Hint | None:
    """The strong player's plan; the instant hint where it does not play the variant. None: nothing left could win."""
    from shared.solver.flat import unplayable  # a hint by the rules needs no compiled kernels
    from shared.solver.player import LEVELS, StrongPlayer

    variant = VARIANTS[asked.variant]
    if unplayable(variant) is not None:
        return best_hint(asked.known, asked.legal, variant)
    end = search.clock() + search.seconds
    plan = StrongPlayer(variant, asked.aim).plan(
        asked.known, seed=seed, effort=LEVELS["strong"], stopped=lambda: search.stopped() or search.clock() >= end
    )
    if plan is None:
        return None
    first, *rest = map(move_text, plan.moves[: PLAN_MAX + 1])
    return Hint(move=first, reason=plan.reason, cards=plan.cards, then=tuple(rest))


def _chances(asked: ChancesQuestion, seed: int, search: Search) -> Chances | None:
    from shared.solver.chances import chances  # a hint needs no compiled kernels
    from shared.solver.flat import unsupported

    variant = VARIANTS[asked.variant]
    if unsupported(as_table(asked.known), variant) is not None:
        return None
    end = search.clock() + search.seconds
    return chances(asked.known, variant, seed, lambda: search.stopped() or search.clock() >= end)


def _fault(asked: AnyQuestion) -> str | None:
    if not 0 < asked.budget_ms <= BUDGET_MS_MAX:
        return f"budget_ms: {asked.budget_ms} is no budget; give 1 to {BUDGET_MS_MAX}"
    return question_fault(asked) if isinstance(asked, GameQuestion) else None
