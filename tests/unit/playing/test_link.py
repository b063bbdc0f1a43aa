"""The client's side of the protocol: nothing is lost, nothing done twice, and a gap is closed."""

from typing import get_args

import msgspec
import pytest

from services.cli.playing.decoding import Newer, decode
from services.cli.playing.link import TRIES_MAX, Link
from shared import clock
from shared.game.view import view_of
from shared.messages.base import PlayerId
from shared.messages.errors import Error
from shared.messages.events import AnyEvent, CardsDrawn
from shared.messages.frames import (
    Bye,
    DrawFrame,
    Hello,
    HintFrame,
    Leave,
    NewGame,
    RefusedFrame,
    Repeated,
    Resume,
    Resumed,
    ServerFrame,
    StepFrame,
    Welcome,
)
from shared.messages.views import View
from tests.play import new_play

WELCOME = Welcome(player=PlayerId("p" * 26), token="a token", server="1", ping_ms=5_000)


def view_at(version: int, deal: int = 7) -> View:
    return msgspec.structs.replace(view_of(new_play(deal=deal).game), version=version)


def step(view: View, command: str) -> StepFrame:
    events = (CardsDrawn(cards=("AC",)),)
    return msgspec.convert(
        {"type": "step", "game": view.game, "version": view.version, "command": command, "at": view.at,
         "events": msgspec.to_builtins(events), "view": msgspec.to_builtins(view)}, StepFrame,
    )  # fmt: skip


def draw(view: View) -> DrawFrame:
    return DrawFrame(id=clock.new_command_id(), game=view.game, version=view.version)


def refused(frame: DrawFrame | HintFrame, code: str) -> RefusedFrame:
    error = Error(code=code, text="It is not done.", fix="Wait.")  # type: ignore[arg-type]  # - a parametrised code
    return RefusedFrame(error=error, command=frame.id)


@pytest.fixture
def link() -> Link:
    """Signed in, with a game on the table at version 1."""
    made = Link("a token")
    made.hear(WELCOME)
    frame = NewGame(id=clock.new_command_id())
    assert made.ask(frame) == [frame]
    heard = made.hear(step(view_at(1), frame.id))
    assert heard.answered == frame
    assert heard.change is not None
    assert heard.change.before is None
    return made


def test_before_it_is_signed_in_nothing_is_sent_and_then_everything_in_order() -> None:
    link = Link(None)
    frames = [NewGame(id=clock.new_command_id()), NewGame(id=clock.new_command_id())]
    assert [link.ask(frame) for frame in frames] == [[], []]
    assert link.hello() == Hello(token=None)
    assert link.hear(WELCOME).send == frames
    assert link.hello() == Hello(token="a token")


def test_after_a_break_the_game_is_followed_again_before_what_is_unanswered_is_sent_again(link: Link) -> None:
    assert link.view is not None
    first, second = draw(link.view), draw(link.view)
    link.ask(first)
    link.ask(second)
    link.lost()
    resume, *again = link.hear(WELCOME).send
    assert isinstance(resume, Resume)
    assert (resume.game, resume.version) == (link.view.game, 1)
    assert again == [first, second]


def test_what_was_done_before_the_break_is_taken_once(link: Link) -> None:
    """The server's `resumed` has it; the `repeated` that answers the command itself changes nothing."""
    assert link.view is not None
    frame = draw(link.view)
    link.ask(frame)
    link.lost()
    resume = link.hear(WELCOME).send[0]
    assert isinstance(resume, Resume)
    now = view_at(2)
    heard = link.hear(Resumed(game=now.game, version=2, view=now, command=resume.id, steps=()))
    assert heard.change is not None
    assert heard.change.view.version == 2
    heard = link.hear(Repeated(game=now.game, version=2, command=frame.id, view=now))
    assert heard.change is None
    assert heard.answered == frame
    assert link.waits == 0


def test_a_step_that_is_not_the_next_one_asks_for_those_between(link: Link) -> None:
    heard = link.hear(step(view_at(4), clock.new_command_id()))
    (resume,) = heard.send
    assert isinstance(resume, Resume)
    assert resume.version == 1
    assert heard.change is None


def test_a_step_that_is_there_already_or_of_another_game_changes_nothing(link: Link) -> None:
    assert link.hear(step(view_at(1), clock.new_command_id())).change is None
    other = msgspec.structs.replace(view_at(2), game="z" * 26)
    assert link.hear(step(other, clock.new_command_id())).change is None
    assert link.view is not None
    assert link.view.version == 1


def test_another_game_takes_the_place_and_the_first_is_left(link: Link) -> None:
    assert link.view is not None
    before = link.view.game
    frame = NewGame(id=clock.new_command_id())
    link.ask(frame)
    other = msgspec.structs.replace(view_at(1), game="z" * 26)
    heard = link.hear(step(other, frame.id))
    assert heard.send == [Leave(game=before)]
    assert heard.change is not None
    assert link.view.game == other.game


def test_a_new_game_that_was_dealt_before_the_break_is_followed(link: Link) -> None:
    frame = NewGame(id=clock.new_command_id())
    link.ask(frame)
    other = msgspec.structs.replace(view_at(3), game="z" * 26)
    heard = link.hear(Repeated(game=other.game, version=1, command=frame.id, view=other))
    resume = heard.send[-1]
    assert isinstance(resume, Resume)
    assert (resume.game, resume.version) == (other.game, 3)


@pytest.mark.parametrize("code", ["unavailable", "outcome-unknown", "too-many-requests", "going-away"])
def test_what_is_not_done_now_is_tried_again_with_the_same_id_and_not_for_ever(link: Link, code: str) -> None:
    assert link.view is not None
    frame = draw(link.view)
    link.ask(frame)
    for tries in range(1, TRIES_MAX + 1):
        again = link.hear(refused(frame, code)).again
        assert again is not None
        assert again.tries == tries
        assert link.still_asked(again) == [frame]
    heard = link.hear(refused(frame, code))
    assert heard.answered == frame
    assert heard.again is None
    assert link.waits == 0


def test_a_hint_that_no_worker_can_give_is_not_waited_for(link: Link) -> None:
    assert link.view is not None
    frame = HintFrame(id=clock.new_command_id(), game=link.view.game, version=1)
    link.ask(frame)
    assert link.hear(refused(frame, "unavailable")).answered == frame


def test_what_the_rules_forbid_is_an_answer(link: Link) -> None:
    assert link.view is not None
    frame = draw(link.view)
    link.ask(frame)
    assert link.hear(refused(frame, "illegal-move")).answered == frame


def test_a_token_that_is_not_known_is_given_up(link: Link) -> None:
    heard = link.hear(Bye(error=Error(code="bad-token", text="It is not known.", fix="Say hello without one.")))
    assert heard.stranger
    assert link.hello() == Hello(token=None)


def test_a_newer_server_is_understood_as_far_as_it_can_be() -> None:
    """Unknown events and fields are skipped, unknown frames are no error; a view that cannot be read is told."""
    frame = msgspec.to_builtins(step(view_at(2), clock.new_command_id()))
    frame["events"] = [*frame["events"], {"type": "card-sneezed", "loudness": 3}]
    frame["mood"] = "sunny"
    known = decode(msgspec.json.encode(frame))
    assert isinstance(known, StepFrame)
    assert [type(event) for event in known.events] == [CardsDrawn]
    assert decode(b'{"type": "weather", "rain": true}') == Newer(matters=False)
    frame["view"]["status"] = "asleep"
    assert decode(msgspec.json.encode(frame)) == Newer(matters=True)
    with pytest.raises(msgspec.DecodeError):
        decode(b"[")


def test_every_event_and_frame_of_this_version_is_known() -> None:
    assert len(get_args(AnyEvent)) > 10
    assert len(get_args(ServerFrame)) == 7
