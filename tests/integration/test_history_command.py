"""`klondike history` on real servers: what scoring has indexed is listed, and the log shown; files are taken in."""

import asyncio
import contextlib
import csv
import io
import json
from pathlib import Path
from typing import get_args

import msgspec
import pytest
from click.testing import CliRunner, Result
from nats.js.errors import NotFoundError

from services.cli.history import history
from services.gateway.history.exports import Form
from services.scoring.app import run
from services.scoring.queries import Queries
from shared import clock, subjects
from shared.bus.streams import ensure_streams
from shared.logs import Log
from shared.messages.answers import FindGames, FoundGames
from shared.messages.history import GameHistory
from shared.rules.variants import SOLO, VARIANTS
from shared.settings import ScoringSettings
from tests.conftest import ConnectAs, RedisAs
from tests.duels import new_duel
from tests.integration.game_state import soon
from tests.integration.services import serving
from tests.servers import Servers
from tests.tampering import PLAYER, Written, flipped, put, whole_game

GAMES = [whole_game(salt) for salt in range(3)]
BROKEN = put(whole_game(7), 4, flipped(whole_game(7).records[4], 60))
RUNNING = Written(salt=9).copy()


@pytest.fixture
async def stored(connect_as: ConnectAs, redis_as: RedisAs, servers: Servers, log: Log) -> tuple[str, ...]:
    """The games in the log and counted by scoring; gives the options that name the servers."""
    nc, redis = await connect_as("game-state"), await redis_as("default")
    js = nc.jetstream()
    with contextlib.suppress(NotFoundError):
        await js.delete_stream(subjects.EVENT_STREAM)
    await redis.flushall()
    await ensure_streams(js)
    for copy in (*GAMES, RUNNING, BROKEN):
        for subject, data in copy.messages:
            await js.publish(subject, data)
    options = ("--nats", servers.nats_url("auditor"), "--redis", servers.redis_url("auditor"))
    async with serving(run, "scoring", ScoringSettings(), await connect_as("scoring"), log, await redis_as("scoring")):

        async def counted() -> bool:
            page = await Queries(redis, clock.now_ms).find(FindGames())
            return isinstance(page, FoundGames) and len(page.games) == len(GAMES)

        await soon(counted)
    return options


async def asked(*arguments: str) -> Result:
    """In a thread, since the command has an event loop of its own. It never fails with a traceback."""
    result = await asyncio.to_thread(CliRunner().invoke, history, arguments)
    assert isinstance(result.exception, SystemExit | None), result.exception
    return result


async def test_games_are_listed_by_what_is_asked_for_page_by_page(stored: tuple[str, ...]) -> None:
    first = json.loads((await asked("list", *stored, "--limit", "2", "--json")).stdout)
    rest = json.loads((await asked("list", *stored, "--after", first["next"], "--json")).stdout)
    assert {one["game"] for one in (*first["games"], *rest["games"])} == {copy.game for copy in GAMES}
    assert rest["next"] is None
    table = (await asked("list", *stored, "--player", PLAYER, "--result", "resigned", "--assisted")).stdout.splitlines()
    assert len(table) == 1 + len(GAMES)
    assert all(PLAYER in line and "resigned" in line for line in table[1:])
    for none in (
        ("--before", "2023-01-01"),
        ("--from", "2100-01-01T00:00:00"),
        ("--unassisted",),
        ("--min-moves", "99"),
    ):
        assert len((await asked("list", *stored, *none)).stdout.splitlines()) == 1, none


async def test_a_game_is_shown_as_a_list_and_saved_in_each_form_that_is_read_back(
    stored: tuple[str, ...], tmp_path: Path
) -> None:
    game = GAMES[1].game
    shown = await asked("show", game, *stored)
    assert shown.stdout.startswith(f"Klondike game {game}\n")
    for form in ("json", "csv", "text"):
        saved = await asked("export", game, "--format", form, "--output", str(tmp_path / form), *stored)
        assert saved.exit_code == 0, saved.output
    assert (tmp_path / "text").read_text() == shown.stdout
    told = msgspec.json.decode((tmp_path / "json").read_bytes(), type=GameHistory)
    rows = list(csv.DictReader(io.StringIO((tmp_path / "csv").read_text(), newline="")))
    assert len(rows) == len(told.steps) == len(GAMES[1].records)
    for form in ("json", "text"):
        again = await asked("import", str(tmp_path / form), "--json", "--no-verdict")
        assert again.exit_code == 0, again.output
        assert json.loads(again.stdout)["history"]["points"] == told.points
    there = await asked("export", game, "--output", str(tmp_path / "json"), *stored)
    assert (there.exit_code, len(there.stderr.splitlines())) == (2, 1)
    assert "File exists" in there.stderr


async def test_what_cannot_be_shown_is_one_line_that_names_it(stored: tuple[str, ...]) -> None:
    broken = await asked("show", BROKEN.game, *stored)
    assert (broken.exit_code, len(broken.stderr.splitlines())) == (2, 1)
    sequence = sum(len(copy.messages) for copy in (*GAMES, RUNNING)) + 6
    assert f"game {BROKEN.game}, version 5, stream sequence {sequence}: " in broken.stderr
    running = await asked("show", RUNNING.game, *stored)
    assert (running.exit_code, f"game {RUNNING.game} is not over" in running.stderr) == (2, True)
    missing = await asked("show", "a" * 26, *stored)
    assert (missing.exit_code, "there is no game" in missing.stderr) == (2, True)
    assert (await asked("show", "mine", *stored)).exit_code == 2


@pytest.mark.parametrize("variant", sorted(VARIANTS.keys() - set(SOLO)))
async def test_a_game_for_two_is_shown_and_saved_once_it_is_over_and_not_taken_in(
    variant: str, stored: tuple[str, ...], connect_as: ConnectAs, tmp_path: Path
) -> None:
    duel = new_duel(variant).must(0, "draw").must(1, "draw", "resign").must(0, "draw", "resign")
    game = duel.game.game
    js = (await connect_as("game-state")).jetstream()
    await js.publish(subjects.sealed_deal(game), duel.deal)
    for record in duel.stored[:-1]:
        await js.publish(subjects.game_log(game), record)
    runs = await asked("show", game, *stored)
    assert (runs.exit_code, "is not over" in runs.stderr) == (2, True)
    await js.publish(subjects.game_log(game), duel.stored[-1])
    shown = await asked("show", game, *stored)
    assert shown.exit_code == 0, shown.stderr
    for who in ("host   draw", "guest  draw", "guest  resign"):
        assert who in shown.stdout
    for form in get_args(Form):
        saved = await asked("export", game, "--format", form, "--output", str(tmp_path / form), *stored)
        assert saved.exit_code == 0, saved.stderr
    told = msgspec.json.decode((tmp_path / "json").read_bytes(), type=GameHistory)
    assert [step.seat for step in told.steps] == [0, 1, 0, 1, 1, 0, 0]
    for form, place in (("json", "$.variant"), ("text", "line 2")):
        refused = await asked("import", str(tmp_path / form), "--no-verdict")
        assert (refused.exit_code, len(refused.stderr.splitlines())) == (1, 1)
        assert f"{place}: {variant} is for two" in refused.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ("list", "--player", "me"),
        ("list", "--from", "yesterday"),
        ("list", "--after", "here"),
        ("list", "--variant", "draw9"),
        ("list", "--limit", "0"),
        ("show",),
        ("export", "x", "--format", "xml"),
    ],
)
async def test_a_wrong_option_is_a_usage_error_that_names_it(arguments: tuple[str, ...]) -> None:
    refused = await asked(*arguments)
    assert refused.exit_code == 2
    assert refused.stderr.startswith("Usage:")


@pytest.mark.parametrize(
    ("name", "data", "status", "said"),
    [
        ("missing", None, 2, "cannot be read: No such file or directory."),
        ("empty", b"", 1, "file: it is empty"),
        ("bytes", b"\x89PNG\r\n\x1a\n\0\0", 1, "line 1: it is no text in UTF-8"),
        ("half", b'{"type": "game-history", "game": "a', 1, "truncated"),
        ("newer", b'{"schema": 7}', 1, "$.schema: it is 7, newer than 1"),
        ("illegal", b"Kind draw1, standard, relaxed\nDeal number 23\nT5>F2\nT5>F2\n", 1, "line 4: "),
    ],
)
async def test_a_bad_file_is_one_line_with_place_and_reason(
    tmp_path: Path, name: str, data: bytes | None, status: int, said: str
) -> None:
    path = tmp_path / name
    if data is not None:
        path.write_bytes(data)
    refused = await asked("import", str(path))
    assert (refused.exit_code, len(refused.stderr.splitlines()), refused.stdout) == (status, 1, "")
    assert said in refused.stderr
    assert "klondike history: " in refused.stderr


async def test_a_game_from_standard_input_is_judged_by_the_solver() -> None:
    text = "Kind draw1, standard, relaxed\nDeal number 23\nT5>F2\nT3>T7\ndraw\n"
    result = await asyncio.to_thread(lambda: CliRunner().invoke(history, ["import", "-"], input=text))
    assert result.exit_code == 0, result.output
    assert "Verdict  could be won through move 1; move 2 (T3>T7, version 3) lost it" in result.stdout
