"""Forgetting as a player and as an operator do it, with everything running; the audit of all games is clean after."""

import asyncio

import httpx
import pytest
from click.testing import CliRunner, Result

from services.cli.audit import audit
from services.cli.forget import forget
from shared import clock
from shared.messages.frames import ResignFrame
from tests.archives import Bench
from tests.conftest import ConnectAs
from tests.integration.game_state import soon
from tests.integration.gateway import Running, made, player
from tests.servers import Servers


async def guest_with_game(at: Running, scored: httpx.AsyncClient) -> tuple[str, dict[str, str], str]:
    """A new player who has resigned a game: id, header and game."""
    session = (await scored.post("/api/session")).json()
    async with player(at, session["token"]) as one:
        view = await one.new_game()
        made(await one.play("draw"))
        made(await one.ask(ResignFrame(id=clock.new_command_id(), game=view.game, version=2)))
    signed = {"Authorization": f"Bearer {session['token']}"}

    async def counted() -> bool:
        return len(await games_of(scored, signed)) == 1

    await soon(counted)
    return session["player"], signed, view.game


async def games_of(scored: httpx.AsyncClient, signed: dict[str, str]) -> list[object]:
    found: list[object] = (await scored.get("/api/games", params={"over": True}, headers=signed)).json()["games"]
    return found


async def sums_of(scored: httpx.AsyncClient, signed: dict[str, str]) -> list[object]:
    found: list[object] = (await scored.get("/api/statistics", headers=signed)).json()["rows"]
    return found


def all_audited(servers: Servers) -> Result:
    addresses = ("--nats", servers.nats_url("auditor"), "--redis", servers.redis_url("auditor"))
    return CliRunner().invoke(audit, ["--all", "--jobs", "1", *addresses])


async def test_a_player_deletes_what_is_kept_and_others_and_the_log_stay_as_they_are(
    at: Running, scored: httpx.AsyncClient, servers: Servers, connect_as: ConnectAs
) -> None:
    _, gone, game = await guest_with_game(at, scored)
    _, stays, _ = await guest_with_game(at, scored)
    link = (await scored.post(f"/api/games/{game}/link", headers=gone)).json()
    shared = f"/api/shared/{game}/{link['key']}/history"
    assert (await scored.get(shared)).status_code == 200
    assert (await scored.delete("/api/player")).status_code == 401
    assert (await scored.delete("/api/player", headers=gone)).status_code == 204
    assert (await games_of(scored, gone), await sums_of(scored, gone)) == ([], [])
    assert (len(await games_of(scored, stays)), len(await sums_of(scored, stays))) == (1, 1)
    assert (await scored.get(shared)).status_code == 404
    archived = await Bench(await connect_as("game-state"), await connect_as("archivist")).outcome()
    assert archived.games == 2
    result = await asyncio.to_thread(all_audited, servers)
    assert result.exit_code == 0, result.output


async def test_an_operator_forgets_a_player_by_command(
    at: Running, scored: httpx.AsyncClient, servers: Servers
) -> None:
    gone, signed, _ = await guest_with_game(at, scored)
    url = servers.nats_url("game-state")
    wrong = await asyncio.to_thread(CliRunner().invoke, forget, ["somebody", "--nats", url])
    assert (wrong.exit_code, "is no player" in wrong.stderr) == (2, True)
    done = await asyncio.to_thread(CliRunner().invoke, forget, [gone, "--nats", url])
    assert (done.exit_code, done.stdout) == (0, f"player {gone} is forgotten: 1 game taken out\n"), done.output
    assert (await games_of(scored, signed), await sums_of(scored, signed)) == ([], [])
    again = await asyncio.to_thread(CliRunner().invoke, forget, [gone, "--nats", url])
    assert (again.exit_code, again.stdout) == (0, f"player {gone} was forgotten before: nothing was left\n")


@pytest.mark.parametrize("has_token", [True, False])
async def test_the_command_says_of_a_player_without_games_that_none_is_known(
    has_token: bool, scored: httpx.AsyncClient, servers: Servers
) -> None:
    """Whoever has a token and never played, and whoever was never there: an id with a letter wrong is one of those."""
    nobody = (await scored.post("/api/session")).json()["player"] if has_token else "b" * 26
    result = await asyncio.to_thread(CliRunner().invoke, forget, [nobody, "--nats", servers.nats_url("game-state")])
    assert (result.exit_code, result.stdout, len(result.stderr.splitlines())) == (1, "", 1), result.output
    assert f"no game of player {nobody} is known" in result.stderr


async def test_without_a_scoring_the_command_says_what_to_do(servers: Servers, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("services.cli.forget.DEADLINE_SECONDS", 0.5)
    flags = ["a" * 26, "--nats", servers.nats_url("game-state")]
    result = await asyncio.to_thread(CliRunner().invoke, forget, flags)
    assert (result.exit_code, "no scoring answers" in result.stderr) == (2, True)
