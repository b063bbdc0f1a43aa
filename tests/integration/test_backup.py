"""Backups: everything comes back bit for bit, or nothing is changed."""

import asyncio
import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import click
import nats
import pytest
from click.testing import CliRunner, Result
from nats.js.errors import NotFoundError

from services.cli.archive import archive
from services.cli.audit import audit
from services.cli.backup import backup, restore
from services.cli.history import history
from shared import subjects
from shared.bus.streams import ensure_streams
from shared.embedded import credentials
from tests.archives import ENDED, RUNNING, Bench, bench
from tests.conftest import ConnectAs
from tests.servers import Servers, WheelServers, in_thread
from tests.tampering import structural_changes, whole_game

ALL = (*ENDED, RUNNING)


@pytest.fixture
async def at(connect_as: ConnectAs) -> Bench:
    """Three games in the archive, the others in the log."""
    opened = await bench(connect_as)
    await opened.store(ENDED[:3])
    await opened.run()
    await opened.store((*ENDED[3:], RUNNING))
    return opened


async def ran(command: click.Command, *arguments: object) -> Result:
    result = await asyncio.to_thread(CliRunner().invoke, command, [str(one) for one in arguments])
    assert isinstance(result.exception, SystemExit | None), result.exception
    return result


async def backed_up(servers: Servers, folder: Path) -> Result:
    return await ran(backup, folder, "--nats", servers.nats_url("auditor"))


async def restored(servers: Servers, folder: Path) -> Result:
    return await ran(restore, folder, "--nats", servers.nats_url("game-state"))


async def emptied(at: Bench) -> None:
    for stream in subjects.KEPT_STREAMS:
        await at.owner.jetstream().delete_stream(stream)


async def everything(at: Bench) -> dict[str, object]:
    states = {one: (await at.owner.jetstream().stream_info(one)).state for one in subjects.KEPT_STREAMS}
    numbers = {one: (state.messages, state.last_seq) for one, state in states.items()}
    return {copy.game: await at.everything(copy.game) for copy in ALL} | {"numbers": numbers}


async def test_all_that_was_backed_up_is_restored_with_its_sequences_and_times_and_audited(
    at: Bench, servers: Servers, tmp_path: Path
) -> None:
    before = await everything(at)
    made = await backed_up(servers, tmp_path / "backup")
    assert made.exit_code == 0, made.output
    await emptied(at)
    result = await restored(servers, tmp_path / "backup")
    assert result.exit_code == 0, result.output
    assert await everything(at) == before
    records = sum(len(copy.records) for copy in ALL)
    assert f"restored {len(ALL)} games (3 of them archived) with {records} records" in result.stdout
    assert "audited: clean" in result.stdout
    assert (await at.outcome()).games == 2, "the archivist goes on"


async def test_a_restore_into_what_holds_games_is_refused_and_changes_nothing(
    at: Bench, servers: Servers, tmp_path: Path
) -> None:
    await backed_up(servers, tmp_path / "backup")
    before = await everything(at)
    result = await restored(servers, tmp_path / "backup")
    assert (result.exit_code, "never mixed" in result.stderr, len(result.stderr.splitlines())) == (2, True, 1)
    assert await everything(at) == before


def altered(folder: Path) -> None:
    path = next(folder.glob("KLONDIKE_GAMES*"))
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


def edited(change: Callable[[dict[str, object]], object]) -> Callable[[Path], None]:
    def damage(folder: Path) -> None:
        index = json.loads((folder / "backup.json").read_text())
        change(index)
        (folder / "backup.json").write_text(json.dumps(index))

    return damage


def cut_off(folder: Path) -> None:
    path = next(folder.glob("KLONDIKE_ARCHIVE*"))
    path.write_bytes(path.read_bytes()[:-1])


DAMAGES: dict[str, tuple[Callable[[Path], object], str]] = {
    "a byte": (altered, "KLONDIKE_GAMES.snapshot is damaged: its bytes are not those"),
    "a file is cut off": (cut_off, "KLONDIKE_ARCHIVE.snapshot is damaged: it has"),
    "a file is missing": (lambda folder: next(folder.glob("KLONDIKE_GAMES*")).unlink(), "cannot be read"),
    "the index is missing": (lambda folder: (folder / "backup.json").unlink(), "there is no backup"),
    "the index is no JSON": (lambda folder: (folder / "backup.json").write_text("{"), "is damaged"),
    "the index is something else": (edited(lambda index: index.update(kind="x")), "not the index of a backup"),
    "of a newer release": (edited(lambda index: index.update(format=2)), "format 2, newer than 1"),
    "the index lacks a field": (edited(lambda index: index.pop("streams")), "is damaged"),
    "a file elsewhere": (
        edited(lambda index: index["streams"][0].update(file="../x")),  # type: ignore[index] # a list of objects
        "lies elsewhere",
    ),
}


async def test_a_damaged_backup_is_refused_by_name_before_anything_is_touched(
    at: Bench, servers: Servers, tmp_path: Path
) -> None:
    await backed_up(servers, tmp_path / "good")
    await emptied(at)
    for kind, (damage, said) in DAMAGES.items():
        folder = tmp_path / kind.replace(" ", "-")
        await asyncio.to_thread(shutil.copytree, tmp_path / "good", folder)
        damage(folder)
        result = await restored(servers, folder)
        assert (result.exit_code, len(result.stderr.splitlines())) == (2, 1), (kind, result.output)
        assert said in result.stderr, kind
    with pytest.raises(NotFoundError):
        await at.owner.jetstream().stream_info(subjects.EVENT_STREAM)
    assert (await restored(servers, tmp_path / "good")).exit_code == 0


async def test_a_restore_of_a_log_with_a_broken_game_names_it(
    connect_as: ConnectAs, servers: Servers, tmp_path: Path
) -> None:
    broken = structural_changes(ENDED[0], whole_game(50))["a record is missing"](ENDED[0])
    at = await bench(connect_as)
    await at.store([broken, RUNNING])
    made = await backed_up(servers, tmp_path / "backup")
    assert made.exit_code == 0, made.output
    await emptied(at)
    result = await restored(servers, tmp_path / "backup")
    assert (result.exit_code, f"game {broken.game}, version 6" in result.stderr) == (1, True), result.output


async def test_a_restore_of_a_damaged_archive_names_the_segment_and_the_game_and_looks_at_the_rest(
    at: Bench, servers: Servers, tmp_path: Path
) -> None:
    (listed,) = await at.manifests()
    segment, entry = listed.manifest.segment, listed.manifest.games[1]
    whole = bytearray(await at.archive.segment(segment))
    whole[entry.offset + entry.length // 2] ^= 1
    await at.archivist.jetstream().publish(subjects.archive_chunk(segment.name, 0), bytes(whole))
    await backed_up(servers, tmp_path / "backup")
    await emptied(at)
    result = await restored(servers, tmp_path / "backup")
    assert (result.exit_code, len(result.stderr.splitlines())) == (1, 2), result.output
    assert f"segment {segment.name[:16]}: its bytes are not those" in result.stderr
    assert f"game {entry.game}, versions 1 to {entry.versions}, offset {entry.offset}" in result.stderr
    assert f"restored {len(ALL)} games (3 of them archived)" in result.stdout


async def test_a_backup_takes_no_place_that_is_taken_and_leaves_nothing_when_it_fails(
    at: Bench, servers: Servers, tmp_path: Path
) -> None:
    (tmp_path / "taken").mkdir()
    (tmp_path / "taken" / "file").write_text("mine")
    result = await backed_up(servers, tmp_path / "taken")
    assert (result.exit_code, "is not empty" in result.stderr) == (2, True)
    await emptied(at)
    result = await backed_up(servers, tmp_path / "nothing")
    assert (result.exit_code, "holds no games" in result.stderr) == (2, True)
    unreachable = await ran(backup, tmp_path / "none", "--nats", "nats://127.0.0.1:1")
    assert (unreachable.exit_code, len(unreachable.stderr.splitlines())) == (2, 1)
    assert await asyncio.to_thread(os.listdir, tmp_path) == ["taken"]


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    """A data directory as `klondike up` leaves it, with games in the log."""

    async def fill(url: str) -> None:
        client = await nats.connect(url, inbox_prefix=subjects.inbox("game-state"))
        await ensure_streams(client.jetstream())
        for copy in ALL:
            for subject, data in copy.messages:
                await client.jetstream().publish(subject, data)
        await client.close()

    servers = WheelServers(tmp_path / "here")
    servers.start_nats()
    servers.start_redis()
    in_thread(fill(servers.nats_url("game-state")))
    servers.nats.stop(10)
    servers.redis.stop(10)
    return tmp_path / "here"


async def test_a_data_directory_goes_to_another_with_its_players_tokens_and_is_archived_there(
    directory: Path, tmp_path: Path
) -> None:
    """Nothing runs on either: servers are started for it, and end."""
    there = tmp_path / "there"
    made = await ran(backup, tmp_path / "backup", "--data", directory)
    assert made.exit_code == 0, made.output
    strange = tmp_path / "strange"
    strange.mkdir()
    (strange / "letters.txt").write_text("of somebody else")
    refused = await ran(restore, tmp_path / "backup", "--data", strange)
    assert (refused.exit_code, "holds other files" in refused.stderr) == (2, True)
    assert [entry.name for entry in strange.iterdir()] == ["letters.txt"]
    result = await ran(restore, tmp_path / "backup", "--data", there)
    assert result.exit_code == 0, result.output
    secrets = [credentials(one).token_secret for one in (directory, there)]
    assert secrets[0] == secrets[1]
    again = await ran(restore, tmp_path / "backup", "--data", there)
    assert (again.exit_code, "never mixed" in again.stderr) == (2, True)
    nothing = await ran(archive, "--data", there)
    assert (nothing.exit_code, "0 games" in nothing.stdout) == (0, True)
    moved = await ran(archive, "--data", there, "--after-days", 0)
    assert (moved.exit_code, f"{len(ENDED)} games" in moved.stdout) == (0, True), moved.output
    stats = json.loads((await ran(archive, "--data", there, "--stats", "--json")).stdout)
    assert (stats["games"], stats["live_messages"]) == (len(ENDED), len(RUNNING.messages))
    assert stats["records"] == sum(len(copy.records) for copy in ENDED)


@pytest.mark.parametrize("restored_first", [True, False])
async def test_games_are_audited_and_backed_up_where_there_are_no_files_of_redis(
    restored_first: bool, directory: Path, tmp_path: Path
) -> None:
    """Redis is a cache: a restored directory has none until its first start, and anybody may take it away."""
    there = directory
    if restored_first:
        there = tmp_path / "there"
        assert (await ran(backup, tmp_path / "backup", "--data", directory)).exit_code == 0
        assert (await ran(restore, tmp_path / "backup", "--data", there)).exit_code == 0
    else:
        await asyncio.to_thread(shutil.rmtree, there / "redis")
    whole = await ran(audit, "--all", "--jobs", 1, "--data", there)
    assert (whole.exit_code, f"{len(ALL)} games" in whole.stdout) == (0, True), whole.output
    one = await ran(audit, RUNNING.game, "--no-verdict", "--data", there)
    assert one.exit_code == 0, one.output
    shown = await ran(history, "show", ENDED[0].game, "--data", there)
    assert shown.exit_code == 0, shown.output
    again = await ran(backup, tmp_path / "again", "--data", there)
    assert again.exit_code == 0, again.output
    listed = await ran(history, "list", "--data", there)
    assert (listed.exit_code, len(listed.stderr.splitlines())) == (2, 1), "its index is in Redis"
    assert not (there / "redis").exists(), "nothing is changed"


async def test_no_data_directory_is_one_line(tmp_path: Path) -> None:
    for command, arguments in ((archive, []), (backup, [tmp_path / "backup"])):
        result = await ran(command, *arguments, "--data", tmp_path / "none")
        assert (result.exit_code, "there are no games" in result.stderr) == (2, True)
