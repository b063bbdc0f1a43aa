"""Games that are over, in the order of their ends: found by pages that stay where they are while games go on ending.

A member of the sorted sets is the time of the end, eight bytes, and the game's id. All have the score 0, so Redis keeps
them in the order of their bytes, and a page begins behind any member, whether or not that is still there.
"""

from collections.abc import Iterator
from typing import Final, cast

import msgspec
from redis.asyncio import Redis

from services.scoring.outcomes import for_player
from shared import subjects
from shared.messages.answers import FindGames, FoundGames, GameEnd, GameSummary
from shared.messages.base import GameId

LOOKED_AT_MAX: Final = 1_000
"""Rows that are read for one page. A filter that few games pass gives short pages, not slow ones."""
CHUNK: Final = 200
TIME_BYTES: Final = 8
TIME_MS_MAX: Final = 10**16 - 1
"""What a cursor can name; a later time, which only damage makes, counts as this one."""

_summaries: Final = msgspec.msgpack.Decoder(GameSummary)


def member(summary: GameSummary) -> bytes:
    """The place of a game in the order."""
    assert summary.end is not None, "it is over"
    return _time(summary.end.at) + summary.game.encode()


async def page(redis: Redis, request: FindGames, generation: str) -> FoundGames:
    """The games that a request asks for, from the last to end on, or from behind its cursor."""
    key = subjects.ended_games_key(generation, request.player)
    highest, lowest = _bounds(request)
    found: list[GameSummary] = []
    for _ in range(LOOKED_AT_MAX // CHUNK):
        members = cast("list[bytes]", await redis.zrevrangebylex(key, highest, lowest, 0, CHUNK))
        for summary in await _rows(redis, generation, members):
            told = for_player(summary, request.player)
            if _wanted(request, told):
                found.append(told)
            if len(found) == request.limit:
                return FoundGames(games=tuple(found), next=_cursor(member(summary)))
        if len(members) < CHUNK:
            return FoundGames(games=tuple(found), next=None)
        highest = b"(" + members[-1]
    return FoundGames(games=tuple(found), next=_cursor(highest[1:]))


async def _rows(redis: Redis, generation: str, members: list[bytes]) -> Iterator[GameSummary]:
    """The games of some places, but for those whose player is being forgotten."""
    if not members:
        return iter(())
    games = [one[TIME_BYTES:] for one in members]
    stored = cast("list[bytes | None]", await redis.hmget(subjects.summaries_key(generation), games))
    return (_summaries.decode(one) for one in stored if one is not None)


def _bounds(request: FindGames) -> tuple[bytes, bytes]:
    """The highest and the lowest member that may be given, as Redis writes bounds."""
    highest, lowest = b"+", b"-"
    if request.ended_before is not None:
        highest = b"(" + _time(request.ended_before)
    if request.after is not None:
        at, _, game = request.after.partition("-")
        behind = b"(" + _time(int(at)) + GameId(game).encode()
        highest = behind if highest == b"+" else min(behind, highest)
    if request.ended_from is not None:
        lowest = b"[" + _time(request.ended_from)
    return highest, lowest


def _wanted(request: FindGames, summary: GameSummary) -> bool:
    end = summary.end
    assert end is not None, "it is over"
    same = (
        (request.variant, summary.variant),
        (request.scoring, summary.scoring),
        (request.result, end.result),
        (request.assisted, end.assisted),
    )
    return all(asked is None or asked == found for asked, found in same) and _long_enough(request, end)


def _long_enough(request: FindGames, end: GameEnd) -> bool:
    most = end.moves if request.moves_max is None else request.moves_max
    return (request.moves_min or 0) <= end.moves <= most


def _cursor(place: bytes) -> str:
    return f"{int.from_bytes(place[:TIME_BYTES])}-{place[TIME_BYTES:].decode()}"


def _time(at: int) -> bytes:
    return min(at, TIME_MS_MAX).to_bytes(TIME_BYTES)
