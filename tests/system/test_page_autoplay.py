"""Hints with their alternatives, and "let it play", on the page."""

import re

import pytest
from playwright.async_api import expect

from shared.messages.jobs import Hint
from shared.rules.moves import parse_move
from shared.rules.table import Table, apply
from shared.solver.hints import best_hint
from tests.boards import Playing, legal_texts
from tests.system.conftest import NewPlayer
from tests.system.page_player import DESK, PHONE, Game, Player, board_of

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

STUCK_SOON = "/?deal=102&variant=draw3"
"""Eight hints from the deal the game is stuck."""
TITLES = {"en": "Let it play", "de": "Spielen lassen", "lt": "Leisti žaisti"}
FASTEST = "+++"
NOTE_TIMES = """() => {
  window.times = {};
  const table = document.getElementById("table");
  const note = () => { times[table.dataset.version] ??= performance.now(); };
  new MutationObserver(note).observe(table, { attributes: true });
}"""
"""Keeps when each version was shown."""


def playing(game: Game, moves: int) -> Playing:
    """What the player of a golden game knows after some of its moves."""
    known = Playing(game.tables[0], game.variant)
    for text in game.texts[:moves]:
        known.play(parse_move(text))
    return known


def hint_of(known: Playing) -> Hint:
    hint = best_hint(known.known(), legal_texts(known.known(), known.variant), known.variant)
    assert hint is not None
    return hint


def after(game: Game, moves: int, hints: int) -> Table:
    """The table when so many hints were followed."""
    known = playing(game, moves)
    for _ in range(hints):
        known.play(parse_move(hint_of(known).move))
    return known.table


async def reached(player: Player, version: int) -> None:
    """Wait for a version or a later one."""
    versions = "|".join(map(str, range(version, version + 100)))
    await expect(player.table).to_have_attribute("data-version", re.compile(f"^({versions})$"))


async def test_a_hint_asked_for_again_shows_its_alternatives_and_costs_nothing(player: Player, draw_one: Game) -> None:
    """One after the other and round again, by key or button; what is shown is what is done."""
    await player.start(draw_one, 0)
    hint = hint_of(playing(draw_one, 0))
    assert hint.alternatives
    await player.press("h")
    await player.at(2)
    first = await player.message.locator("p").inner_text()
    for _ in hint.alternatives:
        await player.press("h")
        await expect(player.message.locator("p")).not_to_have_text(first)
        await expect(player.message).to_contain_text("Or:")
    await player.press("h")
    await expect(player.message.locator("p")).to_have_text(first)
    another = player.message.get_by_role("button", name="Another")
    await another.focus()
    await player.press("Enter")
    await expect(player.message).to_contain_text("Or:")
    await expect(another).to_be_focused()
    await player.unchanged(2)
    await player.message.get_by_role("button", name="Do it").click()
    await player.at(3)
    other = parse_move(hint.alternatives[0].move)
    assert await player.board() == board_of(apply(draw_one.tables[0], other, draw_one.variant).table)


async def test_it_plays_hint_by_hint_to_the_win_and_that_is_help(player: Player, draw_one: Game) -> None:
    """By keyboard alone. Every move is the hint's, each with a version of its own."""
    from_move = len(draw_one.texts) - 12
    await player.start(draw_one, from_move)
    await player.press("p", *FASTEST)
    bar = player.page.locator("#autoplay")
    await expect(bar).to_have_attribute("data-state", "playing")
    assert await player.over() == "won"
    await expect(player.page.locator("#result")).to_be_visible()
    await expect(bar).to_be_hidden()
    await expect(player.page.locator("#tags")).to_contain_text("with help")
    hints = (await player.version() - 1 - from_move) // 2
    assert await player.board() == board_of(after(draw_one, from_move, hints))


async def test_it_rests_when_the_player_does_something_and_goes_on_from_there(player: Player, draw_one: Game) -> None:
    await player.start(draw_one, 0)
    await player.press("m")
    await player.page.locator("#let-play").click()
    bar, toggle = player.page.locator("#autoplay"), player.page.locator("#auto-toggle")
    await player.page.locator("#auto-faster").click(click_count=3)
    await expect(player.page.locator("#auto-pace")).to_have_text("8 moves a second")
    await reached(player, 9)
    await player.press("u")
    await expect(bar).to_have_attribute("data-state", "resting")
    await expect(toggle).to_have_attribute("aria-label", "Go on playing")
    await player.settled()
    version = await player.version()
    moves = await player.number("moves")
    await player.press("h")
    await player.at(version + 1)
    assert await player.number("moves") == moves, "nobody moves while it rests"
    await player.press("p")
    await reached(player, version + 4)
    await player.press("p")
    await expect(bar).to_have_attribute("data-state", "resting")
    await player.page.locator("#auto-end").click()
    await expect(bar).to_be_hidden()


@pytest.mark.usefixtures("warm")
async def test_it_can_think_moves_through_and_follows_whole_plans(player: Player, draw_one: Game) -> None:
    """Chosen in the settings, and remembered. Near the end little is hidden: a few plans then win the game."""
    from_move = next(
        index for index, table in enumerate(draw_one.tables) if not any(column.down for column in table.columns)
    )
    await player.start(draw_one, from_move)
    await player.press("m")
    await player.page.locator("#menu [data-opens=settings]").click()
    await player.page.locator("#setting-advice").select_option("strong")
    await player.press("Escape", "p", *FASTEST)
    assert await player.over() == "won"
    await expect(player.page.locator("#tags")).to_contain_text("with help")
    moves = await player.number("moves") - from_move
    hints = await player.version() - 1 - from_move - moves
    assert 1 <= hints < moves / 4, "the moves of a plan are made without asking again"
    await player.page.reload()
    await player.settled()
    await player.page.locator("#result [data-closes]").click()
    await player.press("m")
    await player.page.locator("#menu [data-opens=settings]").click()
    await expect(player.page.locator("#setting-advice")).to_have_value("strong")


async def test_it_keeps_the_pace_and_says_where_it_knows_no_way_on(player: Player) -> None:
    """The pace is remembered; at one move a second the first move takes a second."""
    await player.open(STUCK_SOON)
    await player.page.evaluate(NOTE_TIMES)
    await player.press("p")
    await player.at(3)
    asked, moved = await player.page.evaluate("[times[2], times[3]]")
    assert moved - asked > 500
    await player.press(*FASTEST)
    await expect(player.message).to_contain_text("There is no hint: you are stuck")
    await expect(player.page.locator("#autoplay")).to_be_hidden()
    assert await player.version() == 1 + 2 * 8
    await player.page.reload()
    await player.settled()
    await player.press("p")
    await expect(player.message).to_contain_text("There is no hint: you are stuck")
    await expect(player.page.locator("#auto-pace")).to_have_text("8 moves a second")
    assert await player.version() == 1 + 2 * 8


@pytest.mark.parametrize("language", TITLES)
async def test_its_controls_fit_a_phone_and_speak_the_players_language(new_player: NewPlayer, language: str) -> None:
    player = await new_player(PHONE if language != "en" else DESK, language)
    await player.open("/?deal=1")
    await player.press("m")
    await expect(player.page.locator("#let-play")).to_have_text(TITLES[language])
    await player.page.locator("#let-play").click()
    bar = player.page.get_by_role("group", name=TITLES[language])
    await expect(bar.get_by_role("button")).to_have_count(4)
    box, size = await bar.bounding_box(), player.page.viewport_size
    assert box is not None
    assert size is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= size["width"]
    await player.press("-")
    assert "0,5" in await bar.inner_text() or language == "en"
