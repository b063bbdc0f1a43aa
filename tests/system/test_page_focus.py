"""Where the keyboard is, and what is said, when a sheet opens and when what had the focus is gone."""

import pytest
from playwright.async_api import expect

from tests.system.page_player import Game, Player

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

WELL_FOCUSED = """(name) => {
  const { activeElement: one } = document;
  const [sheet, download] = [document.getElementById(name), one.matches("a, [id*=csv], [id*=json]")];
  return sheet.contains(one) && !one.closest("[aria-hidden=true], [inert]") && !download;
}"""


async def test_every_sheet_opens_with_the_focus_on_something_that_is_said(player: Player, draw_one: Game) -> None:
    await player.start(draw_one, 1)
    await player.press("m")
    names = await player.page.locator("#menu [data-opens]").evaluate_all("(all) => all.map((one) => one.dataset.opens)")
    assert len(names) >= 9
    for name in names:
        if not await player.page.locator("#menu[open]").count():
            await player.press("m")
        await player.page.locator(f"#menu [data-opens={name}]").focus()
        await player.press("Enter")
        await expect(player.page.locator(f"#{name}[open]")).to_be_visible()
        await expect(player.page.locator(f"#{name} [aria-busy]")).to_have_count(0)
        assert await player.page.evaluate(WELL_FOCUSED, name), name
        await player.press("Escape")


async def test_a_new_deal_has_the_focus_on_the_table_and_is_said(player: Player, draw_one: Game) -> None:
    """Whoever plays by keyboard goes on; dealt from a card, and from the end of a game."""
    await player.start(draw_one, 2)
    await player.page.locator("#table .card[data-card][data-pile=T7]").last.focus()
    await player.press("n", "Enter")
    await player.at(1)
    await expect(player.page.locator("#voice")).to_have_text("New game dealt.")
    await expect(player.page.locator("#table :focus")).to_have_count(1)
    await player.press("d", "m")
    await player.page.locator("#resign").click()
    await player.page.locator("#resign-yes").click()
    await expect(player.page.locator("#next")).to_be_focused()
    await player.press("Enter")
    await expect(player.page.locator("#new-game[open]")).to_be_visible()
    await player.page.locator("#start").focus()
    await player.press("Enter")
    await player.at(1)
    await expect(player.page.locator("#table :focus")).to_have_count(1)


@pytest.mark.parametrize("leaves", ["an undone draw", "a card that is turned down again", "a recycle"])
async def test_the_focus_stays_on_its_pile_when_its_card_leaves_the_table(
    player: Player, draw_one: Game, leaves: str
) -> None:
    index = draw_one.first("recycle" if leaves == "a recycle" else "draw")
    if leaves == "a card that is turned down again":
        tables = draw_one.tables
        index = next(
            index
            for index in range(len(tables) - 1)
            if sum(len(column.down) for column in tables[index + 1].columns)
            < sum(len(column.down) for column in tables[index].columns)
        )
    await player.start(draw_one, index + (leaves != "a recycle"))
    pile = "W" if leaves != "a card that is turned down again" else draw_one.texts[index][:2]
    await player.page.locator(f"#table .card[data-card][data-pile={pile}]").last.focus()
    version = await player.version()
    await player.press("d" if leaves == "a recycle" else "u")
    await player.at(version + 1)
    await expect(player.page.locator("#table .turning-down, #table [data-flight]")).to_have_count(0)
    await expect(player.page.locator(f"#table [data-pile={pile}]:focus")).to_have_count(1)


async def test_a_game_that_is_over_is_not_said_to_go_on(player: Player, draw_one: Game) -> None:
    await player.start(draw_one, len(draw_one.texts))
    await expect(player.page.locator("#result[open]")).to_be_visible()
    await player.page.reload()
    await expect(player.page.locator("#result[open]")).to_be_visible()
    await expect(player.page.locator("#voice")).to_have_text("You have won!")


async def test_looks_chosen_on_another_page_of_the_browser_are_taken(player: Player, draw_one: Game) -> None:
    await player.start(draw_one)
    other = await player.page.context.new_page()
    await other.goto(player.address + "/icon.svg")
    await other.evaluate("localStorage.setItem('klondike.setting.colours', 'four')")
    await expect(player.page.locator("html")).to_have_attribute("data-colours", "four")
    await other.evaluate("localStorage.setItem('klondike.setting.colours', 'no such')")
    await other.evaluate("localStorage.setItem('klondike.setting.back', 'stars')")
    await expect(player.page.locator("html")).to_have_attribute("data-back", "stars")
    await expect(player.page.locator("html")).to_have_attribute("data-colours", "four")
    await other.close()
