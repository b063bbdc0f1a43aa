"""A win is celebrated with all its cards, and the table is there again afterwards."""

import pytest
from playwright.async_api import expect

from tests.system.page_player import Game, Player

MOTION = True

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

FACES_NOT_PAINTED = """() => [...document.querySelectorAll("#table .card[data-card] .face")]
  .filter((face) => !face.checkVisibility({ contentVisibilityAuto: true })).length"""
LEAPING = """() => [...document.querySelectorAll("#table .card")]
  .filter((card) => card.getAnimations().some((leap) => leap.playState !== "finished")).length"""


async def test_every_card_that_leaps_at_a_win_has_its_face_and_any_key_ends_it(player: Player, draw_one: Game) -> None:
    """Faces that other cards cover are not painted in play: it would cost time, and nobody sees them."""
    last = len(draw_one.texts) - 1
    await player.start(draw_one, last)
    unpainted = await player.page.evaluate(FACES_NOT_PAINTED)
    assert unpainted > 0
    await player.move(draw_one.tables[last], draw_one.texts[last])
    await player.page.wait_for_function(f"({LEAPING})() > 40")
    assert await player.page.evaluate(FACES_NOT_PAINTED) == 0
    await player.press("x")
    await expect(player.page.locator("#result")).to_be_visible()
    assert await player.page.evaluate(LEAPING) == 0
    assert await player.page.evaluate(FACES_NOT_PAINTED) >= unpainted
