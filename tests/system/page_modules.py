"""What a player sees of a table of the rules, for the pure modules of the page, which a browser runs on it."""

from collections.abc import Iterator, Sequence
from random import Random
from typing import cast

from playwright.async_api import Page

from shared.rules.deal import numbered_deck
from shared.rules.legal import legal_moves
from shared.rules.moves import move_text
from shared.rules.table import Table, apply, is_won, lay_out
from shared.rules.variants import Variant

Seen = dict[str, object]

CALL = """async ([module, name, calls]) => {
  const found = (await import(module))[name];
  return calls.map((arguments) => found(...arguments));
}"""


async def called(page: Page, module: str, name: str, calls: Sequence[Sequence[object]]) -> list[object]:
    """What a function of a module of the page gives for each list of arguments."""
    return cast("list[object]", await page.evaluate(CALL, [f"/js/{module}.js", name, calls]))


def seen(table: Table, variant: Variant, scoring: str = "standard") -> Seen:
    """The fields of a view that those modules read."""
    return {
        "game": "g",
        "status": "running",
        "scoring": scoring,
        "columns": [{"down": len(column.down), "up": [*column.up]} for column in table.columns],
        "foundations": [[*pile] for pile in table.foundations],
        "stock": len(table.stock),
        "waste": [*table.waste],
        "draw": variant.draw,
        "draws_to": variant.draws_to,
        "pass_number": table.pass_number,
        "passes": variant.passes,
        "legal": [move_text(move) for move in legal_moves(table, variant)],
    } | ({"duel": {"shared": variant.shares_foundations}} if variant.players == 2 else {})


def random_tables(variant: Variant, seed: int, moves: int) -> Iterator[Table]:
    """A game of random moves, each of them legal, those that turn cards over less often than there are."""
    random = Random(seed)
    table = lay_out(numbered_deck(seed, decks=variant.decks_each), variant)
    for _ in range(moves):
        yield table
        legal = legal_moves(table, variant)
        if not legal or is_won(table, variant):
            return
        useful = [move for move in legal if move_text(move) not in {"draw", "recycle"} and move_text(move)[0] != "F"]
        table = apply(table, random.choice(useful if useful and random.random() < 0.8 else legal), variant).table
