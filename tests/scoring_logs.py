"""Logs of made-up games, as scoring sees them, and what statistics they must give, told a second time and naively."""

import hashlib
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

import msgspec
from hypothesis import strategies as st

from services.scoring.reading import LogMessage
from shared import subjects
from shared.messages.answers import Statistics
from shared.messages.base import CommandId, GameId, PlayerId
from shared.messages.chances import Lost
from shared.messages.codec import encode, link, new_game_id, seal
from shared.messages.commands import Deal, NumberedDeal, SecretDeal, WinnableDeal
from shared.messages.events import (
    AnyEvent,
    CardsDrawn,
    CardsMoved,
    ChancesGiven,
    GameEnded,
    GameStarted,
    HintGiven,
    MoveRedone,
    MoveUndone,
    Record,
    Result,
    StockRecycled,
)

Act = Literal["move", "draw", "recycle", "undo", "redo", "hint", "chances", "won", "lost", "resigned"]
MOVES = ("move", "draw", "recycle")
ENDS = ("won", "lost", "resigned")
STARTED_AT = 1_700_000_000_000

SIMPLE: dict[Act, AnyEvent] = {
    "move": CardsMoved(source="T1", target="T2", cards=("QH",), points=5),
    "draw": CardsDrawn(cards=("AS",)),
    "recycle": StockRecycled(cards=3, begins_pass=2),
    "undo": MoveUndone(points=-5),
    "redo": MoveRedone(points=5),
    "hint": HintGiven(move="W>F2", reason="build-foundation"),
    "chances": ChancesGiven(chances=Lost()),
}


def recent() -> int:
    """The middle of this day, UTC: a time whose day and week are still ranked."""
    day = 86_400_000
    return int(time.time() * 1000) // day * day + day // 2


def player_id(number: int) -> PlayerId:
    return PlayerId(new_game_id(PlayerId("player"), CommandId(str(number))))


def game_id(number: int) -> GameId:
    return new_game_id(PlayerId("game"), CommandId(str(number)))


def command_id(game: GameId, version: int) -> CommandId:
    text = hashlib.sha256(f"{game}/{version}".encode()).hexdigest()
    return CommandId("-".join((text[:8], text[8:12], text[12:16], text[16:20], text[20:32])))


@dataclass(frozen=True, kw_only=True)
class Script:
    """A game, act by act. A game that does not end goes on."""

    player: int = 1
    owner: PlayerId | None = None
    """A player who is there already, instead of one by number."""
    variant: str = "draw1"
    scoring: str = "standard"
    secret: bool = True
    day: str = ""
    """A numbered deal that is played as this day's."""
    started_at: int = STARTED_AT
    acts: tuple[Act, ...] = ()
    points: int = 0
    moves: int = 0
    play_ms: int = 0

    @property
    def counted(self) -> bool:
        return any(act in MOVES for act in self.acts)

    @property
    def assisted(self) -> bool:
        return any(act in {"undo", "hint"} for act in self.acts)

    @property
    def ranked_win(self) -> bool:
        """A win that rankings hold."""
        return self.result == "won" and self.secret and not self.day and not self.assisted

    @property
    def ended_at(self) -> int:
        """The time of the record that ends it."""
        return self.started_at + len([*Writer(game_id(0), self).records()])

    @property
    def result(self) -> str | None:
        return next((act for act in self.acts if act in ENDS), None)


@dataclass
class Writer:
    """The records of one game, one after the other, each with the hash of the one before."""

    game: GameId
    script: Script
    version: int = 0
    previous: bytes = field(default_factory=lambda: hashlib.sha256(b"sealed deal").digest())

    def record(self, *events: AnyEvent, schema: int = 1) -> bytes:
        self.version += 1
        record = Record(
            schema=schema,
            game=self.game,
            version=self.version,
            command=command_id(self.game, self.version),
            player=self.script.owner or player_id(self.script.player),
            at=self.script.started_at + self.version,
            events=events,
            previous=self.previous,
        )
        self.previous = link(self.previous, encode(record))
        return seal(record)

    def records(self) -> Iterator[bytes]:
        """The whole script. An end comes in the same record as the act before it, as it does when a move wins."""
        yield self.record(self.started())
        acts = self.script.acts
        while acts:
            taken = 2 if len(acts) > 1 and acts[1] in ENDS else 1
            yield self.record(*(self.event(act) for act in acts[:taken]))
            acts = acts[taken:]

    def started(self) -> GameStarted:
        unranked: Deal = WinnableDeal() if self.script.player % 2 else NumberedDeal(number=7)
        deal: Deal = SecretDeal() if self.script.secret else unranked
        if self.script.day:
            deal = NumberedDeal(number=7, day=self.script.day)
        return GameStarted(
            player=self.script.owner or player_id(self.script.player),
            variant=self.script.variant,
            variant_version="1.0.0",
            scoring=self.script.scoring,
            mode="relaxed",
            deal=deal,
            shuffle="test",
            commitment="",
            faces=(),
            points=0,
        )

    def event(self, act: Act) -> AnyEvent:
        if act in ENDS:
            return self.ended(msgspec.convert(act, Result))
        return SIMPLE[act]

    def ended(self, result: Result) -> GameEnded:
        script = self.script
        return GameEnded(
            result=result,
            points=script.points,
            moves=script.moves,
            play_ms=script.play_ms,
            assisted=script.assisted,
        )


def message(sequence: int, game: GameId, payload: bytes) -> LogMessage:
    return LogMessage(sequence, subjects.game_log(game), payload, 0)


def write(scripts: Sequence[Script], order: Iterable[int] = ()) -> list[LogMessage]:
    """The log of some games. `order` says whose record comes next (as far as they have any), then the rest follows.

    Sequences have gaps, where the sealed deals are.
    """
    waiting = [list(Writer(game_id(number), script).records()) for number, script in enumerate(scripts)]
    turns = [turn % len(scripts) for turn in order] if scripts else []
    turns += [number for number, records in enumerate(waiting) for _ in records]
    log: list[LogMessage] = []
    for number in turns:
        if waiting[number]:
            log.append(message(2 * len(log) + 2, game_id(number), waiting[number].pop(0)))
    return log


def statistics(scripts: Sequence[Script]) -> list[tuple[PlayerId, Statistics]]:
    """The sums that must come out, added up from whole games that were played one after the other."""
    groups: dict[tuple[str, str, str, bool], list[Script]] = {}
    for script in scripts:
        if script.counted:
            key = (player_id(script.player), script.variant, script.scoring, script.assisted)
            groups.setdefault(key, []).append(script)
    return [
        (PlayerId(player), _sum_up(variant, scoring, assisted, games))
        for (player, variant, scoring, assisted), games in sorted(groups.items())
    ]


def _sum_up(variant: str, scoring: str, assisted: bool, games: Sequence[Script]) -> Statistics:
    results = [game.result for game in games if game.result]
    won = [game for game in games if game.result == "won"]
    return Statistics(
        variant=variant,
        scoring=scoring,
        assisted=assisted,
        games=len(games),
        wins=len(won),
        losses=len(results) - len(won),
        points=sum(game.points for game in games if game.result),
        best_points=max((game.points for game in won), default=None),
        best_play_ms=min((game.play_ms for game in won), default=None),
        fewest_moves=min((game.moves for game in won), default=None),
        play_ms=sum(game.play_ms for game in won),
        streak=_streaks(results)[-1],
        longest_streak=max(_streaks(results)),
        longest_losses=-min(_streaks(results)),
    )


def _streaks(results: Sequence[str]) -> list[int]:
    """The streak after each result: how many equal ones the results end with, losses below zero."""
    streaks = [0]
    for end in range(1, len(results) + 1):
        wins = [result == "won" for result in results[:end]]
        length = next((index for index, win in enumerate(reversed(wins)) if win != wins[-1]), len(wins))
        streaks.append(length if wins[-1] else -length)
    return streaks


ACTS: st.SearchStrategy[Act] = st.sampled_from(["move", "draw", "recycle", "undo", "redo", "hint"])
END: st.SearchStrategy[tuple[Act, ...]] = st.sampled_from([(), ("won",), ("won",), ("lost",), ("resigned",)])


@st.composite
def scripts(draw: st.DrawFn) -> Script:
    """Games of few players and kinds, so that they meet in the same statistics. A win needs a move."""
    acts = tuple(draw(st.lists(ACTS, max_size=5)))
    end = draw(END)
    if end == ("won",) and not any(act in MOVES for act in acts):
        acts = (*acts, "move")
    return Script(
        player=draw(st.integers(1, 3)),
        variant=draw(st.sampled_from(["draw1", "draw3"])),
        scoring=draw(st.sampled_from(["standard", "win-loss"])),
        secret=draw(st.booleans()),
        acts=acts + end,
        points=draw(st.integers(-50, 60)),
        moves=draw(st.integers(1, 200)),
        play_ms=draw(st.integers(0, 5000)),
        day=draw(st.sampled_from(["", "", "2026-03-01", "2026-03-02"])),
        started_at=draw(st.sampled_from([STARTED_AT, STARTED_AT + 86_400_000, recent()])),
    )


@st.composite
def logs(draw: st.DrawFn) -> list[LogMessage]:
    """Logs of several games at once, some with a record that cannot be used."""
    games = draw(st.lists(scripts(), min_size=1, max_size=6))
    log = write(games, draw(st.lists(st.integers(0, 5), max_size=20)))
    for index in draw(st.sets(st.integers(0, len(log) - 1), max_size=2)):
        log[index] = msgspec.structs.replace(log[index], payload=log[index].payload[:-1] + b"\xc1")
    return log
