"""Winnable deals chosen on the page, and the verdict that it shows when a game is over."""

import re

import pytest
from playwright.async_api import expect

from tests.system.conftest import NewPlayer
from tests.system.page_player import DESK, Player

pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("warm"), pytest.mark.asyncio(loop_scope="session")]
DEAL = "/?deal=23&variant=draw1"
"""Draw one; it can be won, until 3S of the third column goes to the seventh."""
LOST_DEAL = "/?deal=9&variant=draw1"
"""Draw one; nobody can win it."""
VERDICTS = {
    "en-GB": "This game could be won until move 1. Move 2 lost it.",
    "de-DE": "Dieses Spiel war bis Zug 1 zu gewinnen. Zug 2 hat es verspielt.",
    "lt-LT": "Šią partiją buvo galima laimėti iki 1 ėjimo. Ją pražudė 2 ėjimas.",
}


async def resign(player: Player) -> None:
    await player.page.locator("#menu-button").click()
    await player.page.locator("#resign").click()
    await player.page.locator("#resign-yes").click()
    await expect(player.page.locator("#result")).to_be_visible()


async def deal_text(player: Player) -> str:
    await player.page.locator("#menu-button").click()
    await player.page.locator("#menu [data-opens=deal]").click()
    await expect(player.page.locator("#deal")).to_be_visible()
    text = await player.page.locator("#deal").inner_text()
    await player.press("Escape")
    return text


async def test_a_winnable_deal_is_chosen_kept_as_the_choice_and_proved_fair_at_its_end(player: Player) -> None:
    await player.open()
    await player.press("n")
    await player.page.locator("input[name=dealing][value=winnable]").check()
    await player.page.locator("#start").click()
    await player.at(1)
    assert "This deal can be won" in await deal_text(player)
    await player.press("n")
    await expect(player.page.locator("input[name=dealing][value=winnable]")).to_be_checked()
    await player.press("Escape")
    await player.press("d")
    await player.at(2)
    await resign(player)
    verdict = player.page.locator("#result-verdict")
    await expect(verdict).to_have_text(re.compile("could still be won when it ended|The first move lost it"))
    await player.page.locator("#result [data-closes]").click()
    await player.page.locator("#menu-button").click()
    await player.page.locator("#menu [data-opens=deal]").click()
    await player.page.locator("#deal-verify").click()
    await expect(player.page.locator("#deal-check")).to_contain_text("Checked in this browser")


async def test_the_deal_of_the_day_is_a_number_that_begins_with_the_date(player: Player) -> None:
    await player.open()
    await player.press("n")
    await player.page.locator("input[name=dealing][value=daily]").check()
    await player.page.locator("#start").click()
    today = await player.page.evaluate("new Date().toLocaleDateString('sv')")
    await expect(player.page.locator("#new-game")).to_be_hidden()
    shown = re.compile(f"number {today.replace('-', '')}\\d{{3}}:")
    await expect(player.page.locator("#table[data-version='1']")).to_be_visible()
    await player.settled()
    assert shown.search(await deal_text(player))


@pytest.mark.parametrize("language", VERDICTS)
async def test_the_move_that_lost_the_game_is_named_in_the_players_language(
    new_player: NewPlayer, language: str
) -> None:
    player = await new_player(DESK, language)
    await player.open(DEAL)
    for version, (source, target) in enumerate([("T5", "F2"), ("T3", "T7")], start=2):
        board = await player.board()
        await player.drag(board["up"][source][-1], target)
        await player.at(version)
    await resign(player)
    await expect(player.page.locator("#result-verdict")).to_have_text(VERDICTS[language])


async def test_of_a_lost_deal_it_is_said_that_it_could_not_be_won(player: Player) -> None:
    await player.open(LOST_DEAL)
    await player.press("d")
    await player.at(2)
    await expect(player.page.locator("#result-verdict")).to_be_hidden()
    await resign(player)
    await expect(player.page.locator("#result-verdict")).to_have_text("This deal could not be won.")
