"""A player at the page in a real Chromium, and what the page is seen to do meanwhile."""

import asyncio
import shutil
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random  # noqa: TID251 - seeded: the same games in every run
from typing import TYPE_CHECKING, Final, Literal, TypedDict, cast

from services.cli.benching import page_scripts
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
GAME_SECONDS_MAX: Final = 120.0
"""A page that takes longer for one game is stuck."""
WEIGHINGS: Final = 20
UNDO_SHARE: Final = 0.08
USEFUL_SHARE: Final = 0.75
"""How often a move of cards is made where there is one, rather than a draw."""
HASTY_SHARES: Final = {"d": 0.4, "tap": 0.45, "u": 0.1, "r": 0.05}
"""Keys, and taps on a card that can be moved."""
GIVEN_UP_EVERY: Final = 10
Input = Literal["drag", "tap", "key"]
Box = tuple[float, float, float, float]
"""x, y, width, height."""


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What is played, one game after the other on one page that is never loaded again."""

    games: int
    """Of `hasty_moves` inputs each, as fast as the page takes them: the page is weighed between them."""
    hasty_moves: int
    inputs: int
    """Those that are measured after that, in games of at most `moves` moves, each when the one before is confirmed."""
    moves: int
    seed: int


class Watched(TypedDict):
    """What `page_scripts.WATCH` has noted, in milliseconds."""

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
    """All that was seen: latencies, frames and long tasks of measured inputs, and the long tasks of hasty games."""

    latencies_ms: list[float] = field(default_factory=list)
    long_tasks_ms: list[float] = field(default_factory=list)
    hasty_tasks_ms: list[float] = field(default_factory=list)
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


async def play(browser: "Browser", address: str, plan: Plan, said: Callable[[str], None]) -> Watch:
    """Play as planned; `said` hears how far it has come.

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
        player = _Player(page, await context.new_cdp_session(page), watch, Random(plan.seed))  # noqa: S311 - no secret
        await player.rest()
        await page.evaluate(page_scripts.WATCH)  # not before: a page that is being loaded is not played at
        await _play(player, plan, said)
    except BrowserError as error:
        raise BenchError(f"the page: {str(error).splitlines()[0]}") from error
    except TimeoutError as error:
        raise BenchError(f"the page: a game was not played in {GAME_SECONDS_MAX:.0f} s") from error
    finally:
        await context.close()
    return watch


async def _play(player: "_Player", plan: Plan, said: Callable[[str], None]) -> None:
    every = max(1, plan.games // WEIGHINGS)
    for game in range(1, plan.games + 1):
        async with asyncio.timeout(GAME_SECONDS_MAX):
            await player.hasty_game(plan.seed + game, plan.hasty_moves, ends=game % GIVEN_UP_EVERY == 0)
            if game % every == 0:
                weight = await player.weigh(game)
                said(f"{game} of {plan.games} games, heap {weight.heap_bytes / 1e6:.2f} MB")
    measured = 0
    for game in range(plan.inputs):  # each has an input at least
        if measured >= plan.inputs:
            break
        async with asyncio.timeout(GAME_SECONDS_MAX):
            moves = min(plan.moves, plan.inputs - measured)
            measured += await player.measured_game(plan.seed + plan.games + game + 1, moves)
            said(f"{measured} of {plan.inputs} inputs measured")


@dataclass
class _Player:
    page: "Page"
    inspector: "CDPSession"
    watch: Watch
    chance: Random

    async def hasty_game(self, number: int, inputs: int, *, ends: bool) -> None:
        """As one who does not wait for anything; `ends`: and gives the game up."""
        await self._deal(number)
        for _ in range(inputs):
            await self._hurry()
        await self.page.evaluate(page_scripts.UNTIL_IDLE, WAIT_MS)
        if ends:
            await self._give_up()
        noted = await self._noted()
        self.watch.hasty_tasks_ms += [duration for _, duration in noted["tasks"]]

    async def measured_game(self, number: int, moves: int) -> int:
        """Each input when the one before is confirmed; gives how many there were."""
        await self._deal(number)
        dealt = await self._noted()
        tables = [lay_out(numbered_deck(number, decks=1), VARIANT)]
        version = 1
        while version <= moves:
            move = self._chosen(tables[-1])
            if len(tables) > 1 and self.chance.random() < UNDO_SHARE:
                tables.pop()
                await self._key("u")
            elif move is None:
                break
            else:
                await self._make(tables[-1], move)
                tables.append(apply(tables[-1], move, VARIANT).table)
            version += 1
            await self._shown(version)
        noted = await self._noted()
        self.watch.latencies_ms += noted["latencies"]
        self.watch.long_tasks_ms += [duration for _, duration in dealt["tasks"] + noted["tasks"]]
        self.watch.frames_ms += noted["frames"]
        return version - 1

    async def weigh(self, games: int) -> Weight:
        """What is in use after everything that can be freed was. The collection is no task of the page's."""
        await self.rest()
        await self.inspector.send("HeapProfiler.collectGarbage")
        usage = await self.inspector.send("Runtime.getHeapUsage")
        counters = await self.inspector.send("Memory.getDOMCounters")
        weight = Weight(games, int(usage["usedSize"]), int(counters["nodes"]), int(counters["jsEventListeners"]))
        self.watch.weights.append(weight)
        await self._noted()
        return weight

    async def rest(self) -> None:
        """Wait until no card flies."""
        await self.page.locator("#table [data-flight], #table .turning-down").first.wait_for(state="detached")
        await self.page.evaluate(page_scripts.UNTIL_PAINTED)

    async def _deal(self, number: int) -> None:
        """Deal a number in the page's own dialog."""
        await self.page.keyboard.press("n")
        await self.page.evaluate(page_scripts.OPEN_NUMBER)
        await self.page.locator("#deal-number").fill(str(number))
        await self.page.keyboard.press("Enter")
        await self._shown(1)

    async def _hurry(self) -> None:
        (what,) = self.chance.choices([*HASTY_SHARES], [*HASTY_SHARES.values()])
        if what != "tap":
            await self.page.keyboard.press(what)
        elif found := await self.page.evaluate(page_scripts.REST_OF_A_MOVABLE, self.chance.random()):
            await self.page.mouse.click(*_grip(cast("Box", tuple(found))))

    async def _give_up(self) -> None:
        await self.page.keyboard.press("m")
        await self.page.locator("#resign").click()
        await self.page.locator("#resign-yes").click()
        await self.page.locator("#result[open]").wait_for()
        await self.page.keyboard.press("Escape")

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
        start = _grip(await self._rest(f'#table [data-card="{card}"]'))
        end = _grip(
            await self._rest(f'#table [data-card="{onto[-1]}"]' if onto else f'.slot[data-pile="{move.target}"]')
        )
        self.watch.inputs["drag"] += 1
        await self.page.mouse.move(*start)
        await self.page.mouse.down()
        await self.page.mouse.move(*end, steps=6)
        await self.page.mouse.up()

    async def _key(self, key: str) -> None:
        self.watch.inputs["key"] += 1
        await self.page.keyboard.press(key)

    async def _rest(self, selector: str) -> Box:
        return cast("Box", tuple(await self.page.evaluate(page_scripts.REST, selector)))

    async def _shown(self, version: int) -> None:
        await self.page.evaluate(page_scripts.UNTIL_SHOWN, [version, WAIT_MS])

    async def _noted(self) -> Watched:
        """Take what was noted off the page, so that it does not grow by it."""
        await self.page.evaluate(page_scripts.UNTIL_PAINTED)
        return cast("Watched", await self.page.evaluate(page_scripts.TAKE_OFF))


def _grip(box: Box) -> tuple[float, float]:
    """A point of a card that no card on it covers."""
    x, y, width, height = box
    return x + width * 0.25, y + height * 0.06
