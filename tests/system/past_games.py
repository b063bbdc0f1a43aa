"""Games that a player has played before: records on the real log, which scoring counts as any others."""

import asyncio
import subprocess
import time
from collections.abc import Sequence
from dataclasses import replace
from datetime import date

import httpx
import nats

from services.scoring.periods import begin_of
from shared import subjects
from shared.embedded import NatsServer, credentials
from shared.messages.base import CommandId, PlayerId
from shared.messages.codec import new_game_id
from tests.scoring_logs import Act, Script, Writer, player_id
from tests.system.page_player import Player
from tests.system.up_process import PATIENCE, POLL_SECONDS, Up

HOUR_MS = 3_600_000
COUNTED_SECONDS = 20.0 * PATIENCE


async def have_played(system: Up, player: Player, scripts: Sequence[Script]) -> None:
    """Write the games of the page's player down, in this order, and wait until they are counted."""
    token = str(await player.page.evaluate("localStorage.getItem('klondike.token')"))
    async with httpx.AsyncClient(base_url=system.address, headers={"Authorization": f"Bearer {token}"}) as web:
        found = (await web.get("/api/statistics")).json()
        before = sum(row["games"] for row in found["rows"])
        await _write(system, PlayerId(found["player"]), scripts, before)
        expected = before + sum(script.counted for script in scripts)
        deadline = time.monotonic() + COUNTED_SECONDS
        while sum(row["games"] for row in (await web.get("/api/statistics")).json()["rows"]) < expected:
            assert time.monotonic() < deadline, f"waited {COUNTED_SECONDS} s for {expected} games"
            await asyncio.sleep(POLL_SECONDS)


async def others_have_played(system: Up, scripts: Sequence[Script]) -> None:
    """Write games of players down who never saw the page."""
    for number, script in enumerate(scripts):
        await _write(system, player_id(script.player), [script], number)


async def _write(system: Up, owner: PlayerId, scripts: Sequence[Script], first: int) -> None:
    server = NatsServer(system.data / "nats", credentials(system.data), "fast", subprocess.DEVNULL)
    assert server.ready()
    client = await nats.connect(server.url("game-state"), inbox_prefix=subjects.inbox("game-state"))
    for number, script in enumerate(scripts, start=first):
        game = new_game_id(owner, CommandId(f"past {number}"))
        for record in Writer(game, replace(script, owner=owner)).records():
            await client.jetstream().publish(subjects.game_log(game), record)
    await client.close()


def a_season(results: str, *, started_at: int, apart_ms: int = 60_000) -> list[Script]:
    """Secret deals of the canonical kind, one after the other: `w` is a win, `l` a loss."""
    ends: dict[str, tuple[Act, ...]] = {"w": ("move", "won"), "l": ("draw", "resigned")}
    return [
        Script(
            acts=ends[result],
            started_at=started_at + number * apart_ms,
            points=500 + number,
            moves=100 + number,
            play_ms=150_000 + 1_000 * number,
        )
        for number, result in enumerate(results)
    ]


def won_on(day: date, *, days_later: int = 0, play_ms: int = 200_000) -> Script:
    """The deal of a day, won on that day or some days later."""
    started_at = begin_of(day) + days_later * 24 * HOUR_MS + HOUR_MS
    return Script(day=str(day), secret=False, acts=("draw", "won"), started_at=started_at, play_ms=play_ms)
