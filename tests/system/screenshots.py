"""Pictures of every view of the page at four sizes, for docs/images: `python -m tests.system.screenshots`.

They are reduced to a palette, so that all of them together stay small.
"""

import asyncio
import sys
import tempfile
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.async_api import Browser, ViewportSize, async_playwright

from tests.scoring_logs import recent
from tests.system.page_player import Game, Player, chromium, new_context
from tests.system.page_views import walk, walk_for_two
from tests.system.past_games import a_season, have_played
from tests.system.up_process import Up, up

FOLDER = Path(__file__).parents[2] / "docs" / "images" / "page"
SIZES = {"phone": (360, 740), "tablet": (768, 1024), "desk": (1280, 800), "wide": (1920, 1080)}
START = ViewportSize(width=1280, height=800)
COLOURS = 96
HOUR_MS = 3_600_000
LEAD_MOVES = 30
"""Of the golden game: by then every pile has something to show."""
SEASON = "wlwwlwwwlwwwlwlww"
LOOKS: dict[str, dict[str, str]] = {
    "en": {},
    "de": {"felt": "blue", "back": "waves", "theme": "dark"},
    "lt": {"felt": "wine", "back": "weave", "colours": "four", "index": "large", "hand": "left"},
}
"""The language of each set of pictures, and what its player has set. English has every view at every size."""
SOME = {"table", "menu", "new-game", "statistics", "settings", "help", "hint", "result", "history-judged"}
"""Of the other languages: what has most words, on the narrowest and a middling screen."""


async def picture(player: Player, name: str) -> None:
    """One for each size."""
    language = name.split("-", maxsplit=1)[0]
    for size, (width, height) in SIZES.items():
        if language != "en" and size in {"tablet", "wide"}:
            continue
        await player.page.set_viewport_size(ViewportSize(width=width, height=height))
        await player.page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        keep(await player.page.screenshot(animations="disabled"), FOLDER / f"{name}-{size}.png")


def keep(taken: bytes, file: Path) -> None:
    """Write a picture with few colours, and no dither, which would cost most of what the palette saves."""
    with Image.open(BytesIO(taken)) as picture:
        small = picture.convert("RGB").quantize(COLOURS, method=Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
        small.save(file, optimize=True)


async def visit(browser: Browser, system: Up, language: str) -> None:
    """All views of one player's page in a language."""
    context = await new_context(browser, START, language, motion=False)
    for name, value in LOOKS[language].items():
        await context.add_init_script(f'localStorage.setItem("klondike.setting.{name}", "{value}")')
    player = Player(await context.new_page(), system.address)
    await player.open()
    await have_played(system, player, a_season(SEASON, started_at=recent() - HOUR_MS * 3))
    async for view in walk(player, Game("draw1"), LEAD_MOVES):
        if language == "en" or view in SOME:
            await picture(player, f"{language}-{view}")
        await player.page.set_viewport_size(START)
    await context.close()


async def visit_for_two(browser: Browser, system: Up) -> None:
    contexts = [await new_context(browser, START, "en", motion=False) for _ in range(2)]
    host, guest = [Player(await context.new_page(), system.address) for context in contexts]
    async for view in walk_for_two(host, guest):
        await picture(host, f"en-{view}")
    for context in contexts:
        await context.close()


async def main(languages: list[str]) -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as data:
        async with up(Path(data)) as system, async_playwright() as playwright, chromium(playwright) as browser:
            await system.ready()
            await system.warm("solver-worker")
            for language in languages:
                await visit(browser, system, language)
            if "en" in languages:
                await visit_for_two(browser, system)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1:] or list(LOOKS)))
