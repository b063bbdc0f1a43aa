"""What the player wants, one after the other.

A wish is looked at when the one before is answered, on the table as it is then. It names a card where it lies, so it
never acts on another one that came to lie there meanwhile.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, assert_never

from services.cli.playing.choosing import Place, best_move, count_from, still_there, top, up_move
from services.cli.playing.client import Client
from shared import clock
from shared.messages.errors import Error
from shared.messages.frames import (
    ChancesFrame,
    CommandFrame,
    ContinueFrame,
    DrawFrame,
    HintFrame,
    MoveFrame,
    PauseFrame,
    RecycleFrame,
    RedoFrame,
    RefusedFrame,
    ResignFrame,
    Resume,
    UndoFrame,
)
from shared.messages.views import View
from shared.rules.moves import MoveCards
from shared.rules.piles import Pile

Plain: TypeAlias = Literal["undo", "redo", "pause", "continue", "resign"]
Question: TypeAlias = Literal["hint", "chances"]

WISHES_MAX: Final = 32
"""More than this many wishes wait for nobody: the oldest are done, further ones are not taken."""
_PLAIN: Final[dict[Plain, type[UndoFrame | RedoFrame | PauseFrame | ContinueFrame | ResignFrame]]] = {
    "undo": UndoFrame,
    "redo": RedoFrame,
    "pause": PauseFrame,
    "continue": ContinueFrame,
    "resign": ResignFrame,
}


@dataclass(frozen=True)
class Turn:
    """Draw, or turn the waste over where the stock is used up."""


@dataclass(frozen=True)
class Do:
    """Something that needs no saying with what."""

    what: Plain


@dataclass(frozen=True)
class Send:
    """A card to where it fits best, or up only."""

    place: Place
    up: bool = False


@dataclass(frozen=True)
class Drop:
    """A card onto a pile. What the rules forbid is sent as well: the refusal says which rule it breaks."""

    place: Place
    pile: Pile


Wish: TypeAlias = Turn | Do | Send | Drop


@dataclass(frozen=True)
class Told:
    """Whom the commander tells what."""

    refused: Callable[[Error], None]
    no_move: Callable[[Place], None]
    settled: Callable[[], None]
    """Nothing is left to do."""


class Commander:
    """Works wishes off against the newest view."""

    def __init__(self, client: Client, told: Told) -> None:
        self._client = client
        self._told = told
        self._wishes: deque[Wish] = deque()
        self._working: asyncio.Task[None] | None = None
        self._asking: asyncio.Task[None] | None = None

    @property
    def busy(self) -> bool:
        return self._working is not None

    def want(self, wish: Wish) -> None:
        """Takes a wish, and begins where nothing is under way."""
        if self._client.link.view is None or len(self._wishes) >= WISHES_MAX:
            return
        self._wishes.append(wish)
        if self._working is None:
            self._working = asyncio.create_task(self._work())

    def wonder(self, question: Question) -> None:
        """Asks about the position. Nothing waits for the answer; one question is open at a time."""
        if self._asking is None or self._asking.done():
            self._asking = asyncio.create_task(self._ask(question))

    def forget(self) -> None:
        """Lets go of what has not been begun."""
        self._wishes.clear()

    async def _work(self) -> None:
        while self._wishes:
            await self._fulfil(self._wishes.popleft())
        self._working = None
        self._told.settled()

    async def _fulfil(self, wish: Wish, *, again: bool = False) -> None:
        view = self._client.link.view
        frame = view and self._decide(view, wish)
        if not view or not frame:
            return
        answer = await self._client.ask(frame)
        if not isinstance(answer, RefusedFrame):
            return
        if answer.error.code != "stale-version":
            self._told.refused(answer.error)
        elif await self._catch_up(view) and not again:
            await self._fulfil(wish, again=True)

    async def _ask(self, question: Question) -> None:
        if self._working is not None:
            await asyncio.wait([self._working])
        view = self._client.link.view
        if view is None:
            return
        kind = HintFrame if question == "hint" else ChancesFrame
        answer = await self._client.ask(kind(id=clock.new_command_id(), game=view.game, version=view.version))
        if isinstance(answer, RefusedFrame) and answer.error.code != "stale-version":
            self._told.refused(answer.error)

    async def _catch_up(self, view: View) -> bool:
        """Whether the same game is on the table after looking for what was missed."""
        frame = Resume(id=clock.new_command_id(), game=view.game, version=view.version)
        await self._client.ask(frame)
        now = self._client.link.view
        return now is not None and now.game == view.game

    def _decide(self, view: View, wish: Wish) -> CommandFrame | None:
        """The command that a wish comes to on this table; none when it has lost its object."""
        id_, game, version = clock.new_command_id(), view.game, view.version
        match wish:
            case Turn():
                kind = RecycleFrame if view.stock == 0 and view.waste else DrawFrame
                return kind(id=id_, game=game, version=version)
            case Do(what=what):
                return _PLAIN[what](id=id_, game=game, version=version)
            case Send(place=place, up=up):
                if not still_there(view, place):
                    return None
                move = up_move(view, place) if up else best_move(view, place)
                return self._moving(view, move, place)
            case Drop(place=place, pile=pile):
                covered = place.pile == "W" and place != top(view, "W")
                if not still_there(view, place) or place.pile == pile or covered:
                    return None
                count = count_from(view, place)
                return self._moving(view, MoveCards(source=place.pile, target=pile, count=count), place)
            case _:
                assert_never(wish)

    def _moving(self, view: View, move: MoveCards | None, place: Place) -> MoveFrame | None:
        if move is None:
            self._told.no_move(place)
            return None
        return MoveFrame(
            id=clock.new_command_id(),
            game=view.game,
            version=view.version,
            source=move.source,
            target=move.target,
            count=move.count,
        )
