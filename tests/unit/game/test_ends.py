"""How a game ends: at once, in the record of the move that ends it, once, and for good."""

import itertools
import random

import pytest

from shared.game.decide import RecordChances, decide
from shared.game.view import view_of
from shared.messages.chances import Estimate
from shared.messages.codec import encode
from shared.messages.commands import AskChances, AskHint
from shared.messages.errors import Error
from shared.messages.events import CardsMoved, GameEnded, MoveRedone
from shared.rules.table import is_won
from shared.rules.variants import VARIANTS, Variant
from tests.play import PLAYER, Play, command_id, new_play, on_table, rebuilt, table_of

BEFORE_THE_WIN = "F1: KC\nF2: KD\nF3: KH\nF4: QS\nT1: KS"
BEFORE_THE_LOSS = "T1: 5H\nT2: 6S"
"""The last legal move is to put the five on the six."""

EVERY_COMMAND = ["draw", "recycle", "T1>F4", "F4>T1", "undo", "redo", "resign", "hint F4>T1", "chances"]


@pytest.mark.parametrize("mode", ["ranked", "relaxed"])
def test_the_winning_move_is_a_win_at_once(mode: str) -> None:
    """In the same record, and never announced as a loss, though no legal move may be left."""
    play = on_table(new_play(mode=mode), table_of(BEFORE_THE_WIN))
    events = play.do("T1>F4")
    assert isinstance(events, tuple)
    assert [type(event) for event in events] == [CardsMoved, GameEnded]
    assert play.ended is not None
    assert (play.ended.result, play.game.status) == ("won", "won")


def test_a_win_after_an_undo_is_an_assisted_win() -> None:
    play = on_table(new_play(), table_of("F1: KC\nF2: KD\nF3: KH\nF4: JS\nT1: (KS) QS"))
    _ = play.must("T1>F4", "undo", "redo", "T1>F4")
    assert play.ended is not None
    assert (play.ended.result, play.ended.assisted, play.ended.moves) == ("won", True, 2)


@pytest.mark.parametrize("ending", ["won", "lost", "resigned"])
@pytest.mark.parametrize("text", EVERY_COMMAND)
def test_nothing_can_be_changed_after_the_end(ending: str, text: str) -> None:
    """A won game cannot be unwon: not even undo is left."""
    play = ended_play(ending)
    before = encode(play.logged)
    refusal = play.do(text)
    assert isinstance(refusal, Error)
    assert refusal.code == "game-ended"
    assert encode(play.logged) == before


@pytest.mark.parametrize("ending", ["won", "lost", "resigned"])
def test_a_view_of_an_ended_game_offers_nothing_more(ending: str) -> None:
    play = ended_play(ending)
    view = view_of(play.game)
    assert view.status == ending
    assert (view.legal, view.can_undo, view.can_redo, view.clock_runs) == ((), False, False, False)
    assert view.secret == play.sealed.secret


def ended_play(ending: str) -> Play:
    if ending == "resigned":
        return new_play().must("draw", "resign")
    if ending == "won":
        return on_table(new_play(), table_of(BEFORE_THE_WIN)).must("T1>F4")
    return on_table(new_play(mode="ranked"), table_of(BEFORE_THE_LOSS)).must("T1>T2")


def test_a_ranked_game_without_a_legal_move_is_lost_in_the_same_record() -> None:
    play = on_table(new_play(mode="ranked"), table_of(BEFORE_THE_LOSS))
    events = play.do("T1>T2")
    assert isinstance(events, tuple)
    assert [type(event) for event in events] == [CardsMoved, GameEnded]
    assert play.game.status == "lost"


def test_a_relaxed_game_without_a_legal_move_goes_on_since_undo_is_left() -> None:
    play = on_table(new_play(), table_of(BEFORE_THE_LOSS)).must("T1>T2")
    view = view_of(play.game)
    assert (view.status, view.legal, view.can_undo) == ("running", (), True)
    assert play.must("undo").game.status == "running"
    events = play.do("redo")
    assert isinstance(events, tuple)
    assert [type(event) for event in events] == [MoveRedone]


def test_a_game_is_not_lost_while_a_draw_or_a_recycle_is_left() -> None:
    """Stuck is not lost: it is told, and ends nothing."""
    for rest in ("stock: 9C", "waste: 9C"):
        play = on_table(new_play(mode="ranked"), table_of(f"{BEFORE_THE_LOSS}\n{rest}")).must("T1>T2")
        assert play.game.status == "running"


@pytest.mark.parametrize("mode", ["ranked", "relaxed"])
def test_who_is_stuck_is_told_and_may_play_on(mode: str) -> None:
    """Told as soon as the last card of the stock has shown. A hint is refused, which is no help; nothing ends."""
    play = on_table(new_play(mode=mode), table_of(f"{BEFORE_THE_LOSS}\nstock: 9C"))
    assert not view_of(play.game).stuck
    assert view_of(play.must("draw").game).stuck
    ask = AskHint(id=command_id(9), game=play.game.game, player=PLAYER, version=play.game.version)
    refusal = decide(play.game, ask, at=play.game.at)
    assert isinstance(refusal, Error)
    assert refusal.code == "stuck"
    assert view_of(play.must("recycle").game).stuck
    assert (play.game.status, play.game.assisted) == ("running", False)


def test_undo_leads_out_of_being_stuck() -> None:
    """On the last pass a card was drawn over that could go up."""
    table = table_of("F1: 4C\nT1: (2C) 9S\nT2: (3D) 9C\nstock: 9D\nwaste: 5C")
    play = on_table(new_play(variant="draw1-1pass"), table).must("draw")
    assert view_of(play.game).stuck
    assert not view_of(play.must("undo").game).stuck


def test_a_game_that_is_over_is_not_called_stuck() -> None:
    assert not view_of(ended_play("lost").game).stuck


def test_resigning_ends_a_game_at_any_time() -> None:
    """Also before its first move, and in either mode."""
    for mode, moves in itertools.product(("ranked", "relaxed"), (0, 1, 5)):
        play = new_play(mode=mode).must(*["draw"] * moves, "resign")
        assert play.ended is not None
        assert (play.ended.result, play.ended.moves) == ("resigned", moves)


def test_the_end_reveals_the_secret_that_was_committed_to() -> None:
    play = new_play().must("resign")
    assert play.ended is not None
    assert play.ended.secret == play.sealed.secret
    numbered = new_play(deal=4).must("resign")
    assert numbered.ended is not None
    assert numbered.ended.secret == ""


def test_asking_for_a_hint_is_no_help_until_one_is_given() -> None:
    """Where there is none, nothing is written."""
    play = new_play()
    ask = AskHint(id=command_id(9), game=play.game.game, player=PLAYER, version=play.game.version)
    assert decide(play.game, ask, at=play.game.at) == ()
    assert not play.game.assisted
    assert play.must(f"hint {play.legal()[0]}").game.assisted


def test_asking_for_chances_is_no_help_until_they_are_told() -> None:
    """And numbers that do not go together are not told."""
    play = new_play()
    ask = AskChances(id=command_id(9), game=play.game.game, player=PLAYER, version=play.game.version)
    assert decide(play.game, ask, at=play.game.at) == ()
    assert not play.game.assisted
    wrong = Estimate(samples=10, winnable=8, undecided=3, low=0.5, high=1)
    tell = RecordChances(id=ask.id, game=ask.game, player=PLAYER, version=ask.version, chances=wrong)
    answer = decide(play.game, tell, at=play.game.at)
    assert isinstance(answer, Error)
    assert answer.code == "unavailable"
    assert play.must("chances").game.assisted


@pytest.mark.parametrize("passes", [1, 2])
def test_with_limited_passes_a_ranked_game_can_be_lost_and_rebuilt(
    passes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A variant is a row: the life of a game needs no other line for it."""
    monkeypatch.setitem(VARIANTS, "few", Variant(id="few", passes=passes, foundation_give_back=False))
    lost = 0
    for seed in range(8):
        play = played_out("few", seed)
        assert play.ended is not None
        assert is_won(play.game.seat.table, play.game.variant) == (play.game.status == "won")
        assert play.game.seat.table.pass_number <= passes
        assert encode(rebuilt(play.deal, play.stored)) == encode(play.logged)
        lost += play.game.status == "lost"
    assert lost > 0


def played_out(variant: str, seed: int) -> Play:
    """A ranked game to its end. Every legal move is made sooner or later, and kings do not wander for ever."""
    chance = random.Random(seed)
    play = new_play(variant=variant, mode="ranked", deal=seed)
    while play.game.status == "running":
        legal = play.legal()
        forwards = [text for text in legal if text in ("draw", "recycle") or "F" in text or text[0] == "W"]
        _ = play.must(chance.choice(forwards or list(legal)) if play.game.version < 400 else "resign")
    return play


def test_with_limited_passes_the_view_shows_which_pass_it_is_and_that_none_is_left(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """For draw three as for draw one: eight draws a pass, where nothing is played."""
    monkeypatch.setitem(VARIANTS, "three", Variant(id="three", draw=3, passes=3))
    play = new_play(variant="three")
    for number in (1, 2, 3):
        assert (view_of(play.game).pass_number, view_of(play.game).passes) == (number, 3)
        _ = play.must(*["draw"] * 8)
        assert view_of(play.game).stock == 0
        assert ("recycle" in view_of(play.game).legal) == (number < 3)
        if number < 3:
            _ = play.must("recycle")
    refusal = play.do("recycle")
    assert isinstance(refusal, Error)
    assert refusal.rule == "no-pass-left"
