"""A further language is one file: laid beside the others, it is offered, spoken and counted in."""

import json
import shutil
from pathlib import Path

import pytest
from playwright.async_api import Page, async_playwright, expect

from services.gateway import app
from shared.logs import Log
from tests.conftest import ConnectAs
from tests.integration.gateway import gateway
from tests.system.page_player import DESK, chromium, new_context

pytestmark = pytest.mark.browser
CATEGORIES = "(tags) => tags.map((tag) => new Intl.PluralRules(tag).resolvedOptions().pluralCategories)"
Text = str | dict[str, str]


def texts(folder: Path, language: str) -> dict[str, Text]:
    read: dict[str, Text] = json.loads((folder / "i18n" / f"{language}.json").read_text())
    return read


def czech(folder: Path) -> None:
    """A translation as a translator would send it, but for most of its words."""
    words = {**texts(folder, "en"), "language.name": "Čeština", "action.undo": "Zpět", "menu.language": "Jazyk"}
    forms = {
        key: dict.fromkeys(("one", "few", "many", "other"), "{n}")
        for key, text in words.items()
        if isinstance(text, dict)
    }
    (folder / "i18n" / "cs.json").write_text(json.dumps(words | forms))


async def plural_faults(page: Page, folder: Path) -> list[str]:
    """Texts with a number that have not exactly the forms that the browser gives their language."""
    tags = sorted(file.stem for file in (folder / "i18n").glob("*.json"))
    wanted = dict(zip(tags, await page.evaluate(CATEGORIES, tags), strict=True))
    return [
        f"{tag} {key}"
        for tag in tags
        for key, text in texts(folder, tag).items()
        if isinstance(text, dict) and {*text} != {*wanted[tag]}
    ]


async def lacking_a_few(page: Page, folder: Path) -> None:
    """Texts that a language lacks are there in English, written in the page or said by it; the console names them."""
    lacks = {"action.undo", "menu.title", "variant.draw1"}
    kept = {key: text for key, text in texts(folder, "de").items() if key not in lacks}
    (folder / "i18n" / "de.json").write_text(json.dumps(kept))
    told: list[str] = []
    page.on("console", lambda message: told.append(message.text) if message.type == "warning" else None)
    await page.reload()
    await expect(page.locator("html")).to_have_attribute("lang", "de")
    await expect(page.locator("#undo")).to_have_text("Undo")
    await expect(page.locator("#redo")).to_have_text("Wiederholen")
    await expect(page.locator("#menu-title")).to_have_text("Menu")
    await page.keyboard.press("n")
    await expect(page.locator("#choose-variant strong").first).to_have_text("Draw one")
    (said,) = [text for text in told if "i18n/" in text]
    assert all(key in said for key in lacks)


async def test_a_file_of_texts_is_all_that_a_further_language_takes(
    chromium_installed: None, connect_as: ConnectAs, log: Log, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "web"
    shutil.copytree(app.WEB_FOLDER, folder)
    monkeypatch.setattr(app, "WEB_FOLDER", folder)
    async with (
        gateway(await connect_as("gateway"), log) as running,
        async_playwright() as playwright,
        chromium(playwright) as browser,
        await new_context(browser, DESK, "cs-CZ", motion=False) as context,
    ):
        page = await context.new_page()
        await page.goto(running.address)
        await expect(page.locator("html")).to_have_attribute("lang", "en")
        czech(folder)
        await page.reload()
        await expect(page.locator("#undo")).to_have_text("Zpět")
        await expect(page.locator("html")).to_have_attribute("lang", "cs")
        await page.keyboard.press("m")
        await expect(page.locator("#language option")).to_have_text(["Čeština", "Deutsch", "English", "Lietuvių"])
        await page.locator("#language").select_option("de")
        await expect(page.locator("#undo")).to_have_text("Rückgängig")
        assert await plural_faults(page, app.WEB_FOLDER) == []
        await lacking_a_few(page, folder)
        (folder / "i18n" / "de.json").unlink()
        await page.reload()
        await expect(page.locator("#undo")).to_have_text("Zpět")  # the chosen language is gone, the browser's is there
