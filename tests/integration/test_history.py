"""The history of a game over HTTP, on real servers: its player's, and only once it is over."""

import csv
import io

import httpx
import msgspec
import pytest

from services.gateway.history import reader
from shared import clock
from shared.messages.answers import STEPS_MAX
from shared.messages.base import GameId
from shared.messages.frames import Join, NewGame, ResignFrame
from shared.messages.history import GameHistory
from shared.messages.views import View
from tests.integration.gateway import Player, Running, made, player


async def resign(by: Player) -> View:
    assert by.view is not None
    frame = ResignFrame(id=clock.new_command_id(), game=by.view.game, version=by.view.version)
    return made(await by.ask(frame)).view


async def test_a_player_gets_an_own_game_that_is_over_with_the_boards_that_were_seen(
    one: Player, web: httpx.AsyncClient
) -> None:
    seen = [await one.new_game()]
    seen += [made(await one.play(move)).view for move in ("draw", "draw", "undo", "redo", "draw")]
    seen.append(await resign(one))
    response = await web.get(f"/api/games/{seen[0].game}/history", headers=one.signed)
    assert (response.status_code, response.headers["content-type"]) == (200, "application/json")
    history = msgspec.json.decode(response.content, type=GameHistory)
    assert (history.game, history.result, history.moves, history.secret) == (
        seen[0].game,
        "resigned",
        3,
        seen[-1].secret,
    )
    assert [step.deed for step in history.steps] == ["deal", "draw", "draw", "undo", "redo", "draw", "resign"]
    for step, view in zip(history.steps, seen, strict=True):
        assert (step.version, step.board.waste, step.board.stock) == (view.version, view.waste, view.stock)
        assert step.board.columns == view.columns


async def test_it_is_given_as_files_too(one: Player, web: httpx.AsyncClient) -> None:
    game = (await one.new_game()).game
    made(await one.play("draw"))
    await resign(one)
    path = f"/api/games/{game}/history"
    table = await web.get(f"{path}?format=csv", headers=one.signed)
    assert table.headers["content-type"] == "text/csv; charset=utf-8"
    assert table.headers["content-disposition"] == f'attachment; filename="klondike-{game}.csv"'
    assert [row["deed"] for row in csv.DictReader(io.StringIO(table.text, newline=""))] == ["deal", "draw", "resign"]
    text = await web.get(f"{path}?format=text", headers=one.signed)
    assert text.headers["content-type"] == "text/plain; charset=utf-8"
    assert text.text.startswith(f"Klondike game {game}\n")
    bad = await web.get(f"{path}?format=xml", headers=one.signed)
    assert (bad.status_code, bad.json()["code"], bad.json()["field"]) == (400, "bad-request", "format")


async def test_a_running_game_anothers_game_and_one_that_is_not_there_are_refused(
    at: Running, one: Player, web: httpx.AsyncClient
) -> None:
    """In every form, and nothing of the game is in the refusal."""
    game = (await one.new_game()).game
    path = f"/api/games/{game}/history"
    for form in ("json", "csv", "text"):
        running = await web.get(f"{path}?format={form}", headers=one.signed)
        assert (running.status_code, running.json()["code"]) == (409, "game-running")
    async with player(at) as other:
        foreign = await web.get(path, headers=other.signed)
        assert (foreign.status_code, foreign.json()["code"]) == (403, "not-your-game")
        await resign(one)
        foreign = await web.get(path, headers=other.signed)
        assert (foreign.status_code, foreign.json()["code"]) == (403, "not-your-game")
    missing = await web.get(f"/api/games/{'a' * 26}/history", headers=one.signed)
    assert (missing.status_code, missing.json()["code"]) == (404, "unknown-game")
    bad = await web.get("/api/games/mine/history", headers=one.signed)
    assert (bad.status_code, bad.json()["code"], bad.json()["field"]) == (400, "bad-request", "game")
    assert (await web.get(path)).status_code == 401


async def test_a_history_of_several_pages_is_whole_and_one_that_is_too_long_is_refused(
    one: Player, web: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    view = await one.new_game()
    while view.version <= STEPS_MAX:
        view = made(await one.play("undo" if view.can_undo else "draw")).view
    over = await resign(one)
    path = f"/api/games/{view.game}/history"
    history = msgspec.json.decode((await web.get(path, headers=one.signed)).content, type=GameHistory)
    assert [step.version for step in history.steps] == [*range(1, over.version + 1)]
    assert over.version > STEPS_MAX
    monkeypatch.setattr(reader, "HISTORY_STEPS_MAX", over.version - 1)
    long = await web.get(path, headers=one.signed)
    assert (long.status_code, long.json()["code"]) == (422, "history-too-long")


async def test_more_histories_at_once_than_are_allowed_are_told_to_come_again(
    one: Player, web: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = f"/api/games/{(await one.new_game()).game}/history"
    await resign(one)
    monkeypatch.setattr(reader, "ASKED_MAX", 0)
    refused = await web.get(path, headers=one.signed)
    assert (refused.status_code, refused.json()["code"]) == (503, "unavailable")
    monkeypatch.setattr(reader, "ASKED_MAX", 1)
    one_by_one = [(await web.get(path, headers=one.signed)).status_code for _ in range(3)]
    assert one_by_one == [200, 200, 200], "one that was answered is not counted any more"


@pytest.mark.parametrize("variant", ["double", "double-mini"])
async def test_both_players_of_a_game_for_two_get_it_and_others_by_the_link_of_either(
    variant: str, at: Running, one: Player, web: httpx.AsyncClient
) -> None:
    async with player(at) as two, player(at) as third:
        game = made(await one.ask(NewGame(id=clock.new_command_id(), variant=variant, mode="ranked"))).view.game
        joined = made(await two.ask(Join(id=clock.new_command_id(), game=game))).view
        drawn = made(await two.play("draw")).view
        path = f"/api/games/{game}"
        for by in (one, two):
            runs = await web.get(f"{path}/history", headers=by.signed)
            assert (runs.status_code, runs.json()["code"]) == (409, "game-running")
        await resign(two)
        await resign_at(one, game, drawn.version + 1)
        histories = [await web.get(f"{path}/history", headers=by.signed) for by in (one, two)]
        assert [response.status_code for response in histories] == [200, 200]
        foreign = await web.get(f"{path}/history", headers=third.signed)
        assert (foreign.status_code, foreign.json()["code"]) == (403, "not-your-game")
        assert (await web.post(f"{path}/link", headers=third.signed)).status_code == 403
        keys = {(await web.post(f"{path}/link", headers=by.signed)).json()["key"] for by in (one, two)}
        assert len(keys) == 1, "there is one link a game"
        shared = f"/api/shared/{game}/{keys.pop()}"
        histories.append(await web.get(f"{shared}/history"))
        assert len({response.content for response in histories}) == 1
        told = msgspec.json.decode(histories[0].content, type=GameHistory)
        assert [(step.deed, step.seat) for step in told.steps] == [
            ("deal", 0),
            ("join", 1),
            ("draw", 1),
            ("resign", 1),
            ("resign", 0),
        ]
        assert (told.steps[1].board.columns, told.steps[2].board.waste) == (joined.columns, drawn.waste)
        verdict = await web.get(f"{shared}/verdict")
        assert verdict.status_code in {422, 503}, "a verdict is never given, and said so where there is a dealer"
        assert (await web.delete(f"{path}/link", headers=two.signed)).status_code == 200
        assert (await web.get(f"{shared}/history")).status_code == 404


async def resign_at(by: Player, game: GameId, version: int) -> None:
    made(await by.ask(ResignFrame(id=clock.new_command_id(), game=game, version=version)))
