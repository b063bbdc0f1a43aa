"""Links to games that are over, on real servers: made and withdrawn by the player, good for anybody meanwhile."""

import re

import httpx
import msgspec

from services.gateway.history.replay import NOBODY
from shared import clock, subjects
from shared.bus.event_log import EventLog
from shared.messages.frames import ResignFrame
from shared.messages.history import GameHistory
from shared.messages.sharing import KEY_PATTERN
from shared.messages.views import View
from tests.conftest import ConnectAs
from tests.integration.gateway import Player, Running, made, player


async def over(by: Player) -> View:
    """A game with a move that was given up."""
    view = await by.new_game()
    view = made(await by.play("draw")).view
    return made(await by.ask(ResignFrame(id=clock.new_command_id(), game=view.game, version=view.version))).view


async def test_whoever_has_the_link_sees_the_game_and_no_name_in_it(one: Player, web: httpx.AsyncClient) -> None:
    game = (await over(one)).game
    before = await web.get(f"/api/games/{game}/link", headers=one.signed)
    assert (before.status_code, before.json()["key"]) == (200, None)
    key = (await web.post(f"/api/games/{game}/link", headers=one.signed)).json()["key"]
    assert re.fullmatch(KEY_PATTERN, key)
    shared = await web.get(f"/api/shared/{game}/{key}/history")
    assert shared.status_code == 200
    history = msgspec.json.decode(shared.content, type=GameHistory)
    assert (history.game, history.moves, history.result) == (game, 1, "resigned")
    own = await web.get(f"/api/games/{game}/history", headers=one.signed)
    assert own.content == shared.content
    me = (await web.get("/api/statistics", headers=one.signed)).json().get("player")
    for text in (one.token, one.token.split(".")[0], me or "no scoring here"):
        assert text not in shared.text
    assert NOBODY in shared.text
    table = await web.get(f"/api/shared/{game}/{key}/history?format=text")
    assert table.text.startswith(f"Klondike game {game}\n")


async def test_a_link_is_the_same_however_often_it_is_asked_for_until_it_is_withdrawn(
    one: Player, web: httpx.AsyncClient
) -> None:
    game = (await over(one)).game
    path = f"/api/games/{game}/link"
    keys = {(await web.post(path, headers=one.signed)).json()["key"] for _ in range(3)}
    keys.add((await web.get(path, headers=one.signed)).json()["key"])
    assert len(keys) == 1
    (key,) = keys
    for _ in range(2):
        gone = await web.delete(path, headers=one.signed)
        assert (gone.status_code, gone.json()["key"]) == (200, None)
    refused = await web.get(f"/api/shared/{game}/{key}/history")
    assert (refused.status_code, refused.json()["code"]) == (404, "no-such-link")
    fresh = (await web.post(path, headers=one.signed)).json()["key"]
    assert fresh != key
    assert (await web.get(f"/api/shared/{game}/{key}/history")).status_code == 404, "the old one stays withdrawn"
    assert (await web.get(f"/api/shared/{game}/{fresh}/history")).status_code == 200


async def test_a_running_game_has_no_link_and_anothers_game_is_not_shared(
    at: Running, one: Player, web: httpx.AsyncClient
) -> None:
    running = (await one.new_game()).game
    path = f"/api/games/{running}/link"
    for ask in (web.get, web.post, web.delete):
        refused = await ask(path, headers=one.signed)
        assert (refused.status_code, refused.json()["code"]) == (409, "game-running")
    ended = (await over(one)).game
    async with player(at) as other:
        for ask in (web.get, web.post, web.delete):
            refused = await ask(f"/api/games/{ended}/link", headers=other.signed)
            assert (refused.status_code, refused.json()["code"]) == (403, "not-your-game")
    assert (await web.post(f"/api/games/{ended}/link")).status_code == 401
    missing = await web.post(f"/api/games/{'a' * 26}/link", headers=one.signed)
    assert (missing.status_code, missing.json()["code"]) == (404, "unknown-game")


async def test_no_guess_opens_anything_and_all_guesses_are_answered_alike(one: Player, web: httpx.AsyncClient) -> None:
    """A wrong key, a key of another game, a game without a link, and one that never was."""
    shared, other = (await over(one)).game, (await over(one)).game
    key = (await web.post(f"/api/games/{shared}/link", headers=one.signed)).json()["key"]
    answers = set()
    for game, guess in ((shared, "a" * 32), (other, key), (other, "a" * 32), ("a" * 26, key), (shared, "short")):
        for what in ("history", "verdict"):
            refused = await web.get(f"/api/shared/{game}/{guess}/{what}")
            assert refused.status_code == 404
            answers.add(refused.text)
    assert len(answers) == 1


async def test_links_stay_when_every_process_starts_anew_and_one_message_is_kept_of_each(
    one: Player, web: httpx.AsyncClient, connect_as: ConnectAs
) -> None:
    """They are in a stream, not in anybody's memory, and hold no player."""
    game = (await over(one)).game
    path = f"/api/games/{game}/link"
    for _ in range(3):
        await web.post(path, headers=one.signed)
        await web.delete(path, headers=one.signed)
    key = (await web.post(path, headers=one.signed)).json()["key"]
    nc = await connect_as("game-state")
    (kept,) = await EventLog(nc, clock.jitter, stream=subjects.SHARE_STREAM).read(subjects.share(game))
    fields = msgspec.msgpack.decode(kept.data, type=dict[str, object])
    assert (set(fields), fields["key"]) == ({"type", "schema", "game", "key", "at"}, key)
