"""The boards of a history are those that its player saw, at every version."""

import random

import msgspec
import pytest

from services.gateway.history.replay import UnfitHistoryError, history_of
from shared.game.line import standing_line
from shared.game.rebuild import Read, advance, begin
from shared.game.view import past_step, view_of
from shared.messages.base import GameId
from shared.messages.codec import open_deal, open_record
from shared.messages.events import GameEnded, GameStarted
from shared.messages.history import GameHistory
from shared.messages.views import PastStep, View
from shared.rules.moves import move_text
from shared.rules.variants import SOLO
from tests.play import Play, new_play, random_play

replace = msgspec.structs.replace


def over(play: Play) -> Play:
    return play if play.ended else play.must("resign")


def steps_of(play: Play) -> list[PastStep]:
    return [past_step(record) for record in play.records]


def history(play: Play) -> GameHistory:
    return history_of(play.game.game, steps_of(play))


def views_of(play: Play) -> list[View]:
    """What the player saw at each version."""
    sealed, deal_hash = open_deal(play.deal)
    first, *others = (Read(*open_record(data), sequence) for sequence, data in enumerate(play.stored, start=1))
    logged = begin(sealed, deal_hash, first)
    views = [view_of(logged.game)]
    for read in others:
        logged = advance(logged, read)
        views.append(view_of(logged.game))
    return views


@pytest.mark.parametrize("variant", SOLO)
@pytest.mark.parametrize("mode", ["ranked", "relaxed"])
def test_every_step_shows_what_the_player_saw(variant: str, mode: str) -> None:
    """Board, score, counter, clock and help, held against the views that game-state made of the same records."""
    for seed in range(4):
        play = over(random_play(seed, commands=150, variant=variant, mode=mode))
        told = history(play)
        views = views_of(play)
        assert len(told.steps) == len(views)
        for step, view in zip(told.steps, views, strict=True):
            for name in ("columns", "foundations", "stock", "waste", "pass_number"):
                assert getattr(step.board, name) == getattr(view, name), (step.version, name)
            for name in ("version", "at", "points", "moves", "play_ms", "assisted"):
                assert getattr(step, name) == getattr(view, name), (step.version, name)
        assert sum(step.brought for step in told.steps) == told.points


def test_the_steps_that_stand_are_the_line_of_play_that_counts() -> None:
    for seed in range(20):
        play = over(random_play(seed, commands=80))
        told = history(play)
        standing = [(step.version, step.move) for step in told.steps if step.stands]
        line = standing_line((record.version, record.events) for record in play.records)
        assert standing == [(made.version, move_text(made.move)) for made in line]
        assert [step.moves for step in told.steps if step.stands] == [*range(1, told.moves + 1)]


def test_what_was_undone_made_again_and_hinted_names_its_move() -> None:
    play = new_play(deal=1).must("T7>T5", "draw", "undo", "redo", "hint draw", "chances", "undo", "resign")
    told = history(play)
    assert [(step.deed, step.move, step.stands) for step in told.steps] == [
        ("deal", None, False),
        ("move", "T7>T5", True),
        ("draw", "draw", False),
        ("undo", "draw", False),
        ("redo", "draw", False),
        ("hint", "draw", False),
        ("chances", None, False),
        ("undo", "draw", False),
        ("resign", None, False),
    ]
    assert (told.result, told.points, told.moves, told.assisted) == ("resigned", 5, 1, True)


def test_a_revealed_secret_and_the_sums_are_those_of_the_end() -> None:
    play = over(random_play(3, commands=60))
    told, ended = history(play), play.ended
    assert isinstance(ended, GameEnded)
    for name in ("result", "points", "moves", "play_ms", "assisted", "secret"):
        assert getattr(told, name) == getattr(ended, name)


def test_steps_that_are_no_whole_game_are_refused() -> None:
    """A gap, another order, an end too early, none at all, or a move that the board cannot have."""
    play = over(random_play(5, commands=30))
    steps = steps_of(play)
    chance = random.Random(0)
    for _ in range(20):
        gap = chance.randrange(len(steps))
        with pytest.raises(UnfitHistoryError):
            history_of(play.game.game, steps[:gap] + steps[gap + 1 :])
    for unfit in (
        [],
        steps[::-1],
        steps[:-1],
        [*steps, replace(steps[-1], version=len(steps) + 1)],
        [steps[0], replace(steps[-1], version=2, events=(*steps[0].events, *steps[-1].events))],
    ):
        with pytest.raises(UnfitHistoryError):
            history_of(play.game.game, unfit)
    undone = new_play(deal=1).must("draw", "undo", "resign")
    first, _, undo, end = steps_of(undone)
    with pytest.raises(UnfitHistoryError, match="version 2"):
        history_of(undone.game.game, [first, replace(undo, version=2), replace(end, version=3)])


@pytest.mark.parametrize("variant", SOLO)
def test_a_deal_with_other_columns_than_its_kind_has_is_refused(variant: str) -> None:
    first, *rest = steps_of(over(new_play(variant=variant)))
    (dealt,) = first.events
    assert isinstance(dealt, GameStarted)
    for faces in ((), dealt.faces[:-1], (*dealt.faces, dealt.faces[0])):
        with pytest.raises(UnfitHistoryError, match="columns are dealt"):
            history_of(GameId("a" * 26), [replace(first, events=(replace(dealt, faces=faces),)), *rest])
