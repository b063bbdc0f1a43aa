"""A pause on the page: no card is there, the clock stands still, one button goes on; leaving is a pause, too."""

import pytest
from playwright.async_api import Page, WebSocketRoute, expect

from tests.system.conftest import NewPlayer
from tests.system.page_player import PHONE, Game, Player, board_of
from tests.system.test_page_history import resign, review

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

PLAYED = 9
CARDS = "#table .card, #table .slot, #table button"
SKEW = """(() => {
  const real = Date.now.bind(Date);
  window.skew = 0;
  Date.now = () => real() + window.skew;
})()"""
"""A browser whose clock can be put forward."""


async def paused(player: Player, version: int) -> None:
    """The version is a pause, and nothing of the table is on the page."""
    await player.at(version)
    await expect(player.page.locator("#paused")).to_be_visible()
    await expect(player.table).to_be_hidden()
    assert await player.page.locator(CARDS).count() == 0


async def time_of(page: Page) -> str:
    return await page.locator("#time").inner_text()


async def test_a_pause_hides_every_card_and_continue_brings_the_very_same_table(player: Player, draw_one: Game) -> None:
    table = await player.start(draw_one, PLAYED)
    version = await player.version()
    await player.page.locator("#pause").click()
    await paused(player, version + 1)
    await expect(player.page.locator("#continue")).to_be_focused()
    await expect(player.page.locator("#voice")).to_have_text("Paused. The clock stands still.")
    await player.page.locator("#continue").click()
    await player.at(version + 2)
    await expect(player.page.locator("#paused")).to_be_hidden()
    assert await player.board() == board_of(table)
    await player.play(draw_one, PLAYED, PLAYED + 1)


async def test_a_pause_outlives_a_reload_and_no_card_shows_meanwhile(player: Player, draw_one: Game) -> None:
    table = await player.start(draw_one, PLAYED)
    version = await player.version()
    await player.press("b")
    await paused(player, version + 1)
    await player.page.add_init_script(
        f"""new MutationObserver(() => {{
          if (document.querySelector({CARDS!r})) window.cardsSeen = true;
        }}).observe(document, {{ childList: true, subtree: true }});"""
    )
    await player.page.reload()
    await paused(player, version + 1)
    await expect(player.page.locator("#continue")).to_be_focused()
    assert await player.page.evaluate("window.cardsSeen") is None
    await player.page.keyboard.press("Enter")
    await player.at(version + 2)
    assert await player.board() == board_of(table)


async def test_the_keyboard_pauses_goes_on_and_is_back_where_it_was(player: Player, draw_one: Game) -> None:
    table = await player.start(draw_one, PLAYED)
    version = await player.version()
    card = next(column.up[-1] for column in table.columns if column.up)
    await player.card(card).focus()
    await player.page.keyboard.press("Pause")
    await paused(player, version + 1)
    for key in ("ArrowLeft", "3", "f", "d", "u", "h"):
        await player.page.keyboard.press(key)
    await expect(player.message).to_have_text("The game is paused. Continue it first.")
    await expect(player.page.locator("#continue")).to_be_focused()
    assert await player.version() == version + 1
    assert await player.page.locator(CARDS).count() == 0
    await player.page.keyboard.press("Space")
    await player.at(version + 2)
    await expect(player.card(card)).to_be_focused()


async def test_the_clock_stands_still_in_a_pause_whatever_the_browser_thinks(
    new_player: NewPlayer, draw_one: Game
) -> None:
    player = await new_player(script=SKEW)
    await player.start(draw_one, PLAYED)
    version = await player.version()
    await player.press("b")
    await paused(player, version + 1)
    shown = await time_of(player.page)
    await player.page.evaluate("window.skew = 50_000")
    await player.page.evaluate("new Promise((resolve) => setTimeout(resolve, 1_200))")  # two ticks of the page's clock
    assert await time_of(player.page) == shown


async def test_what_was_offered_at_the_table_goes_with_it_and_comes_back(player: Player) -> None:
    """To move up what is left, for one: in a pause that would be refused."""
    game = Game("draw1")
    last = len(game.texts) - 1
    await player.start(game, last)
    await expect(player.message).to_contain_text("Everything is open.")
    version = await player.version()
    await player.press("b")
    await paused(player, version + 1)
    await expect(player.message).to_be_hidden()
    await player.press("b")
    await player.at(version + 2)
    await expect(player.message).to_contain_text("Everything is open.")


async def test_there_is_nothing_to_pause_before_the_first_move(player: Player, draw_one: Game) -> None:
    await player.start(draw_one)
    pause = player.page.locator("#pause")
    await expect(pause).to_have_attribute("aria-disabled", "true")
    await player.press("b")
    await expect(player.message).to_have_text("The clock starts with the first move: there is nothing to pause yet.")
    await player.play(draw_one, 0, 1)
    await expect(pause).to_have_attribute("aria-disabled", "false")


async def test_a_paused_game_can_be_given_up(player: Player, draw_one: Game) -> None:
    await player.start(draw_one, PLAYED)
    await player.press("b")
    await expect(player.page.locator("#paused")).to_be_visible()
    await player.page.locator("#menu-button").click()
    await player.page.locator("#resign").click()
    await player.page.locator("#resign-yes").click()
    await expect(player.page.locator("#result")).to_be_visible()
    await player.page.locator("#result [data-closes]").click()
    await expect(player.page.locator("#paused")).to_be_hidden()
    await expect(player.table).to_be_visible()


async def test_the_history_tells_of_pauses_and_its_clock_stands_in_them(player: Player, draw_one: Game) -> None:
    await player.start(draw_one, 2)
    await player.press("b")
    await player.at(4)
    await player.press("b")
    await player.at(5)
    await resign(player)
    await review(player)
    steps = player.page.locator("#history-moves li")
    await expect(steps.nth(3)).to_contain_text("Paused. The clock stands still.")
    await expect(steps.nth(4)).to_contain_text("The game goes on.")
    times = []
    for step in (3, 4):
        await player.page.locator(f"#history-moves [data-step='{step}']").click()
        await expect(player.page.locator(f"#history-table[data-version='{step + 1}']")).to_be_visible()
        times.append((await player.page.locator("#history-caption").inner_text()).rpartition("time")[2])
    assert times[0] == times[1]
    assert await player.page.locator("#history-table [data-card]").count() >= 7, (
        "a board that is over is hidden from nobody"
    )


async def test_another_device_sees_the_pause_and_may_end_it(new_player: NewPlayer, draw_one: Game) -> None:
    player = await new_player()
    table = await player.start(draw_one, PLAYED)
    version = await player.version()
    other = Player(await player.page.context.new_page(), player.address)
    await other.open()
    await player.press("b")
    await paused(player, version + 1)
    await paused(other, version + 1)
    await other.page.keyboard.press("b")
    for one in (player, other):
        await one.at(version + 2)
        assert await one.board() == board_of(table)


@pytest.mark.parametrize("locale", ["de-DE", "lt-LT"])
async def test_a_pause_is_told_in_the_players_language_on_a_phone(
    new_player: NewPlayer, draw_one: Game, locale: str
) -> None:
    player = await new_player(PHONE, locale)
    await player.start(draw_one, 1)
    await player.page.locator("#pause").click()
    title = {"de-DE": "Pause", "lt-LT": "Pauzė"}[locale]
    await expect(player.page.locator("#paused-title")).to_have_text(title)
    box = await player.page.locator("#continue").bounding_box()
    assert box is not None
    assert box["height"] >= 44
    assert box["y"] + box["height"] <= PHONE["height"]


async def test_what_is_thought_about_holds_nothing_up(player: Player, draw_one: Game) -> None:
    """While the solver has not answered, moves are made at once; its late answer then says nothing."""

    def hold(route: WebSocketRoute) -> None:
        server = route.connect_to_server()
        route.on_message(lambda frame: None if '"chances"' in str(frame) else server.send(frame))

    await player.page.route_web_socket("**/ws", hold)
    await player.start(draw_one, 0)
    await player.press("c")
    await expect(player.message).to_have_text("Thinking …")
    await player.press("d")
    await player.at(2)
    await expect(player.message).to_be_hidden()
    await player.press("b")
    await expect(player.page.locator("#paused")).to_be_visible()
