"""Cards, piles, events, hints and refusals in words."""

from collections.abc import Sequence
from typing import Final

from services.cli.playing.choosing import cards_of
from services.cli.playing.words import Words
from shared.messages.chances import Chances, Lost
from shared.messages.errors import Error
from shared.messages.events import (
    Alternative,
    AnyEvent,
    CardsDrawn,
    CardsMoved,
    GameContinued,
    GameEnded,
    GamePaused,
    GameStarted,
    HintGiven,
    MoveRedone,
    MoveUndone,
    StockRecycled,
)
from shared.messages.views import View
from shared.rules.cards import SUITS, Card
from shared.rules.moves import MoveCards, parse_move
from shared.rules.piles import Pile, PileKind, parts
from shared.rules.variants import Variant

COUNTED_PAUSE_MS_MAX: Final = 60_000
"""The server counts no more than this between two moves."""
NAMED_MAX: Final = 3
"""More cards than these are seen sooner than read."""
_IN_DOLLARS: Final = frozenset({"vegas"})


def card_name(words: Words, card: Card) -> str:
    return words("card.name", rank=words(f"rank.{card[0]}"), suit=words(f"suit.{card[1]}"))


def pile_name(words: Words, pile: Pile) -> str:
    kind, index = parts(pile)
    match kind:
        case PileKind.WASTE:
            return words("pile.waste")
        case PileKind.TABLEAU:
            return words("pile.column", number=index + 1)
        case PileKind.FOUNDATION:
            return words("pile.foundation", suit=words(f"suit.{SUITS[index % len(SUITS)]}"))


def event_text(words: Words, event: AnyEvent, view: View) -> str:
    """What happened, as a sentence; nothing where the table says enough."""
    match event:
        case GameStarted():
            return words("said.started")
        case CardsMoved(cards=cards, target=target, turned_up=turned_up):
            named = card_name(words, cards[0])
            moved = words("said.moved", n=len(cards), card=named, pile=pile_name(words, target))
            turned = words("said.turned-up", card=card_name(words, turned_up)) if turned_up else ""
            return f"{moved} {turned}".rstrip()
        case CardsDrawn(cards=cards) if len(cards) <= NAMED_MAX:
            return words("said.drawn", card=", ".join(card_name(words, card) for card in cards), n=view.stock)
        case StockRecycled(cards=count):
            return words("said.recycled", n=count)
        case MoveUndone():
            return words("said.undone")
        case MoveRedone():
            return words("said.redone")
        case GamePaused(reason=reason):
            return words("said.paused") if reason == "player" else ""
        case GameContinued():
            return words("said.continued")
        case GameEnded(result=result):
            return words(f"result.{result}")
        case _:
            return ""


def events_text(words: Words, events: Sequence[AnyEvent], view: View) -> str:
    """What happened with one command."""
    return " ".join(filter(None, (event_text(words, event, view) for event in events)))


def refusal_text(words: Words, error: Error) -> str:
    """The broken rule says more than "illegal"; a code that these words do not know has a sentence of its own."""
    for key in (f"rule.{error.rule}", f"error.{error.code}"):
        if words.has(key):
            return words(key)
    return f"{error.text} {error.fix}"


def suggestions(hint: HintGiven) -> list[HintGiven | Alternative]:
    """A hint, and what else would do."""
    return [hint, *(hint.alternatives or ())]


def hint_text(words: Words, hint: HintGiven | Alternative, view: View, *, first: bool) -> str:
    """The move with its reason. A draw for the sake of another move says so, and names its card."""
    move = parse_move(hint.move)
    told = [] if first else [words("hint.or")]
    if isinstance(move, MoveCards):
        card = cards_of(view, move.source)[-move.count]
        told.append(words("hint.move", card=card_name(words, card), pile=pile_name(words, move.target)))
    elif hint.reason not in ("draw", "recycle"):
        told.append(words(f"hint.{hint.move}"))
        told += [words("hint.for", card=card_name(words, hint.cards[0]))] if hint.cards else []
    text = " ".join([*told, words(f"hint.{hint.reason}")])
    return text[:1].upper() + text[1:]


def chances_text(words: Words, chances: Chances) -> str:
    if isinstance(chances, Lost):
        return words("chances.lost")
    if chances.low == 1:
        return words("chances.certain")
    values = {"n": chances.samples, "winnable": chances.winnable}
    shares = {"low": _percent(words, chances.low), "high": _percent(words, chances.high)}
    known = chances.exact and not chances.undecided
    kind = "exact" if known else "estimate" if chances.winnable else "none"
    return words(f"chances.{kind}", **values, **shares)


def _percent(words: Words, share: float) -> str:
    return f"{round(100 * share)}{'' if words.language == 'en' else ' '}%"


def rules(words: Words, variant: Variant) -> list[str]:
    """The rules of a variant that one plays alone, by the figures that its games have."""
    told = [words("rules.goal", n=variant.foundations, cards=variant.cards)]
    told += [words(f"rules.{name}") for name in ("tableau", "king", "turn", "foundation", "back")]
    if variant.draws_to == "columns":
        return [*told, words("rules.stock-columns")]
    passes = words("rules.recycle") if variant.passes is None else words("rules.passes", n=variant.passes)
    return [*told, words("rules.draw", n=variant.draw), passes]


def score(points: int, scoring: str, language: str) -> str:
    """Points, or dollars as the language writes them."""
    sign = "−" if points < 0 else ""
    if scoring not in _IN_DOLLARS:
        return f"{sign}{abs(points)}"
    return f"{sign}${abs(points)}" if language == "en" else f"{sign}{abs(points)} $"


def clock_time(milliseconds: int) -> str:
    """Minutes and seconds, with hours where there are any."""
    minutes, seconds = divmod(max(0, milliseconds) // 1_000, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


def play_time(view: View, server_ms: int) -> int:
    """The play time when the server's clock is at that moment."""
    since = min(COUNTED_PAUSE_MS_MAX, max(0, server_ms - view.at))
    return view.play_ms + (since if view.clock_runs else 0)
