"""The rules against a second, naive statement of them: every legal move is accepted and every other refused."""

import random

import pytest

from shared.rules.cards import DECK
from shared.rules.legal import breach, legal_moves
from shared.rules.moves import Move, MoveCards, move_text, parse_move
from shared.rules.table import Table, all_cards, apply, lay_out, revert
from shared.rules.variants import SOLO, Variant
from tests.laws.naive_rules import NaiveTable, every_conceivable_move, naive_rules

CONCEIVABLE = [parse_move(text) for text in every_conceivable_move()]
GAMES = 5
MOVES = 160
LOOK_AT_ALL_EVERY = 20
"""Trying all 4,695 conceivable moves takes a while, so not on every table."""

GAMES_TO_COME = (
    Variant(id="nothing-comes-back", foundation_give_back=False),
    Variant(id="two-decks", decks=2, columns=(6, 6, 6, 6, 5, 5, 5, 5, 5, 5), draw=3),
    Variant(id="two-decks-open", decks=2, columns=(10,) * 10, faces="all", passes=2),
)


@pytest.mark.parametrize("variant", [*SOLO.values(), *GAMES_TO_COME], ids=lambda variant: variant.id)
def test_the_legal_moves_are_those_of_the_naive_rules_and_no_others(variant: Variant) -> None:
    """On every table of random games, and each move does to the table what the naive rules do."""
    met: set[str] = set()
    for seed in range(GAMES):
        chance = random.Random(f"{variant.id} {seed}")
        deck = list(DECK * variant.decks)
        chance.shuffle(deck)
        table, naive = lay_out(tuple(deck), variant), NaiveTable(list(deck), naive_rules(variant))
        for number in range(MOVES):
            assert piles_of(table) == naive_piles(naive)
            legal = legal_moves(table, variant)
            texts = list(map(move_text, legal))
            assert len(texts) == len(set(texts)), "a move is listed twice"
            assert set(texts) == naive.legal()
            if number % LOOK_AT_ALL_EVERY == 0:
                assert set(legal) == {move for move in CONCEIVABLE if breach(table, move, variant) is None}
            if not legal:
                break
            move = some_move(legal, chance)
            met.add(kind_of(move))
            table = made_and_checked(table, move, variant)
            naive.do(move_text(move))
    assert met == kinds_to_meet(variant), "the games were too short to show every kind of move"


def kind_of(move: Move) -> str:
    """`T>F`, `W>T`, `T>T*` for a run, `draw`, `recycle`."""
    if not isinstance(move, MoveCards):
        return move_text(move)
    return f"{move.source[0]}>{move.target[0]}" + ("*" if move.count > 1 else "")


def kinds_to_meet(variant: Variant) -> set[str]:
    kinds = {"T>F", "T>T", "T>T*", "draw"}
    kinds |= {"W>F", "W>T"} if variant.draws_to == "waste" else set()
    kinds |= {"F>T"} if variant.foundation_give_back else set()
    return kinds if variant.passes == 1 or variant.draws_to == "columns" else kinds | {"recycle"}


def some_move(legal: tuple[Move, ...], chance: random.Random) -> Move:
    """Any, but rather one that moves cards: games of draws alone show little."""
    moving = [move for move in legal if ">" in move_text(move)]
    return chance.choice(moving) if moving and chance.random() < 0.5 else chance.choice(legal)


def made_and_checked(table: Table, move: Move, variant: Variant) -> Table:
    """The table after a move, which holds the same cards, and from which the move can be taken back exactly."""
    applied = apply(table, move, variant)
    assert sorted(all_cards(applied.table)) == sorted(DECK * variant.decks)
    assert all(column.up or not column.down for column in applied.table.columns), "a column's top card lies face down"
    back = revert(applied.table, move, variant, count=len(applied.cards), turned_up=applied.turned_up is not None)
    assert back == table
    return applied.table


def piles_of(table: Table) -> dict[str, object]:
    piles: dict[str, object] = {
        f"T{place}": [(card, False) for card in column.down] + [(card, True) for card in column.up]
        for place, column in enumerate(table.columns, 1)
    }
    piles |= {f"F{place}": list(pile) for place, pile in enumerate(table.foundations, 1)}
    return piles | {"W": list(table.waste), "stock": list(table.stock[::-1]), "pass": table.pass_number}


def naive_piles(naive: NaiveTable) -> dict[str, object]:
    piles: dict[str, object] = {
        name: [(laid.card, laid.face_up) for laid in pile] if name[0] == "T" else [laid.card for laid in pile]
        for name, pile in naive.piles.items()
    }
    return piles | {"stock": naive.stock, "pass": naive.passes_begun}
