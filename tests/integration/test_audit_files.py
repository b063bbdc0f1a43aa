"""`klondike audit` against the files of nats-server: a bit flipped on the disk is noticed, and nothing repaired."""

import hashlib
import random
import shutil
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import nats
import pytest
import redis
from click.testing import CliRunner

from services.cli.audit import audit
from services.cli.data_directory import locked
from shared import subjects
from shared.bus.streams import ensure_streams
from shared.messages.base import GameId
from tests.servers import WheelServers, in_thread, start
from tests.tampering import Copy, flipped, whole_game

GAME, BEFORE, BESIDE = (whole_game(salt) for salt in range(3))
HEADER_BYTES = 22
"""Of a message in a block: length 4, sequence 8, time 8, length of the subject 2. Subject and payload follow, then a
checksum of 8."""
RECOVERY_SECONDS = 3.0


@dataclass
class Disk:
    """A data directory as `klondike up` leaves it, with the three games, and a copy to start from."""

    data: Path
    kept: Path
    servers: WheelServers

    @property
    def block(self) -> Path:
        (block,) = self.data.glob(f"nats/**/{subjects.EVENT_STREAM}/msgs/*.blk")
        return block

    def restore(self) -> None:
        shutil.rmtree(self.data / "nats" / "jetstream")
        shutil.copytree(self.kept, self.data / "nats" / "jetstream")

    def flip(self, place: int, bit: int) -> None:
        self.block.write_bytes(flipped(self.block.read_bytes(), place, bit))

    def served(self) -> bool:
        """Starts NATS on what is there. Some damage keeps it from ever serving."""
        self.servers.nats.start()
        deadline = time.monotonic() + RECOVERY_SECONDS
        while not self.servers.nats.ready():
            if self.servers.nats.exited() is not None or time.monotonic() > deadline:
                return False
            time.sleep(0.005)
        return True

    def audit(self, game: GameId) -> int:
        """The exit status, by the servers that run."""
        urls = ["--nats", self.servers.nats_url("auditor"), "--redis", self.servers.redis_url("auditor")]
        return CliRunner().invoke(audit, [game, *urls]).exit_code


@pytest.fixture(scope="module")
def disk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Disk]:
    data = tmp_path_factory.mktemp("audited")
    servers = WheelServers(data)
    start(servers.nats)
    start(servers.redis)
    in_thread(_write(servers))
    servers.nats.stop(5)
    kept = tmp_path_factory.mktemp("kept") / "jetstream"
    shutil.copytree(data / "nats" / "jetstream", kept)
    yield Disk(data, kept, servers)
    servers.nats.kill()
    servers.redis.kill()


async def _write(servers: WheelServers) -> None:
    """One game is over before the others begin; those two are played at the same time."""
    client = await nats.connect(servers.nats_url("game-state"), inbox_prefix=subjects.inbox("game-state"))
    js = client.jetstream()
    await ensure_streams(js)
    together = [message for pair in zip(GAME.messages, BESIDE.messages, strict=True) for message in pair]
    for subject, data in (*BEFORE.messages, *together):
        await js.publish(subject, data)
    await client.close()
    with redis.Redis.from_url(servers.redis_url("default")) as cache:
        for copy in (GAME, BEFORE, BESIDE):
            _remember(cache, copy)


def _remember(cache: redis.Redis, copy: Copy) -> None:
    """A snapshot carries the sequence of its record, which is another here than in a stream of one game: left out."""
    assert copy.head is not None
    cache.hset(subjects.snapshot_key(copy.game), "head", copy.head)


def places_of(block: bytes, subject: str, payload: bytes) -> dict[str, int]:
    """Where in a block each part of a message lies."""
    at = block.index(subject.encode() + payload) + len(subject)
    base = at - len(subject) - HEADER_BYTES
    return {
        "hash": at + 5,
        "first byte of the content": at + 32,
        "last byte of the content": at + len(payload) - 1,
        "a byte of the content": at + random.Random(at).randrange(33, len(payload) - 1),
        "subject": at - 3,
        "time": base + 15,
        "sequence": base + 4,
        "checksum": at + len(payload) + 2,
        "length of the subject": base + HEADER_BYTES - 2,
        "length": base,
    }


MESSAGES = {"the deal": 0, "the first record": 1, "a record": 8, "the last record": len(GAME.messages) - 1}
FRAMING = {"length", "length of the subject", "sequence"}
"""Damage here costs other games messages too: nats-server cuts the log off, or finds messages in the wrong places."""


@pytest.mark.parametrize("message", MESSAGES)
def test_a_bit_flipped_on_the_disk_is_noticed_in_its_game_and_no_other(disk: Disk, message: str) -> None:
    disk.restore()
    places = places_of(disk.block.read_bytes(), *GAME.messages[MESSAGES[message]])
    for number, (part, place) in enumerate(places.items()):
        disk.restore()
        disk.flip(place, number % 8)
        assert disk.served(), part
        try:
            assert disk.audit(GAME.game) == 1, part
            assert disk.audit(BEFORE.game) == 0, part
            assert disk.audit(BESIDE.game) == 0 or part in FRAMING, part
        finally:
            disk.servers.nats.stop(5)


def test_a_flipped_bit_high_in_a_sequence_is_noticed_or_keeps_the_server_from_serving(disk: Disk) -> None:
    disk.restore()
    base = places_of(disk.block.read_bytes(), *GAME.messages[8])["sequence"]
    disk.flip(base + 7, 3)
    try:
        assert not disk.served() or disk.audit(GAME.game) == 1
    finally:
        disk.servers.nats.kill()


def test_without_a_running_up_the_audit_reads_a_copy_and_leaves_the_files_as_they_are(disk: Disk) -> None:
    disk.restore()
    disk.servers.redis.stop(5)
    disk.flip(places_of(disk.block.read_bytes(), *GAME.messages[8])["length"], 1)
    before = _digests(disk.data)
    results = {copy.game: CliRunner().invoke(audit, [copy.game, "--data", str(disk.data)]) for copy in (GAME, BEFORE)}
    start(disk.servers.redis)
    assert (results[GAME.game].exit_code, results[BEFORE.game].exit_code) == (1, 0), results[BEFORE.game].output
    assert _digests(disk.data) == before


def test_with_a_running_up_its_servers_are_asked(disk: Disk) -> None:
    disk.restore()
    assert disk.served()
    try:
        with locked(disk.data):
            result = CliRunner().invoke(audit, [GAME.game, "--data", str(disk.data)])
            assert result.exit_code == 0, result.output
    finally:
        disk.servers.nats.stop(5)


def _digests(data: Path) -> dict[str, str]:
    return {
        str(path.relative_to(data)): hashlib.sha256(path.read_bytes()).hexdigest()
        for folder in ("nats/jetstream", "redis/appendonlydir")
        for path in sorted((data / folder).rglob("*"))
        if path.is_file()
    }
