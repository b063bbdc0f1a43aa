"""`klondike play` as its player has it: a screen of a given size, keys and a mouse, on a real gateway."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from textual import events
from textual.pilot import Pilot
from textual.widgets import Static

from services.cli.playing.address import Address
from services.cli.playing.app import PlayApp
from services.cli.playing.choosing import Place, cards_of
from services.cli.playing.commander import Drop, Turn
from services.cli.playing.profile import Choice, Keeper
from services.cli.playing.sheets import Started
from services.cli.playing.texts import learn, offered
from services.cli.playing.words import Words
from shared.messages.views import View
from shared.rules.moves import MoveCards, parse_move
from tests.integration.game_state import soon
from tests.integration.gateway import Running

SIZE = (92, 36)


@dataclass
class Terminal:
    """One running program."""

    app: PlayApp
    pilot: Pilot[None]

    @property
    def view(self) -> View:
        assert self.app.view is not None
        return self.app.view

    @property
    def said(self) -> str:
        """The line below the table."""
        return str(self.app.desk.query_one("#said", Static).content)

    @property
    def head(self) -> str:
        return str(self.app.desk.query_one("#head", Static).content)

    @property
    def table(self) -> str:
        """The table's characters."""
        table = self.app.desk.table
        return "\n".join(table.render_line(y).text for y in range(table.size.height))

    @property
    def sheet(self) -> str:
        """What lies over the table."""
        return "\n".join(str(one.content) for one in self.app.screen.query(Static))

    def colours(self) -> set[str]:
        """Of all characters on the table."""
        table = self.app.desk.table
        strips = [table.render_line(y) for y in range(table.size.height)]
        return {str(segment.style.color) for strip in strips for segment in strip if segment.style}

    async def resize(self, width: int, height: int) -> None:
        await self.pilot.resize_terminal(width, height)

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)

    async def until(self, holds: Callable[[], bool]) -> None:
        async def held() -> bool:
            await self.pilot.pause()
            return holds()

        await soon(held)

    async def version(self, version: int) -> None:
        """Waits for a version of the game, and not for the screen."""

        async def there() -> bool:
            return self.app.view is not None and self.app.view.version >= version

        await soon(there)

    async def tap(self, key: str, done: Callable[[], bool]) -> None:
        """Presses a key, and waits for what comes of it alone: quicker than until nothing at all is under way."""
        self.app.post_message(events.Key(key, key if len(key) == 1 else None))

        async def held() -> bool:
            return done()

        await soon(held)

    async def play(self, text: str) -> None:
        """Makes a move by keyboard alone, and waits until it is done."""
        version, move = self.view.version, parse_move(text)
        if isinstance(move, MoveCards):
            cards = cards_of(self.view, move.source)
            place = Place(move.source, len(cards) - move.count, cards[-move.count])
            await self.go(place)
            await self.tap("enter", lambda: self.app.desk.table.picked == place)
            await self.go(move.target)
        await self.tap("enter" if isinstance(move, MoveCards) else "space", lambda: self.view.version > version)

    async def send(self, text: str) -> None:
        """Makes a move without looking at the screen, which is quicker."""
        version, move = self.view.version, parse_move(text)
        if isinstance(move, MoveCards):
            cards = cards_of(self.view, move.source)
            place = Place(move.source, len(cards) - move.count, cards[-move.count])
            self.app.want(Drop(place, move.target))
        else:
            self.app.want(Turn())
        await self.version(version + 1)

    async def go(self, goal: Place | str) -> None:
        """Moves the cursor there by arrows and digits, as somebody does who sees the table."""
        pile = goal.pile if isinstance(goal, Place) else goal
        cursor = self.app.desk.table.cursor
        if pile[0] == "T":
            await self.tap(pile[1:].replace("10", "0"), lambda: cursor()[0] == pile)
        while cursor()[0][0] == "T" and pile[0] != "T":
            await self._step("up")
        while cursor()[0] != pile:
            await self._step("right")
        while isinstance(goal, Place) and cursor()[1] != goal:
            await self._step("up")

    async def _step(self, key: str) -> None:
        before = self.app.desk.table.cursor()
        await self.tap(key, lambda: self.app.desk.table.cursor() != before)

    async def click(self, place: Place, *, onto: str | None = None) -> None:
        """Clicks a card, or drags it onto a pile."""
        table = self.app.desk.table
        layout = table.layout_
        assert layout is not None
        slip = layout.of(place)
        end = slip if onto is None else next(one for one in reversed(layout.slips) if one.spot == onto)
        await self.pilot.mouse_down(table, offset=(slip.x + 1, slip.y))
        await self.pilot.mouse_up(table, offset=(end.x + 1, end.y))

    async def click_stock(self) -> None:
        table = self.app.desk.table
        assert table.layout_ is not None
        slip = table.layout_.top("S")
        await self.pilot.click(table, offset=(slip.x + 1, slip.y + 1))


@asynccontextmanager
async def terminal(
    at: Running,
    directory: Path,
    *,
    number: int | None = None,
    choice: Choice | None = None,
    language: str = "en",
    size: tuple[int, int] = SIZE,
) -> AsyncIterator[Terminal]:
    """The program, from its start until the block ends, with a game on the table."""
    words, address = Words(language), Address(at.address)
    await learn(words, address)
    wanted = number is not None or choice is not None
    started = Started(choice=choice or Choice(), number=number) if wanted else None
    app = PlayApp(address, Keeper(directory), words, started, await offered(address))
    async with app.run_test(size=size) as pilot:
        one = Terminal(app, pilot)
        await one.version(1)
        yield one
