"""`klondike variants`: what can be played, and how it is scored, from the rows that the code plays by."""

from collections.abc import Iterable, Iterator
from typing import Final

import click
import msgspec

from shared.rules.scoring import SCORINGS, Scoring
from shared.rules.variants import VARIANTS, Variant

GAP: Final = "  "


class Listing(msgspec.Struct, frozen=True, kw_only=True):
    """What `--json` prints."""

    variants: tuple[Variant, ...]
    scorings: tuple[Scoring, ...]


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of the tables.")
def variants(*, as_json: bool) -> None:
    """List the variants with their rules, and the points of each scoring mode."""
    if as_json:
        listing = Listing(variants=tuple(VARIANTS.values()), scorings=tuple(SCORINGS.values()))
        click.echo(msgspec.json.format(msgspec.json.encode(listing)).decode())
        return
    for line in (*_table(_variant_cells()), "", *_table(_scoring_cells())):
        click.echo(line)


def _variant_cells() -> Iterator[tuple[str, ...]]:
    yield "variant", "version", "players", "decks", "columns", "face up", "draw", "passes", "give back", "scorings"
    for row in VARIANTS.values():
        yield (
            row.id,
            row.version,
            _players(row),
            str(row.decks),
            " ".join(map(str, row.columns)),
            row.faces,
            str(row.draw) if row.draws_to == "waste" else f"{row.draw}, one on each column",
            _passes(row),
            "yes" if row.foundation_give_back else "no",
            ", ".join(row.scorings),
        )


def _players(row: Variant) -> str:
    if row.players == 1:
        return "1"
    decks = "a deck each" if row.own_decks else "the same deal"
    foundations = "shared foundations" if row.shares_foundations else "a race"
    return f"{row.players}: {decks}, {foundations}"


def _passes(row: Variant) -> str:
    if row.draws_to == "columns":
        return "no waste"
    return "unlimited" if row.passes is None else str(row.passes)


def _scoring_cells() -> Iterator[tuple[str, ...]]:
    """A row for each kind of points, a column for each mode."""
    modes = tuple(SCORINGS.values())
    yield "scoring", *(mode.id for mode in modes)
    for name in Scoring.__struct_fields__:
        if name != "id":
            yield name.replace("_", " "), *(_shown(getattr(mode, name)) for mode in modes)


def _shown(value: int | str) -> str:
    return value if isinstance(value, str) else f"{value:+d}" if value else "0"


def _table(rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    """Rows as lines, each column as wide as its widest cell."""
    lines = list(rows)
    widths = [max(map(len, cells)) for cells in zip(*lines, strict=True)]
    for line in lines:
        yield GAP.join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
