"""Deals of the day on the page: a month's calendar, any day to play, days in a row; and links to deals."""

import asyncio
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest
from playwright.async_api import Locator, Route, expect

from shared.rules.deal import numbered_deck
from shared.rules.table import lay_out
from shared.rules.variants import SOLO, VARIANTS
from tests.system.conftest import NewPlayer
from tests.system.page_player import DESK, PHONE, Game, Player, board_of
from tests.system.past_games import have_played, won_on
from tests.system.up_process import Up

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

NO_SUCH_DAY = {
    "en": "is no day that has a deal: one from 2020-01-01 to {last} is needed",
    "de": "ist kein Tag mit einem Spiel des Tages: Gebraucht wird einer vom 2020-01-01 bis zum {last}, als",
    "lt": "nėra diena, turinti išdalijimą: reikia dienos nuo 2020-01-01 iki {last}, formatu",
}


def today() -> date:
    """Where the browser is."""
    return datetime.now(UTC).date()


async def open_daily(player: Player) -> None:
    await player.press("m")
    await player.page.locator("#menu [data-opens=daily]").click()
    await loaded(player)


async def loaded(player: Player) -> None:
    await expect(player.page.locator("#daily [aria-busy]")).to_have_count(0)


def day_button(player: Player, day: date) -> Locator:
    return player.page.locator(f"#daily-days [data-day='{day}']")


async def test_the_calendar_shows_what_became_of_each_day_in_words_and_signs(
    system: Up, player: Player, draw_one: Game
) -> None:
    await player.open(draw_one.link)
    last = (today().replace(day=1) - timedelta(days=1)).replace(day=9)
    first, lost, late = last - timedelta(days=1), last - timedelta(days=3), last - timedelta(days=5)
    games = [
        won_on(first),
        won_on(last, play_ms=61_000),
        replace(won_on(last, play_ms=5_000), acts=("draw", "hint", "won")),
        replace(won_on(lost), acts=("draw", "resigned")),
        won_on(late, days_later=3),
    ]
    await have_played(system, player, games)
    await open_daily(player)
    await player.page.locator("#daily-before").click()
    await loaded(player)
    for day, state, words in (
        (first, "won", "won in 3:20"),
        (last, "won", "won in 1:01"),
        (lost, "played", "played, not won"),
        (late, "late", "won later, in 3:20"),
        (last + timedelta(days=1), "open", "not played yet"),
    ):
        await expect(day_button(player, day)).to_have_attribute("data-state", state)
        name = await day_button(player, day).get_attribute("aria-label") or ""
        assert name.endswith(words), name
        assert str(day.year) in name
    await expect(player.page.locator("#daily-row")).to_have_text("Days in a row won in time: 0. Most in a row: 2.")


async def test_todays_deal_is_played_and_marked_and_the_same_for_everybody(
    system: Up, new_player: NewPlayer, draw_one: Game
) -> None:
    await system.warm("dealer")
    boards = []
    other, player = await new_player(), await new_player()
    for one in (other, player):
        await one.start(draw_one, 1)
        await open_daily(one)
        await expect(one.page.locator("#daily-uncertain")).to_be_hidden()
        await one.page.locator("#daily-today").click()
        await one.at(1)
        boards.append(await one.board())
    assert boards[0] == boards[1]
    await player.press("d")
    await player.at(2)
    await player.press("m")
    await player.page.locator("#menu [data-opens=deal]").click()
    await expect(player.page.locator("#deal-text")).to_contain_text("deal of the day of")
    link = await player.page.locator("#deal-proof a").get_attribute("href") or ""
    assert link.endswith(f"/?day={today()}&variant=draw1")
    await player.press("Escape")

    await open_daily(player)
    while await day_button(player, today()).get_attribute("data-state") != "played":  # it is counted a moment later
        await player.press("Escape")
        await open_daily(player)
    await expect(day_button(player, today())).to_have_attribute("aria-current", "date")
    third = await new_player()
    await third.open(link.removeprefix(third.address))
    assert await third.board() == boards[0]


async def test_a_deal_of_the_day_that_comes_late_takes_no_table_from_a_later_game(
    player: Player, draw_one: Game
) -> None:
    """The server looks for it, is asked again, and finds it after another game was begun."""
    await player.start(draw_one, 1)
    asked, found = 0, asyncio.Event()

    async def answer(route: Route) -> None:
        nonlocal asked
        asked += 1
        if asked > 1:
            await found.wait()
            await route.fulfill(json={"number": 7, "day": str(today())})
        else:
            await route.fulfill(status=503, json={"code": "unavailable", "text": "not yet", "fix": "ask again"})

    await player.page.route("**/api/daily/draw1?day=*", answer)
    await open_daily(player)
    await player.page.locator("#daily-today").click()
    await expect(player.message).to_contain_text("looking for a deal")
    await player.press("n")
    await player.page.locator("#start").click()
    await player.at(1)
    await expect(player.message).to_be_hidden()
    board = await player.board()
    async with player.page.expect_response("**/api/daily/draw1?day=*"):
        found.set()
    await player.press("d")
    await player.at(2)
    assert (await player.board())["up"]["T1"] == board["up"]["T1"]
    assert asked == 2


async def test_an_old_day_is_found_and_played_by_keyboard(system: Up, player: Player, draw_one: Game) -> None:
    """Arrows go by days and weeks, page keys by months; no key leads to a day that has no deal."""
    await system.warm("dealer")
    await player.start(draw_one, 1)
    await open_daily(player)
    await day_button(player, today()).focus()
    await player.press("ArrowRight", "ArrowDown", "PageDown")
    await loaded(player)
    await expect(day_button(player, today())).to_be_focused()
    await player.press("PageUp")
    before = (today().replace(day=1) - timedelta(days=1)).replace(day=1)
    await expect(day_button(player, before)).to_be_focused()
    await loaded(player)
    await expect(day_button(player, before)).to_be_focused()
    await player.press("ArrowDown", "ArrowRight")
    day = before + timedelta(days=8)
    await expect(day_button(player, day)).to_be_focused()
    await player.press("Enter")
    await player.at(1)
    await player.press("m")
    await player.page.locator("#menu [data-opens=deal]").click()
    link = await player.page.locator("#deal-proof a").get_attribute("href") or ""
    assert f"day={day}" in link


async def test_where_the_solver_does_not_play_the_variant_the_calendar_says_so(player: Player, draw_one: Game) -> None:
    await player.open(draw_one.link)
    await open_daily(player)
    await player.page.locator("#daily-variant").select_option("spider-klondike")
    await expect(player.page.locator("#daily-uncertain")).to_be_visible()
    await player.page.locator("#daily-today").click()
    await expect(player.page.locator("#tags")).to_contain_text("Spider Klondike")
    number = int(today().strftime("%Y%m%d")) * 1000
    table = lay_out(numbered_deck(number, decks=2), VARIANTS["spider-klondike"])
    assert await player.board() == board_of(table)


@pytest.mark.parametrize("locale", ["en-GB", "de-DE", "lt-LT"])
async def test_on_a_phone_a_whole_week_is_in_sight(new_player: NewPlayer, draw_one: Game, locale: str) -> None:
    player = await new_player(PHONE, locale)
    await player.open(draw_one.link)
    await open_daily(player)
    small = """() => [...document.querySelectorAll("#daily-days button")].filter((day) =>
      day.offsetWidth < 24 || day.offsetHeight < 24 || day.getBoundingClientRect().right > innerWidth).length"""
    assert await player.page.locator("#daily-days th").count() == 7
    assert await player.page.evaluate(small) == 0
    wide = "() => { const sheet = document.getElementById('daily'); return sheet.scrollWidth - sheet.clientWidth; }"
    assert await player.page.evaluate(wide) == 0


async def test_a_number_deals_the_cards_of_the_rules_in_every_variant_and_its_link_deals_them_again(
    new_player: NewPlayer,
) -> None:
    player, other = await new_player(), await new_player()
    for variant in SOLO.values():
        table = lay_out(numbered_deck(20_261, decks=variant.decks), variant)
        await player.open(f"/?deal=20261&variant={variant.id}")
        assert await player.board() == board_of(table), variant.id
        await player.press("m")
        await player.page.locator("#menu [data-opens=deal]").click()
        link = await player.page.locator("#deal-proof a").get_attribute("href") or ""
        await other.open(link.removeprefix(other.address))
        assert await other.board() == board_of(table), link


async def test_a_wrong_link_is_explained_and_a_game_is_there(player: Player) -> None:
    for link, said in (
        ("?deal=seven", "“seven” is no deal number"),
        ("?deal=-1", "“-1” is no deal number"),
        ("?deal=", "“” is no deal number"),
        ("?deal=9007199254740992", "is no deal number"),
        ("?day=2026-02-30", "“2026-02-30” is no day that has a deal"),
        ("?day=2019-12-31", "is no day that has a deal"),
        ("?day=2999-01-01", "is no day that has a deal"),
        ("?deal=7&variant=draw9", "“draw9” is no variant"),
        ("?deal=7&variant=vegas&scoring=standard", "“standard” is no scoring of that variant"),
        ("?deal=7&mode=easy", "“easy” is no mode"),
        ("?join=nonsense", "“nonsense” is no game"),
        ("?watch=", "“” is no game"),
    ):
        await player.open(f"/{link}")
        await expect(player.page.locator("#new-game"), link).to_be_visible()
        await expect(player.message, link).to_contain_text(said)
        assert await player.version() == 1, link


async def test_a_link_to_a_day_asks_before_it_leaves_a_running_game(player: Player, draw_one: Game) -> None:
    await player.start(draw_one, 2)
    await player.open(f"/?day={today() - timedelta(days=40)}&variant=spider-klondike")
    await expect(player.page.locator("#daily")).to_be_visible()
    await expect(player.page.locator("#daily-variant")).to_have_value("spider-klondike")
    assert await player.board() == board_of(draw_one.tables[2])
    await loaded(player)
    await day_button(player, today() - timedelta(days=40)).click()
    await player.at(1)
    await expect(player.page.locator("#tags")).to_contain_text("Spider Klondike")


@pytest.mark.parametrize(("language", "said"), NO_SUCH_DAY.items())
async def test_a_link_may_name_each_day_that_the_server_deals_and_what_is_said_of_others_is_true(
    new_player: NewPlayer, language: str, said: str
) -> None:
    """Tomorrow's too: somewhere it has begun already, and who is there may send its link."""
    player = await new_player(DESK, language)
    newest = today() + timedelta(days=1)
    await player.open(f"/?day={newest + timedelta(days=1)}&variant=spider-klondike")
    await expect(player.message).to_contain_text(said.format(last=newest))
    await player.press("Escape", "d")
    await player.at(2)
    await player.open(f"/?day={newest}&variant=spider-klondike")
    await loaded(player)
    await day_button(player, newest).click()
    await player.at(1)
    await expect(player.slot("T10")).to_be_visible()


async def test_a_bad_deal_number_is_told_in_sight_and_a_number_decides_over_a_seed(new_player: NewPlayer) -> None:
    player = await new_player(PHONE)
    await player.open("/")
    await player.press("n")
    for name in ("player-seed", "deal-number"):
        await player.page.locator("#new-game details", has=player.page.locator(f"#{name}")).locator("summary").click()
    await player.page.locator("#player-seed").fill("mine")
    await expect(player.page.locator("#number-decides")).to_be_hidden()
    await player.page.locator("#deal-number").fill("12x")
    await expect(player.page.locator("#number-decides")).to_be_visible()
    await player.page.locator("#start").click()
    await expect(player.page.locator("#deal-number-fault")).to_contain_text("“12x” is no deal number")
    field = await player.page.locator("#deal-number").bounding_box()
    footer = await player.page.locator("#new-game .buttons").bounding_box()
    assert field
    assert footer
    assert field["y"] >= 0
    assert field["y"] + field["height"] <= footer["y"]
