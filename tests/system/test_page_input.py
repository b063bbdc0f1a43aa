"""Pointer and keyboard on the page: what is meant is done, once, and nothing else."""

import re
from collections.abc import Callable

import pytest
from playwright.async_api import ViewportSize, expect

from shared.rules.cards import RANKS
from shared.rules.moves import Draw, MoveCards, Recycle, parse_move
from shared.rules.table import Table
from tests.system.conftest import NewPlayer
from tests.system.page_player import DESK, PHONE, Game, Player, board_of

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]
MOTION = True


def first_table(game: Game, condition: Callable[[Table], bool]) -> int:
    """The number of moves after which a table of the game is so."""
    return next(index for index, table in enumerate(game.tables) if condition(table))


def longest_run(table: Table) -> int:
    return max(len(column.up) for column in table.columns)


def empty_columns(table: Table) -> list[str]:
    return [f"T{index}" for index, column in enumerate(table.columns, start=1) if not column.up]


async def test_a_card_inside_a_column_takes_all_that_lies_on_it(player: Player, draw_one: Game) -> None:
    """One drag is one move, and the uncovered card is turned up in it."""
    index = draw_one.first(r"T\d>T\d\*\d+")
    table = await player.start(draw_one, index)
    source, rest = draw_one.texts[index].split(">")
    target, count = rest.split("*")
    card = table.columns[int(source[1:]) - 1].up[-int(count)]
    await player.drag(card, target)
    await player.at(index + 2)
    assert await player.board() == board_of(draw_one.tables[index + 1])
    assert await player.number("moves") == index + 1


async def test_a_run_dropped_where_it_came_from_changes_nothing(player: Player, draw_one: Game) -> None:
    index = first_table(draw_one, lambda table: longest_run(table) >= 3)
    table = await player.start(draw_one, index)
    pile = next(f"T{number}" for number, column in enumerate(table.columns, start=1) if len(column.up) >= 3)
    card = table.columns[int(pile[1:]) - 1].up[1]
    await player.lift(card)
    x, y = await player.grip(card)
    await player.page.mouse.move(x + 30, y + 20, steps=3)
    await player.page.mouse.up()
    await player.unchanged(index + 1)
    assert await player.board() == board_of(table)


async def test_a_face_down_card_is_no_part_of_a_move(player: Player, draw_one: Game) -> None:
    """Not by drag or tap, and not after an undo has turned it down again."""
    await player.open(draw_one.link)
    await player.move(draw_one.tables[0], draw_one.texts[0])
    await player.press("u")
    await player.at(3)
    for pile in ("T5", "T7"):
        x, y, width, height = await player.rest(f'#table .card.down[data-pile="{pile}"]')
        await player.page.mouse.click(x + width / 2, y + height * 0.05)
        await player.page.mouse.move(x + width / 2, y + height * 0.05)
        await player.page.mouse.down()
        await player.page.mouse.move(x + 200, y + 100, steps=3)
        await player.page.mouse.up()
    await player.unchanged(3)
    assert await player.board() == board_of(draw_one.tables[0])


async def test_only_a_king_goes_to_an_empty_column_whatever_it_is_tried_with(player: Player, draw_one: Game) -> None:
    """The refusal says which rule it is; the cards are where they were."""

    def fits(table: Table) -> bool:
        return bool(empty_columns(table)) and any(
            column.up and column.up[-1][0] not in "KA" for column in table.columns
        )

    index = first_table(draw_one, fits)
    table = await player.start(draw_one, index)
    empty = empty_columns(table)[0]
    card = next(column.up[-1] for column in table.columns if column.up and column.up[-1][0] not in "KA")
    await player.drag(card, empty)
    await expect(player.message).to_have_text("Only a King goes to an empty column.")
    await player.unchanged(index + 1)
    await player.card(card).focus()
    await player.press("Enter")
    await player.slot(empty).focus()
    await player.press("Enter")
    await player.unchanged(index + 1)
    assert await player.board() == board_of(table)
    await player.page.mouse.dblclick(*await player.grip(card))
    await player.settled()
    assert (await player.board())["up"][empty] == []


async def test_only_the_next_card_of_the_suit_goes_up_whatever_the_click(player: Player, draw_one: Game) -> None:
    table = await player.start(draw_one, 3)
    heights = {"CDHS"[index]: len(pile) for index, pile in enumerate(table.foundations)}
    tops = [column.up[-1] for column in table.columns]
    wrong = [card for card in tops if RANKS.index(card[0]) != heights[card[1]]]
    assert wrong
    for card in wrong:
        await player.card(card).focus()
        await player.press("f")
        await player.drag(card, f"F{'CDHS'.index(card[1]) + 1}")
        await expect(player.message).to_contain_text("A foundation takes the next card of its suit")
    await player.unchanged(4)
    assert await player.board() == board_of(table)


async def test_a_double_tap_is_for_the_card_of_its_first_tap(player: Player, draw_one: Game) -> None:
    """The ace goes up with the first tap; the ace that comes to light under the second one stays."""
    await player.open(draw_one.link)
    top = draw_one.tables[0].columns[4].up[-1]
    x, y = await player.grip(top)
    await player.page.mouse.dblclick(x, y)
    await player.at(2)
    await player.unchanged(2)
    assert await player.board() == board_of(draw_one.tables[1])


async def test_clicks_and_keys_during_animations_are_all_done_in_order(player: Player, draw_one: Game) -> None:
    """Also while cards are still being dealt."""
    await player.page.goto(player.address + draw_one.link)
    await expect(player.page.locator("#table[data-version]")).to_be_visible()
    x, y = await player.middle("S")
    for _ in range(6):
        await player.page.mouse.click(x, y)
    await player.press("d", "d", "u")
    await player.at(10)
    assert (await player.board())["stock"] == 24 - 7


async def test_keys_pressed_together_end_in_a_legal_state(player: Player, draw_one: Game) -> None:
    """Undo, redo, hint, draw and taps without waiting: what is shown is what the server has."""
    await player.start(draw_one, 4)
    for keys in ("uhd", "ruu", "hud", "drh", "uur", "dhu"):
        await player.press(*keys)
        await player.tap_pile("T3")
    await player.settled()
    shown, version = await player.board(), await player.version()
    cards = [card for pile in shown["up"].values() for card in pile]
    assert len(cards) == len(set(cards))
    assert len(cards) + sum(shown["down"].values()) + shown["stock"] == 52
    await player.page.reload()
    assert await player.board() == shown
    assert await player.version() == version


async def test_a_tap_moves_a_card_where_it_fits_and_says_when_it_cannot(player: Player, draw_one: Game) -> None:
    table = await player.start(draw_one, 0)
    ace = table.columns[4].up[-1]
    assert ace[0] == "A"
    await player.tap(ace)
    await player.at(2)
    assert (await player.board())["up"]["F2"] == [ace]
    stuck = next(column.up[-1] for column in draw_one.tables[1].columns if column.up[-1][0] == "K")
    await player.tap(stuck)
    await expect(player.page.locator("#voice")).to_contain_text("cannot go anywhere now")
    await player.unchanged(2)


async def test_a_card_that_cannot_go_up_is_said_to_be_just_that(player: Player, draw_one: Game) -> None:
    """It may well go elsewhere: of that the key for the foundation says nothing."""
    table = await player.start(draw_one, 0)
    card = next(column.up[-1] for column in table.columns if column.up[-1][0] != "A")
    await player.card(card).focus()
    await player.press("f")
    await expect(player.page.locator("#voice")).to_contain_text("cannot go up to its foundation now")
    await player.unchanged(1)


async def test_shaky_hands_can_pick_up_with_one_tap_and_put_down_with_another(
    new_player: NewPlayer, draw_one: Game
) -> None:
    player = await new_player(script='localStorage.setItem("klondike.setting.tap", "select")')
    table = await player.start(draw_one, 0)
    ace = table.columns[4].up[-1]
    await player.tap(ace)
    await expect(player.card(ace)).to_have_class(re.compile(r"\bpicked\b"))
    await player.unchanged(1)
    await expect(player.slot("F2")).to_have_class(re.compile(r"\btarget\b"))
    await player.tap_pile("F2")
    await player.at(2)
    assert await player.board() == board_of(draw_one.tables[1])


async def test_the_whole_table_is_played_by_keyboard(player: Player, draw_one: Game) -> None:
    """Arrows and digits move a visible focus; Enter picks up and puts down; what happened is said."""
    await player.open(draw_one.link)
    said = player.page.locator("#voice")
    ace = draw_one.tables[0].columns[4].up[-1]
    await player.press("5")
    await expect(player.card(ace)).to_be_focused()
    shadow = "element => getComputedStyle(element.querySelector('.paper')).boxShadow"
    assert "5px" in await player.card(ace).evaluate(shadow)
    await player.press("Enter")
    await expect(said).to_have_text("Ace of diamonds picked up. It can go to: diamonds foundation.")
    await player.press("ArrowUp")
    await expect(player.slot("F2")).to_be_focused()
    await player.press("Enter")
    await player.at(2)
    await expect(said).to_contain_text("Ace of diamonds to diamonds foundation.")
    await player.press("Escape", "ArrowLeft", "ArrowLeft", "ArrowLeft")
    await expect(player.slot("S")).to_be_focused()
    await player.press(" ", "Enter", "d")
    await player.at(5)
    assert (await player.board())["stock"] == 21
    await player.press("ArrowDown")
    assert await player.page.evaluate("document.activeElement.dataset.pile") == "T1"
    await player.press("ArrowLeft")
    assert await player.page.evaluate("document.activeElement.dataset.pile") == "T7"
    await player.press("5", "f")
    await player.at(6)
    await expect(said).to_contain_text("spades foundation")


def keys_of(text: str) -> list[str]:
    """The keys that make a move, from wherever the focus is."""
    match parse_move(text):
        case Draw() | Recycle():
            return ["d"]
        case MoveCards(source=source, target=target, count=count):
            to_source = {"T": [source[1:]], "W": ["w"], "F": ["w", *["ArrowRight"] * int(source[1:] or 0)]}[source[0]]
            taken = [*to_source, *["ArrowUp"] * (count - 1)]
            return [*taken, "f"] if target[0] == "F" else [*taken, "Enter", target[1:], "Enter"]


async def test_a_whole_game_is_won_by_keyboard_alone(new_player: NewPlayer, draw_one: Game) -> None:
    """Not one press elsewhere: what has the focus is seen, and every move is said, the win last."""
    player = await new_player(script='localStorage.setItem("klondike.setting.motion", "off")')
    await player.open(draw_one.link)
    said = player.page.locator("#voice")
    for index, text in enumerate(draw_one.texts):
        await player.press(*keys_of(text))
        await player.at(index + 2)
        assert await said.inner_text(), text
        if text[0] == "T" and index + 1 < len(draw_one.texts):
            await expect(player.page.locator("#table :focus-visible")).to_have_count(1)
    assert await player.page.locator("#table").get_attribute("data-status") == "won"
    await expect(player.page.locator("#result")).to_be_visible()
    await expect(player.page.locator("#next")).to_be_focused()


async def test_the_menu_closes_by_its_own_button_and_begins_at_its_first_entry(player: Player, draw_one: Game) -> None:
    await player.start(draw_one)
    await player.press("m")
    await expect(player.page.locator("#menu [data-opens=new-game]")).to_be_focused()
    await player.page.locator("#menu [data-closes]").click()
    await expect(player.page.locator("#menu")).to_be_hidden()


async def test_after_a_dialog_the_keys_mean_the_table_again(player: Player, draw_one: Game) -> None:
    """Opened by a press it leaves the focus on the table, by a key where it was; digits work from both."""
    await player.start(draw_one, 1)
    third = player.page.locator('#table [data-card][data-pile="T3"]').last
    await player.page.locator("#menu-button").click()
    await player.page.locator("#menu [data-opens=settings]").click()
    await player.page.locator("#settings [data-closes]").click()
    await expect(player.page.locator("#table :focus")).to_have_count(1)
    await player.press("3")
    await expect(third).to_be_focused()
    await player.page.locator("#menu-button").focus()
    await player.press("Enter", "Escape")
    await expect(player.page.locator("#menu-button")).to_be_focused()
    await player.press("3")
    await expect(third).to_be_focused()
    await player.page.locator("#undo").click()
    await player.at(3)
    await player.press("3")
    await expect(third).to_be_focused()
    await player.page.locator("#undo").focus()
    await player.press("m", "Escape")
    await expect(player.page.locator("#undo")).to_be_focused()


@pytest.mark.parametrize("key", ["m", "n", "?"])
async def test_a_dialog_opened_before_anything_had_the_focus_leaves_it_on_the_table(
    player: Player, draw_one: Game, key: str
) -> None:
    for close in ("Escape", "button"):
        await player.open(draw_one.link if close == "Escape" else "/")
        assert await player.page.evaluate("document.activeElement === document.body")
        await player.press(key)
        dialog = player.page.locator("dialog[open]")
        await expect(dialog).to_be_visible()
        await (player.press(close) if close == "Escape" else dialog.locator("[data-closes]").last.click())
        await expect(dialog).to_have_count(0)
        await expect(player.slot("S")).to_be_focused()
        await player.press("ArrowRight")
        await expect(player.page.locator("#table :focus")).to_have_count(1)


async def test_enter_deals_whatever_choice_has_the_focus(player: Player, draw_one: Game) -> None:
    await player.start(draw_one, 3)
    await player.press("n")
    await expect(player.page.locator("#new-game")).to_be_visible()
    await player.page.locator("#new-game input[name=variant]:checked").focus()
    await player.press("Enter")
    await expect(player.page.locator("#new-game")).to_be_hidden()
    await player.at(1)


async def test_a_card_picked_up_by_keyboard_is_put_down_by_escape_or_its_own_pile(
    player: Player, draw_one: Game
) -> None:
    await player.open(draw_one.link)
    await player.press("5", "Enter")
    await expect(player.page.locator(".picked")).to_have_count(1)
    await player.press("Escape")
    await expect(player.page.locator(".picked")).to_have_count(0)
    await player.press("Enter", "Enter")
    await expect(player.page.locator(".picked")).to_have_count(0)
    await player.unchanged(1)


async def test_a_resize_in_the_middle_of_a_drag_keeps_the_card_in_hand(player: Player, draw_one: Game) -> None:
    await player.open(draw_one.link)
    ace = draw_one.tables[0].columns[4].up[-1]
    await player.lift(ace)
    await player.page.mouse.move(600, 400)
    place = await player.slot("F2").get_attribute("style") or ""
    await player.page.set_viewport_size(ViewportSize(width=900, height=640))
    await expect(player.slot("F2")).not_to_have_attribute("style", place)
    await expect(player.card(ace)).to_have_class(re.compile(r"\blifted\b"))
    await player.page.mouse.move(*await player.middle("F2"), steps=3)
    box = await player.card(ace).bounding_box()
    x, y = await player.middle("F2")
    assert box
    assert box["x"] <= x <= box["x"] + box["width"]
    assert box["y"] <= y <= box["y"] + box["height"]
    await player.page.mouse.up()
    await player.at(2)
    assert await player.board() == board_of(draw_one.tables[1])


async def test_a_finger_drags_and_taps(new_player: NewPlayer, draw_one: Game) -> None:
    """At phone size, by touch events."""
    player = await new_player(PHONE)
    await player.open(draw_one.link)
    ace = draw_one.tables[0].columns[4].up[-1]
    touch = await player.page.context.new_cdp_session(player.page)
    start, end = await player.grip(ace), await player.middle("F2")
    points = [start, ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2), end]
    for index, (x, y) in enumerate(points):
        kind = "touchMove" if index else "touchStart"
        await touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y}]})
    await touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    await player.at(2)
    assert await player.board() == board_of(draw_one.tables[1])


async def test_a_left_handed_player_has_the_stock_on_the_right(new_player: NewPlayer, draw_one: Game) -> None:
    player = await new_player(DESK, script='localStorage.setItem("klondike.setting.hand", "left")')
    await player.start(draw_one, 6)
    assert (await player.middle("S"))[0] > (await player.middle("W"))[0] > (await player.middle("F4"))[0]
    await player.tap_pile("S")
    await player.at(8)
