"""Alters stored games at random, as damage or a hand does: any byte, record or order, whole games. Each is noticed.

    python -m tests.fuzzer 100000 --seed 1

`changes` counts what was done, `run` does it and says what went unnoticed. An alteration that leaves everything as it
was, as when two changes undo each other, counts as unaltered, and nothing may be found then.
"""

import argparse
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import msgspec

from services.cli.auditing.report import Report, build
from services.cli.auditing.text import finding_text
from shared.messages.codec import HASH_BYTES
from shared.rules.variants import SOLO
from tests.forgeries import FOR_TWO, Forger, found, played, played_by_two
from tests.tampering import (
    Copy,
    field_changes,
    flipped,
    kept,
    rechained,
    resealed,
    structural_changes,
    whole_game,
)

CHANGES_MAX: Final = 3
"""Made to one game before it is audited."""
SALTS: Final = range(10, 10 + 2 * len(SOLO))
DUELS: Final = range(2 * len(FOR_TWO))
LONGER_BYTES_MAX: Final = 40

Change = Callable[[Copy, random.Random], Copy]


@dataclass
class Tally:
    """What a run did and what went wrong in it."""

    altered: int = 0
    unaltered: int = 0
    changes: Counter[str] = field(default_factory=Counter)
    unnoticed: list[str] = field(default_factory=list)
    false_alarms: list[str] = field(default_factory=list)


def audited(copy: Copy) -> Report:
    return build(copy.game, kept(copy), boards=False, reveal=False)


def games(chance: random.Random) -> list[Copy]:
    """Of every variant, in each mode, by each kind of deal, running and over; and two in which everything happens."""
    alone = [played(chance, salt) for salt in SALTS]
    return [whole_game(), whole_game(1), *alone, *(played_by_two(chance, number) for number in DUELS)]


class Fuzzer:
    """Alters games of a pool, one after the other."""

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)
        self._games = games(self._chance)
        self._forger = Forger(self._chance, SALTS)
        self._fields = {copy.game: list(field_changes(copy)) for copy in self._games}
        one, other = self._games[:2]
        self._structures = {one.game: structural_changes(one, other), other.game: structural_changes(other, one)}
        self._changes: dict[str, Change] = {
            "a bit is flipped": self._bit,
            "bytes are others": self._bytes,
            "bytes are missing": self._shorter,
            "bytes are added": self._longer,
            "a message is cut off": self._cut,
            "a record is missing": self._missing,
            "a record is doubled": self._doubled,
            "a record lies elsewhere": self._moved,
            "records are shuffled": self._shuffled,
            "the end is missing": self._beheaded,
            "a record is another one's": self._replaced,
            "a record of another game comes in": self._inserted,
            "all records are another game's": self._exchanged,
            "a field is another": self._field,
            "a field is another, resealed": self._resealed,
            "a field is another, the rest written anew": self._rechained,
            "what Redis holds is changed": self._redis,
            "whole messages are changed": self._structure,
        }

    def run(self, count: int) -> Tally:
        """So many games: of each ten, one is as it was played, and one is forged as a whole."""
        tally = Tally()
        for number in range(count):
            copy = self._chance.choice(self._games)
            if number % 10 == 0:
                _judge(tally, copy, copy, [])
            elif number % 10 == 1 and copy.game in self._forger.games:
                _judge_forged(tally, copy, *self._forger.forged(copy))
            else:
                _judge(tally, copy, *self.altered(copy))
        return tally

    def altered(self, copy: Copy) -> tuple[Copy, list[str]]:
        """A game with some changes, and which ones."""
        done = self._chance.choices(list(self._changes), k=self._chance.randint(1, CHANGES_MAX))
        changed = copy
        for name in done:
            changed = self._changes[name](changed, self._chance)
        return changed, done

    def _other(self, copy: Copy) -> Copy:
        return self._chance.choice([other for other in self._games if other.game != copy.game])

    # Bytes of any message

    def _bit(self, copy: Copy, chance: random.Random) -> Copy:
        return _rewritten(copy, chance, lambda data: flipped(data, chance.randrange(len(data)), chance.randrange(8)))

    def _bytes(self, copy: Copy, chance: random.Random) -> Copy:
        def written_over(data: bytes) -> bytes:
            place, new = chance.randrange(len(data)), chance.randbytes(chance.randint(1, LONGER_BYTES_MAX))
            return (data[:place] + new + data[place + len(new) :])[: len(data)]

        return _rewritten(copy, chance, written_over)

    def _shorter(self, copy: Copy, chance: random.Random) -> Copy:
        def without(data: bytes) -> bytes:
            place = chance.randrange(len(data))
            return data[:place] + data[place + chance.randint(1, LONGER_BYTES_MAX) :]

        return _rewritten(copy, chance, without)

    def _longer(self, copy: Copy, chance: random.Random) -> Copy:
        def with_more(data: bytes) -> bytes:
            place = chance.randint(0, len(data))
            return data[:place] + chance.randbytes(chance.randint(1, LONGER_BYTES_MAX)) + data[place:]

        return _rewritten(copy, chance, with_more)

    def _cut(self, copy: Copy, chance: random.Random) -> Copy:
        return _rewritten(copy, chance, lambda data: data[: chance.randrange(len(data))])

    # Records, and their order

    def _missing(self, copy: Copy, chance: random.Random) -> Copy:
        return _with_records(copy, lambda records: records.pop(chance.randrange(len(records))))

    def _doubled(self, copy: Copy, chance: random.Random) -> Copy:
        return _with_records(
            copy, lambda records: records.insert(chance.randint(0, len(records)), chance.choice(records))
        )

    def _moved(self, copy: Copy, chance: random.Random) -> Copy:
        return _with_records(
            copy,
            lambda records: records.insert(
                chance.randint(0, len(records)), records.pop(chance.randrange(len(records)))
            ),
        )

    def _shuffled(self, copy: Copy, chance: random.Random) -> Copy:
        return _with_records(copy, chance.shuffle)

    def _beheaded(self, copy: Copy, chance: random.Random) -> Copy:
        def cut(records: list[bytes]) -> None:
            del records[chance.randrange(len(records)) :]

        return _with_records(copy, cut)

    def _replaced(self, copy: Copy, chance: random.Random) -> Copy:
        def put(records: list[bytes]) -> None:
            records[chance.randrange(len(records))] = chance.choice(self._other(copy).records)

        return _with_records(copy, put)

    def _inserted(self, copy: Copy, chance: random.Random) -> Copy:
        stranger = chance.choice(self._other(copy).records)
        return _with_records(copy, lambda records: records.insert(chance.randint(0, len(records)), stranger))

    def _exchanged(self, copy: Copy, _chance: random.Random) -> Copy:
        return copy.with_records(self._other(copy).records)

    # What a field says

    def _field(self, copy: Copy, chance: random.Random) -> Copy:
        name, place, record = chance.choice(self._fields[copy.game])
        assert name
        return _with_records(copy, lambda records: _put(records, place, lambda old: old[:HASH_BYTES] + _body(record)))

    def _resealed(self, copy: Copy, chance: random.Random) -> Copy:
        return self._written_anew(copy, chance, resealed)

    def _rechained(self, copy: Copy, chance: random.Random) -> Copy:
        return self._written_anew(copy, chance, rechained)

    def _written_anew(self, copy: Copy, chance: random.Random, way: Callable[..., Copy]) -> Copy:
        """On the game as it was: what was done to it before is written over."""
        original = next(one for one in self._games if one.game == copy.game)
        _, place, record = chance.choice(self._fields[copy.game])
        return way(original, place, record)

    # Redis, and what the audit's other tests do

    def _redis(self, copy: Copy, chance: random.Random) -> Copy:
        def bit(data: bytes | None) -> bytes | None:
            return flipped(data, chance.randrange(len(data)), chance.randrange(8)) if data else data

        if chance.random() < 0.5:
            return replace(copy, head=bit(copy.head))
        return replace(copy, snapshot=bit(copy.snapshot))

    def _structure(self, copy: Copy, chance: random.Random) -> Copy:
        """Changes that know the game: made to the game as it was, where it is one of those that have them."""
        original = chance.choice(self._games[:2])
        if original.game != copy.game:
            return self._missing(copy, chance)
        return chance.choice(list(self._structures[copy.game].values()))(original)


def _judge(tally: Tally, copy: Copy, altered: Copy, done: Sequence[str]) -> None:
    report = audited(altered)
    for finding in report.findings:
        assert copy.game in finding_text(report, finding)
    if altered == copy:
        tally.unaltered += 1
        held = found(copy, copy)
        tally.false_alarms += [f"{copy.game} held against a checkpoint: {finding.what}" for finding in held[:1]]
        tally.false_alarms += [f"{copy.game} {done}: {finding.what}" for finding in report.findings[:1]]
        return
    tally.altered += 1
    tally.changes.update(done)
    if report.clean:
        tally.unnoticed.append(f"{copy.game}: {', '.join(done)}")


def _judge_forged(tally: Tally, copy: Copy, forged: Copy, name: str) -> None:
    """Held against a checkpoint: without one, a forgery that fits together is an honest game."""
    findings = found(copy, forged)
    if forged == copy:
        tally.unaltered += 1
        tally.false_alarms += [f"{copy.game} held against a checkpoint: {finding.what}" for finding in findings[:1]]
        return
    tally.altered += 1
    tally.changes[name] += 1
    if not any(finding.place == "checkpoint" for finding in findings):
        tally.unnoticed.append(f"{copy.game}: {name}")


def _rewritten(copy: Copy, chance: random.Random, change: Callable[[bytes], bytes]) -> Copy:
    """The copy with one of its messages changed, if there is one with a byte."""
    places = [place for place, (_, data) in enumerate(copy.messages) if data]
    if not places:
        return copy
    place = chance.choice(places)
    subject, data = copy.messages[place]
    return replace(copy, messages=(*copy.messages[:place], (subject, change(data)), *copy.messages[place + 1 :]))


def _with_records(copy: Copy, change: Callable[[list[bytes]], object]) -> Copy:
    """The copy with its list of records changed, if it has any left."""
    records = list(copy.records)
    if records:
        change(records)
    return copy.with_records(records)


def _put(records: list[bytes], place: int, change: Callable[[bytes], bytes]) -> None:
    if place < len(records):
        records[place] = change(records[place])


def _body(record: msgspec.Struct) -> bytes:
    return msgspec.msgpack.encode(record)


def told(tally: Tally, seconds: float) -> Iterator[str]:
    """The run in lines."""
    yield f"{tally.altered} altered games, {len(tally.unnoticed)} unnoticed"
    yield f"{tally.unaltered} unaltered games, {len(tally.false_alarms)} false alarms"
    yield f"{seconds:.0f} s of processor time"
    yield from (f"  {count:>7}  {name}" for name, count in tally.changes.most_common())
    yield from (f"UNNOTICED {one}" for one in tally.unnoticed)
    yield from (f"FALSE ALARM {one}" for one in tally.false_alarms)


def main() -> None:
    """From the command line: exit status 1 if anything went unnoticed or was a false alarm."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("count", type=int)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    tally = Fuzzer(arguments.seed).run(arguments.count)
    for line in told(tally, time.process_time()):
        sys.stdout.write(f"{line}\n")
    sys.exit(bool(tally.unnoticed or tally.false_alarms))


if __name__ == "__main__":
    main()
