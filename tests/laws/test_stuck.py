"""No false alarm: a game that is called stuck is searched to its end, by the rules alone.

`KLONDIKE_TEST_POSITIONS=20000 KLONDIKE_TEST_GAMES=200 pytest tests/laws/test_stuck.py` looks at so many small
positions, and at so many games of each variant. What was found, and how much of what is
stuck is told, is in `docs/stuck.md`.
"""

import os
from collections import Counter
from itertools import islice
from random import Random

import msgspec
import pytest

from shared.messages.jobs import Knowledge
from shared.messages.knowledge import knowledge
from shared.rules.cards import DECK, Card
from shared.rules.legal import legal_moves
from shared.rules.moves import MoveCards, parse_move
from shared.rules.stuck import is_stuck
from shared.rules.table import Applied, Table, apply, is_won
from shared.rules.variants import SOLO, Variant
from shared.solver import belief
from shared.solver.belief import lay_known, new_chance, seen_at_deal
from shared.solver.dead_ends import Proof, Prover
from shared.solver.decide import new_world
from shared.solver.flat import unsupported
from shared.solver.hints import best_hint
from tests.boards import Playing, legal_texts, random_game
from tests.unit.solver import exhaustive

POSITIONS = int(os.environ.get("KLONDIKE_TEST_POSITIONS", "300"))
WORLDS_MAX = 24
STATES_MAX = 1_000
STATES = 3_000_000
GAMES = int(os.environ.get("KLONDIKE_TEST_GAMES", "5"))
MOVES_MAX = 200
FOUND_AT_LEAST = 0.9
FOUND_IN_GAMES_AT_LEAST = 0.75
SHAPES = [(1, 2, 3, 3, 3), (1, 2, 3, 4, 5), (2, 3, 4, 5), (4, 4, 4, 4), (5, 5, 5), (6, 6)]


def small_position(random: Random) -> tuple[Table, frozenset[Card], Variant]:
    """A position of few cards, of rules that no branch in the code can know, and the cards that were seen."""
    columns = random.choice(SHAPES)
    onto_columns = random.random() < 0.1
    variant = Variant(
        id="small",
        decks=random.choice([1, 1, 1, 2]),
        columns=columns,
        draw=len(columns) if onto_columns else random.choice([1, 2, 3, 3]),
        draws_to="columns" if onto_columns else "waste",
        passes=random.choice([None, None, None, 1, 1, 2]),
        foundation_give_back=random.random() < 0.8,
        faces=random.choice(["top", "top", "top", "all"]),
    )
    table = exhaustive.small_table(random, variant, random.choice([8, 9, 10, 11]) + (variant.decks == 2))
    if onto_columns:
        table = msgspec.structs.replace(table, stock=table.stock if random.random() < 0.5 else (), waste=())
    seen = seen_at_deal(table, stock_known=random.random() < 0.8)
    for _ in range(random.choice([0, 0, 5, 20])):
        if moves := legal_moves(table, variant):
            table = apply(table, random.choice(moves), variant).table
            seen |= seen_at_deal(table)
    return table, seen, variant


def shown(table: Table, seen: frozenset[Card], variant: Variant) -> Knowledge:
    return knowledge(table, seen if variant.decks == 1 else frozenset())


def something_changes(table: Table, seen: frozenset[Card], variant: Variant, states_max: int) -> bool | None:
    """Whether any moves turn a card up, show one, or put one more up. None: more states than may be looked at.

    Where nothing changes, what lies face down was not looked at, so what is found holds in every world.
    """
    if variant.decks > 1 and table.stock:
        return True  # equal cards cannot be told apart, so a card of the stock counts as one that was never seen
    heights = heights_of(table)
    reached, open_tables = {exhaustive.state_of(table)}, [table]
    while open_tables:
        current = open_tables.pop()
        for move in legal_moves(current, variant):
            applied = apply(current, move, variant)
            if changes(applied, seen if variant.decks == 1 else frozenset(DECK), heights):
                return True
            if (state := exhaustive.state_of(applied.table)) not in reached:
                reached.add(state)
                open_tables.append(applied.table)
        if len(reached) > states_max:
            return None
    return False


def changes(applied: Applied, seen: frozenset[Card], heights: tuple[int, ...]) -> bool:
    more = any(now > before for now, before in zip(heights_of(applied.table), heights, strict=True))
    return applied.turned_up is not None or not seen.issuperset(applied.cards) or more


def heights_of(table: Table) -> tuple[int, ...]:
    """Of the foundations, suit by suit, the lower one first: foundations of a suit are alike."""
    return tuple(height for suit in range(4) for height in sorted(len(pile) for pile in table.foundations[suit::4]))


def test_where_a_game_is_called_stuck_nothing_changes_and_no_world_is_won() -> None:
    """By plain exhaustive search with the rules core, from the position itself and in every way cards may lie."""
    answers: Counter[tuple[bool, bool]] = Counter()
    worlds = 0
    for seed in range(POSITIONS):
        table, seen, variant = small_position(Random(seed))
        if is_won(table, variant):
            continue
        truth = something_changes(table, seen, variant, STATES_MAX)
        told = is_stuck(shown(table, seen, variant), variant)
        assert not (told and truth), seed
        if truth is not None:
            answers[told, truth] += 1
        if told:
            worlds += won_in_no_world(table, seen, variant)
    assert worlds > POSITIONS / 10
    assert answers[True, False] > POSITIONS / 20
    assert answers[False, True] > POSITIONS / 2
    assert answers[True, False] >= FOUND_AT_LEAST * (answers[True, False] + answers[False, False])


def won_in_no_world(table: Table, seen: frozenset[Card], variant: Variant) -> int:
    """How many worlds were searched, by the rules alone, without coming to a win."""
    if variant.decks > 1:
        assert not exhaustive.winnable(table, variant, STATES_MAX)
        return 1
    known = shown(table, seen, variant)
    worlds = list(islice(belief.worlds(known), WORLDS_MAX))
    assert not any(exhaustive.winnable(world, variant, STATES_MAX) for world in worlds)
    return len(worlds)


@pytest.mark.parametrize("variant", SOLO.values(), ids=SOLO)
def test_a_real_game_that_is_called_stuck_is_lost(variant: Variant) -> None:
    """The solver proves it in its own way: none of the worlds that agree with what was seen can be won.

    It does not play two decks: there it is searched by the rules whether anything changes.
    """
    told = 0
    for seed in range(GAMES):
        game = until_stuck(Random(seed), variant, hints=(1.0, 0.7, 0.0)[seed % 3])
        seen = frozenset(game.seen)
        position = shown(game.table, seen, variant)
        if not is_stuck(position, variant):
            continue
        told += 1
        if unsupported(game.table, variant) is None:
            assert proved(position, variant, seed) == "lost"
        else:
            assert not something_changes(game.table, seen, variant, STATES_MAX)
    assert told or variant.decks > 1


def proved(position: Knowledge, variant: Variant, seed: int) -> Proof:
    """What the solver proves of all worlds."""
    lay_known(position, known := new_world())
    return Prover(variant, STATES, lambda: False).prove(known, new_chance(seed))


def test_most_games_that_hints_cannot_win_are_called_stuck() -> None:
    """Of those that the solver proves lost where hints end; now and then the player did not follow."""
    answers: Counter[tuple[Proof, bool]] = Counter()
    for variant in SOLO.values():
        for seed in range(GAMES if variant.decks == 1 else 0):
            game = by_hints(Random(seed), variant, following=(1.0, 0.9, 0.7)[seed % 3])
            if not game.won:
                answers[proved(game.known(), variant, seed), is_stuck(game.known(), variant)] += 1
    lost = answers["lost", True] + answers["lost", False]
    assert answers["lost", True] >= FOUND_IN_GAMES_AT_LEAST * lost
    assert not answers["winnable", True] + answers["unknown", True]


def by_hints(random: Random, variant: Variant, following: float) -> Playing:
    """A game until there is no hint."""
    game = random_game(random, variant)
    while hint := best_hint(game.known(), legal_texts(game.known(), variant), variant):
        game.play(parse_move(hint.move) if random.random() < following else random.choice(game.legal()))
    return game


def until_stuck(random: Random, variant: Variant, hints: float) -> Playing:
    """A game that was played until it is called stuck, or there is nothing to do."""
    game = random_game(random, variant)
    for _ in range(MOVES_MAX):
        known, legal = shown(game.table, frozenset(game.seen), variant), game.legal()
        if game.won or not legal or is_stuck(known, variant):
            break
        hint = best_hint(known, legal_texts(known, variant), variant) if random.random() < hints else None
        game.play(parse_move(hint.move) if hint else random.choice(legal))
    return game


@pytest.mark.parametrize("variant", SOLO.values(), ids=SOLO)
def test_once_stuck_a_game_stays_so_whatever_is_played(variant: Variant) -> None:
    """It is taken back only by undo, and when a card comes back from a foundation, which can go up again."""
    for seed in range(GAMES):
        random = Random(seed)
        game = until_stuck(random, variant, hints=0.7)
        known = shown(game.table, frozenset(game.seen), variant)
        if not is_stuck(known, variant):
            continue
        hidden = [len(column.down) for column in known.columns]
        for _ in range(MOVES_MAX):
            legal = [move for move in game.legal() if not (isinstance(move, MoveCards) and move.source[0] == "F")]
            if legal:
                game.play(random.choice(legal))
            known = shown(game.table, frozenset(game.seen), variant)
            assert is_stuck(known, variant)
            assert [len(column.down) for column in known.columns] == hidden
