"""What is said, in the player's language: the server's texts, and a few of the terminal's own.

The names of cards and piles, the reasons of hints, what every error and every broken rule means: a server gives these
to any client as `i18n/LANGUAGE.json`. What only a terminal says is in the files beside this module.
"""

import json
import re
from collections.abc import Mapping
from importlib import resources
from typing import Final, TypeAlias, cast

LANGUAGES: Final = ("en", "de", "lt")
"""The one that is spoken where no other is wanted comes first."""
Text: TypeAlias = str | dict[str, str]
"""A text, or one for each plural form."""
_PLACE: Final = re.compile(r"\{(\w)(\w*)\}")


def language_of(environment: Mapping[str, str]) -> str:
    """The first language that the locale asks for and that there is."""
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        for wanted in environment.get(name, "").split(":"):
            if wanted[:2].lower() in LANGUAGES:
                return wanted[:2].lower()
            if wanted:
                return LANGUAGES[0]
    return LANGUAGES[0]


def own_texts(language: str) -> dict[str, Text]:
    """What only a terminal says."""
    file = resources.files("services.cli.playing") / "words" / f"{language}.json"
    return cast("dict[str, Text]", json.loads(file.read_text(encoding="utf-8")))


class Words:
    """Texts by key."""

    def __init__(self, language: str) -> None:
        self.language = language
        self._texts = own_texts(language)

    def learn(self, texts: Mapping[str, Text]) -> None:
        """Takes a server's texts in, behind the own ones."""
        self._texts = {**texts, **self._texts}

    def has(self, key: str) -> bool:
        return key in self._texts

    def __call__(self, key: str, /, **values: str | int) -> str:
        """The text with its places filled. `n` chooses the plural; `{Name}` is the value of `name` with a capital."""
        text = self._texts.get(key, key)
        if not isinstance(text, str):
            text = text.get(plural(self.language, int(values.get("n", 0)))) or text["other"]

        def filled(found: re.Match[str]) -> str:
            value = str(values.get(found[1].lower() + found[2], ""))
            return value if found[1].islower() else value[:1].upper() + value[1:]

        return _PLACE.sub(filled, text)


def plural(language: str, count: int) -> str:
    """The plural form of a whole number, by Unicode's CLDR."""
    if language != "lt":
        return "one" if count == 1 else "other"
    if count % 10 == 0 or 11 <= count % 100 <= 19:
        return "other"
    return "one" if count % 10 == 1 else "few"
