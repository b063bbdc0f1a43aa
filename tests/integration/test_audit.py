"""`klondike audit` on real servers: a game's messages are copied into a fresh stream, each time with one change."""

import asyncio
import contextlib
import json
import os
import sys
from collections.abc import Awaitable, Callable
from typing import TypeAlias

import msgspec
import pytest
from click.testing import CliRunner, Result
from nats.js.errors import NotFoundError

from services.cli.audit import audit
from services.cli.auditing.report import Finding, Report
from shared import subjects
from shared.bus.streams import ensure_streams
from shared.logs import Log
from shared.messages.base import GameId
from tests.conftest import ConnectAs, RedisAs
from tests.integration.game_state import Player, game_state, soon
from tests.servers import Servers
from tests.tampering import Copy, field_changes, raw, rechained, resealed, structural_changes, whole_game

GAME, STRANGER = whole_game(), whole_game(salt=1)
BESIDE = Copy(STRANGER.game, STRANGER.messages, STRANGER.head, None)
"""Without its snapshot, which names the sequence that its record had in a stream of its own."""
STRUCTURES = structural_changes(GAME, STRANGER)
WAYS = (raw, resealed, rechained)

Store: TypeAlias = Callable[..., Awaitable[None]]


def run_audit(servers: Servers, game: GameId, *flags: str) -> Result:
    addresses = ("--nats", servers.nats_url("auditor"), "--redis", servers.redis_url("auditor"))
    return CliRunner().invoke(audit, [game, *addresses, *flags])


async def audited(servers: Servers, game: GameId, *flags: str) -> Result:
    """In a thread, since the command has an event loop of its own. It never fails, it judges."""
    result = await asyncio.to_thread(run_audit, servers, game, *flags)
    assert isinstance(result.exception, SystemExit | None), result.exception
    return result


async def audited_as_a_user_does(servers: Servers, game: GameId) -> tuple[int | None, bytes]:
    """By a process of its own, with the addresses in its environment."""
    addresses = {"KLONDIKE_NATS": servers.nats_url("auditor"), "KLONDIKE_REDIS": servers.redis_url("auditor")}
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "services.cli", "audit", game, "--json", "--boards"),
        env={**os.environ, **addresses},
        stdout=asyncio.subprocess.PIPE,
    )
    printed, _ = await process.communicate()
    return process.returncode, printed


@pytest.fixture
async def store(connect_as: ConnectAs, redis_as: RedisAs) -> Store:
    """Makes the stream anew, with these games in it and nothing else."""
    nc, redis = await connect_as("game-state"), await redis_as("default")
    js = nc.jetstream()

    async def write(*copies: Copy) -> None:
        with contextlib.suppress(NotFoundError):
            await js.delete_stream(subjects.EVENT_STREAM)
        await redis.flushall()
        await ensure_streams(js)
        for copy in copies:
            for subject, data in copy.messages:
                await js.publish(subject, data)
            fields = {"head": copy.head, "snapshot": copy.snapshot}
            for name, value in fields.items():
                if value is not None:
                    await redis.hset(subjects.snapshot_key(copy.game), name, value)

    return write


async def test_a_copy_without_a_change_is_clean(store: Store, servers: Servers) -> None:
    await store(GAME, BESIDE)
    result = await audited(servers, GAME.game)
    assert result.exit_code == 0, result.output
    assert "clean: " in result.stdout
    assert result.stderr == ""


@pytest.mark.parametrize("kind", STRUCTURES)
async def test_each_change_of_whole_messages_is_named(kind: str, store: Store, servers: Servers) -> None:
    await store(STRUCTURES[kind](GAME))
    result = await audited(servers, GAME.game, "--json")
    assert result.exit_code == 1, result.output
    first = json.loads(result.stdout)["first_bad"]
    assert first["what"]
    assert f"of game {GAME.game}, version" in result.stderr
    assert first["what"] in result.stderr


async def test_each_changed_field_is_named_with_its_record(store: Store, servers: Servers) -> None:
    """The ways of changing take turns here; the unit tests have all of them for each field."""
    for number, (name, place, record) in enumerate(field_changes(GAME)):
        await store(WAYS[number % len(WAYS)](GAME, place, record))
        result = await audited(servers, GAME.game, "--json")
        assert result.exit_code == 1, name
        report = json.loads(result.stdout)
        assert len(report["records"]) == len(GAME.records), name
        assert report["first_bad"]["what"] in result.stderr, name


async def test_one_games_damage_is_not_anothers(store: Store, servers: Servers) -> None:
    await store(STRUCTURES["a record is missing"](GAME), BESIDE)
    assert (await audited(servers, GAME.game)).exit_code == 1
    assert (await audited(servers, STRANGER.game)).exit_code == 0


async def test_a_game_without_its_caches_is_clean_with_a_note(store: Store, servers: Servers) -> None:
    await store(Copy(GAME.game, GAME.messages, None, None))
    result = await audited(servers, GAME.game)
    assert result.exit_code == 0
    assert "note: Redis holds no head" in result.stdout


async def test_what_game_state_writes_is_clean_while_it_is_played_and_when_it_is_over(
    connect_as: ConnectAs, redis_as: RedisAs, servers: Servers, log: Log
) -> None:
    player = Player(await connect_as("gateway"))
    redis = await redis_as("game-state")
    async with game_state(await connect_as("game-state"), redis, log):
        view = await player.start(number=None)
        await player.play_some(12, lambda legal: legal[-1])
        await player.play("undo")
        status, printed = await audited_as_a_user_does(servers, view.game)
        assert status == 0, printed
        assert (json.loads(printed)["secret"], json.loads(printed)["verdict"]) == (None, None)
        over = await player.play("resign")

    async def head_is_written() -> bool:
        return await redis.hexists(subjects.snapshot_key(view.game), "snapshot")

    await soon(head_is_written)
    status, printed = await audited_as_a_user_does(servers, view.game)
    assert status == 0, printed
    report = json.loads(printed)
    assert (report["secret"], report["status"]) == (over.secret, "resigned")
    assert report["head_version"] == report["snapshot_version"] == over.version == len(report["records"])
    assert (report["verdict"]["moves"], report["verdict"]["undecided"]) == (over.moves, None)
    assert "\nverdict     " in (await audited(servers, view.game)).stdout
    assert "\nverdict" not in (await audited(servers, view.game, "--no-verdict")).stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["x"], "is no game id"),
        ([GAME.game, "--nats", "nats://127.0.0.1:1", "--redis", "redis://127.0.0.1:1"], "NATS at nats://127.0.0.1:1"),
        ([GAME.game, "--nats", "nats://127.0.0.1:1"], "give both"),
        ([GAME.game, "--data", "/nonexistent"], "there are no games in /nonexistent"),
    ],
)
async def test_what_cannot_be_read_is_one_line_and_status_2(arguments: list[str], said: str) -> None:
    result = await asyncio.to_thread(CliRunner().invoke, audit, arguments)
    assert result.exit_code == 2
    assert len(result.stderr.splitlines()) == 1
    assert said in result.stderr


async def test_an_address_that_is_none_is_a_usage_error_that_names_the_option() -> None:
    result = await asyncio.to_thread(CliRunner().invoke, audit, [GAME.game, "--nats", "what", "--redis", "ever"])
    assert result.exit_code == 2
    assert "'--nats'" in result.stderr.splitlines()[-1]


async def test_a_game_that_was_never_played_is_status_2(store: Store, servers: Servers) -> None:
    await store(STRANGER)
    result = await audited(servers, GAME.game)
    assert (result.exit_code, len(result.stderr.splitlines())) == (2, 1)
    assert f"there is no game {GAME.game}" in result.stderr


async def test_servers_without_a_log_or_with_another_password_are_status_2(servers: Servers) -> None:
    result = await audited(servers, GAME.game)
    assert (result.exit_code, "holds no games" in result.stderr) == (2, True)
    wrong = servers.nats_url("auditor").replace("auditor:", "auditor:not")
    flags = [GAME.game, "--nats", wrong, "--redis", servers.redis_url("auditor")]
    refused = await asyncio.to_thread(CliRunner().invoke, audit, flags)
    assert (refused.exit_code, len(refused.stderr.splitlines())) == (2, 1)
    assert "cannot be reached" in refused.stderr
    assert "not" + servers.nats_url("auditor").split(":")[2].split("@")[0] not in refused.stderr


def test_the_report_has_the_form_that_is_documented() -> None:
    """A field that is gone or renamed breaks scripts: the names are an interface."""
    names = {struct.__name__: msgspec.json.schema(struct)["$defs"] for struct in (Report, Finding)}
    assert set(names["Report"]["Report"]["required"]) >= {"game", "clean", "first_bad", "findings", "notes", "records"}
    assert set(names["Finding"]["Finding"]["required"]) == {"place", "version", "sequence", "what"}
