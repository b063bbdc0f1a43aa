"""Random games: however a game is rebuilt, the bytes are the same.

The games are made by the pure core and stored in the real log, then rebuilt by what game-state uses.
`KLONDIKE_TEST_GAMES=10000 pytest tests/integration/test_rebuild.py` does so with thousands.
"""

import asyncio
import contextlib
import os
import random
from dataclasses import dataclass

import pytest

from services.game_state.games import Games
from shared import subjects
from shared.bus.direct_get import LogUnavailableError
from shared.bus.event_log import Appended, EventLog
from shared.bus.redis_connection import Redis
from shared.bus.snapshots import pack_snapshot
from shared.bus.streams import ensure_streams
from shared.game.decide import Events, decide, decide_start, seal_deal
from shared.game.rebuild import Logged, Read, appended, begin
from shared.game.view import legal_texts
from shared.messages.base import CommandId, GameId, PlayerId
from shared.messages.codec import encode, link, new_game_id, open_deal
from shared.messages.commands import AnyCommand, StartGame
from shared.messages.errors import Error
from shared.messages.events import Record
from tests.conftest import ConnectAs, RedisAs
from tests.integration.game_state import command_of

GAMES = int(os.environ.get("KLONDIKE_TEST_GAMES", "256"))
AT_ONCE = 16
PATIENCE_SECONDS = 60.0
PLAYER = PlayerId("p" * 26)
FIRST_AT = 1_700_000_000_000


@dataclass
class Made:
    """A game as it is, as it was at a snapshot, and its stored messages."""

    logged: Logged
    earlier: Logged
    deal: bytes
    records: list[bytes]


def command_id(number: int) -> CommandId:
    return CommandId(f"00000000-0000-7000-8000-{number:012d}")


def record_of(previous: Logged | None, events: Events, *, game: GameId, number: int, at: int, after: bytes) -> Record:
    version = 1 if previous is None else previous.game.version + 1
    return Record(
        game=game, version=version, command=command_id(number), player=PLAYER, at=at, events=events, previous=after
    )


def random_game(seed: int) -> Made:
    """A game of random legal moves, undos and redos, up to the length that the seed says."""
    chance = random.Random(seed)
    mode = chance.choice(["ranked", "relaxed"])
    start = StartGame(
        id=command_id(seed),
        game=new_game_id(PLAYER, command_id(seed)),
        player=PLAYER,
        version=0,
        variant=chance.choice(["draw1", "draw3"]),
        scoring=chance.choice(["standard", "win-loss"]),
        mode=mode,
    )
    deal = encode(seal_deal(start, secret=chance.randbytes(32)))
    sealed, deal_hash = open_deal(deal)
    first = record_of(None, decide_start(start, sealed), game=start.game, number=seed, at=FIRST_AT, after=deal_hash)
    body = encode(first)
    logged = begin(sealed, deal_hash, Read(first, link(deal_hash, body), 0))
    made = Made(logged, logged, deal, [link(deal_hash, body) + body])
    snapshot_at = chance.randint(1, 40)
    for number in range(chance.randint(0, 60)):
        move = chance.choices(["undo", "redo", chance.choice(legal_texts(made.logged.game) or ("resign",))], [1, 1, 8])
        command = command_of(move[0], start.game, PLAYER, made.logged.game.version, command_id(seed * 1000 + number))
        _do(made, command, at=made.logged.game.at + chance.randint(0, 90_000))
        if made.logged.game.version == snapshot_at:
            made.earlier = made.logged
    return made


def _do(made: Made, command: AnyCommand, *, at: int) -> None:
    assert not isinstance(command, StartGame)
    events = decide(made.logged.game, command, at=at)
    if isinstance(events, Error):
        return
    record = record_of(
        made.logged, events, game=made.logged.game.game, number=at % 10**12, at=at, after=made.logged.hash
    )
    body = encode(record)
    made.records.append(link(record.previous, body) + body)
    made.logged = appended(made.logged, record, body, 0)


async def store(log: EventLog, made: Made) -> None:
    """Puts a made game into the log, and puts the true sequences into what was made without one."""
    deadline = asyncio.get_running_loop().time() + PATIENCE_SECONDS
    game = made.logged.game.game
    await log.append(subjects.sealed_deal(game), made.deal, expected=0, deadline=deadline)
    sequence = 0
    for version, record in enumerate(made.records, start=1):
        outcome = await log.append(subjects.game_log(game), record, expected=sequence, deadline=deadline)
        assert isinstance(outcome, Appended)
        sequence = outcome.sequence
        if version == made.earlier.game.version:
            made.earlier = Logged(made.earlier.game, made.earlier.hash, sequence)
    made.logged = Logged(made.logged.game, made.logged.hash, sequence)


@pytest.mark.timeout(max(120, GAMES))
async def test_every_way_to_rebuild_a_game_gives_the_same_bytes(connect_as: ConnectAs, redis_as: RedisAs) -> None:
    nc, redis = await connect_as("game-state"), await redis_as("game-state")
    await ensure_streams(nc.jetstream())
    log = EventLog(nc, lambda: 0.5)
    games = Games(log, redis, games_max=1)
    for first in range(1, GAMES + 1, AT_ONCE):
        made = [random_game(seed) for seed in range(first, first + AT_ONCE)]
        async with asyncio.TaskGroup() as storing:
            for one in made:
                storing.create_task(store(log, one))
        async with asyncio.TaskGroup() as checking:
            for one in made:
                checking.create_task(_check(games, redis, one))


async def _check(games: Games, redis: Redis, made: Made) -> None:
    expected = encode(made.logged)
    game = made.logged.game.game
    assert encode(await _loaded(games, game)) == expected
    key = subjects.snapshot_key(game)
    good = pack_snapshot(made.earlier)
    spoilt = good[:50] + bytes([good[50] ^ 1]) + good[51:]
    for snapshot in (good, spoilt):
        _ = await redis.hset(key, "snapshot", snapshot)
        assert encode(await _loaded(games, game)) == expected


async def _loaded(games: Games, game: GameId) -> Logged:
    """The game as the log has it. On a machine that is too busy to answer in time, it is asked again."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        while True:
            games.forget(game)
            with contextlib.suppress(LogUnavailableError):
                entry = await games.load(game)
                assert entry is not None
                return entry.logged
