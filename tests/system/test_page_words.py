"""The page in its languages."""

import re

import pytest
from playwright.async_api import expect

from tests.system.conftest import NewPlayer
from tests.system.page_player import DESK, Game, Player

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

SEEN = {
    "en": ("Score", "Stock, 24 cards: draw", "column 2, 1 card face down", "Undo"),
    "de": ("Punkte", "Talon, 24 Karten: ziehen", "Spalte 2, 1 verdeckte Karte", "Rückgängig"),
    "lt": ("Taškai", "Kaladė, 24 kortos: traukti", "2 stulpelis, 1 užversta korta", "Anuliuoti"),
}

AFTER_THREE = {
    "en": "Stock, 21 cards: draw",
    "lt": "Kaladė, 21 korta: traukti",
    "de": "Talon, 21 Karten: ziehen",
}


async def seen(player: Player) -> tuple[str, ...]:
    stock = await player.slot("S").get_attribute("aria-label") or ""
    column = await player.page.locator("#table [role=group]:has(> [data-pile=T2])").get_attribute("aria-label") or ""
    score = await player.page.locator(".status dt").first.text_content() or ""
    return score, stock, column, await player.page.locator("#undo").inner_text()


@pytest.mark.parametrize(("locale", "language"), [("de-AT", "de"), ("lt-LT", "lt"), ("en-GB", "en"), ("fr-FR", "en")])
async def test_the_page_speaks_the_browsers_language_plurals_included(
    new_player: NewPlayer, draw_one: Game, locale: str, language: str
) -> None:
    player = await new_player(DESK, locale)
    await player.open(draw_one.link)
    assert await seen(player) == SEEN[language]
    assert await player.page.evaluate("document.documentElement.lang") == language
    await player.press("d", "d", "d")
    await player.at(4)
    await expect(player.slot("S")).to_have_attribute("aria-label", AFTER_THREE[language])


async def test_another_language_can_be_chosen_and_is_remembered(player: Player, draw_one: Game) -> None:
    await player.open(draw_one.link)
    for language in ("lt", "de"):
        await player.press("m")
        await player.page.locator("#language").select_option(language)
        await expect(player.page.locator("html")).to_have_attribute("lang", language)
        await player.press("Escape")
        assert await seen(player) == SEEN[language]
    await player.page.reload()
    await player.settled()
    assert await seen(player) == SEEN["de"]


async def test_a_refusal_and_a_hint_are_in_the_players_language(new_player: NewPlayer, draw_one: Game) -> None:
    player = await new_player(DESK, "de")
    await player.open(draw_one.link)
    await player.press("u")
    await expect(player.message).to_have_text("Es gibt nichts zurückzunehmen.")
    await player.press("h")
    await player.at(2)
    await expect(player.message).to_contain_text("Karo-Ass auf Fundament Karo: deckt eine verdeckte Karte auf.")
    await player.card("KC").focus()
    await player.press("Enter")
    await expect(player.page.locator("#voice")).to_have_text("Kreuz-König kann gerade nirgends hin.")


@pytest.mark.parametrize(
    ("language", "hint", "stuck"),
    [("en", "Ace of diamonds to ", "King of clubs "), ("lt", "Būgnų tūzas → būgnų ", "Kryžių karalius: ")],
)
async def test_what_begins_with_a_cards_name_begins_with_a_capital(
    new_player: NewPlayer, draw_one: Game, language: str, hint: str, stuck: str
) -> None:
    player = await new_player(DESK, language)
    await player.open(draw_one.link)
    await player.press("h")
    await expect(player.message).to_have_text(re.compile(f"^{hint}"))
    await player.card("KC").focus()
    await player.press("Enter")
    await expect(player.page.locator("#voice")).to_have_text(re.compile(f"^{stuck}"))


@pytest.mark.parametrize("language", ["en", "de", "lt"])
async def test_no_sheet_shows_the_name_of_a_text_instead_of_a_text(new_player: NewPlayer, language: str) -> None:
    player = await new_player(DESK, language)
    await player.open()
    for sheet in ("new-game", "games", "deal", "statistics", "settings", "rules", "help", "resigning"):
        await player.press("m")
        await player.page.locator(f"#menu [data-opens={sheet}]").click()
        opened = player.page.locator(f"#{sheet}")
        await expect(opened).to_be_visible()
        await expect(opened.locator("[aria-busy]")).to_have_count(0)
        words = (await opened.inner_text()).split()
        assert [
            word for word in words if word.count(".") and word[0].islower() and word.split(".")[0] in PREFIXES
        ] == []
        await player.press("Escape")


PREFIXES = {
    "action",
    "menu",
    "new",
    "statistics",
    "setting",
    "variant",
    "mode",
    "scoring",
    "deal",
    "games",
    "help",
    "result",
    "dealing",
    "verdict",
    "rules",
    "points",
}
