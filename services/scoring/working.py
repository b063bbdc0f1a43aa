"""The rows that a batch of records touches: fetched, folded, and the difference to write."""

from typing import Final

import msgspec

from services.scoring import outcomes, ranking
from services.scoring.days import DayKey
from services.scoring.projections import Folded, UnfitRecordError, fold, leave_out, played_alone
from services.scoring.ranking import Rankings
from services.scoring.reading import Entry, Opened, Unreadable
from services.scoring.rows import Fault, GameRow, PlayerRow
from shared.messages.answers import GameSummary
from shared.messages.base import GameId, PlayerId
from shared.messages.events import GameStarted, PlayerJoined, Record

EMPTY: Final = PlayerRow()


class Changes(msgspec.Struct, frozen=True, kw_only=True):
    """What a batch did, as it is written."""

    games: dict[GameId, GameRow]
    """Rows of games that run."""
    started: dict[GameId, GameRow]
    """Those of them that began in this batch."""
    joined: dict[GameId, GameRow]
    """Those of them that the second player joined in this batch."""
    ended: dict[GameId, GameRow]
    """Last known rows of games that run no more."""
    over: dict[PlayerId, tuple[GameSummary, ...]]
    """Games that ended in this batch, in this order."""
    players: dict[PlayerId, PlayerRow]
    """Rows that differ; an empty one is no row."""
    rankings: Rankings
    days: dict[DayKey, int]
    """The best that came of days' deals in this batch."""
    faults: dict[GameId, Fault]


class Working:
    """Rows in memory, and what became of them. Filled with the rows that `games_of` and `players_of` name."""

    def __init__(
        self,
        games: dict[GameId, GameRow],
        players: dict[PlayerId, PlayerRow],
        faults: dict[GameId, Fault],
        forgotten: frozenset[PlayerId] = frozenset(),
    ) -> None:
        """`forgotten`: players of whom nothing is counted."""
        self._games_before, self._players_before, self._faults_before = games, players, faults
        self.games, self.players, self.faults = dict(games), dict(players), dict(faults)
        self._forgotten = forgotten
        self.over: dict[PlayerId, tuple[GameSummary, ...]] = {}
        self.rankings: Rankings = {}
        self.days: dict[DayKey, int] = {}

    def apply(self, entry: Entry) -> Fault | None:
        """Fold one message in. A faulty one marks its game, which is left out from then on; returns why."""
        if entry.game in self.faults:
            return None
        match entry:
            case Opened() if self._is_left_aside(entry):
                return None
            case Opened():
                try:
                    self._fold(entry)
                except UnfitRecordError as error:
                    return self._leave_out(entry, entry.record.version, str(error))
                return None
            case Unreadable():
                return self._leave_out(entry, entry.version, entry.reason)

    def _is_left_aside(self, entry: Opened) -> bool:
        """Whether a record is of a game that a forgotten player plays alone. One for two goes on for the other."""
        if entry.record.player not in self._forgotten:
            return False
        game = self.games.get(entry.game)
        started = entry.record.events[0] if entry.record.events else None
        variant = game.variant if game else started.variant if isinstance(started, GameStarted) else None
        return variant is None or played_alone(variant)

    def _fold(self, entry: Opened) -> None:
        game = self.games.get(entry.game)
        player = game.player if game else _starter(entry)
        if player is None:
            raise UnfitRecordError(f"version {entry.record.version} without the records before it")
        folded = fold(game, self.players.get(player, EMPTY), entry.record, entry.digest)
        if game is not None and game.guest is not None:
            guest = fold(game, self.players.get(game.guest, EMPTY), entry.record, entry.digest, seat=1)
            self.players[game.guest] = guest.player
        self.players[player] = folded.player
        if folded.ended:
            self.games.pop(entry.game, None)
        else:
            self.games[entry.game] = folded.game
        self._note(game, folded, entry.record)

    def _note(self, before: GameRow | None, folded: Folded, record: Record) -> None:
        """What the record leaves beside the rows."""
        if folded.ended:
            player, win = folded.game.player, outcomes.win(folded, record)
            ended = outcomes.summary_of_end(folded, record)
            if ended:
                for one in filter(None, (player, folded.game.guest)):
                    self.over[one] = (*self.over.get(one, ()), ended)
            if win:
                ranking.enter(self.rankings, win)
        result = outcomes.day_result(before, folded, record)
        if result:
            day, number = result
            self.days[day] = max(number, self.days.get(day, number))

    def _leave_out(self, entry: Entry, version: int | None, reason: str) -> Fault:
        game = self.games.pop(entry.game, None)
        for player in (game.player, game.guest) if game else ():
            if player is not None:
                self.players[player] = leave_out(game, self.players.get(player, EMPTY))
        fault = Fault(sequence=entry.sequence, version=version, reason=reason)
        self.faults[entry.game] = fault
        return fault

    def changes(self) -> Changes:
        """The difference to the rows that it was filled with."""
        before = self._games_before
        left = self._forgotten
        players = {
            player: row
            for player, row in self.players.items()
            if row != self._players_before.get(player, EMPTY) and player not in left
        }
        return Changes(
            games={game: row for game, row in self.games.items() if row != before.get(game)},
            started={game: row for game, row in self.games.items() if game not in before and row.player not in left},
            joined={
                game: row
                for game, row in self.games.items()
                if row.guest is not None
                and row.guest not in left
                and (game not in before or before[game].guest is None)
            },
            ended={game: row for game, row in before.items() if game not in self.games},
            over={player: ended for player, ended in self.over.items() if player not in left},
            players=players,
            rankings={
                one: {player: number for player, number in numbers.items() if player not in left}
                for one, numbers in self.rankings.items()
                if not left.issuperset(numbers)
            },
            days={day: number for day, number in self.days.items() if day.player not in left},
            faults={game: fault for game, fault in self.faults.items() if game not in self._faults_before},
        )


def games_of(entries: list[Entry]) -> list[GameId]:
    """The games whose rows a batch needs, each once."""
    return list(dict.fromkeys(entry.game for entry in entries))


def players_of(entries: list[Entry], games: dict[GameId, GameRow]) -> list[PlayerId]:
    """The players whose rows a batch needs, each once: those of the games' rows and of games that it starts."""
    starters = [_starter(entry) for entry in entries if isinstance(entry, Opened)]
    known: list[PlayerId | None] = [player for row in games.values() for player in (row.player, row.guest)]
    known += [entry.record.player for entry in entries if isinstance(entry, Opened)]
    return list(dict.fromkeys(player for player in (*known, *starters) if player is not None))


def _starter(entry: Opened) -> PlayerId | None:
    began = entry.record.events[0] if entry.record.events else None
    return began.player if isinstance(began, GameStarted | PlayerJoined) else None
