"""Leaving the page is a pause, and coming back ends it: at a gateway that waits for nobody."""

import re
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from playwright.async_api import Browser, expect

from tests.system.duels import invited, joined
from tests.system.page_player import BY_HAND_MAX, Game, Player, board_of, new_context
from tests.system.up_process import Up, gateway_beside

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

PLAYED = BY_HAND_MAX


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def hasty(system: Up) -> AsyncIterator[str]:
    """The address of a gateway that pauses a game as soon as its last socket is closed."""
    async with gateway_beside(system, KLONDIKE_GRACE_SECONDS="0") as address:
        yield address


@pytest_asyncio.fixture(loop_scope="session")
async def player(hasty: str, browser: Browser) -> AsyncIterator[Player]:
    context = await new_context(browser, {"width": 1280, "height": 800}, "en-GB", motion=False)
    made = Player(await context.new_page(), hasty)
    yield made
    await context.close()
    assert made.faults == []


async def test_who_leaves_and_comes_back_plays_on_without_a_button(player: Player, draw_one: Game) -> None:
    """The absence and its end are two versions, so the page was away for the server; the table is there at once."""
    table = await player.start(draw_one, PLAYED)
    version = await player.version()
    await player.page.goto("about:blank")
    await player.open()
    await player.at(version + 2)
    assert await player.board() == board_of(table)
    await expect(player.page.locator("#paused")).to_be_hidden()
    await player.play(draw_one, PLAYED, PLAYED + 1)


async def test_a_pause_by_the_player_outlives_the_page(player: Player, draw_one: Game) -> None:
    table = await player.start(draw_one, PLAYED)
    version = await player.version()
    await player.press("b")
    await player.at(version + 1)
    await player.page.goto("about:blank")
    await player.page.goto(player.address)
    await expect(player.page.locator("#continue")).to_be_focused()
    await player.at(version + 1)
    await player.page.keyboard.press("Enter")
    await player.at(version + 2)
    assert await player.board() == board_of(table)


async def test_one_of_two_tabs_may_be_closed(player: Player, draw_one: Game) -> None:
    table = await player.start(draw_one, PLAYED)
    version = await player.version()
    other = Player(await player.page.context.new_page(), player.address)
    await other.open()
    assert await other.board() == board_of(table)
    await other.page.close()
    await player.play(draw_one, PLAYED, PLAYED + 1)
    assert await player.version() == version + 1


async def test_another_game_leaves_the_one_before(player: Player, draw_one: Game) -> None:
    """Its clock stands still until it is taken up again."""
    table = await player.start(draw_one, PLAYED)
    version = await player.version()
    await player.press("n")
    await player.page.locator("#start").click()
    await player.at(1)
    await player.page.locator("#menu-button").click()
    await player.page.locator("#menu [data-opens=games]").click()
    await player.page.locator("#games-list button:not([disabled])").first.click()
    await player.at(version + 2)
    assert await player.board() == board_of(table)


async def test_who_waits_for_too_long_has_the_other_taken_for_resigned_and_plays_on_alone(
    player: Player, hasty: str, browser: Browser
) -> None:
    """The page says that the other is away, and offers it once the time of the game is over. Who comes back is told."""
    context = await new_context(browser, {"width": 1280, "height": 800}, "en-GB", motion=False)
    guest = Player(await context.new_page(), hasty)
    link = await invited(player, "double")
    await joined(guest, link)
    await player.settled()
    claim, state = player.page.locator("#claim"), player.page.locator("#rival-state")
    await expect(claim).to_be_hidden()
    await guest.page.goto("about:blank")
    await expect(state).to_have_text(re.compile("is away|been away"))
    await expect(state).to_have_text(re.compile("been away for too long"))
    await claim.click()
    await expect(state).to_have_text("The other player has given up.")
    await expect(claim).to_be_hidden()
    version = await player.version()
    await player.press("d")
    await player.at(version + 1)
    await guest.open()
    await expect(guest.page.locator("#rival-state")).to_have_text(re.compile("You have given up"))
    await context.close()
    assert guest.faults == []
