"""Health, metrics, guests, statistics and the page, over HTTP."""

import asyncio
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path

import httpx
import pytest

from services.gateway import backend
from services.gateway.page import Page
from services.scoring.app import run as run_scoring
from shared import clock, subjects
from shared.logs import Log
from shared.messages.frames import ResignFrame
from shared.settings import ScoringSettings
from tests.conftest import ConnectAs, RedisAs
from tests.integration.game_state import soon
from tests.integration.gateway import Running, code, gateway, made, player
from tests.integration.services import serving
from tests.servers import Servers

HEADERS = ("content-security-policy", "x-content-type-options", "referrer-policy", "x-frame-options")


@pytest.fixture
async def scoring(at: Running, connect_as: ConnectAs, redis_as: RedisAs, log: Log) -> AsyncIterator[None]:
    """A scoring beside the gateway and its game-state."""
    async with serving(
        run_scoring, "scoring", ScoringSettings(), await connect_as("scoring"), log, await redis_as("scoring")
    ):
        yield


async def test_the_process_is_alive(web: httpx.AsyncClient) -> None:
    response = await web.get("/healthz")
    assert (response.status_code, response.text) == (200, "ok")


async def test_ready_means_that_games_can_be_played_and_what_is_missing_is_said(web: httpx.AsyncClient) -> None:
    response = await web.get("/readyz")
    assert response.status_code == 200
    ready = response.json()
    assert ready["ready"]
    assert (ready["parts"]["nats"], ready["parts"]["game-state"]) == ("ok", "ok")
    assert ready["parts"]["scoring"] != "ok", "there is none here"


async def test_without_game_state_nothing_is_ready(connect_as: ConnectAs, log: Log) -> None:
    async with gateway(await connect_as("gateway"), log) as at, httpx.AsyncClient(base_url=at.address) as web:
        response = await web.get("/readyz")
        assert response.status_code == 503
        assert response.json()["parts"] == {"nats": "ok", "game-state": "no answer", "scoring": "no answer"}


async def test_a_lost_bus_is_said_and_its_return_too(at: Running, web: httpx.AsyncClient, servers: Servers) -> None:
    async def status(expected: int) -> bool:
        return (await web.get("/readyz")).status_code == expected

    servers.kill_nats()
    await soon(lambda: status(503))
    assert (await web.get("/healthz")).status_code == 200
    assert (await web.get("/readyz")).json()["parts"] == {"nats": "not connected, trying again"}
    servers.start_nats()
    await soon(lambda: status(200))


async def is_ready(web: httpx.AsyncClient) -> bool:
    return (await web.get("/readyz")).status_code == 200


async def test_a_log_that_stores_nothing_is_said_and_when_it_does_again(
    at: Running, web: httpx.AsyncClient, connect_as: ConnectAs, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As with a full disk: everything can be read, and no write is acknowledged."""
    monkeypatch.setattr(backend, "DEADLINE_SECONDS", 2.0)
    jetstream = (await connect_as("game-state")).jetstream()
    config = (await jetstream.stream_info(subjects.EVENT_STREAM)).config
    async with player(at) as one:
        await one.new_game()
        await jetstream.update_stream(config, no_ack=True)
        draw = one.frame("draw")
        assert code(await one.ask(draw)) == "outcome-unknown"
        unready = await web.get("/readyz")
        assert (unready.status_code, unready.json()["parts"]["game-state"]) == (503, backend.NOT_STORED)
        await jetstream.update_stream(config, no_ack=False)
        assert made(await one.ask(draw)).command == draw.id
        await soon(lambda: is_ready(web))


async def test_a_lost_redis_is_said_by_scoring(scoring: None, web: httpx.AsyncClient, servers: Servers) -> None:
    async def scoring_is_well(expected: bool) -> bool:
        return ((await web.get("/readyz")).json()["parts"].get("scoring") == "ok") is expected

    await soon(lambda: scoring_is_well(True))
    servers.kill_redis()
    await soon(lambda: scoring_is_well(False))
    servers.start_redis()
    await soon(lambda: scoring_is_well(True))


async def test_metrics_count_commands_refusals_and_sockets(at: Running, web: httpx.AsyncClient) -> None:
    async with player(at) as one:
        await one.new_game()
        made(await one.play("draw"))
        await one.play("undo")
        await one.play("T1>T1")
        text = (await web.get("/metrics")).text
    assert 'klondike_commands_total{kind="draw-cards",result="accepted"} 1.0' in text
    assert "klondike_sockets 1.0" in text
    assert "klondike_followed_games 1.0" in text
    assert 'klondike_refusals_total{code="illegal-move"} 1.0' in text
    assert 'klondike_command_seconds_count{kind="draw-cards"} 1.0' in text


async def test_a_token_of_the_api_plays_and_its_statistics_are_the_players(
    at: Running, scoring: None, web: httpx.AsyncClient
) -> None:
    session = (await web.post("/api/session")).json()
    signed = {"Authorization": f"Bearer {session['token']}"}
    async with player(at, session["token"]) as one:
        view = await one.new_game()
        made(await one.play("draw"))

    async def counted() -> bool:
        return bool((await web.get("/api/statistics", headers=signed)).json()["rows"])

    await soon(counted)
    statistics = (await web.get("/api/statistics", headers=signed)).json()
    assert statistics["player"] == session["player"]
    assert [(row["variant"], row["games"]) for row in statistics["rows"]] == [("draw1", 1)]
    games = (await web.get("/api/games", headers=signed)).json()
    assert [game["game"] for game in games["games"]] == [view.game]
    over = partial(web.get, "/api/games", params={"over": "true"}, headers=signed)
    assert (await over()).json()["games"] == []
    async with player(at, session["token"]) as one:
        await one.resume(view.game)
        made(await one.ask(ResignFrame(id=clock.new_command_id(), game=view.game, version=2)))

    async def listed() -> bool:
        return bool((await over()).json()["games"])

    await soon(listed)
    (ended,) = (await over()).json()["games"]
    found = await web.get("/api/history", params={"result": "resigned", "moves_max": 1, "limit": 1}, headers=signed)
    assert (found.json()["games"], found.json()["next"]) == ([ended], f"{ended['end']['at']}-{view.game}")
    behind = await web.get("/api/history", params={"after": found.json()["next"]}, headers=signed)
    assert (behind.json()["games"], behind.json()["next"]) == ([], None)
    assert (ended["game"], ended["end"]["result"], ended["end"]["moves"]) == (view.game, "resigned", 1)
    assert (await web.get("/api/games", headers=signed)).json()["games"] == []
    ranking = (await web.get("/api/rankings/draw1/standard")).json()
    assert (ranking["variant"], ranking["rows"]) == ("draw1", [])


@pytest.mark.parametrize(
    ("path", "headers", "status", "code", "field"),
    [
        ("/api/statistics", {}, 401, "not-signed-in", None),
        ("/api/games", {"Authorization": "Basic x"}, 401, "not-signed-in", None),
        ("/api/games", {"Authorization": "Bearer x.y"}, 401, "bad-token", None),
        ("/api/rankings/draw1/standard?limit=0", {}, 400, "bad-request", "limit"),
        ("/api/rankings/draw1/standard?limit=many", {}, 400, "bad-request", "limit"),
        ("/api/rankings/nope/standard", {}, 404, "unknown-variant", "variant"),
        ("/api/rankings/draw1/nope", {}, 404, "unknown-scoring", "scoring"),
        ("/api/rankings/vegas/standard", {}, 404, "scoring-not-offered", "scoring"),
        ("/api/history", {}, 401, "not-signed-in", None),
        ("/api/history?result=tied", {}, 400, "bad-request", "result"),
        ("/api/history?after=yesterday", {}, 400, "bad-request", "after"),
        ("/api/history?moves_min=-1", {}, 400, "bad-request", "moves_min"),
        ("/api/history?min_moves=1", {}, 400, "bad-request", "min_moves"),
        ("/api/variants?backend=1", {}, 400, "bad-request", "backend"),
        ("/api/nothing", {}, 404, "not-found", None),
        ("/nothing.js", {}, 404, "not-found", None),
    ],
)
async def test_a_bad_request_is_answered_by_an_error_with_its_code(
    scoring: None,
    web: httpx.AsyncClient,
    path: str,
    headers: dict[str, str],
    status: int,
    code: str,
    field: str | None,
) -> None:
    response = await web.get(path, headers=headers)
    error = response.json()
    assert (response.status_code, error["code"], error.get("field")) == (status, code, field)
    assert error["text"]
    assert error["fix"]
    assert "hello" not in error["fix"]
    assert ("POST /api/session" in error["fix"]) is (status == 401)
    assert all(name in response.headers for name in HEADERS)


async def test_statistics_without_scoring_are_unavailable(at: Running, web: httpx.AsyncClient) -> None:
    response = await web.get("/api/rankings/draw1/standard")
    assert (response.status_code, response.json()["code"]) == (503, "unavailable")


async def test_a_wrong_method_is_refused(web: httpx.AsyncClient) -> None:
    response = await web.post("/api/statistics")
    assert (response.status_code, response.json()["code"]) == (405, "bad-request")


async def test_a_person_gets_a_page_for_a_wrong_address(web: httpx.AsyncClient) -> None:
    response = await web.get("/nothing", headers={"Accept": "text/html"})
    assert response.status_code == 404
    assert response.headers["content-type"].startswith("text/html")


async def test_the_page_is_sent_once_and_then_only_when_it_changed(web: httpx.AsyncClient) -> None:
    first = await web.get("/")
    assert first.status_code == 200
    assert first.headers["content-type"] == "text/html; charset=utf-8"
    assert first.headers["cache-control"] == "no-cache"
    again = await web.get("/", headers={"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert all(name in first.headers for name in HEADERS)


async def test_a_file_is_the_same_packed_and_not(web: httpx.AsyncClient) -> None:
    packed = await web.get("/js/main.js", headers={"Accept-Encoding": "gzip"})
    plain = await web.get("/js/main.js", headers={"Accept-Encoding": "identity"})
    assert (packed.headers["content-encoding"], "content-encoding" in plain.headers) == ("gzip", False)
    assert packed.content == plain.content
    assert int(packed.headers["content-length"]) < int(plain.headers["content-length"]) / 2
    assert packed.headers["vary"] == plain.headers["vary"] == "accept-encoding"


async def test_what_can_be_a_page_or_a_worker_says_what_it_may_load(web: httpx.AsyncClient) -> None:
    """And what only pages load does not: it comes a hundred times."""
    for path in ("/", "/sw.js", "/icon.svg", "/rules/draw1", "/api/variants", "/nothing.html"):
        headers = (await web.get(path)).headers
        assert [name for name in HEADERS if name not in headers] == [], path
    for path in ("/js/main.js", "/css/page.css"):
        headers = (await web.get(path)).headers
        assert "content-security-policy" not in headers
        assert headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize(
    "path", ["/../app.py", "/%2e%2e/app.py", "/js/../../app.py", "/..%2fapp.py", "/%00", "//etc/passwd"]
)
async def test_nothing_outside_the_page_is_served(at: Running, path: str) -> None:
    host, _, port = at.address.removeprefix("http://").partition(":")
    status = await _raw_status(host, int(port), path)
    assert status in {400, 404}


def test_a_file_that_changes_is_read_anew_and_hidden_files_are_not_there(tmp_path: Path) -> None:
    page = Page(tmp_path)
    (tmp_path / "index.html").write_text("one")
    (tmp_path / ".secret").write_text("x")
    (tmp_path.parent / "outside.txt").write_text("x")
    (tmp_path / "link.txt").symlink_to(tmp_path.parent / "outside.txt")
    first = page.find("/")
    assert first is not None
    assert first.body == b"one"
    assert page.find("/") is first
    (tmp_path / "index.html").write_text("other")
    second = page.find("/index.html")
    assert second is not None
    assert (second.body, second.etag != first.etag) == (b"other", True)
    assert page.find("/.secret") is None
    assert page.find("/link.txt") is None
    assert page.find("/missing.js") is None


async def _raw_status(host: str, port: int, path: str) -> int:
    """The status of a request whose path no client library has cleaned."""
    reader, writer = await asyncio.open_connection(host, port)
    writer.write(f"GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
    status = int((await reader.readline()).split()[1])
    writer.close()
    await writer.wait_closed()
    return status


@pytest.mark.parametrize("path", ["/", "/healthz", "/js/main.js", "/api/variants", "/nowhere", "/api/games"])
async def test_head_answers_as_get_does_without_the_body(web: httpx.AsyncClient, path: str) -> None:
    whole, head = await web.get(path), await web.head(path)
    assert head.status_code == whole.status_code
    assert head.content == b""
    for name in ("content-type", "content-length", "etag"):
        assert head.headers.get(name) == whole.headers.get(name)
