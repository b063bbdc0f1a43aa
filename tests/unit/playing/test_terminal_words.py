"""The terminal's texts: in every language, and those of the server that it asks for are there."""

import json
import re
from functools import cache
from pathlib import Path
from typing import cast, get_args

import pytest

from services import gateway
from services.cli import play, playing
from services.cli.playing.profile import FILE_NAME
from services.cli.playing.saying import clock_time, play_time, rules, score
from services.cli.playing.words import LANGUAGES, Text, Words, language_of, own_texts, plural
from shared.game.view import view_of
from shared.messages.errors import ErrorCode
from shared.messages.jobs import HintReason
from shared.rules.breaches import Breach
from shared.rules.variants import SOLO, Variant
from tests.play import new_play

SOURCES = (
    "\n".join(file.read_text() for file in sorted(Path(playing.__path__[0]).glob("*.py")))
    + Path(play.__file__).read_text()
)
PREFIXES = (
    "action|badlink|card|chances|connection|dealing|help|hint|menu|mode|new|pause|pile|play|resign|result|rules|said|"
    "status"
)


@cache
def page_texts(language: str) -> dict[str, Text]:
    file = Path(gateway.__file__).parent / "web" / "i18n" / f"{language}.json"
    return cast("dict[str, Text]", json.loads(file.read_text()))


def named() -> set[str]:
    """Keys that stand in the program as they are."""
    return set(re.findall(rf"""["']((?:{PREFIXES})\.[a-z.-]+)["']""", SOURCES)) - {FILE_NAME}


def made() -> set[str]:
    """Keys that it puts together."""
    values = {
        "error": get_args(ErrorCode),
        "rule": get_args(Breach),
        "hint": get_args(HintReason),
        "variant": SOLO,
        "mode": ("relaxed", "ranked"),
        "scoring": {name for one in SOLO.values() for name in one.scorings},
        "rank": "A23456789TJQK",
        "suit": "CDHS",
        "connection": ("connecting", "offline", "busy"),
        "dealing": ("any", "winnable", "daily"),
        "result": ("won", "lost", "resigned"),
        "status": ("points", "moves", "time", "pass"),
        "new": ("variant", "scoring", "mode", "dealing"),
        "chances": ("exact", "estimate", "none"),
        "rules": (
            "goal",
            "tableau",
            "king",
            "foundation",
            "back",
            "turn",
            "stock-columns",
            "recycle",
            "passes",
            "draw",
        ),
    }
    return {f"{prefix}.{value}" for prefix, some in values.items() for value in some}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_is_there_in_every_language(language: str) -> None:
    texts = {**page_texts(language), **own_texts(language)}
    assert len(named()) > 60
    assert (named() | made()) - set(texts) == set()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("variant", SOLO.values(), ids=lambda one: one.id)
def test_the_rules_of_every_variant_have_no_place_left_open(language: str, variant: Variant) -> None:
    words = Words(language)
    words.learn(page_texts(language))
    told = rules(words, variant)
    assert len(told) >= 7
    assert not any(re.search(r"[{}]|rules\.|  |^ ", text) for text in told)


@pytest.mark.parametrize("language", LANGUAGES)
def test_own_texts_are_the_same_in_every_language_none_empty_and_none_unused(language: str) -> None:
    english, own = own_texts("en"), own_texts(language)
    assert list(own) == list(english)
    assert set(own) - named() == set()
    assert not set(own) & set(page_texts(language)), "the server has it"
    for key, text in own.items():
        assert isinstance(text, str)
        assert text.strip() == text != ""
        assert set(re.findall(r"\{\w+\}", text)) == set(re.findall(r"\{\w+\}", str(english[key]))), key


def test_the_terminal_speaks_every_language_of_the_page() -> None:
    files = (Path(gateway.__file__).parent / "web" / "i18n").glob("*.json")
    assert sorted(file.stem for file in files) == sorted(LANGUAGES)


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({"LANG": "de_DE.UTF-8"}, "de"),
        ({"LANG": "de_DE.UTF-8", "LC_ALL": "lt_LT.UTF-8"}, "lt"),
        ({"LANG": "de_DE.UTF-8", "LC_MESSAGES": "C"}, "en"),
        ({"LANGUAGE": "lt:de", "LANG": "en_GB"}, "lt"),
        ({"LANG": "fr_FR.UTF-8"}, "en"),
        ({"LANG": "", "LC_ALL": ""}, "en"),
        ({}, "en"),
    ],
)
def test_the_locale_chooses_the_language(environment: dict[str, str], language: str) -> None:
    assert language_of(environment) == language


def test_plurals_are_those_of_the_language() -> None:
    assert [plural("de", n) for n in (0, 1, 2)] == ["other", "one", "other"]
    lithuanian = {
        1: "one",
        2: "few",
        9: "few",
        10: "other",
        11: "other",
        19: "other",
        20: "other",
        21: "one",
        22: "few",
    }
    assert {n: plural("lt", n) for n in lithuanian} == lithuanian
    words = Words("en")
    words.learn({"cards": {"one": "{n} card", "other": "{n} cards"}, "card": "{Name} lies there."})
    assert [words("cards", n=n) for n in (1, 2)] == ["1 card", "2 cards"]
    assert words("card", name="ace") == "Ace lies there."
    assert words("nothing") == "nothing"


def test_points_times_and_dollars_are_written_as_the_page_does() -> None:
    assert [score(-52, "vegas", language) for language in LANGUAGES] == ["−$52", "−52 $", "−52 $"]
    assert score(-15, "standard", "en") == "−15"
    assert [clock_time(ms) for ms in (0, 61_500, 3_600_000)] == ["0:00", "1:01", "1:00:00"]


def test_time_counts_on_from_the_newest_version_and_never_more_than_the_server_counts() -> None:
    view = view_of(new_play(deal=7).must("draw").game)
    assert view.clock_runs
    assert play_time(view, view.at + 5_000) == view.play_ms + 5_000
    assert play_time(view, view.at + 3_600_000) == view.play_ms + 60_000
    assert play_time(view, view.at - 1) == view.play_ms
