"""Writes whole games to a log, many and fast: what an audit is measured on.

A few hundred games are played by the rules, at random; each is then written many times, as another game each time: with
an id, command ids and a hash chain of its own. The records are what game-state would have stored.
"""

import asyncio
import base64
import hashlib
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from random import Random  # noqa: TID251 - made from a seed that is passed in
from typing import Final

import msgspec
from nats.aio.client import Client
from nats.aio.msg import Msg

from shared import subjects
from shared.bus.api_error import ApiError
from shared.game.decide import Events, PlayCommand, decide, decide_start, seal_deal
from shared.game.rebuild import Logged, Read, appended, begin
from shared.messages.base import CommandId, PlayerId
from shared.messages.codec import encode, link, new_game_id, open_deal
from shared.messages.commands import DrawCards, MoveCards, NumberedDeal, RecycleStock, Resign, StartGame, UndoMove
from shared.messages.errors import Error
from shared.messages.events import Record
from shared.rules import moves
from shared.rules.legal import legal_moves

FIRST_AT: Final = 1_700_000_000_000
MOVE_MS_MAX: Final = 20_000
UNDONE_SHARE: Final = 0.03
USEFUL_SHARE: Final = 0.6
OPEN_GAMES: Final = 64
"""So many games take turns in the log, as they do when many are played."""
UNACKNOWLEDGED_MAX: Final = 4096
GAMES_PER_PLAYER: Final = 8
ANSWERS_SECONDS: Final = 60.0
ALWAYS: Final = {"Nats-Expected-Stream": subjects.EVENT_STREAM}
VARIANTS_PLAYED: Final = ("draw1", "draw3", "vegas", "draw1-3pass")

Message = tuple[str, bytes]
"""Subject and stored bytes."""


class WriteError(Exception):
    """The log takes no more. The text says why."""


class _Answer(msgspec.Struct):
    error: ApiError | None = None


_answers: Final = msgspec.json.Decoder(_Answer)


class Template(msgspec.Struct, frozen=True):
    """A game that was played: its deal, and its records."""

    start: StartGame
    records: tuple[Record, ...]


def played(seed: int, moves_max: int) -> Template:
    """A game of so many moves at most, then resigned. The same for the same numbers."""
    chance = Random(seed)  # noqa: S311 - games, not secrets
    player, command = player_id(seed), _command_id(seed, 0)
    variant = VARIANTS_PLAYED[seed % len(VARIANTS_PLAYED)]
    start = StartGame(
        id=command,
        game=new_game_id(player, command),
        player=player,
        version=0,
        variant=variant,
        scoring="vegas" if variant == "vegas" else "standard",
        mode="relaxed",
        deal=NumberedDeal(number=seed),
    )
    sealed, deal_hash = open_deal(encode(seal_deal(start, secret=b"")))
    first = _record(start, 1, FIRST_AT, decide_start(start, sealed), deal_hash)
    logged = begin(sealed, deal_hash, Read(first, link(deal_hash, encode(first)), 2))
    records = [first]
    while logged.game.status == "running":
        at = logged.game.at + chance.randrange(MOVE_MS_MAX)
        events = decide(logged.game, _chosen(logged, chance, at_end=len(records) > moves_max), at=at)
        assert not isinstance(events, Error), events
        record = _record(start, len(records) + 1, at, events, logged.hash)
        logged = appended(logged, record, encode(record), len(records) + 2)
        records.append(record)
    return Template(start, tuple(records))


def rewritten(template: Template, number: int) -> Iterator[Message]:
    """The messages of the game as if another player had played it: the sealed deal first."""
    player, command = player_id(number // GAMES_PER_PLAYER), _command_id(number, 0)
    game = new_game_id(player, command)
    start = msgspec.structs.replace(template.start, id=command, game=game, player=player)
    sealed = encode(seal_deal(start, secret=b""))
    yield subjects.sealed_deal(game), sealed
    previous, subject = link(b"", sealed), subjects.game_log(game)
    opening = template.records[0].events[0]
    for version, record in enumerate(template.records, 1):
        events = (msgspec.structs.replace(opening, player=player),) if version == 1 else record.events
        body = encode(_record(start, version, record.at, events, previous, number))
        previous = link(previous, body)
        yield subject, previous + body


def messages(games: int, templates: tuple[Template, ...]) -> Iterator[Message]:
    """The messages of so many games, which take turns."""
    waiting = (rewritten(templates[number % len(templates)], number) for number in range(games))
    turns = deque(islice(waiting, OPEN_GAMES))
    while turns:
        game = turns.popleft()
        message = next(game, None)
        if message is None:
            turns.extend(islice(waiting, 1))
        else:
            yield message
            turns.append(game)


async def write(nc: Client, stream: Iterable[Message], tell: Callable[[int], None] = lambda _: None) -> int:
    """Stores messages, many under way at once, and gives their number. `tell` hears how many are stored so far.

    Each has the headers that game-state gives it, as it is read with it; the condition is one that always holds.

    Raises:
        WriteError: the server refuses one.
        TimeoutError: it answers no more.

    """
    answers = _Answers()
    inbox = nc.new_inbox()
    subscription = await nc.subscribe(inbox, cb=answers.take)
    sent = 0
    for subject, data in stream:
        headers = {**ALWAYS, subjects.CORRELATION_HEADER: _command_id(sent, 0)}
        await nc.publish(subject, data, reply=inbox, headers=headers)
        sent += 1
        if sent % (UNACKNOWLEDGED_MAX // 2) == 0:
            await answers.reach(sent - UNACKNOWLEDGED_MAX // 2)
            tell(answers.stored)
    await answers.reach(sent)
    await subscription.unsubscribe()
    return sent


class _Answers:
    """Counts what the server has stored."""

    def __init__(self) -> None:
        self.stored = 0
        self._wanted = 0
        self._refused: str | None = None
        self._reached = asyncio.Event()

    async def take(self, message: Msg) -> None:
        """The subscription's callback."""
        error = _answers.decode(message.data).error
        self.stored += 1
        if error is not None:
            self._refused = error.description
        if self._refused or self.stored >= self._wanted:
            self._reached.set()

    async def reach(self, stored: int) -> None:
        self._wanted = stored
        if self.stored < stored and not self._refused:
            self._reached.clear()
            async with asyncio.timeout(ANSWERS_SECONDS):
                await self._reached.wait()
        if self._refused:
            raise WriteError(f"the log takes no more: {self._refused}")


def _chosen(logged: Logged, chance: Random, *, at_end: bool) -> PlayCommand:
    game = logged.game
    seat, new, version = game.seat, _command_id(0, 0), game.version
    legal = legal_moves(seat.table, game.variant)
    if at_end or not legal:
        return Resign(id=new, game=game.game, player=seat.player, version=version)
    if seat.done and chance.random() < UNDONE_SHARE:
        return UndoMove(id=new, game=game.game, player=seat.player, version=version)
    useful = [move for move in legal if isinstance(move, moves.MoveCards) and not move.source.startswith("F")]
    match chance.choice(useful if useful and chance.random() < USEFUL_SHARE else legal):
        case moves.MoveCards(source=source, target=target, count=count):
            return MoveCards(
                id=new, game=game.game, player=seat.player, version=version, source=source, target=target, count=count
            )
        case moves.Draw():
            return DrawCards(id=new, game=game.game, player=seat.player, version=version)
        case moves.Recycle():
            return RecycleStock(id=new, game=game.game, player=seat.player, version=version)


def _record(start: StartGame, version: int, at: int, events: Events, previous: bytes, number: int = 0) -> Record:
    return Record(
        game=start.game,
        version=version,
        command=start.id if version == 1 else _command_id(number, version - 1),
        player=start.player,
        at=at,
        events=events,
        previous=previous,
    )


def player_id(number: int) -> PlayerId:
    """The id of a made-up player."""
    return PlayerId(base64.b32encode(hashlib.sha256(b"player %d" % number).digest()).decode().lower()[:26])


def _command_id(game: int, version: int) -> CommandId:
    """As little to be foreseen as real ones: what cannot be made smaller must not seem so."""
    text = hashlib.sha256(f"{game}/{version}".encode()).hexdigest()
    return CommandId(f"{text[:8]}-{text[8:12]}-7{text[12:15]}-8{text[15:18]}-{text[18:30]}")
