"""Draws the PNG icons of the page from its `icon.svg`, by Chromium: `python deploy/draw_icons.py`."""

from pathlib import Path
from typing import Final

from playwright.sync_api import Browser, sync_playwright

WEB: Final = Path(__file__).parents[1] / "services" / "gateway" / "web"
CHROMIUM: Final = "/usr/bin/chromium"
ROUND: Final = ' rx="22"'
"""The corners: a maskable icon has none, the system cuts it."""
SAFE: Final = '<g transform="translate(10 10) scale(.8)">'
"""What a maskable icon shows lies within the middle four fifths."""
ICONS: Final = {
    "192": (192, False),
    "512": (512, False),
    "maskable-192": (192, True),
    "maskable-512": (512, True),
    "apple-touch": (180, True),
}


def maskable(svg: str) -> str:
    head, _, card = svg.replace(ROUND, "").partition("<g ")
    return f"{head}{SAFE}<g {card}".replace("</svg>", "</g></svg>")


def draw(browser: Browser, svg: str, size: int, file: Path) -> None:
    page = browser.new_page(viewport={"width": size, "height": size})
    page.set_content(f"<style>*{{margin:0}}svg{{display:block;width:{size}px}}</style>{svg}")
    page.screenshot(path=file, omit_background=True)
    page.close()


def main() -> None:
    svg = (WEB / "icon.svg").read_text()
    (WEB / "icons").mkdir(exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        for name, (size, masked) in ICONS.items():
            draw(browser, maskable(svg) if masked else svg, size, WEB / "icons" / f"{name}.png")
        browser.close()


if __name__ == "__main__":
    main()
