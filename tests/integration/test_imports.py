"""Games from files over HTTP, on real servers: played again by the dealer, shown as histories, judged by the solver."""

from collections.abc import AsyncIterator

import httpx
import msgspec
import pytest

from services.gateway.history import imports
from services.gateway.history.faults import BadFileError
from services.gateway.history.files import checked, read_file
from shared import clock
from shared.game.imported import played_again
from shared.logs import Log
from shared.messages.dealer import GameVerdict
from shared.messages.frames import NewGame, ResignFrame
from shared.messages.history import GameHistory
from tests.conftest import ConnectAs
from tests.integration.dealer import dealer
from tests.integration.game_state import soon
from tests.integration.gateway import Running, made, player

LOST_BY_ITS_SECOND_MOVE = "Kind draw1, standard, relaxed\nDeal number 23\nT5>F2\nT3>T7\ndraw\n"


@pytest.fixture
async def web(at: Running, connect_as: ConnectAs, log: Log) -> AsyncIterator[httpx.AsyncClient]:
    """A client that carries a guest's token, with a dealer behind the gateway."""
    async with (
        dealer(await connect_as("dealer"), log, pool_deals=0),
        httpx.AsyncClient(base_url=at.address, timeout=60) as client,
    ):
        client.headers["Authorization"] = f"Bearer {(await client.post('/api/session')).json()['token']}"
        yield client


@pytest.mark.parametrize("form", ["json", "text"])
async def test_what_was_saved_of_a_game_is_the_same_game_again(at: Running, web: httpx.AsyncClient, form: str) -> None:
    async with player(at) as one:
        view = await one.new_game()
        for move in ("draw", "draw", "undo", "redo", "draw"):
            view = made(await one.play(move)).view
        await one.ask(ResignFrame(id=clock.new_command_id(), game=view.game, version=view.version))
        own = one.signed
        path = f"/api/games/{view.game}/history"
        saved = (await web.get(f"{path}?format={form}", headers=own)).content
        history = msgspec.json.decode((await web.get(path, headers=own)).content, type=GameHistory)
    answer = await web.post("/api/analysis", content=saved)
    assert answer.status_code == 200, answer.text
    again = msgspec.json.decode(answer.content, type=GameHistory)
    assert [(step.deed, step.move, step.board, step.points, step.stands) for step in again.steps] == [
        (step.deed, step.move, step.board, step.points, step.stands) for step in history.steps
    ]
    assert (again.secret, again.commitment, again.result) == (history.secret, history.commitment, "resigned")
    listed = await web.post("/api/analysis?format=text", content=saved)
    twice = await web.post("/api/analysis?format=text", content=listed.content)
    assert twice.text.splitlines()[6:] == listed.text.splitlines()[6:]


async def test_the_solver_says_where_a_game_from_a_file_was_lost(web: httpx.AsyncClient) -> None:
    async def judged() -> bool:
        return (await web.post("/api/analysis/verdict", content=LOST_BY_ITS_SECOND_MOVE)).status_code == 200

    await soon(judged)
    answer = await web.post("/api/analysis/verdict", content=LOST_BY_ITS_SECOND_MOVE)
    verdict = msgspec.json.decode(answer.content, type=GameVerdict)
    assert verdict.lost_by is not None
    assert (verdict.moves, verdict.winnable_through, verdict.lost_by.move) == (3, 1, "T3>T7")


async def test_who_has_the_link_to_a_game_gets_the_verdict_too(at: Running, web: httpx.AsyncClient) -> None:
    """Of a variant that the solver does not play, which is said without a search."""
    async with player(at) as one:
        view = made(await one.ask(NewGame(id=clock.new_command_id(), variant="spider-klondike"))).view
        await one.ask(ResignFrame(id=clock.new_command_id(), game=view.game, version=view.version))
        own = one.signed
        key = (await web.post(f"/api/games/{view.game}/link", headers=own)).json()["key"]
    path = f"/api/shared/{view.game}/{key}/verdict"

    async def judged() -> bool:
        return (await web.get(path)).status_code == 200

    await soon(judged)
    shared = (await web.get(path)).json()
    assert shared == (await web.get(f"/api/games/{view.game}/verdict", headers=own)).json()
    assert (shared["game"], shared["undecided"]) == (view.game, "variant")


@pytest.mark.parametrize("path", ["/api/analysis", "/api/analysis/verdict"])
async def test_a_move_against_the_rules_is_named_by_its_line(web: httpx.AsyncClient, path: str) -> None:
    answer = await web.post(path, content=LOST_BY_ITS_SECOND_MOVE + "T1>T1\n")
    assert (answer.status_code, answer.json()["code"], answer.json()["field"]) == (422, "bad-file", "line 6")
    assert "line 6: The cards already lie on this pile (same-pile)." in answer.json()["text"]
    wrong = await web.post(path, content="hello")
    assert (wrong.status_code, wrong.json()["field"]) == (422, "line 1")


@pytest.mark.parametrize(
    "line",
    [
        "T5>F2*99999999999999999999",
        "T5>F2*9999999",
        "hint T5>F2*99999999999999999999",
        "chances 0 1 of 99999999999999999999",
        "99999999999999:99 T5>F2",
        "99999999999999:59 T5>F2",
        "undo",
    ],
)
async def test_what_no_message_can_hold_is_a_bad_file_in_the_very_words_of_the_command(
    web: httpx.AsyncClient, line: str
) -> None:
    text = f"Kind  draw1, standard, relaxed\nDeal  number 23\n{line}\n".encode()
    with pytest.raises(BadFileError) as raised:
        checked(file := read_file(text), played_again(file.game))
    for path in ("/api/analysis", "/api/analysis/verdict"):
        answer = await web.post(path, content=text)
        assert (answer.status_code, answer.json()["code"], answer.json()["field"]) == (422, "bad-file", "line 3")
        assert answer.json()["text"] == f"The file is no game as it was played, {raised.value}."


async def test_a_wrong_sum_is_named_by_its_line(web: httpx.AsyncClient) -> None:
    answer = await web.post("/api/analysis", content=LOST_BY_ITS_SECOND_MOVE.replace("T5>F2", "T5>F2 +11"))
    assert (answer.status_code, answer.json()["field"]) == (422, "line 3")
    assert "the change of the score is 11 there, and " in answer.json()["text"]


async def test_a_file_without_end_and_a_stranger_are_refused(
    web: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert (await web.post("/api/analysis", content="x", headers={"Authorization": ""})).status_code == 401
    monkeypatch.setattr(imports, "FILE_BYTES_MAX", 100)
    large = await web.post("/api/analysis", content=b"#" * 101)
    assert (large.status_code, large.json()["code"]) == (413, "frame-too-large")


async def test_without_a_dealer_it_is_unavailable_and_nothing_hangs(at: Running) -> None:
    async with httpx.AsyncClient(base_url=at.address, timeout=60) as client:
        token = (await client.post("/api/session")).json()["token"]
        answer = await client.post(
            "/api/analysis", content=LOST_BY_ITS_SECOND_MOVE, headers={"Authorization": f"Bearer {token}"}
        )
    assert (answer.status_code, answer.json()["code"]) == (503, "unavailable")
