"""What went wrong in other solitaires, tried on this page: docs/user-faults.md names the test of each line."""

import re

import pytest
from playwright.async_api import expect

from tests.system.conftest import NewPlayer
from tests.system.page_player import DESK, Game, Player, board_of

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


@pytest.mark.parametrize("came_from", ["column", "waste"])
async def test_a_ten_goes_on_no_king_wherever_it_comes_from(player: Player, came_from: str) -> None:
    """By mouse and by keyboard; the rule is named, and every card stays."""
    game = Game("vegas")
    played = 0 if came_from == "column" else 1
    table = await player.start(game, played, scoring="vegas")
    tops = {column.up[-1]: f"T{index}" for index, column in enumerate(table.columns, start=1) if column.up}
    tops |= {table.waste[-1]: "W"} if table.waste else {}
    (ten,) = [card for card, pile in tops.items() if card[0] == "T" and (pile == "W") == (came_from == "waste")][:1]
    king, target = next((card, pile) for card, pile in tops.items() if card[0] == "K" and pile != "W")
    await player.drag(ten, target)
    await expect(player.message).to_have_text("Columns build down by one in alternating colours.")
    await player.card(ten).focus()
    await player.press("Enter")
    await player.card(king).focus()
    await player.press("Enter", "Escape")
    await player.unchanged(played + 1)
    assert await player.board() == board_of(table)


async def test_an_ace_moved_from_foundation_to_foundation_is_no_move(player: Player) -> None:
    """With two decks each suit has two, and nothing is to be gained between them."""
    await player.open("/?deal=1&variant=spider-klondike&scoring=standard")
    ace, first, second = "AH", "F3", "F7"
    await player.drag(ace, first)
    await player.at(2)
    points = await player.number("points")
    await player.drag(ace, second)
    await player.settled()
    await player.card(ace).focus()
    await player.press("Enter")
    await player.slot(second).focus()
    await player.press("Enter", "Escape", "f")
    await player.unchanged(2)
    assert (await player.board())["up"][first] == [ace]
    assert (await player.number("points"), await player.number("moves")) == (points, 1)


async def test_up_and_down_again_gains_nothing_and_the_counter_never_goes_below_zero(
    player: Player, draw_one: Game
) -> None:
    """The figures are read with their signs."""
    table = await player.start(draw_one, 2)
    (card,) = table.foundations[3][-1:]
    points = await signed(player, "points")
    for version in (4, 6):
        await player.drag(card, "T5")
        await player.at(version)
        await player.card(card).focus()
        await player.press("f")
        await player.at(version + 1)
        points, before = await signed(player, "points"), points
        assert points <= before
    for version in range(8, 14):
        await player.press("u")
        await player.at(version)
        assert await signed(player, "moves") >= 0
    await player.press("u")
    await expect(player.message).to_have_text("There is nothing to take back.")
    assert await signed(player, "moves") >= 0


async def test_the_reason_of_a_hint_is_told_in_words_by_button_and_by_voice(
    new_player: NewPlayer, draw_one: Game
) -> None:
    player = await new_player(DESK, "lt")
    await player.open(draw_one.link)
    await player.page.locator("#hint").click()
    await player.at(2)
    said = player.message.locator("p")
    await expect(said).to_have_text(re.compile("→ .+: .+\\.$"))
    await expect(player.page.locator("#voice")).to_have_text(await said.inner_text())


async def signed(player: Player, figure: str) -> int:
    return int((await player.page.locator(f"#{figure}").inner_text()).replace("−", "-"))


async def test_where_no_move_is_left_the_page_says_so_and_offers_undo(player: Player) -> None:
    """One pass, deal 15: no card of the stock has a place, and none of the table moves."""
    link, draws = "/?deal=15&variant=draw3-1pass", 8
    await player.open(f"{link}&mode=relaxed")
    await player.press(*"d" * draws)
    await player.at(draws + 1)
    await expect(player.message.locator("p")).to_contain_text("No legal move is left here. Take back some moves")
    await expect(player.page.locator("#voice")).to_contain_text("No legal move is left here.")
    await player.message.get_by_role("button", name="Undo").click()
    await player.at(draws + 2)
    await expect(player.message).not_to_contain_text("No legal move")
