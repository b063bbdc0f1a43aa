"""Looks and access: every size without scrolling, names for all, contrast, choices that are kept."""

import asyncio
import os
from pathlib import Path

import pytest
from playwright.async_api import ViewportSize, expect

from tests.system.conftest import NewPlayer
from tests.system.page_player import DESK, PHONE, Game, Player

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="module")]

SIZES = [(360, 640), (390, 844), (640, 360), (768, 1024), (1280, 800), (2560, 1440)]
PLACES = """() => {
  const within = (from, to, length) => from >= -1 && to <= length + 1;
  const inside = (box) => within(box.left, box.right, innerWidth) && within(box.top, box.bottom, innerHeight);
  const table = document.getElementById("table").getBoundingClientRect();
  const cards = [...document.querySelectorAll("#table .card, #table .slot")];
  const at = (element, name) => parseFloat(element.style.getPropertyValue(name));
  const outside = cards.filter((card) => at(card, "--x") < -8 || at(card, "--y") < -8
    || at(card, "--x") + card.offsetWidth > table.width || at(card, "--y") + card.offsetHeight > table.height + 1);
  const buttons = [...document.querySelectorAll(".bar button, .actions button")];
  return {
    scrolls: document.scrollingElement.scrollHeight > innerHeight || document.scrollingElement.scrollWidth > innerWidth,
    cards: outside.map((card) => card.outerHTML.slice(0, 120)),
    buttons: buttons.filter((button) => !inside(button.getBoundingClientRect())).map((button) => button.id),
    small: buttons.filter((button) => button.offsetHeight < 24 || button.offsetWidth < 24).map((button) => button.id),
    width: document.querySelector("#table .card").offsetWidth,
  };
}"""
AXE = Path(os.environ.get("KLONDIKE_AXE", "node_modules/axe-core/axe.min.js"))
axe = pytest.mark.skipif(
    not AXE.exists(), reason="axe-core is not installed (npm install axe-core; KLONDIKE_AXE names its axe.min.js)"
)


async def test_at_every_size_the_whole_table_is_in_sight(player: Player, draw_one: Game) -> None:
    """No scrolling, all cards and buttons inside, also with a long column."""
    longest = max(range(len(draw_one.tables)), key=lambda index: max(len(c.up) for c in draw_one.tables[index].columns))
    await player.start(draw_one, longest)
    for width, height in SIZES:
        await player.page.set_viewport_size(ViewportSize(width=width, height=height))
        await player.settled()
        found = await player.page.evaluate(PLACES)
        assert found["scrolls"] is False, (width, height)
        assert (found["cards"], found["buttons"], found["small"]) == ([], [], []), (width, height)
        assert found["width"] >= (40 if height > 400 else 30), (width, height)


async def test_on_a_phone_the_signs_are_large_and_every_card_shows_its_own(new_player: NewPlayer) -> None:
    player = await new_player(PHONE)
    await player.open()
    await expect(player.table).to_have_attribute("data-index", "large")
    await player.page.set_viewport_size(DESK)
    await expect(player.table).to_have_attribute("data-index", "regular")


@pytest.mark.parametrize("locale", ["en-GB", "de-DE", "lt-LT"])
async def test_on_a_phone_a_message_with_its_buttons_is_in_sight(
    new_player: NewPlayer, draw_one: Game, locale: str
) -> None:
    """Of hints and their alternatives, which have two buttons."""
    player = await new_player(PHONE, locale)
    await player.start(draw_one)
    await player.press("h")
    await expect(player.message.locator("button")).to_have_count(2)
    boxes = [await part.bounding_box() for part in await player.page.locator("#message, #message > *").all()]
    assert len(boxes) == 4
    assert [box for box in boxes if box is None or box["x"] < 0 or box["x"] + box["width"] > PHONE["width"]] == []


@pytest.mark.parametrize("locale", ["en-GB", "de-DE", "lt-LT"])
async def test_on_a_phone_no_sheet_is_wider_than_it_may_be(new_player: NewPlayer, draw_one: Game, locale: str) -> None:
    """Nothing in it is cut off at the side, in any language."""
    wide = """(name) => {
      const sheet = document.getElementById(name);
      const { left, right } = sheet.getBoundingClientRect();
      const outside = ({ left: from, right: to, width }) => width > 1 && (from < left || to > right);
      return [...sheet.querySelectorAll("*")]
        .filter((one) => outside(one.getBoundingClientRect())).map((one) => one.outerHTML.slice(0, 120));
    }"""
    player = await new_player(PHONE, locale)
    await player.start(draw_one)
    for sheet in ("new-game", "games", "deal", "statistics", "daily", "settings", "help", "resigning"):
        await player.press("m")
        await player.page.locator(f"#menu [data-opens={sheet}]").click()
        await expect(player.page.locator(f"#{sheet} [aria-busy]")).to_have_count(0)
        assert await player.page.evaluate(wide, sheet) == [], sheet
        await player.press("Escape")


async def test_four_colours_tell_the_suits_apart_and_are_kept(player: Player, draw_one: Game) -> None:
    await player.start(draw_one, 2)
    colours = """() => ["C", "D", "H", "S"].map(
      (suit) => getComputedStyle(document.querySelector(`#table .face.suit-${suit}`)).color)"""
    assert len(set(await player.page.evaluate(colours))) == 2
    await player.press("m")
    await player.page.locator("#menu [data-opens=settings]").click()
    await player.page.locator("#setting-colours").select_option("four")
    await player.page.reload()
    await player.settled()
    assert len(set(await player.page.evaluate(colours))) == 4


async def test_every_card_and_pile_has_a_name_and_one_place_takes_the_tab_key(player: Player, draw_one: Game) -> None:
    table = await player.start(draw_one, 2)
    for number, column in enumerate(table.columns, start=1):
        label = await player.card(column.up[-1]).get_attribute("aria-label") or ""
        assert label.endswith(f"column {number}")
        assert " of " in label
    assert await player.page.locator("#table [tabindex='0']").count() == 1
    focusable = player.page.locator("#table .covered[tabindex='0'], #table .down[tabindex]")
    assert await focusable.count() == 0


async def test_with_reduced_motion_nothing_flies(new_player: NewPlayer, draw_one: Game) -> None:
    player = await new_player()
    await player.page.emulate_media(reduced_motion="reduce")
    await player.open(draw_one.link)
    await player.move(draw_one.tables[0], draw_one.texts[0])
    await expect(player.table).to_have_class("table still")
    assert (
        await player.page.evaluate("document.getAnimations().filter((one) => one.playState === 'running').length") == 0
    )


async def test_the_page_takes_nothing_from_elsewhere_and_breaks_no_policy(player: Player, draw_one: Game) -> None:
    asked: list[str] = []
    told: list[str] = []
    player.page.on("request", lambda request: asked.append(request.url))
    player.page.on("console", lambda line: told.append(line.text))
    await player.start(draw_one, 3)
    await player.press("h")
    await player.at(5)
    own = player.address.removeprefix("http://")
    assert asked
    assert [url for url in asked if own not in url] == []
    assert [line for line in told if "Content Security Policy" in line or "violates" in line] == []


@axe
@pytest.mark.parametrize("theme", ["light", "dark"])
async def test_axe_finds_nothing_to_object_to(new_player: NewPlayer, draw_one: Game, theme: str) -> None:
    player = await new_player(script=f'localStorage.setItem("klondike.setting.theme", "{theme}")')
    await player.start(draw_one, 10)
    await player.page.evaluate(await asyncio.to_thread(AXE.read_text))
    assert await objections(player) == []
    for sheet in ("new-game", "statistics", "daily", "settings", "rules", "help", "deal", "games"):
        await player.press("m")
        assert await objections(player) == [], "menu"
        await player.page.locator(f"#menu [data-opens={sheet}]").click()
        await expect(player.page.locator(f"#{sheet} [aria-busy]")).to_have_count(0)
        assert await objections(player) == [], sheet
        await player.press("Escape")
    await player.press("?")
    await player.page.locator("#tour-again").click()
    assert await objections(player) == [], "tour"
    await player.press("Escape", "b")
    await expect(player.page.locator("#continue")).to_be_focused()
    assert await objections(player) == [], "pause"


@axe
@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
@pytest.mark.parametrize("theme", ["light", "dark"])
async def test_axe_finds_nothing_to_object_to_in_help_and_history(
    new_player: NewPlayer, draw_one: Game, theme: str, size: ViewportSize
) -> None:
    """All of a new game's choices, a hint, an estimate, "let it play", a result, a history with its verdict."""
    player = await new_player(size, script=f'localStorage.setItem("klondike.setting.theme", "{theme}")')
    await player.start(draw_one, 2)
    await player.page.evaluate(await asyncio.to_thread(AXE.read_text))
    await player.press("n")
    for summary in await player.page.locator("#new-game summary").all():
        await summary.click()
    assert await objections(player) == [], "new game"
    await player.press("Escape")
    for version, key in enumerate("hc", 4):
        await player.press(key)
        await player.at(version)
        assert await objections(player) == [], key
    await player.press("p", "p")
    await expect(player.page.locator("#autoplay")).to_have_attribute("data-state", "resting")
    await player.settled()
    assert await objections(player) == [], "let it play"
    await player.press("Escape", "m")
    await player.page.locator("#resign").click()
    await player.page.locator("#resign-yes").click()
    await expect(player.page.locator("#result-verdict:not([aria-busy])")).to_be_visible()
    assert await objections(player) == [], "result"
    await player.page.locator("#review").click()
    await expect(player.page.locator("#history-viewer")).to_be_visible()
    assert await objections(player) == [], "history"
    await player.page.locator("#history-judge").click()
    await expect(player.page.locator("#history-note:not([aria-busy])")).to_be_visible()
    await player.press("ArrowRight")
    assert await objections(player) == [], "history judged"


async def objections(player: Player) -> list[str]:
    """What axe calls a violation of WCAG 2.2 AA, once opening animations are over."""
    found = await player.page.evaluate(
        """async () => {
          await Promise.allSettled(document.getAnimations().map((one) => one.finished));
          const { violations } = await axe.run({ runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"] });
          return violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.html.slice(0, 160)).join(" | ")}`);
        }"""
    )
    return [str(one) for one in found]
