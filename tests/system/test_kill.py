"""`kill -9` of each process in turn during play: the game goes on exactly there, no move lost or doubled."""

import asyncio
import os
import random
import signal
from pathlib import Path

from tests.system.stubborn_player import StubbornPlayer
from tests.system.up_process import Up, run_klondike, up

MOVES_EACH = 8
KILL_AFTER_MOVES = 3
VICTIMS = ("gateway", "game-state", "solver-worker", "scoring", "dealer", "archivist", "nats", "redis")


async def play_through_a_kill(running: Up, player: StubbornPlayer, victim: str) -> None:
    """Some moves, with the victim killed in the middle of them."""
    pid = running.pid(victim)
    for number in range(MOVES_EACH):
        if number == KILL_AFTER_MOVES:
            moving = asyncio.create_task(player.move())
            await asyncio.sleep(0)
            os.kill(pid, signal.SIGKILL)
            await moving
        else:
            await player.move()
    await running.until(lambda: running.pid(victim) != pid, f"{victim} to be started again")
    await player.hint()


async def test_the_game_goes_on_exactly_there_whatever_is_killed(tmp_path: Path) -> None:
    async with up(tmp_path) as running:
        player = StubbornPlayer(await running.ready(), random.Random(2))
        await player.new_game()
        for victim in VICTIMS:
            await play_through_a_kill(running, player, victim)
        assert await player.history() == player.accepted
        assert set(player.given_up).isdisjoint(player.accepted)
        assert player.connections >= 2
        assert player.view is not None
        audit = ("audit", player.view.game, "--data", str(tmp_path))
        assert (await run_klondike(*audit))[0] == 0, "the audit of the running game"
        await player.close()
        assert await running.end() == 0
    assert sum("died" in line for line in running.lines) == len(VICTIMS), running.tail()
    status, report = await run_klondike(*audit)
    assert status == 0, report
