"""The rules page, with the figures that the code plays by, and the tour of those who are here for the first time."""

import re

import pytest
from msgspec.structs import fields
from playwright.async_api import Locator, ViewportSize, expect

from shared.rules.scoring import SCORINGS
from shared.rules.variants import VARIANTS, Variant
from tests.system.conftest import NewPlayer
from tests.system.page_player import DESK, PHONE, Game, Player

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]
READ = """() => ({
  headings: [...document.querySelectorAll("#rules-text h3")].map((heading) => heading.textContent),
  text: document.getElementById("rules-text").innerText,
  points: Object.fromEntries([...document.querySelectorAll("#rules-text [data-scoring]")].map((table) =>
    [table.dataset.scoring, Object.fromEntries([...table.querySelectorAll("[data-kind]")].map((row) =>
      [row.dataset.kind, row.querySelector("td").textContent]))])),
})"""
CHAPTERS = 8
PASSES = {
    "en": {1: "only once", 3: "3 times in all", None: "as often as you like"},
    "de": {1: "nur einmal", 3: "3-mal", None: "so oft du magst"},
    "lt": {1: "tik 1 kartą", 3: "3 kartus", None: "kiek norima kartų"},
}


def heading(player: Player) -> Locator:
    return player.page.locator("#rules h2")


def figure(text: str) -> int:
    """A number as a language writes it, with its sign and currency."""
    return int(re.sub(r"[^\d-]", "", text.replace("−", "-")))


def all_points(scoring: str) -> dict[str, int]:
    """By kind, as they are counted."""
    row = SCORINGS[scoring]
    return {field.name: getattr(row, field.name) for field in fields(row) if field.type is int}


def never_scored(variant: Variant) -> set[str]:
    """Kinds of points that nothing in a variant is given for."""
    return {
        *({"waste_to_foundation", "waste_to_tableau"} if variant.draws_to == "columns" else ()),
        *({"later_pass"} if variant.draws_to == "columns" or variant.passes == 1 else ()),
        *({"turned_up"} if variant.faces == "all" else ()),
        *(() if variant.foundation_give_back else {"foundation_to_tableau"}),
    }


def figures_of(variant: Variant) -> set[int]:
    """Numbers that the rules of a variant cannot do without."""
    drawn = {variant.draw} if variant.draws_to == "waste" and variant.draw > 1 else set()
    stock = variant.cards - sum(variant.columns)
    return {variant.cards, variant.foundations, len(variant.columns), *variant.columns, stock, *drawn}


@pytest.mark.parametrize("language", ["en", "de", "lt"])
async def test_every_variant_is_told_in_full_with_the_figures_that_are_played_by(
    new_player: NewPlayer, language: str
) -> None:
    player = await new_player(DESK, language)
    await player.open("/rules")
    for variant in VARIANTS.values():
        await player.page.locator("#rules-variant").select_option(variant.id)
        found = await player.page.evaluate(READ)
        assert len(found["headings"]) == CHAPTERS
        assert figures_of(variant) <= {int(number) for number in re.findall(r"\d+", found["text"])}, variant.id
        if variant.draws_to == "waste":
            assert PASSES[language][variant.passes] in found["text"], variant.id
        assert [*found["points"]] == [*variant.scorings]
        for scoring, rows in found["points"].items():
            told = {kind: figure(points) for kind, points in rows.items()}
            assert told.items() <= all_points(scoring).items(), variant.id
            untold = {kind for kind, points in all_points(scoring).items() if points} - {*told}
            assert untold <= never_scored(variant), variant.id
        assert re.findall(r"\b(?:rules|rule|points|mode|variant)\.[a-z]|[{}]|undefined", found["text"]) == []


async def test_the_rules_have_an_address_that_outlives_a_reload_and_goes_with_them(player: Player) -> None:
    await player.open("/rules/draw3-1pass")
    await expect(heading(player)).to_be_visible()
    await expect(player.page.locator("#rules-variant")).to_have_value("draw3-1pass")
    assert player.page.url.endswith("/#rules=draw3-1pass")
    await player.page.reload()
    await player.settled()
    await expect(player.page.locator("#rules-variant")).to_have_value("draw3-1pass")
    await player.page.locator("#rules-variant").select_option("vegas")
    assert player.page.url.endswith("/#rules=vegas")
    await player.press("Escape")
    await expect(heading(player)).to_be_hidden()
    await expect(player.page).to_have_url(f"{player.address}/")
    await player.page.evaluate("location.hash = '#rules=double'")
    await expect(player.page.locator("#rules-text")).to_contain_text("8 foundations")


async def test_a_wrong_variant_in_the_address_is_named_and_another_can_be_chosen(player: Player) -> None:
    await player.open("/#rules=freecell")
    await expect(player.page.locator("#rules-note")).to_have_text(
        "“freecell” is no variant that is played here. Choose one."
    )
    await player.page.locator("#rules-variant").select_option("draw3")
    await expect(player.page.locator("#rules-note")).to_be_hidden()


async def test_menu_and_help_open_the_rules_of_what_is_played_and_new_game_those_of_what_is_chosen(
    player: Player,
) -> None:
    await player.open("/?deal=7&variant=spider-klondike")
    for way in ("menu", "help"):
        await player.press("m" if way == "menu" else "?")
        await player.page.locator(f"#{way} [data-opens=rules]").click()
        await expect(player.page.locator("#rules-variant")).to_have_value("spider-klondike")
        await player.press("Escape")
    await player.press("n")
    await player.page.locator("input[name=variant][value=vegas]").check()
    await player.page.locator("#new-rules").click()
    await expect(player.page.locator("#rules-text")).to_contain_text("3 times in all")
    await player.press("Escape")
    await expect(player.page.locator("#new-game")).to_be_visible()
    await expect(player.page.locator("input[name=variant][value=vegas]")).to_be_checked()


async def test_the_keys_that_are_told_name_as_many_columns_as_there_are(player: Player) -> None:
    await player.open("/?deal=7&variant=spider-klondike")
    await player.press("?")
    await expect(player.page.locator("#help-digit")).to_have_text("9")


@pytest.mark.parametrize("language", ["de", "lt"])
async def test_on_a_phone_nothing_of_the_rules_is_cut_off(new_player: NewPlayer, language: str) -> None:
    player = await new_player(PHONE, language)
    await player.open("/#rules=draw1")
    await expect(heading(player)).to_be_visible()
    assert await player.page.evaluate("""() => {
      const sheet = document.getElementById("rules");
      return sheet.scrollWidth <= sheet.clientWidth && sheet.getBoundingClientRect().right <= innerWidth;
    }""")


async def toured(player: Player, link: str) -> Locator:
    await player.open(link)
    tour = player.page.locator("#tour")
    await expect(tour).to_be_visible()
    return tour


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
async def test_a_newcomer_is_shown_around_by_keyboard_and_never_again(
    new_player: NewPlayer, draw_one: Game, size: ViewportSize
) -> None:
    player = await new_player(size, "en-GB", newcomer=True)
    tour = await toured(player, draw_one.link)
    await expect(tour).to_be_focused()
    assert await player.page.evaluate("document.getElementById('tour').getAnimations({subtree: true}).length") == 0
    for step, told in enumerate(("each suit from the Ace", "red and black in turn", "stock", "Undo takes any"), 1):
        await expect(tour.locator("[role=status]")).to_contain_text(told)
        await expect(tour.locator("#tour-place")).to_have_text(f"{step} of 4")
        pointed = await player.page.evaluate(POINTED)
        assert pointed, f"step {step} points at something"
        await player.press(*(["Tab"] * 3 if step == 1 else []), "Enter")
    await expect(tour).to_be_hidden()
    assert await player.page.evaluate("document.activeElement.closest('#table') !== null"), (
        "the game goes on by keyboard"
    )
    await player.page.reload()
    await player.settled()
    await expect(tour).to_be_hidden()
    await player.press("?")
    await player.page.locator("#tour-again").click()
    await expect(tour).to_be_focused()
    for _ in range(12):
        await player.page.keyboard.down("Enter")  # held down
    await player.page.keyboard.up("Enter")
    await player.press("ArrowLeft", "ArrowRight")
    await expect(tour.locator("#tour-place")).to_have_text("2 of 4")
    await player.press("Escape")
    await expect(tour).to_be_hidden()


POINTED = """() => [...document.querySelectorAll("#table .slot, #table .card, .actions .tool")].filter((element) =>
  getComputedStyle(element).outlineStyle === "solid" && !element.matches(":focus-visible")).length"""


@pytest.mark.parametrize("locale", ["en-GB", "de-DE", "lt-LT"])
async def test_on_a_phone_the_tours_ways_lie_in_one_row(new_player: NewPlayer, draw_one: Game, locale: str) -> None:
    player = await new_player(PHONE, locale, newcomer=True)
    tour = await toured(player, draw_one.link)
    boxes = [await way.bounding_box() for way in await tour.locator(".ways button").all()]
    assert len(boxes) == 3
    assert len({box and box["y"] for box in boxes}) == 1


async def test_the_tour_holds_nothing_up_and_is_skipped_in_one_press(new_player: NewPlayer, draw_one: Game) -> None:
    player = await new_player(PHONE, "lt", newcomer=True)
    tour = await toured(player, draw_one.link)
    await player.tap_pile("S")
    await player.at(2)
    await player.press("u")
    await player.at(3)
    await expect(tour).to_be_visible()
    await tour.locator("#tour-end").click()
    await expect(tour).to_be_hidden()


async def test_the_tour_tells_of_no_undo_where_there_is_none(new_player: NewPlayer, draw_one: Game) -> None:
    player = await new_player(DESK, "de", newcomer=True)
    tour = await toured(player, f"{draw_one.link}&mode=ranked")
    await player.press("ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight")
    await expect(tour.locator("[role=status]")).to_contain_text("Zurücknehmen lässt sich in diesem Spiel nichts.")
