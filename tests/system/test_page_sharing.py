"""Games that others may look at, and games from files, on the page in a real browser."""

from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.async_api import Route, expect

from tests.system.conftest import NewPlayer
from tests.system.page_player import PHONE, Game, Player, board_of
from tests.system.test_page_history import at, history_board, resigned_game

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]
LOST_BY_ITS_SECOND_MOVE = "Kind draw1, standard, relaxed\nDeal number 23\nT5>F2\nT3>T7\ndraw\n"
INSIDE = """(sheet) => [...document.querySelectorAll(`${sheet}[open] *`)].filter((element) => {
  const box = element.getBoundingClientRect();
  return box.width > 0 && !element.closest(".unseen, .table") && (box.left < -1 || box.right > innerWidth + 1);
}).map((element) => element.outerHTML.slice(0, 120))"""


async def shared(player: Player) -> str:
    """The path of the link to the game whose history is open."""
    await player.page.locator("#history-share").click()
    link = urlsplit(await player.page.locator("#history-link").input_value())
    return f"{link.path}#{link.fragment}"


async def import_dialog(player: Player) -> None:
    await player.press("m")
    await player.page.locator("#menu [data-opens=games]").click()
    await player.page.locator("#games [data-opens=import]").click()
    await expect(player.page.locator("#import")).to_be_visible()


async def test_a_stranger_looks_through_a_game_by_its_link_until_it_is_withdrawn(
    new_player: NewPlayer, draw_one: Game
) -> None:
    owner, stranger = await new_player(), await new_player()
    await resigned_game(owner, draw_one, 3)
    link = await shared(owner)
    assert await shared(owner) == link, "there is one link to a game"
    await stranger.open(link)
    await expect(at(stranger, 0)).to_be_visible()
    await stranger.page.reload()
    await expect(at(stranger, 0)).to_be_visible()
    await stranger.press("End")
    await expect(at(stranger, 6)).to_be_visible()
    assert await history_board(stranger) == board_of(draw_one.tables[3])
    await expect(stranger.page.locator("#history-share")).to_be_hidden()
    await owner.page.locator("#history-withdraw").click()
    await expect(owner.page.locator("#history-note")).to_contain_text("good for nothing")
    assert link in stranger.page.url, "the link stays in the address as long as what it shows is on the screen"
    await stranger.press("Escape")
    await expect(stranger.page).to_have_url(f"{stranger.address}/")
    await stranger.page.evaluate("(link) => { location.hash = link.split('#')[1] }", link)
    await expect(stranger.page.locator("#history-note")).to_have_text("This link is good for nothing any more.")
    await expect(stranger.page.locator("#history-viewer")).to_be_hidden()


@pytest.mark.parametrize(
    "cut", ["", "x", "." * 3, "a" * 26, "a" * 26 + ".", "a" * 26 + ".zzz", "a" * 26 + "." + "b" * 31]
)
async def test_a_link_whose_end_is_missing_says_so_over_the_table_and_opens_no_sheet(player: Player, cut: str) -> None:
    await player.open(f"/#shared={cut}")
    await expect(player.message).to_contain_text("This link is incomplete: its end is missing.")
    await expect(player.page.locator("#history")).to_be_hidden()


async def test_typing_in_the_link_moves_no_step(player: Player, draw_one: Game) -> None:
    await resigned_game(player, draw_one, 2)
    await shared(player)
    await player.press("End")
    await expect(at(player, 0)).to_be_visible()


@pytest.mark.usefixtures("warm")
async def test_a_pasted_list_is_played_again_shown_and_judged(player: Player, draw_one: Game) -> None:
    await player.start(draw_one, 1)
    await import_dialog(player)
    await player.page.locator("#import-text").fill(LOST_BY_ITS_SECOND_MOVE)
    await player.page.locator("#import-look").click()
    await expect(at(player, 0)).to_be_visible()
    await expect(player.page.locator("#history-summary")).to_contain_text("Moves 3")
    await player.page.locator("#history-judge").click()
    note = player.page.locator("#history-note")
    await expect(note).to_contain_text("This game could be won until move 1. Move 2 lost it.", timeout=60_000)
    await player.page.locator("#history-to-lost").click()
    await expect(at(player, 2)).to_be_visible()
    await expect(player.page.locator("#history-share")).to_be_hidden()


async def test_a_saved_file_comes_back_the_same(player: Player, draw_one: Game, tmp_path: Path) -> None:
    await resigned_game(player, draw_one, 4)
    for kind in ("json", "text"):
        async with player.page.expect_download() as saving:
            await player.page.locator(f"#history [data-format={kind}]").click()
        await (await saving.value).save_as(tmp_path / kind)
    for kind in ("json", "text"):
        await player.press("Escape")
        await import_dialog(player)
        await player.page.locator("#import-file").set_input_files(tmp_path / kind)
        await expect(at(player, 0)).to_be_visible()
        await player.press("End")
        await expect(at(player, 7)).to_be_visible()
        assert await history_board(player) == board_of(draw_one.tables[4])


async def test_a_bad_line_is_named_in_the_dialog_and_the_text_stays(player: Player, draw_one: Game) -> None:
    await player.start(draw_one, 1)
    await import_dialog(player)
    await player.page.locator("#import-text").fill(LOST_BY_ITS_SECOND_MOVE + "T1>T1\n")
    await player.page.locator("#import-look").click()
    fault = player.page.locator("#import-fault")
    await expect(fault).to_contain_text("line 6: The cards already lie on this pile (same-pile).")
    assert "T1>T1" in await player.page.locator("#import-text").input_value()
    await player.page.locator("#import-text").fill("")
    await player.page.locator("#import-look").click()
    await expect(fault).to_contain_text("file: it is empty")


@pytest.mark.parametrize("language", ["en", "de", "lt"])
async def test_nothing_is_cut_off_on_a_phone(new_player: NewPlayer, draw_one: Game, language: str) -> None:
    player = await new_player(PHONE, language)
    await resigned_game(player, draw_one, 2)
    await shared(player)
    assert await player.page.evaluate(INSIDE, "#history") == []
    await player.press("Escape")
    await import_dialog(player)
    assert await player.page.evaluate(INSIDE, "#import") == []
    words = (await player.page.locator("#import").inner_text()).split()
    assert [word for word in words if word.startswith(("import.", "history."))] == []


async def test_all_games_that_are_over_are_listed_page_by_page(player: Player, draw_one: Game) -> None:
    """The list goes on behind what is shown, until there is no next page."""
    await player.start(draw_one, 1)

    async def answer(route: Route) -> None:
        after = parse_qs(urlsplit(route.request.url).query).get("after", ["0"])[0]
        end = {"at": 1_700_000_000_000, "result": "lost", "points": 7, "moves": 9, "play_ms": 60_000}
        kind = {"variant": "draw1", "scoring": "standard", "mode": "ranked", "started_at": 0}
        games = [{"game": f"{after}-{number}", **kind, "end": end} for number in range(20)]
        await route.fulfill(json={"games": games, "next": str(int(after) + 20) if after != "40" else None})

    await player.page.route("**/api/history*", answer)
    await player.press("m")
    await player.page.locator("#menu [data-opens=games]").click()
    found, more = player.page.locator("#games-over [data-game]"), player.page.locator("#games-more")
    for count in (20, 40, 60):
        await expect(found).to_have_count(count)
        if count < 60:
            await more.click()
    await expect(more).to_be_hidden()
    assert len({await one.get_attribute("data-game") for one in await found.all()}) == 60
