"""The file that remembers an audit of all games: what is to be done, what is done, what was found.

An SQLite database, so that nothing of it is in memory and each step is kept whole or not at all.
"""

import sqlite3
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path
from typing import Final

import msgspec

from services.cli.auditing.report import Finding
from services.cli.auditing.whole.summary import Fault
from shared.messages.base import GameId

FORMAT: Final = 1
_TABLES: Final = """
create table about (name text primary key, value blob not null) without rowid;
create table games (game text primary key,
    logs integer not null, deals integer not null, archived integer not null default 0,
    done integer not null default 0, records integer not null default 0, status text,
    headless integer not null default 0
) without rowid;
create index places on games (archived, game) where not done;
create table faults (game text, place integer, finding blob not null);
create table left_out (player text primary key) without rowid;
create table counted (player text not null, sequence integer not null, record blob not null);
create table kept (kind text not null, name text not null, value blob not null, primary key (kind, name)) without rowid;
create table covered (game text primary key, version integer not null, hash blob not null) without rowid;
"""
_findings: Final = msgspec.msgpack.Decoder(Finding)
_encode: Final = msgspec.msgpack.Encoder().encode


class StateError(Exception):
    """The file is of no use. One line that says why, and what to do."""


class Game(msgspec.Struct, frozen=True):
    """A game that is to be audited."""

    game: GameId
    logs: int
    """Messages that the server counts on its log."""
    deals: int
    """Messages that the server counts as its sealed deal."""
    archived: bool
    """Whether a manifest of the archive names it."""
    version: int | None = None
    """What the checkpoint knows of it: a version and its record's hash."""
    hash: bytes | None = None
    sequence: int = 0
    """Every record up to this sequence is known to the checkpoint; 0 where there is none."""


class Judged(msgspec.Struct, frozen=True):
    """What was found out about one game."""

    game: GameId
    records: int
    status: str | None
    headless: bool
    findings: tuple[Finding, ...]
    counted: tuple[tuple[str, int, bytes], ...] = ()
    """Records that statistics may change by: player, sequence, bytes. None of a game that does not fit."""
    players: tuple[str, ...] = ()
    """Of a game that does not fit: whose sums follow from nothing."""


class Store:
    """An open file."""

    def __init__(self, path: Path, log: str) -> None:
        """Opens or makes it. `log` names the log that is audited, and what it is held against.

        Raises:
            StateError: it is of another audit, or no such file at all.

        """
        try:
            self._file = sqlite3.connect(path, isolation_level=None)
            self._file.execute("pragma synchronous = off")
            self.resumed = self._open(log, path)
        except sqlite3.Error as error:
            raise StateError(f"{path} cannot be used as --state: {error}. Name another file.") from None

    def _open(self, log: str, path: Path) -> bool:
        if not self._file.execute("select count(*) from sqlite_master").fetchone()[0]:
            self._file.executescript(f"begin; {_TABLES} commit;")
            self.note("audit", f"{FORMAT} {log}".encode())
            return False
        if self.noted("audit") != f"{FORMAT} {log}".encode():
            raise StateError(f"{path} is of an audit of another log or checkpoint. Name another file as --state.")
        return True

    def close(self) -> None:
        self._file.close()

    def note(self, name: str, value: bytes) -> None:
        self._file.execute("insert or replace into about values (?, ?)", (name, value))

    def noted(self, name: str) -> bytes | None:
        row = self._file.execute("select value from about where name = ?", (name,)).fetchone()
        return row[0] if row else None

    def add_games(self, games: Iterable[tuple[str, int, int]]) -> None:
        """Games by id, each with the number of messages in its log and of sealed deals, as far as they are listed."""
        add = (
            "insert into games (game, logs, deals) values (?, ?, ?) on conflict (game) do update"
            " set logs = max(logs, excluded.logs), deals = max(deals, excluded.deals)"
        )
        self._file.execute("begin")
        self._file.executemany(add, games)
        self._file.execute("commit")

    def add_archived(self, games: Iterable[str]) -> None:
        """Games that the archive holds, in its order: they are audited in it, as neighbours are read together."""
        add = (
            "insert into games (game, logs, deals, archived) values (?, 0, 0, ?)"
            " on conflict (game) do update set archived = excluded.archived"
        )
        last = self._file.execute("select coalesce(max(archived), 0) from games").fetchone()[0]
        self._file.execute("begin")
        self._file.executemany(add, ((game, place) for place, game in enumerate(games, last + 1)))
        self._file.execute("commit")

    def keep(self, kind: str, rows: Iterable[tuple[str, bytes]]) -> None:
        """Rows of Redis as they were at one moment."""
        self._file.execute("begin")
        self._file.executemany("insert or replace into kept values (?, ?, ?)", ((kind, *row) for row in rows))
        self._file.execute("commit")

    def kept(self, kind: str, name: str) -> bytes | None:
        row = self._file.execute("select value from kept where kind = ? and name = ?", (kind, name)).fetchone()
        return row[0] if row else None

    def names(self, kind: str) -> list[str]:
        return [row[0] for row in self._file.execute("select name from kept where kind = ? order by name", (kind,))]

    def drop(self, kind: str) -> None:
        self._file.execute("delete from kept where kind = ?", (kind,))

    def differences(self, kind: str, other: str) -> Iterator[tuple[str, bytes | None, bytes | None]]:
        """Rows of two kinds that are not the same: name, the one's value and the other's; none where it has none."""
        found = """
            select a.name, a.value, b.value from kept a left join kept b on b.kind = :other and b.name = a.name
                where a.kind = :kind and (b.value is null or b.value <> a.value)
            union all select b.name, null, b.value from kept b where b.kind = :other
                and not exists (select 1 from kept a where a.kind = :kind and a.name = b.name)
            order by 1
        """
        return iter(self._file.execute(found, {"kind": kind, "other": other}).fetchall())

    def left_out(self) -> set[str]:
        return {row[0] for row in self._file.execute("select player from left_out")}

    def cover(self, entries: Iterable[tuple[str, int, bytes]]) -> None:
        """Games that a checkpoint knows: id, version, hash. A later one replaces an earlier one."""
        self._file.execute("begin")
        self._file.executemany("insert or replace into covered values (?, ?, ?)", entries)
        self._file.execute("commit")

    def uncovered_games(self) -> Iterator[GameId]:
        """Games that the checkpoint knows and the log does not."""
        missing = "select game from covered where game not in (select game from games) order by game"
        return (GameId(row[0]) for row in self._file.execute(missing).fetchall())

    def count(self, *, done: bool = False) -> int:
        where = " where done" if done else ""
        return int(self._file.execute(f"select count(*) from games{where}").fetchone()[0])  # noqa: S608 - constants

    def covered(self) -> int:
        return int(self._file.execute("select count(*) from covered").fetchone()[0])

    def undone(self, size: int) -> Iterator[list[Game]]:
        """Games that were not audited yet, some at a time: those of the log by their ids, then those of the archive."""
        place, last, through = 0, "", int((self.noted("checkpoint") or b"0 0 0").split()[1])
        while True:
            rows = self._file.execute(
                "select game, logs, deals, archived, version, hash from games left join covered using (game)"
                " where not done and (archived, game) > (?, ?) order by archived, game limit ?",
                (place, last, size),
            ).fetchall()
            if not rows:
                return
            yield [
                Game(game, logs, deals, bool(archived), version, known, through)
                for game, logs, deals, archived, version, known in rows
            ]
            last, place = rows[-1][0], rows[-1][3]

    def take(self, some: Iterable[Judged]) -> None:
        """Keeps what was found out about games."""
        self._file.execute("begin")
        for one in some:
            self._file.execute(
                "update games set done = 1, records = ?, status = ?, headless = ? where game = ?",
                (one.records, one.status, one.headless, one.game),
            )
            self._file.executemany("insert into counted values (?, ?, ?)", one.counted)
            self._file.executemany("insert or ignore into left_out values (?)", ((player,) for player in one.players))
            self._add_faults(one.game, one.findings)
        self._file.execute("commit")

    def add_fault(self, game: GameId | None, finding: Finding) -> None:
        """A fault that was found beside the games."""
        self._add_faults(game, (finding,))

    def forget_faults(self, place: str, *, beside: bool = False) -> None:
        """Of a part of the audit that is done anew. `beside`: of no game alone."""
        which = " where game is null" if beside else ""
        rows = self._file.execute(f"select rowid, finding from faults{which}").fetchall()  # noqa: S608 - constants
        gone = [(row[0],) for row in rows if _findings.decode(row[1]).place == place]
        self._file.executemany("delete from faults where rowid = ?", gone)

    def _add_faults(self, game: GameId | None, findings: Iterable[Finding]) -> None:
        rows = ((game, place, _encode(finding)) for place, finding in enumerate(findings))
        self._file.executemany("insert into faults values (?, ?, ?)", rows)

    def faults(self) -> Iterator[Fault]:
        found = self._file.execute("select game, finding from faults order by game is null, game, place, rowid")
        return (Fault(game=row[0], finding=_findings.decode(row[1])) for row in found)

    def faulty(self) -> set[GameId]:
        return {GameId(row[0]) for row in self._file.execute("select distinct game from faults where game is not null")}

    def sums(self) -> tuple[int, int, dict[str, int]]:
        """Records, games without a head, and games by status."""
        records, headless = self._file.execute("select sum(records), sum(headless) from games").fetchone()
        found = self._file.execute("select coalesce(status, 'unknown'), count(*) from games where done group by 1")
        return records or 0, headless or 0, dict(found.fetchall())

    def counted(self) -> Iterator[tuple[str, list[tuple[int, bytes]]]]:
        """Each player's records that statistics may change by, in the order of the log."""
        rows = self._file.execute("select player, sequence, record from counted order by player, sequence")
        for player, some in groupby(rows, key=lambda row: str(row[0])):
            yield player, [(row[1], row[2]) for row in some]
