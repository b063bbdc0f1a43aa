"""Check this deal: the browser works the cards out from the history, and is not content with a server's yes."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from playwright.async_api import Locator, Route, expect

from shared.rules import deal
from tests.system.page_player import Game, Player

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

DECK = """async ([deal, secret, decks]) => {
  const { deckOf } = await import("/js/fair.js");
  return await deckOf(deal, Uint8Array.from(secret), decks);
}"""
History = dict[str, Any]


async def played(player: Player, *, seed: str = "") -> None:
    """A secret deal, some draws, an undo, given up."""
    await player.open("/")
    await player.press("n")
    await player.page.locator("#new-game summary", has_text="seed").click()
    await player.page.locator("#player-seed").fill(seed)
    await player.page.locator("#start").click()
    await player.at(1)
    for version in range(2, 8):
        await player.press("d")
        await player.at(version)
    await player.press("u")
    await player.at(8)


async def resigned(player: Player) -> None:
    await player.press("m")
    await player.page.locator("#resign").click()
    await player.page.locator("#resign-yes").click()
    await expect(player.page.locator("#result")).to_be_visible()
    await player.press("Escape")


async def open_deal(player: Player) -> None:
    await player.press("m")
    await player.page.locator("#menu [data-opens=deal]").click()
    await expect(player.page.locator("#deal")).to_be_visible()


def told(player: Player) -> Locator:
    return player.page.locator("#deal-check")


async def forge(player: Player, change: Callable[[History], None]) -> None:
    """From now on the server's histories are others."""

    async def answer(route: Route) -> None:
        response = await route.fetch()
        history = await response.json()
        change(history)
        await route.fulfill(response=response, body=json.dumps(history))

    await player.page.unroute_all()
    await player.page.route("**/api/games/*/history", answer)


def other_secret(history: History) -> None:
    history["secret"] = "00" * 32


def other_secret_and_commitment(history: History) -> None:
    other_secret(history)
    history["commitment"] = deal.commitment(bytes(32))


def other_seed(history: History) -> None:
    history["deal"]["player_seed"] = "somebody else's"


def other_card(history: History) -> None:
    drawn = history["steps"][1]["events"][0]["cards"]
    drawn[0] = "AS" if drawn[0] != "AS" else "KH"


def other_method(history: History) -> None:
    history["shuffle"] = "mine"


async def test_a_deal_is_checked_in_the_browser_and_a_forged_one_noticed(player: Player) -> None:
    """An honest history is fair; then the server's answer is forged in every way, and each is told."""
    await played(player, seed="my own Ąžuolas")
    await open_deal(player)
    await expect(player.page.locator("#deal-proof")).to_contain_text("my own Ąžuolas")
    await expect(player.page.locator("#deal-verify")).to_be_hidden()
    await player.press("Escape")
    await resigned(player)
    await open_deal(player)
    verify = player.page.locator("#deal-verify")
    await verify.click()
    await expect(told(player)).to_contain_text("Checked in this browser: the cards are those of this deal")
    for change, why in (
        (other_secret, "The secret does not fit the commitment."),
        (other_secret_and_commitment, "The commitment is another one than when the game began."),
        (other_seed, "The game showed cards that this deal does not have there."),
        (other_card, "The game showed cards that this deal does not have there."),
        (other_method, "a method that this page does not know"),
    ):
        await forge(player, change)
        await verify.click()
        await expect(told(player)).to_contain_text(why)
        await expect(told(player)).to_have_class("notice bad")


async def test_a_history_is_checked_from_its_viewer(player: Player, draw_three: Game) -> None:
    """A numbered deal; and a forged history, whose own commitment fits, shows other cards."""
    await player.start(draw_three, 4)
    await resigned(player)
    await player.press("m")
    await player.page.locator("#menu [data-opens=games]").click()
    await player.page.locator("#games-over [data-game]").first.click()
    await player.page.locator("#history-check").click()
    note = player.page.locator("#history-note")
    await expect(note).to_contain_text("Checked in this browser")
    await forge(player, lambda history: history["deal"].update(number=history["deal"]["number"] + 1))
    await player.page.locator("#history-check").click()
    await expect(note).to_contain_text("cards that this deal does not have there")


async def test_the_page_derives_the_very_decks_of_the_rules(player: Player) -> None:
    await player.open("/")
    for number, decks in ((0, 1), (7, 2), (2**53 - 1, 1)):
        found = await player.page.evaluate(DECK, [{"type": "number", "number": number}, [], decks])
        assert tuple(found) == deal.numbered_deck(number, decks=decks)
    for seed in ("", "š 🂡"):
        found = await player.page.evaluate(DECK, [{"type": "secret", "player_seed": seed}, list(range(32)), 1])
        assert tuple(found) == deal.secret_deck(bytes(range(32)), seed, decks=1)
