"""The test servers in containers, proved like those of the wheels."""

from contextlib import closing

import pytest
import redis

from tests.servers import ContainerServers, running

pytestmark = [pytest.mark.containers]


def test_an_engine_is_used_when_there_is_one(engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both servers run in containers, are wiped, and come back on their ports after a kill, with their data."""
    monkeypatch.setenv("KLONDIKE_TEST_SERVERS", "auto")
    with running() as servers:
        assert isinstance(servers, ContainerServers), engine
        with closing(redis.Redis.from_url(servers.redis_url("default"))) as store:
            store.set("kept", "1")
            servers.restart_redis()
            assert store.get("kept") == b"1"
            servers.restart_nats()
            servers.wipe()
            assert store.dbsize() == 0
