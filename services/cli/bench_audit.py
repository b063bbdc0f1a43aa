"""`klondike bench audit`: replay and verification of histories beside merely reading and decoding them."""

import asyncio
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import click
import msgspec

from services.cli.auditing.reading import UnreadableError
from services.cli.auditing.whole.listing import listed
from services.cli.auditing.whole.store import Game
from services.cli.benching.archived import archived
from services.cli.benching.audits import Share, measure
from services.cli.benching.figures import Machine
from services.cli.benching.machine import machine, versions
from services.cli.benching.proofs import Form, ProofRate, Scale, prove, scale_of
from services.cli.benching.stack import BenchError, connected, queue
from services.cli.benching.written import Template, WriteError, messages, played, rewritten, write
from services.cli.progress import progress
from shared import subjects
from shared.embedded import NatsServer
from shared.messages.base import GameId

TEMPLATES: Final = 200
PROVED_MAX: Final = 5_000
"""So many games at most are proved alone, and archived for that: of more, as many as were over when the next began."""
SHARE_WANTED: Final = 0.6
SCALE_WANTED: Final = 1.8
MEMORY_MB_MAX: Final = 300.0


class Rate(msgspec.Struct, frozen=True, kw_only=True):
    """So many processes that read games, and read and verify them, in turns."""

    processes: int
    records: int
    read_per_core: float
    """Records that a process reads and decodes in a second of its processor time."""
    verified_per_core: float
    """Records that a process reads, decodes, replays and checks in the same time."""
    share: float
    """The one beside the other."""
    wall_s: float
    """Until the last had finished."""
    peak_mb: float
    """Of the largest."""
    memory_mb: tuple[float, ...]
    """Of the largest, resident, after each tenth of its games."""


class AuditReport(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that was measured."""

    machine: Machine
    versions: dict[str, str]
    load_before: float
    games: int
    moves: int
    write_per_second: float
    rates: tuple[Rate, ...]
    share: float
    """Verified beside read, per core, in one process."""
    scale: float | None
    """What two processes verify in the processor time of one beside one alone; none where two were not measured."""
    scale_wall: float | None
    """The same by the clock: the server and whatever else runs take their part of the cores."""
    proofs: tuple[ProofRate, ...]
    """Games proved and nothing else, in the log and then in the archive, by one process and by several."""
    scales: tuple[Scale, ...]
    """Of each form; none where several processes were not measured."""


@click.command()
@click.option("--games", type=click.IntRange(10, 10_000_000), default=2000, show_default=True, help="Games to write.")
@click.option("--moves", type=click.IntRange(1, 10_000), default=100, show_default=True, help="Moves of each.")
@click.option("--processes", type=click.IntRange(1, 64), default=2, show_default=True, help="Beside one.")
@click.option("--folder", type=click.Path(file_okay=False, path_type=Path), help="Where the log is kept meanwhile.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of the table.")
def audit(*, games: int, moves: int, processes: int, folder: Path | None, as_json: bool) -> None:
    """Write games to a log of their own, read them, and prove them, with one process and with several.

    Exit status 1 if a proof failed, or fell behind what docs/benchmarks.md asks for.
    """
    import uvloop  # not on Windows

    try:
        report = uvloop.run(_measured(games, moves, processes, folder))
    except (BenchError, WriteError, UnreadableError, TimeoutError, OSError) as error:
        click.echo(f"klondike bench audit: {str(error) or type(error).__name__}", err=True)
        sys.exit(1)
    if as_json:
        click.echo(msgspec.json.format(msgspec.json.encode(report)).decode())
    else:
        for line in _lines(report):
            click.echo(line)
    sys.exit(1 if report.share < SHARE_WANTED or _peak(report) > MEMORY_MB_MAX else 0)


async def _measured(games: int, moves: int, processes: int, folder: Path | None) -> AuditReport:
    load = os.getloadavg()[0]
    counts = (1, processes) if processes > 1 else (1,)
    templates = tuple(played(seed, moves) for seed in range(min(games, TEMPLATES)))
    with tempfile.TemporaryDirectory(prefix="klondike-bench-", dir=folder) as made:
        async with queue(Path(made), "fast") as server:
            seconds = await _write(server.url("game-state"), games, moves, templates)
            found = await logged(server.url("auditor"))
            if len(found) != games:
                raise BenchError(f"the log has {len(found)} games instead of {games}")
            rates = [_rate(await asyncio.to_thread(measure, server.url("auditor"), found, count)) for count in counts]
            proofs = await _proofs(server, "log", found[:PROVED_MAX], counts)
            proofs += await _proofs(server, "archive", await _archived(server, games, templates), counts)
    one, several = rates[0], rates[-1]
    return AuditReport(
        machine=machine(),
        versions=versions(),
        load_before=load,
        games=games,
        moves=moves,
        write_per_second=round(one.records / seconds, 1),
        rates=tuple(rates),
        share=one.share,
        scale=round(processes * several.verified_per_core / one.verified_per_core, 2) if processes > 1 else None,
        scale_wall=round(one.wall_s / several.wall_s, 2) if processes > 1 else None,
        proofs=tuple(proofs),
        scales=(scale_of(*proofs[:2]), scale_of(*proofs[2:])) if processes > 1 else (),
    )


async def _proofs(server: NatsServer, form: Form, games: list[Game], counts: tuple[int, ...]) -> list[ProofRate]:
    click.echo(f"proving {len(games)} games of the {form} ...", err=True)
    return [await asyncio.to_thread(prove, server, form, games, count) for count in counts]


async def _archived(server: NatsServer, games: int, templates: tuple[Template, ...]) -> list[Game]:
    click.echo(f"archiving {min(games, PROVED_MAX)} games ...", err=True)
    if games <= PROVED_MAX:
        return await archived(server, until=None)
    subject, _ = next(rewritten(templates[PROVED_MAX % len(templates)], PROVED_MAX))
    return await archived(server, until=subjects.game_of(subject))


async def _write(url: str, games: int, moves: int, templates: tuple[Template, ...]) -> float:
    """Gives the seconds that it took."""
    click.echo(f"writing {games} games of {moves} moves ...", err=True)
    client = await connected(url, "game-state")
    began = asyncio.get_running_loop().time()
    with progress("written", None) as shown:
        await write(client, messages(games, templates), lambda _: shown.advance())
    await client.close()
    return asyncio.get_running_loop().time() - began


async def logged(url: str) -> list[Game]:
    """The games that the log holds, as an audit lists them."""
    counted: dict[str, list[int]] = {}
    client = await connected(url, "auditor")
    async for page in listed(client):
        for game, logs, deals in page:
            known = counted.setdefault(game, [0, 0])
            known[0], known[1] = max(known[0], logs), max(known[1], deals)
    await client.close()
    return [Game(GameId(game), logs, deals, archived=False) for game, (logs, deals) in counted.items()]


def _rate(shares: list[Share]) -> Rate:
    if any(share.faults for share in shares):
        raise BenchError("a game that was written by the rules was found faulty")
    records, read_s = sum(share.records for share in shares), sum(share.read_s for share in shares)
    verify_s = sum(share.verify_s for share in shares)
    largest = max(shares, key=lambda share: share.peak_mb)
    return Rate(
        processes=len(shares),
        records=records,
        read_per_core=round(records / read_s, 1),
        verified_per_core=round(records / verify_s, 1),
        share=round(read_s / verify_s, 3),
        wall_s=round(max(share.wall_s for share in shares), 3),
        peak_mb=round(largest.peak_mb, 1),
        memory_mb=tuple(round(one, 1) for one in largest.memory_mb),
    )


def _peak(report: AuditReport) -> float:
    return max(rate.peak_mb for rate in report.rates)


def _lines(report: AuditReport) -> Iterator[str]:
    yield f"{report.machine.cpu}, {report.machine.cores} cores, {report.machine.system}; load {report.load_before:.2f}"
    yield f"{report.games} games of {report.moves} moves, written at {report.write_per_second:,.0f} records/s"
    yield ""
    yield f"{'processes':>9}{'records':>12}{'read/s':>10}{'verified/s':>12}{'share':>8}{'peak MB':>9}  resident MB"
    for rate in report.rates:
        memory = " ".join(f"{one:.0f}" for one in rate.memory_mb)
        yield (
            f"{rate.processes:>9}{rate.records:>12,}{rate.read_per_core:>10,.0f}{rate.verified_per_core:>12,.0f}"
            f"{rate.share:>8.0%}{rate.peak_mb:>9.0f}  {memory}"
        )
    yield "(records a second of one process's processor time; read: from JetStream, and decoded)"
    yield ""
    yield f"verified beside read, per core: {report.share:.0%} (wanted: {SHARE_WANTED:.0%})"
    if report.scale is not None and report.scale_wall is not None:
        ratios = f"{report.scale_wall:.2f} x by the clock, {report.scale:.2f} x in processor time"
        yield f"several processes beside one, in turns: {ratios}"
    yield f"memory: at most {_peak(report):.0f} MB a process (wanted: {MEMORY_MB_MAX:.0f})"
    yield ""
    yield from _proof_lines(report)


def _proof_lines(report: AuditReport) -> Iterator[str]:
    yield "games proved, and nothing else, as `klondike audit --all` does:"
    head = ("processes", "games", "records", "records/s", "a core/s", "server µs")
    yield f"{'from':>9}" + "".join(f"{one:>12}" for one in head)
    for one in report.proofs:
        server = "-" if one.server_micros is None else f"{one.server_micros:.1f}"
        yield (
            f"{one.form:>9}{one.processes:>12}{one.games:>12,}{one.records:>12,}"
            f"{one.per_second:>12,.0f}{one.per_core:>12,.0f}{server:>12}"
        )
    yield "(records a second by the clock, and of one process's processor time; µs of nats-server's for a record)"
    if report.games > PROVED_MAX:
        yield f"(of {report.games:,} games not more than {PROVED_MAX:,} were archived and proved)"
    for scale in report.scales:
        ratios = f"{scale.wall:.2f} x by the clock, {scale.processor:.2f} x in processor time"
        yield f"{scale.form}, several processes beside one: {ratios} (wanted for two: {SCALE_WANTED} x)"
