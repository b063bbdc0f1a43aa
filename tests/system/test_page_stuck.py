"""A game that is stuck, told on the page: once, kindly, with what may be done."""

import pytest
from playwright.async_api import expect

from tests.system.conftest import NewPlayer
from tests.system.page_player import DESK, Player

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

TOLD = {
    "en": """You are stuck: however the face-down cards lie and whatever you draw, no card can be turned up or go to a
        foundation any more. This game cannot be won.""",
    "de": """Hier geht es nicht mehr weiter: Wie auch immer die verdeckten Karten liegen und was du auch ziehst, keine
        Karte kann mehr aufgedeckt oder auf ein Fundament gelegt werden. Dieses Spiel ist nicht mehr zu gewinnen.""",
    "lt": """Partija įstrigo: kad ir kaip gulėtų užverstos kortos ir ką trauktumėte, nebegalima atversti ar padėti į
        pagrindinę krūvą nė vienos kortos. Šios partijos laimėti nebegalima.""",
}
OFFERED = {
    "en": ["Undo", "New game", "Keep playing"],
    "de": ["Rückgängig", "Neues Spiel", "Weiterspielen"],
    "lt": ["Anuliuoti", "Nauja partija", "Žaisti toliau"],
}
ONCE_THROUGH = "dddddddd"
"""Draw three, deal 245: no card of the stock that can be reached has a place, and none of the table moves."""
LINK = "/?deal=245&variant=draw3"


@pytest.mark.parametrize("language", TOLD)
async def test_who_is_stuck_is_told_with_what_may_be_done_and_by_voice(new_player: NewPlayer, language: str) -> None:
    """Only when the last unseen card of the stock has shown, and it is no help."""
    text = " ".join(TOLD[language].split())
    player = await new_player(DESK, language)
    await player.open(LINK)
    await player.press(*ONCE_THROUGH[1:])
    await player.at(8)
    await expect(player.message).to_be_hidden()
    await player.press("d")
    await expect(player.message.locator("p")).to_have_text(text)
    await expect(player.message.get_by_role("button")).to_have_text(OFFERED[language])
    await expect(player.page.locator("#voice")).to_have_text(text)
    await player.unchanged(9)


async def test_it_ends_nothing_and_is_told_once(player: Player) -> None:
    await player.open(LINK)
    await player.press(*ONCE_THROUGH)
    await player.message.get_by_role("button", name="Keep playing").click()
    await expect(player.message).to_be_hidden()
    await player.press("d", "d")
    await player.at(11)
    await expect(player.message).to_be_hidden()
    await expect(player.page.locator("#tags")).not_to_contain_text("with help")


async def test_undo_leads_out_and_who_gets_stuck_again_is_told_again(player: Player) -> None:
    """One pass, deal 1252: the card before the last draw could be played."""
    await player.open("/?deal=1252&variant=draw3-1pass")
    for version in (9, 11):
        await player.press(*(ONCE_THROUGH if version == 9 else "d"))
        await player.at(version)
        await player.message.get_by_role("button", name="Undo").click()
        await player.at(version + 1)
        await expect(player.message).to_be_hidden()


async def test_a_ranked_game_offers_no_undo_and_a_new_game_can_be_chosen(player: Player) -> None:
    await player.open(f"{LINK}&mode=ranked")
    await player.press(*ONCE_THROUGH)
    await expect(player.message.get_by_role("button")).to_have_text(["New game", "Keep playing"])
    await player.message.get_by_role("button", name="New game").click()
    await expect(player.page.locator("#new-game")).to_be_visible()


async def test_there_is_no_hint_for_who_is_stuck_and_it_is_no_help(player: Player) -> None:
    await player.open(LINK)
    await player.press(*ONCE_THROUGH)
    await player.at(9)
    await player.press("h")
    await expect(player.message).to_contain_text("There is no hint: you are stuck")
    await player.unchanged(9)
    await expect(player.page.locator("#tags")).not_to_contain_text("with help")
