"""The history viewer: any game that is over, looked through step by step, and saved as a file."""

import csv
import json
from pathlib import Path
from typing import cast

import pytest
from playwright.async_api import Locator, ViewportSize, expect

from tests.system.conftest import NewPlayer
from tests.system.page_player import DESK, PHONE, READ_BOARD, Board, Game, Player, board_of

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]
READ_HISTORY_BOARD = READ_BOARD.replace("#table", "#history-table").replace('(".slot-S")', '("#history-table .slot-S")')
LOST_AT_MOVE_2 = "/?deal=23&variant=draw1"
"""Draw one; it can be won, until 3S of the third column goes to the seventh."""
INSIDE = """() => [...document.querySelectorAll("#history[open] *")].filter((element) => {
  const box = element.getBoundingClientRect();
  return box.width > 0 && !element.closest(".unseen, .table") && (box.left < -1 || box.right > innerWidth + 1);
}).map((element) => element.outerHTML.slice(0, 120))"""

IN_SIGHT = """() => {
  const parts = "header, .felt, .caption, .chart, #history-place, .legend, .buttons button:not([hidden])";
  const boxes = [...document.querySelectorAll(parts.split(", ").map((part) => `#history ${part}`).join(", "))]
    .map((element) => [element.id || element.className || element.tagName, element.getBoundingClientRect()])
    .filter(([, box]) => box.width > 0);
  const out = boxes.filter(([name, { top, bottom, height }]) => top < 0 || bottom > innerHeight
    || height < ({ felt: 130, legend: 12 }[name] ?? 18)).map(([name, box]) => `${name} ${JSON.stringify(box)}`);
  const caption = document.getElementById("history-caption");
  if (caption.scrollHeight > caption.clientHeight + 1) out.push("the caption's words are cut off");
  const over = boxes.flatMap(([one, a], index) => boxes.slice(index + 1)
    .filter(([, b]) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1)
    .map(([two]) => `${one} and ${two}`));
  return [...out, ...over];
}"""


async def resign(player: Player) -> None:
    await player.press("m")
    await player.page.locator("#resign").click()
    await player.page.locator("#resign-yes").click()
    await expect(player.page.locator("#result")).to_be_visible()


async def review(player: Player) -> None:
    await player.page.locator("#review").click()
    await expect(player.page.locator("#history-viewer")).to_be_visible()


async def resigned_game(player: Player, game: Game, moves: int) -> None:
    """A game that was given up after some moves, the last one taken back and made again; its history is open."""
    await player.start(game, moves)
    await player.press("u")
    await player.at(moves + 2)
    await player.press("r")
    await player.at(moves + 3)
    await resign(player)
    await review(player)


async def history_board(player: Player) -> Board:
    return cast("Board", await player.page.evaluate(READ_HISTORY_BOARD))


async def listed(player: Player, found: Locator) -> bool:
    """Whether the list of games, opened anew, has what is looked for."""
    await player.press("m")
    await player.page.locator("#menu [data-opens=games]").click()
    await expect(player.page.locator("#games [aria-busy]")).to_have_count(0)
    return await found.count() > 0


def at(player: Player, step: int) -> Locator:
    return player.page.locator(f"#history-table[data-version='{step + 1}']")


def caption(player: Player) -> Locator:
    return player.page.locator("#history-caption")


async def test_every_step_shows_the_board_that_was_played_on(player: Player, draw_one: Game) -> None:
    """Forwards and back by keyboard, to both ends, and straight to a step of the list."""
    moves = 8
    await resigned_game(player, draw_one, moves)
    tables = [*draw_one.tables[: moves + 1], draw_one.tables[moves - 1], *[draw_one.tables[moves]] * 2]
    for step, table in enumerate(tables):
        await expect(at(player, step)).to_be_visible()
        assert await history_board(player) == board_of(table), step
        await player.press("ArrowRight")
    await expect(caption(player)).to_contain_text("You have resigned.")
    await player.press("ArrowLeft", "ArrowLeft")
    await expect(caption(player)).to_contain_text("Taken back:")
    assert await history_board(player) == board_of(draw_one.tables[moves - 1])
    await player.press("Home")
    await expect(caption(player)).to_contain_text("Step 0 of 11")
    assert await history_board(player) == board_of(draw_one.tables[0])
    await player.press("End")
    await expect(at(player, 11)).to_be_visible()
    await player.page.locator("#history-moves [data-step='3']").click()
    await expect(at(player, 3)).to_be_visible()
    assert await history_board(player) == board_of(draw_one.tables[3])
    await expect(player.page.locator("#history-moves [aria-current='step']")).to_have_count(1)
    await player.press("PageDown", "PageUp")
    await expect(at(player, 1)).to_be_visible()


async def test_it_plays_by_itself_until_it_is_paused_or_over(player: Player, draw_one: Game) -> None:
    await resigned_game(player, draw_one, 1)
    toggle = player.page.locator("#history-play")
    await player.press(" ")
    await expect(toggle).to_have_attribute("aria-label", "Pause")
    await expect(caption(player)).to_have_attribute("aria-live", "off")
    await expect(at(player, 1)).to_be_visible()
    await player.press(" ")
    await expect(toggle).to_have_attribute("aria-label", "Play")
    await toggle.click()
    await expect(at(player, 4)).to_be_visible()
    await expect(toggle).to_have_attribute("aria-label", "Play")
    await expect(caption(player)).to_have_attribute("aria-live", "polite")


async def test_a_game_that_is_over_is_found_in_the_list_of_games(player: Player, draw_one: Game) -> None:
    await player.start(draw_one, 2)
    await resign(player)
    await player.press("Escape")
    found = player.page.locator("#games-over [data-game]")
    while not await listed(player, found):
        await player.press("Escape")  # scoring has not read the end yet
    await expect(found).to_contain_text("resigned")
    await found.click()
    await expect(at(player, 0)).to_be_visible()
    await player.press("End")
    await expect(at(player, 3)).to_be_visible()
    assert await history_board(player) == board_of(draw_one.tables[2])
    await player.press("Escape")
    await expect(player.page.locator("#history")).to_be_hidden()
    assert await player.board() == board_of(draw_one.tables[2]), "the table of the game itself is as it was"


async def test_the_solver_marks_until_when_the_game_could_be_won_once_it_is_asked(player: Player) -> None:
    await player.open(LOST_AT_MOVE_2)
    for version, (source, target) in enumerate([("T5", "F2"), ("T3", "T7")], start=2):
        board = await player.board()
        await player.drag(board["up"][source][-1], target)
        await player.at(version)
    await resign(player)
    await review(player)
    await expect(player.page.locator("#history-chart rect")).to_have_count(0)
    await player.page.locator("#history-judge").click()
    note = player.page.locator("#history-note")
    await expect(note).to_contain_text("This game could be won until move 1. Move 2 lost it.")
    await note.locator("summary").click()
    await expect(note.locator("li").first).to_be_visible()
    assert len(await note.locator("li").all_inner_texts()) >= 51, "the cards that are not on a foundation yet"
    for band, (start, width) in {"winnable": ("0", "1"), "lost": ("2", "1")}.items():
        await expect(player.page.locator(f"#history-chart .{band}")).to_have_attribute("x", start)
        await expect(player.page.locator(f"#history-chart .{band}")).to_have_attribute("width", width)
    await player.press("ArrowRight")
    await expect(at(player, 1)).to_be_visible()
    await player.page.locator("#history-to-lost").click()
    await expect(at(player, 2)).to_be_visible()


async def test_the_time_line_marks_what_was_taken_back_and_help(player: Player, draw_one: Game) -> None:
    await player.start(draw_one, 1)
    await player.press("h")
    await player.at(3)
    await player.press("u")
    await player.at(4)
    await resign(player)
    await review(player)
    await expect(player.page.locator("#history-chart .help")).to_have_attribute("x1", "2")
    await expect(player.page.locator("#history-chart .undo")).to_have_attribute("x1", "3")
    steps = player.page.locator("#history-moves li")
    await expect(steps).to_have_count(5)
    await expect(steps.nth(2)).to_contain_text("Hint: ")
    await expect(player.page.locator("#history-moves .gone")).to_have_count(3)


async def test_a_score_is_written_as_at_the_table(player: Player) -> None:
    """In dollars where the scoring counts in them, the change too."""
    await player.start(Game("vegas"), 2, scoring="vegas")
    shown = await player.page.locator("#points").inner_text()
    assert "$" in shown
    await resign(player)
    await review(player)
    await player.press("Home")
    await expect(caption(player)).to_contain_text("Score -$52 (-$52),")
    await player.press("End")
    await expect(caption(player)).to_contain_text(f"Score {shown}")


async def test_the_game_is_saved_as_a_file_of_each_kind(player: Player, draw_one: Game, tmp_path: Path) -> None:
    await resigned_game(player, draw_one, 2)
    for kind, ending in {"json": "json", "csv": "csv", "text": "txt"}.items():
        async with player.page.expect_download() as saving:
            await player.page.locator(f"#history [data-format={kind}]").click()
        saved = await saving.value
        assert saved.suggested_filename.endswith(f".{ending}")
        await saved.save_as(tmp_path / f"game.{ending}")
    assert json.loads((tmp_path / "game.json").read_text())["moves"] == 2
    with (tmp_path / "game.csv").open(newline="") as file:
        deeds = [row["deed"] for row in csv.DictReader(file)]
    assert deeds[0] == "deal"
    assert deeds[-3:] == ["undo", "redo", "resign"]
    assert "   2. " in (tmp_path / "game.txt").read_text()


@pytest.mark.parametrize("language", ["en", "de", "lt"])
async def test_nothing_is_cut_off_on_a_phone_in_any_language(
    new_player: NewPlayer, draw_one: Game, language: str
) -> None:
    player = await new_player(PHONE, language)
    await resigned_game(player, draw_one, 2)
    for size in (PHONE, ViewportSize(width=640, height=360), DESK):
        await player.resize(size)
        assert await player.page.evaluate(INSIDE) == [], size
    words = (await player.page.locator("#history").inner_text()).split()
    assert [word for word in words if word.startswith(("history.", "over.", "status."))] == []


@pytest.mark.parametrize("language", ["en", "de", "lt"])
async def test_on_a_phone_table_words_time_line_and_buttons_are_in_sight_together(
    new_player: NewPlayer, draw_one: Game, language: str
) -> None:
    """However it is held: nothing lies over another or has to be scrolled to, before the solver was asked and after."""
    player = await new_player(PHONE, language)
    await resigned_game(player, draw_one, 2)
    await all_in_sight(player)
    await player.page.locator("#history-judge").click()
    await expect(player.page.locator("#history-note:not([aria-busy])")).to_be_visible()
    for step in range(6):
        await expect(at(player, step)).to_be_visible()
        await all_in_sight(player)
        await player.press("ArrowRight")


async def all_in_sight(player: Player) -> None:
    """On a phone, however it is held."""
    for size in (ViewportSize(width=640, height=360), PHONE):
        await player.resize(size)
        assert await player.page.evaluate(IN_SIGHT) == [], size


async def test_a_history_that_cannot_be_had_says_why(player: Player, draw_one: Game) -> None:
    await player.start(draw_one, 1)
    await resign(player)
    refusal = {"code": "history-too-long", "text": "…", "fix": "…"}
    await player.page.route("**/history", lambda route: route.fulfill(status=422, json=refusal))
    await player.page.locator("#review").click()
    await expect(player.page.locator("#history-note")).to_have_text("This game is too long to be shown here.")
    await expect(player.page.locator("#history-viewer")).to_be_hidden()
