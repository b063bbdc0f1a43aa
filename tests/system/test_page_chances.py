"""Whether a game can still be won, asked on the page."""

import re

import pytest
from playwright.async_api import expect

from tests.system.conftest import NewPlayer
from tests.system.page_player import DESK, Game, Player

pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("warm"), pytest.mark.asyncio(loop_scope="session")]

LOST = {
    "en": "This game cannot be won any more, however the face-down cards lie: that is proved.",
    "de": "Dieses Spiel ist nicht mehr zu gewinnen, wie auch immer die verdeckten Karten liegen: Das ist bewiesen.",
    "lt": "Šios partijos laimėti nebegalima, kad ir kaip gulėtų užverstos kortos: tai įrodyta.",
}


async def test_an_estimate_is_told_with_its_interval_once_and_is_help(player: Player, draw_one: Game) -> None:
    """By key or from the menu; it goes with the next move."""
    await player.start(draw_one, 0)
    await player.press("m")
    await player.page.locator("#chances").click()
    await player.at(2)
    await expect(player.message).to_have_text(
        re.compile(r"In \d+ of 200 ways, drawn at random, .+ could win: in \d+% to \d+% of all, at 95% confidence\.")
    )
    await expect(player.page.locator("#tags")).to_contain_text("with help")
    await player.press("c")
    await player.unchanged(2)
    await player.press("d")
    await player.at(3)
    await expect(player.message).to_be_hidden()


@pytest.mark.parametrize("language", LOST)
async def test_a_dead_end_is_told_in_the_players_language(new_player: NewPlayer, language: str) -> None:
    """Draw three, deal 245: no card of the stock that can be reached has a place, and none of the table moves."""
    player = await new_player(DESK, language)
    await player.open("/?deal=245&variant=draw3")
    await player.press(*"dddddddd")
    await player.at(9)
    await player.press("c")
    await player.at(10)
    await expect(player.message).to_have_text(LOST[language])
