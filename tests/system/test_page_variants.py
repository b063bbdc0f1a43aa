"""Each variant as it is chosen and played on the page."""

import asyncio
import re

import pytest
from playwright.async_api import Locator, expect

from shared.rules.scoring import Scoring
from shared.rules.table import pile_cards
from shared.rules.variants import SOLO, VARIANTS
from tests.play import Play, new_play
from tests.system.page_player import WAIT_MS, Game, Player, board_of

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

OPENING = 4
"""Moves of the golden game that are made before the stock is drawn to its end."""
TWIN_MOVES = 30
NAMES = """() => [...document.querySelectorAll("#table .card[data-card]")].map((card) => {
  const { pile, position } = card.dataset;
  const down = document.querySelectorAll(`#table .card.down[data-pile="${pile}"]`).length;
  return [`${pile} ${down + Number(position)}`, card.dataset.card];
})"""
OF_THREE = [name for name, variant in SOLO.items() if variant.draw == 3]


def option(player: Player, kind: str, value: str = "") -> Locator:
    """A choice in the dialog of a new game, or all of a kind."""
    return player.page.locator(f"input[name={kind}]" + (f"[value={value}]" if value else ""))


async def offered(player: Player, kind: str) -> list[str]:
    return [await one.get_attribute("value") or "" for one in await option(player, kind).all()]


async def chosen(player: Player, variant: str, scoring: str, mode: str = "relaxed") -> Play:
    """Deal a golden game by the dialog; the same game by the rules alone."""
    number = Game(variant).deal
    await player.press("n")
    await option(player, "variant", variant).check()
    await option(player, "scoring", scoring).check()
    await option(player, "mode", mode).check()
    details = player.page.locator("#new-game details:has(#deal-number)")
    if await details.get_attribute("open") is None:
        await details.locator("summary").click()
    await player.page.locator("#deal-number").fill(str(number))
    await player.page.locator("#start").click()
    play = new_play(variant=variant, scoring=scoring, mode=mode, deal=number)
    for index, column in enumerate(play.game.seat.table.columns, start=1):
        # The game before may be at version 1 too, so the cards tell that the new one has come.
        top = player.place(f"T{index}", len(column.up) - 1)
        await expect(top).to_have_attribute("data-card", re.compile(column.up[-1]))
    await player.at(1)
    return play


async def made(player: Player, play: Play, *texts: str) -> None:
    """Make moves on the page and by the rules."""
    for text in texts:
        await player.move(play.game.seat.table, text)
        _ = play.must(text)


def shown(points: int, scoring: Scoring) -> str:
    """Points as an English page writes them."""
    sign = "-" if points < 0 else ""
    return f"{sign}{'$' if scoring.unit == 'dollars' else ''}{abs(points)}"


async def same(player: Player, play: Play) -> None:
    """The page shows cards, points and passes of the game."""
    seat, passes = play.game.seat, play.game.variant.passes
    assert await player.board() == board_of(seat.table)
    await expect(player.page.locator("#points")).to_have_text(shown(seat.points, play.game.scoring))
    if passes is None:
        await expect(player.page.locator("#pass-box")).to_be_hidden()
    else:
        await expect(player.page.locator("#pass")).to_have_text(f"{seat.table.pass_number} of {passes}")


async def test_scorings_are_offered_as_the_variant_has_them(player: Player) -> None:
    """Every variant is there, in the rules' order; a scoring stays chosen where the next variant has it."""
    await player.open()
    await player.press("n")
    assert await offered(player, "variant") == [*VARIANTS]
    for name, variant in VARIANTS.items():
        await option(player, "variant", name).check()
        assert await offered(player, "scoring") == [*variant.scorings]
        await expect(option(player, "scoring", variant.scorings[0])).to_be_checked()
    await option(player, "variant", "draw3").check()
    await option(player, "scoring", "traditional").check()
    await option(player, "variant", "open").check()
    await expect(option(player, "scoring", "traditional")).to_be_checked()
    await option(player, "variant", "vegas").check()
    await expect(option(player, "scoring", "vegas")).to_be_checked()


@pytest.mark.parametrize("variant", SOLO)
async def test_a_variant_is_chosen_and_played_through_its_first_pass(player: Player, variant: str) -> None:
    """To the end of the stock, where it comes round or not, with points and passes, after undo too; a reload shows the
    same.
    """
    rules = SOLO[variant]
    await player.open()
    play = await chosen(player, variant, rules.scorings[-1])
    await same(player, play)
    await made(player, play, *Game(variant).texts[:OPENING])
    await same(player, play)
    draws = -(-len(play.game.seat.table.stock) // rules.draw)
    await player.press(*["d"] * draws)
    await player.at(play.game.version + draws)
    for _ in range(draws):
        _ = play.must("draw")
    await same(player, play)
    if "recycle" in play.legal():
        await made(player, play, "recycle", "draw")
        await taken_back(player, play, 2)
        await same(player, play)
        await made(player, play, "recycle", "draw")
    else:
        await player.press("d")
        nothing = "No pass through the stock is left." if rules.draws_to == "waste" else "The stock is empty."
        await expect(player.message).to_have_text(nothing)
    await player.page.reload()
    await same(player, play)


@pytest.mark.parametrize("variant", OF_THREE)
async def test_the_waste_of_draw_three_is_a_fan_of_which_the_right_one_plays(player: Player, variant: str) -> None:
    """Also after undo, and after a reload."""
    game = Game(variant)
    index = next(
        index for index, text in enumerate(game.texts) if text.startswith("W>") and len(game.tables[index].waste) >= 3
    )
    await player.open()
    play = await chosen(player, variant, SOLO[variant].scorings[0])
    await player.play_elsewhere(game, 0, index)
    for text in game.texts[:index]:
        _ = play.must(text)
    await fanned(player, play)
    await made(player, play, game.texts[index])
    await same(player, play)
    await taken_back(player, play, 1)
    await fanned(player, play)
    await player.page.reload()
    await same(player, play)
    await fanned(player, play)


async def taken_back(player: Player, play: Play, moves: int) -> None:
    for _ in range(moves):
        await player.press("u")
        await player.at(play.game.version + 1)
        _ = play.must("undo")


async def fanned(player: Player, play: Play) -> None:
    """Three cards side by side, all in sight, and only the right one lets itself be taken."""
    *covered, top = pile_cards(play.game.seat.table, "W")[-3:]
    places = [(await player.rest(f'#table [data-card="{card}"]'))[0] for card in (*covered, top)]
    assert places[0] < places[1] < places[2]
    for card in covered:
        await expect(player.card(card)).to_have_attribute("tabindex", "-1")
    await player.card(top).focus()
    await expect(player.card(top)).to_be_focused()


async def test_vegas_games_add_up_to_a_bankroll_in_the_statistics(player: Player) -> None:
    """In dollars, over its variants; a resigned game too. Rankings are offered by the scorings of their variant."""
    await player.open()
    sums = 0
    for variant in ("vegas", "vegas-draw1"):
        play = await chosen(player, variant, "vegas")
        await made(player, play, *Game(variant).texts[:OPENING])
        await resigned(player)
        sums += play.game.seat.points
        await expect(player.page.locator("#result-points")).to_have_text(
            shown(play.game.seat.points, play.game.scoring)
        )
        await player.page.locator("#result [data-closes]").click()
    told = player.page.locator("#own [data-figure=bankroll]")
    await until_told(player, told, f"Vegas bankroll: -${-sums}")
    assert await player.page.locator("#ranking-scoring option").evaluate_all("all => all.map((one) => one.value)") == [
        "vegas"
    ]
    await player.page.locator("#ranking-variant").select_option("draw1")
    scorings = await player.page.locator("#ranking-scoring option").evaluate_all("all => all.map((one) => one.value)")
    assert scorings == [*SOLO["draw1"].scorings]


async def resigned(player: Player) -> None:
    await player.press("m")
    await player.page.locator("#resign").click()
    await player.page.locator("#resign-yes").click()
    await expect(player.page.locator("#result")).to_be_visible()


async def until_told(player: Player, told: Locator, text: str) -> None:
    """Open the statistics until they have caught up."""
    async with asyncio.timeout(WAIT_MS / 1000):
        while True:
            await player.page.locator("#menu-button").click()
            await player.page.locator("#menu [data-opens=statistics]").click()
            await expect(player.page.locator("#own")).not_to_have_attribute("aria-busy", "true")
            await expect(player.page.locator("#own > *")).not_to_have_count(0)
            if await told.count() and await told.inner_text() == text:
                return
            await player.page.locator("#statistics [data-closes]").click()


@pytest.mark.parametrize("variant", [name for name, rules in SOLO.items() if rules.decks == 2])
async def test_two_equal_cards_are_two_cards_on_the_page(player: Player, variant: str) -> None:
    """Each has a name of its own; what is not moved keeps it, and what is moved takes it along, also by undo."""
    game = Game(variant)
    await player.open()
    play = await chosen(player, variant, "standard")
    before = await names(player)
    for text in (*game.texts[:TWIN_MOVES], *["undo"] * TWIN_MOVES):
        if text == "undo":
            await player.press("u")
            await player.at(play.game.version + 1)
            _ = play.must("undo")
        else:
            await made(player, play, text)
        after = await names(player)
        assert len(set(after.values())) == len(after), text
        stayed = {place for place in before if place in after and before[place][:2] == after[place][:2]}
        assert all(before[place] == after[place] for place in stayed), text
        gone, come = set(before.values()) - set(after.values()), set(after.values()) - set(before.values())
        assert not {name[:2] for name in gone} & {name[:2] for name in come}, f"{text}: a card changed its name"
        before = after
    await same(player, play)


async def names(player: Player) -> dict[str, str]:
    """The name of each face-up card, by its pile and its height in it."""
    found = await player.page.evaluate(NAMES)
    return {str(place): str(name) for place, name in found}
