"""Two players at two browsers, and one who watches: from the invitation to the end."""

import re

import pytest
from playwright.async_api import ViewportSize, expect

from tests.system.conftest import NewPlayer
from tests.system.duels import invited, joined
from tests.system.page_player import DESK, PHONE, Player

FAIR = re.compile("^Checked in this browser")
pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


async def draws(player: Player, watching: Player) -> None:
    """A card is drawn, and the other one sees it at once."""
    version = await player.version()
    await player.press("d")
    await player.at(version + 1)
    drawn = (await player.board())["up"]["W"][-1]
    waste = watching.page.locator('#rival-table [data-pile="W"][data-card]').last
    await expect(waste).to_have_attribute("data-card", drawn)


async def confirmed_resignation(player: Player) -> None:
    await player.page.locator("#menu-button").click()
    await player.page.locator("#resign").click()
    await player.page.locator("#resign-yes").click()


@pytest.mark.parametrize(("variant", "foundations"), [("double", 8), ("double-mini", 4)])
async def test_two_play_by_a_link_and_see_each_other(new_player: NewPlayer, variant: str, foundations: int) -> None:
    """The cards are dealt when both are there; who resigns first leaves the other to play on."""
    host, guest = await new_player(), await new_player(PHONE)
    link = await invited(host, variant)
    await joined(guest, link)
    await expect(host.page.locator("#rival")).to_be_visible()
    await expect(host.page.locator("#waiting")).to_be_hidden()
    await host.settled()
    for player in (host, guest):
        assert await player.page.locator("#table .slot-F").count() == foundations
        await expect(player.page.locator("#hint")).to_have_attribute("aria-disabled", "true")
    await draws(host, guest)
    await draws(guest, host)
    await confirmed_resignation(host)
    await expect(guest.page.locator("#rival-state")).to_have_text(re.compile("given up"))
    await expect(host.page.locator("#rival-state")).to_have_text(re.compile("You have given up"))
    await draws(guest, host)
    await confirmed_resignation(guest)
    for player in (host, guest):
        await expect(player.page.locator("#result")).to_be_visible()
        await expect(player.page.locator("#result-text")).to_have_text("On the foundations: you 0 – 0 the other")
    for player in (host, guest):
        await looked_through(player, foundations)


async def looked_through(player: Player, foundations: int) -> None:
    """Both tables at every step, who did it, how it ended for each, and that the cards were those that were fixed."""
    page = player.page
    await page.locator("#review").click()
    await expect(page.locator("#history-summary")).to_contain_text(
        "Large table: drawn" if foundations == 8 else "resigned"
    )
    large, small = page.locator("#history-table"), page.locator("#history-small")
    await page.locator("#history-forward").click()
    for table in (large, small):
        await expect(table.locator("[data-card]").first).to_be_visible()
    await page.locator("#history-forward").click()
    await expect(page.locator("#history-caption")).to_contain_text("Large table: ")
    await expect(large.locator('[data-pile="W"][data-card]')).to_have_count(1)
    await expect(small.locator('[data-pile="W"][data-card]')).to_have_count(0)
    await page.locator("#history-forward").click()
    await expect(page.locator("#history-caption")).to_contain_text("Small table: ")
    await expect(small.locator('[data-pile="W"][data-card]')).to_have_count(1)
    assert await large.locator(".slot-F").count() == foundations
    await page.locator("#history-check").click()
    await expect(page.locator("#history-note")).to_have_text(FAIR)


async def test_a_code_joins_and_a_link_lets_others_watch(new_player: NewPlayer) -> None:
    """Who watches sees both sides and can do nothing; after a reload of the page the game is still there."""
    host, guest, watcher = await new_player(), await new_player(), await new_player()
    link = await invited(host, "double")
    code = await host.page.locator("#invite-code").inner_text()
    await guest.open("/")
    await guest.press("n")
    await guest.page.locator("#new-game details", has=guest.page.locator("#join-code")).locator("summary").click()
    await guest.page.locator("#join-code").fill(code.upper())
    await guest.page.locator("#join").click()
    await expect(guest.page.locator("#rival")).to_be_visible()
    await watcher.open(link.removeprefix(watcher.address).replace("join=", "watch="))
    for _ in range(2):
        await expect(watcher.page.locator("#rival-state")).to_have_text("You watch this game.")
        await expect(watcher.page.locator("#voice")).to_have_text("You watch this game.")
        await watcher.page.reload()
        await watcher.settled()
    version = await host.version()
    await host.press("d")
    await host.at(version + 1)
    await watcher.at(version + 1)
    assert await watcher.board() == await host.board()
    await watcher.press("d")
    await watcher.unchanged(version + 1)
    await watcher.press("n")
    await watcher.page.locator("#start").click()
    await expect(watcher.page.locator("#rival-state")).to_be_hidden()
    await expect(watcher.page).to_have_url(f"{watcher.address}/")
    await guest.page.reload()
    await guest.settled()
    await draws(guest, host)


async def test_a_third_player_who_follows_the_link_watches(new_player: NewPlayer) -> None:
    host, guest, third = await new_player(), await new_player(), await new_player()
    link = await invited(host, "double-mini")
    await joined(guest, link)
    await joined(third, link)
    await expect(third.page.locator("#rival-state")).to_have_text("You watch this game.")
    await expect(third.message).to_have_text("Both seats are taken. You watch this game.")
    await confirmed_resignation(guest)
    await expect(third.page.locator("#voice")).to_have_text("The player at the small table has given up.")


async def test_a_wrong_code_is_told_in_the_dialog(player: Player) -> None:
    await player.open("/")
    await player.press("n")
    await player.page.locator("#new-game details", has=player.page.locator("#join-code")).locator("summary").click()
    for code, said in (("zzz", "“zzz” is no code"), ("aaaa-aaaaaa", "No open invitation has this code.")):
        await player.page.locator("#join-code").fill(code)
        await expect(player.page.locator("#join-code-fault")).to_be_hidden()
        await player.page.locator("#join").click()
        await expect(player.page.locator("#join-code-fault")).to_contain_text(said)
        await expect(player.page.locator("#join-code")).to_have_attribute("aria-invalid", "true")


@pytest.mark.parametrize("key", ["h", "c", "p"])
async def test_no_key_helps_in_a_game_for_two(new_player: NewPlayer, key: str) -> None:
    host, guest = await new_player(), await new_player()
    await joined(guest, await invited(host, "double"))
    await guest.press(key)
    await expect(guest.message).to_have_text("There is no help in a game against somebody.")
    await expect(guest.page.locator("#autoplay")).to_be_hidden()


async def test_whoever_looks_for_the_same_game_is_matched(new_player: NewPlayer) -> None:
    players = [await new_player(), await new_player()]
    for player in players:
        await player.open("/")
        await player.press("n")
        await player.page.locator("input[name=variant][value=double-mini]").check()
        await player.page.locator("input[name=against][value=match]").check()
        await player.page.locator("#start").click()
    for player in players:
        await expect(player.page.locator("#rival")).to_be_visible()
    await draws(players[0], players[1])


async def test_the_computer_takes_the_seat_when_it_is_asked_to(player: Player) -> None:
    await player.open("/")
    await player.press("n")
    await player.page.locator("input[name=variant][value=double]").check()
    await player.page.locator("input[name=against][value=hard]").check()
    await player.page.locator("#start").click()
    await expect(player.page.locator("#rival")).to_be_visible()
    version = await player.version()
    await player.at(version + 1)  # it moves by itself
    await player.press("d")
    await expect(player.page.locator("#moves")).to_have_text("1")


async def test_an_invitation_can_be_taken_back_and_a_wrong_one_is_told(new_player: NewPlayer) -> None:
    host, guest = await new_player(), await new_player()
    link = await invited(host, "double")
    await host.page.locator("#invite-cancel").click()
    await expect(host.page.locator("#result-title")).to_have_text("The invitation is taken back.")
    await expect(host.page.locator("#result-text")).to_be_hidden()
    await expect(host.page.locator("#result-figures")).to_be_hidden()
    await guest.open(link.removeprefix(guest.address))
    await expect(guest.message).to_be_visible()
    await expect(guest.page.locator("#rival")).to_be_hidden()


@pytest.mark.parametrize("size", [DESK, PHONE])
async def test_all_of_both_sides_is_in_sight(new_player: NewPlayer, size: ViewportSize) -> None:
    """No card of either side lies outside its part of the page, and the parts do not overlap."""
    host, guest = await new_player(size), await new_player()
    await joined(guest, await invited(host, "double"))
    await host.settled()
    boxes = await host.page.evaluate(
        """() => ["table", "rival-table"].map((id) => {
          const root = document.getElementById(id).getBoundingClientRect();
          const outside = [...document.querySelectorAll(`#${id} .card, #${id} .slot`)].filter((one) => {
            const box = one.getBoundingClientRect();
            const across = box.left >= root.left - 1 && box.right <= root.right + 1;
            return !across || box.top < root.top - 9 || box.bottom > root.bottom + 1;
          });
          return { top: root.top, left: root.left, right: root.right, bottom: root.bottom, outside: outside.length };
        })"""
    )
    button = await host.page.locator("#watch-copy").bounding_box()
    assert button
    assert button["y"] >= boxes[1]["bottom"] - 1 or button["y"] + button["height"] <= boxes[1]["top"] + 1
    own, other = boxes
    assert own["outside"] == other["outside"] == 0
    assert own["right"] <= other["left"] + 1 or other["bottom"] <= own["top"] + 1
