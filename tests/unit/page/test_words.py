"""The texts of the page: the same keys in every language, none missing, none unused, plurals complete."""

import json
import re
from functools import cache
from pathlib import Path
from typing import cast, get_args

import pytest
from msgspec.structs import fields

from services import gateway
from shared.messages.errors import ErrorCode
from shared.messages.events import Result
from shared.messages.jobs import HintReason
from shared.messages.opponent import LEVELS
from shared.rules.breaches import Breach
from shared.rules.cards import RANKS, SUITS
from shared.rules.scoring import SCORINGS, Scoring
from shared.rules.variants import VARIANTS

WEB = Path(gateway.__file__).parent / "web"
LANGUAGES = sorted(file.stem for file in (WEB / "i18n").glob("*.json"))
PLURALS = {"en": {"one", "other"}, "de": {"one", "other"}, "lt": {"one", "few", "many", "other"}}
"""The categories that Unicode's CLDR gives these languages; a browser is asked for those of any other."""

POINTS = [field.name for field in fields(Scoring) if field.type is int]
Text = str | dict[str, str]


@cache
def texts(language: str) -> dict[str, Text]:
    return cast("dict[str, Text]", json.loads((WEB / "i18n" / f"{language}.json").read_text()))


def forms(text: Text) -> list[str]:
    return [text] if isinstance(text, str) else list(text.values())


@cache
def sources() -> str:
    files = [WEB / "index.html", *sorted((WEB / "js").rglob("*.js"))]
    return "\n".join(file.read_text() for file in files)


def made_keys() -> set[str]:
    """Keys that the page puts together, from the contracts that they follow."""
    values = {
        "error": get_args(ErrorCode),
        "rule": get_args(Breach),
        "hint": get_args(HintReason),
        "rank": RANKS,
        "suit": SUITS,
        "variant": VARIANTS,
        "against": ("invite", "match", *LEVELS),
        "scoring": SCORINGS,
        "mode": ("ranked", "relaxed"),
        "deal.bad": ("secret", "promise", "shuffle", "cards"),
        "dealing": ("any", "winnable", "daily"),
        "result": get_args(Result),
        "over": get_args(Result),
        "badlink": ("deal", "day", "variant", "scoring", "mode", "game"),
        "rules": rules_keys(),
        "tour": tour_steps(),
        "points": [field.replace("_", "-") for field in POINTS],
        "daily": ("open", "played", "won", "late"),
        "connection": ("connecting", "busy", "offline"),
        "statistics": re.findall(r'^    \["([a-z-]+)", ', (WEB / "js/statistics/tiles.js").read_text(), re.MULTILINE),
    }
    keys = {f"{prefix}.{value}" for prefix, some in values.items() for value in some}
    with_text = {"variant", "scoring", "mode", "dealing", "against", "result"}
    explained = {f"{key}.text" for key in keys if key.split(".")[0] in with_text}
    return keys | explained | setting_keys() | {"language.name"}


def rules_keys() -> list[str]:
    chapters = re.findall(r'^    \["(\w+)", \w+\],$', (WEB / "js/rules/chapters.js").read_text(), re.MULTILINE)
    assert len(chapters) > 1
    titles = [f"{chapter}-title" for chapter in chapters]
    unfinished = [f"unfinished-{variant.unfinished}" for variant in VARIANTS.values()]
    return [*titles, *unfinished, *(f"ranked-{scoring.ranked_by}" for scoring in SCORINGS.values())]


def tour_steps() -> list[str]:
    (steps,) = re.findall(r"^const STEPS = \[(.+)\];$", (WEB / "js/tour.js").read_text(), re.MULTILINE)
    return re.findall(r'"(\w+)"', steps)


def setting_keys() -> set[str]:
    rows = re.findall(r"^  (\w+): \[(.+)\],$", (WEB / "js/settings.js").read_text(), re.MULTILINE)
    assert rows
    values = {f"setting.{name}.{value}" for name, choices in rows for value in re.findall(r'"(\w+)"', choices)}
    return values | {f"setting.{name}" for name, _ in rows}


def named_keys() -> set[str]:
    """Keys that stand in the page's files as they are."""
    return set(re.findall(r"""["']([a-z]+\.[a-z-]+)["']""", sources())) & {*texts("en")} | asked_keys()


def asked_keys() -> set[str]:
    """Keys that are asked for by a plain string."""
    return set(re.findall(r"""\bt\("([^"$]+)\"""", sources())) | set(
        re.findall(r'data-i18n(?:-label)?="([^"]+)"', sources())
    )


def test_there_are_three_languages_at_least_and_each_names_itself() -> None:
    assert {*PLURALS} <= {*LANGUAGES}
    names = [texts(language)["language.name"] for language in LANGUAGES]
    assert len({*names}) == len(LANGUAGES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_has_every_text_of_english_and_no_other(language: str) -> None:
    assert set(texts(language)) == set(texts("en"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_text_is_empty_and_values_are_the_same_in_all_languages(language: str) -> None:
    def values(text: Text) -> set[str]:
        return {name.lower() for form in forms(text) for name in re.findall(r"\{(\w+)\}", form)}

    for key, text in texts(language).items():
        assert all(form.strip() == form != "" for form in forms(text)), key
        # "A card and n others" names the number in one form only, so the forms are taken together.
        assert values(text) == values(texts("en")[key]), key


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_sentence_that_begins_with_a_value_begins_with_a_capital(language: str) -> None:
    """`{Card}` is a card's name with a capital letter. Numbers have none, nor have names that stand inside texts."""
    parts = {"card.name", "card.place", "history.from-to", "hint.move"}
    names = {"pile.foundation", "pile.empty", "pile.with-down"}
    small = re.compile(r"(?:^|[.!?] )\{(?!n\}|number\}|pace\})[a-z]")
    begin = {key for key, text in texts(language).items() if any(map(small.search, forms(text)))}
    assert begin - parts - names == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_text_with_plurals_has_all_that_the_language_has(language: str) -> None:
    counted = [key for key, text in texts(language).items() if isinstance(text, dict)]
    assert counted
    assert counted == [key for key, text in texts("en").items() if isinstance(text, dict)]
    categories = PLURALS.get(language) or {*cast("dict[str, str]", texts(language)[counted[0]])}
    assert [key for key in counted if {*cast("dict[str, str]", texts(language)[key])} != categories] == []


def test_every_text_that_the_page_asks_for_is_there() -> None:
    assert (made_keys() | asked_keys()) - set(texts("en")) == set()


def test_no_text_is_unused() -> None:
    assert set(texts("en")) - made_keys() - named_keys() == set()


def test_the_rules_page_has_a_row_for_every_kind_of_points() -> None:
    rows = re.findall(r'^  \["(\w+)", \(', (WEB / "js/rules/points.js").read_text(), re.MULTILINE)
    assert sorted(rows) == sorted(POINTS)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("scoring", [one for one in SCORINGS.values() if one.id != "win-loss"], ids=lambda one: one.id)
def test_the_short_text_of_a_scoring_has_the_figures_that_are_played_by(scoring: Scoring, language: str) -> None:
    (text,) = forms(texts(language)[f"scoring.{scoring.id}.text"])
    told = {int(figure.replace("−", "-")) for figure in re.findall(r"[+−]\d+", text)}
    assert told == {points for name in POINTS if (points := getattr(scoring, name))}


def test_no_file_of_the_page_has_inline_script_or_style_or_a_foreign_address() -> None:
    """What the content security policy would refuse, or a reader could not check."""
    html = (WEB / "index.html").read_text()
    assert re.findall(r"<style|\sstyle=|\son\w+=|<script(?! type=\"module\" src=)", html) == []
    everything = sources() + "".join(file.read_text() for file in (WEB / "css").glob("*.css"))
    foreign = set(re.findall(r"(?:https?|wss?)://[^\s\"'`)]+", everything)) - {"http://www.w3.org/2000/svg"}
    assert foreign == set()


def test_every_module_is_checked_by_types_and_says_what_it_is() -> None:
    for file in (WEB / "js").rglob("*.js"):
        lines = file.read_text().splitlines()
        assert lines[0] == "// @ts-check", file.name
        assert lines[1].startswith("/**") or file.name == "ids.js", file.name
        assert len(lines) <= 400, file.name


def test_a_percentage_is_written_as_the_language_does() -> None:
    """As Intl writes those beside it: with a space before the sign, but for English."""
    for language in LANGUAGES:
        wrong = re.compile(r"\d\s%" if language == "en" else r"\d%")
        assert [text for one in texts(language).values() for text in forms(one) if wrong.search(text)] == [], language
