"""The strong player: fair, never in a circle, and its moves accepted by the rules core."""

from collections.abc import Callable
from random import Random
from typing import Final

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from shared.messages.knowledge import knowledge
from shared.rules.cards import DECK, Card
from shared.rules.deal import numbered_deck
from shared.rules.legal import breach, legal_moves
from shared.rules.moves import Move, MoveCards
from shared.rules.table import Table, apply, is_won, lay_out
from shared.rules.variants import Variant
from shared.solver.belief import fill, lay_known, seen_after, seen_at_deal, unseen
from shared.solver.decide import new_world
from shared.solver.flat import ALL_RULES, empty_deal
from shared.solver.kernels import RUNNING, SOLVABLE, UNSOLVABLE
from shared.solver.memory import ENTRY, new_memory
from shared.solver.player import SCALE, WORLDS_AT_ONCE, Effort, Plan, StrongPlayer, halving
from shared.solver.player_game import play
from shared.solver.player_kernels import look_for_win
from shared.solver.player_seat import first_layer, lay
from shared.solver.solve import Budget, Solvable, Solver, Unknown, Unsolvable

VARIANTS: Final = tuple(
    Variant(id=f"draw{draw}-{passes}", draw=draw, passes=passes) for draw in (1, 3) for passes in (None, 1, 3)
)
HASTY: Final = Effort(searches=2, states=50)
THOROUGH: Final = Effort(searches=40, states=50)
PLAYERS, OTHERS = ({variant.id: StrongPlayer(variant) for variant in VARIANTS} for _ in range(2))


def table_of(number: int, variant: Variant) -> Table:
    return lay_out(numbered_deck(number, decks=1), variant)


def made(
    moves: tuple[Move, ...], table: Table, seen: frozenset[Card], variant: Variant
) -> tuple[Table, frozenset[Card]]:
    """A table, and what was seen, after moves."""
    for move in moves:
        table = apply(table, move, variant).table
        seen = seen_after(seen, table)
    return table, seen


def plans_of(table: Table, player: StrongPlayer, effort: Effort, seed: int) -> list[Plan]:
    """All plans of a game."""
    seen, plans = seen_at_deal(table), list[Plan]()
    while (plan := player.plan(knowledge(table, seen), seed=seed, effort=effort)) is not None:
        plans.append(plan)
        table, seen = made(plan.moves, table, seen, player.variant)
    return plans


def stopping_at(most: int, looks: list[bool]) -> Callable[[], bool]:
    """Says to stop from so many looks on, and notes each."""

    def stopped() -> bool:
        looks.append(len(looks) + 1 >= most)
        return looks[-1]

    return stopped


@given(number=st.integers(0, 10**6), variant=st.sampled_from(VARIANTS))
@settings(max_examples=20, deadline=None)
def test_each_plan_is_legal_and_lowers_what_remains_so_a_game_ends(number: int, variant: Variant) -> None:
    player, table = PLAYERS[variant.id], table_of(number, variant)
    seen = seen_at_deal(table)
    known = knowledge(table, seen)
    remaining = player.remaining(known)
    while (plan := player.plan(known, seed=number, effort=HASTY)) is not None:
        for move in plan.moves:
            assert breach(table, move, variant) is None
            table = apply(table, move, variant).table
            seen = seen_after(seen, table)
        known = knowledge(table, seen)
        assert is_won(table, variant) or player.remaining(known) < remaining
        remaining = player.remaining(known)
    assert remaining >= 0


@given(number=st.integers(0, 10**6), variant=st.sampled_from(VARIANTS), order=st.randoms(use_true_random=False))
@settings(max_examples=20, deadline=None)
def test_two_games_that_differ_in_unseen_cards_are_played_alike_until_one_of_these_is_seen(
    number: int, variant: Variant, order: Random
) -> None:
    table = table_of(number, variant)
    seen = seen_at_deal(table)
    hidden = unseen(knowledge(table, seen))
    other = fill(knowledge(table, seen), tuple(order.sample(hidden, len(hidden))))
    games = [(table, seen), (other, seen)]
    while (known := knowledge(*games[0])) == knowledge(*games[1]):
        plans = [player.plan(known, seed=1, effort=HASTY) for player in (PLAYERS[variant.id], OTHERS[variant.id])]
        assert plans[0] == plans[1]
        if plans[0] is None or is_won(games[0][0], variant):
            return
        games = [made(plans[0].moves, *game, variant) for game in games]


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.id)
def test_a_plan_follows_from_knowledge_seed_and_effort_alone(variant: Variant) -> None:
    """A player that has played other games before, in the middle of a game, plans as a new one."""
    table = table_of(7, variant)
    player, seen = PLAYERS[variant.id], seen_at_deal(table)
    for _ in range(12):
        known = knowledge(table, seen)
        plans_of(table_of(8, variant), player, HASTY, seed=2)
        plan = player.plan(known, seed=3, effort=THOROUGH)
        assert plan == StrongPlayer(variant).plan(known, seed=3, effort=THOROUGH)
        if plan is None:
            return
        table, seen = made(plan.moves, table, seen, variant)


@pytest.mark.parametrize("number", [3, 5, 8])
def test_with_every_card_seen_it_wins_what_can_be_won(number: int) -> None:
    """Deals 3, 5 and 8 can be won: with all cards seen, one plan wins them."""
    variant = VARIANTS[0]
    table = table_of(number, variant)
    plan = PLAYERS[variant.id].plan(knowledge(table, frozenset(DECK)), seed=1, effort=HASTY)
    assert plan is not None
    table, _ = made(plan.moves, table, frozenset(), variant)
    assert is_won(table, variant)


def test_the_whole_stock_is_seen_before_a_card_is_moved_when_passes_cost_nothing() -> None:
    variant = VARIANTS[3]
    table = table_of(4, variant)
    player, seen = PLAYERS[variant.id], seen_at_deal(table)
    for _ in range(8):
        plan = player.plan(knowledge(table, seen), seed=1, effort=HASTY)
        assert plan is not None
        assert plan.reason == "draw"
        table, seen = made(plan.moves, table, seen, variant)
    assert not table.stock


def test_shown_the_stock_it_plays_at_once() -> None:
    variant = VARIANTS[0]
    table = table_of(4, variant)
    plan = PLAYERS[variant.id].plan(knowledge(table, seen_at_deal(table, stock_known=True)), seed=1, effort=HASTY)
    assert plan is not None
    assert plan.reason != "draw"


def test_thinking_more_wins_more_than_chance_would() -> None:
    """30 deals of draw one, of which even a hasty player wins a third: a choice at random wins almost none."""
    variant = VARIANTS[0]
    games = [play(table_of(number, variant), PLAYERS[variant.id], effort=HASTY, seed=1) for number in range(30)]
    assert sum(game.won for game in games) >= 10
    assert all(game.won == (game.up == len(DECK)) for game in games)


def test_it_decides_by_what_it_has_when_it_is_stopped() -> None:
    variant = VARIANTS[0]
    table = table_of(4, variant)
    known = knowledge(table, seen_at_deal(table, stock_known=True))
    plan = PLAYERS[variant.id].plan(known, seed=1, effort=THOROUGH, stopped=lambda: True)
    assert plan is not None
    assert plan.worlds <= WORLDS_AT_ONCE


def test_the_search_for_a_win_when_every_card_is_seen_ends_when_it_is_stopped() -> None:
    """It takes more states to decide this deal than are searched between many looks at whether to stop."""
    variant = VARIANTS[3]
    known = knowledge(lay_out(tuple(DECK[index * 35 % 52] for index in range(52)), variant), frozenset(DECK))
    for most in 50, 2:
        looks = list[bool]()
        plan = PLAYERS[variant.id].plan(known, seed=1, effort=HASTY, stopped=stopping_at(most, looks))
        assert plan is not None
        assert plan.share != 1.0
        assert most <= len(looks) <= most + 3


@pytest.mark.parametrize("number", range(4))
def test_who_plays_for_cards_does_not_end_while_one_can_go_up(number: int) -> None:
    """As in Vegas: three passes, draw three."""
    variant = VARIANTS[5]
    player, table = StrongPlayer(variant, "cards"), table_of(number, variant)
    seen = seen_at_deal(table)
    while (plan := player.plan(knowledge(table, seen), seed=1, effort=HASTY)) is not None:
        table, seen = made(plan.moves, table, seen, variant)
    upwards = [move for move in legal_moves(table, variant) if isinstance(move, MoveCards) and move.target[0] == "F"]
    assert not upwards


def test_two_decks_are_refused_with_the_reason() -> None:
    with pytest.raises(ValueError, match="one deck"):
        StrongPlayer(Variant(id="two", decks=2))


@pytest.mark.parametrize(
    ("choices", "searches", "rounds"),
    [
        (1, 60, []),
        (2, 20, [(2, 10)]),
        (3, 60, [(3, 10), (2, 15)]),
        (4, 80, [(4, 10), (2, 20)]),
        (9, 9, [(9, 1), (5, 1), (3, 1), (2, 1)]),
    ],
)
def test_each_round_has_the_better_half_of_the_choices_and_as_many_searches(
    choices: int, searches: int, rounds: list[tuple[int, int]]
) -> None:
    assert list(halving(choices, searches)) == rounds


@given(number=st.integers(0, 10**6), variant=st.sampled_from(VARIANTS), chance=st.randoms(use_true_random=False))
@settings(max_examples=30, deadline=None)
def test_whatever_guides_a_search_what_it_finds_is_true(number: int, variant: Variant, chance: Random) -> None:
    """The guide is an order to try cards in, and nothing more: a wrong one costs time."""
    table, deal = table_of(number, variant), empty_deal(variant, ALL_RULES)
    first, memory = np.zeros(ENTRY + 1, np.int64), new_memory(1 << 13)
    lay_known(knowledge(table, frozenset(DECK)), world := new_world())
    lay(world, deal, first)
    memory.guide[:] = [chance.randrange(30_000) for _ in DECK]
    answer = look_for_win(first_layer(first, 0), int(first[ENTRY]), deal, memory, SCALE)
    verdict = Solver(lambda: 0.0).solve(table, variant, Budget(states=200_000))
    assume(not isinstance(verdict, Unknown))
    assert answer in (SOLVABLE, UNSOLVABLE, RUNNING)
    assert (answer == SOLVABLE) <= isinstance(verdict, Solvable)
    assert (answer == UNSOLVABLE) <= isinstance(verdict, Unsolvable)
    assert (memory.guide > 0).any() if answer == SOLVABLE else True
