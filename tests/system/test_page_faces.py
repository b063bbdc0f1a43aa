"""How cards are drawn: outlines that are put elsewhere are the same outlines, and a face is few elements."""

from typing import Final
from urllib.parse import quote

import pytest
from playwright.async_api import expect

from tests.system.page_player import Game, Player

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

ELEMENTS_MAX: Final = 5
POINTS: Final = 24
NEAR: Final = 0.05

OUTLINES: Final = [
    "M0 7 4.5 2.5V26M14.5 2c3.6 0 5.5 4.5 5.5 12s-1.9 12-5.5 12S9 21.5 9 14 10.9 2 14.5 2Z",
    "M50 5a20 20 0 0 1 16 32 7 7 0 0 0 5 4 21 21 0 1 1-17 32Q40 90 33 96T8 9h.5l-.8-8.5z",
    "M23.6 24.5a1.2 1.2 0 1 0 2.4 0A1.2 2.4 30 1 0 23.6 24.5ZL32 24.5H-5V-.5L.5.5C1.5-2 3 0 4 1",
]
PLACES: Final = [(0.0, 0.0, 1.0), (21.0, 12.0, 1.0), (100.0, 140.0, -1.0), (4.56, -3.0, 0.577), (7.0, 80.5, -1.45)]

DISTANCES: Final = """async ([outlines, places, points]) => {
  const { placed } = await import("/js/cards/outline.js");
  const path = (d) => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", "path");
    made.setAttribute("d", d);
    return made;
  };
  return outlines.flatMap((d) => places.map(([x, y, scale]) => {
    const [here, there] = [path(d), path(placed(d, { x, y, scale }))];
    const [before, after] = [here.getTotalLength(), there.getTotalLength()];
    const far = Array.from({ length: points + 1 }, (_, index) => {
      const one = here.getPointAtLength((index / points) * before);
      const other = there.getPointAtLength((index / points) * after);
      return Math.hypot(one.x * scale + x - other.x, one.y * scale + y - other.y);
    });
    return before > 0 && Math.abs(after - before * Math.abs(scale)) < 0.1 ? Math.max(...far) : Infinity;
  }));
}"""
ELEMENTS: Final = """async (cards) => {
  const { cardFace } = await import("/js/cards/face.js");
  const elements = (card, large) => cardFace(card, large).querySelectorAll("*").length;
  return cards.map((card) => Math.max(elements(card, true), elements(card, false)));
}"""

PICTURES: Final = """async (colours) => {
  document.documentElement.dataset.colours = colours;
  const { cardFace } = await import("/js/cards/face.js");
  const cards = [..."JQK"].flatMap((rank) => [..."CDHS"].map((suit) => rank + suit));
  const pictures = cards.map((card) => cardFace(card, false).querySelector("image").getAttribute("href"));
  await Promise.all(pictures.map((src) => Object.assign(new Image(), { src }).decode()));
  return pictures;
}"""
SUIT_COLOUR: Final = "(suit) => getComputedStyle(document.documentElement).getPropertyValue(`--suit-${suit}`).trim()"
LOOKING_BACK: Final = """() => [...document.styleSheets].flatMap(({ cssRules }) => {
  const selectors = (rules) =>
    [...rules].flatMap((rule) => [rule.selectorText ?? "", ...selectors(rule.cssRules ?? [])]);
  return selectors(cssRules).filter((selector) => selector.includes(":has("))
    .filter((selector) => [...document.querySelectorAll(selector.replace(/:has\\((?:[^()]|\\([^()]*\\))*\\)/g, ""))]
      .some((one) => !one.closest("dialog")));
})"""
"""Selectors that look at what is inside, of elements that are not in a dialog."""
HIDDEN_WORK: Final = """() => ({
  places: [...document.querySelectorAll("#table .card > *")]
    .filter((one) => getComputedStyle(one).getPropertyValue("--x")).length,
  backs: document.querySelectorAll("#table .card[data-card] > .back").length,
  faces: document.querySelectorAll("#table .card.down > .paper").length,
  symbols: getComputedStyle(document.querySelector(".symbols")).display,
})"""


async def test_an_outline_put_elsewhere_is_the_same_outline(player: Player) -> None:
    """Point by point, for every command of a path, larger or smaller or turned round."""
    await player.page.goto(player.address + "/icon.svg")
    distances = await player.page.evaluate(DISTANCES, [OUTLINES, PLACES, POINTS])
    assert len(distances) == len(OUTLINES) * len(PLACES)
    assert max(distances) < NEAR


async def test_a_face_is_few_elements(player: Player) -> None:
    """All are styled anew whenever a dialog opens or a game is dealt."""
    await player.page.goto(player.address + "/icon.svg")
    cards = [rank + suit for suit in "CDHS" for rank in "A23456789TJQK"]
    for card, elements in zip(cards, await player.page.evaluate(ELEMENTS, cards), strict=True):
        assert elements <= ELEMENTS_MAX, card


@pytest.mark.parametrize("colours", ["two", "four"])
async def test_the_figures_of_court_cards_are_pictures_in_the_colours_of_the_deck(player: Player, colours: str) -> None:
    await player.open()
    pictures = await player.page.evaluate(PICTURES, colours)
    assert len(pictures) == len(set(pictures)) == 12
    for suit in "CDHS":
        colour = await player.page.evaluate(SUIT_COLOUR, suit)
        assert len([one for one in pictures if quote(f'fill="{colour}"') in one]) >= 3, suit


async def test_what_is_not_seen_is_not_styled(player: Player, draw_one: Game) -> None:
    """A moved card's place is not handed down to its face; it has a back only while it turns; no rule looks back."""
    await player.start(draw_one)
    await player.press("d")
    await player.settled()
    await expect(player.page.locator("#table .turning-up, #table [data-flight]")).to_have_count(0)
    assert await player.page.evaluate(HIDDEN_WORK) == {"places": 0, "backs": 0, "faces": 0, "symbols": "none"}
    assert await player.page.evaluate(LOOKING_BACK) == []
