"""Undo, redo and hints on the page."""

import re

import pytest
from playwright.async_api import expect

from tests.system.conftest import NewPlayer
from tests.system.page_player import DESK, Game, Player, board_of
from tests.system.page_views import sheet

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

BACK = {
    "en": (
        "Move taken back. Ace of spades is face down again. Ace of diamonds returns to column 5.",
        "Move made again. Ace of diamonds to diamonds foundation. Ace of spades is turned up.",
        (
            "Move taken back. Ten of spades is face down again. "
            "King of clubs and what lies on it, 2 cards, return to column 6."
        ),
        "Move made again. King of clubs and what lies on it, 2 cards, to column 5. Ten of spades is turned up.",
        "Move taken back. In the stock again: Six of hearts.",
        "Move made again. Drawn: Six of hearts. 22 cards left in the stock.",
        "Move taken back. In the waste again: 8 cards.",
        "Move made again. The waste is turned over: 8 cards in the stock.",
    ),
    "de": (
        "Zug zurückgenommen. Pik-Ass ist wieder verdeckt. Karo-Ass wieder auf Spalte 5.",
        "Zug wiederholt. Karo-Ass auf Fundament Karo. Pik-Ass ist aufgedeckt.",
        (
            "Zug zurückgenommen. Pik-Zehn ist wieder verdeckt. "
            "Kreuz-König und was darauf liegt, 2 Karten, wieder auf Spalte 6."
        ),
        "Zug wiederholt. Kreuz-König und was darauf liegt, 2 Karten, auf Spalte 5. Pik-Zehn ist aufgedeckt.",
        "Zug zurückgenommen. Wieder im Talon: Herz-Sechs.",
        "Zug wiederholt. Gezogen: Herz-Sechs. Noch 22 Karten im Talon.",
        "Zug zurückgenommen. Wieder auf dem Ablagestapel: 8 Karten.",
        "Zug wiederholt. Ablagestapel umgedreht: 8 Karten im Talon.",
    ),
    "lt": (
        "Ėjimas anuliuotas. Vėl užversta: vynų tūzas. Būgnų tūzas grįžta → 5 stulpelis.",
        "Ėjimas pakartotas. Būgnų tūzas → būgnų pagrindinė krūva. Atversta: vynų tūzas.",
        (
            "Ėjimas anuliuotas. Vėl užversta: vynų dešimtakė. "
            "Kryžių karalius ir ant jos gulinčios, iš viso 2 kortos, grįžta → 6 stulpelis."
        ),
        (
            "Ėjimas pakartotas. Kryžių karalius ir ant jos gulinčios, iš viso 2 kortos → 5 stulpelis. "
            "Atversta: vynų dešimtakė."
        ),
        "Ėjimas anuliuotas. Vėl kaladėje: širdžių šešakė.",
        "Ėjimas pakartotas. Ištraukta: širdžių šešakė. Kaladėje liko 22 kortos.",
        "Ėjimas anuliuotas. Tarp numestų kortų vėl 8 kortos.",
        "Ėjimas pakartotas. Kortos grąžintos: kaladėje 8 kortos.",
    ),
}
"""Said after one undo and one redo each: of a move, of two cards, of a draw and of a recycle."""


async def test_undo_and_redo_by_button_and_key_give_the_very_same_tables(player: Player, draw_one: Game) -> None:
    """Back to the deal, never below, with the score; redo makes the same cards appear."""
    await player.start(draw_one, 5)
    points = await player.number("points")
    for back in range(1, 6):
        await (player.page.locator("#undo").click() if back % 2 else player.press("u"))
        await player.at(6 + back)
        assert await player.board() == board_of(draw_one.tables[5 - back])
    await expect(player.page.locator("#undo")).to_have_attribute("aria-disabled", "true")
    assert await player.number("points") == 0
    await player.press("u")
    await expect(player.message).to_have_text("There is nothing to take back.")
    await player.unchanged(11)
    for forward in range(1, 6):
        await (player.page.locator("#redo").click() if forward % 2 else player.press("r"))
        await player.at(11 + forward)
        assert await player.board() == board_of(draw_one.tables[forward])
    assert await player.number("points") == points
    await player.press("Control+z", "Control+y")
    await player.at(18)
    await expect(player.page.locator("#tags")).to_contain_text("with help")


async def test_undo_after_a_recycle_brings_back_waste_and_redo_the_same_stock(player: Player, draw_one: Game) -> None:
    index = draw_one.first("recycle")
    await player.start(draw_one, index + 1)
    await player.press("u")
    await player.at(index + 3)
    assert await player.board() == board_of(draw_one.tables[index])
    await player.press("r", "d")
    await player.at(index + 5)
    recycled = draw_one.tables[index + 1]
    assert (await player.board())["up"]["W"] == [recycled.stock[-1]]


async def test_a_deal_is_started_over_after_a_question_and_redo_has_all_its_moves(
    player: Player, draw_one: Game
) -> None:
    await player.start(draw_one, 5)
    await sheet(player, "restarting")
    await player.page.locator("#restarting [data-closes]").click()
    await player.unchanged(6)
    await sheet(player, "restarting")
    await player.page.locator("#restart-yes").click()
    await player.at(11)
    assert await player.board() == board_of(draw_one.tables[0])
    await player.press("m")
    await expect(player.page.locator("#restart")).to_be_disabled()
    await player.press("Escape", "r", "r", "r", "r", "r")
    await player.at(16)
    assert await player.board() == board_of(draw_one.tables[5])


async def test_where_there_is_no_undo_a_numbered_deal_is_dealt_again_and_the_game_is_kept(
    player: Player, draw_one: Game
) -> None:
    await player.start(draw_one, 2, mode="ranked")
    await sheet(player, "restarting")
    await player.page.locator("#restart-yes").click()
    await player.at(1)
    assert await player.board() == board_of(draw_one.tables[0])
    await sheet(player, "games")
    await player.page.locator("#games-list button:enabled").click()
    await player.at(3)
    assert await player.board() == board_of(draw_one.tables[2])


async def test_a_ranked_game_says_that_it_has_no_undo(player: Player, draw_one: Game) -> None:
    await player.start(draw_one, 2, mode="ranked")
    await expect(player.page.locator("#undo")).to_have_attribute("aria-disabled", "true")
    await player.press("u")
    await expect(player.message).to_have_text("A ranked game has no undo.")
    await player.unchanged(3)


async def test_a_hint_lies_on_the_cards_with_its_reason_and_can_be_followed(player: Player, draw_one: Game) -> None:
    await player.start(draw_one, 0)
    ace = draw_one.tables[0].columns[4].up[-1]
    await player.press("h")
    await player.at(2)
    await expect(player.message).to_contain_text("Ace of diamonds to diamonds foundation: turns a face-down card up.")
    await expect(player.card(ace)).to_have_class(re.compile(r"\bhinted\b"))
    await expect(player.slot("F2")).to_have_class(re.compile(r"\bhinted\b"))
    await expect(player.page.locator("#tags")).to_contain_text("with help")
    await player.message.get_by_role("button", name="Do it").click()
    await player.at(3)
    assert await player.board() == board_of(draw_one.tables[1])
    await expect(player.page.locator(".hinted")).to_have_count(0)
    await expect(player.message).to_be_hidden()


async def test_a_hint_to_draw_is_shown_on_the_stock(player: Player, draw_one: Game) -> None:
    """Followed hints lead on: none is repeated on the same table."""
    await player.start(draw_one, 0)
    version = 0
    for _ in range(40):
        version = await player.version()
        await player.press("h")
        await player.at(version + 1)
        if "Draw from the stock." in await player.message.inner_text():
            break
        await player.message.get_by_role("button", name="Do it").click()
        await player.at(version + 2)
    await expect(player.slot("S")).to_have_class(re.compile(r"\bhinted\b"))
    stock = (await player.board())["stock"]
    await player.message.get_by_role("button", name="Do it").click()
    await player.at(version + 2)
    assert (await player.board())["stock"] == stock - 1


@pytest.mark.parametrize("language", BACK)
async def test_what_was_taken_back_or_made_again_is_said_and_where_it_lies(
    new_player: NewPlayer, draw_one: Game, language: str
) -> None:
    """One card, several, one that lies face down again, a draw and a new pass."""
    player = await new_player(DESK, language)
    voice = player.page.locator("#voice")
    for index, moves in enumerate((1, 14, 20, draw_one.first("recycle") + 1)):
        await player.start(draw_one, moves)
        await player.press("u")
        await player.at(moves + 2)
        await expect(voice).to_have_text(BACK[language][2 * index])
        await player.press("r")
        await player.at(moves + 3)
        await expect(voice).to_have_text(BACK[language][2 * index + 1])
