"""Games that are over, found in a real Redis: every page of every question against a naive look at all of them."""

import random
from collections.abc import Sequence
from dataclasses import dataclass

import msgspec
import pytest

from services.scoring import ended
from services.scoring.queries import Queries
from services.scoring.reading import read
from services.scoring.store import Store
from services.scoring.working import Working
from shared import clock, subjects
from shared.bus.redis_connection import Redis
from shared.messages.answers import FindGames, GameEnd, GameSummary
from tests.conftest import RedisAs
from tests.scoring_logs import STARTED_AT, Act, Script, player_id, write

ACTS: tuple[Act, ...] = ("move", "draw", "undo", "hint")
RESULTS: tuple[Act, ...] = ("won", "lost", "resigned")


@dataclass
class Filled:
    """Projections of some log, and the same games as one fold over it gives them."""

    redis: Redis
    generation: str
    games: list[GameSummary]

    async def pages(self, request: FindGames) -> list[tuple[GameSummary, ...]]:
        pages = []
        while True:
            page = await ended.page(self.redis, request, self.generation)
            pages.append(page.games)
            if page.next is None:
                return pages
            request = msgspec.structs.replace(request, after=page.next)

    def naive(self, request: FindGames) -> list[GameSummary]:
        asked = (
            ("player", request.player, lambda one: one.player),
            ("variant", request.variant, lambda one: one.variant),
            ("scoring", request.scoring, lambda one: one.scoring),
            ("result", request.result, lambda one: end_of(one).result),
            ("assisted", request.assisted, lambda one: end_of(one).assisted),
        )
        return [
            one
            for one in self.games
            if all(wanted is None or wanted == found(one) for _, wanted, found in asked)
            and (request.ended_from or 0) <= end_of(one).at < (request.ended_before or 2**60)
            and (request.moves_min or 0)
            <= end_of(one).moves
            <= (2**60 if request.moves_max is None else request.moves_max)
        ]


def end_of(summary: GameSummary) -> GameEnd:
    assert summary.end is not None
    return summary.end


def last_first(games: Sequence[GameSummary]) -> list[GameSummary]:
    return sorted(games, key=lambda one: (end_of(one).at, one.game), reverse=True)


async def fill(redis: Redis, scripts: Sequence[Script]) -> Filled:
    store = Store(redis)
    position = await store.begin()
    log = write(scripts)
    position, _ = await store.apply(position, [read(message) for message in log], log[-1].cursor)
    await store.switch(position)
    working = Working({}, {}, {})
    for message in log:
        working.apply(read(message))
    return Filled(redis, position.generation, last_first([one for over in working.over.values() for one in over]))


def some_scripts(count: int) -> list[Script]:
    """Games of few lengths: many end in the same millisecond."""
    chance = random.Random(count)
    return [
        Script(
            player=chance.randint(1, 3),
            variant=chance.choice(("draw1", "draw3")),
            scoring=chance.choice(("standard", "win-loss")),
            acts=("move", *chance.choices(ACTS, k=chance.randrange(3)), chance.choice(RESULTS)),
            moves=chance.randrange(5),
        )
        for _ in range(count)
    ]


@pytest.fixture
async def filled(redis_as: RedisAs) -> Filled:
    return await fill(await redis_as("scoring"), some_scripts(300))


async def test_every_question_is_answered_as_a_look_at_all_games_answers_it(filled: Filled) -> None:
    chance = random.Random(1)
    assert len(filled.games) == 300
    found = 0
    for _ in range(60):
        request = FindGames(
            player=chance.choice((None, player_id(1), player_id(2))),
            variant=chance.choice((None, "draw3")),
            scoring=chance.choice((None, "win-loss")),
            result=chance.choice((None, "won", "resigned")),
            assisted=chance.choice((None, True, False)),
            ended_from=chance.choice((None, STARTED_AT + 3)),
            ended_before=chance.choice((None, STARTED_AT + 4)),
            moves_min=chance.choice((None, 1)),
            moves_max=chance.choice((None, 0, 3)),
            limit=chance.choice((1, 7, 100)),
        )
        pages = await filled.pages(request)
        assert [one for page in pages for one in page] == filled.naive(request), request
        assert all(len(page) <= request.limit for page in pages)
        found += sum(map(len, pages))
    assert found > 300


async def test_a_page_goes_on_where_it_was_though_games_go_on_ending(redis_as: RedisAs) -> None:
    redis = await redis_as("scoring")
    scripts = some_scripts(40)
    before = await fill(redis, scripts)
    first = await ended.page(redis, FindGames(limit=10), before.generation)
    after = await fill(redis, [*scripts, *some_scripts(25)])
    rest = await after.pages(FindGames(limit=10, after=first.next))
    seen = [*first.games, *(one for page in rest for one in page)]
    assert len(set(seen)) == len(seen), "none twice"
    assert set(before.games) <= {*seen, *after.naive(FindGames(ended_from=end_of(first.games[-1]).at))}
    assert [one for page in rest for one in page] == [
        one for one in after.games if (end_of(one).at, one.game) < (end_of(first.games[-1]).at, first.games[-1].game)
    ]


async def test_a_filter_that_nothing_passes_looks_at_so_many_games_for_a_page_and_no_more(
    filled: Filled, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ended, "CHUNK", 20)
    monkeypatch.setattr(ended, "LOOKED_AT_MAX", 100)
    pages = await filled.pages(FindGames(variant="draw3", moves_min=1_000))
    assert [len(page) for page in pages] == [0, 0, 0, 0]


async def test_all_games_of_a_player_are_there_and_come_back_with_a_rebuild(redis_as: RedisAs) -> None:
    redis = await redis_as("scoring")
    filled = await fill(redis, some_scripts(500))
    again = await fill(redis, some_scripts(500))
    assert filled.generation != again.generation
    for one in (filled, again):
        mine = [game for page in await one.pages(FindGames(player=player_id(1), limit=100)) for game in page]
        assert mine == [game for game in one.games if game.player == player_id(1)]
        assert len(mine) > 100


async def test_a_game_that_is_just_being_forgotten_is_left_out_of_its_page(filled: Filled) -> None:
    """Its row goes first, its place in the order a moment later."""
    gone = filled.games[3]
    await filled.redis.hdel(subjects.summaries_key(filled.generation), gone.game)
    pages = await filled.pages(FindGames(limit=100))
    assert [one for page in pages for one in page] == [one for one in filled.games if one != gone]


async def test_a_name_that_no_table_has_is_refused_and_not_an_empty_page(redis_as: RedisAs) -> None:
    queries = Queries(await redis_as("scoring"), clock.now_ms)
    (endpoint,) = (one for one in queries.endpoints() if one.name == "history")
    for request, code in (
        (FindGames(variant="draw9"), b"unknown-variant"),
        (FindGames(scoring="points"), b"unknown-scoring"),
    ):
        assert code in await endpoint.handler(msgspec.msgpack.encode(request), {})
