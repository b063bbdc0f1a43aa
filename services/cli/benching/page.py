"""A player at the page in a real Chromium, and what the page is seen to do meanwhile."""

import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random  # noqa: TID251 - seeded: the same games in every run
from typing import TYPE_CHECKING, Final, Literal, TypedDict, cast

from services.cli.benching.page_scripts import REST, UNTIL_SHOWN
from services.cli.benching.stack import BenchError
from shared.rules.deal import numbered_deck
from shared.rules.legal import legal_moves
from shared.rules.moves import Draw, Move, MoveCards, Recycle
from shared.rules.table import Table, apply, lay_out, pile_cards
from shared.rules.variants import VARIANTS

if TYPE_CHECKING:
    from playwright.async_api import Browser, CDPSession, Page

VARIANT: Final = VARIANTS["draw1"]
BROWSERS: Final = ("chromium", "chromium-browser", "google-chrome")
FLAGS: Final = ("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking")
WIDTH, HEIGHT = 1280, 800
WAIT_MS: Final = 30_000
UNDO_SHARE: Final = 0.08
USEFUL_SHARE: Final = 0.75
"""How often a move of cards is made where there is one, rather than a draw."""
Input = Literal["drag", "tap", "key"]

WATCH: Final = """() => {
  const found = { latencies: [], tasks: [], frames: [] };
  window.bench = found;
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) found.tasks.push([startTime, duration]);
  }).observe({ type: "longtask" });
  let input = null;
  let flying = 0;
  for (const type of ["pointerup", "keydown"]) {
    addEventListener(type, (event) => { input = event.timeStamp; }, { capture: true });
  }
  // A callback of a frame runs before it is painted, and the message that it sends after.
  const afterPaint = (run) => requestAnimationFrame(() => {
    const channel = new MessageChannel();
    channel.port1.onmessage = run;
    channel.port2.postMessage(null);
  });
  const watchFrames = (now) => requestAnimationFrame((next) => {
    found.frames.push(next - now);
    if (next < flying) watchFrames(next);
  });
  new MutationObserver(() => {
    if (input === null) return;
    const start = input;
    input = null;
    afterPaint(() => found.latencies.push(performance.now() - start));
    const idle = flying < performance.now();
    flying = performance.now() + 190;
    if (idle) requestAnimationFrame(watchFrames);
  }).observe(document.getElementById("table"), { subtree: true, childList: true, attributeFilter: ["data-place"] });
}"""
"""Notes, from an input to the paint of the first frame in which a card has another place; long tasks; and the time
between frames while cards fly."""

TAKE_OFF: Final = "() => Object.fromEntries(Object.entries(bench).map(([name, noted]) => [name, noted.splice(0)]))"

OPEN_NUMBER: Final = """() => { document.getElementById("deal-number").closest("details").open = true; }"""


class Watched(TypedDict):
    """What `WATCH` has noted, in milliseconds."""

    latencies: list[float]
    tasks: list[tuple[float, float]]
    frames: list[float]


@dataclass
class Weight:
    """What the page weighed after some games."""

    games: int
    heap_bytes: int
    nodes: int
    listeners: int


@dataclass
class Watch:
    """All that was seen."""

    latencies_ms: list[float] = field(default_factory=list)
    long_tasks_ms: list[float] = field(default_factory=list)
    frames_ms: list[float] = field(default_factory=list)
    weights: list[Weight] = field(default_factory=list)
    inputs: dict[Input, int] = field(default_factory=lambda: {"drag": 0, "tap": 0, "key": 0})
    browser: str = ""


@asynccontextmanager
async def chromium(path: Path | None) -> "AsyncIterator[Browser]":
    """A browser without a window.

    Raises:
        BenchError: playwright or a Chromium is missing.

    """
    try:
        from playwright.async_api import async_playwright  # a dependency of developers alone
    except ImportError as error:
        raise BenchError("playwright is missing: pip install playwright") from error
    found = path or next((Path(which) for which in map(shutil.which, BROWSERS) if which), None)
    if found is None or not found.exists():
        raise BenchError(f"{found or 'Chromium'} is missing: apt-get install chromium, or --chromium PATH")
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=found, args=[*FLAGS])
        try:
            yield browser
        finally:
            await browser.close()


async def play(browser: "Browser", address: str, *, games: int, moves: int, seed: int, weighed: int) -> Watch:
    """Play so many games of at most so many moves on one page, without loading it again.

    `weighed` says how often the page is weighed, the beginning not counted.

    Raises:
        BenchError: the page does not do what it is told to.

    """
    from playwright.async_api import Error as BrowserError

    watch = Watch(browser=browser.version)
    context = await browser.new_context(viewport={"width": WIDTH, "height": HEIGHT}, locale="en-GB")
    context.set_default_timeout(WAIT_MS)
    await context.add_init_script("localStorage.setItem('klondike.tour', 'shown')")
    page = await context.new_page()
    try:
        await page.goto(address)
        await page.locator("#table[data-version]:not([data-busy])").wait_for()
        player = _Player(page, await context.new_cdp_session(page), watch, Random(seed))  # noqa: S311 - no secret
        await page.evaluate(WATCH)
        every = max(1, games // weighed)
        for game in range(games):
            await player.game(seed + game, moves)
            if (game + 1) % every == 0:
                await player.weigh(game + 1)
    except BrowserError as error:
        raise BenchError(f"the page: {str(error).splitlines()[0]}") from error
    finally:
        await context.close()
    return watch


@dataclass
class _Player:
    page: "Page"
    inspector: "CDPSession"
    watch: Watch
    chance: Random

    async def game(self, number: int, moves: int) -> None:
        """Deal a number in the page's own dialog, and play."""
        await self.page.keyboard.press("n")
        await self.page.evaluate(OPEN_NUMBER)
        await self.page.locator("#deal-number").fill(str(number))
        await self.page.locator("#start").click()
        await self._shown(1)
        tables = [lay_out(numbered_deck(number, decks=1), VARIANT)]
        for version in range(2, moves + 2):
            move = self._chosen(tables[-1])
            if len(tables) > 1 and self.chance.random() < UNDO_SHARE:
                tables.pop()
                await self._key("u")
            elif move is None:
                break
            else:
                await self._make(tables[-1], move)
                tables.append(apply(tables[-1], move, VARIANT).table)
            await self._shown(version)
        await self._collect()

    def _chosen(self, table: Table) -> Move | None:
        legal = legal_moves(table, VARIANT)
        cards = [move for move in legal if isinstance(move, MoveCards) and move.source[0] != "F"]
        useful = cards if cards and self.chance.random() < USEFUL_SHARE else legal
        return self.chance.choice(useful) if useful else None

    async def _make(self, table: Table, move: Move) -> None:
        match move:
            case Draw() | Recycle() if self.chance.random() < 1 / 2:
                await self._key("d")
            case Draw() | Recycle():
                x, y, width, height = await self._rest('.slot[data-pile="S"]')
                self.watch.inputs["tap"] += 1
                await self.page.mouse.click(x + width / 2, y + height / 2)
            case MoveCards():
                await self._drag(table, move)

    async def _drag(self, table: Table, move: MoveCards) -> None:
        card = pile_cards(table, move.source)[-move.count]
        onto = pile_cards(table, move.target)
        x, y, width, height = await self._rest(f'#table [data-card="{card}"]')
        to_x, to_y, _, _ = await self._rest(
            f'#table [data-card="{onto[-1]}"]' if onto else f'.slot[data-pile="{move.target}"]'
        )
        grip = (width * 0.25, height * 0.06)
        self.watch.inputs["drag"] += 1
        await self.page.mouse.move(x + grip[0], y + grip[1])
        await self.page.mouse.down()
        await self.page.mouse.move(to_x + grip[0], to_y + grip[1], steps=6)
        await self.page.mouse.up()

    async def _key(self, key: str) -> None:
        self.watch.inputs["key"] += 1
        await self.page.keyboard.press(key)

    async def _rest(self, selector: str) -> tuple[float, float, float, float]:
        return cast("tuple[float, float, float, float]", tuple(await self.page.evaluate(REST, selector)))

    async def _shown(self, version: int) -> None:
        await self.page.evaluate(UNTIL_SHOWN, [version, WAIT_MS])

    async def _collect(self) -> None:
        """Take what was noted off the page, so that it does not grow by it."""
        noted = cast("Watched", await self.page.evaluate(TAKE_OFF))
        self.watch.latencies_ms += noted["latencies"]
        self.watch.long_tasks_ms += [duration for _, duration in noted["tasks"]]
        self.watch.frames_ms += noted["frames"]

    async def weigh(self, games: int) -> None:
        """What is in use after everything that can be freed was. The collection is no task of the page's."""
        await self.inspector.send("HeapProfiler.collectGarbage")
        usage = await self.inspector.send("Runtime.getHeapUsage")
        counters = await self.inspector.send("Memory.getDOMCounters")
        self.watch.weights.append(
            Weight(games, int(usage["usedSize"]), int(counters["nodes"]), int(counters["jsEventListeners"]))
        )
        await self.page.evaluate("() => { bench.tasks.length = 0; }")
