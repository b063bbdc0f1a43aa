"""A player at the page in a real Chromium. What is seen is read from the elements' data attributes, nothing private."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Literal, TypedDict, cast

from playwright.async_api import Browser, BrowserContext, Locator, Page, Playwright, Request, ViewportSize, expect

from services.cli.benching.page_scripts import REST, UNTIL_PAINTED, UNTIL_SHOWN
from shared.rules.deal import numbered_deck
from shared.rules.moves import Draw, MoveCards, Recycle, parse_move
from shared.rules.table import Table, apply, lay_out, pile_cards
from shared.rules.variants import VARIANTS
from tests.system.up_process import PATIENCE

CHROMIUM = Path("/usr/bin/chromium")
FLAGS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking"
    " --disable-component-update --disable-sync"
)
GOLDEN = Path(__file__).parent.parent / "golden"
DESK = ViewportSize(width=1280, height=800)
LOADS_MAX = 5
WAIT_MS = 20_000 * PATIENCE
PHONE = ViewportSize(width=360, height=640)

READ_BOARD = """() => {
  const order = (one, other) => one.dataset.position - other.dataset.position;
  const cards = (pile) => [...document.querySelectorAll(`#table .card[data-card][data-pile="${pile}"]`)].sort(order);
  const names = (pile) => cards(pile).map((card) => card.dataset.card.slice(0, 2));
  const piles = [...document.querySelectorAll("#table .slot")].map((slot) => slot.dataset.pile);
  const down = (pile) => document.querySelectorAll(`#table .card.down[data-pile="${pile}"]`).length;
  return {
    stock: Number(document.querySelector(".slot-S").dataset.stock),
    up: Object.fromEntries(["W", ...piles.filter((pile) => pile !== "S")].map((pile) => [pile, names(pile)])),
    down: Object.fromEntries(piles.filter((pile) => pile[0] === "T").map((pile) => [pile, down(pile)])),
  };
}"""

PLAY = """async ([commands, ...running]) => {
  const socket = new WebSocket(`ws://${location.host}/ws`, ["klondike.v1.json"]);
  const answer = () => new Promise((resolve) => { socket.onmessage = (event) => resolve(JSON.parse(event.data)); });
  await new Promise((resolve) => { socket.onopen = resolve; });
  const ask = (frame) => { socket.send(JSON.stringify(frame)); return answer(); };
  const { token } = await ask({ type: "hello", token: localStorage.getItem("klondike.token") });
  let [game, version] = running;
  for (const command of commands) {
    const step = await ask({ ...command, id: crypto.randomUUID(), game, version });
    if (step.type !== "step") throw new Error(JSON.stringify(step));
    ({ game, version } = step);
  }
  localStorage.setItem("klondike.token", token);
  localStorage.setItem("klondike.game", game);
  socket.close();
}"""
"""Plays a game over the protocol, a new one or a running one, so that the page goes on with it when it is loaded."""
BY_HAND_MAX = 6
"""More first moves of a game than these are not made on the page."""


class Board(TypedDict):
    """What is on the table."""

    stock: int
    up: dict[str, list[str]]
    down: dict[str, int]


def board_of(table: Table) -> Board:
    """What the page must show of a table of the rules."""
    up: dict[str, list[str]] = {"W": [*table.waste]}
    up |= {f"F{index}": [*pile] for index, pile in enumerate(table.foundations, start=1)}
    up |= {f"T{index}": [*column.up] for index, column in enumerate(table.columns, start=1)}
    down = {f"T{index}": len(column.down) for index, column in enumerate(table.columns, start=1)}
    return Board(stock=len(table.stock), up=up, down=down)


def command(text: str) -> dict[str, object]:
    """The frame of a move, without what says of which game."""
    match parse_move(text):
        case MoveCards(source=source, target=target, count=count):
            return {"type": "move", "source": source, "target": target, "count": count}
        case Draw() | Recycle():
            return {"type": text}


class Game:
    """A golden game: its deal, its moves, and the table of the rules after each of them."""

    def __init__(self, variant: str) -> None:
        first, *self.texts = (GOLDEN / f"{variant}-win.txt").read_text().splitlines()
        self.deal = int(first.removeprefix("deal "))
        self.variant = VARIANTS[variant]
        self.tables = [lay_out(numbered_deck(self.deal, decks=self.variant.decks), self.variant)]
        for text in self.texts:
            self.tables.append(apply(self.tables[-1], parse_move(text), self.variant).table)

    @property
    def link(self) -> str:
        return f"/?deal={self.deal}&variant={self.variant.id}"

    @property
    def opened(self) -> int:
        """After so many moves no card lies face down, and stock and waste are used up."""
        return next(
            index
            for index, table in enumerate(self.tables)
            if not (table.stock or table.waste or any(column.down for column in table.columns))
        )

    def first(self, kind: str) -> int:
        """The index of the first move that is a draw, a recycle, or (a pattern) so written."""
        return next(index for index, text in enumerate(self.texts) if re.fullmatch(kind, text))


class Player:
    """One page in a browser of its own."""

    def __init__(self, page: Page, address: str) -> None:
        self.page = page
        self.address = address
        self.table = page.locator("#table")
        self.message = page.locator("#message")
        self.faults: list[str] = []
        self._disturbed = False
        page.on("requestfailed", self._request_failed)
        page.on("pageerror", lambda error: self.faults.append(str(error)))

    async def open(self, link: str = "/") -> None:
        """Load the page; once more when the machine's network changed meanwhile, as starting containers makes it."""
        for _ in range(LOADS_MAX):
            self._disturbed = False
            await self.page.goto(self.address + link)
            if not self._disturbed:
                break
        await self.settled()

    def _request_failed(self, request: Request) -> None:
        self._disturbed = self._disturbed or "NETWORK_CHANGED" in (request.failure or "")

    async def start(self, game: Game, moves: int = 0, *, mode: str = "relaxed", scoring: str = "standard") -> Table:
        """Begin a golden game and play its first moves, many of them without the page; gives the table of the rules."""
        if moves > BY_HAND_MAX:
            new = {"type": "new-game", "variant": game.variant.id, "mode": mode, "scoring": scoring}
            deal = {"type": "number", "number": game.deal}
            await self.page.goto(self.address + "/icon.svg")  # of the same origin, and runs nothing by itself
            await self.page.evaluate(PLAY, [[new | {"deal": deal}, *map(command, game.texts[:moves])]])
            await self.open()
            await self.at(moves + 1)
        else:
            await self.open(f"{game.link}&mode={mode}&scoring={scoring}")
            await self.play(game, 0, moves)
        return game.tables[moves]

    async def play(self, game: Game, first: int, last: int) -> None:
        """Make some moves of a golden game by keyboard."""
        for index in range(first, last):
            await self.move(game.tables[index], game.texts[index])

    async def play_elsewhere(self, game: Game, first: int, last: int) -> None:
        """Make some moves of a golden game on another page of the player, and wait until they are seen here."""
        version = await self.version()
        other = await self.page.context.new_page()
        await other.goto(self.address + "/icon.svg")
        running = [await other.evaluate("localStorage.getItem('klondike.game')"), version]
        await other.evaluate(PLAY, [[*map(command, game.texts[first:last])], *running])
        await other.close()
        await self.at(version + last - first)

    async def move(self, table: Table, text: str) -> None:
        """Make a move by keyboard, and wait for its version."""
        version = await self.version()
        match parse_move(text):
            case MoveCards(source=source, target=target, count=count):
                await self.place(source, len(pile_cards(table, source)) - count).focus()
                await self.page.keyboard.press("Enter")
                onto = pile_cards(table, target)
                await (self.place(target, len(onto) - 1) if onto else self.slot(target)).focus()
                await self.page.keyboard.press("Enter")
            case Draw() | Recycle():
                await self.page.keyboard.press("d")
        await self.at(version + 1)

    def card(self, card: str) -> Locator:
        return self.page.locator(f'#table [data-card="{card}"]')

    def place(self, pile: str, index: int) -> Locator:
        """The card at a place among the face-up cards of a pile."""
        return self.page.locator(f'#table [data-card][data-pile="{pile}"][data-position="{index}"]')

    def slot(self, pile: str) -> Locator:
        return self.page.locator(f'#table .slot[data-pile="{pile}"]')

    async def version(self) -> int:
        return int(await self.table.get_attribute("data-version") or 0)

    async def at(self, version: int) -> None:
        """Wait for a version to be shown."""
        await self.page.evaluate(UNTIL_SHOWN, [version, WAIT_MS])

    async def over(self) -> str:
        """What a game that plays by itself ends as: waited for as long as it goes on, however slowly."""
        while True:
            version = await self.version()
            if (status := await self.table.get_attribute("data-status")) != "running":
                return status or ""
            await expect(self.table).not_to_have_attribute("data-version", str(version))

    async def resize(self, size: ViewportSize) -> None:
        """Give the window another size: the page fits itself into it before the next frame, not before that."""
        await self.page.set_viewport_size(size)
        await self.page.evaluate(UNTIL_PAINTED)

    async def settled(self) -> None:
        """A game is shown, and nothing is under way."""
        await expect(self.page.locator("#table[data-version]:not([data-busy])[data-connection=online]")).to_be_visible()

    async def board(self) -> Board:
        await self.settled()
        return cast("Board", await self.page.evaluate(READ_BOARD))

    async def number(self, field: str) -> int:
        return int(re.sub(r"[^\d]", "", await self.page.locator(f"#{field}").inner_text()))

    async def rest(self, selector: str) -> tuple[float, float, float, float]:
        found = await self.page.evaluate(REST, selector)
        return (found[0], found[1], found[2], found[3])

    async def grip(self, card: str) -> tuple[float, float]:
        """A point of a card that no other card covers."""
        x, y, width, height = await self.rest(f'#table [data-card="{card}"]')
        return x + width * 0.25, y + height * 0.06

    async def middle(self, pile: str) -> tuple[float, float]:
        """The middle of a pile's uppermost card, or of its empty place."""
        board = await self.board()
        top = board["up"].get(pile, [])[-1:]
        x, y, width, height = await self.rest(f'#table [data-card="{top[0]}"]' if top else f'.slot[data-pile="{pile}"]')
        return x + width / 2, y + height / 2

    async def lift(self, card: str) -> None:
        x, y = await self.grip(card)
        await self.page.mouse.move(x, y)
        await self.page.mouse.down()
        await self.page.mouse.move(x + 6, y + 6)

    async def drag(self, card: str, pile: str) -> None:
        """Drag a card by mouse onto a pile."""
        to = await self.middle(pile)
        await self.lift(card)
        await self.page.mouse.move(*to, steps=4)
        await self.page.mouse.up()

    async def tap(self, card: str) -> None:
        await self.page.mouse.click(*await self.grip(card))

    async def tap_pile(self, pile: str) -> None:
        await self.page.mouse.click(*await self.middle(pile))

    async def press(self, *keys: str) -> None:
        for key in keys:
            await self.page.keyboard.press(key)

    async def unchanged(self, version: int) -> None:
        """Nothing came of it: what is asked for afterwards is the next version."""
        await self.settled()
        assert await self.version() == version


@asynccontextmanager
async def chromium(playwright: Playwright) -> AsyncIterator[Browser]:
    expect.set_options(timeout=WAIT_MS)
    browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS.split())
    try:
        yield browser
    finally:
        await browser.close()


SEEN_TOUR = "try { localStorage.setItem('klondike.tour', 'shown') } catch { /* refused */ }"


async def new_context(
    browser: Browser, size: ViewportSize, locale: str, *, motion: bool, newcomer: bool = False, installs: bool = False
) -> BrowserContext:
    """A browser profile of its own; one who has seen the tour, unless a newcomer is wanted.

    `installs`: the page may keep its files, which costs every player another load of all of them.
    """
    wish: Literal["no-preference", "reduce"] = "no-preference" if motion else "reduce"
    workers: Literal["allow", "block"] = "allow" if installs else "block"
    context = await browser.new_context(viewport=size, locale=locale, reduced_motion=wish, service_workers=workers)
    context.set_default_timeout(WAIT_MS)
    if not newcomer:
        await context.add_init_script(SEEN_TOUR)
    return context
