"""The hint: the next good move by the preferences of the rules, with its reason.

The order, each only when none before it applies:

1. an ace or a two goes up at once: it never blocks anything;
2. a face-down card is turned up, by the cheapest plan of up to three steps;
3. a column is freed for a King that waits on the waste or in the known stock;
4. a card goes up that blocks no run, the lowest first;
5. a card of the waste goes into the tableau where it helps, or uncovers one that does;
6. draw or recycle, towards a card that helps or was never seen;
7. as a last resort a card of the waste goes anywhere;
8. a card goes up though it may be missed, the lowest first; if need be after part of a run was moved off it;
9. draw or recycle towards any card that can be played.

Otherwise there is no hint: all that is left would lead nowhere.

*It never circles.* Every hint raises `Progress`, which compares from left to right:

- cards turned up, cards gone from stock and waste, stock cards seen, aces and twos that are up: no hint undoes these;
- minus the price of the plan to turn a card up (2): each step of a cheapest plan leaves a cheaper one;
- cards on the foundations: only a plan to turn a card up takes one back, and then the line before has risen;
- minus the price of the plan to free a column (3); 0 while one is free, and only the King takes it;
- minus the price of the plan to uncover a card that goes up (8);
- minus the draws to a card that helps (6), then minus those to one that can be played at all (9): drawing changes
  nothing else.

All of these are bounded, so following hints ends from any position: won, or with no hint.
"""

from collections.abc import Callable
from typing import Final

from shared.messages.jobs import Hint, HintReason, Knowledge
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
    lifted,
    move_of,
    turns_up,
)
from shared.solver.outlook import Outlook
from shared.solver.plans import AT_ONCE, Plan, blocks
from shared.solver.stock import Turn


def best_hint(known: Knowledge, legal: tuple[str, ...], variant: Variant) -> Hint | None:
    """The best move, if there is one that leads anywhere. The same input always gives the same hint."""
    outlook = Outlook(known, variant)
    hint = next((found for prefer in _PREFERENCES if (found := prefer(outlook)) is not None), None)
    assert hint is None or hint.move in legal, f"{hint} is not legal"
    return hint


def _at_once(outlook: Outlook) -> Hint | None:
    position = outlook.position
    small = [step for step in _upwards(outlook) if RANK[lifted(position, step)] <= AT_ONCE]
    if not small:
        return None
    return _of_step(position, min(small, key=lambda step: (not turns_up(position, step), _rank_first(position, step))))


def _turn_up(outlook: Outlook) -> Hint | None:
    plan = outlook.turn_up
    return None if plan is None else _of_plan_to_turn_up(outlook.position, plan)


def _free_column(outlook: Outlook) -> Hint | None:
    plan, king = outlook.free_column, outlook.waiting_king
    return None if plan is None or king is None else _hint(plan.steps[0], "free-column-for-king", king)


def _build(outlook: Outlook) -> Hint | None:
    position = outlook.position
    now = [step for step in _upwards(outlook) if not blocks(lifted(position, step), position.heights)]
    return _of_step(position, min(now, key=lambda step: _rank_first(position, step))) if now else None


def _help_from_waste(outlook: Outlook) -> Hint | None:
    position = outlook.position
    uncovers_help = any(map(outlook.helps, outlook.known.waste[-2:-1]))
    helping = [step for step in _from_waste(outlook) if uncovers_help or outlook.step_helps(position, step)]
    return _of_step(position, helping[0]) if helping else None


def _draw_to_help(outlook: Outlook) -> Hint | None:
    return _of_turn(outlook.next_helping)


def _place_from_waste(outlook: Outlook) -> Hint | None:
    places = _from_waste(outlook)
    return _of_step(outlook.position, places[0]) if places else None


def _build_anyway(outlook: Outlook) -> Hint | None:
    position = outlook.position
    upwards = _upwards(outlook)
    if upwards:
        return _of_step(position, min(upwards, key=lambda step: _rank_first(position, step)))
    plan = outlook.build
    if plan is None:
        return None
    return _hint(plan.steps[0], "build-foundation", DECK[lifted(plan.before_last(position), plan.steps[-1])])


def _draw_to_play(outlook: Outlook) -> Hint | None:
    return _of_turn(outlook.next_playable)


_PREFERENCES: Final[tuple[Callable[[Outlook], Hint | None], ...]] = (
    _at_once,
    _turn_up,
    _free_column,
    _build,
    _help_from_waste,
    _draw_to_help,
    _place_from_waste,
    _build_anyway,
    _draw_to_play,
)


def _upwards(outlook: Outlook) -> list[Step]:
    return [step for step in outlook.steps if step.target >= FOUNDATION]


def _from_waste(outlook: Outlook) -> list[Step]:
    return [step for step in outlook.steps if step.source == WASTE and step.target < FOUNDATION]


def _rank_first(position: Position, step: Step) -> tuple[int, Step]:
    """Keeps the foundations level."""
    return RANK[lifted(position, step)], step


def _hint(step: Step, reason: HintReason, card: Card) -> Hint:
    return Hint(move=move_text(move_of(step)), reason=reason, cards=(card,))


def _of_step(position: Position, step: Step) -> Hint:
    """A single step with the first of the rules' reasons that fits it."""
    card = DECK[lifted(position, step)]
    return _hint(step, _reason(position, step), card)


def _reason(position: Position, step: Step) -> HintReason:
    if goes_to_empty(position, step):
        return "king-to-column"
    if turns_up(position, step):
        return "turn-up-card"
    return "build-foundation" if step.target >= FOUNDATION else "build-tableau"


def _of_plan_to_turn_up(position: Position, plan: Plan) -> Hint:
    """The plan's first step. Its card lies on the face-down one, or is the King that a column is freed for."""
    first, last = plan.steps[0], plan.steps[-1]
    before_last = plan.before_last(position)
    card = DECK[lifted(before_last, last)]
    if not goes_to_empty(before_last, last):
        return _hint(first, "turn-up-card", card)
    if first is last:
        return _hint(first, "king-to-column", card)
    return _hint(first, "free-column-for-king" if empties(position, first) else "turn-up-card", card)


def _of_turn(turn: Turn | None) -> Hint | None:
    if turn is None:
        return None
    cards = () if turn.top is None or turn.reveals else (turn.top,)
    if turn.first_is_draw:
        return Hint(move=move_text(Draw()), reason="draw", cards=cards)
    return Hint(move=move_text(Recycle()), reason="recycle", cards=cards)
