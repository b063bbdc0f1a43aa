"""What the server keeps of a player beside games: settings, the code for another device, and the end of both."""

import asyncio
import random

import httpx
import msgspec
import pytest

from services.gateway.guesses import BURST
from services.scoring.profiles import CODE_MS, Profiles
from shared import clock, subjects
from shared.messages.answers import RequestRefused
from shared.messages.base import PlayerId
from shared.messages.profile import DeviceCode, KeptSettings, MakeDeviceCode, UseDeviceCode
from tests.conftest import ConnectAs, RedisAs
from tests.servers import Servers

Signed = dict[str, str]


async def guest(scored: httpx.AsyncClient) -> tuple[PlayerId, Signed]:
    session = (await scored.post("/api/session")).json()
    return PlayerId(session["player"]), {"Authorization": f"Bearer {session['token']}"}


async def put(scored: httpx.AsyncClient, signed: Signed, version: int, **values: str) -> httpx.Response:
    return await scored.put("/api/settings", headers=signed, json={"version": version, "values": values})


async def test_settings_are_kept_for_the_player_and_nobody_else(scored: httpx.AsyncClient) -> None:
    _, one = await guest(scored)
    _, other = await guest(scored)
    assert (await scored.get("/api/settings", headers=one)).json() == {"type": "settings", "version": 0, "values": {}}
    kept = {"type": "settings", "version": 1, "values": {"felt": "blue", "language": "lt"}}
    assert (await put(scored, one, 0, language="lt", felt="blue")).json() == kept
    assert (await put(scored, one, 0, felt="blue", language="lt")).json() == kept, "repeated, it is done once"
    assert (await scored.get("/api/settings", headers=one)).json() == kept
    assert (await scored.get("/api/settings", headers=other)).json()["version"] == 0
    assert (await scored.get("/api/settings")).status_code == 401


async def test_of_two_changes_at_once_one_is_kept_and_the_other_is_told(scored: httpx.AsyncClient) -> None:
    _, signed = await guest(scored)
    answers = await asyncio.gather(*(put(scored, signed, 0, felt=felt) for felt in ("blue", "wine", "slate")))
    assert sorted(answer.status_code for answer in answers) == [200, 409, 409]
    (won,) = [answer.json() for answer in answers if answer.status_code == 200]
    assert {answer.json()["code"] for answer in answers if answer.status_code == 409} == {"stale-version"}
    assert (await scored.get("/api/settings", headers=signed)).json() == won
    assert (await put(scored, signed, 1, felt="green")).json()["version"] == 2


@pytest.mark.parametrize(
    ("body", "status", "field"),
    [
        ('{"version": 0, "values": {"Felt": "blue"}}', 400, "values"),
        ('{"version": 0, "values": {"felt": 7}}', 400, "values"),
        (msgspec.json.encode({"version": 0, "values": {"felt": "x" * 65}}).decode(), 400, "values"),
        (msgspec.json.encode({"version": 0, "values": {f"a{n}": "" for n in range(65)}}).decode(), 400, "values"),
        ('{"version": -1, "values": {}}', 400, "version"),
        ('{"version": 0, "values": {}, "player": "me"}', 400, "player"),
        ('{"version": 0}', 400, "values"),
        ("{", 400, None),
        ('{"version": 0, "values": {}}' + " " * 20_000, 413, None),
    ],
)
async def test_settings_that_are_none_are_refused_and_the_field_named(
    scored: httpx.AsyncClient, body: str, status: int, field: str | None
) -> None:
    _, signed = await guest(scored)
    headers = signed | {"Content-Type": "application/json"}
    answer = await scored.put("/api/settings", headers=headers, content=body)
    assert (answer.status_code, answer.json()["code"]) == (status, "bad-request"), answer.text
    assert field is None or field in (answer.json().get("field") or answer.json()["text"])
    assert (await scored.get("/api/settings", headers=signed)).json()["version"] == 0


async def test_a_code_makes_one_other_device_the_players_and_no_second_one(scored: httpx.AsyncClient) -> None:
    """However many use it at once."""
    player, signed = await guest(scored)
    code = (await scored.post("/api/player/code", headers=signed)).json()["code"]
    tries = [scored.post("/api/session/code", json={"code": code}) for _ in range(BURST - 1)]
    answers = await asyncio.gather(*tries)
    (admitted,) = [answer.json() for answer in answers if answer.status_code == 200]
    assert (admitted["player"], {"Authorization": f"Bearer {admitted['token']}"}) == (player, signed)
    refused = [answer for answer in answers if answer.status_code != 200]
    assert {(answer.status_code, answer.json()["code"]) for answer in refused} == {(404, "unknown-code")}


async def test_only_the_newest_code_of_a_player_is_good(scored: httpx.AsyncClient) -> None:
    _, signed = await guest(scored)
    older, newer = [(await scored.post("/api/player/code", headers=signed)).json()["code"] for _ in range(2)]
    assert (await scored.post("/api/session/code", json={"code": older})).status_code == 404
    assert (await scored.post("/api/session/code", json={"code": newer})).status_code == 200


async def test_who_tries_many_codes_is_stopped_even_before_a_right_one(scored: httpx.AsyncClient) -> None:
    _, signed = await guest(scored)
    code = (await scored.post("/api/player/code", headers=signed)).json()["code"]
    for _ in range(BURST):
        assert (await scored.post("/api/session/code", json={"code": "a" * 10})).status_code == 404
    stopped = await scored.post("/api/session/code", json={"code": code})
    assert (stopped.status_code, stopped.json()["code"]) == (429, "too-many-requests")


async def test_what_is_no_code_is_refused_by_name(scored: httpx.AsyncClient) -> None:
    answer = await scored.post("/api/session/code", json={"code": "ABC"})
    assert (answer.status_code, answer.json()["code"], answer.json()["field"]) == (400, "bad-request", "code")


async def test_a_code_expires(servers: Servers, connect_as: ConnectAs, redis_as: RedisAs, scored: None) -> None:
    nc, redis = await connect_as("scoring"), await redis_as("scoring")
    late = Profiles(nc, redis, random.random, clock.random_bytes, lambda: clock.now_ms() - CODE_MS - 1_000)
    made = await late.answer(MakeDeviceCode(player=PlayerId("c" * 26)))
    assert isinstance(made, DeviceCode)
    used = await late.answer(UseDeviceCode(code=made.code))
    assert isinstance(used, RequestRefused)
    assert used.error.code == "unknown-code"


async def test_nothing_is_kept_of_a_player_who_is_deleted_whatever_is_under_way(
    scored: httpx.AsyncClient, connect_as: ConnectAs
) -> None:
    """Settings, those that are just being kept, and the code go; the token is good for no new ones."""
    player, signed = await guest(scored)
    code = (await scored.post("/api/player/code", headers=signed)).json()["code"]
    changes = [put(scored, signed, version, felt=f"felt{version}") for version in range(6)]
    deleted, *_ = await asyncio.gather(scored.delete("/api/player", headers=signed), *changes)
    assert deleted.status_code == 204
    for answer in (
        await scored.get("/api/settings", headers=signed),
        await put(scored, signed, 0, felt="blue"),
        await scored.post("/api/player/code", headers=signed),
    ):
        assert (answer.status_code, answer.json()["code"]) == (410, "player-forgotten")
    assert (await scored.post("/api/session/code", json={"code": code})).status_code == 404
    owner = (await connect_as("game-state")).jetstream()
    found = await owner.get_last_msg(subjects.SETTINGS_STREAM, subjects.settings(player))
    assert msgspec.msgpack.decode(found.data or b"", type=KeptSettings).values == {}
    assert (await owner.stream_info(subjects.SETTINGS_STREAM)).state.messages == 1
    assert (await scored.delete("/api/player", headers=signed)).status_code == 204, "it may be repeated"
