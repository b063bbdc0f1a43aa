"""One followed game of one connection: which version the client has, and what it must see next.

The law: the versions that a client sees of a followed game have no gaps. A step that is not the next one starts a
fetch; while a fetch is under way no step passes, and what it brings is sent as `resumed`.
"""

from typing import Final

import msgspec

from services.gateway.effects import Ask, Effect, Send
from shared.messages.answers import Accepted, Fetched
from shared.messages.base import CommandId, GameId, PlayerId
from shared.messages.commands import FetchGame
from shared.messages.frames import Repeated, Resumed, StepFrame
from shared.messages.views import Step, View, plays, seen_by

FRUITLESS_MAX: Final = 3
"""Fetches in a row that bring nothing new though something newer was announced; then the next step is waited for."""


class Followed(msgspec.Struct, kw_only=True):
    """A game that the client follows. Until it has a view it is not known to be the player's: nothing is shown."""

    game: GameId
    player: PlayerId
    view: View | None = None
    """The newest that the client has."""
    fetching: bool = False
    newest: int = 0
    """The newest version that is known to exist."""
    fruitless: int = 0
    greeted: int = 0
    """The version whose pause by absence was ended for this socket: it is there."""
    joining: bool = False
    """Whether the client takes a seat of a game: the version that it joined with is the first that it sees."""
    watching: bool = False
    """Whether the player only looks on at a game for two."""
    held: list[Accepted] = []
    """Answers to the client's own commands that wait until the client has caught up with them."""

    @property
    def version(self) -> int:
        """The version that the client has; 0 before the first."""
        return self.view.version if self.view else 0

    def stepped(self, step: Step) -> list[Effect]:
        """A step was announced. What is sent of it answers `step.command`, if that is the client's own."""
        self.newest = max(self.newest, step.version)
        if self.fetching or step.version <= self.version:
            return []
        if not self._may_see(step):
            return []
        if not self._is_next(step.version):
            return [self.fetch()]
        own = seen_by(self.player, step)
        self.view = own.view
        return [Send(step_frame(own))]

    def accepted(self, answer: Accepted) -> list[Effect]:
        """The client's own command was accepted, and no announced step has answered it yet."""
        step = answer.step
        self.newest = max(self.newest, step.view.version)
        if not self.fetching and step.version == step.view.version and self._is_next(step.version):
            self.view = step.view
            return [Send(step_frame(step))]
        if self.view is not None and step.view.version <= self.view.version:
            return [Send(repeated(answer, self.view))]
        if self.view is None and not self.fetching:
            return self._whole(answer)
        self.held.append(answer)
        return [] if self.fetching else [self.fetch()]

    def overtaken(self, version: int | None) -> list[Effect]:
        """The other player was faster: what that was is fetched, unless it came first."""
        self.newest = max(self.newest, version or 0)
        return [self.fetch()] if self.view and self.newest > self.version and not self.fetching else []

    def fetch(self) -> Ask:
        """Close a gap: ask for all that came after what the client has."""
        self.fetching = True
        return Ask(FetchGame(game=self.game, player=self.player, since=self.version, watch=self.watching))

    def fetched(self, answer: Fetched, command: CommandId | None) -> list[Effect]:
        """The view came, for the client's `resume` (its id is `command`) or to close a gap."""
        self.fetching = False
        news = self.view is None or answer.view.version > self.version
        self.fruitless = 0 if news else self.fruitless + 1
        effects = [self._resumed(answer, command)] if news or command is not None else []
        return effects + self._catch_up()

    def not_fetched(self) -> list[Effect]:
        """The view could not be had. Held answers go out with the view they came with."""
        self.fetching = False
        held, self.held = self.held, []
        return [effect for answer in held for effect in self._whole(answer)]

    def _is_next(self, version: int) -> bool:
        return version == self.version + 1 or (self.view is None and self.joining)

    def _may_see(self, step: Step) -> bool:
        """Whether a step of a game for two is for this connection: its player plays, or was let watch."""
        if not step.seats or self.view is not None:
            return True
        return any(plays(self.player, view) for view in step.seats)

    def _whole(self, answer: Accepted) -> list[Effect]:
        """Show the view of an answer, whole, so that it needs no steps between; then the answer."""
        effects: list[Effect] = []
        if self.view is None or answer.step.view.version > self.view.version:
            self.view = answer.step.view
            effects.append(Send(resumed(Fetched(view=self.view), None)))
        return [*effects, Send(repeated(answer, self.view))]

    def _resumed(self, answer: Fetched, command: CommandId | None) -> Effect:
        if self.view is not None and answer.view.version < self.view.version:
            answer = Fetched(view=self.view)
        self.view = answer.view
        return Send(resumed(answer, command))

    def _catch_up(self) -> list[Effect]:
        held, self.held = self.held, []
        effects = [effect for answer in held for effect in self.accepted(answer)]
        if self.newest > self.version and not self.fetching and self.fruitless < FRUITLESS_MAX:
            effects.append(self.fetch())
        return effects


def step_frame(step: Step) -> StepFrame:
    return StepFrame(
        game=step.game,
        version=step.version,
        command=step.command,
        at=step.at,
        events=step.events,
        view=step.view,
        seat=step.seat,
    )


def repeated(answer: Accepted, view: View) -> Repeated:
    return Repeated(game=answer.step.game, version=answer.step.version, command=answer.command, view=view)


def resumed(answer: Fetched, command: CommandId | None) -> Resumed:
    view = answer.view
    return Resumed(game=view.game, version=view.version, view=view, command=command, steps=answer.steps)
