"""Games without servers: dealt, decided and evolved as game-state does it, with records as the log would hold them.

    play = new_play(deal=7)
    play.do("W>F2")       a move, `undo`, `redo`, `resign`; `hint W>F2` or `chances`: what a worker answered;
                          `pause`, `away`, each with ` MILLISECONDS` or since now, `continue`
    play.game             the state
    play.stored           the records' stored bytes

`table_of` reads a table from text, so that a test can start in the middle of a game.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

import msgspec

from shared.game.decide import Events, PlayCommand, RecordChances, RecordHint, decide, decide_start, seal_deal
from shared.game.rebuild import Logged, Read, advance, appended, begin
from shared.game.state import Game
from shared.messages.base import CommandId, PlayerId
from shared.messages.chances import Estimate
from shared.messages.codec import encode, link, new_game_id, open_deal, open_record
from shared.messages.commands import (
    ContinueGame,
    Deal,
    DrawCards,
    MoveCards,
    NumberedDeal,
    PauseGame,
    PauseReason,
    RecycleStock,
    RedoMove,
    Resign,
    SecretDeal,
    StartGame,
    UndoMove,
)
from shared.messages.errors import Error
from shared.messages.events import AnyEvent, GameEnded, Record, SealedDeal
from shared.messages.jobs import Hint
from shared.rules import moves
from shared.rules.cards import RANKS, Card, parse_card
from shared.rules.legal import legal_moves
from shared.rules.moves import move_text, parse_move
from shared.rules.table import Column, Table
from shared.rules.variants import VARIANTS

PLAYER: Final = PlayerId("p" * 26)
FIRST_AT: Final = 1_700_000_000_000
SECRET: Final = bytes(range(32))
CHANCES: Final = Estimate(samples=200, winnable=120, undecided=3, low=0.5309, high=0.6801)
MOVE_MS: Final = 1_000
"""Between two commands, unless a test says otherwise."""


def command_id(number: int) -> CommandId:
    """A command id that a test can count."""
    return CommandId(f"00000000-0000-7000-8000-{number:012d}")


@dataclass
class Written:
    """A game in the making, and all that was stored of it."""

    sealed: SealedDeal
    deal: bytes
    """The sealed deal as it is stored."""
    logged: Logged
    stored: list[bytes]
    records: list[Record] = field(default_factory=list)

    @property
    def game(self) -> Game:
        return self.logged.game

    @property
    def ended(self) -> GameEnded | None:
        """The event that ended the game."""
        last = self.records[-1].events[-1]
        return last if isinstance(last, GameEnded) else None

    def append(self, player: PlayerId, events: Events, at: int) -> None:
        """Stores events that were decided on, and moves the game on."""
        record = Record(
            game=self.game.game,
            version=self.game.version + 1,
            command=command_id(self.game.version + 1),
            player=player,
            at=at,
            events=events,
            previous=self.logged.hash,
        )
        body = encode(record)
        self.stored.append(link(record.previous, body) + body)
        self.records.append(record)
        self.logged = appended(self.logged, record, body, self.logged.sequence + 1)


class Play(Written):
    """A game for one in the making."""

    def decided(self, text: str, *, at: int | None = None) -> Events | Error:
        """What a command would cause."""
        return decide(self.game, command_of(self.game, text), at=self.game.at + MOVE_MS if at is None else at)

    def do(self, text: str, *, at: int | None = None) -> Events | Error:
        """What a command causes; unless it is refused, it is stored and the game moves on."""
        events = self.decided(text, at=at)
        if isinstance(events, Error):
            return events
        self.append(PLAYER, events, self.game.at + MOVE_MS if at is None else at)
        return events

    def must(self, *texts: str) -> "Play":
        """Does what must not be refused."""
        for text in texts:
            events = self.do(text)
            assert not isinstance(events, Error), f"{text} is refused: {events}"
        return self

    def legal(self) -> tuple[str, ...]:
        return tuple(map(move_text, legal_moves(self.game.seat.table, self.game.variant)))


def command_of(game: Game, text: str) -> PlayCommand:
    """The command that a text names, on the newest version."""
    of, player, version, new = game.game, PLAYER, game.version, command_id(game.version + 1)
    named: dict[str, Callable[..., PlayCommand]] = {
        "undo": UndoMove,
        "redo": RedoMove,
        "resign": Resign,
        "draw": DrawCards,
        "recycle": RecycleStock,
        "continue": ContinueGame,
    }
    if text in named:
        return named[text](id=new, game=of, player=player, version=version)
    if text.startswith(("pause", "away")):
        since = int(text.split()[1]) if " " in text else None
        reason: PauseReason = "player" if text.startswith("pause") else "absence"
        return PauseGame(id=new, game=of, player=player, version=version, reason=reason, since=since)
    if text == "chances":
        return RecordChances(id=new, game=of, player=player, version=version, chances=CHANCES)
    if text.startswith("hint "):
        hint = Hint(move=text.removeprefix("hint "), reason="build-tableau")
        return RecordHint(id=new, game=of, player=player, version=version, hint=hint)
    move = parse_move(text)
    assert isinstance(move, moves.MoveCards)
    return MoveCards(
        id=new, game=of, player=player, version=version, source=move.source, target=move.target, count=move.count
    )


def start_game(
    *,
    variant: str = "draw1",
    scoring: str = "standard",
    mode: str = "relaxed",
    deal: Deal = SecretDeal(),  # noqa: B008 - frozen
    number: int = 0,
) -> StartGame:
    """The command of a new game. `number`: of the command, from which the game's id follows."""
    new = command_id(number)
    return StartGame(
        id=new,
        game=new_game_id(PLAYER, new),
        player=PLAYER,
        version=0,
        variant=variant,
        scoring=scoring,
        mode=mode,
        deal=deal,
    )


def new_play(
    *, variant: str = "draw1", scoring: str | None = None, mode: str = "relaxed", deal: int | bytes = SECRET
) -> Play:
    """A game just dealt. `scoring`: the variant's usual one if none is named. `deal`: a deal number, or a secret."""
    scoring = scoring or VARIANTS[variant].scorings[0]
    origin = NumberedDeal(number=deal) if isinstance(deal, int) else SecretDeal()
    command = start_game(variant=variant, scoring=scoring, mode=mode, deal=origin)
    body = encode(seal_deal(command, secret=deal if isinstance(deal, bytes) else b""))
    sealed, deal_hash = open_deal(body)
    record = Record(
        game=command.game,
        version=1,
        command=command.id,
        player=PLAYER,
        at=FIRST_AT,
        events=decide_start(command, sealed),
        previous=deal_hash,
    )
    first = encode(record)
    digest = link(deal_hash, first)
    return Play(sealed, body, begin(sealed, deal_hash, Read(record, digest, 1)), [digest + first], [record])


def rebuilt(deal: bytes, stored: list[bytes]) -> Logged:
    """The game from its stored bytes alone."""
    sealed, deal_hash = open_deal(deal)
    first, *others = (Read(*open_record(data), sequence) for sequence, data in enumerate(stored, start=1))
    logged = begin(sealed, deal_hash, first)
    for read in others:
        logged = advance(logged, read)
    return logged


def on_table(play: Play, table: Table) -> Play:
    """The same game with another table: for positions that no short game reaches. It cannot be rebuilt."""
    seat = msgspec.structs.replace(play.game.seat, table=table)
    game = msgspec.structs.replace(play.game, seats=(seat,))
    logged = Logged(game, play.logged.hash, play.logged.sequence)
    return Play(play.sealed, play.deal, logged, list(play.stored), list(play.records))


def random_text(play: Play, chance: random.Random) -> str:
    """A command that may be refused: mostly legal moves, now and then undo, redo or a hint."""
    legal = play.legal()
    if not legal:
        return "undo"
    cards_move = [text for text in legal if ">" in text]
    choices = ["undo", "redo", *(chance.choices(legal, k=3)), *(chance.choices(cards_move, k=3) if cards_move else ())]
    if chance.random() < 0.05:
        return f"hint {chance.choice(legal)}"
    chosen: str = chance.choice(choices)
    return chosen


def random_play(seed: int, *, commands: int, variant: str = "draw1", mode: str = "relaxed") -> Play:
    """A game with so many random commands, those included that were refused."""
    chance = random.Random(seed)
    play = new_play(variant=variant, mode=mode, deal=chance.randbytes(32))
    for _ in range(commands):
        _ = play.do(random_text(play, chance), at=play.game.at + chance.randint(0, 90_000))
    return play


def first_event(events: Events | Error) -> AnyEvent:
    """The one event that a command caused, or the first of two."""
    assert not isinstance(events, Error), events
    return events[0]


def table_of(text: str, *, columns: int = 7, foundations: int = 4) -> Table:
    """The table that a text shows: topmost cards last, `(9C)` face down, a foundation by its top card.

    F1: 3C
    T1: (9C) 5H 4S
    stock: 3D
    waste: 4C 9H
    pass: 2

    What is left out is empty.
    """
    rows = dict(line.split(":", 1) for line in map(str.strip, text.strip().splitlines()) if line)
    known = {
        "stock",
        "waste",
        "pass",
        *(f"T{place}" for place in range(1, columns + 1)),
        *(f"F{place}" for place in range(1, foundations + 1)),
    }
    assert set(rows) <= known, f"no such row: {set(rows) - known}"
    cells = {name: rows.get(name, "").split() for name in known}
    return Table(
        columns=tuple(_column(cells[f"T{place}"]) for place in range(1, columns + 1)),
        foundations=tuple(_built(cells[f"F{place}"]) for place in range(1, foundations + 1)),
        stock=tuple(map(parse_card, cells["stock"])),
        waste=tuple(map(parse_card, cells["waste"])),
        pass_number=int("".join(cells["pass"]) or 1),
    )


def _column(cells: list[str]) -> Column:
    down = [cell for cell in cells if cell.startswith("(")]
    return Column(tuple(parse_card(cell[1:-1]) for cell in down), tuple(map(parse_card, cells[len(down) :])))


def _built(cells: list[str]) -> tuple[Card, ...]:
    if not cells:
        return ()
    top = parse_card(cells[0])
    return tuple(parse_card(rank + top[1]) for rank in RANKS[: RANKS.index(top[0]) + 1])
