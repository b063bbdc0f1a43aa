"""HTTP: which variants and scorings are played here, by the rows that the code plays by; and the page's languages."""

from typing import Final
from urllib.parse import quote

import msgspec
from litestar import Response, get
from litestar.di import NamedDependency
from litestar.params import FromPath
from litestar.status_codes import HTTP_307_TEMPORARY_REDIRECT

from services.gateway.page import Page
from shared.rules.scoring import SCORINGS, Scoring
from shared.rules.variants import VARIANTS, Variant

TEXTS: Final = "i18n"
"""The folder with one file of texts a language, named by its tag in small letters: `de.json`, `pt-br.json`."""
WHOLE: Final = "en"
"""The language that has every text."""


class Offer(msgspec.Struct, frozen=True, kw_only=True):
    """A variant, and what follows from its row."""

    rules: Variant
    cards: int
    """Cards that each player has in play."""
    stock: int
    """Those of them that lie in the stock after the deal."""
    foundations: int
    """All that a player builds on, shared ones included."""
    scorings: tuple[Scoring, ...]
    """How it may be scored, the usual way first."""


class Language(msgspec.Struct, frozen=True, kw_only=True):
    """A language that the page speaks."""

    tag: str
    name: str
    """In the language itself."""
    lacks: int = 0
    """So many of the English texts it does not have; the page shows those in English."""


@get("/api/variants", sync_to_thread=False)
def variants() -> list[Offer]:
    """What can be played, with every figure of its rules and points."""
    return offered()


@get("/api/languages", sync_to_thread=False)
def languages(page: NamedDependency[Page]) -> list[Language]:
    """The languages of the page: one for each file of texts that there is."""
    return spoken(page)


@get(["/rules", "/rules/{variant:str}"], include_in_schema=False, sync_to_thread=False)
def rules(variant: FromPath[str] = "") -> Response[None]:
    """An address for the rules that can be told: it leads to the page's own."""
    up = "../" if variant else "./"
    return Response(
        None, status_code=HTTP_307_TEMPORARY_REDIRECT, headers={"location": f"{up}#rules={quote(variant, safe='')}"}
    )


def offered() -> list[Offer]:
    """Every variant, in the order of its row."""
    return [_offer(variant) for variant in VARIANTS.values()]


def spoken(page: Page) -> list[Language]:
    """The languages whose texts name themselves; a file that is none is left out, and the others are there."""
    texts = {
        path.removeprefix(f"{TEXTS}/").removesuffix(".json"): _texts(page, path) for path in page.paths(TEXTS, ".json")
    }
    whole = texts.get(WHOLE, {}).keys()
    return [
        Language(tag=tag, name=name, lacks=len(whole - found.keys()))
        for tag, found in texts.items()
        if isinstance(name := found.get("language.name"), str)
    ]


def _texts(page: Page, path: str) -> dict[str, object]:
    asset = page.find(path)
    try:
        return msgspec.json.decode(asset.body, type=dict[str, object]) if asset else {}
    except msgspec.MsgspecError:
        return {}


def _offer(variant: Variant) -> Offer:
    return Offer(
        rules=variant,
        cards=variant.cards,
        stock=variant.cards - sum(variant.columns),
        foundations=variant.foundations,
        scorings=tuple(SCORINGS[name] for name in variant.scorings),
    )


HANDLERS: Final = [variants, languages, rules]
