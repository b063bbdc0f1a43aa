"""A player's statistics, rankings and calendar over HTTP, and as files."""

import csv
import io
from functools import partial

import httpx
import pytest

from services.gateway.statistics import api
from shared import clock
from shared.messages.frames import ResignFrame
from tests.integration.game_state import soon
from tests.integration.gateway import Running, made, player


async def test_a_players_statistics_and_games_are_had_as_files_with_the_token_alone(
    at: Running, scored: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Page by page, all of them; and when there are more than a file holds, it says so."""
    session = (await scored.post("/api/session")).json()
    signed = {"Authorization": f"Bearer {session['token']}"}
    resigned, running = 3, 2
    async with player(at, session["token"]) as one:
        for number in range(resigned + running):
            view = await one.new_game()
            made(await one.play("draw"))
            if number < resigned:
                made(await one.ask(ResignFrame(id=clock.new_command_id(), game=view.game, version=2)))
    monkeypatch.setattr(api, "GAMES_PAGE_MAX", 2)
    games = partial(scored.get, "/api/games/export", headers=signed)

    async def all_there() -> bool:
        return len((await games()).json()["games"]) == resigned + running

    await soon(all_there)
    found = (await games()).json()
    assert (found["player"], found["complete"]) == (session["player"], True)
    assert [one["end"] and one["end"]["result"] for one in found["games"]] == [None] * running + ["resigned"] * resigned
    file = await games(params={"format": "csv"})
    assert file.headers["content-type"] == "text/csv; charset=utf-8"
    assert file.headers["content-disposition"] == 'attachment; filename="klondike-games.csv"'
    rows = list(csv.DictReader(io.StringIO(file.text)))
    assert [row["game"] for row in rows] == [one["game"] for one in found["games"]]
    sums = await scored.get("/api/statistics/export", params={"format": "csv"}, headers=signed)
    (row,) = csv.DictReader(io.StringIO(sums.text))
    assert (row["games"], row["running"], row["losses"], row["streak"]) == ("5", "2", "3", "-3")
    as_json = (await scored.get("/api/statistics/export", headers=signed)).json()
    assert (as_json["player"], as_json["rows"][0]["games"]) == (session["player"], 5)
    monkeypatch.setattr(api, "EXPORTED_GAMES_MAX", 2)
    cut = (await games()).json()
    assert (len(cut["games"]), cut["complete"]) == (2 + 2, False)


async def test_a_ranking_names_its_period_and_its_bounds(scored: httpx.AsyncClient) -> None:
    day = 86_400_000
    found = {
        kind: (await scored.get("/api/rankings/draw1/standard", params={"period": kind, "day": "2026-03-04"})).json()
        for kind in ("day", "week", "all")
    }
    assert [found[kind]["period"] for kind in found] == [*found]
    assert found["day"]["ends_at"] - found["day"]["begins_at"] == day
    assert found["week"]["ends_at"] - found["week"]["begins_at"] == 7 * day
    assert found["day"]["begins_at"] - found["week"]["begins_at"] == 2 * day, "it is a Wednesday"
    assert found["all"]["begins_at"] is found["all"]["ends_at"] is None


@pytest.mark.parametrize(
    ("path", "signed", "status", "code", "field"),
    [
        ("/api/rankings/draw1/standard?period=year", False, 400, "bad-request", "period"),
        ("/api/rankings/draw1/standard?period=day&day=today", False, 400, "bad-request", "day"),
        ("/api/rankings/draw1/standard?period=day&day=2026-02-30", False, 400, "bad-request", "day"),
        ("/api/statistics/export", False, 401, "not-signed-in", None),
        ("/api/games/export", False, 401, "not-signed-in", None),
        ("/api/games/export?format=xml", True, 400, "bad-request", "format"),
        ("/api/daily/draw1/calendar", False, 401, "not-signed-in", None),
        ("/api/daily/draw9/calendar", True, 404, "unknown-variant", "variant"),
        ("/api/daily/draw1/calendar?month=2026-13", True, 400, "bad-request", "month"),
    ],
)
async def test_a_bad_request_is_answered_by_an_error_with_its_code_and_field(
    scored: httpx.AsyncClient, path: str, signed: bool, status: int, code: str, field: str | None
) -> None:
    token = (await scored.post("/api/session")).json()["token"]
    response = await scored.get(path, headers={"Authorization": f"Bearer {token}"} if signed else {})
    assert (response.status_code, response.json()["code"], response.json().get("field")) == (status, code, field)


async def test_the_calendar_of_who_has_played_no_day_is_empty(scored: httpx.AsyncClient) -> None:
    session = (await scored.post("/api/session")).json()
    signed = {"Authorization": f"Bearer {session['token']}"}
    found = (await scored.get("/api/daily/draw1/calendar", params={"month": "2026-03"}, headers=signed)).json()
    assert (found["player"], found["month"], found["days"]) == (session["player"], "2026-03", [])
    assert (found["streak"], found["longest_streak"]) == (0, 0)
