"""The archivist as a service: archives again and again, through outages, and ends when it is told to."""

import nats.errors
import pytest
from structlog.testing import capture_logs

from services.archivist import app
from services.archivist.app import run
from shared import subjects
from shared.logs import Log
from shared.settings import ArchivistSettings
from tests.archives import ENDED, Bench, bench
from tests.conftest import ConnectAs
from tests.integration.game_state import soon
from tests.integration.services import serving
from tests.servers import Servers

OFTEN = ArchivistSettings(archive_after_days=0, archive_every_minutes=0.001)


@pytest.fixture
async def at(connect_as: ConnectAs) -> Bench:
    return await bench(connect_as)


async def test_what_becomes_due_is_archived_while_it_runs(at: Bench, connect_as: ConnectAs, log: Log) -> None:
    async with serving(run, "archivist", OFTEN, await connect_as("archivist"), log):
        for number, copy in enumerate(ENDED, start=1):
            await at.store([copy])

            async def gone(number: int = number) -> bool:
                newest = await at.archive.newest()
                return newest is not None and newest.manifest.games_so_far == number and not await at.live_messages()

            await soon(gone)


async def test_it_goes_on_when_the_server_is_back(
    at: Bench, servers: Servers, connect_as: ConnectAs, log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(app, "RETRY_SECONDS", 0.05)
    await at.store(ENDED)
    client = await connect_as("archivist")
    servers.kill_nats()
    with capture_logs() as lines:
        async with serving(run, "archivist", OFTEN, client, log):

            async def waits() -> bool:
                return any(line["event"].startswith("waiting, then archiving") for line in lines)

            await soon(waits)
            servers.start_nats()

            async def gone() -> bool:
                try:
                    return await at.live_messages() == 0
                except nats.errors.Error:
                    return False

            await soon(gone, 30)


async def test_a_log_that_lets_no_game_leave_is_said_and_the_service_stays(
    at: Bench, connect_as: ConnectAs, log: Log
) -> None:
    js = at.owner.jetstream()
    config = (await js.stream_info(subjects.EVENT_STREAM)).config
    config.deny_purge = True
    await js.update_stream(config)
    await at.store(ENDED[:1])
    with capture_logs() as lines:
        async with serving(run, "archivist", OFTEN, await connect_as("archivist"), log):

            async def said() -> bool:
                return [line["event"] for line in lines].count("nothing can be archived") > 1

            await soon(said)
    assert await at.archive.newest() is None
