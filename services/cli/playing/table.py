"""The table on the screen: shows a view, moves a cursor over it, and says what keys and mouse mean there."""

import textwrap
from typing import ClassVar, Final

from textual import events
from textual.geometry import Region
from textual.geometry import Size as Cells
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from services.cli.playing.choosing import Place, still_there, top
from services.cli.playing.faces import NOTE, TABLE, Signs
from services.cli.playing.layout import Layout, Size, Slip, Spot, lay_out, least
from services.cli.playing.painting import Canvas, Marks, paint
from shared.messages.views import View
from shared.rules.piles import Pile

_STEPS: Final = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}


class Table(ScrollView, can_focus=True):
    """One game."""

    DEFAULT_CSS: ClassVar[str] = (
        "Table { height: 1fr; background: #17613f; overflow-x: hidden; scrollbar-size-vertical: 1; }"
    )

    class Pressed(Message):
        """A card or pile was clicked."""

        def __init__(self, spot: Spot, place: Place | None) -> None:
            super().__init__()
            self.spot, self.place = spot, place

    class Dragged(Message):
        """A card was dragged onto a pile."""

        def __init__(self, place: Place, pile: Pile) -> None:
            super().__init__()
            self.place, self.pile = place, pile

    def __init__(self, signs: Signs) -> None:
        super().__init__()
        self.signs = signs
        self.game: View | None = None
        self.picked: Place | None = None
        self.note = ""
        """What is shown instead of the cards."""
        self._spot: Spot = "S"
        self._place: Place | None = None
        self._hint: tuple[Place | None, Spot] | None = None
        self.layout_: Layout | None = None
        """Where everything lies now; nothing while no card is seen."""
        self._canvas: Canvas | None = None
        self._held: Slip | None = None
        """What the mouse was pressed on."""
        self._dragging = False

    @property
    def fits(self) -> bool:
        """Whether there is room for the game."""
        if self.game is None:
            return True
        needed = least(self.game)
        return self.size.width >= needed.width and self.size.height >= needed.height

    def show(self, view: View, note: str = "") -> None:
        """Puts a position on the table, or closes it with a note."""
        self.game, self.note = view, note
        if self.picked is not None and not still_there(view, self.picked):
            self.picked = None
        self._hint = None
        self.redraw()

    def pick(self, place: Place | None) -> None:
        """Marks a card as picked up."""
        self.picked = place
        self.redraw()

    def hint(self, place: Place | None, target: Spot) -> None:
        """Marks what a hint is about."""
        self._hint = (place, target)
        self.redraw()

    def cursor(self) -> tuple[Spot, Place | None]:
        """The pile under the cursor, and the card, put right where it has gone."""
        view, spot = self.game, self._spot
        if view is None or spot == "S":
            return spot, None
        if self._place is not None and still_there(view, self._place):
            return spot, self._place
        return spot, top(view, spot)

    def go(self, spot: Spot, place: Place | None = None) -> None:
        """Puts the cursor on a pile, on its topmost card or another one."""
        if self.layout_ is None or spot not in (*self.layout_.row(upper=True), *self.layout_.row(upper=False)):
            return
        self._spot, self._place = spot, place
        self.redraw()
        slip = self.layout_.of(place) if place else self.layout_.top(spot)
        self.scroll_to_region(Region(slip.x, slip.y, slip.size.width, slip.rows), animate=False)

    def move_cursor(self, key: str) -> None:
        """Moves the cursor by an arrow key."""
        across, down = _STEPS[key]
        layout, (spot, place) = self.layout_, self.cursor()
        if layout is None:
            return
        upper = spot[0] != "T"
        if across:
            row = layout.row(upper=upper)
            self.go(row[(row.index(spot) + across) % len(row)])
            return
        within = self._within(spot, place, down) if not upper else None
        if within is not None:
            self.go(spot, within)
        elif upper == (down > 0):
            x = layout.top(spot).x
            self.go(min(layout.row(upper=not upper), key=lambda other: abs(layout.top(other).x - x)))

    def _within(self, spot: Spot, place: Place | None, down: int) -> Place | None:
        """The next face-up card of the same column."""
        assert self.layout_ is not None, "there is a table to move on"
        if place is None:
            return None
        wanted = place.index + down
        places = [slip.place for slip in self.layout_.slips if slip.spot == spot and slip.place]
        return next((one for one in places if one.index == wanted), None)

    def redraw(self) -> None:
        """Lays the table out and paints it anew."""
        self._canvas = None
        if self.game is not None and self.fits and not self.note:
            width, height = self.size
            self.layout_ = lay_out(self.game, Size(width, height))
            place, target = self._hint or (None, None)
            spot, under = self.cursor()
            marks = Marks(under or spot if self.has_focus else None, self.picked, place, target)
            self._canvas = paint(self.layout_, self.game, marks, self.signs, width, height)
            self.virtual_size = Cells(width, self.layout_.height)
        else:
            self.layout_ = None
            self.virtual_size = self.size
        self.refresh()

    def render_line(self, y: int) -> Strip:
        row = y + round(self.scroll_y)
        width = self.size.width
        if self._canvas is not None:
            return Strip(self._canvas.row(row)).adjust_cell_length(width, TABLE).simplify()
        lines = [line for part in self.note.split("\n") for line in textwrap.wrap(part, max(1, width - 4)) or [""]]
        first = (self.size.height - len(lines)) // 2
        text = lines[y - first] if 0 <= y - first < len(lines) else ""
        canvas = Canvas(width, 1)
        canvas.put((width - len(text)) // 2, 0, text, NOTE)
        return Strip(canvas.row(0)).simplify()

    def on_resize(self) -> None:
        self.redraw()

    def on_focus(self) -> None:
        self.redraw()

    def on_blur(self) -> None:
        self.redraw()

    def on_mouse_down(self, event: events.MouseDown) -> None:
        self._held = self._under(event)
        if self._held is not None and event.button == 1:
            self.capture_mouse()

    def on_mouse_move(self, event: events.MouseMove) -> None:
        held = self._held
        if held is not None and held.place is not None and not self._dragging and self._under(event) != held:
            self._dragging = True
            self.pick(held.place)

    def on_mouse_up(self, event: events.MouseUp) -> None:
        held, self._held = self._held, None
        self.release_mouse()
        slip = self._under(event)
        if self._dragging:
            self._dragging = False
            self.pick(None)
        if held is None or slip is None or event.button != 1:
            return
        if slip.spot == held.spot:
            self._spot, self._place = held.spot, held.place
            self.post_message(self.Pressed(held.spot, held.place))
        elif held.place is not None and slip.spot != "S":
            self.post_message(self.Dragged(held.place, slip.spot))

    def _under(self, event: events.MouseEvent) -> Slip | None:
        if self.layout_ is None:
            return None
        return self.layout_.at(event.x, event.y + round(self.scroll_y))
