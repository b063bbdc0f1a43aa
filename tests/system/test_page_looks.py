"""Looks and access: every size without scrolling, names for all, contrast, choices that are kept."""

from importlib.resources import files
from itertools import combinations, product

import pytest
from playwright.async_api import ViewportSize, expect

from tests.scoring_logs import recent
from tests.system.colours import BLINDNESS, contrast, distance, seen_with
from tests.system.conftest import NewPlayer
from tests.system.page_player import DESK, PHONE, Game, Player
from tests.system.page_views import walk, walk_for_two
from tests.system.past_games import a_season, have_played
from tests.system.up_process import Up

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

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
AXE = files("axe_playwright_python").joinpath("axe.min.js")
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
VIOLATIONS = """async ([rules, theme]) => {
  document.documentElement.dataset.theme = theme;
  await Promise.allSettled(document.getAnimations().map((one) => one.finished));
  const { violations } = await axe.run({ runOnly: rules });
  return violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.html.slice(0, 160)).join(" | ")}`);
}"""
CUT_OFF = """(name) => {
  const sheet = document.getElementById(name);
  const { left, right } = sheet.getBoundingClientRect();
  const outside = ({ left: from, right: to, width }) => width > 1 && (from < left || to > right);
  return [...sheet.querySelectorAll("*")]
    .filter((one) => outside(one.getBoundingClientRect())).map((one) => one.outerHTML.slice(0, 120));
}"""
FIRST_VISIT_BYTES_MAX = 200_000
COLOURS = """([theme, colours, felt]) => {
  Object.assign(document.documentElement.dataset, { theme, colours, felt });
  const style = getComputedStyle(document.documentElement);
  const named = (name) => style.getPropertyValue(`--${name}`).trim();
  const suits = ["C", "D", "H", "S"].map((suit) => {
    const face = document.querySelector(`#table .face.suit-${suit}`);
    const [red, green, blue] = getComputedStyle(face).color.match(/\\d+/g).map(Number);
    return `#${[red, green, blue].map((part) => part.toString(16).padStart(2, "0")).join("")}`;
  });
  const [paper, cloth] = [["paper", "paper-light"], ["felt", "felt-deep"]].map((names) => names.map(named));
  return { suits, paper, cloth, focus: named("focus") };
}"""
"""The page's colours in one of its looks, as #rrggbb."""

CROWD_BAR = """() => {
  document.querySelector("#points").textContent = "−1,234";
  document.querySelector("#pass").textContent = "3 / 3";
  document.querySelector("#pass-box").hidden = false;
}"""
OVERLAPS = """() => {
  const shown = [...document.querySelectorAll(".bar h1, #tags, .status > div, .actions .tool, #menu-button")]
    .map((part) => [part.id || part.textContent, part.getBoundingClientRect()])
    .filter(([, box]) => box.width > 1);
  return shown.flatMap(([name, one], place) => shown.slice(place + 1)
    .filter(([, other]) => Math.min(one.right, other.right) - Math.max(one.left, other.left) > 0.5)
    .map(([other]) => `${name}, ${other}`));
}"""
"""Parts of the bar that lie over each other."""


async def test_at_every_size_the_whole_table_is_in_sight(player: Player, draw_one: Game) -> None:
    """No scrolling, all cards and buttons inside, also with a long column."""
    longest = max(range(len(draw_one.tables)), key=lambda index: max(len(c.up) for c in draw_one.tables[index].columns))
    await player.start(draw_one, longest)
    for width, height in SIZES:
        await player.resize(ViewportSize(width=width, height=height))
        await player.settled()
        found = await player.page.evaluate(PLACES)
        assert found["scrolls"] is False, (width, height)
        assert (found["cards"], found["buttons"], found["small"]) == ([], [], []), (width, height)
        assert found["width"] >= (40 if height > 400 else 30), (width, height)


@pytest.mark.parametrize("locale", ["en-GB", "de-DE", "lt-LT"])
async def test_score_and_time_are_clear_of_the_buttons_at_every_width(
    new_player: NewPlayer, draw_one: Game, locale: str
) -> None:
    """Also with help, a high score, and as many words as limited passes take."""
    player = await new_player(DESK, locale)
    await player.start(draw_one)
    await player.press("h")
    await expect(player.message.locator("button")).to_have_count(2)
    await player.page.evaluate(CROWD_BAR)
    for width in (*range(720, 1480, 80), 1920):
        await player.resize(ViewportSize(width=width, height=800))
        assert await player.page.evaluate(OVERLAPS) == [], width
    assert await player.page.locator("#undo span").evaluate("(label) => label.offsetWidth > 1")


async def test_on_a_phone_the_signs_are_large_and_every_card_shows_its_own(new_player: NewPlayer) -> None:
    player = await new_player(PHONE)
    await player.open()
    await expect(player.table).to_have_attribute("data-index", "large")
    await player.resize(DESK)
    await expect(player.table).to_have_attribute("data-index", "regular")


@pytest.mark.parametrize("locale", ["en-GB", "de-DE", "lt-LT"])
async def test_on_a_phone_sheets_and_messages_are_in_sight_to_their_edges(
    new_player: NewPlayer, draw_one: Game, locale: str
) -> None:
    """Nothing in a sheet is cut off at the side, in any language; of messages, hints have most, with two buttons."""
    player = await new_player(PHONE, locale)
    await player.start(draw_one)
    for sheet in ("new-game", "games", "deal", "statistics", "daily", "settings", "help", "resigning"):
        await player.press("m")
        await player.page.locator(f"#menu [data-opens={sheet}]").click()
        await expect(player.page.locator(f"#{sheet} [aria-busy]")).to_have_count(0)
        assert await player.page.evaluate(CUT_OFF, sheet) == [], sheet
        await player.press("Escape")
    await player.press("h")
    await expect(player.message.locator("button")).to_have_count(2)
    boxes = [await part.bounding_box() for part in await player.page.locator("#message, #message > *").all()]
    assert len(boxes) == 4
    assert [box for box in boxes if box is None or box["x"] < 0 or box["x"] + box["width"] > PHONE["width"]] == []


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


async def test_suits_and_focus_stand_out_in_every_look(player: Player, draw_one: Game) -> None:
    """WCAG 2.2 AA: 4.5 to 1 for signs on the paper, 3 to 1 for what has the focus on the cloth."""
    await player.start(draw_one, 2)
    felts = await player.page.evaluate("import('./js/settings.js').then(({ SETTINGS }) => SETTINGS.felt)")
    for theme, colours, felt in product(("light", "dark"), ("two", "four"), felts):
        found = await player.page.evaluate(COLOURS, [theme, colours, felt])
        assert min(contrast(suit, paper) for suit in found["suits"] for paper in found["paper"]) >= 4.5, (
            theme,
            colours,
        )
        assert min(contrast(found["focus"], cloth) for cloth in found["cloth"]) >= 3, (theme, felt)


async def test_four_colours_are_told_apart_with_every_kind_of_colour_blindness(player: Player, draw_one: Game) -> None:
    await player.start(draw_one, 2)
    for theme in ("light", "dark"):
        suits = (await player.page.evaluate(COLOURS, [theme, "four", "green"]))["suits"]
        for kind in BLINDNESS:
            seen = [seen_with(kind, suit) for suit in suits]
            assert min(distance(one, other) for one, other in combinations(seen, 2)) >= 20, kind


async def test_the_backs_and_cloths_are_chosen_by_their_looks_and_kept(player: Player, draw_one: Game) -> None:
    """At least four backs; every one is a drawing that the server has."""
    await player.start(draw_one)
    await player.press("m")
    await player.page.locator("#menu [data-opens=settings]").click()
    backs = player.page.locator("#settings [name=setting-back]")
    assert await backs.count() >= 4
    drawing = """() => getComputedStyle(document.querySelector("#table .card.down .back"), "::after")
      .backgroundImage.match(/url\\("(.*)"\\)/)[1]"""
    found, drawings = "", set()
    for back in await backs.all():
        await back.check()
        found = str(await player.page.evaluate(drawing))
        drawings.add(found)
        assert await player.page.evaluate("async (url) => (await fetch(url)).status", found) == 200
    assert len(drawings) == await backs.count()
    await player.page.locator("#settings [name=setting-felt][value=wine]").check()
    await player.page.reload()
    await player.settled()
    assert await player.page.evaluate(drawing) == found
    await expect(player.page.locator("html")).to_have_attribute("data-felt", "wine")


async def test_a_first_visit_transfers_little_until_the_cards_are_there(player: Player, draw_one: Game) -> None:
    """The first paint is before that. Frames of the WebSocket are counted with the files."""
    network = await player.page.context.new_cdp_session(player.page)
    sizes: list[int] = []
    network.on("Network.loadingFinished", lambda event: sizes.append(int(event["encodedDataLength"])))
    network.on("Network.webSocketFrameReceived", lambda event: sizes.append(len(event["response"]["payloadData"])))
    await network.send("Network.enable")
    await player.open(draw_one.link)
    transferred = sum(sizes)
    assert await player.page.evaluate("performance.getEntriesByName('first-contentful-paint').length") == 1
    assert len(sizes) > 20
    assert 20_000 < transferred < FIRST_VISIT_BYTES_MAX


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


@pytest.mark.usefixtures("warm")
@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
async def test_no_view_of_the_page_has_a_barrier(
    system: Up, new_player: NewPlayer, draw_one: Game, size: ViewportSize
) -> None:
    """All of WCAG 2.2 AA that a program can tell. Every dialog that the page has was there to be looked at."""
    player = await new_player(size)
    await player.open()
    await have_played(system, player, a_season("wlw", started_at=recent()))
    seen = []
    async for view in walk(player, draw_one, 6):
        seen.append(view)
        for theme in ("light", "dark"):
            assert await violations(player, theme) == [], (view, theme)
    dialogs = await player.page.locator("dialog").evaluate_all("(all) => all.map((one) => one.id)")
    assert set(dialogs) - set(seen) == set()


async def test_no_view_of_a_game_for_two_has_a_barrier(new_player: NewPlayer) -> None:
    host, guest = await new_player(), await new_player(PHONE)
    async for view in walk_for_two(host, guest):
        for theme in ("light", "dark"):
            assert await violations(host, theme) == [], (view, theme)
    assert await violations(guest, "light") == []


async def violations(player: Player, theme: str) -> list[str]:
    if not await player.page.evaluate("'axe' in window"):
        await player.page.evaluate(AXE.read_text())
    return [str(one) for one in await player.page.evaluate(VIOLATIONS, [RULES, theme])]
