"""Everything that the page can show, one view after the other: for whoever looks at all of them."""

from collections.abc import AsyncIterator

from playwright.async_api import expect

from tests.system.page_player import Game, Player


async def walk(player: Player, game: Game, lead: int) -> AsyncIterator[str]:
    """Yields the name of each view while it is there, after some moves of a game. Kernels must be loaded."""
    await player.start(game, lead)
    yield "table"
    async for view in _sheets(player):
        yield view
    async for view in _on_the_table(player):
        yield view
    async for view in _at_the_end(player):
        yield view


async def sheet(player: Player, name: str) -> None:
    """Open a sheet from the menu."""
    await player.press("m")
    await player.page.locator(f"#menu [data-opens={name}]").click()
    await expect(player.page.locator(f"#{name}[open]")).to_be_visible()
    await loaded(player)


async def loaded(player: Player) -> None:
    await expect(player.page.locator("dialog[open] [aria-busy=true]")).to_have_count(0)


async def _sheets(player: Player) -> AsyncIterator[str]:
    """The menu, and all that it opens."""
    await player.press("m")
    yield "menu"
    opened = await player.page.locator("#menu [data-opens]:not([hidden])").evaluate_all(
        "(buttons) => buttons.map((button) => button.dataset.opens)"
    )
    await player.press("Escape")
    for name in opened:
        await sheet(player, name)
        await player.page.locator(f"#{name} details").evaluate_all("(all) => all.forEach((one) => (one.open = true))")
        yield name
        if name == "games":
            await player.page.locator("[data-opens=import]").click()
            yield "import"
        if name == "profile":
            await player.page.locator("#profile-delete").click()
            await expect(player.page.locator("#deleting[open]")).to_be_visible()
            yield "deleting"
            await player.press("Escape")
        await player.press("Escape")


async def _on_the_table(player: Player) -> AsyncIterator[str]:
    """The tour, a pause, a card picked up, help of all kinds."""
    await player.press("?")
    await player.page.locator("#tour-again").click()
    await expect(player.page.locator("#tour")).to_be_visible()
    yield "tour"
    await player.press("Escape", "b")
    await expect(player.page.locator("#continue")).to_be_focused()
    yield "pause"
    await player.press("Enter")
    await player.settled()
    top = player.page.locator("#table .card.movable").last
    await top.focus()
    await player.press("Enter")
    await expect(player.page.locator("#table .picked").first).to_be_visible()
    yield "picked"
    await player.press("Escape")
    for key, view in (("h", "hint"), ("c", "chances")):
        version = await player.version()
        await player.press(key)
        await player.at(version + 1)
        await expect(player.message).to_be_visible()
        yield view
    await player.press("p", "p")
    await expect(player.page.locator("#autoplay")).to_have_attribute("data-state", "resting")
    await player.settled()
    yield "let-it-play"
    await player.press("Escape")


async def _at_the_end(player: Player) -> AsyncIterator[str]:
    """What a game that was given up comes to, and its history."""
    await sheet(player, "resigning")
    await player.page.locator("#resign-yes").click()
    await expect(player.page.locator("#result-verdict:not([aria-busy])")).to_be_visible()
    yield "result"
    await player.page.locator("#review").click()
    await expect(player.page.locator("#history-viewer")).to_be_visible()
    yield "history"
    await player.page.locator("#history-judge").click()
    await expect(player.page.locator("#history-note:not([aria-busy])")).to_be_visible()
    await player.press("ArrowRight")
    yield "history-judged"
    await player.press("Escape")


async def walk_for_two(host: Player, guest: Player) -> AsyncIterator[str]:
    """A game for two: the invitation, and the table with the other side beside it."""
    await host.open()
    await host.press("n")
    await host.page.locator("input[name=variant][value=double]").check()
    await host.page.locator("input[name=against][value=invite]").check()
    yield "new-game-for-two"
    await host.page.locator("#start").click()
    await expect(host.page.locator("#waiting")).to_be_visible()
    yield "waiting"
    link = await host.page.locator("#invite-link").input_value()
    await guest.open(link.removeprefix(guest.address))
    await expect(host.page.locator("#rival")).to_be_visible()
    await host.settled()
    yield "for-two"
