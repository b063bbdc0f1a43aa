"""The whole audit, from the list of games to the summary."""

import asyncio
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import msgspec

from services.cli.auditing.reach import Addresses, Where, addressed, connected
from services.cli.auditing.reading import UnreadableError, has_archive
from services.cli.auditing.report import Finding
from services.cli.auditing.whole.checkpoints import cover, covered
from services.cli.auditing.whole.crew import answers
from services.cli.auditing.whole.listing import identity, listed
from services.cli.auditing.whole.projections import compare, keep_projections
from services.cli.auditing.whole.store import StateError, Store
from services.cli.auditing.whole.summary import Summary
from services.cli.nats_client import clause
from services.cli.progress import progress
from shared import clock
from shared.bus.archive import Archive, Listed, check_link
from shared.bus.direct_get import LogUnavailableError
from shared.checkpoints import Opened
from shared.messages.archive import DamagedArchiveError

GAMES_PER_TASK: Final = 32
NO_HEADS: Final = "Redis holds no head of {} games: that their logs have lost their ends could not be seen"


class Options(msgspec.Struct, frozen=True, kw_only=True):
    """How games are audited."""

    jobs: int
    state: Path | None
    """The file that remembers; none: one that is gone at the end."""
    since: Opened | None = None
    """A published checkpoint that the log is held against."""


async def audit_all(where: Where, options: Options) -> Summary:
    """Audits every game.

    Raises:
        UnreadableError: the servers cannot be asked.

    """
    began = time.process_time()
    async with addressed(where) as addresses:
        with _opened(options.state, f"{await _log_of(addresses)} {_name(options.since)}") as store:
            notes = await _prepare(addresses, store, options.since)
            seconds = await _judge(addresses, store, options.jobs)
            _note_missing(store)
            statistics = compare(store)
            records, headless, statuses = store.sums()
            faults = tuple(store.faults())
            return Summary(
                clean=not faults,
                games=store.count(),
                records=records,
                statuses=statuses,
                without_head=headless,
                faulty=len(store.faulty()),
                statistics=statistics,
                checkpoint=covered(store, options.since),
                notes=(*notes, *((NO_HEADS.format(headless),) if headless else ())),
                faults=faults,
                seconds=round(seconds + time.process_time() - began, 3),
            )


async def _log_of(addresses: Addresses) -> str:
    async with connected(addresses) as (nc, _):
        return await identity(nc)


@contextmanager
def _opened(state: Path | None, log: str) -> Iterator[Store]:
    with tempfile.TemporaryDirectory(prefix="klondike-audit-") as folder:
        try:
            store = Store(state or Path(folder) / "state", log)
        except StateError as error:
            raise UnreadableError(str(error)) from None
        try:
            yield store
        finally:
            store.close()


def _name(since: Opened | None) -> str:
    return since.hash.hex() if since else ""


def _note_missing(store: Store) -> None:
    if store.noted("missing") is not None:
        return
    store.note("missing", b"told")
    for game in store.uncovered_games():
        what = "the checkpoint knows the game, and neither log nor archive has it: it was removed"
        store.add_fault(game, Finding(place="checkpoint", version=None, sequence=None, what=what))


async def _prepare(addresses: Addresses, store: Store, since: Opened | None) -> tuple[str, ...]:
    """Keeps what is compared, then lists the games: those that statistics and checkpoints know are listed then."""
    async with connected(addresses) as (nc, redis):
        if store.noted("prepared") is None:
            why_not = await keep_projections(redis, store, clock.now_ms())
            notes = (*((why_not,) if why_not else ()), *await cover(nc, store, since))
            store.note("prepared", "\n".join(notes).encode())
        notes = tuple((store.noted("prepared") or b"").decode().splitlines())
        async for page in listed(nc):
            store.add_games(page)
        if await has_archive(nc):
            await _list_archive(Archive(nc), store)
    return notes


async def _list_archive(archive: Archive, store: Store) -> None:
    """Asked after the log was listed: a game leaves the log only once a manifest names it."""
    store.forget_faults("archive", beside=True)
    before: Listed | None = None
    try:
        async for listed_there in archive.manifests():
            if isinstance(listed_there, DamagedArchiveError):
                store.add_fault(None, _archive_finding(listed_there))
                continue
            store.add_archived(entry.game for entry in listed_there.manifest.games)
            for damage in check_link(before, listed_there):
                store.add_fault(None, _archive_finding(damage))
            before = listed_there
    except LogUnavailableError as error:
        raise UnreadableError(f"the archive cannot be read: {clause(error)}. Go on with it later.") from None


def _archive_finding(damage: DamagedArchiveError) -> Finding:
    return Finding(place="archive", version=None, sequence=None, what=str(damage))


async def _judge(addresses: Addresses, store: Store, jobs: int) -> float:
    """Gives the processor time that it took."""
    done, total = store.count(done=True), store.count()
    seconds = 0.0
    with progress("games", total) as shown:
        for _ in range(done):
            shown.advance()
        for answer in answers(addresses, store.undone(GAMES_PER_TASK), jobs):
            store.take(answer.judged)
            seconds += answer.seconds
            for _ in answer.judged:
                shown.advance()
            await asyncio.sleep(0)  # here it may be interrupted
    return seconds
