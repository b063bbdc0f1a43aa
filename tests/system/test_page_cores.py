"""The pure modules of the page, held to the rules and the solver: what is foreseen comes about, what is safe is so."""

import time
from collections.abc import AsyncIterator
from random import Random
from typing import assert_never, cast

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page

from shared.rules.cards import Card
from shared.rules.legal import legal_moves
from shared.rules.moves import Draw, Move, MoveCards, Recycle, move_text
from shared.rules.table import Applied, Table, apply, pile_cards
from shared.rules.variants import SOLO, VARIANTS, Variant
from shared.solver.solve import Budget, Solvable, Solver, Unsolvable
from tests.boards import DRAW1, DRAW3, board
from tests.system.page_modules import Seen, called, random_tables, seen
from tests.system.page_player import DESK, Game, command, new_context
from tests.system.up_process import Up

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

BUDGET = Budget(states=20_000)


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def page(system: Up, browser: Browser) -> AsyncIterator[Page]:
    """A page of the server's that runs nothing by itself."""
    context = await new_context(browser, DESK, "en-GB", motion=False)
    page = await context.new_page()
    await page.goto(system.address + "/icon.svg")
    yield page
    await context.close()


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS)
async def test_what_the_page_takes_for_legal_is_what_the_rules_do(page: Page, variant: Variant) -> None:
    views = [seen(table, variant) for seed in (1, 2) for table in random_tables(variant, seed, 80)]
    found = await called(page, "rules", "legalMoves", [[view] for view in views])
    assert found == [view["legal"] for view in views]


@pytest.mark.parametrize("variant", SOLO.values(), ids=SOLO)
async def test_the_move_between_two_tables_is_the_one_that_was_made(page: Page, variant: Variant) -> None:
    """It is told of an undo by the tables alone; from a table to itself there is none."""
    tables = [table for seed in (5, 6) for table in random_tables(variant, seed, 40)]
    tried = [(table, move) for table in tables for move in legal_moves(table, variant)]
    done = [apply(table, move, variant) for table, move in tried]
    calls = [[seen(table, variant), seen(after.table, variant)] for (table, _), after in zip(tried, done, strict=True)]
    found = await called(page, "between", "deedBetween", calls)
    assert found == [deed(move, after) for (_, move), after in zip(tried, done, strict=True)]
    assert await called(page, "between", "deedBetween", [[one, one] for one, _ in calls]) == [None] * len(calls)


def deed(move: Move, after: Applied) -> dict[str, object]:
    """The event of a move, with the pile that it left."""
    match move:
        case MoveCards(source=source, target=target):
            what: dict[str, object] = {"cards": [*after.cards], "turned_up": after.turned_up}
            return {"type": "cards-moved", "source": source, "target": target, **what}
        case Draw():
            return {"type": "cards-drawn", "cards": [*after.cards]}
        case Recycle():
            return {"type": "stock-recycled", "cards": len(after.cards)}
        case _:
            assert_never(move)


@pytest.mark.parametrize("name", ["draw1", "draw3-1pass", "open", "double"])
async def test_a_table_that_is_foreseen_is_the_one_that_comes(page: Page, name: str) -> None:
    """What is turned up or drawn lies there by its back, and no move is made from it or onto it."""
    variant = VARIANTS[name]
    tables = [table for seed in (3, 4) for table in random_tables(variant, seed, 60)]
    tried = [(table, move) for table in tables for move in legal_moves(table, variant)]
    found = await called(
        page, "foresight", "foresee", [[seen(table, variant), command(move_text(move))] for table, move in tried]
    )
    for (table, move), foreseen in zip(tried, cast("list[Seen]", found), strict=True):
        after = apply(table, move, variant)
        assert foreseen == foreseeable(seen(after.table, variant), move, after) | {"legal": foreseen["legal"]}
        unknown = isinstance(move, Draw) or after.turned_up is not None
        legal = set(cast("list[str]", foreseen["legal"]))
        known = {move_text(one) for one in legal_moves(after.table, variant)}
        assert legal <= known if unknown else legal == known


def foreseeable(after: Seen, move: Move, done: Applied) -> Seen:
    """What can be known beforehand of a view after a move."""
    match move:
        case MoveCards(source=source):
            columns = [dict(column) for column in cast("list[Seen]", after["columns"])]
            if done.turned_up:
                columns[int(source[1:]) - 1] = {"down": cast("int", columns[int(source[1:]) - 1]["down"]) + 1, "up": []}
            return after | {"columns": columns}
        case Draw():
            drawn = len(done.cards)
            return after | {"waste": cast("list[Card]", after["waste"])[:-drawn], "unseen": drawn}
        case Recycle():
            return after | {"unseen": 0}


@pytest.mark.parametrize("variant", [DRAW1, DRAW3, VARIANTS["draw1-1pass"]], ids=lambda variant: variant.id)
async def test_no_safe_card_is_ever_missed(page: Page, variant: Variant) -> None:
    """Wherever the solver finds a way to win, it still finds one when a safe card has gone up."""
    solver = Solver(time.process_time)
    golden = Game(variant.id)
    tables = [table for start in golden.tables[20::3] for table in wandered(start, variant)]
    tried = [(table, card) for table in tables for card in up_cards(table, variant)]
    safe = await called(page, "safe", "isSafe", [[seen(table, variant), card] for table, card in tried])
    compared = 0
    for (table, card), is_safe in zip(tried, safe, strict=True):
        if is_safe and isinstance(solver.solve(table, variant, BUDGET), Solvable):
            move = next(move for move in up_moves(table, variant) if pile_cards(table, move.source)[-1] == card)
            after = solver.solve(apply(table, move, variant).table, variant, BUDGET)
            assert not isinstance(after, Unsolvable), (table, card)
            compared += 1
    assert compared > 20, compared


def wandered(table: Table, variant: Variant) -> list[Table]:
    """Some tables that a few moves at random lead to."""
    random = Random(len(table.stock))
    tables = [table]
    for _ in range(4):
        table = apply(table, random.choice(legal_moves(table, variant)), variant).table
        tables.append(table)
    return tables


def up_moves(table: Table, variant: Variant) -> list[MoveCards]:
    return [move for move in legal_moves(table, variant) if isinstance(move, MoveCards) and move.target[0] == "F"]


def up_cards(table: Table, variant: Variant) -> list[Card]:
    return [pile_cards(table, move.source)[-1] for move in up_moves(table, variant)]


@pytest.mark.parametrize(
    ("foundations", "card", "scoring", "safe"),
    [
        ("- - - -", "AC", "standard", True),
        ("AC - - -", "2C", "standard", True),
        ("2C AD AH 2S", "3S", "standard", True),
        ("2C - AH 2S", "3S", "standard", False),
        ("2C AD AH AS", "3C", "standard", True),
        ("5C 4D 4H 3S", "6C", "standard", True),
        ("5C 4D 4H 2S", "6C", "standard", False),
        ("5C 3D 4H 5S", "6C", "standard", False),
        ("5C 4D 4H 5S", "6C", "traditional", False),
        ("5C 5D 5H 5S", "6C", "traditional", True),
        ("AC - - -", "2C", "traditional", False),
    ],
)
async def test_safe_is_what_the_document_says(
    page: Page, foundations: str, card: str, scoring: str, safe: bool
) -> None:
    (found,) = await called(page, "safe", "isSafe", [[shown(f"F: {foundations}\nT1: {card}", scoring), card]])
    assert found is safe


@pytest.mark.parametrize(
    ("draw", "scoring", "safe"), [(1, "standard", True), (3, "standard", False), (1, "traditional", False)]
)
async def test_a_card_of_the_waste_is_safe_only_where_taking_it_changes_nothing(
    page: Page, draw: int, scoring: str, safe: bool
) -> None:
    view = shown("waste: AC", scoring) | {"draw": draw}
    assert await called(page, "safe", "isSafe", [[view, "AC"]]) == [safe]


def shown(text: str, scoring: str = "standard") -> Seen:
    """What is seen of a board that is written as text; what it does not name does not matter."""
    known = board(text)
    columns = [{"down": len(column.down), "up": [*column.up]} for column in known.columns]
    view: Seen = {
        "game": "g",
        "status": "running",
        "scoring": scoring,
        "columns": columns,
        "stock": len(known.stock),
        "foundations": [[*pile] for pile in known.foundations],
        "waste": [*known.waste],
        "draw": 1,
        "draws_to": "waste",
        "pass_number": 1,
        "passes": None,
    }
    return view


async def with_legal(page: Page, view: Seen) -> Seen:
    (legal,) = await called(page, "rules", "legalMoves", [[view]])
    return view | {"legal": legal}


@pytest.mark.parametrize(
    ("text", "card", "order"),
    [
        ("F: AC - - -\nT1: -- 2C\nT2: 3H", "2C", ["F1", "T2"]),
        ("F: 5C - - -\nT1: -- 6C\nT2: -- -- 7H\nT3: -- 7D", "6C", ["T3", "T2", "F1"]),
        ("F: 5C - - -\nT1: 7H 6C\nT2: 7D", "6C", ["F1", "T2"]),
        ("T1: -- KS\nT2: KD", "KS", ["T3", "T4", "T5", "T6", "T7"]),
        ("T1: KS", "KS", []),
        ("waste: QD\nT1: KS\nT2: -- KC", "QD", ["T1", "T2"]),
        ("F: - 2D - -\nT1: 3S\nT2: 3C", "2D", ["T1", "T2"]),
    ],
)
async def test_a_tap_goes_through_a_cards_places_in_this_order(
    page: Page, text: str, card: str, order: list[str]
) -> None:
    view = await with_legal(page, shown(text))
    (found,) = await called(page, "taps", "choicesOf", [[view, card]])
    assert [move["target"] for move in cast("list[dict[str, str]]", found)] == order


async def test_the_next_tap_goes_where_the_card_has_not_been_and_back_in_the_end(page: Page) -> None:
    view = await with_legal(page, shown("T1: 6C\nT2: 7H\nT3: 7D 5S\nT4: 7D"))
    calls = [[view, "6C", piles] for piles in (["T1"], ["T1", "T2"], ["T2", "T4", "T1"], ["T5"])]
    found = cast("list[dict[str, str]]", await called(page, "taps", "nextChoice", calls))
    assert [move["target"] for move in found] == ["T2", "T4", "T2", "T2"]


async def test_cards_that_were_taken_down_are_held_until_they_are_up_again(page: Page) -> None:
    up, down = shown("F: 2C - - -"), shown("F: AC - - -\nT1: 2C")
    script = """async ([up, down]) => {
      const { stillHeld } = await import("/js/safe.js");
      const held = stillHeld(up, down, new Set());
      const later = [stillHeld(down, down, held), stillHeld(down, up, held), stillHeld(null, down, held)];
      return [held, ...later].map((one) => [...one]);
    }"""
    assert await page.evaluate(script, [up, down]) == [["2C"], ["2C"], [], []]
