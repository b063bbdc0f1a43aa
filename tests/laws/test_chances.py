"""No false alarm, and no wrong share: what is told of a position is held to every world that there could be."""

import os
from collections import Counter
from random import Random

import pytest

from shared.messages.chances import Estimate, Lost
from shared.messages.jobs import Knowledge
from shared.messages.knowledge import knowledge
from shared.rules.cards import DECK
from shared.rules.moves import parse_move
from shared.rules.variants import VARIANTS, Variant
from shared.solver import belief
from shared.solver.belief import every, lay_known, new_chance, seen_at_deal
from shared.solver.chances import SAMPLES, chances
from shared.solver.dead_ends import Prover
from shared.solver.decide import decide, new_desk, new_world
from shared.solver.hints import best_hint
from shared.solver.kernels import SOLVABLE, UNSOLVABLE
from tests.boards import legal_texts, random_game
from tests.unit.solver import exhaustive

POSITIONS = int(os.environ.get("KLONDIKE_TEST_POSITIONS", "600"))
POSITIONS_BY_THE_RULES = 100
STATES_MAX = 400
STATES = 1_000_000
SHAPES = [(1, 2, 3, 3, 3), (1, 2, 3, 4, 5), (2, 3, 4, 5), (4, 4, 4, 4), (5, 5, 5), (6, 6)]


def never() -> bool:
    return False


def small_position(random: Random, unseen_max: int, lowest: int) -> tuple[Knowledge, Variant]:
    """A position of few cards, some of which the player has never seen, and some seen and then undone."""
    variant = Variant(
        id="small",
        columns=random.choice(SHAPES),
        draw=random.choice([1, 3, 3]),
        passes=random.choice([None, None, None, 1, 1, 2]),
        foundation_give_back=random.random() < 0.8,
    )
    table = exhaustive.small_table(random, variant, lowest)
    seen = seen_at_deal(table, stock_known=random.random() < 0.6)
    hidden = [card for card in DECK if card not in seen]
    random.shuffle(hidden)
    return knowledge(table, seen.union(hidden[unseen_max:])), variant


def test_a_proof_is_right_in_every_world() -> None:
    """Against the search without any pruning rule in each world. With 5,000 positions 2,031 are lost, all proved."""
    answers: Counter[str] = Counter()
    deadlocks = 0
    known = new_world()
    for seed in range(POSITIONS):
        random = Random(seed)
        position, variant = small_position(random, random.choice([2, 3, 4, 4]), lowest=random.choice([6, 7, 8, 9]))
        truth = verdicts(position, variant)
        lay_known(position, known)
        deadlocks += (deadlock := Prover(variant, STATES, never).deadlocked(known))
        assert not (deadlock and SOLVABLE in truth), seed
        proof = Prover(variant, STATES, never).prove(known, new_chance(seed))
        if SOLVABLE in truth:
            assert proof in {"winnable", "unknown"}, seed
        elif truth == {UNSOLVABLE}:
            assert proof == "lost", seed
        answers[proof] += 1
        lay_known(position, again := new_world())
        assert (known.columns == again.columns).all()
        assert (known.stock == again.stock).all()
    assert min(answers["lost"], answers["winnable"], deadlocks) > POSITIONS / 20
    assert deadlocks < answers["lost"]
    assert answers["unknown"] < POSITIONS / 100


def verdicts(position: Knowledge, variant: Variant) -> set[int]:
    """What the search without any rule that leaves something out says of all worlds."""
    world, desk = new_world(), new_desk(variant, 1 << 14, 0)
    lay_known(position, world)
    return {decide(each, desk, STATES) for each in every(world)}


def test_a_proof_is_right_by_the_rules_alone() -> None:
    """Against plain exhaustive search by the rules core in every world."""
    answers = set()
    known = new_world()
    for seed in range(POSITIONS_BY_THE_RULES):
        random = Random(seed)
        position, variant = small_position(random, unseen_max=3, lowest=random.choice([10, 11]))
        truth = [exhaustive.winnable(table, variant, STATES_MAX) for table in belief.worlds(position)]
        if True not in truth and None in truth:
            continue
        lay_known(position, known)
        proof = Prover(variant, STATES, never).prove(known, new_chance(seed))
        assert proof == ("winnable" if True in truth else "lost"), seed
        answers.add(proof)
    assert answers == {"lost", "winnable"}


def test_with_few_worlds_the_share_is_exact() -> None:
    answers = set()
    for seed in range(POSITIONS // 5):
        random = Random(seed)
        position, variant = small_position(random, unseen_max=4, lowest=random.choice([7, 8, 9]))
        told = chances(position, variant, seed, never)
        world, desk = new_world(), new_desk(variant, 1 << 14)
        lay_known(position, world)
        truth = [decide(each, desk, STATES) for each in every(world)]
        winnable, lost = truth.count(SOLVABLE), truth.count(UNSOLVABLE)
        answers.add(type(told))
        if winnable + lost < len(truth):
            continue
        share = round(winnable / len(truth), 4)
        estimate = Estimate(samples=len(truth), winnable=winnable, low=share, high=share, exact=True)
        assert told == (estimate if winnable else Lost()), seed
    assert answers == {Lost, Estimate}


def test_the_interval_holds_the_share() -> None:
    """At 95 %: of 40 positions with 720 worlds each, 34 at least (with all in order, fewer come once in 300 times)."""
    held = 0
    for seed in range(40):
        position, variant = small_position(Random(seed), unseen_max=6, lowest=8)
        told = chances(position, variant, seed, never)
        world, desk = new_world(), new_desk(variant, 1 << 14)
        lay_known(position, world)
        truth = [decide(each, desk, STATES) for each in every(world)]
        share = truth.count(SOLVABLE) / len(truth)
        held += share == 0 if isinstance(told, Lost) else told.low <= share <= told.high
    assert held >= 34


@pytest.mark.parametrize("variant", ["draw1", "draw3"])
def test_who_is_stuck_after_all_hints_is_told_so(variant: str) -> None:
    """Where hints end without a win, either a way is found or it is proved that there is none."""
    lost = 0
    for seed in range(12):
        game = random_game(Random(seed), VARIANTS[variant])
        while hint := best_hint(game.known(), legal_texts(game.known(), game.variant), game.variant):
            game.play(parse_move(hint.move))
        told = chances(game.known(), game.variant, seed, never)
        assert isinstance(told, Lost) or told.winnable
        lost += isinstance(told, Lost)
    assert lost > 2


def test_the_same_question_has_the_same_answer() -> None:
    """And one that is stopped at once has an answer too, from a single world."""
    known = random_game(Random(1), VARIANTS["draw3"]).known()
    told = chances(known, VARIANTS["draw3"], 7, never)
    assert told == chances(known, VARIANTS["draw3"], 7, never)
    assert isinstance(told, Estimate)
    assert told.samples == SAMPLES
    hurried = chances(known, VARIANTS["draw3"], 7, lambda: True)
    assert isinstance(hurried, Estimate)
    assert hurried.samples == 1
