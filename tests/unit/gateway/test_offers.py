"""What the rules page is written from is what the code plays by, and a language is a file."""

import json
from pathlib import Path

from services import gateway
from services.gateway.offers import Language, offered, spoken
from services.gateway.page import Page
from shared.rules.scoring import SCORINGS
from shared.rules.variants import VARIANTS

WEB = Path(gateway.__file__).parent / "web"


def test_every_variant_is_told_with_the_row_that_it_is_played_by_and_its_scorings() -> None:
    assert [offer.rules for offer in offered()] == [*VARIANTS.values()]
    for offer in offered():
        assert [scoring.id for scoring in offer.scorings] == [*offer.rules.scorings]
        assert all(SCORINGS[scoring.id] is scoring for scoring in offer.scorings)
        assert offer.stock + sum(offer.rules.columns) == offer.cards
        assert 52 * offer.rules.decks == offer.cards * offer.rules.players


def test_the_languages_are_those_of_the_files() -> None:
    assert spoken(Page(WEB)) == [
        Language(tag=file.stem, name=json.loads(file.read_text())["language.name"])
        for file in sorted((WEB / "i18n").glob("*.json"))
    ]


def test_a_file_that_is_no_language_takes_no_other_away(tmp_path: Path) -> None:
    """A file may be half copied, or be something else."""
    folder = tmp_path / "i18n"
    folder.mkdir()
    for name, text in {"aa": '{"language.name": "A"', "bb": "{}", "cc": '{"language.name": "C"}', "dd": "\xff"}.items():
        (folder / f"{name}.json").write_bytes(text.encode("latin-1"))
    assert spoken(Page(tmp_path)) == [Language(tag="cc", name="C")]


def test_it_is_told_how_many_texts_a_language_lacks(tmp_path: Path) -> None:
    folder = tmp_path / "i18n"
    folder.mkdir()
    (folder / "en.json").write_text('{"language.name": "English", "a.b": "x", "c.d": "y"}')
    (folder / "lt.json").write_text('{"language.name": "Lietuvių", "a.b": "z", "of.its-own": "z"}')
    assert [(found.tag, found.lacks) for found in spoken(Page(tmp_path))] == [("en", 0), ("lt", 1)]


def test_without_any_there_is_none(tmp_path: Path) -> None:
    assert spoken(Page(tmp_path)) == []
