"""What scoring answers about a log that it has counted."""

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace

import msgspec
import pytest
from nats.aio.client import Client

from services.scoring.periods import date_of, day_of
from services.scoring.queries import Queries, refusal
from shared import clock, subjects
from shared.bus.responder import serve
from shared.messages.answers import (
    FetchGames,
    FetchRanking,
    FetchStatistics,
    PeriodKind,
    PlayerGames,
    PlayerStatistics,
    Ranking,
    RequestRefused,
    StatisticsAnswer,
)
from shared.messages.base import Input, PlayerId
from shared.messages.codec import encode
from tests.conftest import ConnectAs
from tests.integration.scoring import GAMES, INTERLEAVED, PATIENCE_SECONDS, Scoring, caught_up, publish
from tests.scoring_logs import STARTED_AT, Act, Script, game_id, player_id, recent, write

Ask = Callable[[str, Input], Awaitable[StatisticsAnswer]]


@pytest.fixture
async def ask(scoring: Scoring, connect_as: ConnectAs) -> AsyncIterator[Ask]:
    """Ask the way the gateway does."""
    responder = await serve(
        scoring.client,
        name="scoring",
        version="1.0.0",
        description="under test",
        endpoints=Queries(scoring.redis, clock.now_ms).endpoints(),
        refusal=refusal,
    )
    gateway = await connect_as("gateway")

    async def one(subject: str, request: Input) -> StatisticsAnswer:
        reply = await gateway.request(subject, encode(request), timeout=PATIENCE_SECONDS)
        return msgspec.msgpack.decode(reply.data, type=StatisticsAnswer)

    yield one
    await responder.stop()


async def test_a_player_gets_the_statistics_of_each_kind_of_game(
    scoring: Scoring, log_writer: Client, ask: Ask
) -> None:
    await caught_up(scoring, await publish(log_writer, write(GAMES, INTERLEAVED)))
    answer = await ask(subjects.STATISTICS, FetchStatistics(player=player_id(2)))
    assert isinstance(answer, PlayerStatistics)
    assert [(row.variant, row.assisted, row.games, row.wins, row.best_points) for row in answer.rows] == [
        ("draw1", False, 1, 1, 500),
        ("draw1", True, 1, 1, 700),
    ]
    nobody = await ask(subjects.STATISTICS, FetchStatistics(player=player_id(77)))
    assert nobody == PlayerStatistics(player=player_id(77), rows=())


async def test_a_ranking_holds_unassisted_wins_on_secret_deals_of_its_own_variant(
    scoring: Scoring, log_writer: Client, ask: Ask
) -> None:
    await caught_up(scoring, await publish(log_writer, write(GAMES, INTERLEAVED)))
    draw1 = await ask(subjects.RANKING, FetchRanking(variant="draw1", scoring="standard", player=player_id(1), limit=1))
    assert isinstance(draw1, Ranking)
    assert [(row.place, row.player, row.points, row.play_ms) for row in draw1.rows] == [(1, player_id(2), 500, 80_000)]
    assert draw1.own is not None
    assert (draw1.own.place, draw1.own.points, draw1.own.play_ms) == (2, 500, 90_000)
    draw3 = await ask(subjects.RANKING, FetchRanking(variant="draw3", scoring="standard", player=player_id(1)))
    assert isinstance(draw3, Ranking)
    assert [(row.player, row.points) for row in draw3.rows] == [(player_id(3), 650)]
    assert draw3.own is None


async def test_win_loss_ranks_by_the_number_of_wins(scoring: Scoring, log_writer: Client, ask: Ask) -> None:
    won = Script(scoring="win-loss", acts=("move", "won"), points=1, play_ms=5)
    games = [won, won, replace(won, player=2)]
    await caught_up(scoring, await publish(log_writer, write(games)))
    answer = await ask(subjects.RANKING, FetchRanking(variant="draw1", scoring="win-loss"))
    assert isinstance(answer, Ranking)
    assert [(row.place, row.player, row.points) for row in answer.rows] == [(1, player_id(1), 2), (2, player_id(2), 1)]


async def test_days_and_weeks_are_ranked_apart_and_old_ones_are_forgotten_alike_live_and_rebuilt(
    scoring: Scoring, log_writer: Client, ask: Ask
) -> None:
    """A win of long ago is in the ranking of all time alone, and its day comes back by no rebuild."""
    now = recent()
    won = Script(acts=("move", "won"), points=500, started_at=now)
    games = [won, replace(won, player=2, points=600, started_at=STARTED_AT), replace(won, player=3, points=400)]
    stored = await publish(log_writer, write(games))
    await caught_up(scoring, stored)

    async def ranked(period: PeriodKind, day: str | None = None) -> list[tuple[PlayerId, int]]:
        answer = await ask(subjects.RANKING, FetchRanking(variant="draw1", scoring="standard", period=period, day=day))
        assert isinstance(answer, Ranking)
        assert answer.period == period
        if answer.begins_at is not None and answer.ends_at is not None and day is None:
            assert answer.begins_at <= now < answer.ends_at
        return [(row.player, row.points) for row in answer.rows]

    async def all_is_right() -> None:
        assert await ranked("day") == await ranked("week") == [(player_id(1), 500), (player_id(3), 400)]
        assert await ranked("all") == [(player_id(2), 600), (player_id(1), 500), (player_id(3), 400)]
        assert await ranked("day", str(date_of(now - 86_400_000))) == []
        assert await ranked("day", str(date_of(STARTED_AT))) == []

    await all_is_right()
    await scoring.projector.rebuild_now()
    await all_is_right()
    position = await scoring.store.position()
    assert position is not None
    key = subjects.ranking_key(position.generation, f"day-{date_of(now)}", "draw1", "standard")
    expires: int = await scoring.redis.pexpiretime(key)
    assert expires == day_of(date_of(now)).gone_at


async def test_a_player_gets_the_running_games_newest_first(scoring: Scoring, log_writer: Client, ask: Ask) -> None:
    games = [Script(), Script(variant="draw3", acts=("draw",)), Script(acts=("move", "won")), Script(player=2)]
    await caught_up(scoring, await publish(log_writer, write(games)))
    answer = await ask(subjects.PLAYER_GAMES, FetchGames(player=player_id(1)))
    assert isinstance(answer, PlayerGames)
    assert {(game.game, game.variant, game.version) for game in answer.games} == {
        (game_id(0), "draw1", 1),
        (game_id(1), "draw3", 2),
    }


async def test_a_player_gets_the_games_that_are_over_the_last_to_end_first(
    scoring: Scoring, log_writer: Client, ask: Ask
) -> None:
    longer = [_resigned_after(length) for length in range(1, 4)]
    others = [Script(), Script(acts=("resigned",)), Script(player=2, acts=("draw", "lost"))]
    await caught_up(scoring, await publish(log_writer, write([*longer, *others])))
    answer = await ask(subjects.PLAYER_GAMES, FetchGames(player=player_id(1), over=True))
    assert isinstance(answer, PlayerGames)
    assert [(one.game, one.version, one.end and one.end.result) for one in answer.games] == [
        (game_id(number), number + 2, "resigned") for number in (2, 1, 0)
    ]


@pytest.mark.parametrize(
    ("variant", "scoring_mode", "code", "field", "named"),
    [
        ("draw9", "standard", "unknown-variant", "variant", "draw3"),
        ("draw1", "points", "unknown-scoring", "scoring", "win-loss"),
        ("vegas", "standard", "scoring-not-offered", "scoring", "vegas"),
    ],
)
async def test_an_unknown_name_is_refused_with_its_field_and_the_known_ones(
    ask: Ask, variant: str, scoring_mode: str, code: str, field: str, named: str
) -> None:
    answer = await ask(subjects.RANKING, FetchRanking(variant=variant, scoring=scoring_mode))
    assert isinstance(answer, RequestRefused)
    assert (answer.error.code, answer.error.field) == (code, field)
    assert named in answer.error.fix


async def test_a_request_that_is_not_its_schema_is_refused_with_the_field(ask: Ask) -> None:
    answer = await ask(subjects.STATISTICS, FetchStatistics(player=game_id(0)[:5]))  # type: ignore[arg-type] # bad on purpose
    assert isinstance(answer, RequestRefused)
    assert (answer.error.code, answer.error.field) == ("bad-request", "$.player")


def _resigned_after(moves: int, player: int = 1) -> Script:
    made: list[Act] = ["move"] * moves
    return Script(player=player, acts=(*made, "resigned"))
