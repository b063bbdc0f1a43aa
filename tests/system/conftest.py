"""A browser, and players in it, for the tests of the page.

One system and one browser serve all of these tests that a process runs, so each test has players of its own, and one
that kills a service waits until all is well again. Tests of one loop share them: `loop_scope="session"`.
"""

import os
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import TypeAlias

import pytest
import pytest_asyncio
from playwright.async_api import Browser, ViewportSize, async_playwright

from tests.system.page_player import CHROMIUM, DESK, Game, Player, chromium, new_context
from tests.system.up_process import Up, up

NewPlayer: TypeAlias = Callable[..., Awaitable[Player]]


@pytest.fixture(scope="session")
def chromium_installed() -> None:
    """Without Chromium the page goes untested: said loudly, and a failure where it must be there."""
    if CHROMIUM.exists():
        return
    told = f"{CHROMIUM} is missing, the page is NOT tested: apt-get install chromium"
    if os.environ.get("CI"):
        pytest.fail(told)
    pytest.skip(told)


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def system(chromium_installed: None, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Up]:
    """The whole of klondike, as `klondike up` starts it, but that who loads a page slowly has not left a game, and who
    has left one for two has been away for long a second later.
    """
    times = {"KLONDIKE_GRACE_SECONDS": "600", "KLONDIKE_ABSENCE_SECONDS": "1"}
    async with up(tmp_path_factory.mktemp("klondike"), **times) as running:
        await running.ready()
        yield running


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def warm(system: Up) -> None:
    """For what needs a search: the system's kernels are loaded, a while after it is ready."""
    await system.warm("solver-worker")
    await system.warm("dealer")


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser(chromium_installed: None) -> AsyncIterator[Browser]:
    """One Chromium."""
    async with async_playwright() as playwright, chromium(playwright) as opened:
        yield opened


@pytest_asyncio.fixture(loop_scope="session")
async def new_player(system: Up, browser: Browser, request: pytest.FixtureRequest) -> AsyncIterator[NewPlayer]:
    """Makes players, each with a browser profile of their own. No page may have failed in the end.

    Cards fly in modules that say `MOTION = True`; elsewhere it would only take time.
    """
    players: list[Player] = []
    motion = bool(getattr(request.module, "MOTION", False))

    async def make(
        size: ViewportSize = DESK, locale: str = "en-GB", *, script: str = "", newcomer: bool = False
    ) -> Player:
        context = await new_context(browser, size, locale, motion=motion, newcomer=newcomer)
        if script:
            await context.add_init_script(script)
        player = Player(await context.new_page(), system.address)
        players.append(player)
        return player

    yield make
    for player in players:
        await player.page.context.close()
    assert [fault for player in players for fault in player.faults] == []


@pytest_asyncio.fixture(loop_scope="session")
async def player(new_player: NewPlayer) -> Player:
    """One player, who has not opened the page yet."""
    return await new_player()


@pytest.fixture(scope="session")
def draw_one() -> Game:
    """A won game of the canonical variant."""
    return Game("draw1")


@pytest.fixture(scope="session")
def draw_three() -> Game:
    """A won game that draws three."""
    return Game("draw3")
