"""The page when things fail: the server dies, storage is refused, another tab plays, the token is unknown."""

import os
import signal

import pytest
from playwright.async_api import expect

from tests.system.conftest import NewPlayer
from tests.system.page_player import Game, Player, board_of
from tests.system.up_process import Up

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="module")]

NO_STORAGE = """
  const refuse = () => { throw new DOMException("refused", "SecurityError"); };
  Object.defineProperty(window, "localStorage", { get: refuse });
"""


async def test_a_move_made_while_the_gateway_is_dead_is_done_once_when_it_is_back(
    system: Up, player: Player, draw_one: Game
) -> None:
    """The break is shown, the page goes on by itself, nothing is lost or doubled."""
    await player.start(draw_one, 8)
    os.kill(system.pid("gateway"), signal.SIGKILL)
    await expect(player.table).to_have_attribute("data-connection", "offline")
    await expect(player.page.locator("#connection")).to_be_visible()
    await player.press("d")
    await expect(player.table).to_have_attribute("data-connection", "online", timeout=30_000)
    await player.at(10)
    await expect(player.page.locator("#connection")).to_be_hidden()
    table = draw_one.tables[8]
    board = await player.board()
    assert (board["stock"], board["up"]["W"][-1]) == (len(table.stock) - 1, table.stock[-1])
    await player.page.reload()
    assert await player.board() == board


async def test_game_state_may_die_while_playing(system: Up, player: Player, draw_one: Game) -> None:
    await player.start(draw_one, 8)
    os.kill(system.pid("game-state"), signal.SIGKILL)
    await player.press("d")
    await expect(player.table).to_have_attribute("data-version", "10", timeout=30_000)
    await player.page.reload()
    await player.settled()
    assert await player.version() == 10
    assert (await player.board())["stock"] == len(draw_one.tables[8].stock) - 1


async def test_two_tabs_on_one_game_stay_in_step(player: Player, draw_one: Game) -> None:
    await player.start(draw_one, 4)
    other = Player(await player.page.context.new_page(), player.address)
    await other.open()
    assert await other.board() == board_of(draw_one.tables[4])
    await other.move(draw_one.tables[4], draw_one.texts[4])
    await player.at(6)
    assert await player.board() == board_of(draw_one.tables[5])
    await player.move(draw_one.tables[5], draw_one.texts[5])
    await other.at(7)
    assert await other.board() == board_of(draw_one.tables[6])


async def test_where_storage_is_refused_the_game_is_played_all_the_same(new_player: NewPlayer, draw_one: Game) -> None:
    player = await new_player(script=NO_STORAGE)
    await player.start(draw_one, 4)
    assert await player.board() == board_of(draw_one.tables[4])


async def test_an_unknown_token_makes_a_new_guest_and_says_so(new_player: NewPlayer) -> None:
    player = await new_player(script='localStorage.setItem("klondike.token", "somebody.else")')
    await player.open()
    await expect(player.message).to_contain_text("does not know you yet")
    assert (await player.board())["stock"] == 24


async def test_a_game_that_is_not_there_any_more_gives_way_to_a_new_one(new_player: NewPlayer) -> None:
    player = await new_player(script='sessionStorage.x ??= localStorage.setItem("klondike.game", "a".repeat(26)) ?? 1')
    await player.open()
    assert (await player.board())["stock"] == 24
    await expect(player.message).to_be_hidden()


async def test_the_clock_counts_on_between_moves_and_starts_with_the_first(player: Player, draw_one: Game) -> None:
    await player.open(draw_one.link)
    await player.page.wait_for_timeout(1_200)
    time = player.page.locator("#time")
    await expect(time).to_have_text("0:00")
    await player.press("d")
    await player.at(2)
    await expect(time).to_have_text("0:01")
    await expect(time).to_have_text("0:02")
