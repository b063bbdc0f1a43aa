"""What is laid over the table: help, the choice of a new game, a question, the end of a game."""

from collections.abc import Mapping
from typing import ClassVar, Final

import msgspec
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.theme import Theme
from textual.widgets import Button, Input, Label, OptionList, Select, Static
from textual.widgets.option_list import Option

from services.cli.playing.profile import Choice
from services.cli.playing.saying import rules
from services.cli.playing.words import Words
from shared.messages.commands import DEAL_NUMBER_MAX
from shared.rules.variants import Variant

DEALINGS: Final = ("any", "winnable", "daily", "number")
KEYS: Final = (
    ("← → ↑ ↓", "help.key-arrows"),
    ("1 … 9, 0", "help.key-digits"),
    ("Enter", "help.key-enter"),
    ("Esc", "help.key-escape"),
    ("T", "play.key-best"),
    ("F", "help.key-up"),
    ("Space, D", "help.key-draw"),
    ("U, R", "help.key-undo"),
    ("A", "play.key-finish"),
    ("H", "help.key-hint"),
    ("X", "play.key-follow"),
    ("C", "help.key-chances"),
    ("B", "help.key-pause"),
    ("N", "help.key-new"),
    ("G", "play.key-resign"),
    ("K", "play.key-colours"),
    ("L", "play.key-signs"),
    ("Q", "play.key-quit"),
)
THEME: Final = Theme(
    name="klondike",
    primary="#14633f",
    accent="#14633f",
    background="#fdfcf8",
    surface="#f1eee3",
    panel="#d9d6cb",
    foreground="#1d2420",
    success="#14633f",
    dark=False,
)
SHEET_CSS: Final = """
ModalScreen { align: center middle; background: #0f4a30 60%; }
.sheet { width: 76; max-width: 96%; height: auto; max-height: 96%; padding: 1 2;
         scrollbar-size-vertical: 1; background: #fdfcf8; color: #1d2420;
         border: none; }
.sheet .title { text-style: bold; color: #14633f; padding-bottom: 1; }
.sheet .quiet { color: #55605a; }
.sheet Button { margin: 1 2 0 0; }
.sheet Horizontal { height: auto; }
.sheet OptionList { height: auto; max-height: 12; border: none; background: #f1eee3; color: #1d2420; margin-top: 1; }
.field { height: 3; }
.field Label { width: 18; padding: 1 0; }
.field Select { width: 1fr; }
.field Input { width: 1fr; }
"""


class Started(msgspec.Struct, frozen=True, kw_only=True):
    """The new game that was chosen."""

    choice: Choice
    daily: bool = False
    number: int | None = None


class Sheet(ModalScreen[str | None]):
    """Closes by Escape."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss(None)", show=False)]

    def __init__(self, words: Words) -> None:
        super().__init__()
        self.words = words


class HelpSheet(Sheet):
    """Rules of the game on the table, keys and mouse."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("q,question_mark,enter", "dismiss(None)", show=False)]

    def __init__(self, words: Words, variant: Variant | None) -> None:
        super().__init__(words)
        self.variant = variant

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="sheet"):
            if self.variant is not None:
                title = f"{self.words('menu.rules')}: {self.words(f'variant.{self.variant.id}')}"
                yield Static(title, classes="title", markup=False)
                yield Static("\n".join(rules(self.words, self.variant)) + "\n", markup=False)
            yield Static(self.words("help.keys-title"), classes="title", markup=False)
            yield Static("\n".join(f"{keys:<10} {self.words(key)}" for keys, key in KEYS), markup=False)
            yield Static(f"\n{self.words('play.mouse')}", classes="quiet", markup=False)


class OptionsSheet(Sheet):
    """A sentence, and what may be done about it. Gives the option's name, or none."""

    def __init__(self, words: Words, title: str, text: str, options: dict[str, str]) -> None:
        super().__init__(words)
        self._title, self._text, self._options = title, text, options

    def compose(self) -> ComposeResult:
        with Vertical(classes="sheet"):
            yield Static(self._title, classes="title", markup=False)
            yield Static(self._text, markup=False)
            yield OptionList(*(Option(text, id=name) for name, text in self._options.items()), markup=False)

    @on(OptionList.OptionSelected)
    def chosen(self, event: OptionList.OptionSelected) -> None:
        _ = self.dismiss(event.option_id)


class NewGameSheet(ModalScreen[Started | None]):
    """Which game to deal."""

    AUTO_FOCUS = "#start"

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss(None)", show=False)]

    def __init__(self, words: Words, choice: Choice, variants: Mapping[str, Variant]) -> None:
        super().__init__()
        self.words, self.choice, self.variants = words, choice, variants

    def compose(self) -> ComposeResult:
        words, choice = self.words, self.choice
        with VerticalScroll(classes="sheet"):
            yield Static(words("new.title"), classes="title", markup=False)
            yield from self._field("variant", {name: f"variant.{name}" for name in self.variants}, choice.variant)
            yield Static(words(f"variant.{choice.variant}.text"), id="explained", classes="quiet", markup=False)
            yield from self._field("scoring", self._scorings(choice.variant), choice.scoring)
            yield from self._field("mode", {name: f"mode.{name}" for name in ("relaxed", "ranked")}, choice.mode)
            dealings = {name: f"dealing.{name}" if name != "number" else "play.number" for name in DEALINGS}
            yield from self._field("dealing", dealings, "winnable" if choice.winnable else "any")
            with Horizontal(classes="field", id="numbered"):
                yield Label(words("new.number"), markup=False)
                yield Input(type="integer", id="number", max_length=16)
            yield Static("", id="wrong", markup=False)
            with Horizontal():
                yield Button(words("new.start"), id="start", variant="success")
                yield Button(words("action.cancel"), id="cancel")

    def on_mount(self) -> None:
        self.query_one("#numbered").display = False

    def _field(self, name: str, keys: dict[str, str], value: str) -> ComposeResult:
        with Horizontal(classes="field"):
            yield Label(self.words(f"new.{name}"), markup=False)
            yield self._select(name, keys, value)

    def _select(self, name: str, keys: dict[str, str], value: str) -> Select[str]:
        chosen = value if value in keys else next(iter(keys))
        options = [(self.words(key), one) for one, key in keys.items()]
        return Select(options, id=name, allow_blank=False, value=chosen)

    def _scorings(self, variant: str) -> dict[str, str]:
        rules_of = self.variants.get(variant) or next(iter(self.variants.values()))
        return {name: f"scoring.{name}" for name in rules_of.scorings}

    @on(Select.Changed, "#variant")
    def varied(self) -> None:
        """A variant has scorings of its own."""
        variant, scoring = self._value("variant"), self.query_one("#scoring", Select)
        self.query_one("#explained", Static).update(self.words(f"variant.{variant}.text"))
        before, keys = scoring.value, self._scorings(variant)
        scoring.set_options([(self.words(key), name) for name, key in keys.items()])
        scoring.value = before if before in keys else next(iter(keys))

    @on(Select.Changed, "#dealing")
    def dealt(self) -> None:
        self.query_one("#numbered").display = self._value("dealing") == "number"

    @on(Button.Pressed, "#cancel")
    def cancelled(self) -> None:
        _ = self.dismiss(None)

    @on(Button.Pressed, "#start")
    @on(Input.Submitted)
    def start(self) -> None:
        """Deals, unless the number is none."""
        dealing, number = self._value("dealing"), self.query_one("#number", Input).value
        if dealing == "number" and not (number.isdecimal() and int(number) <= DEAL_NUMBER_MAX):
            wrong = self.words("badlink.number", text=number, max=DEAL_NUMBER_MAX)
            self.query_one("#wrong", Static).update(wrong)
            return
        choice = Choice(
            variant=self._value("variant"),
            scoring=self._value("scoring"),
            mode=self._value("mode"),
            winnable=dealing == "winnable",
        )
        numbered = int(number) if dealing == "number" else None
        _ = self.dismiss(Started(choice=choice, daily=dealing == "daily", number=numbered))

    def _value(self, name: str) -> str:
        return str(self.query_one(f"#{name}", Select).value)
