"""Games for two without servers, as `play` has games for one.

duel = new_duel("double", deal=7)
duel.do(0, "W>F2")     the host's move; 1 is the guest's; `resign`, `claim`
duel.must(1, "draw", "T3>F1")
"""

import random
from typing import Final

import msgspec

from shared.game.decide import Events, PlayCommand, Terms, decide, decide_start, seal_deal
from shared.game.duel import SEATS
from shared.game.rebuild import Logged, Read, begin
from shared.game.state import Game
from shared.game.view import legal_texts
from shared.messages.base import CommandId, PlayerId
from shared.messages.codec import encode, link, open_deal
from shared.messages.commands import ClaimAbsence, JoinGame, NumberedDeal, SecretDeal
from shared.messages.errors import Error
from shared.messages.events import Record
from shared.rules.table import Table
from tests.play import FIRST_AT, MOVE_MS, PLAYER, SECRET, Written, command_id, command_of, start_game

GUEST: Final = PlayerId("g" * 26)
PLAYERS: Final = (PLAYER, GUEST)
TERMS: Final = Terms(expires_at=FIRST_AT + 60_000, absence_ms=30_000)


class DuelPlay(Written):
    """A game for two in the making."""

    def decided(self, who: int, text: str, *, at: int | None = None, version: int | None = None) -> Events | Error:
        """What a command of a seat would cause."""
        moment = self.game.at + MOVE_MS if at is None else at
        return decide(self.game, duel_command(self.game, who, text, version=version), at=moment)

    def do(self, who: int, text: str, *, at: int | None = None, version: int | None = None) -> Events | Error:
        """What a command of a seat causes; unless it is refused, it is stored and the game moves on."""
        events = self.decided(who, text, at=at, version=version)
        if not isinstance(events, Error):
            self.append(PLAYERS[who], events, self.game.at + MOVE_MS if at is None else at)
        return events

    def must(self, who: int, *texts: str) -> "DuelPlay":
        """Does what must not be refused."""
        for text in texts:
            events = self.do(who, text)
            assert not isinstance(events, Error), f"{text} of seat {who} is refused: {events}"
        return self

    def legal(self, who: int) -> tuple[str, ...]:
        return legal_texts(self.game, who)


def duel_command(
    game: Game, who: int, text: str, *, version: int | None = None, new: CommandId | None = None
) -> PlayCommand:
    """The command of a seat that a text names, on the newest version unless another is named."""
    base = {
        "id": new or command_id(game.version + 1),
        "game": game.game,
        "player": PLAYERS[who],
        "version": game.version if version is None else version,
    }
    if text == "join":
        return msgspec.convert(base | {"type": "join-game"}, JoinGame)
    if text == "claim":
        return msgspec.convert(base | {"type": "claim-absence"}, ClaimAbsence)
    return msgspec.structs.replace(command_of(game, text), **base)


def waiting_duel(
    variant: str = "double",
    *,
    scoring: str = "standard",
    deal: int | bytes = SECRET,
    at: int = FIRST_AT,
    number: int = 0,
) -> DuelPlay:
    """A game for two that nobody has joined yet. `number`: as for `start_game`."""
    origin = NumberedDeal(number=deal) if isinstance(deal, int) else SecretDeal()
    command = start_game(variant=variant, scoring=scoring, mode="ranked", deal=origin, number=number)
    body = encode(seal_deal(command, secret=deal if isinstance(deal, bytes) else b""))
    sealed, deal_hash = open_deal(body)
    record = Record(
        game=command.game,
        version=1,
        command=command.id,
        player=PLAYER,
        at=at,
        events=decide_start(command, sealed, TERMS),
        previous=deal_hash,
    )
    first = encode(record)
    digest = link(deal_hash, first)
    return DuelPlay(sealed, body, begin(sealed, deal_hash, Read(record, digest, 1)), [digest + first], [record])


def new_duel(
    variant: str = "double", *, scoring: str = "standard", deal: int | bytes = SECRET, number: int = 0
) -> DuelPlay:
    """A game for two, just dealt."""
    return waiting_duel(variant, scoring=scoring, deal=deal, number=number).must(1, "join")


def on_tables(duel: DuelPlay, *tables: Table) -> DuelPlay:
    """The same game with other tables: for positions that no short game reaches. It cannot be rebuilt."""
    seats = tuple(msgspec.structs.replace(seat, table=t) for seat, t in zip(duel.game.seats, tables, strict=True))
    built = tuple((duel.game.version,) * len(pile) for pile in tables[0].foundations) if duel.game.built else ()
    game = msgspec.structs.replace(duel.game, seats=seats, built=built)
    logged = Logged(game, duel.logged.hash, duel.logged.sequence)
    return DuelPlay(duel.sealed, duel.deal, logged, list(duel.stored), list(duel.records))


def random_duel(seed: int, *, commands: int, variant: str = "double") -> DuelPlay:
    """A game for two with so many random legal moves, of either side, mostly of cards; now and then one gives up."""
    chance = random.Random(seed)
    duel = new_duel(variant, deal=chance.randbytes(32))
    for _ in range(commands):
        if duel.game.over:
            break
        who = chance.randrange(SEATS)
        legal = duel.legal(who) if duel.game.seats[who].status == "running" else ()
        if not legal:
            continue
        cards_move = [text for text in legal if ">" in text] or legal
        text = chance.choice(cards_move if chance.random() < 0.6 else legal)
        if chance.random() < 0.003:
            text = "resign"
        _ = duel.must(who, text)
    return duel
