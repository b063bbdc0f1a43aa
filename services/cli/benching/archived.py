"""Moves games that a benchmark has written to the archive, by the archivist."""

from typing import Final

from nats.aio.client import Client

from services.archivist.archivist import Archivist
from services.cli.archive import FAILURES
from services.cli.auditing.whole.store import Game
from services.cli.backups.reach import Place, opened
from services.cli.benching.stack import BenchError
from services.cli.nats_client import one_line
from shared import clock, subjects
from shared.bus.archive import Archive, nanoseconds
from shared.bus.direct_get import read_subject
from shared.embedded import NatsServer
from shared.messages.archive import DamagedArchiveError
from shared.messages.base import GameId

MILLISECOND_NS: Final = 1_000_000


async def archived(server: NatsServer, *, until: GameId | None) -> list[Game]:
    """Moves all games that are over, or those that were when the game `until` began. Gives them in their new order.

    Raises:
        BenchError: they cannot be archived.

    """
    place = Place(data=server.directory, nats=server.url("archivist"))
    try:
        async with opened(Place(data=server.directory, nats=server.url("auditor")), "auditor") as auditor:
            now_ms = clock.now_ms()
            after_ms = 0 if until is None else now_ms - await _began_ms(auditor, until)
            async with opened(place, "archivist") as client:
                name = f"archivist-{clock.random_bytes(6).hex()}"
                archivist = Archivist(client, jitter=clock.jitter, now_ms=lambda: now_ms, name=name)
                outcome = await archivist.run(after_ms=after_ms)
            games = await _listed(Archive(auditor))
    except FAILURES as error:
        raise BenchError(f"the games cannot be archived: {one_line(error)}") from None
    if outcome.kept or not games:
        raise BenchError(f"{len(games)} games were archived, and {len(outcome.kept)} that are over were not")
    return games


async def _began_ms(client: Client, game: GameId) -> int:
    deals = await read_subject(client, subjects.EVENT_STREAM, subjects.sealed_deal(game))
    return nanoseconds(deals[0].stamp) // MILLISECOND_NS


async def _listed(archive: Archive) -> list[Game]:
    """As an audit lists them: those that lie beside each other follow each other."""
    games: list[Game] = []
    async for found in archive.manifests():
        if isinstance(found, DamagedArchiveError):
            raise found
        games += [Game(entry.game, logs=0, deals=0, archived=True) for entry in found.manifest.games]
    return games
