"""Shortest solutions: held to plain search on small tables, to known counts on whole decks, and honest when cut off."""

import json
import time
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

from services.cli.main import main
from shared.rules.deal import numbered_deck
from shared.rules.legal import breach
from shared.rules.moves import Move, Recycle
from shared.rules.table import Table, apply, is_won, lay_out
from shared.rules.variants import VARIANTS, Variant
from shared.solver.formats import parse_deal
from shared.solver.minimal import MinimalSolver, Search, Shortest
from shared.solver.solve import Budget, Reason, Unsolvable
from tests.unit.solver import exhaustive
from tests.unit.solver.uniform_cost import shortest

TABLES = 120
STATES_MAX = 1000
BUDGET = Budget(seconds=60, table_bytes=1 << 26)
DRAW1, DRAW3 = VARIANTS["draw1"], VARIANTS["draw3"]

DEAL_D = (
    "9C 9D 9H KC KS JS 7H 8C 8H TC KD TS 7D QC JC JH 8S 7C TH TD 9S 7S QH QS 6S QD 6C 6D KH JD 5C 8D 6H 5S 5H 5D "
    "AH AD AC AS 2H 2D 2C 2S 3H 3D 3C 3S 4H 4D 4C 4S"
)
SORTED = (
    "AC 6C AD AH KH KD KC 2C 5C AS 5H 4D KS 2H 4H 3H 3D 6D 3C 3S 2D 5D 2S 4C 5S 6S 6H 4S QC QD QH QS JC JD JH JS "
    "TC TD TH TS 9C 9D 9H 9S 8C 8D 8H 8S 7C 7D 7H 7S"
)
KNOWN = [(DEAL_D, DRAW3, 70), (SORTED, DRAW1, 80)]
"""Deals whose least number of moves other solvers agree on."""


@pytest.fixture(scope="module")
def solver() -> MinimalSolver:
    """One for all searches."""
    return MinimalSolver(time.perf_counter)


def _small(seed: int) -> tuple[Table, Variant]:
    random = Random(seed)
    variant = Variant(
        id="small",
        columns=random.choice([(1, 2, 3), (2, 3, 4), (1, 1, 2, 3), (3, 3), (2, 2, 2, 2, 2), (4, 4), (1, 5)]),
        draw=random.choice([1, 3]),
        passes=random.choice([None, None, 1, 2, 3]),
        foundation_give_back=random.random() < 0.75,
        faces=random.choice(["top", "top", "top", "all"]),
    )
    return exhaustive.small_table(random, variant, random.choice([10, 11, 11, 12])), variant


def _tables_after(table: Table, variant: Variant, moves: tuple[Move, ...]) -> list[Table]:
    """The tables along a line, each move allowed by the rules."""
    tables = [table]
    for move in moves:
        assert breach(tables[-1], move, variant) is None
        tables.append(apply(tables[-1], move, variant).table)
    return tables


def _counted(moves: tuple[Move, ...]) -> int:
    return sum(not isinstance(move, Recycle) for move in moves)


def test_counts_agree_with_plain_search(solver: MinimalSolver) -> None:
    """No table has a shorter solution than the one found, or one where none was found, under any kind of rules."""
    found: set[bool] = set()
    for seed in range(TABLES):
        table, variant = _small(seed)
        least = shortest(table, variant, STATES_MAX)
        if least is None:
            continue
        answer = solver.solve(table, variant, BUDGET)
        found.add(least >= 0)
        if least < 0:
            assert isinstance(answer, Unsolvable), seed
            continue
        assert isinstance(answer, Shortest), seed
        assert (answer.count, answer.minimal) == (least, True), seed
        assert _counted(answer.moves) == least, seed
        assert is_won(_tables_after(table, variant, answer.moves)[-1], variant), seed
    assert found == {True, False}


@pytest.mark.parametrize(("cards", "variant", "least"), KNOWN)
def test_known_counts_are_found(cards: str, variant: Variant, least: int, solver: MinimalSolver) -> None:
    """Whole decks, with lines that the rules accept."""
    table = lay_out(parse_deal(cards), variant)
    answer = solver.solve(table, variant, Budget(seconds=120, table_bytes=1 << 30))
    assert isinstance(answer, Shortest)
    assert (answer.count, answer.at_least, answer.reason) == (least, least, None)
    assert _counted(answer.moves) == least
    assert is_won(_tables_after(table, variant, answer.moves)[-1], variant)


def test_from_any_position_of_a_shortest_line_the_rest_is_shortest(solver: MinimalSolver) -> None:
    """And before any search, the bound is never above what is left."""
    table = lay_out(parse_deal(DEAL_D), DRAW3)
    answer = solver.solve(table, DRAW3, Budget(seconds=120, table_bytes=1 << 30))
    assert isinstance(answer, Shortest)
    for done, position in enumerate(_tables_after(table, DRAW3, answer.moves)):
        left = _counted(answer.moves[done:])
        assert _bound(position) <= left
        if done % 8 == 7:
            rest = solver.solve(position, DRAW3, Budget(seconds=120, table_bytes=1 << 28))
            assert isinstance(rest, Shortest)
            assert (rest.count, rest.minimal) == (left, True)


def _bound(position: Table) -> int:
    search = Search(position, DRAW3, 1 << 22)
    assert search.run(0, lambda: None) == "states"
    return search.at_least


@pytest.mark.parametrize(
    ("budget", "reason"),
    [
        (Budget(states=300, seconds=60, table_bytes=1 << 26), "states"),
        (Budget(seconds=60, table_bytes=1 << 15), "memory"),
    ],
)
def test_a_search_that_is_cut_off_says_so_and_still_wins(budget: Budget, reason: Reason, solver: MinimalSolver) -> None:
    """The moves win, and how many are needed at least is not overstated."""
    table = lay_out(parse_deal(DEAL_D), DRAW3)
    answer = solver.solve(table, DRAW3, budget)
    assert isinstance(answer, Shortest)
    assert answer.reason == reason
    assert not answer.minimal
    assert answer.at_least <= 70 < answer.count == _counted(answer.moves)
    assert is_won(_tables_after(table, DRAW3, answer.moves)[-1], DRAW3)


def test_a_search_can_be_cancelled_and_timed_out() -> None:
    """The caller is asked every few thousand states, also after the deal is known to be solvable."""
    table = lay_out(numbered_deck(3, decks=1), DRAW1)
    asked = iter([False] * 3)
    cancelled = MinimalSolver(lambda: 0.0).solve(table, DRAW1, BUDGET, lambda: next(asked, True))
    assert isinstance(cancelled, Shortest)
    assert cancelled.reason == "cancelled"
    ticks = iter(range(1_000_000))
    late = MinimalSolver(lambda: float(next(ticks))).solve(table, DRAW1, Budget(seconds=8, table_bytes=1 << 26))
    assert isinstance(late, Shortest)
    assert late.reason == "time"


def test_the_command_says_whether_its_line_is_minimal() -> None:
    """With a budget too small it is honest, and gives the bound."""
    arguments = ["solve", "--minimal", "--variant", "draw3"]
    full = json.loads(CliRunner().invoke(main, [*arguments, "--timeout", "120"], input=DEAL_D).stdout)
    cut = json.loads(CliRunner().invoke(main, [*arguments, "--max-states", "300"], input=DEAL_D).stdout)
    assert (full["verdict"], full["minimal"], full["move_count"], full["at_least"]) == ("solvable", True, 70, 70)
    assert len([move for move in full["moves"] if move != "recycle"]) == 70
    assert (cut["verdict"], cut["minimal"], cut["reason"]) == ("solvable", False, "states")
    assert cut["at_least"] < cut["move_count"]


def test_the_benchmark_tells_right_counts_from_wrong_ones(tmp_path: Path) -> None:
    """It checks what is found against what is known. A count of more moves than were needed is the table's fault."""
    known = {80: "right", 79: "wrong", 81: "fewer"}
    rows = "".join(f"1,{SORTED},solvable,{count}\n" for count in known)
    table = tmp_path / "cases.csv"
    table.write_text(f"draw,cards,verdict,minimal_moves\n{rows}1,{SORTED},unsolvable,\n")
    result = CliRunner().invoke(main, ["bench", "minimal", str(table), "--timeout", "120", "--json"])
    (report,) = json.loads(result.stdout)
    assert (report["deals"], report["finished"]) == (4, 4)
    assert (report["right"], report["fewer"], report["wrong"]) == (1, 1, 2)
