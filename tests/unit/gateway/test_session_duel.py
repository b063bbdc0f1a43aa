"""Games for two in a connection's conversation: finding one, joining it, watching it, and being overtaken."""

import msgspec
import pytest

from services.gateway.effects import Ask, Effect, Follow, Look, Send, Unfollow
from services.gateway.matching import LOOKS_MAX
from services.gateway.session import Session
from shared.game.refusals import refused
from shared.game.view import announced, step_of
from shared.messages.answers import Accepted, Refused, RequestRefused
from shared.messages.codec import new_game_id
from shared.messages.commands import FetchGame, JoinGame, StartGame
from shared.messages.frames import Hello, Join, JoinCode, QuickMatch, RefusedFrame, StepFrame, Watch
from shared.messages.lobby import FindInvitation, FindMatch, GameFound
from shared.messages.views import Step
from tests.duels import GUEST, DuelPlay, new_duel
from tests.play import PLAYER as HOST
from tests.unit.gateway.samples import GAME, OTHER_GAME, PLAYER, command_id, draw
from tests.unit.gateway.test_session import make

DUEL = new_duel()


def signed_in() -> Session:
    session = make()
    session.received(Hello(token="known"), 0.0)
    assert session.player == PLAYER
    return session


def only(effects: list[Effect]) -> Look:
    (found,) = [effect for effect in effects if isinstance(effect, Look)]
    return found


def asked(effects: list[Effect]) -> Ask:
    (found,) = [effect for effect in effects if isinstance(effect, Ask)]
    return found


def sent(effects: list[Effect]) -> list[object]:
    return [effect.frame for effect in effects if isinstance(effect, Send)]


def as_guest(duel: DuelPlay) -> Step:
    """The newest step as the feed has it, with this connection's player as the guest, and somebody else as the host."""
    text = msgspec.msgpack.encode(announced(duel.game, step_of(duel.game, duel.records[-1])))
    text = text.replace(HOST.encode(), b"h" * 26).replace(GUEST.encode(), PLAYER.encode())
    return msgspec.msgpack.decode(text, type=Step)


def test_a_code_is_looked_up_and_its_game_joined_under_the_same_id() -> None:
    session = signed_in()
    look = only(session.received(JoinCode(id=command_id(1), code="a" * 10), 1.0))
    assert look == Look(FindInvitation(code="a" * 10), command_id(1))
    effects = session.looked(look, GameFound(game=GAME))
    assert Follow(GAME) in effects
    assert asked(effects).question == JoinGame(id=command_id(1), game=GAME, player=PLAYER, version=1)


def test_a_code_that_leads_nowhere_is_refused_once_and_may_be_tried_again() -> None:
    session = signed_in()
    frame = JoinCode(id=command_id(1), code="a" * 10)
    look = only(session.received(frame, 1.0))
    assert session.received(frame, 1.0) == [], "it is being worked on"
    error = refused("unknown-invitation")
    assert sent(session.looked(look, RequestRefused(error=error))) == [RefusedFrame(error=error, command=command_id(1))]
    assert only(session.received(frame, 2.0)) == look


def test_a_quick_match_without_anybody_starts_the_game_that_waits_in_the_queue() -> None:
    session = signed_in()
    look = only(session.received(QuickMatch(id=command_id(1), variant="double-mini"), 1.0))
    assert isinstance(look.question, FindMatch)
    own = new_game_id(PLAYER, command_id(1))
    start = asked(session.looked(look, GameFound(game=own))).question
    assert isinstance(start, StartGame)
    assert (start.game, start.variant, start.mode) == (own, "double-mini", "ranked")


@pytest.mark.parametrize("code", ["already-joined", "game-ended", "invitation-expired", "unknown-game"])
def test_a_quick_match_that_comes_too_late_looks_again_and_says_what_is_gone(code: str) -> None:
    session = signed_in()
    look = only(session.received(QuickMatch(id=command_id(1)), 1.0))
    ask = asked(session.looked(look, GameFound(game=OTHER_GAME)))
    reply = Refused(command=command_id(1), error=msgspec.structs.replace(refused("own-game"), code=code))
    effects = session.answered(ask, reply)
    assert sent(effects) == []
    assert Unfollow(OTHER_GAME) in effects
    again = only(effects)
    assert isinstance(again.question, FindMatch)
    assert again.question.gone == (None if code == "unknown-game" else OTHER_GAME)
    assert (again.after_seconds > 0) == (code == "unknown-game")


def test_a_quick_match_that_is_always_too_late_ends_with_a_refusal() -> None:
    session = signed_in()
    look = only(session.received(QuickMatch(id=command_id(1)), 1.0))
    reply = Refused(command=command_id(1), error=refused("already-joined"))
    for _ in range(LOOKS_MAX - 1):
        look = only(session.answered(asked(session.looked(look, GameFound(game=OTHER_GAME))), reply))
    effects = session.answered(asked(session.looked(look, GameFound(game=OTHER_GAME))), reply)
    assert [type(frame) for frame in sent(effects)] == [RefusedFrame]
    assert session.games == ()


def test_who_joins_sees_the_join_as_the_first_step_whichever_way_it_comes() -> None:
    step = as_guest(DUEL)
    for by_feed in (True, False):
        session = signed_in()
        ask = asked(session.received(Join(id=step.command, game=step.game), 1.0))
        assert step.seats
        own = Accepted(command=step.command, step=msgspec.structs.replace(step, view=step.seats[1]))
        effects = session.stepped(step) if by_feed else session.answered(ask, own)
        (frame,) = sent(effects)
        assert isinstance(frame, StepFrame)
        assert frame.view == step.seats[1]
        assert (frame.version, frame.command, frame.seat) == (2, step.command, 1)


def test_who_has_not_joined_yet_sees_no_step_of_others() -> None:
    session = signed_in()
    others = msgspec.msgpack.encode(announced(DUEL.game, step_of(DUEL.game, DUEL.records[-1])))
    step = msgspec.msgpack.decode(others.replace(HOST.encode(), b"h" * 26), type=Step)
    session.received(Join(id=command_id(9), game=step.game), 1.0)
    assert session.stepped(step) == []


def test_who_watches_asks_to_watch_and_sees_no_legal_moves() -> None:
    session = signed_in()
    ask = asked(session.received(Watch(id=command_id(1), game=GAME), 1.0))
    assert ask.question == FetchGame(game=GAME, player=PLAYER, watch=True)


def test_who_is_overtaken_gets_what_was_done_meanwhile() -> None:
    step = as_guest(DUEL)
    session = signed_in()
    session.received(Join(id=step.command, game=step.game), 1.0)
    session.stepped(step)
    ask = asked(session.received(draw(5, 2, game=step.game), 1.0))
    effects = session.answered(ask, Refused(command=command_id(5), error=refused("overtaken"), version=3))
    (frame,) = sent(effects)
    assert isinstance(frame, RefusedFrame)
    assert asked(effects).question == FetchGame(game=step.game, player=PLAYER, since=2)
