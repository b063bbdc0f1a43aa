"""Laws of hints, on games dealt at random and played from random positions."""

import os
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import chain
from typing import NamedTuple, assert_never

import pytest

from shared.messages.jobs import ALTERNATIVES_MAX, Hint, Knowledge, Suggestion
from shared.messages.knowledge import knowledge
from shared.rules.cards import KING, SUITS, builds_down, rank
from shared.rules.deal import numbered_deck
from shared.rules.legal import legal_moves
from shared.rules.moves import Draw, Move, MoveCards, Recycle, parse_move
from shared.rules.piles import PileKind, parts
from shared.rules.table import Table, apply, is_won, lay_out
from shared.rules.variants import SOLO, Variant
from shared.solver import layout
from shared.solver.check import question_fault
from shared.solver.hints import best_hint
from shared.solver.outlook import Outlook
from shared.solver.plans import AT_ONCE, blocks
from shared.solver.stock import turns
from tests.boards import Playing, legal_texts, random_game

GAMES = int(os.environ.get("KLONDIKE_TEST_GAMES", "20"))
"""Games a law is tried on, for each variant."""
HINTS_MAX = 1_000
INSTANT_SECONDS = 0.020
UP_AT_LEAST = {"draw1": 20, "draw3": 10, "draw1-1pass": 4, "draw1-3pass": 12, "draw3-3pass": 5, "open": 10}
"""Cards on the foundations at the end of a game, on average. Random play gets 2 to 5. Vegas plays by the same rules."""
RANDOM_MOVES_MAX = 60
TWO_DECK_GAMES = 12
TWO_DECK_UP_AT_LEAST = 11


def started(variant: str, salt: int) -> Iterator[Playing]:
    """Games of a variant, each at a random point; some players know more, as if they had undone moves."""
    for seed in range(GAMES):
        chance = random.Random(f"{variant} {salt} {seed}")
        game = random_game(chance, SOLO[variant])
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
    seconds: float
    """Processor time that the hint took."""


Followed = tuple[Variant, list[list[Moment]]]


@pytest.fixture(scope="module", params=sorted(UP_AT_LEAST))
def followed(request: pytest.FixtureRequest) -> Followed:
    """Games in which every hint was followed to the end: the last moment has none."""
    variant = SOLO[request.param]
    return variant, [follow(game, lambda hint: hint) for game in started(request.param, salt=1)]


@pytest.fixture(scope="module", params=sorted(UP_AT_LEAST))
def wandered(request: pytest.FixtureRequest) -> Followed:
    """Games in which each time the hint or one of its alternatives was followed, by chance."""
    variant, chance = SOLO[request.param], random.Random(request.param)
    games = started(request.param, salt=2)
    return variant, [follow(game, lambda hint: chance.choice((hint, *hint.alternatives))) for game in games]


def follow(game: Playing, choose: Callable[[Hint], Suggestion]) -> list[Moment]:
    moments: list[Moment] = []
    while True:
        known = game.known()
        legal, began = legal_texts(known, game.variant), time.thread_time()
        hint = best_hint(known, legal, game.variant)
        moments.append(Moment(game.table, known, len(game.seen), hint, time.thread_time() - began))
        if hint is None:
            return moments
        assert len(moments) < HINTS_MAX, "hints go on for ever"
        game.play(parse_move(choose(hint).move))


@pytest.mark.timeout(max(120, GAMES))
@pytest.mark.parametrize("variant", [*UP_AT_LEAST, "draw3-1pass"])
def test_following_hints_from_the_deal_ends_won_or_with_no_hint(variant: str) -> None:
    """`KLONDIKE_TEST_GAMES=10000 pytest tests/laws/test_hints.py -k from_the_deal` plays as many deals."""
    for number in range(1, GAMES + 1):
        rules = SOLO[variant]
        moments = follow(Playing(lay_out(numbered_deck(number, decks=1), rules), rules), lambda hint: hint)
        assert moments[-1].hint is None


def test_hints_with_two_decks_end_join_runs_and_get_cards_up() -> None:
    """Every hint raises progress there too, and no kind of it is missing."""
    variant, reasons, up = SOLO["spider-klondike"], Counter[str](), 0
    for number in range(1, TWO_DECK_GAMES + 1):
        table = lay_out(numbered_deck(number, decks=2), variant)
        measured = []
        while hint := best_hint(known := knowledge(table, frozenset()), legal_texts(known, variant), variant):
            reasons[hint.reason] += 1
            measured.append(Outlook(known, variant).progress())
            table = apply(table, parse_move(hint.move), variant).table
        assert measured == sorted(set(measured))
        up += sum(map(len, table.foundations))
    assert {"join-run", "turn-up-card", "build-foundation", "draw"} <= set(reasons)
    assert up / TWO_DECK_GAMES > TWO_DECK_UP_AT_LEAST


def test_every_hint_raises_progress(followed: Followed) -> None:
    assert_progress(followed)


def test_every_alternative_raises_progress(wandered: Followed) -> None:
    assert_progress(wandered)


def assert_progress(played: Followed) -> None:
    variant, games = played
    for moments in games:
        measured = [Outlook(moment.known, variant).progress() for moment in moments]
        for before, after, moment in zip(measured, measured[1:], moments, strict=False):
            assert after > before, f"{moment.hint} does not get anywhere"


def test_no_hint_leads_back_to_a_table_that_was_there(followed: Followed) -> None:
    """So no hint undoes the one before, and none goes round through the stock for nothing.

    Only when unseen cards were turned since may the stock lie as it did before.
    """
    assert_no_return(followed)


def test_no_alternative_leads_back_to_a_table_that_was_there(wandered: Followed) -> None:
    assert_no_return(wandered)


def assert_no_return(played: Followed) -> None:
    _, games = played
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


def test_hints_get_cards_up(followed: Followed) -> None:
    """Several times as many as playing at random does, so that a blunder in the order shows."""
    variant, games = followed
    up = sum(len(pile) for moments in games for pile in moments[-1].table.foundations)
    assert up / len(games) >= UP_AT_LEAST[variant.id]


def test_a_hint_is_legal_and_its_reason_is_true(followed: Followed) -> None:
    variant, games = followed
    for moment in chain.from_iterable(games):
        if moment.hint is not None:
            for told in (moment.hint, *moment.hint.alternatives):
                assert parse_move(told.move) in legal_moves(moment.table, variant)
                assert_true(told, moment, variant)


def test_a_hint_is_instant(followed: Followed) -> None:
    """99 in a hundred take less than 20 ms of a processor, alternatives and all."""
    _, games = followed
    seconds = sorted(moment.seconds for moment in chain.from_iterable(games))
    assert seconds[len(seconds) * 99 // 100] < INSTANT_SECONDS


def test_alternatives_are_other_moves_and_some_are_offered(followed: Followed) -> None:
    """A last resort is none beside a hint that is better."""
    _, games = followed
    hints = [moment.hint for moment in chain.from_iterable(games) if moment.hint is not None]
    offered = Counter(len(hint.alternatives) for hint in hints)
    assert set(offered) == set(range(ALTERNATIVES_MAX + 1))
    for hint in hints:
        moves = [hint.move, *(other.move for other in hint.alternatives)]
        assert len(set(moves)) == len(moves)
        if not hint.reason.endswith("anyway"):
            assert not any(other.reason.endswith("anyway") for other in hint.alternatives)


def assert_true(hint: Suggestion, moment: Moment, variant: Variant) -> None:
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
        case "join-run":
            assert isinstance(move, MoveCards)
            assert lies_unfit(moment.table, move)
        case "build-tableau" | "place-anyway" | "last-pass":
            assert isinstance(move, MoveCards)
            assert parts(move.source)[0] is PileKind.WASTE
            assert hint.reason != "last-pass" or moment.known.pass_number == variant.passes
        case "build-foundation":
            assert goes_up(move)
            card = hint.cards[0]
            heights = tuple(len(pile) for pile in moment.table.foundations)
            assert rank(card) <= AT_ONCE or not blocks(layout.INDEX[card], heights)
        case "turn-up-card" | "build-anyway":
            assert isinstance(move, MoveCards)
            assert len(hint.cards) == 1
        case _:
            assert_never(hint.reason)


def lies_unfit(table: Table, move: MoveCards) -> bool:
    up = table.columns[parts(move.source)[1]].up
    return not builds_down(up[-move.count], up[-move.count - 1])


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


@pytest.mark.parametrize("variant", SOLO)
def test_search_knows_the_legal_moves_less_those_that_never_help(variant: str) -> None:
    for game in started(variant, salt=5):
        position = layout.position_of(game.known())
        known = {layout.move_of(step) for step in layout.steps(position, game.variant)}
        legal = {move for move in legal_moves(game.table, game.variant) if isinstance(move, MoveCards)}
        assert known <= legal
        assert all(is_useless(game.table, move) for move in legal - known)


def is_useless(table: Table, move: MoveCards) -> bool:
    """A King from the bottom of a column; another empty column than the first; an ace or two taken back; the second of
    two foundations of a suit that are equally high.
    """
    (source_kind, source), (target_kind, target) = parts(move.source), parts(move.target)
    small = source_kind is PileKind.FOUNDATION and len(table.foundations[source]) < layout.FIRST_GIVEN_BACK
    to_empty = target_kind is PileKind.TABLEAU and not table.columns[target].up
    first = next((index for index, column in enumerate(table.columns) if not column.up), None)
    bottom = source_kind is PileKind.TABLEAU and not table.columns[source].down
    twin = target_kind is PileKind.FOUNDATION and any(
        len(table.foundations[other]) == len(table.foundations[target])
        for other in range(target % len(SUITS), target, len(SUITS))
    )
    return small or twin or (to_empty and (target != first or bottom))


@pytest.mark.parametrize("variant", SOLO)
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


@pytest.mark.parametrize("variant", ["draw1", "draw3-3pass"])
def test_what_a_move_leads_to_is_what_the_player_then_knows(variant: str) -> None:
    """Nothing is said where it shows a new card or takes one off the waste: that is progress anyway."""
    for game in started(variant, salt=9):
        outlook = Outlook(game.known(), game.variant)
        foreseen = {layout.move_of(step): outlook.after(step) for step in outlook.steps}
        turning = [move for move in game.legal() if not isinstance(move, MoveCards)]
        for move, after in (foreseen | {move: outlook.after_turn(draw=move == Draw()) for move in turning}).items():
            then = Playing(game.table, game.variant, set(game.seen))
            then.play(move)
            progress = Outlook(then.known(), game.variant).progress()
            assert after is None or after.progress() == progress
            assert (progress > outlook.progress()) == (after is None or outlook.is_behind(after))


@pytest.mark.parametrize("variant", [name for name, row in SOLO.items() if row.draws_to == "waste"])
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
                further = [move for move in game.legal() if isinstance(move, Draw | Recycle)]
                if not further:
                    assert game.variant.passes is not None
                    break
                game.play(further[0])
                assert not game.table.waste or game.table.waste[-1] in tops


@pytest.mark.parametrize("variant", SOLO)
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
