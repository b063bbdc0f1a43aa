"""Pictures of every view of the page, for docs/images/page: `python -m tests.system.screenshots [LANGUAGE | VIEW ...]`.

English has every view at four sizes. Each other language is looked at in other looks, at the narrowest and the widest
size, in the views that have most words.
"""

import asyncio
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.async_api import Browser, ViewportSize, async_playwright, expect

from services.cli.benching.page_scripts import UNTIL_PAINTED
from tests.scoring_logs import Script, recent
from tests.system.page_player import Game, Player, chromium, new_context
from tests.system.page_views import loaded, walk, walk_for_two
from tests.system.past_games import HOUR_MS, a_season, have_played, others_have_played, won_on
from tests.system.up_process import Up, up

FOLDER = Path(__file__).parents[2] / "docs" / "images" / "page"
SIZES = {"phone": (360, 740), "tablet": (768, 1024), "desk": (1280, 800), "wide": (1920, 1080)}
EXTREMES = ("phone", "wide")
START = ViewportSize(width=1280, height=800)
QUALITY = {"phone": 58, "tablet": 48, "desk": 44, "wide": 44}
KEPT_WIDTH_MAX = 1280
"""Larger pictures are kept smaller, so that all of them together stay small."""
LEAD_MOVES = 30
"""Of the golden game: by then every pile has something to show."""
SEASON = "wlwwlwwwlwwwlwlww"
DAYS_WON, DAY_WON_LATE, DAY_LOST = (15, 12, 11, 10, 9, 6, 5, 3, 2, 1), 7, 4
"""Deals of the day, so many days ago."""
MONTH_BEGUN = 16
"""Before this day of a month the one before is shown: it has the days that were won."""
OTHERS = 9
LOOKS: dict[str, dict[str, str]] = {
    "en": {},
    "de": {"felt": "blue", "back": "waves", "theme": "dark"},
    "lt": {"felt": "wine", "back": "weave", "colours": "four", "index": "large", "hand": "left"},
}
"""The language of each set of pictures, and what its player has set."""
WORDY = {
    *("table", "menu", "new-game", "statistics", "settings", "daily", "help"),
    *("hint", "result", "history-judged"),
}
PARTS = {
    "new-game": ("choose-mode",),
    "statistics": ("course-title", "ranking-title"),
    "settings": ("settings-play",),
    "rules": ("rules-text h3:last-of-type",),
}
"""Of sheets that are longer than a screen, the parts further down."""


async def pictures(player: Player, language: str, view: str) -> None:
    """One for each size, and of a long sheet one for each of its parts."""
    for size in SIZES if language == "en" else EXTREMES:
        width, height = SIZES[size]
        await player.resize(ViewportSize(width=width, height=height))
        await loaded(player)
        await _picture(player, f"{language}-{view}", size)
        for number, part in enumerate(PARTS.get(view, ()), start=2):
            await player.page.locator(f"#{part}").evaluate("(part) => part.scrollIntoView({ block: 'start' })")
            await _picture(player, f"{language}-{view}-{number}", size)
        await player.page.locator(f"dialog#{view}").evaluate_all("(all) => all.forEach((one) => (one.scrollTop = 0))")


async def _picture(player: Player, name: str, size: str) -> None:
    await player.page.evaluate(UNTIL_PAINTED)
    with Image.open(BytesIO(await player.page.screenshot(animations="disabled"))) as taken:
        picture = taken.convert("RGB")
        picture.thumbnail((KEPT_WIDTH_MAX, KEPT_WIDTH_MAX))
        picture.save(FOLDER / f"{name}-{size}.webp", quality=QUALITY[size], method=6)


async def have_history(system: Up, player: Player) -> None:
    """What statistics, calendar and rankings show."""
    today = datetime.now(UTC).date()
    won = [won_on(today - timedelta(days=ago), play_ms=100_000 + 9_000 * ago) for ago in DAYS_WON]
    late = won_on(today - timedelta(days=DAY_WON_LATE), days_later=2)
    days = [replace(script, moves=110 + number, points=480) for number, script in enumerate([*won, late])]
    lost = replace(won_on(today - timedelta(days=DAY_LOST)), acts=("draw", "resigned"))
    season = a_season(SEASON, started_at=recent() - HOUR_MS * 3)
    await have_played(system, player, [*days, lost, *season])


def others() -> Iterator[Script]:
    for number in range(OTHERS):
        (script,) = a_season("w", started_at=recent() - HOUR_MS * (2 + number))
        yield Script(
            player=number + 1,
            acts=script.acts,
            started_at=script.started_at,
            points=560 - 13 * number,
            moves=100 + number,
            play_ms=121_000 + 17_000 * number,
        )


async def visit(browser: Browser, system: Up, language: str, views: set[str]) -> None:
    """The views of one player's page in a language; without any named, all of them."""
    context = await new_context(browser, START, language, motion=False)
    for name, value in LOOKS[language].items():
        await context.add_init_script(f'localStorage.setItem("klondike.setting.{name}", "{value}")')
    player = Player(await context.new_page(), system.address)
    await player.open()
    await have_history(system, player)
    async for view in walk(player, Game("draw1"), LEAD_MOVES):
        if views and view not in views:
            continue
        if view == "daily" and datetime.now(UTC).day < MONTH_BEGUN:
            await player.page.locator("#daily-before").click()
            await loaded(player)
        if language == "en" or view in WORDY:
            await pictures(player, language, view)
        await player.resize(START)
    if not views or "won" in views:
        await _win(player, language)
    await context.close()


async def _win(player: Player, language: str) -> None:
    game = Game("draw1")
    await player.start(game, len(game.texts))
    await expect(player.page.locator("#result[open]")).to_be_visible()
    await loaded(player)
    await pictures(player, language, "won")


async def visit_for_two(browser: Browser, system: Up) -> None:
    contexts = [await new_context(browser, START, "en", motion=False) for _ in range(2)]
    host, guest = [Player(await context.new_page(), system.address) for context in contexts]
    async for view in walk_for_two(host, guest):
        await pictures(host, "en", view)
    for context in contexts:
        await context.close()


async def main(named: list[str]) -> None:
    languages = [language for language in LOOKS if language in named] or [*LOOKS]
    views = {*named} - {*LOOKS}
    FOLDER.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as data:
        async with up(Path(data)) as system, async_playwright() as playwright, chromium(playwright) as browser:
            await system.ready()
            await system.warm("solver-worker")
            await others_have_played(system, [*others()])
            for language in languages:
                await visit(browser, system, language, views)
            if "en" in languages and (not views or "for-two" in views):
                await visit_for_two(browser, system)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1:]))
