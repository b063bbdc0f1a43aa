"""Whole games forged by who may write both log and Redis: all fits together, and only a checkpoint knows better."""

import random
from collections.abc import Callable
from typing import Final

from services.cli.auditing.report import Finding
from services.cli.auditing.whole.one import judge
from services.cli.auditing.whole.store import Game
from shared import subjects
from shared.bus.snapshots import pack_snapshot
from shared.game.rebuild import Read, advance, begin
from shared.game.view import legal_texts
from shared.messages.codec import HASH_BYTES, encode, open_deal, open_record
from shared.messages.commands import Deal, NumberedDeal, SecretDeal, WinnableDeal
from shared.messages.errors import Error
from shared.rules.variants import SOLO, VARIANTS
from tests.duels import TERMS, DuelPlay, new_duel
from tests.play import SECRET
from tests.tampering import Copy, Written, kept

MOVES_MAX: Final = 30
COVERED: Final = 1_000
"""The place in the log that the checkpoint covers: behind all that is there."""
FOR_TWO: Final = [name for name, variant in VARIANTS.items() if variant.players > 1]
FIRST_NUMBER: Final = 900_000
"""Of the commands that begin games for two: behind those of `Written`."""
DEALS: Final[tuple[Deal, ...]] = (SecretDeal(player_seed="lucky ♥"), WinnableDeal(), NumberedDeal(number=23))


def played(chance: random.Random, salt: int) -> Copy:
    """A game of some variant, mode and deal, by its number; running or over."""
    variant, mode = list(SOLO)[salt // 2 % len(SOLO)], ("ranked", "relaxed")[salt % 2]
    deal, scoring = DEALS[salt % len(DEALS)], SOLO[variant].scorings[0]
    written = Written(deal=deal, variant=variant, scoring=scoring, mode=mode, salt=salt)
    for _ in range(chance.randint(1, MOVES_MAX)):
        legal = possible(written)
        if not legal:
            break
        written.play(chance.choice(legal), after_ms=chance.choice((0, 40, 90_000)))
        if mode == "relaxed" and possible(written) and chance.random() < 0.2:
            written.play(chance.choice(("undo", "hint", "chances")))
    if written.game.status == "running" and chance.random() < 0.7:
        written.play("resign")
    return written.copy()


def played_by_two(chance: random.Random, number: int) -> Copy:
    """A game for two, by its number: one who comes and goes is claimed to be away and the other ends it, or one has
    given up and the other plays on.
    """
    variant = FOR_TWO[number % len(FOR_TWO)]
    duel = new_duel(variant, deal=number if number % 4 < len(FOR_TWO) else SECRET, number=FIRST_NUMBER + number)
    _moved(duel, chance, (0, 1))
    duel.must(0, "away").must(0, "continue").must(1, "away")
    if number % len(FOR_TWO) == 0:
        assert not isinstance(duel.do(0, "claim", at=duel.game.at + TERMS.absence_ms), Error)
        _moved(duel, chance, (0,))
        duel.must(0, "resign")
    else:
        duel.must(1, "continue", "resign")
        _moved(duel, chance, (0,))
    messages = (
        (subjects.sealed_deal(duel.game.game), duel.deal),
        *((subjects.game_log(duel.game.game), stored) for stored in duel.stored),
    )
    return fitting(Copy(duel.game.game, messages, None, None), len(duel.stored))


def _moved(duel: DuelPlay, chance: random.Random, seats: tuple[int, ...]) -> None:
    for _ in range(chance.randint(1, MOVES_MAX)):
        who = chance.choice(seats)
        duel.must(who, chance.choice(duel.legal(who)))


def possible(written: Written) -> tuple[str, ...]:
    """The legal moves of a game that runs."""
    return legal_texts(written.game) if written.game.status == "running" else ()


def found(original: Copy, copy: Copy, *, known: bool = True) -> tuple[Finding, ...]:
    """What an audit of all games finds, held against a checkpoint that was signed when the game was as it was."""
    version, digest = (len(original.records), original.records[-1][:HASH_BYTES]) if known else (None, None)
    game = Game(
        game=original.game,
        logs=len(copy.records),
        deals=len(copy.messages) - len(copy.records),
        archived=False,
        version=version,
        hash=digest,
        sequence=COVERED,
    )
    return judge(game, kept(copy)).findings


class Forger:
    """Forges the games that `played` plays, by their numbers."""

    def __init__(self, chance: random.Random, salts: range) -> None:
        self._salts = {played(random.Random(0), salt).game: salt for salt in salts}
        self._chance = chance
        self._ways: dict[str, Callable[[Copy], Copy]] = {
            "a whole game is removed": lambda copy: Copy(copy.game, (), None, None),
            "a whole game is replaced": lambda copy: played(self._chance, self._salts[copy.game]),
            "a game has lost its end, all made to fit": self._shortened,
        }

    @property
    def games(self) -> frozenset[str]:
        return frozenset(self._salts)

    def forged(self, copy: Copy) -> tuple[Copy, str]:
        """The game forged, and how."""
        name = self._chance.choice(list(self._ways))
        return self._ways[name](copy), name

    def _shortened(self, copy: Copy) -> Copy:
        return fitting(copy, self._chance.randint(1, len(copy.records)))


def fitting(copy: Copy, records: int) -> Copy:
    """The game with its first records alone, and in Redis what follows from them."""
    stored = copy.records[:records]
    first, *rest = (Read(*open_record(data), sequence) for sequence, data in enumerate(stored, 2))
    logged = begin(*open_deal(copy.messages[0][1]), first)
    for read in rest:
        logged = advance(logged, read)
    messages = (copy.messages[0], *((subjects.game_log(copy.game), data) for data in stored))
    return Copy(copy.game, messages, encode((logged.game.version, logged.hash)), pack_snapshot(logged))
