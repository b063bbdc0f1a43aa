"""A whole game as it is stored, and every kind of change to it that an audit must notice."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import cast

import msgspec

from services.cli.auditing.reading import Kept
from shared import subjects
from shared.bus.snapshots import pack_snapshot
from shared.game.audit import Message
from shared.game.decide import PlayCommand, RecordChances, RecordHint, decide, decide_start, seal_deal
from shared.game.rebuild import Logged, Read, advance, begin
from shared.game.state import Game
from shared.game.view import legal_texts
from shared.messages.base import CommandId, GameId, PlayerId
from shared.messages.chances import Estimate, Lost
from shared.messages.codec import HASH_BYTES, encode, link, new_game_id, open_deal, open_record, seal
from shared.messages.commands import (
    ContinueGame,
    Deal,
    DrawCards,
    MoveCards,
    NumberedDeal,
    PauseGame,
    RecycleStock,
    RedoMove,
    Resign,
    SecretDeal,
    StartGame,
    UndoMove,
    WinnableDeal,
)
from shared.messages.errors import Error
from shared.messages.events import Alternative, AnyEvent, Record, SeatResult
from shared.messages.jobs import Hint
from shared.rules import moves
from shared.rules.table import apply

PLAYER, STRANGER = PlayerId("p" * 26), PlayerId("s" * 26)
STARTED_AT = 1_700_000_000_000
SECRET = bytes(range(32))


def command_id(number: int) -> CommandId:
    return CommandId(f"00000000-0000-7000-8000-{number:012x}")


@dataclass(frozen=True)
class Copy:
    """What is stored of a game: messages in the order of the stream, the first one first, and what Redis holds."""

    game: GameId
    messages: tuple[tuple[str, bytes], ...]
    head: bytes | None
    snapshot: bytes | None

    @property
    def records(self) -> tuple[bytes, ...]:
        return tuple(data for subject, data in self.messages if subject == subjects.game_log(self.game))

    def with_records(self, records: Sequence[bytes]) -> "Copy":
        deals = tuple(message for message in self.messages if message[0] != subjects.game_log(self.game))
        return replace(self, messages=deals + tuple((subjects.game_log(self.game), data) for data in records))

    def with_deal(self, *stored: bytes) -> "Copy":
        deals = tuple((subjects.sealed_deal(self.game), data) for data in stored)
        return replace(self, messages=deals + tuple(one for one in self.messages if "game" in one[0].split(".")))


@dataclass
class Written:
    """Plays a game by the rules and writes it down as game-state does."""

    deal: Deal = field(default_factory=SecretDeal)
    variant: str = "draw3"
    scoring: str = "standard"
    mode: str = "relaxed"
    salt: int = 0
    messages: list[tuple[str, bytes]] = field(default_factory=list)

    def __post_init__(self) -> None:
        command = command_id(1 + 1000 * self.salt)
        self.game_id = new_game_id(PLAYER, command)
        start = StartGame(
            id=command,
            game=self.game_id,
            player=PLAYER,
            version=0,
            variant=self.variant,
            scoring=self.scoring,
            mode=self.mode,
            deal=self.deal,
        )
        sealed = encode(seal_deal(start, secret=SECRET))
        self.messages.append((subjects.sealed_deal(self.game_id), sealed))
        deal, deal_hash = open_deal(sealed)
        stored = self._write(1, command, STARTED_AT, decide_start(start, deal), deal_hash)
        self.logged: Logged = begin(deal, deal_hash, stored)

    @property
    def game(self) -> Game:
        return self.logged.game

    def play(self, move: str, *, after_ms: int = 1500) -> None:
        """A move's text, `undo`, `redo`, `resign`, `chances`, or `hint` for a hint of the first legal move."""
        command = self._command(move)
        at = self.game.at + after_ms
        events = decide(self.game, command, at=at)
        assert not isinstance(events, Error), (move, events)
        self.logged = advance(self.logged, self._write(command.version + 1, command.id, at, events, self.logged.hash))

    def copy(self) -> Copy:
        head = encode((self.game.version, self.logged.hash))
        return Copy(self.game_id, tuple(self.messages), head, pack_snapshot(self.logged))

    def _command(self, move: str) -> PlayCommand:
        version = self.game.version
        id_ = command_id(version + 1 + 1000 * self.salt)
        about = {"id": id_, "game": self.game_id, "player": PLAYER, "version": version}
        kinds = {
            "undo": UndoMove,
            "redo": RedoMove,
            "resign": Resign,
            "draw": DrawCards,
            "recycle": RecycleStock,
            "continue": ContinueGame,
        }
        if move in kinds:
            return cast(PlayCommand, msgspec.convert(about, kinds[move]))
        if move == "pause":
            away_since = self.game.at + 700
            return PauseGame(
                id=id_, game=self.game_id, player=PLAYER, version=version, reason="absence", since=away_since
            )
        if move == "hint":
            first = legal_texts(self.game)[0]
            hint = Hint(move=first, reason="draw", cards=self.game.seat.seen[:1])
            return RecordHint(id=id_, game=self.game_id, player=PLAYER, version=version, hint=hint)
        if move == "chances":
            told = Estimate(samples=200, winnable=120, low=0.5309, high=0.6655)
            return RecordChances(id=id_, game=self.game_id, player=PLAYER, version=version, chances=told)
        parsed = moves.parse_move(move)
        assert isinstance(parsed, moves.MoveCards)
        return msgspec.convert(
            {**about, "source": parsed.source, "target": parsed.target, "count": parsed.count}, MoveCards
        )

    def _write(self, version: int, command: CommandId, at: int, events: tuple[AnyEvent, ...], previous: bytes) -> Read:
        record = Record(
            game=self.game_id,
            version=version,
            command=command,
            player=PLAYER,
            at=at,
            events=events,
            previous=previous,
        )
        stored = seal(record)
        self.messages.append((subjects.game_log(self.game_id), stored))
        return Read(record, stored[:HASH_BYTES], len(self.messages))


def kept(copy: Copy) -> Kept:
    """What an auditor reads of a copy."""
    messages = [Message(subject, sequence, data) for sequence, (subject, data) in enumerate(copy.messages, 1)]
    log, deal = subjects.game_log(copy.game), subjects.sealed_deal(copy.game)
    return Kept(
        deals=[message for message in messages if message.subject == deal],
        records=[message for message in messages if message.subject == log],
        counted={},
        holes=0,
        head=copy.head,
        snapshot=copy.snapshot,
    )


def whole_game(salt: int = 0) -> Copy:
    """A game in which everything happens that can: each kind of event is in it, a card is turned up, it is over."""
    seeds = (Written(salt=salt, deal=SecretDeal(player_seed=f"{salt} {number}")) for number in range(100))
    written, turning = next((one, text) for one in seeds for text in legal_texts(one.game) if _turns_up(one.game, text))
    helped = (turning, "undo", "redo", "hint", "chances")
    broken = ("draw", "pause", "continue", "draw")
    for move in (*helped, *broken, *["draw"] * 6, "recycle", "draw", "undo", "draw", "resign"):
        written.play(move)
    return written.copy()


def _turns_up(game: Game, text: str) -> bool:
    return apply(game.seat.table, moves.parse_move(text), game.variant).turned_up is not None


# Changes

Change = Callable[[Copy], Copy]
OTHERS: dict[str, object] = {
    "variant": "draw1",
    "variant_version": "1.0.1",
    "scoring": "win-loss",
    "mode": "ranked",
    "deal": NumberedDeal(number=7),
    "shuffle": "another",
    "commitment": "00" * 32,
    "faces": (("AS",),),
    "player": STRANGER,
    "turned_up": None,
    "move": "F1>T1",
    "then": ("no move",),
    "alternatives": (Alternative(move="F1>T1", reason="draw"),),
    "chances": Lost(),
    "result": "won",
    "secret": "11" * 32,
    "expires_at": 1,
    "absence_ms": 1,
    "seats": (SeatResult(result="won", points=0, moves=0, cards_up=0),),
}
"""Another value of a field; numbers are raised by one, booleans turned, cards and piles exchanged."""
KEPT_BY_RULES = frozenset(
    {("hint-given", "reason"), ("hint-given", "cards"), ("chances-given", "chances"), ("game-paused", "reason")}
)
"""What only the chain and the head can tell from what it was: the rules allow it."""


def another(name: str, value: object) -> object:
    """A valid value of a field that is not its value."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if name in {"source", "target"}:
        return "T7" if value != "T7" else "T6"
    if name == "cards" and isinstance(value, tuple):
        return tuple(reversed(value)) if len(value) > 1 else ("KS",) if value != ("KS",) else ("KH",)
    if name == "reason" and value in {"player", "absence"}:
        return "player" if value == "absence" else "absence"
    if name == "reason":
        return "recycle" if value != "recycle" else "draw"
    return OTHERS[name]


def records_of(copy: Copy) -> list[Record]:
    return [open_record(stored)[0] for stored in copy.records]


def field_changes(copy: Copy) -> Iterator[tuple[str, int, Record]]:
    """Each field of each kind of event, and each of the record itself, changed once: name, place, changed record."""
    seen: set[tuple[str, str]] = set()
    for place, record in enumerate(records_of(copy)):
        for number, event in enumerate(record.events):
            tag = str(event.__struct_config__.tag)
            for name in event.__struct_fields__:
                if (tag, name) in seen or (name == "turned_up" and getattr(event, name) is None):
                    continue
                seen.add((tag, name))
                changed = msgspec.structs.replace(event, **{name: another(name, getattr(event, name))})
                events = (*record.events[:number], changed, *record.events[number + 1 :])
                yield f"{tag}.{name}", place, msgspec.structs.replace(record, events=events)
    middle = len(copy.records) // 2
    record = records_of(copy)[middle]
    others = {
        "schema": 2,
        "game": GameId("z" * 26),
        "version": record.version + 1,
        "command": command_id(999),
        "player": STRANGER,
        "at": record.at + 1,
        "events": (),
        "previous": bytes(32),
    }
    for name, value in others.items():
        yield f"record.{name}", middle, msgspec.structs.replace(record, **{name: value})


def put(copy: Copy, place: int, stored: bytes) -> Copy:
    return copy.with_records([*copy.records[:place], stored, *copy.records[place + 1 :]])


def raw(copy: Copy, place: int, record: Record) -> Copy:
    """The bytes are changed and nothing else, as by a fault of a disk."""
    return put(copy, place, copy.records[place][:HASH_BYTES] + encode(record))


def resealed(copy: Copy, place: int, record: Record) -> Copy:
    """The record has a fitting hash again; the next one follows another."""
    return put(copy, place, seal(record))


def rechained(copy: Copy, place: int, record: Record) -> Copy:
    """Everything after the change is written anew, as by somebody who owns the log."""
    records = [*copy.records[:place], seal(record)]
    for later in records_of(copy)[place + 1 :]:
        records.append(seal(msgspec.structs.replace(later, previous=records[-1][:HASH_BYTES])))
    return copy.with_records(records)


def renumbered(copy: Copy, records: Sequence[Record]) -> Copy:
    """Records in another order or number, with versions and chain made to fit."""
    previous = link(b"", copy.messages[0][1])
    stored = []
    for version, record in enumerate(records, 1):
        stored.append(seal(msgspec.structs.replace(record, version=version, previous=previous)))
        previous = stored[-1][:HASH_BYTES]
    return copy.with_records(stored)


def flipped(data: bytes, place: int, bit: int = 0) -> bytes:
    return data[:place] + bytes([data[place] ^ (1 << bit)]) + data[place + 1 :]


def _dealt(copy: Copy, **changes: object) -> Copy:
    sealed, _ = open_deal(copy.messages[0][1])
    return copy.with_deal(encode(msgspec.structs.replace(sealed, **changes)))


def _redealt(copy: Copy, **changes: object) -> Copy:
    """Another deal, with the whole log made to follow it."""
    return renumbered(changed := _dealt(copy, **changes), records_of(changed))


def _extra_field(copy: Copy) -> Copy:
    body = copy.records[3][HASH_BYTES:]
    fields = {**msgspec.msgpack.decode(body, type=dict[str, object]), "extra": 1}
    longer = msgspec.msgpack.encode(fields)
    return put(copy, 3, link(records_of(copy)[3].previous, longer) + longer)


def _without_defaults(copy: Copy) -> Copy:
    """The same content in other bytes: `schema` is left out, as it has a default."""
    body = copy.records[3][HASH_BYTES:]
    fields = msgspec.msgpack.decode(body, type=dict[str, object])
    del fields["schema"]
    shorter = msgspec.msgpack.encode(fields)
    return put(copy, 3, link(records_of(copy)[3].previous, shorter) + shorter)


def _swapped(copy: Copy, one: int, other: int) -> list[bytes]:
    records = list(copy.records)
    records[one], records[other] = records[other], records[one]
    return records


def structural_changes(copy: Copy, stranger: Copy) -> dict[str, Change]:
    """Changes of whole messages and of what Redis holds. `stranger`: another game."""
    log = subjects.game_log(copy.game)
    ended = len(copy.records) - 1
    return {
        "a record is missing": lambda c: c.with_records([*c.records[:4], *c.records[5:]]),
        "a record is missing, the rest made to fit": lambda c: renumbered(c, records_of(c)[:4] + records_of(c)[5:]),
        "the first record is missing": lambda c: c.with_records(c.records[1:]),
        "the last record is missing": lambda c: c.with_records(c.records[:-1]),
        "all records are missing": lambda c: c.with_records([]),
        "a record is there twice": lambda c: c.with_records([*c.records[:5], *c.records[4:]]),
        "a record is there twice, the rest made to fit": lambda c: renumbered(c, records_of(c)[:5] + records_of(c)[4:]),
        "two records are exchanged": lambda c: c.with_records(_swapped(c, 4, 5)),
        "two records are exchanged, the rest made to fit": lambda c: renumbered(
            c, [open_record(stored)[0] for stored in _swapped(c, 2, 4)]
        ),
        "a record of another game lies there": lambda c: put(c, 4, stranger.records[4]),
        "all records are another game's": lambda c: c.with_records(stranger.records),
        "something follows the end": lambda c: renumbered(c, [*records_of(c), records_of(c)[5]]),
        "the end is missing, the rest made to fit": lambda c: renumbered(c, records_of(c)[:ended]),
        "a record is cut off": lambda c: put(c, 4, c.records[4][:-9]),
        "a record is empty": lambda c: put(c, 4, b""),
        "a record is a hash alone": lambda c: put(c, 4, c.records[4][:HASH_BYTES]),
        "a record has bytes behind it": lambda c: put(c, 4, c.records[4] + b"\0"),
        "a record is no MessagePack": lambda c: put(c, 4, c.records[4][:HASH_BYTES] + b"\xc1" * 40),
        "a record is nested without end": lambda c: put(c, 4, bytes(HASH_BYTES) + b"\x81\xa1x" + b"\x91" * 50_000),
        "a record has an unknown field": _extra_field,
        "a record has other bytes for the same": _without_defaults,
        "the sealed deal is missing": lambda c: c.with_deal(),
        "the sealed deal is another game's": lambda c: c.with_deal(stranger.messages[0][1]),
        "there are two sealed deals": lambda c: c.with_deal(c.messages[0][1], c.messages[0][1]),
        "the sealed deal was written after the game": lambda c: replace(c, messages=(*c.messages[1:], c.messages[0])),
        "the sealed deal is no MessagePack": lambda c: c.with_deal(b"\xc1" * 40),
        "the sealed deal has an unknown schema": lambda c: _redealt(c, schema=2),
        "the sealed deal has another secret": lambda c: _dealt(c, secret="00" * 32),
        "the sealed deal has another secret, the log made to fit": lambda c: _redealt(c, secret="00" * 32),
        "the sealed deal has a short secret": lambda c: _redealt(c, secret="00"),
        "the sealed deal has no hexadecimal secret": lambda c: _redealt(c, secret="xy" * 32),
        "the sealed deal has another seed": lambda c: _redealt(c, deal=SecretDeal(player_seed="mine")),
        "the sealed deal promises a winnable one": lambda c: _redealt(c, deal=WinnableDeal(player_seed="0 0")),
        "the sealed deal has another origin": lambda c: _redealt(c, deal=NumberedDeal(number=1)),
        "the sealed deal has another shuffle": lambda c: _redealt(c, shuffle="mine"),
        "the sealed deal names another game": lambda c: _redealt(c, game=GameId("z" * 26)),
        "the head is of another version": lambda c: replace(c, head=encode((ended, c.records[ended][:HASH_BYTES]))),
        "the head is beyond the log": lambda c: replace(c, head=encode((ended + 9, bytes(32)))),
        "the head is another game's": lambda c: replace(c, head=stranger.head),
        "the head is no MessagePack": lambda c: replace(c, head=b"\xc1"),
        "the head has the form of something else": lambda c: replace(c, head=encode({"version": 1})),
        "the snapshot is another game's": lambda c: replace(c, snapshot=stranger.snapshot),
        "the snapshot is cut off": lambda c: replace(c, snapshot=(c.snapshot or b"")[:-5]),
        "the snapshot is empty": lambda c: replace(c, snapshot=b""),
        "the snapshot has other points": _snapshot_points,
        "the snapshot is of a version that is not there": _snapshot_version,
        "a message lies there that is no record": lambda c: replace(c, messages=(*c.messages, (log, b"hello"))),
    }


def _snapshot_of(copy: Copy) -> Logged:
    read = [Read(*open_record(stored), number) for number, stored in enumerate(copy.records, 2)]
    logged = begin(*open_deal(copy.messages[0][1]), read[0])
    for one in read[1:]:
        logged = advance(logged, one)
    return logged


def _snapshot_points(copy: Copy) -> Copy:
    logged = _snapshot_of(copy)
    seat = msgspec.structs.replace(logged.game.seat, points=logged.game.seat.points + 1)
    game = msgspec.structs.replace(logged.game, seats=(seat,))
    return replace(copy, snapshot=pack_snapshot(msgspec.structs.replace(logged, game=game)))


def _snapshot_version(copy: Copy) -> Copy:
    logged = _snapshot_of(copy)
    game = msgspec.structs.replace(logged.game, version=logged.game.version + 1)
    return replace(copy, snapshot=pack_snapshot(msgspec.structs.replace(logged, game=game)))


def kinds_of_event(copy: Copy) -> frozenset[type[AnyEvent]]:
    return frozenset(type(event) for record in records_of(copy) for event in record.events)
