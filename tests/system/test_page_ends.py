"""How a game ended is told when the player is free to hear it: no dialog is taken from under their hands."""

import pytest
from playwright.async_api import expect

from tests.system.conftest import NewPlayer
from tests.system.duels import invited, joined
from tests.system.page_player import Game, Player
from tests.system.page_views import sheet

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

NOTE_RESULTS = """() => {
  const result = document.getElementById("result");
  window.results = 0;
  new MutationObserver(() => { results += Number(result.open); }).observe(result, { attributeFilter: ["open"] });
}"""
"""Counts how often the result was shown."""


async def test_a_win_that_comes_by_itself_is_told_when_the_menu_and_what_it_led_to_are_closed(
    player: Player, draw_one: Game
) -> None:
    await player.start(draw_one, draw_one.opened)
    await player.message.get_by_role("button", name="Finish").click()
    await player.press("m")
    assert await player.over() == "won"
    result, menu = player.page.locator("#result"), player.page.locator("#menu")
    await expect(menu).to_be_visible()
    await menu.locator("[data-opens=settings]").click()
    settings = player.page.locator("#settings")
    await expect(settings).to_be_visible()
    await player.page.locator("#setting-hand").focus()
    await expect(result).to_be_hidden()
    await player.press("Escape")
    await expect(settings).to_be_hidden()
    await expect(result).to_be_visible()
    await expect(player.page.locator("#result-title")).to_have_text("You have won!")


async def test_who_begins_another_game_from_the_dialog_is_not_told_of_the_old_one(
    player: Player, draw_one: Game
) -> None:
    """Nor for a moment, until the new one is dealt; of that its own end is told."""
    last = len(draw_one.texts) - 1
    await player.start(draw_one, last)
    await player.page.evaluate(NOTE_RESULTS)
    await player.press("n")
    await player.play_elsewhere(draw_one, last, last + 1)
    await expect(player.table).to_have_attribute("data-status", "won")
    await expect(player.page.locator("#new-game")).to_be_visible()
    await player.page.locator("#start").click()
    await player.at(1)
    await expect(player.table).to_have_attribute("data-status", "running")
    assert await player.page.evaluate("results") == 0
    await sheet(player, "resigning")
    await player.page.locator("#resign-yes").click()
    await expect(player.page.locator("#result")).to_be_visible()
    assert await player.page.evaluate("results") == 1


async def test_the_end_of_a_game_for_two_waits_until_the_dialog_is_closed(new_player: NewPlayer) -> None:
    """It comes from the other side, whatever the player is doing."""
    host, guest = await new_player(), await new_player()
    await joined(guest, await invited(host, "double-mini"))
    await sheet(host, "resigning")
    await host.page.locator("#resign-yes").click()
    await sheet(host, "settings")
    await sheet(guest, "resigning")
    await guest.page.locator("#resign-yes").click()
    await expect(guest.page.locator("#result")).to_be_visible()
    await expect(host.table).not_to_have_attribute("data-status", "running")
    await expect(host.page.locator("#settings")).to_be_visible()
    await host.press("Escape")
    await expect(host.page.locator("#result")).to_be_visible()
