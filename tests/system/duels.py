"""The beginning of games for two at two browsers."""

from playwright.async_api import expect

from tests.system.page_player import Player


async def invited(player: Player, variant: str) -> str:
    """Start a game for two by the dialog; gives the link of its invitation."""
    await player.open("/")
    await player.press("n")
    await player.page.locator(f"input[name=variant][value={variant}]").check()
    await expect(player.page.locator("#choose-mode")).to_be_hidden()
    await player.page.locator("input[name=against][value=invite]").check()
    await player.page.locator("#start").click()
    await expect(player.page.locator("#waiting")).to_be_visible()
    await expect(player.table).to_be_hidden()
    return await player.page.locator("#invite-link").input_value()


async def joined(player: Player, link: str) -> None:
    await player.open(link.removeprefix(player.address))
    await expect(player.page.locator("#rival")).to_be_visible()
