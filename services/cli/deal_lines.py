"""Deals from a file, one a line."""

from collections.abc import Iterator
from typing import IO, NamedTuple


class DealLine(NamedTuple):
    """A line of input, counted from 1."""

    number: int
    text: str


def deal_lines(file: IO[str]) -> Iterator[DealLine]:
    """Every line that is neither empty nor a comment."""
    for number, line in enumerate(file, 1):
        text = line.strip()
        if text and not text.startswith("#"):
            yield DealLine(number, text)
