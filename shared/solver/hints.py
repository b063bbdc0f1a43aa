"""The hint: the next good move by the preferences of the rules, with its reason.

The order, each only when none before it applies:

1. an ace or a two goes up at once: it never blocks anything;
2. a face-down card is turned up, by the cheapest plan of up to three steps (two on more than seven columns);
3. a column is freed for a King that waits on the waste or in the known stock;
4. a card goes up that blocks no run, the lowest first;
5. a run that lies on a card it does not fit goes to one that it fits, the longest first (open games, two decks);
6. a card of the waste goes into the tableau where it helps, or uncovers one that does;
7. on the last pass a card of the waste goes wherever it can, since what is drawn over is gone for good;
8. draw or recycle, towards a card that helps or was never seen;
9. as a last resort a card of the waste goes anywhere;
10. a card goes up though it may be missed, the lowest first; if need be after part of a run was moved off it;
11. draw or recycle towards any card that can be played.

Otherwise there is no hint: all that is left would lead nowhere. Where a game is told to be stuck
(`shared/rules/stuck.py`) none is asked for. With the hint come up to three alternatives: what comes next in the same
order, as far as it raises `Progress` too. A last resort is none while there is anything better.

*It never circles.* Every hint, and every alternative, raises `Progress`, which compares from left to right:

- cards turned up, cards gone from stock and waste, stock cards seen, aces and twos that are up: no hint undoes these;
- minus the price of the plan to turn a card up (2): each step of a cheapest plan leaves a cheaper one;
- cards on the foundations: only a plan to turn a card up takes one back, and then the line before has risen;
- minus the cards that lie face up on one they do not fit: no card is put on one that it does not fit, but by a draw,
  and that raises the first line;
- minus the price of the plan to free a column (3); 0 while one is free, and only the King takes it;
- minus the price of the plan to uncover a card that goes up (10);
- minus the draws to a card that helps (8), then minus those to one that can be played at all (11): drawing changes
  nothing else.

All of these are bounded, so following hints and alternatives ends from any position: won, or with no hint.
"""

from collections.abc import Callable, Iterator
from itertools import chain, islice
from typing import Final, NamedTuple

from shared.messages.jobs import ALTERNATIVES_MAX, Hint, HintReason, Knowledge, Suggestion
from shared.rules.cards import DECK, Card
from shared.rules.moves import Draw, Recycle, move_text
from shared.rules.variants import Variant
from shared.solver.layout import (
    FOUNDATION,
    RANK,
    WASTE,
    Position,
    Step,
    empties,
    goes_to_empty,
    joins,
    lifted,
    move_of,
    turns_up,
)
from shared.solver.outlook import Outlook, turn_up_gain
from shared.solver.plans import AT_ONCE, Plan, blocks, price
from shared.solver.stock import Turn


class Choice(NamedTuple):
    """A move that a preference speaks for."""

    step: Step | None
    """None: a draw or a recycle, as the reason says."""
    reason: HintReason
    cards: tuple[Card, ...]

    @property
    def move(self) -> str:
        if self.step is not None:
            return move_text(move_of(self.step))
        return move_text(Draw() if self.reason == "draw" else Recycle())

    @property
    def alike(self) -> object:
        """The same for choices that a player would call the same: the same cards, to a place of the same kind."""
        step = self.step
        return None if step is None else (step.source, step.size, step.target >= FOUNDATION)


Prefer = Callable[[Outlook], Iterator[Choice]]


def best_hint(known: Knowledge, legal: tuple[str, ...], variant: Variant) -> Hint | None:
    """The best move, if there is one that leads anywhere. The same input always gives the same hint."""
    outlook = Outlook(known, variant)
    for preferences in (_PREFERENCES, _LAST_RESORTS):
        choices = chain.from_iterable(prefer(outlook) for prefer in preferences)
        best = next(choices, None)
        if best is not None:
            others = tuple(islice(_others(outlook, best, choices), ALTERNATIVES_MAX))
            assert {best.move, *(other.move for other in others)} <= set(legal), f"{best}, {others}: not all are legal"
            alternatives = tuple(Suggestion(move=one.move, reason=one.reason, cards=one.cards) for one in others)
            return Hint(move=best.move, reason=best.reason, cards=best.cards, alternatives=alternatives)
    return None


def _others(outlook: Outlook, best: Choice, choices: Iterator[Choice]) -> Iterator[Choice]:
    """The choices after the best one that lead on as well, each only once."""
    told = {best.alike}
    for choice in choices:
        if choice.alike not in told and _leads_on(outlook, choice):
            told.add(choice.alike)
            yield choice


def _leads_on(outlook: Outlook, choice: Choice) -> bool:
    """Whether a choice raises `Progress`. A card turned up, drawn unseen or taken off the waste always does."""
    is_draw, step = choice.reason == "draw", choice.step
    after = outlook.after_turn(draw=is_draw) if step is None else outlook.after(step)
    return after is None or outlook.is_behind(after)


def _at_once(outlook: Outlook) -> Iterator[Choice]:
    position = outlook.position
    small = [step for step in _upwards(outlook) if RANK[lifted(position, step)] <= AT_ONCE]
    for step in sorted(small, key=lambda step: (not turns_up(position, step), _rank_first(position, step))):
        yield _of_step(position, step)


def _turn_up(outlook: Outlook) -> Iterator[Choice]:
    """The cheapest plan; after it, whatever turns a card up in one step."""
    position, plan = outlook.position, outlook.turn_up
    if plan is None:
        return
    yield _of_plan_to_turn_up(position, plan)
    single = [step for step in outlook.steps if turns_up(position, step)]
    plans = (Plan(price(position, step), -turn_up_gain(position, step), (step,)) for step in single)
    for other in sorted(plans):
        yield _of_plan_to_turn_up(position, other)


def _free_column(outlook: Outlook) -> Iterator[Choice]:
    plan, king = outlook.free_column, outlook.waiting_king
    if plan is not None and king is not None:
        yield Choice(plan.steps[0], "free-column-for-king", (king,))


def _join(outlook: Outlook) -> Iterator[Choice]:
    """A run that lies on a card it does not fit goes to one that it fits: the longest first."""
    position = outlook.position
    joining = [step for step in outlook.steps if joins(position, step)]
    for step in sorted(joining, key=lambda step: (-step.size, step)):
        yield Choice(step, "join-run", (DECK[lifted(position, step)],))


def _build(outlook: Outlook) -> Iterator[Choice]:
    position = outlook.position
    for step in _lowest_first(outlook):
        if not blocks(lifted(position, step), position.heights):
            yield _of_step(position, step)


def _help_from_waste(outlook: Outlook) -> Iterator[Choice]:
    position = outlook.position
    uncovers_help = any(map(outlook.helps, outlook.known.waste[-2:-1]))
    for step in _from_waste(outlook):
        if uncovers_help or outlook.step_helps(position, step):
            yield _of_step(position, step)


def _last_pass(outlook: Outlook) -> Iterator[Choice]:
    """Into the tableau first, where the card is not gone either."""
    if outlook.known.pass_number == outlook.variant.passes:
        for step in (*_from_waste(outlook), *(step for step in _upwards(outlook) if step.source == WASTE)):
            yield Choice(step, "last-pass", (DECK[lifted(outlook.position, step)],))


def _draw_to_help(outlook: Outlook) -> Iterator[Choice]:
    return _of_turn(outlook.next_helping)


def _place_from_waste(outlook: Outlook) -> Iterator[Choice]:
    for step in _from_waste(outlook):
        yield Choice(step, "place-anyway", (DECK[lifted(outlook.position, step)],))


def _build_anyway(outlook: Outlook) -> Iterator[Choice]:
    position, plan = outlook.position, outlook.build
    upwards = _lowest_first(outlook)
    for step in upwards:
        yield Choice(step, "build-anyway", (DECK[lifted(position, step)],))
    if plan is not None and not upwards:
        yield Choice(plan.steps[0], "build-anyway", (DECK[lifted(plan.before_last(position), plan.steps[-1])],))


def _draw_to_play(outlook: Outlook) -> Iterator[Choice]:
    return _of_turn(outlook.next_playable)


_PREFERENCES: Final[tuple[Prefer, ...]] = (
    _at_once,
    _turn_up,
    _free_column,
    _build,
    _join,
    _help_from_waste,
    _last_pass,
    _draw_to_help,
)
_LAST_RESORTS: Final[tuple[Prefer, ...]] = (_place_from_waste, _build_anyway, _draw_to_play)


def _upwards(outlook: Outlook) -> list[Step]:
    return [step for step in outlook.steps if step.target >= FOUNDATION]


def _lowest_first(outlook: Outlook) -> list[Step]:
    return sorted(_upwards(outlook), key=lambda step: _rank_first(outlook.position, step))


def _from_waste(outlook: Outlook) -> list[Step]:
    return [step for step in outlook.steps if step.source == WASTE and step.target < FOUNDATION]


def _rank_first(position: Position, step: Step) -> tuple[int, Step]:
    """Keeps the foundations level."""
    return RANK[lifted(position, step)], step


def _of_step(position: Position, step: Step) -> Choice:
    """A single step with the first of the rules' reasons that fits it."""
    return Choice(step, _reason(position, step), (DECK[lifted(position, step)],))


def _reason(position: Position, step: Step) -> HintReason:
    if goes_to_empty(position, step):
        return "king-to-column"
    if turns_up(position, step):
        return "turn-up-card"
    return "build-foundation" if step.target >= FOUNDATION else "build-tableau"


def _of_plan_to_turn_up(position: Position, plan: Plan) -> Choice:
    """The plan's first step. Its card lies on the face-down one, or is the King that a column is freed for."""
    first, last = plan.steps[0], plan.steps[-1]
    before_last = plan.before_last(position)
    cards = (DECK[lifted(before_last, last)],)
    if not goes_to_empty(before_last, last):
        return Choice(first, "turn-up-card", cards)
    if first is last:
        return Choice(first, "king-to-column", cards)
    return Choice(first, "free-column-for-king" if empties(position, first) else "turn-up-card", cards)


def _of_turn(turn: Turn | None) -> Iterator[Choice]:
    if turn is not None:
        cards = () if turn.top is None or turn.reveals else (turn.top,)
        yield Choice(None, "draw" if turn.first_is_draw else "recycle", cards)
