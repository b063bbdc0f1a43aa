"""A hint that was given: shown on the cards, its alternatives one after the other, gone with the next position."""

from collections.abc import Callable

from services.cli.playing.choosing import Place, cards_of
from services.cli.playing.commander import Drop, Turn, Wish
from services.cli.playing.saying import hint_text, suggestions
from services.cli.playing.table import Table
from services.cli.playing.words import Words
from shared.messages.events import Alternative, HintGiven
from shared.messages.views import View
from shared.rules.moves import MoveCards, parse_move


class Advice:
    """The newest hint, and which of its suggestions is shown."""

    def __init__(self, words: Words, table: Callable[[], Table], say: Callable[[str], None]) -> None:
        self._words, self._table, self._say = words, table, say
        self._suggestions: list[HintGiven | Alternative] = []
        self._view: View | None = None
        self._at = 0

    def take(self, hint: HintGiven, view: View) -> None:
        """Shows a hint that has just been given for this position."""
        self._suggestions, self._view, self._at = suggestions(hint), view, 0
        self._show(view)

    def forget(self) -> None:
        self._view = None

    def next(self) -> bool:
        """Shows the next alternative. False: there is no hint for what is on the table."""
        if self._view is None:
            return False
        self._at = (self._at + 1) % len(self._suggestions)
        self._show(self._view)
        return True

    def wish(self) -> Wish | None:
        """What to want in order to follow it."""
        if self._view is None:
            return None
        place, move = self._meant(self._view)
        return Turn() if place is None or move is None else Drop(place, move.target)

    def _show(self, view: View) -> None:
        place, move = self._meant(view)
        self._table().hint(place, move.target if move else "S")
        text = hint_text(self._words, self._suggestions[self._at], view, first=self._at == 0)
        follow = self._words("play.press", key="X", what=self._words("action.do-it"))
        another = self._words("play.press", key="H", what=self._words("action.another"))
        self._say(" ".join([text, follow, *([another] if len(self._suggestions) > 1 else [])]))

    def _meant(self, view: View) -> tuple[Place | None, MoveCards | None]:
        move = parse_move(self._suggestions[self._at].move)
        if not isinstance(move, MoveCards):
            return None, None
        cards = cards_of(view, move.source)
        index = len(cards) - move.count
        return Place(move.source, index, cards[index]), move
