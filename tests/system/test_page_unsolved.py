"""A variant that the solver does not play: what needs the solver is off, with the reason, and nothing fails."""

import pytest
from playwright.async_api import expect

from tests.system.page_player import Player

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

LINK = "/?deal=1&variant=spider-klondike"
REASON = "The solver does not play this variant: whether such a game can be won, nobody can tell."


async def test_chances_are_off_with_the_reason_and_nothing_is_asked(player: Player) -> None:
    await player.open(LINK)
    await player.press("c")
    await expect(player.message).to_have_text(REASON)
    await player.unchanged(1)
    await player.press("m")
    await expect(player.page.locator("#chances")).to_be_disabled()
    await expect(player.page.locator("#chances-unsolved")).to_have_text(REASON)


async def test_no_deal_is_offered_as_winnable(player: Player) -> None:
    await player.open()
    await player.press("n")
    winnable = player.page.locator("input[name=dealing][value=winnable]")
    await expect(winnable).to_be_enabled()
    await winnable.check()
    await player.page.locator("input[name=variant][value=spider-klondike]").check()
    await expect(winnable).to_be_disabled()
    await expect(player.page.locator("input[name=dealing][value=any]")).to_be_checked()
    label = player.page.locator("label", has=winnable)
    await expect(label).to_contain_text("The solver does not play this variant: no deal is known to be winnable.")
    await player.page.locator("input[name=variant][value=draw3]").check()
    await expect(winnable).to_be_enabled()


async def test_settings_say_that_all_hints_go_by_the_rules(player: Player) -> None:
    await player.open(LINK)
    await player.press("m")
    await player.page.locator("#menu [data-opens=settings]").click()
    await expect(player.page.locator("#advice-unsolved")).to_have_text("In this variant all hints go by the rules.")


async def test_of_a_game_that_is_over_no_verdict_is_looked_for(player: Player) -> None:
    await player.open(LINK)
    await player.press("d")
    await player.at(2)
    await player.press("m")
    await player.page.locator("#resign").click()
    await player.page.locator("#resign-yes").click()
    await expect(player.page.locator("#result-verdict")).to_have_text(REASON)
    await player.page.locator("#review").click()
    await expect(player.page.locator("#history-note")).to_have_text(REASON)
    await expect(player.page.locator("#history-judge")).to_be_hidden()
