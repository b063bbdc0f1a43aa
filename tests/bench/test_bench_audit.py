"""`klondike bench audit`, with few games: that it measures everything and that all games it writes are proved."""

import asyncio
from pathlib import Path

import msgspec

from services.cli.bench_audit import AuditReport, logged
from services.cli.benching.archived import archived
from services.cli.benching.proofs import prove
from services.cli.benching.stack import connected, queue
from services.cli.benching.written import messages, played, write
from shared import subjects
from tests.benches import run_bench


async def test_a_tiny_run_measures_one_process_and_two() -> None:
    arguments = ("audit", "--games", "70", "--moves", "6", "--processes", "2", "--json")
    printed, _ = await run_bench(*arguments, statuses=(0, 1))
    report = msgspec.json.decode(printed, type=AuditReport)
    assert [rate.processes for rate in report.rates] == [1, 2]
    assert report.rates[0].records == report.rates[1].records >= 70 * 7
    assert all(0 < rate.share < 1 and rate.peak_mb > 0 and rate.memory_mb for rate in report.rates)
    assert report.scale is not None
    assert [(proof.form, proof.processes) for proof in report.proofs] == [
        *(("log", 1), ("log", 2)),
        *(("archive", 1), ("archive", 2)),
    ]
    assert {(proof.games, proof.records) for proof in report.proofs} == {(70, report.rates[0].records)}, (
        "the same games"
    )
    assert [scale.form for scale in report.scales] == ["log", "archive"]
    assert all(scale.wall > 0 and scale.processor > 0 for scale in report.scales)


async def test_of_many_games_those_are_archived_that_were_over_when_another_began(tmp_path: Path) -> None:
    """They are a part, each is whole, and the others stay in the log."""
    games, templates = 160, (played(1, 5), played(2, 5))
    written = list(messages(games, templates))
    began = list(dict.fromkeys(subjects.game_of(subject) for subject, _ in written))
    newcomer = began[120]
    before = next(at for at, (subject, _) in enumerate(written) if subjects.game_of(subject) == newcomer)
    async with queue(tmp_path, "fast") as server:
        client = await connected(server.url("game-state"), "game-state")
        await write(client, written[:before])
        await asyncio.sleep(0.01)  # the limit is a time in milliseconds
        await write(client, written[before:])
        await client.close()
        moved = await archived(server, until=newcomer)
        ids = {game.game for game in moved}
        assert ids == set(began) - {subjects.game_of(subject) for subject, _ in written[before:]}
        assert 0 < len(ids) < games
        assert {game.game for game in await logged(server.url("auditor"))} == set(began) - ids
        assert (await asyncio.to_thread(prove, server, "archive", moved, 1)).games == len(moved)


def test_games_that_are_written_take_turns_and_differ() -> None:
    """Each has its own id and chain, and the records of several lie between each other."""
    written = list(messages(10, (played(1, 5), played(2, 5))))
    games = [subjects.game_of(subject) for subject, _ in written]
    assert len(set(games)) == 10
    assert len({data for _, data in written}) == len(written)
    assert games[:10] != [games[0]] * 10
