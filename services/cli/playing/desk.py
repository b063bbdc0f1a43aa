"""The screen of a game: what it is and how it stands above, the table, what is said and the keys below."""

from collections.abc import Callable
from typing import ClassVar, Final

from rich.cells import cell_len
from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.screen import Screen
from textual.widgets import Static

from services.cli.playing.faces import Signs
from services.cli.playing.layout import least
from services.cli.playing.saying import clock_time, play_time, score
from services.cli.playing.table import Table
from services.cli.playing.words import Words
from shared.messages.views import View

TICK_SECONDS: Final = 0.5
BAR: Final = (
    ("?", "play.help", "help"),
    ("Space", "play.draw", "turn"),
    ("U", "action.undo", "undo"),
    ("H", "action.hint", "hint"),
    ("N", "action.new", "new"),
    ("Q", "play.quit", "quit"),
    ("B", "action.pause", "pause"),
    ("R", "action.redo", "redo"),
)
BAR_GAP: Final = "  "
"""The keys that are told below the table; a press of the mouse on them does the same."""
KEYS: Final = {
    "space": "turn", "d": "turn", "u": "undo", "ctrl+z": "undo", "r": "redo", "ctrl+y": "redo", "h": "hint",
    "x": "follow", "c": "chances", "b": "pause", "n": "new", "a": "finish", "f": "up", "t": "best", "g": "resign",
    "k": "colours", "l": "signs", "enter": "enter", "escape": "let_go", "question_mark": "help", "q": "quit",
    "ctrl+c": "quit",
}  # fmt: skip


class Desk(Screen[None]):
    """Shows, and says which key or button was pressed."""

    # A long text lies over the lowest rows of the table, so that cards do not move when something is said.
    CSS: ClassVar[str] = """
    Desk { background: #17613f; layers: below above; }
    #head { height: 1; background: #0b3322; color: #c4d8cd; }
    Table { margin-bottom: 2; }
    #below { dock: bottom; layer: above; height: auto; }
    #said { height: auto; min-height: 1; max-height: 6; padding: 0 1; background: #0f4a30; color: #f3f7f4; }
    #said.wrong { color: #ffb4a8; }
    #said.told { color: #ffd34d; }
    #keys { height: 1; padding: 0 1; background: #0b3322; color: #c4d8cd; link-color: #ffd34d; link-style: none; }
    """

    def __init__(self, words: Words, signs: Signs, pressed: Callable[[str], None], now_ms: Callable[[], int]) -> None:
        super().__init__()
        self.words, self._pressed, self._now_ms = words, pressed, now_ms
        self.table = Table(signs)
        self.connection = ""
        """What is told of the connection, where it is not as it should be."""
        self._head = Static(id="head", markup=False)
        self._said = Static(id="said", markup=False)
        self._keys = Static(id="keys")
        self._ahead_ms: int | None = None
        self._told = ""

    def compose(self) -> ComposeResult:
        yield self._head
        yield self.table
        with Vertical(id="below"):
            yield self._said
            yield self._keys

    def on_mount(self) -> None:
        self.table.focus()
        self.set_interval(TICK_SECONDS, self.tick)

    def show(self, view: View, *, live: bool) -> None:
        """Puts a position on the table. `live`: it has just come about, which tells how far the clocks are apart."""
        if live:
            ahead = self._now_ms() - view.at
            self._ahead_ms = ahead if self._ahead_ms is None else min(self._ahead_ms, ahead)
        self.table.show(view, self._note(view))
        self.tick()

    def say(self, text: str, manner: str = "") -> None:
        """A line below the table; `told` and `wrong` stand out."""
        self._said.set_classes(manner)
        self._said.update(text)

    def tick(self) -> None:
        """Counts on."""
        view, width = self.table.game, self.size.width
        left = f" ♠ Klondike  {self._kind(view)}" if view else " ♠ Klondike"
        left = left.replace("♠ ", "") if self.table.signs.plain else left
        right = self.connection or (self._standing(view) if view else "")
        gap = width - cell_len(left) - cell_len(right) - 1
        text = f"{left}{' ' * gap}{right} " if gap > 0 else f" {right}"[:width]
        if text != self._told:
            self._told = text
            self._head.update(text)

    def on_resize(self) -> None:
        """What there is room for depends on it."""
        self._keys.update(self._bar())
        self.call_after_refresh(self._again)

    def on_key(self, event: events.Key) -> None:
        key = event.key
        if key in ("left", "right", "up", "down"):
            self.table.move_cursor(key)
        elif key.isdecimal() and len(key) == 1:
            self.table.go(f"T{key if key != '0' else '10'}")  # type: ignore[arg-type]  # - a pile that is not there is none
        elif key in KEYS or key.lower() in KEYS:
            self._pressed(KEYS.get(key) or KEYS[key.lower()])
        else:
            return
        event.stop()
        event.prevent_default()

    def action_press(self, does: str) -> None:
        """A key below the table was pressed by the mouse."""
        self._pressed(does)

    def _bar(self) -> str:
        """The keys, as many as there is room for, the first of `BAR` before others."""
        room, shown = self.size.width - 2, []
        for key, label, does in BAR:
            text = f"{key} {self.words(label)}"
            if cell_len(text) <= room:
                shown.append(f"[@click=screen.press('{does}')]{key}[/] {self.words(label)}")
                room -= cell_len(text) + len(BAR_GAP)
        return BAR_GAP.join(shown)

    def _again(self) -> None:
        if self.table.game is not None:
            self.table.note = self._note(self.table.game)
            self.table.redraw()
            self.tick()

    def _note(self, view: View) -> str:
        """What is shown instead of the cards: a pause closes the table."""
        if not self.table.fits or not self.table.size.height:
            return self._too_small(view)
        if view.paused == "player":
            what = self.words("play.press", key="B", what=self.words("action.continue"))
            return "\n\n".join((self.words("pause.title"), self.words("pause.text"), what))
        return ""

    def _too_small(self, view: View) -> str:
        needed, around = least(view), self.size.height - self.table.size.height
        return (
            self.words(
                "play.too-small",
                width=self.size.width,
                height=self.size.height,
                least_width=needed.width,
                least_height=needed.height + around,
            )
            .replace("; ", "\n")
            .replace(". ", "\n")
        )

    def _kind(self, view: View) -> str:
        parts = [self.words(f"variant.{view.variant}"), self.words(f"mode.{view.mode}")]
        parts += [self.words("status.assisted")] if view.assisted else []
        return (" - " if self.table.signs.plain else " · ").join(parts)

    def _standing(self, view: View) -> str:
        late = self._ahead_ms or 0
        fields = [
            ("points", score(view.points, view.scoring, self.words.language)),
            ("moves", str(view.moves)),
            ("time", clock_time(play_time(view, self._now_ms() - late))),
        ]
        if view.passes is not None:
            fields.append(("pass", self.words("status.pass-of", number=view.pass_number, passes=view.passes)))
        return "  ".join(f"{self.words(f'status.{name}')} {value}" for name, value in fields)
