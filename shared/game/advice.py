"""What workers tell, held against the game: hints and chances."""

from typing import assert_never

from shared.game.state import Game
from shared.game.view import legal_texts
from shared.messages.chances import Chances, Estimate, Lost
from shared.messages.events import HintGiven
from shared.messages.jobs import Hint, Suggestion
from shared.rules import moves
from shared.rules.legal import breach
from shared.rules.table import apply


def hint_fault(game: Game, hint: Hint) -> str | None:
    """What is wrong with a hint: it and its alternatives are legal moves, about cards that the player has seen."""
    legal, seen = legal_texts(game), set(game.seat.seen)
    for told in (hint, *hint.alternatives):
        if told.move not in legal:
            return "the hint is no legal move"
        if not seen.issuperset(told.cards):
            return "the hint is about a card that the player has never seen"
    return _fault_of_plan(game, (hint.move, *hint.then)) if hint.then else None


def _fault_of_plan(game: Game, texts: tuple[str, ...]) -> str | None:
    """Its moves are legal one after the other, and none but the last one shows a card that was not seen before."""
    table, seen, shown = game.seat.table, set(game.seat.seen), False
    for text in texts:
        if shown:
            return "the hint is a plan that goes on after a card that was not seen before"
        try:
            move = moves.parse_move(text)
        except ValueError:
            return "the hint is a plan with a move that is none"
        if breach(table, move, game.variant) is not None:
            return "the hint is a plan with a move that is not legal"
        applied = apply(table, move, game.variant)
        table, shown = applied.table, not seen.issuperset((*applied.cards, *filter(None, (applied.turned_up,))))
    return None


def hint_of(event: HintGiven) -> Hint:
    """The hint that an event tells of."""
    others = (Suggestion(move=one.move, reason=one.reason, cards=one.cards) for one in event.alternatives or ())
    told, then = tuple(others), event.then or ()
    return Hint(move=event.move, reason=event.reason, cards=event.cards, alternatives=told, then=then)


def chances_fit(chances: Chances) -> bool:
    """Whether the numbers that a worker told go together."""
    match chances:
        case Lost():
            return True
        case Estimate(samples=samples, winnable=winnable, undecided=undecided, low=low, high=high):
            return winnable + undecided <= samples and low <= high
    assert_never(chances)
