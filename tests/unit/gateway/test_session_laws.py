"""The laws of a connection, whatever the bus loses, doubles or turns round."""

from collections import Counter

import msgspec
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from services.gateway.credits import Credits
from services.gateway.effects import Ask, Effect, Reply, Send
from services.gateway.session import Session, SignedIn
from shared.messages.answers import Accepted, Refused
from shared.messages.attendance import continuing
from shared.messages.base import CommandId
from shared.messages.commands import ContinueGame, FetchGame
from shared.messages.errors import Error
from shared.messages.frames import Hello, RefusedFrame, Repeated, Resumed, ServerFrame, StepFrame
from shared.messages.views import Step, View
from tests.unit.gateway.samples import GAME, PLAYER, command_id, draw, fetched, hint, repeated, resume, step, view

replace = msgspec.structs.replace
STALE = Error(code="stale-version", text="The game has moved on.", fix="Look again.")
UNKNOWN = Error(code="outcome-unknown", text="Nobody knows.", fix="Repeat it.")


class Conversation(RuleBasedStateMachine):
    """A client, a session, and a game whose log is a list of command ids; record number n makes version n.

    Now and then the player is taken for away, as by another gateway: then the session continues the game.
    """

    def __init__(self) -> None:
        super().__init__()
        self.log: list[CommandId] = [command_id(0)]
        self.clock: set[int] = set()
        """Versions that are pauses, or ends of them."""
        self.paused: set[int] = set()
        """Versions in which the game is paused."""
        self.announced: list[Step] = []
        self.asks: list[Ask] = []
        self.sent: Counter[CommandId] = Counter()
        self.answers: Counter[CommandId] = Counter()
        self.version = 0
        self.numbers = 1
        self.session = Session(
            sign_in=lambda _: SignedIn(player=PLAYER, token="t"),
            allowance=Credits.full(burst=10**6, per_second=1, now=0.0),
            server="1",
        )

    @initialize()
    def begin(self) -> None:
        self.session.received(Hello(), 0.0)
        self.does(self.session.received(resume(self.number(), None), 0.0))
        self.sent[command_id(self.numbers - 1)] += 1
        self.reply(0, lost=False)

    @rule()
    def the_player_moves(self) -> None:
        number = self.number()
        self.sent[command_id(number)] += 1
        self.does(self.session.received(draw(number, self.version), 0.0))

    @rule()
    def the_player_asks_for_a_hint(self) -> None:
        number = self.number()
        self.sent[command_id(number)] += 1
        self.does(self.session.received(hint(number, self.version), 0.0))

    @rule()
    def the_player_resumes(self) -> None:
        number = self.number()
        self.sent[command_id(number)] += 1
        self.does(self.session.received(resume(number, self.version), 0.0))

    @rule()
    def another_device_moves(self) -> None:
        self.append(command_id(self.number()))

    @precondition(lambda self: len(self.log) not in self.paused)
    @rule()
    def the_player_is_taken_for_away(self) -> None:
        self.clock.add(len(self.log) + 1)
        self.paused.add(len(self.log) + 1)
        self.record(command_id(self.number()))

    @precondition(lambda self: self.answers)
    @rule(data=st.data())
    def the_player_repeats(self, data: st.DataObject) -> None:
        """An id that has its answer is sent again, as after a reconnect."""
        settled = sorted(
            command for command in self.sent if self.sent[command] == self.answers[command] and command in self.log
        )
        if settled:
            command = data.draw(st.sampled_from(settled))
            self.sent[command] += 1
            number = int(command[-12:], 16)
            self.does(self.session.received(draw(number, self.log.index(command)), 0.0))

    @precondition(lambda self: self.asks)
    @rule(at=st.integers(0, 9), lost=st.booleans())
    def reply(self, at: int, lost: bool) -> None:
        """A question is decided and answered; or decided and the answer lost, until the gateway gives up."""
        ask = self.asks.pop(at % len(self.asks))
        answer = self.decide(ask)
        if lost:
            answer = Refused(command=ask.command, error=UNKNOWN)
        self.does(self.session.answered(ask, answer))

    @precondition(lambda self: self.announced)
    @rule(at=st.integers(0, 3), lost=st.booleans(), doubled=st.booleans())
    def announce(self, at: int, lost: bool, doubled: bool) -> None:
        """A step arrives: in order mostly, sometimes not at all, or twice."""
        made = self.announced.pop(at % len(self.announced))
        if not lost:
            self.does(self.session.stepped(made))
        if doubled:
            self.does(self.session.stepped(made))

    @rule()
    def the_bus_comes_back(self) -> None:
        self.does(self.session.missed())

    @invariant()
    def nothing_is_answered_more_often_than_it_was_sent(self) -> None:
        assert all(self.answers[command] <= self.sent[command] for command in self.answers)

    def teardown(self) -> None:
        """When all has arrived, every command has its one answer, and the next step brings the client up to date.

        And who follows a game is there: it is not paused.
        """
        self.settle()
        self.does(self.session.missed())
        self.settle()
        assert len(self.log) not in self.paused
        self.append(command_id(self.number()))
        while self.announced:
            self.does(self.session.stepped(self.announced.pop(0)))
        self.settle()
        assert self.answers == self.sent
        assert self.version == len(self.log)

    def settle(self) -> None:
        while self.asks:
            ask = self.asks.pop(0)
            self.does(self.session.answered(ask, self.decide(ask)))

    def number(self) -> int:
        self.numbers += 1
        return self.numbers - 1

    def append(self, command: CommandId) -> Step:
        """Something is done in the game, which ends a pause first."""
        if len(self.log) in self.paused:
            self.go_on(continuing(GAME, PLAYER, len(self.log)).id)
        return self.record(command)

    def go_on(self, command: CommandId) -> Step:
        self.clock.add(len(self.log) + 1)
        return self.record(command)

    def record(self, command: CommandId) -> Step:
        self.log.append(command)
        made = replace(step(len(self.log), command), view=self.view(len(self.log)))
        self.announced.append(made)
        return made

    def view(self, version: int) -> View:
        return view(version, paused="absence" if version in self.paused else None)

    def oldest(self) -> int:
        """The oldest version that a move may have been decided on."""
        version = len(self.log)
        while version in self.clock:
            version -= 1
        return version

    def decide(self, ask: Ask) -> Reply:
        """What game-state does: accept at the right version, know its own records again, refuse the rest."""
        question = ask.question
        if isinstance(question, FetchGame):
            return replace(fetched(len(self.log), since=question.since), view=self.view(len(self.log)))
        if question.id in self.log:
            made = repeated(self.log.index(question.id) + 1, len(self.log), question.id)
            return replace(made, step=replace(made.step, view=self.view(len(self.log))))
        back = isinstance(question, ContinueGame)
        if question.version < (len(self.log) if back else self.oldest()):
            return Refused(command=question.id, error=STALE, version=len(self.log))
        return Accepted(command=question.id, step=(self.go_on if back else self.append)(question.id))

    def does(self, effects: list[Effect]) -> None:
        for effect in effects:
            if isinstance(effect, Ask):
                self.asks.append(effect)
            elif isinstance(effect, Send):
                self.sees(effect.frame)

    def sees(self, frame: ServerFrame) -> None:
        """A step is news, and an answer when its command still waits for one: not after `outcome-unknown`."""
        own = frame.command if isinstance(frame, StepFrame | Repeated | Resumed | RefusedFrame) else None
        if isinstance(frame, StepFrame) and frame.version in self.clock:
            own = None
        news = isinstance(frame, StepFrame) and (own is None or self.answers[own] == self.sent[own])
        if own is not None and not news:
            self.answers[own] += 1
        match frame:
            case StepFrame(version=version):
                assert version == self.version + 1, "a step is the next one"
                self.version = version
            case Resumed(version=version, steps=steps):
                assert version >= self.version
                if steps is not None:
                    assert [past.version for past in steps][-(version - self.version) or len(steps) :] == list(
                        range(self.version + 1, version + 1)
                    )
                self.version = version
            case Repeated(view=shown):
                assert shown == self.view(self.version), "it is the game as the client has it"
            case _:
                pass


TestConversation = Conversation.TestCase
TestConversation.settings = settings(max_examples=100, stateful_step_count=40, deadline=None)
