"""Whole games on the page, against the whole system."""

import asyncio
from collections.abc import Callable

import pytest
from playwright.async_api import WebSocketRoute, expect

from shared.rules.moves import Draw, Move, MoveCards, Recycle, parse_move
from shared.rules.table import apply, pile_cards
from tests.system.conftest import NewPlayer
from tests.system.page_player import WAIT_MS, Game, Player, board_of
from tests.system.up_process import Up

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]
MOTION = True


async def by_mouse(player: Player, game: Game, index: int) -> None:
    """Make a move of the game the way a hand does: drags for cards, a click for the stock."""
    table, version = game.tables[index], await player.version()
    match parse_move(game.texts[index]):
        case MoveCards(source=source, target=target, count=count):
            await player.drag(pile_cards(table, source)[-count], target)
        case _:
            await player.tap_pile("S")
    await player.at(version + 1)


async def test_a_game_played_by_mouse_to_its_win_survives_a_reload_and_the_server(
    system: Up, player: Player, draw_one: Game
) -> None:
    """The table is that of the rules after every move; the winning move is a win at once, and final.

    The moves in the middle are made on another page, and seen on this one.
    """
    await player.open(draw_one.link)
    half, last = 30, len(draw_one.texts) - 6
    for index in range(half):
        await by_mouse(player, draw_one, index)
        assert await player.board() == board_of(draw_one.tables[index + 1]), draw_one.texts[index]
    version, moves, points = await player.version(), await player.number("moves"), await player.number("points")
    assert moves == half

    await player.page.reload()
    await player.settled()
    assert await player.board() == board_of(draw_one.tables[half])
    assert (await player.version(), await player.number("moves"), await player.number("points")) == (
        version,
        moves,
        points,
    )

    await player.play_elsewhere(draw_one, half, last)
    assert await player.board() == board_of(draw_one.tables[last])
    for index in range(last, len(draw_one.texts)):
        await by_mouse(player, draw_one, index)
    await expect(player.table).to_have_attribute("data-status", "won")
    await player.page.keyboard.press("Escape")  # ends the animation
    await expect(player.page.locator("#result")).to_be_visible()
    assert await player.page.locator("#result-title").inner_text() == "You have won!"
    assert await player.board() == board_of(draw_one.tables[-1])
    await won_for_good(player)


async def won_for_good(player: Player) -> None:
    """Undo after the win changes nothing, and statistics have the win once."""
    version = await player.version()
    await player.page.locator("#result [data-closes]").click()
    await player.press("u", "Control+z")
    await expect(player.message).to_have_text("This game is over.")
    await player.unchanged(version)
    await player.page.reload()
    await expect(player.page.locator("#result")).to_be_visible()
    await player.page.locator("#result [data-closes]").click()
    assert await statistics(player) == [("draw1", "false", "1", "1")]


async def statistics(player: Player) -> list[tuple[str, ...]]:
    """Variant, assisted, games, won, as the dialog shows them."""
    await player.page.locator("#menu-button").click()
    await player.page.locator("#menu [data-opens=statistics]").click()
    own = player.page.locator("#own")
    await expect(own).not_to_have_attribute("aria-busy", "true")
    await expect(own.locator(".tile, p")).not_to_have_count(0)
    rows = []
    for tile in await own.locator(".tile").all():
        figures = [await tile.locator(f"[data-figure={name}] dd").inner_text() for name in ("games", "wins")]
        rows.append(
            (await tile.get_attribute("data-variant") or "", await tile.get_attribute("data-assisted") or "", *figures)
        )
    await player.page.locator("#statistics [data-closes]").click()
    return rows


async def test_the_browser_may_be_closed_and_the_game_goes_on(new_player: NewPlayer, draw_one: Game) -> None:
    player = await new_player()
    await player.start(draw_one, 12)
    kept = await player.page.context.storage_state()
    await player.page.close()
    again = Player(await player.page.context.new_page(), player.address)
    assert kept["origins"], "the token is remembered"
    await again.open()
    assert await again.board() == board_of(draw_one.tables[12])


async def test_draw_three_shows_the_fan_and_plays_only_its_top(player: Player, draw_three: Game) -> None:
    """After the top card is played the one below shows; so it stays after undo and reload."""
    index = draw_three.first(r"W>.*")
    table = await player.start(draw_three, index)
    assert len(table.waste) >= 3
    below, top = table.waste[-2:]
    version = await player.version()
    for card in table.waste[-3:-1]:
        await player.tap(card)
        await player.drag(card, "T1")
    await player.unchanged(version)
    places = [(await player.rest(f'#table [data-card="{card}"]'))[0] for card in table.waste[-3:]]
    assert places[0] < places[1] < places[2], "fanned"

    await player.move(table, draw_three.texts[index])
    assert (await player.board())["up"]["W"][-1] == below
    await expect(player.card(below)).to_be_visible()
    await player.press("u")
    await player.at(version + 2)
    assert (await player.board())["up"]["W"][-1] == top
    await player.page.reload()
    assert await player.board() == board_of(table)


async def test_the_last_group_of_a_draw_three_may_be_smaller(player: Player, draw_three: Game) -> None:
    """Nothing is invisible, whatever is left of the stock: here 23 cards are gone through."""
    played = draw_three.first(r"W>.*") + 1
    table, version = await player.start(draw_three, played), played + 1
    assert len(table.stock + table.waste) == 23
    moves: list[Move] = [*[Draw()] * (len(table.stock) // 3), Recycle(), *[Draw()] * 8]
    for move in moves:
        table, version = apply(table, move, draw_three.variant).table, version + 1
        await player.press("d")
        await player.at(version)
        assert await player.board() == board_of(table)
    assert len(table.stock) == 0
    for card in table.waste[-3:]:
        await expect(player.card(card)).to_be_visible()


async def test_an_untouched_deal_leaves_no_trace_and_a_resigned_game_is_lost(player: Player, draw_one: Game) -> None:
    await player.open(draw_one.link)
    assert await statistics(player) == []
    await player.press("d")
    await player.at(2)
    await player.page.locator("#menu-button").click()
    await player.page.locator("#resign").click()
    await player.page.locator("#resigning [data-closes]").click()
    await player.unchanged(2)
    await player.page.locator("#menu-button").click()
    await player.page.locator("#resign").click()
    await player.page.locator("#resign-yes").click()
    await expect(player.page.locator("#result-title")).to_have_text("You have resigned.")
    await expect(player.table).to_have_attribute("data-status", "resigned")
    await player.page.locator("#again").click()
    await player.at(1)
    assert await player.board() == board_of(draw_one.tables[0])


async def test_a_link_to_a_deal_shows_it_and_not_how_the_game_before_ended(player: Player, draw_one: Game) -> None:
    await player.start(draw_one, 1)
    await player.press("m")
    await player.page.locator("#resign").click()
    await player.page.locator("#resign-yes").click()
    await expect(player.page.locator("#result[open]")).to_be_visible()
    await player.start(draw_one, 2)
    assert await player.board() == board_of(draw_one.tables[2])


async def test_the_game_of_a_link_is_under_way_until_it_is_shown(player: Player, draw_one: Game) -> None:
    """The one that was left is on the table before; it does not pass for the one that was asked for."""
    held: asyncio.Queue[Callable[[], None]] = asyncio.Queue()

    def hold(route: WebSocketRoute) -> None:
        server = route.connect_to_server()

        def pass_on(frame: str | bytes) -> None:
            if '"new-game"' in str(frame):
                held.put_nowait(lambda: server.send(frame))
            else:
                server.send(frame)

        route.on_message(pass_on)

    await player.start(draw_one, 0)
    await player.press("d")
    await player.at(2)
    await player.press("m")
    await player.page.locator("#resign").click()
    await player.page.locator("#resign-yes").click()
    await expect(player.page.locator("#result[open]")).to_be_visible()
    await player.page.route_web_socket("**/ws", hold)
    await player.page.goto(player.address + "/?deal=8&variant=draw3")
    await expect(player.page.locator("#table[data-version='3'][data-connection=online]")).to_be_visible()
    await expect(player.table).to_have_attribute("data-busy", "")
    async with asyncio.timeout(WAIT_MS / 1000):
        send = await held.get()
    send()
    await player.at(1)


async def test_a_new_game_keeps_the_running_one(player: Player, draw_one: Game) -> None:
    """It asks first, says where the running game stays, and that one goes on exactly there."""
    await player.start(draw_one, 5)
    await player.press("n")
    await expect(player.page.locator("#new-game-running")).to_be_visible()
    await player.page.locator("#new-game [data-closes]").click()
    await player.unchanged(6)
    await player.press("n")
    await player.page.locator("input[name=variant][value=draw3]").check()
    await player.page.locator("input[name=mode][value=ranked]").check()
    await player.page.locator("#start").click()
    await player.at(1)
    assert (await player.board())["stock"] == 24
    await expect(player.page.locator("#tags")).to_have_text("Draw three · Ranked")
    await player.page.locator("#menu-button").click()
    await player.page.locator("#menu [data-opens=games]").click()
    await player.page.locator("#games-list button:enabled").click()
    await player.at(6)
    assert await player.board() == board_of(draw_one.tables[5])


async def test_the_proof_of_a_secret_deal_is_checked_by_the_page(player: Player) -> None:
    await player.open()
    await player.press("m")
    await player.page.locator("#menu [data-opens=deal]").click()
    proof = player.page.locator("#deal-proof dd")
    commitment = await proof.nth(0).inner_text()
    assert len(commitment) == 64
    await expect(proof.nth(1)).to_have_text("shown when the game is over")
    await player.page.locator("#deal [data-closes]").click()
    await player.press("d", "m")
    await player.page.locator("#resign").click()
    await player.page.locator("#resign-yes").click()
    await player.page.locator("#result [data-closes]").click()
    await player.press("m")
    await player.page.locator("#menu [data-opens=deal]").click()
    assert await proof.nth(0).inner_text() == commitment
    await player.page.locator("#deal-verify").click()
    await expect(player.page.locator("#deal-check")).to_contain_text("Checked in this browser")


async def test_when_all_is_open_one_press_finishes_and_is_no_help(player: Player, draw_one: Game) -> None:
    index = draw_one.opened
    await player.start(draw_one, index)
    await expect(player.message).to_contain_text("Everything is open.")
    await player.message.get_by_role("button").click()
    assert await player.over() == "won"
    await player.page.mouse.click(5, 400)  # ends the animation
    await expect(player.page.locator("#result-title")).to_have_text("You have won!")
    await expect(player.page.locator("#tags")).not_to_contain_text("with help")


async def test_a_deal_link_asks_before_it_leaves_a_running_game(player: Player, draw_one: Game) -> None:
    await player.start(draw_one, 3)
    await player.open("/?deal=7&variant=draw3")
    await expect(player.page.locator("#new-game")).to_be_visible()
    await expect(player.page.locator("#new-game-running")).to_be_visible()
    await expect(player.page.locator("#deal-number")).to_have_value("7")
    assert await player.board() == board_of(draw_one.tables[3])
    await player.page.locator("#deal-number").fill("seven")
    await player.page.locator("#start").click()
    await expect(player.page.locator("#deal-number")).to_have_attribute("aria-invalid", "true")
    await player.page.locator("#deal-number").fill("1673")
    await player.page.locator("input[name=variant][value=draw1]").check()
    await player.page.locator("#start").click()
    await player.at(1)
    assert await player.board() == board_of(draw_one.tables[0])
