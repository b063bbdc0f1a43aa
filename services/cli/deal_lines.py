"""Deals and positions from a file: one a line, but for boards, which are several lines."""

from collections.abc import Iterator
from typing import IO, Any, Final, NamedTuple

import click

from shared.rules.board import FIRST_PILE
from shared.solver.formats import FORMATS

INPUT: Final[click.ParamType[Any]] = click.File(encoding="utf-8-sig", errors="replace")
"""A file or `-`; a byte order mark is skipped. Bytes that are no text become letters that are no card: a bad line."""
FORMAT: Final = click.Choice(list(FORMATS))
WRITTEN: Final = click.Choice([form.name for form in FORMATS.values() if form.write_deal or form.write_table])
FORMAT_HELP: Final = "\b\nFormats:\n" + "\n".join(f"  {form.name:12}{form.about}" for form in FORMATS.values())


SHOWN_MAX: Final = 80
"""Letters of a bad line that are repeated."""
FAULT_MAX: Final = 300
"""Letters of what is wrong with it, which repeats some of it too."""


class DealLine(NamedTuple):
    """A deal's text, and the number of its first line, counted from 1."""

    number: int
    text: str


def deal_lines(file: IO[str]) -> Iterator[DealLine]:
    """Every line that is neither empty nor a comment. A board goes on to the next empty line or board."""
    board: list[str] = []
    first = 0
    for number, line in enumerate(file, 1):
        text = line.strip()
        begins = text.startswith(FIRST_PILE)
        if board and (begins or not text):
            yield DealLine(first, "\n".join(board))
            board = []
        if begins:
            first = number
        if begins or board:
            board.append(line.expandtabs().rstrip())
        elif text and not text.startswith("#"):
            yield DealLine(number, text)
    if board:
        yield DealLine(first, "\n".join(board))


def shown(text: str) -> str:
    """The beginning of a text that is no deal: a file that is none at all may be one line of megabytes."""
    return text if len(text) <= SHOWN_MAX else text[: SHOWN_MAX - 1] + "…"


def fault_shown(fault: str) -> str:
    """What is wrong, without the middle when it is long: the beginning says where, the end what is needed."""
    half = FAULT_MAX // 2
    return fault if len(fault) <= FAULT_MAX else f"{fault[:half]}…{fault[1 - half :]}"
