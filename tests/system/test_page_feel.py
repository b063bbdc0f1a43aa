"""How the table feels: moves are drawn before they are confirmed, taps mean what is expected, cards go up by themselves
when they may, and nothing that the player does is lost, blocked or taken back.
"""

import os
import re
import signal

import pytest
from playwright.async_api import expect

from shared.rules.cards import RANKS, Card
from shared.rules.legal import legal_moves
from shared.rules.moves import MoveCards, move_text, parse_move
from shared.rules.piles import Pile
from shared.rules.table import Table, apply, pile_cards
from tests.boards import DRAW1
from tests.system.conftest import NewPlayer
from tests.system.page_player import PHONE, Game, Player, board_of
from tests.system.up_process import Up

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]
MOTION = True

SAFE = 'localStorage.setItem("klondike.setting.automatic", "safe")'
DOUBLE_TAP_MS = 350
BACKS_ON_WASTE = '#table .card.down[data-pile="W"]'


LISTEN = """() => {
  window.said = [];
  const voice = document.getElementById("voice");
  new MutationObserver(() => said.push(voice.textContent)).observe(voice, { childList: true });
}"""
"""Keeps all that screen readers are told."""


def lowest(table: Table, text: str) -> tuple[Card, Pile]:
    """The card that a move takes, and where to."""
    move = parse_move(text)
    assert isinstance(move, MoveCards)
    return pile_cards(table, move.source)[-move.count], move.target


async def drag_at_once(player: Player, table: Table, text: str) -> None:
    """Make a move by mouse on the table as it is drawn, without waiting for the server."""
    card, target = lowest(table, text)
    onto = pile_cards(table, target)
    x, y, width, height = await player.rest(
        f'#table [data-card="{onto[-1]}"]' if onto else f'.slot[data-pile="{target}"]'
    )
    await player.lift(card)
    await player.page.mouse.move(x + width / 2, y + height / 2, steps=3)
    await player.page.mouse.up()
    await expect(player.card(card)).to_have_attribute("data-pile", target)


async def choose(player: Player, manner: str) -> None:
    """Set which cards go up by themselves."""
    await player.press("m")
    await player.page.locator("#menu [data-opens=settings]").click()
    await player.page.locator("#setting-automatic").select_option(manner)
    await player.page.locator("#settings [data-closes]").click()


async def test_a_chain_of_moves_is_drawn_while_the_server_is_silent(system: Up, player: Player, draw_one: Game) -> None:
    """Each on top of the last. What a draw brings is a back until the server tells; then all of it is confirmed."""
    texts = ("T7>F2", "T2>T6")
    first = draw_one.texts.index(texts[0])
    assert tuple(draw_one.texts[first : first + 2]) == texts
    await player.start(draw_one, first)
    os.kill(system.pid("game-state"), signal.SIGSTOP)
    try:
        for index, text in enumerate(texts, start=first):
            await drag_at_once(player, draw_one.tables[index], text)
        await player.press("d")
        await expect(player.page.locator(BACKS_ON_WASTE)).to_have_count(1)
        assert await player.version() == first + 1
    finally:
        os.kill(system.pid("game-state"), signal.SIGCONT)
    await player.at(first + 4)
    await expect(player.page.locator(BACKS_ON_WASTE)).to_have_count(0)
    table = draw_one.tables[first + 2]
    board = await player.board()
    assert board["up"] == board_of(table)["up"] | {"W": [table.stock[-1]]}


async def test_moves_made_offline_are_drawn_and_done_once_when_the_server_is_back(
    system: Up, player: Player, draw_one: Game
) -> None:
    await player.start(draw_one, 3)
    os.kill(system.pid("gateway"), signal.SIGKILL)
    await expect(player.table).to_have_attribute("data-connection", "offline")
    for index in (3, 4):
        await drag_at_once(player, draw_one.tables[index], draw_one.texts[index])
    await player.at(6)
    assert await player.board() == board_of(draw_one.tables[5])


def overtaken(table: Table) -> tuple[str, ...]:
    """Two moves, the second one illegal after the first; nothing where there are none such."""
    moves = [move for move in legal_moves(table, DRAW1) if isinstance(move, MoveCards) and move.count == 1]
    for other in moves:
        after = legal_moves(apply(table, other, DRAW1).table, DRAW1)
        for move in moves:
            if move.target == other.source != "W" and move not in after and other.target != move.source:
                return move_text(other), move_text(move)
    return ()


async def test_a_move_that_the_server_refuses_is_taken_back_and_explained(
    system: Up, player: Player, draw_one: Game
) -> None:
    """Another tab has moved the card that it should have gone onto. What was wanted after it is done all the same."""
    index, found = next(found for found in enumerate(map(overtaken, draw_one.tables)) if found[1])
    table = await player.start(draw_one, index)
    other = Player(await player.page.context.new_page(), player.address)
    await other.open()
    await player.page.evaluate(LISTEN)
    card, _ = lowest(table, found[1])
    from_pile = await player.card(card).get_attribute("data-pile")
    os.kill(system.pid("game-state"), signal.SIGSTOP)
    try:
        await drag_at_once(other, table, found[0])
        await drag_at_once(player, table, found[1])
        await player.press("d")
    finally:
        os.kill(system.pid("game-state"), signal.SIGCONT)
    await player.at(index + 3)
    await expect(player.card(card)).to_have_attribute("data-pile", str(from_pile))
    told = await player.message.locator("p").text_content()
    assert told
    assert told.startswith("Columns build down"), told
    assert told in await player.page.evaluate("said")
    assert len((await player.board())["up"]["W"]) == len(table.waste) + 1


async def test_a_second_tap_takes_the_card_to_its_next_place(player: Player, draw_one: Game) -> None:
    """First up, since that is safe; then down again onto the card that came to light; a double tap sends it up."""
    table = await player.start(draw_one, 1)
    ace = table.columns[4].up[-1]
    assert (ace, draw_one.texts[1]) == ("AS", "T5>F4")
    await player.tap(ace)
    await player.at(3)
    await expect(player.card(ace)).to_have_attribute("data-pile", "F4")
    await player.page.wait_for_timeout(DOUBLE_TAP_MS + 50)
    await player.tap(ace)
    await player.at(4)
    await expect(player.card(ace)).to_have_attribute("data-pile", "T5")
    await player.page.wait_for_timeout(DOUBLE_TAP_MS + 50)
    await player.page.mouse.dblclick(*await player.grip(ace))
    await player.at(5)
    await player.unchanged(5)
    await expect(player.card(ace)).to_have_attribute("data-pile", "F4")


async def test_a_held_undo_goes_on_until_it_is_let_go_and_not_a_step_further(player: Player, draw_one: Game) -> None:
    """By button and by key; redo as well."""
    await player.open(draw_one.link)
    await player.press(*"dddddddddd")
    await player.at(11)
    undo = await player.page.locator("#undo").bounding_box()
    assert undo
    await player.page.mouse.move(undo["x"] + undo["width"] / 2, undo["y"] + undo["height"] / 2)
    await player.page.mouse.down()
    await expect(player.table).to_have_attribute("data-version", re.compile("^(1[4-9]|2[01])$"))
    await player.page.mouse.up()
    await player.settled()
    version, stock = await player.version(), (await player.board())["stock"]
    assert stock == 24 - 10 + (version - 11)
    await player.unchanged(version)
    for _ in range(12):
        await player.page.keyboard.down("r")
    await player.page.keyboard.up("r")
    await player.settled()
    assert await player.version() > version
    redone = await player.version() - version
    assert (await player.board())["stock"] == max(24 - 10, stock - redone)


async def test_safe_cards_go_up_by_themselves_after_a_move_and_stay_where_they_are_put_back(
    new_player: NewPlayer, draw_one: Game
) -> None:
    """One undo takes back the move with what followed it; redo makes all of it again."""
    player = await new_player(script=SAFE)
    await player.open(draw_one.link)
    assert draw_one.texts[:3] == ["T5>F2", "T5>F4", "T5>F2"]
    await player.unchanged(1)  # opening a game is no move
    await player.press("d")
    await player.at(6)
    board = await player.board()
    assert board["up"]["F2"], board
    up = sum(len(board["up"][f"F{suit}"]) for suit in range(1, 5))
    assert up == 4
    await player.press("u")
    await player.at(11)
    assert await player.board() == board_of(draw_one.tables[0])
    await player.press("r")
    await player.at(16)
    assert await player.board() == board
    await player.press("u")
    await player.at(21)
    await player.press("d")
    await player.at(22)
    await player.unchanged(22)
    assert (await player.board())["up"]["F2"] == []


async def test_with_always_every_card_goes_up_but_the_one_that_was_taken_down(player: Player, draw_one: Game) -> None:
    def given_back(index: int) -> tuple[str, str] | None:
        table = draw_one.tables[index]
        moves = [move for move in legal_moves(table, draw_one.variant) if isinstance(move, MoveCards)]
        if not table.stock or any(move.target[0] == "F" for move in moves):
            return None
        back = next((move for move in moves if move.source[0] == "F"), None)
        return (pile_cards(table, back.source)[-1], back.target) if back else None

    index = next(index for index in range(3, len(draw_one.tables)) if given_back(index))
    card, pile = given_back(index) or ("", "")
    table = await player.start(draw_one, index)
    assert table.stock[-1] == "AH"
    await choose(player, "always")
    await player.drag(card, pile)
    await player.at(index + 2)
    await player.press("d")
    await player.at(index + 4)
    await expect(player.card("AH")).to_have_attribute("data-pile", "F3")
    await expect(player.card(card)).to_have_attribute("data-pile", pile)


async def test_what_is_finished_by_itself_can_be_stopped_by_any_press(player: Player, draw_one: Game) -> None:
    """Taken back by one undo, and gone on with by the button; once cards go up by themselves, by the next move."""
    index = draw_one.opened
    await player.start(draw_one, index)
    finish = player.message.get_by_role("button", name="Finish")
    before = await player.board()
    await finish.click()
    await expect(player.table).not_to_have_attribute("data-version", str(index + 1))
    await player.page.mouse.click(5, 300)
    await player.settled()
    await expect(finish).to_be_visible()
    version = await player.version()
    await player.press("u")
    await player.at(index + 1 + 2 * (version - index - 1))
    assert await player.board() == before, "what was finished is taken back, and not the move before it"
    await player.press("r")
    await player.at(index + 1 + 3 * (version - index - 1))
    assert await player.table.get_attribute("data-status") == "running"
    await choose(player, "safe")
    board = (await player.board())["up"]
    tops = [pile[-1] for name, pile in board.items() if name[0] == "T" and pile]
    next_up = next(card for card in tops if RANKS.index(card[0]) == len(board[f"F{'CDHS'.index(card[1]) + 1}"]))
    await player.card(next_up).focus()
    await player.press("f")
    assert await player.over() == "won"


async def test_a_drag_shows_where_the_card_may_go_and_where_it_would_lie(new_player: NewPlayer, draw_one: Game) -> None:
    """By mouse, and by finger at phone size."""
    player = await new_player(PHONE)
    await player.open(draw_one.link)
    ace = draw_one.tables[0].columns[4].up[-1]
    start, end = await player.grip(ace), await player.middle("F2")
    touch = await player.page.context.new_cdp_session(player.page)

    async def finger(kind: str, *points: tuple[float, float]) -> None:
        where = [{"x": x, "y": y} for x, y in points]
        await touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": where})

    await finger("touchStart", start)
    await finger("touchMove", (start[0] + 20, start[1] + 20))
    await expect(player.slot("F2")).to_have_class(re.compile(r"\btarget\b"))
    await expect(player.slot("F2")).not_to_have_class(re.compile(r"\baimed\b"))
    await finger("touchMove", end)
    await expect(player.slot("F2")).to_have_class(re.compile(r"\baimed\b"))
    await finger("touchMove", start)
    await expect(player.page.locator("#table .aimed")).to_have_count(0)
    await finger("touchMove", end)
    await finger("touchEnd")
    await player.at(2)
    await expect(player.page.locator("#table .aimed, #table .target")).to_have_count(0)
    await player.lift(draw_one.tables[1].columns[6].up[-1])
    await player.page.mouse.up()
    await player.unchanged(2)


async def test_cards_in_the_hand_stay_there_when_the_table_changes(player: Player, draw_one: Game) -> None:
    """The other tab draws; the card does not jump away from the pointer."""
    await player.open(draw_one.link)
    other = Player(await player.page.context.new_page(), player.address)
    await other.open()
    await player.page.bring_to_front()
    ace = draw_one.tables[0].columns[4].up[-1]
    await player.lift(ace)
    await player.page.mouse.move(600, 500)
    await other.slot("S").dispatch_event("click")
    await expect(player.table).to_have_attribute("data-version", "2")
    await expect(player.card(ace)).to_have_class(re.compile(r"\blifted\b"))
    box = await player.card(ace).bounding_box()
    assert box
    assert box["x"] < 600 < box["x"] + box["width"]
    assert box["y"] < 500 < box["y"] + box["height"]
    await player.page.mouse.up()
    await player.settled()


async def test_where_no_motion_is_wanted_nothing_flies(new_player: NewPlayer, draw_one: Game) -> None:
    player = await new_player(script='localStorage.setItem("klondike.setting.motion", "off")')
    await player.open(draw_one.link)
    await player.press("d")
    await player.at(2)
    assert await player.page.evaluate("document.getAnimations().filter((one) => one.transitionProperty).length") == 0
