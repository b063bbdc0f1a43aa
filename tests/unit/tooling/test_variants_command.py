"""`klondike variants` says what the rows say that the code plays by."""

import msgspec
import pytest
from click.testing import CliRunner

from services.cli.variants import variants
from shared.rules.scoring import SCORINGS, Scoring
from shared.rules.variants import VARIANTS, Variant


def shown(*arguments: str) -> str:
    result = CliRunner().invoke(variants, arguments)
    assert result.exit_code == 0, result.output
    return result.output


def cells(text: str) -> list[list[str]]:
    """The cells of a table's lines: two blanks and more part them."""
    return [[cell.strip() for cell in line.split("  ") if cell.strip()] for line in text.splitlines()]


def test_json_holds_every_row_whole() -> None:
    """Read back, it is the same data."""
    listing = msgspec.json.decode(shown("--json"), type=dict[str, list[msgspec.Raw]])
    assert [msgspec.json.decode(row, type=Variant) for row in listing["variants"]] == [*VARIANTS.values()]
    assert [msgspec.json.decode(row, type=Scoring) for row in listing["scorings"]] == [*SCORINGS.values()]
    assert set(listing) == {"variants", "scorings"}


def test_the_first_table_has_a_line_of_rules_for_each_variant() -> None:
    heads, *lines = cells(shown().split("\n\n")[0])
    assert [line[0] for line in lines] == [*VARIANTS]
    for line, row in zip(lines, VARIANTS.values(), strict=True):
        found = dict(zip(heads, line, strict=True))
        assert found["columns"] == " ".join(map(str, row.columns))
        assert found["players"].split(":")[0] == str(row.players)
        assert (found["decks"], found["face up"]) == (str(row.decks), row.faces)
        assert found["draw"].split(",")[0] == str(row.draw)
        if row.draws_to == "waste":
            assert found["passes"] == ("unlimited" if row.passes is None else str(row.passes))
        assert found["give back"] == ("yes" if row.foundation_give_back else "no")
        assert found["scorings"].split(", ") == [*row.scorings]


def test_the_second_table_has_the_points_of_each_scoring_mode() -> None:
    heads, *lines = cells(shown().split("\n\n")[1])
    assert heads == ["scoring", *SCORINGS]
    told = {line[0].replace(" ", "_"): line[1:] for line in lines}
    assert set(told) == set(Scoring.__struct_fields__) - {"id"}
    for name, values in told.items():
        rows = [getattr(scoring, name) for scoring in SCORINGS.values()]
        assert [value if isinstance(row, str) else int(value) for value, row in zip(values, rows, strict=True)] == rows


@pytest.mark.parametrize(
    ("variant", "says"),
    [
        ("draw3-1pass", ["1 2 3 4 5 6 7", "top", "3", "1", "yes", "standard, win-loss, traditional"]),
        ("vegas-draw1", ["1 2 3 4 5 6 7", "top", "1", "3", "yes", "vegas"]),
        (
            "spider-klondike",
            [
                "6 6 6 6 5 5 5 5 5 5",
                "top",
                "10, one on each column",
                "no waste",
                "yes",
                "standard, win-loss, traditional",
            ],
        ),
        ("double", ["1 2 3 4 5 6 7", "top", "1", "unlimited", "no", "standard, win-loss, traditional"]),
        ("open", ["1 2 3 4 5 6 7", "all", "1", "unlimited", "yes", "standard, win-loss, traditional"]),
    ],
)
def test_a_line_reads_as_the_rules_do(variant: str, says: list[str]) -> None:
    (line,) = [line for line in cells(shown()) if line[:1] == [variant]]
    assert line[4:] == says


def test_games_for_two_say_what_is_shared() -> None:
    found = {line[0]: line[2] for line in cells(shown().split("\n\n")[0])[1:]}
    assert found["draw1"] == "1"
    assert found["double"] == "2: a deck each, shared foundations"
    assert found["double-mini"] == "2: the same deal, a race"
