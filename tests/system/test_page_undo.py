"""Undo, redo and hints on the page."""

import re

import pytest
from playwright.async_api import expect

from tests.system.page_player import Game, Player, board_of
from tests.system.page_views import sheet

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


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
