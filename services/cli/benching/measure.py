"""The measurements: floors, moves, hints, and a crowd of games at once."""

import asyncio
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Final

import nats.errors
import websockets

from services.cli.benching.figures import Crowd, Floors, Latency, latency
from services.cli.benching.player import Player, UnexpectedError, connect
from services.cli.benching.stack import ECHO_GAME, Bare
from shared import subjects
from shared.messages.base import GameId

ECHO_BYTES: Final = 100
RECORD_BYTES: Final = 300
"""About what one move's record takes."""
FLOOR_GAME: Final = GameId("f" * 26)
WARM_UP: Final = 100
ROUNDS: Final = 5
"""Floors and moves are measured in turns, so that what else the machine does meets both."""
GAME_MOVES_MAX: Final = 150
CROWD_MOVES: Final = 5
CONNECTS_PER_SECOND: Final = 150
ANSWER_SECONDS: Final = 10.0
"""A later answer is an error."""


@dataclass
class PathSamples:
    """Seconds of each single measurement."""

    websocket: list[float] = field(default_factory=list)
    request: list[float] = field(default_factory=list)
    publish: list[float] = field(default_factory=list)
    move: list[float] = field(default_factory=list)

    def floors(self) -> Floors:
        return Floors(websocket=latency(self.websocket), request=latency(self.request), publish=latency(self.publish))

    def summary(self) -> Latency:
        return latency(self.move)


async def measure_path(bare: Bare, address: str, *, moves: int, seed: int) -> PathSamples:
    """Moves one after the other on one socket, and the floors, in turns."""
    samples = PathSamples()
    player = await connect(address, seed)
    async with websockets.connect(bare.socket, compression=None, ping_interval=None) as echo, player.socket:
        await _warm_up(bare, echo, player, min(WARM_UP, moves))
        for _ in range(ROUNDS):
            count = max(moves // ROUNDS, 1)
            samples.websocket += [await _echo(echo) for _ in range(count)]
            samples.request += [await _request(bare) for _ in range(count)]
            samples.publish += [await _publish(bare) for _ in range(count)]
            samples.move += await _moves(player, count)
    return samples


async def measure_hints(address: str, *, hints: int, seed: int) -> Latency:
    """Hints one after the other, each followed, on the positions that this leads to."""
    player = await connect(address, seed)
    seconds: list[float] = []
    async with player.socket:
        await player.new_game()
        await player.hint()
        while len(seconds) < hints:
            took, move = await player.hint()
            seconds.append(took)
            if move is None or player.view is None or player.view.status != "running":
                await player.new_game()
            else:
                await player.play(move)
                if not player.view.legal:
                    await player.new_game()
    return latency(seconds)


async def measure_crowd(address: str, *, games: int, pace_seconds: float, seed: int) -> Crowd:
    """Many games at once, on a socket each, every one with a move in so many seconds."""
    crowd = _Crowd(pace_seconds)
    sitting = [
        asyncio.ensure_future(crowd.sit_down(address, seed + number, number / CONNECTS_PER_SECOND))
        for number in range(games)
    ]
    players = [player for player in await asyncio.gather(*sitting) if player is not None]
    began = time.perf_counter()
    await asyncio.gather(
        *(
            crowd.play(player, began + pace_seconds * number / max(len(players), 1))
            for number, player in enumerate(players)
        )
    )
    seconds = time.perf_counter() - began
    await asyncio.gather(*(player.socket.close() for player in players))
    return Crowd(
        games=games,
        seconds=round(seconds, 1),
        moves_per_second=round(len(crowd.seconds) / seconds, 1),
        errors=crowd.errors.total(),
        error_kinds=dict(crowd.errors),
        late=crowd.late,
        move=latency(crowd.seconds) if crowd.seconds else None,
    )


@dataclass
class _Crowd:
    pace_seconds: float
    seconds: list[float] = field(default_factory=list)
    errors: Counter[str] = field(default_factory=Counter)
    late: int = 0

    async def sit_down(self, address: str, seed: int, delay: float) -> Player | None:
        """Connects and deals. None, and an error counted, when that fails."""
        await asyncio.sleep(delay)
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                player = await connect(address, seed)
                await player.new_game()
                return player
        except (UnexpectedError, websockets.WebSocketException, OSError, TimeoutError) as error:
            self.errors[_name(error)] += 1
            return None

    async def play(self, player: Player, first_due: float) -> None:
        """Moves at their times. An error ends this game's part."""
        try:
            for number in range(CROWD_MOVES):
                due = first_due + number * self.pace_seconds
                self.late += time.perf_counter() > due
                await asyncio.sleep(due - time.perf_counter())
                async with asyncio.timeout(ANSWER_SECONDS):
                    await player.move()
                self.seconds.append(time.perf_counter() - due)
        except (UnexpectedError, websockets.WebSocketException, OSError, TimeoutError) as error:
            self.errors[_name(error)] += 1


def _name(error: Exception) -> str:
    return str(error) if isinstance(error, UnexpectedError) else type(error).__name__


async def _warm_up(bare: Bare, echo: websockets.ClientConnection, player: Player, count: int) -> None:
    for _ in range(count):
        await _echo(echo)
        await _request(bare)
        await _publish(bare)
    await _moves(player, count)


async def _moves(player: Player, count: int) -> list[float]:
    """Games of a common length: a new one, which is not measured, when that is reached."""
    seconds = []
    for _ in range(count):
        if player.view is None or player.view.version >= GAME_MOVES_MAX or not player.view.legal:
            await player.new_game()
        seconds.append(await player.move())
    return seconds


async def _echo(socket: websockets.ClientConnection) -> float:
    text = "x" * ECHO_BYTES
    began = time.perf_counter()
    await socket.send(text)
    await socket.recv()
    return time.perf_counter() - began


async def _request(bare: Bare) -> float:
    began = time.perf_counter()
    await bare.client.request(subjects.command(ECHO_GAME), b"x" * ECHO_BYTES, timeout=ANSWER_SECONDS)
    return time.perf_counter() - began


async def _publish(bare: Bare) -> float:
    """Stored when it is answered: checked, for an error is answered fast."""
    began = time.perf_counter()
    answer = await bare.client.request(subjects.game_log(FLOOR_GAME), b"x" * RECORD_BYTES, timeout=ANSWER_SECONDS)
    seconds = time.perf_counter() - began
    if b'"error"' in answer.data:
        raise nats.errors.Error(answer.data.decode())
    return seconds
