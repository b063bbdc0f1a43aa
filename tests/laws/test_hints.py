"""Laws of hints, on games dealt at random and played from random positions."""

import os
import random
import subprocess
import sys
from collections.abc import Iterator
from itertools import chain
from typing import NamedTuple

import pytest

from shared.messages.jobs import Hint, Knowledge
from shared.rules.cards import KING, rank
from shared.rules.legal import legal_moves
from shared.rules.moves import Draw, Move, MoveCards, Recycle, parse_move
from shared.rules.piles import PileKind, parts
from shared.rules.table import Table, apply, is_won
from shared.rules.variants import VARIANTS, Variant
from shared.solver import layout
from shared.solver.check import question_fault
from shared.solver.hints import best_hint
from shared.solver.outlook import Outlook
from shared.solver.plans import AT_ONCE
from shared.solver.stock import turns
from tests.boards import Playing, legal_texts, random_game

GAMES = int(os.environ.get("KLONDIKE_TEST_GAMES", "60"))
"""Games a law is tried on, for each variant."""
HINTS_MAX = 1_000
WON_AT_LEAST = {"draw1": 0.3, "draw3": 0.05}
RANDOM_MOVES_MAX = 60


def started(variant: str, salt: int) -> Iterator[Playing]:
    """Games of a variant, each at a random point; some players know more, as if they had undone moves."""
    for seed in range(GAMES):
        chance = random.Random(f"{variant} {salt} {seed}")
        game = random_game(chance, VARIANTS[variant])
        game.play_at_random(chance, chance.randrange(RANDOM_MOVES_MAX))
        if seed % 3 == 0:
            hidden = [card for column in game.table.columns for card in column.down] + list(game.table.stock)
            game.seen.update(chance.sample(hidden, len(hidden) // 4))
        yield game


class Moment(NamedTuple):
    """A table of a game, what its player knows then, and the hint."""

    table: Table
    known: Knowledge
    seen: int
    hint: Hint | None


Followed = tuple[Variant, list[list[Moment]]]


@pytest.fixture(scope="module", params=["draw1", "draw3"])
def followed(request: pytest.FixtureRequest) -> Followed:
    """Games in which every hint was followed to the end: the last moment has none."""
    variant = VARIANTS[request.param]
    return variant, [follow(game) for game in started(request.param, salt=1)]


def follow(game: Playing) -> list[Moment]:
    moments: list[Moment] = []
    while True:
        known = game.known()
        hint = best_hint(known, legal_texts(known, game.variant), game.variant)
        moments.append(Moment(game.table, known, len(game.seen), hint))
        if hint is None:
            return moments
        assert len(moments) < HINTS_MAX, "hints go on for ever"
        game.play(parse_move(hint.move))


def test_every_hint_raises_progress(followed: Followed) -> None:
    variant, games = followed
    for moments in games:
        measured = [Outlook(moment.known, variant).progress() for moment in moments]
        for before, after, moment in zip(measured, measured[1:], moments, strict=False):
            assert after > before, f"{moment.hint} does not get anywhere"


def test_no_hint_leads_back_to_a_table_that_was_there(followed: Followed) -> None:
    """So no hint undoes the one before, and none goes round through the stock for nothing.

    Only when unseen cards were turned since may the stock lie as it did before.
    """
    _, games = followed
    for moments in games:
        tables = [(moment.seen, *lying(moment.table)) for moment in moments]
        assert len(set(tables)) == len(tables)


def lying(table: Table) -> tuple[object, ...]:
    return table.columns, table.foundations, table.stock, table.waste


def test_a_game_without_a_hint_is_won_or_has_nothing_that_could_be_turned_up_at_once(followed: Followed) -> None:
    variant, games = followed
    for moments in games:
        table = moments[-1].table
        if not is_won(table, variant):
            assert None not in moments[-1].known.stock
            turned = [apply(table, move, variant).turned_up for move in legal_moves(table, variant)]
            assert not any(turned)
            assert not [move for move in legal_moves(table, variant) if goes_up(move)]


def test_hints_win_games(followed: Followed) -> None:
    """Far more than playing at random does (below one in a hundred), so that a blunder in the order shows."""
    variant, games = followed
    won = sum(is_won(moments[-1].table, variant) for moments in games)
    assert won / len(games) > WON_AT_LEAST[variant.id]


def test_a_hint_is_legal_and_its_reason_is_true(followed: Followed) -> None:
    variant, games = followed
    for moment in chain.from_iterable(games):
        if moment.hint is not None:
            assert parse_move(moment.hint.move) in legal_moves(moment.table, variant)
            assert_true(moment.hint, moment)


def assert_true(hint: Hint, moment: Moment) -> None:
    """Holds the reason against what the move did, as far as one move shows it."""
    move = parse_move(hint.move)
    match hint.reason:
        case "draw":
            assert isinstance(move, Draw)
        case "recycle":
            assert isinstance(move, Recycle)
        case "king-to-column":
            assert isinstance(move, MoveCards)
            assert rank(hint.cards[0]) == KING
            assert not moment.table.columns[parts(move.target)[1]].up
        case "free-column-for-king":
            assert rank(hint.cards[0]) == KING
        case "build-tableau":
            assert isinstance(move, MoveCards)
            assert parts(move.source)[0] is PileKind.WASTE
        case "build-foundation" | "turn-up-card":
            assert isinstance(move, MoveCards)
            assert len(hint.cards) == 1


def test_an_ace_or_two_that_can_go_up_goes_up(followed: Followed) -> None:
    variant, games = followed
    for moment in chain.from_iterable(games):
        small = [move for move in legal_moves(moment.table, variant) if goes_up(move, moment.table, AT_ONCE)]
        if small:
            assert moment.hint is not None
            assert parse_move(moment.hint.move) in small


def goes_up(move: Move, table: Table | None = None, rank_max: int = KING) -> bool:
    """Whether a move takes a card, at most of a rank, to a foundation."""
    if not isinstance(move, MoveCards) or parts(move.target)[0] is not PileKind.FOUNDATION:
        return False
    return table is None or len(table.foundations[parts(move.target)[1]]) < rank_max


@pytest.mark.parametrize("variant", ["draw1", "draw3"])
def test_search_knows_the_legal_moves_less_those_that_never_help(variant: str) -> None:
    for game in started(variant, salt=5):
        position = layout.position_of(game.known())
        known = {layout.move_of(step) for step in layout.steps(position, game.variant)}
        legal = {move for move in legal_moves(game.table, game.variant) if isinstance(move, MoveCards)}
        assert known <= legal
        assert all(is_useless(game.table, move) for move in legal - known)


def is_useless(table: Table, move: MoveCards) -> bool:
    """A King from the bottom of a column; another empty column than the first; an ace or two taken back."""
    (source_kind, source), (target_kind, target) = parts(move.source), parts(move.target)
    small = source_kind is PileKind.FOUNDATION and len(table.foundations[source]) < layout.FIRST_GIVEN_BACK
    to_empty = target_kind is PileKind.TABLEAU and not table.columns[target].up
    first = next((index for index, column in enumerate(table.columns) if not column.up), None)
    bottom = source_kind is PileKind.TABLEAU and not table.columns[source].down
    return small or (to_empty and (target != first or bottom))


@pytest.mark.parametrize("variant", ["draw1", "draw3"])
def test_a_step_does_what_the_rules_say(variant: str) -> None:
    """Up to the card that is turned up, which search does not know."""
    for game in started(variant, salt=6):
        position = layout.position_of(game.known())
        for step in layout.steps(position, game.variant):
            applied = apply(game.table, layout.move_of(step), game.variant)
            assert (applied.turned_up is not None) == layout.turns_up(position, step)
            after = Playing(applied.table, game.variant, set(game.seen)).known()
            if applied.turned_up is None:
                assert layout.apply(position, step) == layout.position_of(after)


@pytest.mark.parametrize("variant", ["draw1", "draw3"])
def test_draws_to_come_are_those_that_come(variant: str) -> None:
    for game in started(variant, salt=7):
        foreseen = list(turns(game.known(), game.variant))
        tops = set()
        actions = 0
        for turn in foreseen:
            while actions < turn.actions:
                legal = game.legal()
                game.play(next(move for move in legal if isinstance(move, Draw | Recycle)))
                actions += 1
            assert turn.reveals or turn.top == game.table.waste[-1]
            tops.add(turn.top)
        if foreseen and not foreseen[-1].reveals:
            for _ in range(60):
                game.play(next(move for move in game.legal() if isinstance(move, Draw | Recycle)))
                assert not game.table.waste or game.table.waste[-1] in tops


@pytest.mark.parametrize("variant", ["draw1", "draw3"])
def test_every_true_question_is_accepted(variant: str) -> None:
    for game in started(variant, salt=8):
        assert question_fault(game.question()) is None


def test_the_same_job_gives_the_same_hint_in_every_process() -> None:
    """Sets and hashes differ between processes; hints do not."""
    script = (
        "import random; from tests.boards import *; from shared.solver.hints import best_hint\n"
        "for seed in range(20):\n"
        "    chance = random.Random(seed); game = random_game(chance, DRAW1); game.play_at_random(chance, 30)\n"
        "    known = game.known(); print(best_hint(known, legal_texts(known, DRAW1), DRAW1))\n"
    )
    answers = {
        subprocess.run(
            [sys.executable, "-c", script],
            env=os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)},
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(answers) == 1
    assert "Hint(" in answers.pop()
