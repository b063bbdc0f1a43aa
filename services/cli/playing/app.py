"""`klondike play` put together: the server, the player's wishes, the screen, and what is kept between two runs."""

import sys
from collections.abc import Awaitable, Callable, Mapping
from typing import ClassVar, Final

import msgspec
from textual.app import App
from textual.binding import BindingType

from services.cli.data_directory import RefusedError
from services.cli.playing.address import Address
from services.cli.playing.advice import Advice
from services.cli.playing.choosing import Place, best_move, moves_of, next_up, only_up_is_left
from services.cli.playing.client import Client
from services.cli.playing.commander import Commander, Do, Drop, Question, Send, Told, Turn, Wish
from services.cli.playing.desk import Desk
from services.cli.playing.faces import Signs
from services.cli.playing.layout import Spot
from services.cli.playing.link import Change, Heard, Link
from services.cli.playing.profile import Choice, Keeper, Look, Seat
from services.cli.playing.saying import card_name, chances_text, clock_time, events_text, refusal_text, score
from services.cli.playing.sheets import SHEET_CSS, THEME, HelpSheet, NewGameSheet, OptionsSheet, Started
from services.cli.playing.starting import Starter
from services.cli.playing.table import Table
from services.cli.playing.words import Words
from shared import clock
from shared.messages.commands import NumberedDeal
from shared.messages.errors import Error
from shared.messages.events import AnyEvent, ChancesGiven, HintGiven
from shared.messages.views import View
from shared.rules.variants import SOLO, Variant

FINISHED: Final = frozenset({"won", "lost", "resigned", "drawn"})
TOLD_SECONDS: Final = 10.0
LOOK_SECONDS: Final = 2.0
"""Between two looks at whether there still is a terminal."""
TURNED_AWAY: Final = frozenset({"protocol-unsupported", "origin-refused", "frame-too-large", "too-slow"})
"""Why a server lets nobody in who comes like this. It goes on being tried, but the player is told."""


class PlayApp(App[None]):
    """One player at one table."""

    CSS: ClassVar[str] = SHEET_CSS
    BINDINGS: ClassVar[list[BindingType]] = []
    ENABLE_COMMAND_PALETTE = False

    def __init__(
        self,
        address: Address,
        keeper: Keeper,
        words: Words,
        started: Started | None = None,
        variants: Mapping[str, Variant] = SOLO,
    ) -> None:
        super().__init__()
        self.title = "Klondike"
        self.register_theme(THEME)
        self.theme = THEME.name
        seat = keeper.seat(address.page)
        self.keeper, self.words, self.variants = keeper, words, variants
        self.client = Client(address, Link(seat.token if seat else None), self.heard, self.connection_changed)
        self.commander = Commander(self.client, Told(self.refused, self.cannot_move, self.settled))
        self.starter = Starter(self.client, keeper, started, self._keep_choice)
        self.desk = Desk(words, Signs(keeper.profile.look), self.pressed, clock.now_ms)
        self.advice = Advice(words, lambda: self.desk.table, lambda text: self.desk.say(text, "told"))
        self._server = ""
        self._finishing = False
        self._stuck_told = False
        self._does = self._actions()

    @property
    def view(self) -> View | None:
        return self.client.link.view

    async def on_mount(self) -> None:
        await self.push_screen(self.desk)
        self.connection_changed()
        self.run_worker(self.client.run())
        self.run_worker(self._begin())
        if not self.is_headless:
            self.set_interval(LOOK_SECONDS, self._leave_lost_terminal)

    def _leave_lost_terminal(self) -> None:
        """Where nobody passes on that it was hung up, textual reads the end of it again and again, for good."""
        if not sys.__stdin__ or not sys.__stdin__.isatty():
            self.exit()

    # What the server says

    def heard(self, heard: Heard) -> None:
        """A frame came in."""
        if heard.welcome is not None:
            seat = self.keeper.seat(self.client.address.page)
            self._keep_seat(Seat(token=heard.welcome.token, game=seat.game if seat else None))
            if self._server not in ("", heard.welcome.server):
                self.desk.say(self.words("play.outdated"), "told")
            self._server = heard.welcome.server
        if heard.newer:
            self.desk.say(self.words("play.too-old"), "wrong")
        if heard.stranger:
            self.desk.say(self.words("said.stranger"), "told")
        elif heard.bye is not None and heard.bye.code in TURNED_AWAY:
            self.refused(heard.bye)
        if heard.change is not None:
            self.changed(heard.change)

    def connection_changed(self) -> None:
        """The connection came, or went."""
        state = self.client.state
        self.desk.connection = "" if state == "online" else self.words(f"connection.{state}")
        self.desk.tick()

    def changed(self, change: Change) -> None:
        """Another position is on the table."""
        view, events = change.view, change.events
        self.advice.forget()
        self.desk.show(view, live=bool(events))
        if change.before is None:
            self._stuck_told = self._finishing = False
            self._keep_seat(Seat(token=self.client.link.token or "", game=view.game))
        self.desk.say(events_text(self.words, events, view) if events else self.words("said.resumed"))
        self._answered(events, view)
        before = change.before
        if view.status in FINISHED and not (before and before.status in FINISHED):
            self._over(view)
        else:
            self._at_an_end(view)

    def _answered(self, events: tuple[AnyEvent, ...], view: View) -> None:
        """What was asked about the position."""
        match events[-1] if events else None:
            case HintGiven() as hint:
                self.advice.take(hint, view)
            case ChancesGiven(chances=chances):
                self.desk.say(chances_text(self.words, chances), "told")
            case _:
                pass

    def _at_an_end(self, view: View) -> None:
        """Tells a dead end, and offers to move up all that is left."""
        if view.status != "running" or view.paused or self._finishing:
            return
        undo = self._press("U", "action.undo") if view.can_undo else ""
        if not view.legal:
            self.desk.say(f"{self.words('said.dead-end')} {undo}", "told")
        elif only_up_is_left(view):
            self.desk.say(f"{self.words('said.can-finish')} {self._press('A', 'play.key-finish')}", "told")
        elif view.stuck and not self._stuck_told:
            new = self._press("N", "action.new")
            self.desk.say(f"{self.words('said.stuck')} {undo} {new}", "told")
        self._stuck_told = view.stuck

    def _over(self, view: View) -> None:
        """The game is over."""
        self.commander.forget()
        fields = (
            ("points", score(view.points, view.scoring, self.words.language)),
            ("moves", str(view.moves)),
            ("time", clock_time(view.play_ms)),
        )
        standing = "   ".join(f"{self.words(f'status.{name}')} {value}" for name, value in fields)
        text = f"{self.words(f'result.{view.status}.text')}\n\n{standing}"
        options = {"next": self.words("result.next"), "look": self.words("result.look")}
        if isinstance(view.deal, NumberedDeal):
            options["again"] = self.words("result.again")
        sheet = OptionsSheet(self.words, self.words(f"result.{view.status}"), text, options)
        _ = self.push_screen(sheet, self._after_the_end)

    def _after_the_end(self, chosen: str | None) -> None:
        if chosen == "next":
            self.pressed("new")
        elif chosen == "again" and self.view is not None:
            self.run_worker(self._told(self.starter.again(self.view)))

    def refused(self, error: Error) -> None:
        """Says why something was not done."""
        self._finishing = False
        self.desk.say(refusal_text(self.words, error), "wrong")

    def cannot_move(self, place: Place) -> None:
        self._finishing = False
        self.desk.say(self.words("said.no-move", card=card_name(self.words, place.card)), "wrong")

    # What the player wants

    def pressed(self, what: str) -> None:
        """A key, or its button."""
        self.client.hurry()
        self._does[what]()

    def on_table_pressed(self, event: Table.Pressed) -> None:
        """A click moves a card to where it fits best; with one picked up, it puts that down."""
        place = event.place
        if self.desk.table.picked is None and place and self.view and best_move(self.view, place):
            self.want(Send(place))
        else:
            self._choose(event.spot, place)

    def on_table_dragged(self, event: Table.Dragged) -> None:
        self.want(Drop(event.place, event.pile))

    def want(self, wish: Wish) -> None:
        """Does something at the table."""
        self._finishing = False
        self.desk.table.pick(None)
        self.commander.want(wish)

    def settled(self) -> None:
        """Nothing is left to do: the next card goes up, where all shall."""
        place = next_up(self.view) if self._finishing and self.view else None
        if place is not None:
            self.commander.want(Send(place, up=True))
        else:
            self._finishing = False

    def _choose(self, spot: Spot, place: Place | None) -> None:
        """Picks up, or puts down."""
        picked = self.desk.table.picked
        if spot == "S":
            self.want(Turn())
        elif picked is None:
            self._pick_up(place)
        elif picked.pile != spot:
            self.want(Drop(picked, spot))
        else:
            self._pick_up(place if place != picked else None)

    def _pick_up(self, place: Place | None) -> None:
        """Marks a card; nothing lets go. While a move is under way what is legal is not known."""
        if place is None or self.commander.busy or (self.view and moves_of(self.view, place)):
            self.desk.table.pick(place)
        else:
            self.desk.table.pick(None)
            self.cannot_move(place)

    def _actions(self) -> dict[str, Callable[[], None]]:
        return {
            "undo": lambda: self.want(Do("undo")),
            "redo": lambda: self.want(Do("redo")),
            "turn": lambda: self.want(Turn()),
            "pause": lambda: self.want(Do("continue" if self.view and self.view.paused else "pause")),
            "enter": lambda: self._choose(*self.desk.table.cursor()),
            "best": lambda: self._send(up=False),
            "up": lambda: self._send(up=True),
            "let_go": lambda: self.desk.table.pick(None),
            "finish": self._finish,
            "hint": self._hint,
            "follow": self._follow,
            "chances": lambda: self._wonder("chances"),
            "resign": self._resign,
            "new": self._new,
            "help": self._help,
            "colours": lambda: self._look("colours", ("two", "four")),
            "signs": lambda: self._look("signs", ("unicode", "ascii")),
            "quit": self.exit,
        }

    def _send(self, *, up: bool) -> None:
        _, place = self.desk.table.cursor()
        if place is not None:
            self.want(Send(place, up=up))

    def _finish(self) -> None:
        if self.view and only_up_is_left(self.view):
            self._finishing = True
            self.settled()

    def _hint(self) -> None:
        if not self.advice.next():
            self._wonder("hint")

    def _wonder(self, question: Question) -> None:
        self.desk.say(self.words("said.thinking"))
        self.commander.wonder(question)

    def _follow(self) -> None:
        wish = self.advice.wish()
        if wish is not None:
            self.want(wish)

    def _resign(self) -> None:
        options = {"no": self.words("resign.no"), "yes": self.words("resign.yes")}
        sheet = OptionsSheet(self.words, self.words("resign.title"), self.words("resign.text"), options)
        _ = self.push_screen(sheet, lambda chosen: self.want(Do("resign")) if chosen == "yes" else None)

    def _help(self) -> None:
        _ = self.push_screen(HelpSheet(self.words, self.variants.get(self.view.variant) if self.view else None))

    def _new(self) -> None:
        def chosen(started: Started | None) -> None:
            if started is not None:
                self.run_worker(self._told(self.starter.deal(started)))

        _ = self.push_screen(NewGameSheet(self.words, self.keeper.profile.choice, self.variants), chosen)

    def _look(self, name: str, values: tuple[str, str]) -> None:
        look = self.keeper.profile.look
        value = values[1 - values.index(getattr(look, name))]
        changed: Look = msgspec.structs.replace(look, **{name: value})
        self._keep(lambda: self.keeper.keep_look(changed))
        self.desk.table.signs = Signs(changed)
        self.desk.table.redraw()
        self.desk.tick()

    async def _begin(self) -> None:
        await self._told(self.starter.begin())

    async def _told(self, starting: Awaitable[Error | None]) -> None:
        error = await starting
        if error is not None:
            self.refused(error)

    def _keep_seat(self, seat: Seat) -> None:
        self._keep(lambda: self.keeper.keep_seat(self.client.address.page, seat))

    def _keep_choice(self, choice: Choice) -> None:
        self._keep(lambda: self.keeper.keep_choice(choice))

    def _keep(self, write: Callable[[], None]) -> None:
        """What cannot be kept is told, and is no reason to stop playing."""
        try:
            write()
        except RefusedError as error:
            self.notify(str(error), severity="error", timeout=TOLD_SECONDS, markup=False)

    def _press(self, key: str, what: str) -> str:
        return self.words("play.press", key=key, what=self.words(what))
