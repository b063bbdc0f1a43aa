"""What happened in a record, in words for a table: the move, and what came of it."""

from datetime import UTC, datetime
from typing import Final, assert_never

from shared.game.replay import quoted
from shared.game.state import Game
from shared.messages.chances import Chances, Estimate, Lost
from shared.messages.commands import Deal, NumberedDeal, SecretDeal, WinnableDeal
from shared.messages.events import (
    Alternative,
    AnyEvent,
    BetweenPlayers,
    CardsDrawn,
    CardsMoved,
    ChancesGiven,
    GameContinued,
    GameEnded,
    GamePaused,
    GameStarted,
    HintGiven,
    MoveRedone,
    MoveUndone,
    PlayerJoined,
    PlayerLeft,
    PlayerResigned,
    PlayerReturned,
    StockRecycled,
)
from shared.messages.moved import move_of
from shared.rules.moves import move_text

_PLAIN: Final[dict[type[AnyEvent], str]] = {
    GameStarted: "deal",
    HintGiven: "hint",
    ChancesGiven: "chances",
    GamePaused: "pause",
    GameContinued: "continue",
    PlayerJoined: "join",
    PlayerResigned: "resign",
    PlayerLeft: "leave",
    PlayerReturned: "return",
}
TIME_MS_MAX: Final = 253_402_300_799_999
"""The last millisecond of the year 9999: what a calendar can show."""


def time_text(at: int) -> str:
    """A time in UTC, or the bare number if no calendar goes so far."""
    if at > TIME_MS_MAX:
        return f"{at} ms"
    return datetime.fromtimestamp(at // 1000, UTC).strftime("%Y-%m-%d %H:%M:%S") + f".{at % 1000:03}"


def duration_text(milliseconds: int) -> str:
    """Minutes and seconds."""
    return f"{milliseconds // 60_000}:{milliseconds // 1000 % 60:02}"


def move_words(event: AnyEvent, before: Game | None) -> str:
    """The move in text. `before`: the game it was made in, to name what was taken back."""
    match event:
        case CardsMoved() | CardsDrawn() | StockRecycled():
            return move_text(move_of(event))
        case MoveUndone():
            done = before.seat.done if before else ()
            return f"undo {move_text(done[-1].move)}" if done else "undo"
        case MoveRedone():
            undone = before.seat.undone if before else ()
            return f"redo {move_text(undone[-1].move)}" if undone else "redo"
        case HintGiven() | ChancesGiven() | GamePaused() | GameContinued() | GameStarted():
            return _PLAIN[type(event)]
        case PlayerJoined() | PlayerResigned() | PlayerLeft() | PlayerReturned():
            return _PLAIN[type(event)]
        case GameEnded(result=result):
            return "resign" if result == "resigned" else "end"
    assert_never(event)


def happened(event: AnyEvent) -> str:
    """What an event showed and brought about."""
    match event:
        case CardsMoved(cards=cards, turned_up=turned_up):
            return _cards(cards) + (f", turns up {turned_up}" if turned_up else "")
        case CardsDrawn(cards=cards):
            return _cards(cards)
        case StockRecycled(cards=count, begins_pass=begins_pass):
            return f"{count} cards, pass {begins_pass} begins"
        case GamePaused(reason=reason, since=since):
            return ("by the player" if reason == "player" else "the player was away") + f", since {time_text(since)}"
        case MoveUndone() | MoveRedone() | GameContinued():
            return ""
        case HintGiven() | ChancesGiven():
            return _advice(event)
        case GameStarted(faces=faces):
            return "face up " + " ".join(card for column in faces for card in column)
        case PlayerJoined() | PlayerResigned() | PlayerLeft() | PlayerReturned():
            return _happened_between(event)
        case GameEnded():
            return _end(event)
    assert_never(event)


def _advice(event: HintGiven | ChancesGiven) -> str:
    if isinstance(event, ChancesGiven):
        return _told(event.chances)
    return " or ".join([_suggested(event), *map(_suggested, event.alternatives or ())])


def _happened_between(event: BetweenPlayers) -> str:
    match event:
        case PlayerJoined(faces=faces):
            return " against ".join(_cards(tuple(card for column in seat for card in column)) for seat in faces)
        case PlayerResigned(seat=seat, absent=absent):
            return f"player {seat + 1} {'stayed away' if absent else 'gave up'}"
        case PlayerLeft(seat=seat, since=since):
            return f"player {seat + 1}, last there at {time_text(since)}"
        case PlayerReturned(seat=seat):
            return f"player {seat + 1}"
    assert_never(event)


def _end(event: GameEnded) -> str:
    time = duration_text(event.play_ms)
    if event.seats:
        each = (f"player {place} {end.result} with {end.cards_up} up" for place, end in enumerate(event.seats, 1))
        return f"{', '.join(each)}, after {time}"
    return f"{event.result} after {event.moves} moves and {time}, {'with help' if event.assisted else 'without help'}"


def _suggested(told: HintGiven | Alternative) -> str:
    return f"{plain(told.move)} ({told.reason}{': ' + _cards(told.cards) if told.cards else ''})"


def _told(chances: Chances) -> str:
    match chances:
        case Lost():
            return "no way to win is left"
        case Estimate(samples=samples, winnable=winnable):
            return f"{winnable} of {samples} ways that unseen cards may lie can be won"
    assert_never(chances)


def points_of(event: AnyEvent) -> int:
    """What an event added to the score."""
    match event:
        case CardsMoved(points=points) | StockRecycled(points=points) | MoveUndone(points=points):
            return points
        case MoveRedone(points=points) | GameStarted(points=points):
            return points
        case GameEnded(bonus=bonus):
            return bonus
        case CardsDrawn() | HintGiven() | ChancesGiven() | GamePaused() | GameContinued():
            return 0
        case PlayerJoined() | PlayerResigned() | PlayerLeft() | PlayerReturned():
            return 0
    assert_never(event)


def kind_words(event: GameStarted) -> str:
    """What was dealt, in one line."""
    return f"{plain(event.variant)} {plain(event.variant_version)}, {plain(event.scoring)}, {event.mode}"


def deal_words(origin: Deal) -> str:
    """Where the cards come from."""
    match origin:
        case SecretDeal(player_seed=""):
            return "the server's secret"
        case SecretDeal(player_seed=seed):
            return f"the server's secret and the player's seed {quoted(seed)}"
        case WinnableDeal(player_seed=""):
            return "the server's secret, certified winnable"
        case WinnableDeal(player_seed=seed):
            return f"the server's secret and the player's seed {quoted(seed)}, certified winnable"
        case NumberedDeal(number=number):
            return f"deal number {number}"
    assert_never(origin)


def plain(text: str) -> str:
    """Stored text as it is where that is harmless on a terminal, else quoted."""
    return text if text.isascii() and text.isprintable() and len(text) <= 80 else quoted(text)


def _cards(cards: tuple[str, ...]) -> str:
    return " ".join(cards)
