"""From a player's commands, through game-state and the log, to the statistics that the gateway asks for."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import msgspec
import pytest
from nats.aio.client import Client

from services.scoring.app import run
from shared import subjects
from shared.logs import Log
from shared.messages.answers import (
    FetchGames,
    FetchRanking,
    FetchStatistics,
    PlayerGames,
    PlayerStatistics,
    Ranking,
    Statistics,
)
from shared.messages.base import GameId
from shared.messages.codec import encode
from shared.settings import ScoringSettings
from tests.conftest import ConnectAs, RedisAs
from tests.integration.game_state import ANSWER_SECONDS, Player, game_state, refused, soon
from tests.integration.services import serving

GOLDEN = (Path(__file__).parent.parent / "golden" / "draw1-win.txt").read_text().splitlines()


@dataclass
class Table:
    """A player with all of the system behind."""

    player: Player
    gateway: Client

    async def statistics(self) -> tuple[Statistics, ...]:
        request = encode(FetchStatistics(player=self.player.id))
        reply = await self.gateway.request(subjects.STATISTICS, request, timeout=ANSWER_SECONDS)
        return msgspec.msgpack.decode(reply.data, type=PlayerStatistics).rows

    async def running(self) -> list[tuple[GameId, int]]:
        request = encode(FetchGames(player=self.player.id))
        reply = await self.gateway.request(subjects.PLAYER_GAMES, request, timeout=ANSWER_SECONDS)
        return [(game.game, game.version) for game in msgspec.msgpack.decode(reply.data, type=PlayerGames).games]

    async def until_running(self, *expected: tuple[GameId, int]) -> None:
        """Wait until these games run, at these versions: then all that was played has been counted."""

        async def same() -> bool:
            return await self.running() == list(expected)

        await soon(same)


@pytest.fixture
async def table(connect_as: ConnectAs, redis_as: RedisAs, log: Log) -> AsyncIterator[Table]:
    gateway = await connect_as("gateway")
    async with (
        game_state(await connect_as("game-state"), await redis_as("game-state"), log),
        serving(run, "scoring", ScoringSettings(), await connect_as("scoring"), log, await redis_as("scoring")),
    ):
        table = Table(Player(gateway), gateway)

        async def answered() -> bool:
            reply = await gateway.request(subjects.STATISTICS, encode(FetchStatistics(player=table.player.id)))
            return b"request-refused" not in reply.data

        await soon(answered)
        yield table


async def test_a_deal_that_is_not_touched_is_listed_and_leaves_no_trace_when_it_is_resigned(table: Table) -> None:
    view = await table.player.start()
    await table.until_running((view.game, 1))
    assert await table.statistics() == ()
    await table.player.play("resign")
    await table.until_running()
    assert await table.statistics() == ()


async def test_a_game_counts_from_its_first_move_and_changes_over_with_the_first_undo(table: Table) -> None:
    view = await table.player.start(number=None)
    await table.player.play("draw")
    await table.until_running((view.game, 2))
    (row,) = await table.statistics()
    assert (row.variant, row.scoring, row.assisted, row.games) == ("draw1", "standard", False, 1)
    await table.player.play("undo")
    await table.until_running((view.game, 3))
    (row,) = await table.statistics()
    assert (row.assisted, row.games, row.losses) == (True, 1, 0)
    await table.player.play("resign")
    await table.until_running()
    (row,) = await table.statistics()
    assert (row.assisted, row.games, row.wins, row.losses, row.streak) == (True, 1, 0, 1, -1)


async def test_a_win_is_counted_once_with_all_its_sums_and_stays_won(table: Table) -> None:
    """A numbered deal, played in ranked mode: it counts, unassisted, and stands in no ranking."""
    view = await table.player.start(mode="ranked", number=int(GOLDEN[0].removeprefix("deal ")))
    await table.until_running((view.game, 1))
    for move in GOLDEN[1:]:
        view = await table.player.play(move)
    assert view.status == "won"
    refused(await table.player.ask(table.player.command("undo")))
    await table.until_running()
    (row,) = await table.statistics()
    assert (row.assisted, row.games, row.wins, row.losses, row.streak) == (False, 1, 1, 0, 1)
    assert (row.points, row.best_points, row.fewest_moves) == (view.points, view.points, view.moves)
    assert row.best_play_ms == row.play_ms == view.play_ms
    request = encode(FetchRanking(variant="draw1", scoring="standard"))
    reply = await table.gateway.request(subjects.RANKING, request, timeout=ANSWER_SECONDS)
    assert msgspec.msgpack.decode(reply.data, type=Ranking).rows == ()


async def test_variants_are_counted_apart(table: Table) -> None:
    for variant in ("draw1", "draw3"):
        await table.player.start(variant=variant, mode="ranked", number=None)
        await table.player.play("draw")
        await table.player.play("resign")

    async def both() -> bool:
        return [(row.variant, row.losses) for row in await table.statistics()] == [("draw1", 1), ("draw3", 1)]

    await soon(both)


async def test_running_games_come_newest_first(table: Table) -> None:
    games = [await table.player.start() for _ in range(3)]
    started = {view.game: view.at for view in games}

    async def all_there() -> bool:
        return len(await table.running()) == len(games)

    await soon(all_there)
    times = [started[game] for game, _ in await table.running()]
    assert times == sorted(times, reverse=True)
