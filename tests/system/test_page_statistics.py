"""Statistics on the page: figures, drawings with their table, rankings of three periods, files."""

import csv
import json
from dataclasses import replace

import pytest
from playwright.async_api import expect

from services.scoring.periods import DAY_SECONDS
from tests.scoring_logs import Script, recent
from tests.system.conftest import NewPlayer
from tests.system.page_player import PHONE, Game, Player
from tests.system.past_games import a_season, have_played
from tests.system.up_process import Up

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

SEASON = "wlllwww" * 3 + "l"
"""The result of each game, in order."""
WINS = SEASON.count("w")
LAST_WIN = SEASON.rindex("w")
HOUR_MS = 3_600_000
SIDEWAYS = """() => {
  const sheet = document.getElementById("statistics");
  return sheet.scrollWidth - sheet.clientWidth;
}"""


async def open_statistics(player: Player) -> None:
    await player.press("m")
    await player.page.locator("#menu [data-opens=statistics]").click()
    await expect(player.page.locator("#statistics [aria-busy]")).to_have_count(0)


async def seasoned(system: Up, player: Player, game: Game) -> None:
    """A player who has played a season today, and left one more game. It is noon: nothing ends at midnight."""
    await player.open(game.link)
    season = a_season(SEASON, started_at=recent() - HOUR_MS)
    await have_played(system, player, [*season, Script(acts=("draw",), started_at=recent())])


async def test_the_figures_are_those_of_the_games_and_a_game_that_was_left_is_neither_won_nor_lost(
    system: Up, player: Player, draw_one: Game
) -> None:
    await seasoned(system, player, draw_one)
    await open_statistics(player)
    tile = player.page.locator("#own .tile")
    expected = {
        "games": len(SEASON) + 1, "running": 1, "wins": WINS, "rate": f"{round(100 * WINS / len(SEASON))}%",
        "streak": 0, "losing": 1, "longest": 4, "longest-losses": 3, "best-time": "2:30", "mean-time": "2:40",
        "fewest": 100, "best-points": 500 + LAST_WIN,
    }  # fmt: skip
    for name, value in expected.items():
        await expect(tile.locator(f"[data-figure={name}] dd")).to_have_text(str(value))
    await expect(player.page.locator("#statistics")).to_contain_text("neither won nor lost")


async def test_each_drawing_says_what_it_shows_and_a_table_has_the_same(
    system: Up, player: Player, draw_one: Game
) -> None:
    await seasoned(system, player, draw_one)
    await open_statistics(player)
    drawings = player.page.locator("#course svg[role=img]")
    await expect(drawings).to_have_count(3)
    names = [await drawing.get_attribute("aria-label") for drawing in await drawings.all()]
    now = round(100 * SEASON[-20:].count("w") / 20)
    assert names == [
        f"Won of the last 20 games, in {len(SEASON)} drawn: now {now}%, at most 100%.",
        "Most wins in a row: 4. Most losses in a row: 3.",
        "Times of won games: best 2:30, mean 2:40.",
    ]
    await expect(drawings.nth(1).locator("rect")).to_have_count(len(SEASON))
    await expect(drawings.nth(2).locator("circle")).to_have_count(WINS)
    await player.page.locator("#course summary").press("Enter")
    rows = player.page.locator("#course tbody tr")
    await expect(rows).to_have_count(len(SEASON))
    assert (await rows.nth(0).locator("td").all_inner_texts())[1:3] == ["resigned", f"{now}%"], "the last game first"
    await player.page.locator("#course-help").select_option("true")
    await expect(player.page.locator("#course")).to_have_text("No game of this kind is over yet.")


async def test_who_plays_with_help_sees_the_course_of_those_games(system: Up, player: Player, draw_one: Game) -> None:
    await player.open(draw_one.link)
    helped = [replace(game, acts=("hint", *game.acts)) for game in a_season("wl", started_at=recent())]
    await have_played(system, player, helped)
    await open_statistics(player)
    await expect(player.page.locator("#course-help")).to_have_value("true")
    await expect(player.page.locator("#course svg[role=img]")).to_have_count(3)


async def test_rankings_of_today_this_week_and_all_time_are_tabs_with_their_bounds_and_the_own_place(
    system: Up, new_player: NewPlayer, draw_one: Game
) -> None:
    """By keyboard."""
    long_ago = recent() - 60 * DAY_SECONDS * 1000
    best, own = await new_player(), await new_player()
    for player, at, points in ((best, long_ago, 60_000), (own, recent(), 50_000)):
        await player.open(draw_one.link)
        won = a_season("w", started_at=at)[0]
        await have_played(system, player, [replace(won, points=points)])
    await open_statistics(own)
    tabs, panel = own.page.locator("#ranking-periods [role=tab]"), own.page.locator("#ranking")
    await expect(panel.locator("tbody tr").nth(0)).to_contain_text("60,000")
    await expect(panel.locator("tr.own")).to_contain_text("50,000")
    await expect(panel).to_contain_text("Games won at any time.")
    await tabs.nth(2).focus()
    for key, index, bounds in (("ArrowRight", 0, "from 00:00 to 24:00 UTC"), ("ArrowRight", 1, "from Monday")):
        await own.press(key)
        await expect(tabs.nth(index)).to_be_focused()
        await expect(tabs.nth(index)).to_have_attribute("aria-selected", "true")
        await expect(panel).to_contain_text(bounds)
        await expect(panel.locator("tr.own td").nth(0)).to_have_text("1")
        await expect(panel).not_to_contain_text("60,000")
    assert await own.page.locator("#ranking-periods [tabindex='0'], #ranking-periods :not([tabindex])").count() == 1
    await own.page.locator("#ranking-variant").select_option("draw3")
    await expect(panel).to_contain_text("Nobody is ranked here yet.")


async def test_statistics_and_games_are_downloaded_as_csv_and_json(system: Up, player: Player, draw_one: Game) -> None:
    await seasoned(system, player, draw_one)
    await open_statistics(player)

    async def saved(path: str) -> tuple[str, str]:
        async with player.page.expect_download() as download:
            await player.page.locator(f"#statistics [data-export='{path}']").click()
        file = await download.value
        return file.suggested_filename, (await file.path()).read_text()

    name, text = await saved("statistics/export?format=csv")
    (row,) = csv.DictReader(text.splitlines())
    assert (name, row["wins"], row["running"]) == ("klondike-statistics.csv", str(WINS), "1")
    name, text = await saved("games/export?format=csv")
    results = [row["result"] for row in csv.DictReader(text.splitlines())]
    assert name == "klondike-games.csv"
    assert results.count("won") == WINS
    assert results.count("running") == 2, "the one that was left, and the one on the table"
    name, text = await saved("statistics/export?format=json")
    assert (name, json.loads(text)["rows"][0]["wins"]) == ("klondike-statistics.json", WINS)
    name, text = await saved("games/export?format=json")
    assert (name, json.loads(text)["complete"]) == ("klondike-games.json", True)


@pytest.mark.parametrize("locale", ["en-GB", "de-DE", "lt-LT"])
async def test_on_a_phone_nothing_of_the_statistics_is_scrolled_sideways(
    system: Up, new_player: NewPlayer, draw_one: Game, locale: str
) -> None:
    player = await new_player(PHONE, locale)
    await seasoned(system, player, draw_one)
    await open_statistics(player)
    await player.page.locator("#course summary").click()
    for period in ("day", "week", "all"):
        await player.page.locator(f"#period-{period}").click()
        await expect(player.page.locator("#statistics [aria-busy]")).to_have_count(0)
        assert await player.page.evaluate(SIDEWAYS) == 0, period
    for drawing in await player.page.locator("#course svg").all():
        box = await drawing.bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= PHONE["width"]


async def test_without_scoring_the_dialog_says_so_and_games_go_on(player: Player, draw_one: Game) -> None:
    await player.open(draw_one.link)
    await player.page.route("**/api/statistics*", lambda route: route.abort())
    await player.page.route("**/api/history*", lambda route: route.abort())
    await player.page.route("**/api/statistics/export*", lambda route: route.abort())
    await open_statistics(player)
    for box in ("own", "course"):
        await expect(player.page.locator(f"#{box}")).to_contain_text("cannot be reached")
    await player.page.locator("[data-export='statistics/export?format=csv']").click()
    await expect(player.page.locator("#export-note")).to_contain_text("cannot be reached")
