"""A pause stops the clock and closes the table; nothing else about the game changes."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.gateway.history.replay import history_of
from shared.game.decide import decide
from shared.game.view import past_step, view_of
from shared.messages.attendance import on_leaving, on_return
from shared.messages.base import PlayerId
from shared.messages.codec import encode
from shared.messages.errors import Error
from shared.messages.events import GameContinued, GamePaused
from shared.rules.play_time import IDLE_MS_MAX
from tests.play import MOVE_MS, PLAYER, Play, command_of, new_play, rebuilt

replace = msgspec.structs.replace
HOUR_MS = 3_600_000


def begun() -> Play:
    """A game with its clock running, nothing on it yet."""
    return new_play().must("draw")


def code(answer: object) -> str:
    assert isinstance(answer, Error), answer
    return answer.code


@pytest.mark.parametrize("word", ["pause", "away"])
def test_time_counts_up_to_the_pause_and_from_its_end_on(word: str) -> None:
    play = begun()
    at = play.game.at
    assert play.do(f"{word} {at + 5_000}", at=at + 15_000) == (
        GamePaused(reason="player" if word == "pause" else "absence", since=at + 5_000),
    )
    assert play.game.play_ms == 5_000
    assert play.do("continue", at=at + HOUR_MS) == (GameContinued(),)
    assert play.game.play_ms == 5_000
    play.do("draw", at=at + HOUR_MS + 2_000)
    assert play.game.play_ms == 7_000


def test_a_pause_without_a_time_begins_now() -> None:
    play = begun()
    play.do("pause", at=play.game.at + 3_000)
    assert play.game.play_ms == 3_000


@pytest.mark.parametrize(("since", "counted"), [(-HOUR_MS, 0), (0, 0), (4_000, 4_000), (HOUR_MS, 10_000)])
def test_a_pause_begins_neither_before_the_newest_record_nor_after_now(since: int, counted: int) -> None:
    play = begun().must("draw")
    at, before = play.game.at, play.game.play_ms
    play.do(f"away {max(0, at + since)}", at=at + 10_000)
    assert play.game.play_ms == before + counted


def test_what_lies_long_before_a_pause_counts_no_longer_than_any_other_wait() -> None:
    play = begun()
    play.do("pause", at=play.game.at + HOUR_MS)
    assert play.game.play_ms == IDLE_MS_MAX


@pytest.mark.parametrize("word", ["pause", "away"])
@pytest.mark.parametrize("text", ["draw", "T7>T5", "undo", "redo", "hint draw", "chances", "pause", "away"])
def test_nothing_is_done_in_a_pause_and_the_refusal_says_to_continue(word: str, text: str) -> None:
    play = begun().must(word)
    before = encode(play.logged)
    refused = play.do(text)
    assert code(refused) == "game-paused"
    assert isinstance(refused, Error)
    assert "ontinue" in refused.fix
    assert encode(play.logged) == before


def test_a_paused_game_can_be_given_up_and_its_time_does_not_go_on() -> None:
    play = begun().must("pause")
    time = play.game.play_ms
    play.do("resign", at=play.game.at + HOUR_MS)
    assert play.ended is not None
    assert (play.ended.result, play.ended.play_ms) == ("resigned", time)
    assert view_of(play.game).paused is None


def test_there_is_no_pause_before_the_first_move_or_after_the_end() -> None:
    assert code(new_play().do("pause")) == "nothing-to-pause"
    over = begun().must("resign")
    assert code(over.do("pause")) == code(over.do("continue")) == "game-ended"


def test_only_a_paused_game_is_continued() -> None:
    assert code(new_play().do("continue")) == code(begun().do("continue")) == "not-paused"


def test_nobody_pauses_or_continues_the_game_of_another() -> None:
    stranger = PlayerId("s" * 26)
    running, paused = begun(), begun().must("pause")
    for play, text in ((running, "pause"), (paused, "continue")):
        command = replace(command_of(play.game, text), player=stranger)
        assert code(decide(play.game, command, at=play.game.at)) == "not-your-game"


def test_a_paused_game_shows_why_its_clock_stands_and_no_move() -> None:
    play = begun()
    shown = view_of(play.game)
    assert (shown.paused, shown.clock_runs) == (None, True)
    paused = view_of(play.must("pause").game)
    assert (paused.paused, paused.clock_runs, paused.legal, paused.can_undo) == ("player", False, (), False)
    assert paused.status == "running"
    again = view_of(play.must("continue").game)
    assert replace(again, version=shown.version, at=shown.at, play_ms=shown.play_ms) == shown


@pytest.mark.parametrize("breaks", [("pause", "continue"), ("away", "continue", "pause", "continue")])
def test_a_command_that_was_decided_before_a_pause_is_done_after_it(breaks: tuple[str, ...]) -> None:
    """Its answer may have been lost with the connection: then it is sent again, and the table is still the same."""
    play = begun()
    sent = command_of(play.game, "draw")
    play.must(*breaks)
    assert not isinstance(decide(play.game, sent, at=play.game.at), Error)
    play.must("draw", *breaks)
    assert code(decide(play.game, sent, at=play.game.at)) == "stale-version"


@pytest.mark.parametrize("text", ["away", "continue"])
def test_a_pause_and_its_end_are_decided_on_the_newest_version_alone(text: str) -> None:
    play = begun() if text == "away" else begun().must("away")
    sent = command_of(play.game, text)
    play.must(*(("away", "continue") if text == "away" else ("continue", "pause")))
    assert code(decide(play.game, sent, at=play.game.at)) == "stale-version"


def test_who_leaves_and_comes_back_is_told_from_the_view() -> None:
    play = begun()
    leaving = on_leaving(view_of(play.game), PLAYER, play.game.at)
    assert leaving is not None
    assert (leaving.version, leaving.reason) == (play.game.version, "absence")
    assert leaving == on_leaving(view_of(play.game), PLAYER, play.game.at), "whoever notices says the same"
    assert on_return(view_of(play.game), PLAYER) is None
    away = view_of(play.must("away").game)
    assert on_leaving(away, PLAYER, play.game.at) is None
    assert on_return(away, PLAYER) is not None
    own = view_of(play.must("continue", "pause").game)
    assert on_return(own, PLAYER) is None, "a pause by the player is ended by the player"
    assert on_leaving(view_of(new_play().game), PLAYER, 0) is None


@given(
    waits=st.lists(
        st.tuples(st.sampled_from(["draw", "pause", "away", "continue"]), st.integers(0, 3 * IDLE_MS_MAX)), max_size=25
    )
)
def test_play_time_is_the_sum_of_waits_outside_pauses(waits: list[tuple[str, int]]) -> None:
    """Counted here a second way; the state, its rebuild, and the history of the game say the same."""
    play = begun()
    counted, running = 0, True
    for text, wait in waits:
        if isinstance(play.do(text, at=play.game.at + wait), Error):
            continue
        counted += min(wait, IDLE_MS_MAX) if running else 0
        running = text not in {"pause", "away"}
        assert play.game.play_ms == counted
    assert encode(rebuilt(play.deal, play.stored)) == encode(play.logged)
    counted += MOVE_MS if running else 0
    play.must("resign")
    assert play.ended is not None
    assert play.ended.play_ms == counted
    told = history_of(play.game.game, map(past_step, play.records))
    assert told.steps[-1].play_ms == counted
