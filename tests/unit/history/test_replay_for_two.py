"""The boards of a game for two are those that somebody saw who watched it, at every version, and whose each step is."""

from collections.abc import Iterator
from itertools import pairwise

import msgspec
import pytest
from msgspec import UNSET

from services.gateway.history.replay import NOBODY, UnfitHistoryError, history_of
from shared.game.rebuild import Read, advance, begin
from shared.game.view import past_step, past_steps, view_of
from shared.messages.codec import open_deal, open_record
from shared.messages.errors import Error
from shared.messages.events import GameStarted, PlayerJoined
from shared.messages.history import Board, GameHistory, HistorySide, HistoryStep
from shared.messages.views import Duel, Opponent, View
from shared.rules.variants import VARIANTS
from tests.duels import PLAYERS, TERMS, DuelPlay, new_duel, random_duel, waiting_duel

replace = msgspec.structs.replace

FOR_TWO = [name for name, variant in VARIANTS.items() if variant.players == 2]
BOARD = Board.__struct_fields__


def over(duel: DuelPlay) -> DuelPlay:
    for who in (0, 1):
        if not duel.game.over and duel.game.seats[who].status == "running":
            duel.must(who, "resign")
    return duel


def told(duel: DuelPlay) -> GameHistory:
    return history_of(duel.game.game, past_steps(duel.records))


def watched(duel: DuelPlay) -> Iterator[View]:
    """What somebody saw at each version who watched."""
    sealed, deal_hash = open_deal(duel.deal)
    first, *others = (Read(*open_record(data), sequence) for sequence, data in enumerate(duel.stored, start=1))
    logged = begin(sealed, deal_hash, first)
    yield view_of(logged.game, None)
    for read in others:
        logged = advance(logged, read)
        yield view_of(logged.game, None)


def sides(step: HistoryStep) -> list[HistorySide]:
    """Both sides by seat."""
    assert step.cards_up is not UNSET
    own = HistorySide(board=step.board, points=step.points, moves=step.moves, cards_up=step.cards_up)
    both = [own] if step.other is UNSET else [own, step.other]
    return both[::-1] if step.seat == 1 else both


@pytest.mark.parametrize("variant", FOR_TWO)
def test_every_step_shows_both_sides_as_they_were_seen(variant: str) -> None:
    """Boards, scores, counters, cards up and the clock, held against the views that were made of the same records."""
    for seed in range(4):
        duel = over(random_duel(seed, commands=200, variant=variant))
        history, views = told(duel), [*watched(duel)]
        for step, view, record in zip(history.steps, views, duel.records, strict=True):
            assert isinstance(view.duel, Duel)
            assert (step.version, step.at, step.play_ms) == (view.version, view.at, view.play_ms)
            assert step.seat == PLAYERS.index(record.player)
            shown: list[View | Opponent] = [view, *filter(None, [view.duel.opponent])]
            ups = [view.duel.cards_up, *([view.duel.opponent.cards_up] if view.duel.opponent else [])]
            for side, seen, up in zip(sides(step), shown, ups, strict=True):
                assert all(getattr(side.board, name) == getattr(seen, name) for name in BOARD), step.version
                assert (side.points, side.moves, side.cards_up) == (seen.points, seen.moves, up)


@pytest.mark.parametrize("variant", FOR_TWO)
def test_each_step_brings_what_its_side_has_more_and_the_sums_are_those_of_the_end(variant: str) -> None:
    duel = over(random_duel(7, commands=150, variant=variant))
    history = told(duel)
    for before, step in pairwise(history.steps[1:]):
        assert step.seat is not UNSET
        assert step.points - sides(before)[step.seat].points == step.brought
    assert duel.ended
    assert history.seats == duel.ended.seats
    for name in ("result", "points", "moves", "play_ms", "assisted", "secret"):
        assert getattr(history, name) == getattr(duel.ended, name)
    for seat, side in enumerate(sides(history.steps[-1])):
        stands = [step.moves for step in history.steps if step.seat == seat and step.stands]
        assert stands == [*range(1, side.moves + 1)]


def test_nobody_is_named_in_it() -> None:
    history = told(over(random_duel(3, commands=20)))
    named = [
        event.player for step in history.steps for event in step.events if isinstance(event, GameStarted | PlayerJoined)
    ]
    assert named == [NOBODY, NOBODY]
    assert all(player not in msgspec.json.encode(history).decode() for player in PLAYERS)


def test_what_happens_between_players_is_a_deed_of_whose_it_is() -> None:
    duel = new_duel(deal=4).must(0, "draw").must(1, "away").must(0, "draw").must(1, "continue").must(0, "away")
    assert not isinstance(duel.do(1, "claim", at=duel.game.at + TERMS.absence_ms), Error)
    over(duel)
    assert [(step.deed, step.seat) for step in told(duel).steps] == [
        ("deal", 0),
        ("join", 1),
        ("draw", 0),
        ("leave", 1),
        ("draw", 0),
        ("return", 1),
        ("leave", 0),
        ("claim", 1),
        ("resign", 1),
    ]


def test_an_invitation_that_was_taken_back_is_a_game_without_cards() -> None:
    history = told(waiting_duel().must(0, "resign"))
    assert [(step.deed, step.cards_up, step.other) for step in history.steps] == [
        ("deal", 0, UNSET),
        ("resign", 0, UNSET),
    ]
    assert (history.result, history.seats) == ("resigned", UNSET)
    assert not any(column.up or column.down for column in history.steps[0].board.columns)


def test_steps_that_are_no_whole_game_for_two_are_refused() -> None:
    duel = over(random_duel(5, commands=30))
    steps = [*past_steps(duel.records)]
    joined = steps[1]
    twice = [*steps[:2], replace(joined, version=3), *(replace(step, version=step.version + 1) for step in steps[2:])]
    for unfit in ([steps[0], *steps[2:]], steps[:-1], twice, [replace(step, seat=1) for step in steps]):
        with pytest.raises(UnfitHistoryError):
            history_of(duel.game.game, unfit)
    with pytest.raises(UnfitHistoryError):
        history_of(duel.game.game, map(past_step, waiting_duel().must(0, "resign").records[:1]))
