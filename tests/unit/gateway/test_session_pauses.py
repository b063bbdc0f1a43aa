"""A game that was left is continued by the connection that follows it, and by nothing else."""

import msgspec
import pytest

from services.gateway.effects import Ask, Unfollow
from services.gateway.session import Session
from shared.messages.answers import Accepted, Fetched, Refused
from shared.messages.attendance import continuing
from shared.messages.commands import ContinueGame, DrawCards, PauseReason
from shared.messages.frames import Leave, Resumed, StepFrame
from shared.messages.views import Step
from tests.unit.gateway.samples import GAME, PLAYER, accepted, command_id, draw, fetched, resume, step, view
from tests.unit.gateway.test_session import STALE, following, frames, of, only_ask, session

__all__ = ["session"]
replace = msgspec.structs.replace


def paused(version: int, reason: PauseReason) -> Step:
    return replace(step(version, command_id(800)), view=view(version, paused=reason))


def continued(version: int) -> Accepted:
    command = continuing(GAME, PLAYER, version)
    return accepted(version + 1, command.id)


def test_a_pause_by_absence_is_ended_at_once_by_a_connection_that_follows_the_game(session: Session) -> None:
    following(session, 5)
    effects = session.stepped(paused(6, "absence"))
    assert [frame.version for frame in frames(effects) if isinstance(frame, StepFrame)] == [6]
    assert only_ask(effects).question == continuing(GAME, PLAYER, 6)


def test_a_pause_by_the_player_stays(session: Session) -> None:
    following(session, 5)
    assert not of(session.stepped(paused(6, "player")), Ask)


def test_who_resumes_a_game_that_was_left_continues_it_before_anything_else_is_done(session: Session) -> None:
    """A command whose answer was lost with the connection is sent right behind: it must not meet the pause."""
    (resuming,) = of(session.received(resume(1, 5), 0.0), Ask)
    assert not of(session.received(draw(2, 5), 0.0), Ask)
    effects = session.answered(resuming, Fetched(view=view(6, paused="absence")))
    assert isinstance(frames(effects)[0], Resumed)
    back = only_ask(effects)
    assert isinstance(back.question, ContinueGame)
    effects = session.answered(back, continued(6))
    assert isinstance(only_ask(effects).question, DrawCards)


def test_the_step_of_a_continued_game_is_sent_once(session: Session) -> None:
    following(session, 5)
    back = only_ask(session.stepped(paused(6, "absence")))
    assert frames(session.answered(back, continued(6))) == []
    assert [type(frame) for frame in frames(session.stepped(continued(6).step))] == [StepFrame]


def test_a_game_is_continued_once_however_often_its_pause_is_seen(session: Session) -> None:
    following(session, 5)
    back = only_ask(session.stepped(paused(6, "absence")))
    assert not of(session.stepped(paused(6, "absence")), Ask)
    session.answered(back, Refused(command=back.command, error=STALE, version=7))
    looked = only_ask(session.missed())
    again = session.answered(looked, Fetched(view=view(6, paused="absence")))
    assert isinstance(only_ask(again).question, ContinueGame), "what failed is tried with the next look"


@pytest.mark.parametrize("reason", ["player", "absence"])
def test_a_game_that_is_not_followed_is_not_continued(session: Session, reason: PauseReason) -> None:
    assert session.stepped(paused(6, reason)) == []


def test_leaving_tells_the_newest_view_unless_something_is_under_way(session: Session) -> None:
    following(session, 5)
    assert session.newest(GAME) == view(5)
    (asked,) = of(session.received(draw(1, 5), 0.0), Ask)
    assert session.newest(GAME) is None
    session.answered(asked, accepted(6, command_id(1)))
    assert session.newest(GAME) == view(6)
    assert of(session.received(Leave(game=GAME), 0.0), Unfollow) == [Unfollow(GAME, view(6))]


def test_a_gap_that_hides_a_pause_is_closed_and_the_game_continued(session: Session) -> None:
    following(session, 5)
    gap = only_ask(session.stepped(step(7, command_id(801))))
    effects = session.answered(gap, replace(fetched(8, since=5), view=view(8, paused="absence")))
    assert only_ask(effects).question == continuing(GAME, PLAYER, 8)
