"""Where messages lie: not on what they are about."""

import pytest
from playwright.async_api import ViewportSize, expect

from tests.system.conftest import NewPlayer
from tests.system.duels import invited, joined
from tests.system.page_player import DESK, PHONE, Game

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

LOW = [ViewportSize(width=740, height=360), ViewportSize(width=667, height=375), ViewportSize(width=568, height=320)]
SIZES = [*LOW, PHONE, ViewportSize(width=390, height=844), ViewportSize(width=768, height=1024), DESK]
LONG = {"vegas": (36, 39), "open": (111,), "spider-klondike": (54, 69)}
"""Positions of golden games with columns of ten to twenty-two cards, where the hint moves cards of one or onto one."""

COVERED = """(selector) => {
  const box = document.getElementById("message").getBoundingClientRect();
  return [...document.querySelectorAll(selector)].filter((element) => {
    const { left, right, top, bottom } = element.getBoundingClientRect();
    return left < box.right && right > box.left && top < box.bottom && bottom > box.top;
  }).map((element) => element.dataset.card ?? element.dataset.pile);
}"""
"""The cards and empty places that the message lies over."""
HINTED = "#table .card.hinted, #table .slot.hinted:not(.covered)"

IN_SIGHT = """() => {
  const [box, area] = ["#message", "main"].map((name) => document.querySelector(name).getBoundingClientRect());
  const inside = box.left >= area.left && box.right <= area.right && box.top >= area.top && box.bottom <= area.bottom;
  const pressed = [...document.querySelectorAll("#message button")].every((button) => {
    const { x, y, width, height } = button.getBoundingClientRect();
    return document.elementFromPoint(x + width / 2, y + height / 2) === button;
  });
  return inside && pressed;
}"""
"""The whole message is in the window, and its buttons can be pressed."""


MOVABLE = "#table .card.movable"


@pytest.mark.parametrize("name", LONG)
async def test_a_hint_covers_none_of_the_cards_it_is_about(new_player: NewPlayer, name: str) -> None:
    """At every size, with its alternatives. On seven columns of common length it covers no card that can be moved."""
    game, moved = Game(name), 0
    for moves in LONG[name]:
        player = await new_player(LOW[0])
        await player.start(game, moves, scoring=game.variant.scorings[0])
        await player.press("h")
        await expect(player.message).to_be_visible()
        for size in [*SIZES, LOW[0]]:
            await player.resize(size)
            for _ in range(2):
                told = f"{name} after {moves} moves at {size}"
                assert await player.page.locator(HINTED).count() > 0, told
                assert await player.page.evaluate(COVERED, HINTED) == [], told
                assert await player.page.evaluate(IN_SIGHT), told
                assert name != "vegas" or await player.page.evaluate(COVERED, MOVABLE) == [], told
                moved += bool(await player.message.get_attribute("style"))
                await player.press("h")
    assert moved, "where it usually is it would have covered some"


async def test_beside_a_table_for_two_a_message_stays_on_the_own_side_and_off_the_cards(new_player: NewPlayer) -> None:
    host, guest = await new_player(), await new_player()
    await joined(guest, await invited(host, "double"))
    await host.settled()
    for size in SIZES:
        await host.resize(size)
        await host.press("h")
        await expect(host.message).to_have_text("There is no help in a game against somebody.")
        assert await host.page.evaluate(IN_SIGHT), size
        assert await host.page.evaluate(COVERED, MOVABLE) == [], size
        assert await host.page.evaluate(COVERED, "#rival-table .card") == [], size
