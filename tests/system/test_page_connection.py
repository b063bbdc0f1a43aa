"""The page when things fail: the server dies, storage is refused, another tab plays, the token is unknown."""

import os
import signal

import pytest
from playwright.async_api import expect

from shared.rules.moves import MoveCards, parse_move
from shared.rules.table import pile_cards
from tests.system.conftest import NewPlayer
from tests.system.page_player import Game, Player, board_of
from tests.system.up_process import Up

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

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
    await expect(player.table).to_have_attribute("data-connection", "online")
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
    await expect(player.table).to_have_attribute("data-version", "10")
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
    await expect(time).not_to_have_text("0:00")
    shown = await time.inner_text()
    await expect(time).not_to_have_text(shown)


async def test_a_legal_move_is_drawn_before_the_server_has_answered(system: Up, player: Player, draw_one: Game) -> None:
    """The cards are there at once, and what was done meanwhile follows in order when the answer comes."""
    index = next(index for index, text in enumerate(draw_one.texts[8:], start=8) if text[0] in "WT")
    await player.start(draw_one, index)
    table, move = draw_one.tables[index], parse_move(draw_one.texts[index])
    assert isinstance(move, MoveCards)
    card = pile_cards(table, move.source)[-move.count]
    os.kill(system.pid("game-state"), signal.SIGSTOP)
    try:
        await player.drag(card, move.target)
        await expect(player.card(card)).to_have_attribute("data-pile", move.target)
        await player.press("d", "u")
        assert await player.version() == index + 1
    finally:
        os.kill(system.pid("game-state"), signal.SIGCONT)
    await player.at(index + 4)
    assert await player.board() == board_of(draw_one.tables[index + 1])


async def test_a_foreseen_move_that_another_tab_overtook_is_taken_back(
    system: Up, player: Player, draw_one: Game
) -> None:
    """The table is again what the server has, never a mixture."""
    await player.start(draw_one, 0)
    other = Player(await player.page.context.new_page(), player.address)
    await other.open()
    top = draw_one.tables[0].columns[4].up[-1]
    os.kill(system.pid("game-state"), signal.SIGSTOP)
    try:
        await other.tap(top)
        await other.press("u")
        await player.tap(top)
        await expect(player.card(top)).to_have_attribute("data-pile", "F2")
    finally:
        os.kill(system.pid("game-state"), signal.SIGCONT)
    await player.settled()
    await other.settled()
    await player.page.reload()
    await player.settled()
    await other.at(await player.version())
    assert await other.board() == await player.board()
