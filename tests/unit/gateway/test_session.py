"""The conversation of one connection: who is answered what, when, and how often."""

from collections.abc import Sequence
from typing import TypeVar

import pytest

from services.gateway import refusals
from services.gateway.credits import Credits
from services.gateway.effects import Ask, Close, Effect, Follow, Send, Unfollow
from services.gateway.session import FOLLOWED_MAX, PENDING_MAX, Session, SignedIn, Unreadable
from shared.messages.answers import Refused
from shared.messages.base import GameId
from shared.messages.codec import new_game_id
from shared.messages.commands import AskHint, DrawCards, FetchGame, StartGame
from shared.messages.errors import Error
from shared.messages.frames import (
    Hello,
    Leave,
    Ping,
    Pong,
    RefusedFrame,
    Repeated,
    Resumed,
    ServerFrame,
    StepFrame,
    Welcome,
)
from tests.unit.gateway.samples import (
    GAME,
    OTHER_GAME,
    PLAYER,
    accepted,
    command_id,
    draw,
    fetched,
    hint,
    new_game,
    repeated,
    resume,
    step,
)

Kind = TypeVar("Kind")
STALE = Error(code="stale-version", text="The game has moved on.", fix="Look again.")


def sign_in(token: str | None) -> SignedIn | Error:
    return refusals.BAD_TOKEN if token == "bad" else SignedIn(player=PLAYER, token=token or "new")


def make(burst: int = 1000) -> Session:
    allowance = Credits.full(burst=burst, per_second=1, now=0.0)
    return Session(sign_in=sign_in, allowance=allowance, server="1")


@pytest.fixture
def session() -> Session:
    """Signed in."""
    made = make()
    made.received(Hello(), 0.0)
    return made


def of(effects: Sequence[Effect], kind: type[Kind]) -> list[Kind]:
    return [effect for effect in effects if isinstance(effect, kind)]


def frames(effects: Sequence[Effect]) -> list[ServerFrame]:
    return [effect.frame for effect in of(effects, Send)]


def only_ask(effects: Sequence[Effect]) -> Ask:
    (ask,) = of(effects, Ask)
    return ask


def following(session: Session, version: int, game: GameId = GAME) -> None:
    """The client has a version of a game and follows it."""
    ask = only_ask(session.received(resume(900 + version, None, game), 0.0))
    session.answered(ask, fetched(version, game=game))


def test_hello_is_answered_by_the_player_and_the_token() -> None:
    (frame,) = frames(make().received(Hello(token="mine"), 0.0))
    assert isinstance(frame, Welcome)
    assert (frame.player, frame.token) == (PLAYER, "mine")


def test_a_bad_token_is_refused_and_hello_may_be_said_again() -> None:
    session = make()
    assert frames(session.received(Hello(token="bad"), 0.0)) == [RefusedFrame(error=refusals.BAD_TOKEN)]
    assert isinstance(frames(session.received(Hello(), 0.0))[0], Welcome)


def test_a_second_hello_is_refused(session: Session) -> None:
    assert frames(session.received(Hello(), 0.0)) == [RefusedFrame(error=refusals.SIGNED_IN_TWICE)]


def test_a_command_before_hello_is_refused_and_asks_nothing() -> None:
    effects = make().received(draw(1, 5), 0.0)
    assert frames(effects) == [RefusedFrame(error=refusals.NOT_SIGNED_IN, command=command_id(1), game=GAME)]
    assert not of(effects, Ask)


def test_a_ping_is_answered_before_hello() -> None:
    assert frames(make().received(Ping(nonce=7), 0.0)) == [Pong(nonce=7)]


def test_a_connection_without_hello_is_closed_and_one_with_hello_is_not(session: Session) -> None:
    assert make().hello_overdue() == [Close(refusals.HELLO_TOO_LATE, refusals.CLOSE_POLICY)]
    assert session.hello_overdue() == []


def test_an_unreadable_frame_is_refused_with_the_id_it_had(session: Session) -> None:
    error = Error(code="bad-frame", text="No.", fix="Yes.", field="$.version")
    effects = session.received(Unreadable(error=error, command=command_id(1), game=GAME), 0.0)
    assert effects == [Send(RefusedFrame(error=error, command=command_id(1), game=GAME))]


def test_a_new_game_is_followed_before_it_is_asked_for(session: Session) -> None:
    game = new_game_id(PLAYER, command_id(1))
    follow, ask = session.received(new_game(1), 0.0)
    assert follow == Follow(game)
    assert isinstance(ask, Ask)
    assert isinstance(ask.question, StartGame)
    assert (ask.question.game, ask.question.player, ask.question.version) == (game, PLAYER, 0)


def test_a_refused_new_game_is_not_followed(session: Session) -> None:
    ask = only_ask(session.received(new_game(1), 0.0))
    effects = session.answered(ask, Refused(command=command_id(1), error=refusals.NOT_DONE))
    assert [frame.command for frame in frames(effects) if isinstance(frame, RefusedFrame)] == [command_id(1)]
    assert of(effects, Unfollow) == [Unfollow(ask.question.game)]
    assert session.games == ()


@pytest.mark.parametrize("reply_first", [True, False])
def test_one_step_answers_a_command_whichever_of_reply_and_feed_comes_first(
    session: Session, reply_first: bool
) -> None:
    following(session, 5)
    ask = only_ask(session.received(draw(1, 5), 0.0))
    if reply_first:
        effects = session.answered(ask, accepted(6, command_id(1))) + session.stepped(step(6, command_id(1)))
    else:
        effects = session.stepped(step(6, command_id(1))) + session.answered(ask, accepted(6, command_id(1)))
    (frame,) = frames(effects)
    assert isinstance(frame, StepFrame)
    assert (frame.version, frame.command) == (6, command_id(1))


def test_a_refusal_carries_the_current_version(session: Session) -> None:
    following(session, 5)
    ask = only_ask(session.received(draw(1, 4), 0.0))
    effects = session.answered(ask, Refused(command=command_id(1), error=STALE, version=5))
    assert frames(effects) == [RefusedFrame(error=STALE, command=command_id(1), game=GAME, version=5)]


def test_a_repeated_command_is_answered_with_the_game_as_it_is_now(session: Session) -> None:
    following(session, 8)
    ask = only_ask(session.received(draw(6, 5), 0.0))
    (frame,) = frames(session.answered(ask, repeated(6, 8, command_id(6))))
    assert isinstance(frame, Repeated)
    assert (frame.version, frame.command, frame.view.version) == (6, command_id(6), 8)


def test_a_command_sent_twice_at_once_is_answered_once(session: Session) -> None:
    following(session, 5)
    ask = only_ask(session.received(draw(1, 5), 0.0))
    assert session.received(draw(1, 5), 0.0) == []
    assert len(frames(session.answered(ask, accepted(6, command_id(1))))) == 1


def test_a_missed_step_is_fetched_and_nothing_passes_meanwhile(session: Session) -> None:
    following(session, 5)
    ask = only_ask(session.stepped(step(7, command_id(7))))
    assert ask == Ask(FetchGame(game=GAME, player=PLAYER, since=5))
    assert session.stepped(step(8, command_id(8))) == []
    effects = session.answered(ask, fetched(7, since=5))
    (frame,) = frames(effects)
    assert isinstance(frame, Resumed)
    assert (frame.command, frame.version) == (None, 7)
    assert frame.steps is not None
    assert [past.version for past in frame.steps] == [6, 7]
    assert only_ask(effects).question == FetchGame(game=GAME, player=PLAYER, since=7), "8 was announced meanwhile"


def test_a_command_within_a_gap_is_still_answered_once(session: Session) -> None:
    following(session, 5)
    own = only_ask(session.received(draw(6, 5), 0.0))
    gap = only_ask(session.stepped(step(7, command_id(7))))
    assert frames(session.answered(own, accepted(6, command_id(6)))) == []
    resumed, answer = frames(session.answered(gap, fetched(7, since=5)))
    assert isinstance(resumed, Resumed)
    assert isinstance(answer, Repeated)
    assert (answer.command, answer.version, answer.view.version) == (command_id(6), 6, 7)


def test_a_gap_that_cannot_be_closed_costs_no_answer(session: Session) -> None:
    following(session, 5)
    own = only_ask(session.received(draw(6, 5), 0.0))
    gap = only_ask(session.stepped(step(7, command_id(7))))
    session.answered(own, accepted(6, command_id(6)))
    whole, answer = frames(session.answered(gap, Refused(command=None, error=refusals.NOT_DONE)))
    assert isinstance(whole, Resumed)
    assert (whole.version, whole.steps) == (6, None)
    assert isinstance(answer, Repeated)
    assert answer.command == command_id(6)


def test_old_steps_are_dropped(session: Session) -> None:
    following(session, 5)
    assert session.stepped(step(5, command_id(5))) == []
    assert session.stepped(step(3, command_id(3))) == []


def test_nothing_of_a_game_is_shown_before_game_state_has_said_that_it_is_the_players(session: Session) -> None:
    ask = only_ask(session.received(resume(1, None), 0.0))
    assert session.stepped(step(7, command_id(7))) == []
    refused = Error(code="not-your-game", text="It is not.", fix="Play your own.")
    effects = session.answered(ask, Refused(command=None, error=refused))
    assert frames(effects) == [RefusedFrame(error=refused, command=command_id(1), game=GAME)]
    assert session.stepped(step(8, command_id(8))) == []


@pytest.mark.parametrize("first", ["hint", "resume"])
def test_a_resume_is_followed_though_what_was_asked_before_it_is_refused(session: Session, first: str) -> None:
    before = only_ask(session.received(hint(1, 5) if first == "hint" else resume(1, 5), 0.0))
    asked = of(session.received(resume(2, 5), 0.0), Ask)
    effects = session.answered(before, Refused(command=command_id(1), error=STALE))
    (opening,) = asked or of(effects, Ask)
    assert of(effects, Unfollow) == []
    session.answered(opening, fetched(5, since=5))
    assert len(frames(session.stepped(step(6, command_id(6))))) == 1


def test_a_hint_that_was_given_is_answered_though_the_resume_is_refused(session: Session) -> None:
    asked = only_ask(session.received(hint(1, 5), 0.0))
    opening = only_ask(session.received(resume(2, 5), 0.0))
    shown = frames(session.answered(asked, accepted(6, command_id(1))))
    shown += frames(session.answered(opening, Refused(command=command_id(2), error=STALE)))
    assert [frame.command for frame in shown if isinstance(frame, StepFrame | Repeated)] == [command_id(1)]
    assert session.games == ()


def test_resume_brings_what_was_missed_and_what_was_announced_meanwhile_is_fetched(session: Session) -> None:
    ask = only_ask(session.received(resume(1, 5), 0.0))
    assert ask.question == FetchGame(game=GAME, player=PLAYER, since=5)
    session.stepped(step(9, command_id(9)))
    effects = session.answered(ask, fetched(8, since=5))
    (frame,) = frames(effects)
    assert isinstance(frame, Resumed)
    assert frame.command == command_id(1)
    assert only_ask(effects).question == FetchGame(game=GAME, player=PLAYER, since=8)


def test_a_refused_move_leaves_the_game_followed(session: Session) -> None:
    following(session, 5)
    ask = only_ask(session.received(draw(1, 4), 0.0))
    session.answered(ask, Refused(command=command_id(1), error=STALE, version=5))
    assert len(frames(session.stepped(step(6, command_id(6))))) == 1


def test_commands_of_one_game_are_asked_in_the_order_they_came(session: Session) -> None:
    following(session, 5)
    first = only_ask(session.received(draw(1, 5), 0.0))
    assert session.received(draw(2, 6), 0.0) == []
    assert session.received(draw(3, 7), 0.0) == []
    second = only_ask(session.answered(first, accepted(6, command_id(1))))
    assert isinstance(second.question, DrawCards)
    assert second.question.version == 6
    third = only_ask(session.answered(second, Refused(command=command_id(2), error=STALE, version=6)))
    assert third.command == command_id(3)


def test_an_announced_step_lets_the_next_command_go(session: Session) -> None:
    following(session, 5)
    session.received(draw(1, 5), 0.0)
    session.received(draw(2, 6), 0.0)
    assert only_ask(session.stepped(step(6, command_id(1)))).command == command_id(2)


def test_games_do_not_wait_for_each_other(session: Session) -> None:
    following(session, 5)
    following(session, 5, OTHER_GAME)
    session.received(draw(1, 5), 0.0)
    assert only_ask(session.received(draw(2, 5, OTHER_GAME), 0.0)).command == command_id(2)


def test_a_hint_waits_for_its_turn_and_holds_up_nobody(session: Session) -> None:
    following(session, 5)
    move = only_ask(session.received(draw(1, 5), 0.0))
    assert session.received(hint(2, 6), 0.0) == []
    assert session.received(draw(3, 6), 0.0) == []
    asked = of(session.answered(move, accepted(6, command_id(1))), Ask)
    assert isinstance(asked[0].question, AskHint)
    assert [ask.command for ask in asked] == [command_id(2), command_id(3)]


def test_a_resume_keeps_its_place_among_the_moves(session: Session) -> None:
    fetch = only_ask(session.received(resume(1, 5), 0.0))
    assert session.received(draw(2, 5), 0.0) == []
    assert only_ask(session.answered(fetch, fetched(5, since=5))).command == command_id(2)


def test_a_command_about_a_game_that_is_not_followed_is_answered_all_the_same(session: Session) -> None:
    ask = only_ask(session.received(draw(1, 5), 0.0))
    assert isinstance(frames(session.answered(ask, accepted(6, command_id(1))))[0], StepFrame)
    again = only_ask(session.received(draw(1, 5), 0.0))
    assert isinstance(frames(session.answered(again, repeated(6, 6, command_id(1))))[0], Repeated)
    assert session.games == ()


def test_a_game_that_was_left_sends_no_more_steps_but_answers(session: Session) -> None:
    following(session, 5)
    ask = only_ask(session.received(draw(1, 5), 0.0))
    assert session.received(Leave(game=GAME), 0.0) == [Unfollow(GAME)]
    assert session.stepped(step(6, command_id(1))) == []
    assert len(frames(session.answered(ask, accepted(6, command_id(1))))) == 1


def test_too_many_pending_commands_are_refused(session: Session) -> None:
    for number in range(PENDING_MAX):
        assert not frames(session.received(draw(number, 0), 0.0))
    (frame,) = frames(session.received(draw(PENDING_MAX, 0), 0.0))
    assert isinstance(frame, RefusedFrame)
    assert (frame.error, frame.command) == (refusals.TOO_MANY_PENDING, command_id(PENDING_MAX))


def test_too_many_followed_games_are_refused(session: Session) -> None:
    for number in range(FOLLOWED_MAX):
        ask = only_ask(session.received(new_game(number), 0.0))
        session.answered(ask, accepted(1, command_id(number), ask.question.game))
    (frame,) = frames(session.received(new_game(FOLLOWED_MAX), 0.0))
    assert isinstance(frame, RefusedFrame)
    assert frame.error == refusals.TOO_MANY_GAMES


def test_frames_beyond_the_credits_are_refused_first_then_the_connection_is_closed() -> None:
    session = make(burst=3)
    answers = [session.received(Ping(), 0.0) for _ in range(7)]
    kinds = [type(effect.frame) if isinstance(effect, Send) else type(effect) for (effect,) in answers]
    assert kinds == [Pong] * 3 + [RefusedFrame] * 3 + [Close]


def test_credits_come_back_with_time() -> None:
    session = make(burst=3)
    for _ in range(5):
        session.received(Ping(), 0.0)
    assert isinstance(frames(session.received(Ping(), 2.0))[0], RefusedFrame)
    assert frames(session.received(Ping(), 6.0)) == [Pong(nonce=0)]


def test_after_a_lost_connection_to_the_bus_every_followed_game_is_looked_at(session: Session) -> None:
    following(session, 5)
    ask = only_ask(session.missed())
    assert ask.question == FetchGame(game=GAME, player=PLAYER, since=5)
    assert session.answered(ask, fetched(5, since=5)) == [], "nothing was missed"
    (frame,) = frames(session.answered(only_ask(session.missed()), fetched(6, since=5)))
    assert isinstance(frame, Resumed)


def test_fetches_that_bring_nothing_new_come_to_an_end(session: Session) -> None:
    following(session, 5)
    effects = session.stepped(step(7, command_id(7)))
    fetches = 0
    while asks := of(effects, Ask):
        fetches += 1
        effects = session.answered(asks[0], fetched(5, since=5))
        assert fetches < 10
    assert fetches > 1
