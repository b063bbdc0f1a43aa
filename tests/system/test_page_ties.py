"""What ties the page to server and browser, and what it does where a tie is missing: no server, an older page than the
server's, a refused socket or storage, a language without texts; and a profile that moves, or is deleted.
"""

import os
import re
import signal
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

import pytest
from playwright.async_api import BrowserContext, Route, async_playwright, expect

from tests.integration.game_state import soon
from tests.system.conftest import NewPlayer
from tests.system.page_player import CHROMIUM, DESK, FLAGS, READ_BOARD, SEEN_TOUR, WAIT_MS, Game, Player, board_of
from tests.system.test_page_connection import NO_STORAGE
from tests.system.up_process import Up

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

KEPT = """async () => {
  await navigator.serviceWorker.ready;
  return Promise.all((await caches.keys()).map(async (name) => (await (await caches.open(name)).keys()).length));
}"""
"""How many files are kept, by version, once all are."""
MAKE_OLD = """async () => {
  const [name] = await caches.keys();
  const cache = await caches.open(name);
  const kept = await cache.match("./");
  const old = (await kept.text()).replace(/(name="klondike-page" content=")\\w+/, "$1older");
  await cache.put("./", new Response(old, { headers: kept.headers }));
}"""
"""Has the browser keep the page of an earlier version."""

BLOCKED_SOCKETS = {
    "closed": "window.WebSocket = class extends WebSocket { constructor() { super('ws://127.0.0.1:9/'); } };",
    "forbidden": "window.WebSocket = class { constructor() { throw new DOMException('no', 'SecurityError'); } };",
}


@asynccontextmanager
async def installed(folder: Path) -> AsyncIterator[BrowserContext]:
    """A browser that keeps its profile in a folder, as a person's does."""
    async with async_playwright() as playwright:
        expect.set_options(timeout=WAIT_MS)
        context = await playwright.chromium.launch_persistent_context(
            folder, executable_path=CHROMIUM, args=FLAGS.split(), viewport=DESK, locale="en-GB", reduced_motion="reduce"
        )
        context.set_default_timeout(WAIT_MS)
        await context.add_init_script(SEEN_TOUR)
        try:
            yield context
        finally:
            await context.close()


@contextmanager
def silent(system: Up) -> Iterator[None]:
    """The gateway answers nobody until the block ends."""
    gateway = system.pid("gateway")
    os.kill(gateway, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(gateway, signal.SIGCONT)


async def is_written(folder: Path) -> bool:
    """Whether the browser has written down the last view: it does so some time after it is told."""
    files = (folder / "Default" / "Local Storage" / "leveldb").glob("*.log")
    return any(b"klondike.view" in file.read_bytes() for file in files)


async def test_the_page_opens_without_a_server_and_the_game_goes_on_when_it_is_back(
    system: Up, draw_one: Game, tmp_path: Path
) -> None:
    """Browser and gateway both end in between. Meanwhile the page is shown, and the game as it was."""
    async with installed(tmp_path) as context:
        player = Player(context.pages[0], system.address)
        await player.start(draw_one, 6)
        (kept,) = await player.page.evaluate(KEPT)
        assert kept > 50
        await soon(lambda: is_written(tmp_path), seconds=90)
    async with installed(tmp_path) as context:
        player = Player(context.pages[0], system.address)
        with silent(system):
            await player.page.goto(system.address)
            await expect(player.page.locator("#connection")).to_contain_text("Connect")
            await expect(player.page.locator("#new span")).to_have_text("New game")
            await expect(player.table).to_have_attribute("data-version", re.compile("^[1-7]$"))
            version = int(await player.table.get_attribute("data-version") or 0)  # browsers write some time later
            assert await player.page.evaluate(READ_BOARD) == board_of(draw_one.tables[version - 1])
            os.kill(system.pid("gateway"), signal.SIGKILL)
        await player.settled()
        assert await player.board() == board_of(draw_one.tables[6])
        await expect(player.page.locator("#connection")).to_be_hidden()
        assert player.faults == []


async def test_an_old_page_beside_a_newer_server_asks_to_be_loaded_again_and_loses_nothing(
    system: Up, draw_one: Game, tmp_path: Path
) -> None:
    async with installed(tmp_path) as context:
        player = Player(context.pages[0], system.address)
        await player.start(draw_one, 3)
        await player.page.evaluate(KEPT)
        await player.page.evaluate(MAKE_OLD)
        with silent(system):
            await player.page.goto(system.address)
            await expect(player.page.locator("meta[name=klondike-page]")).to_have_attribute("content", "older")
        await expect(player.message).to_contain_text("A new version is ready.")
        await player.settled()
        await player.move(draw_one.tables[3], draw_one.texts[3])
        await player.message.get_by_role("button", name="Reload").click()
        await expect(player.page.locator("meta[name=klondike-page]")).not_to_have_attribute("content", "older")
        await player.settled()
        await expect(player.message).to_be_hidden()
        assert await player.board() == board_of(draw_one.tables[4])
        assert player.faults == []


@pytest.mark.parametrize("way", BLOCKED_SOCKETS)
async def test_a_blocked_websocket_is_told_of(way: str, new_player: NewPlayer) -> None:
    player = await new_player(script=BLOCKED_SOCKETS[way])
    await player.page.goto(player.address)
    await expect(player.message).to_contain_text("WebSocket")
    await expect(player.page.locator("#connection")).to_be_visible()
    await expect(player.page.locator("#new span")).to_have_text("New game")


async def test_it_is_told_that_a_browser_which_refuses_storage_keeps_nothing(
    new_player: NewPlayer, draw_one: Game
) -> None:
    player = await new_player(script=NO_STORAGE)
    await player.open(draw_one.link)
    await expect(player.message).to_contain_text("keeps nothing")
    assert await player.board() == board_of(draw_one.tables[0])


@pytest.mark.parametrize("wrong", ["missing", "broken"])
async def test_english_takes_the_place_of_a_language_without_texts(wrong: str, new_player: NewPlayer) -> None:
    """At the beginning, and when it is chosen."""
    player = await new_player(locale="de-DE")

    async def answer(route: Route) -> None:
        await route.fulfill(status=404 if wrong == "missing" else 200, body="{" if wrong == "broken" else "")

    await player.page.route(re.compile("i18n/(de|lt)"), answer)
    await player.open()
    await expect(player.message).to_have_text("There are no texts in Deutsch here, so it is English.")
    await expect(player.page.locator("#new span")).to_have_text("New game")
    await player.press("m")
    await choose_lithuanian(player)
    await expect(player.message).to_contain_text("Lietuvių")
    await expect(player.page.locator("#language")).to_have_value("en")


async def test_a_language_that_was_kept_and_is_there_no_more_gives_way_to_the_browsers(new_player: NewPlayer) -> None:
    player = await new_player(locale="de-DE", script='localStorage.setItem("klondike.language", "xx")')
    await player.open()
    await expect(player.page.locator("#new span")).to_have_text("Neues Spiel")


async def choose_lithuanian(player: Player) -> None:
    await player.page.locator("#language").select_option("lt")


async def menu(player: Player, sheet: str) -> None:
    await player.press("m")
    await player.page.locator(f"#menu [data-opens={sheet}]").click()


async def make_code(player: Player) -> str:
    await menu(player, "profile")
    await player.page.locator("#profile-make").click()
    shown = player.page.locator("#device-code")
    await expect(shown).to_have_text(re.compile("^[a-z2-7]{5} [a-z2-7]{5}$"))
    code = await shown.inner_text()
    await player.page.locator("#profile [data-closes]").click()
    return code


async def enter(player: Player, code: str) -> None:
    await menu(player, "profile")
    await player.page.locator("#profile-enter").fill(code)
    await player.page.locator("#profile-use").click()


async def two_of_one(new_player: NewPlayer, game: Game) -> tuple[Player, Player, str]:
    """A player with a game and blue felt in one browser, the same in another, and the code that did it."""
    one, other = await new_player(), await new_player()
    await one.start(game, 4)
    await menu(one, "settings")
    async with one.page.expect_response(lambda answer: answer.request.method == "PUT") as put:
        await one.page.locator("#settings [name=setting-felt][value=blue]").check()
    assert (await put.value).status == 200
    await one.page.locator("#settings [data-closes]").click()
    code = await make_code(one)
    await other.open()
    async with other.page.expect_navigation():
        await enter(other, code.upper())
    await other.at(5)
    return one, other, code


async def test_a_profile_moves_to_another_browser_by_a_code_that_is_good_once(
    new_player: NewPlayer, draw_one: Game
) -> None:
    """Game and settings are there, and the two browsers stay in step."""
    one, other, code = await two_of_one(new_player, draw_one)
    assert await other.board() == board_of(draw_one.tables[4])
    await expect(other.page.locator("html")).to_have_attribute("data-felt", "blue")
    await other.move(draw_one.tables[4], draw_one.texts[4])
    await one.at(6)
    fault = other.page.locator("#profile-fault")
    await enter(other, code)
    await expect(fault).to_contain_text("No device has this code")
    await other.page.locator("#profile-enter").fill("abc")
    await other.page.locator("#profile-use").click()
    await expect(fault).to_have_text("“abc” is no code: it has ten letters and digits.")


async def test_a_profile_is_deleted_in_all_browsers_that_have_it(new_player: NewPlayer, draw_one: Game) -> None:
    """Only after it was asked for a second time. What comes after is a new guest's."""
    one, other, _ = await two_of_one(new_player, draw_one)
    await menu(other, "profile")
    await other.page.locator("#profile-delete").click()
    await other.page.locator("#deleting [data-closes]").click()
    await other.unchanged(5)
    await menu(other, "profile")
    await other.page.locator("#profile-delete").click()
    async with other.page.expect_navigation():
        await other.page.locator("#delete-yes").click()
    await other.at(1)
    await expect(other.page.locator("html")).to_have_attribute("data-felt", "green")
    await one.page.reload()
    await expect(one.message).to_have_text("This profile was deleted.")
    await one.at(1)


async def test_two_tabs_are_one_player_also_after_the_profile_changed_in_one(
    new_player: NewPlayer, draw_one: Game
) -> None:
    one, other = await new_player(), await new_player()
    await one.start(draw_one, 2)
    code = await make_code(one)
    await other.open()
    tab = Player(await other.page.context.new_page(), other.address)
    await tab.open()
    for page in tab.page, other.page:
        await page.evaluate("window.isBefore = true")
    await enter(other, code)
    for page in tab.page, other.page:
        await page.wait_for_function("() => !('isBefore' in window)")  # both are loaded again, perhaps more than once
    await tab.at(3)
    await other.at(3)
    assert await tab.board() == await other.board() == board_of(draw_one.tables[2])
