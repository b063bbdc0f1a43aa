"""Signed checkpoints on real servers: what came before one cannot be changed, replaced, added to or removed."""

import asyncio
import random
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner, Result
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from nats.aio.client import Client

from services.cli.audit import audit
from services.cli.auditing.whole.summary import Summary
from services.cli.benching.written import Message, messages, played, rewritten, write
from services.cli.checkpoint import checkpoint
from services.notary import notary as making
from services.notary.notary import Notary, OtherKeyError
from shared import subjects
from shared.bus.direct_get import read_subject
from shared.bus.streams import ensure_streams
from shared.checkpoints import open_signed
from shared.clock import now_ms
from shared.logs import Log
from shared.messages.base import GameId
from shared.messages.codec import HASH_BYTES
from tests.archives import ENDED, bench
from tests.conftest import ConnectAs
from tests.servers import Servers
from tests.tampering import flipped

TEMPLATES = tuple(played(seed, 10) for seed in range(4))
WRITTEN = list(messages(12, TEMPLATES))
COVERED, LATER = WRITTEN[:120], WRITTEN[120:]
KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))

MakeNotary = Callable[[Ed25519PrivateKey], Notary]


@pytest.fixture
async def notary_of(log_writer: Client, connect_as: ConnectAs, log: Log) -> MakeNotary:
    """Makes notaries, each with its key, on one connection with the notary's rights."""
    client = await connect_as("notary")
    return lambda key: Notary(client, key, log, now_ms=now_ms, jitter=random.random)


def addresses(servers: Servers) -> list[str]:
    return ["--nats", servers.nats_url("auditor"), "--redis", servers.redis_url("auditor")]


async def published(servers: Servers, folder: Path, *flags: str) -> Path:
    """The newest checkpoint, as it is kept elsewhere."""
    file = folder / "checkpoint.json"
    argv = ["--out", str(file), *addresses(servers), *flags]
    result = await asyncio.to_thread(CliRunner().invoke, checkpoint, argv)
    assert result.exit_code == 0, result.output
    return file


async def run(servers: Servers, *flags: str) -> Result:
    result = await asyncio.to_thread(CliRunner().invoke, audit, ["--json", "--jobs", "1", *addresses(servers), *flags])
    assert isinstance(result.exception, SystemExit | None), result.exception
    return result


async def since(servers: Servers, file: Path) -> Summary:
    result = await run(servers, "--since", str(file))
    assert result.exit_code in {0, 1}, result.output
    return msgspec.json.decode(result.stdout[result.stdout.index("{\n") :], type=Summary)


async def rewritten_log(owner: Client, stored: Sequence[Message]) -> None:
    """Somebody who owns the server makes the log anew; checkpoints stay."""
    js = owner.jetstream()
    await js.delete_stream(subjects.EVENT_STREAM)
    await ensure_streams(js)
    await write(owner, stored)


async def test_what_follows_a_checkpoint_is_no_fault_and_each_names_the_one_before(
    servers: Servers, log_writer: Client, notary_of: MakeNotary, tmp_path: Path
) -> None:
    notary = notary_of(KEY)
    assert await notary.run() == 0, "there is nothing to sign yet"
    await write(log_writer, COVERED)
    assert await notary.run() == 1
    file = await published(servers, tmp_path)
    assert await notary.run() == 0, "nothing is new"
    await write(log_writer, LATER)
    assert await notary.run() == 1
    found = await since(servers, file)
    assert found.faults == ()
    assert found.checkpoint is not None
    assert (found.checkpoint.number, found.checkpoint.since, found.checkpoint.games) == (2, 1, 12)
    stored = await read_subject(log_writer, subjects.CHECKPOINT_STREAM, subjects.CHECKPOINTS)
    first, second = (open_signed(one.data) for one in stored)
    assert second.checkpoint.previous == first.hash
    older = await published(servers, tmp_path, "--number", "1")
    assert (await since(servers, older)).faults == ()


def _game(number: int) -> GameId:
    return list(dict.fromkeys(subjects.game_of(subject) for subject, _ in COVERED))[number]


def removed(stored: list[Message]) -> list[Message]:
    """A whole game, as if it had never been; others move up to its sequences."""
    return [message for message in stored if subjects.game_of(message[0]) != _game(2)]


def replaced(stored: list[Message]) -> list[Message]:
    """A whole game by another one of the same player and deal, with a flawless chain."""
    other = iter(rewritten(played(2 + len(TEMPLATES), 10), 2))
    return [
        (next(other, None) or message) if subjects.game_of(message[0]) == _game(2) else message for message in stored
    ]


def added(stored: list[Message]) -> list[Message]:
    """A whole game, before all others."""
    return [*rewritten(TEMPLATES[0], 500), *stored]


def cut(stored: list[Message]) -> list[Message]:
    """The last covered records of a game, which has a flawless chain without them."""
    log = subjects.game_log(_game(3))
    last = [place for place, (subject, _) in enumerate(stored) if subject == log][-3:]
    return [message for place, message in enumerate(stored) if place not in last]


def changed(stored: list[Message]) -> list[Message]:
    place = next(at for at, (subject, _) in enumerate(stored) if subject == subjects.game_log(_game(1)))
    return [*stored[:place], (stored[place][0], flipped(stored[place][1], HASH_BYTES + 90)), *stored[place + 1 :]]


@pytest.mark.parametrize(
    ("tamper", "game", "why"),
    [
        (removed, 2, "it was removed"),
        (replaced, 2, "changed or replaced"),
        (added, None, "the whole game lies before sequence"),
        (cut, 3, "lost its end"),
        (changed, 1, "cannot be decoded"),
    ],
    ids=["removed", "replaced", "added", "cut", "changed"],
)
async def test_a_log_that_was_made_anew_is_noticed_and_the_game_is_named(
    servers: Servers,
    log_writer: Client,
    notary_of: MakeNotary,
    tmp_path: Path,
    tamper: Callable[[list[Message]], list[Message]],
    game: int | None,
    why: str,
) -> None:
    await write(log_writer, WRITTEN)
    await notary_of(KEY).run()
    file = await published(servers, tmp_path)
    await rewritten_log(log_writer, tamper(WRITTEN))
    found = await since(servers, file)
    assert not found.clean
    named = [fault for fault in found.faults if why in fault.finding.what]
    assert named, found.faults
    assert game is None or {fault.game for fault in named} == {_game(game)}


async def test_checkpoints_that_were_made_anew_are_noticed_by_a_published_one(
    servers: Servers, log_writer: Client, notary_of: MakeNotary, tmp_path: Path
) -> None:
    """Whoever owns everything but the key signs another history with a key of their own; or leaves all signing out."""
    await write(log_writer, WRITTEN)
    await notary_of(KEY).run()
    file = await published(servers, tmp_path)
    await log_writer.jetstream().delete_stream(subjects.EVENT_STREAM)
    await log_writer.jetstream().delete_stream(subjects.CHECKPOINT_STREAM)
    await ensure_streams(log_writer.jetstream())
    await write(log_writer, removed(WRITTEN))
    missing = await since(servers, file)
    assert any("the published checkpoint is not there" in fault.finding.what for fault in missing.faults)
    await notary_of(Ed25519PrivateKey.generate()).run()
    forged = await since(servers, file)
    whats = " / ".join(fault.finding.what for fault in forged.faults)
    assert "signed with another key" in whats
    assert "is another one than was published" in whats


async def test_another_key_does_not_sign_on_unless_it_is_told_to(
    log_writer: Client, notary_of: MakeNotary, servers: Servers
) -> None:
    await write(log_writer, COVERED)
    await notary_of(KEY).run()
    await write(log_writer, LATER)
    other = notary_of(Ed25519PrivateKey.generate())
    with pytest.raises(OtherKeyError, match="restore that key's file"):
        await other.run()
    assert await other.run(new_key=True) == 1


async def test_more_games_than_one_checkpoint_holds_are_in_several(
    log_writer: Client, notary_of: MakeNotary, servers: Servers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(making, "CHANGES_MAX", 5)
    await write(log_writer, WRITTEN)
    assert await notary_of(KEY).run() > 2
    assert (await since(servers, await published(servers, tmp_path))).faults == ()


async def test_games_that_moved_to_the_archive_are_covered_there_too(
    connect_as: ConnectAs, notary_of: MakeNotary, servers: Servers, tmp_path: Path
) -> None:
    """Some before their first checkpoint, some after it."""
    at = await bench(connect_as)
    await at.store(ENDED[:2])
    await at.run()
    await at.store(ENDED[2:])
    await notary_of(KEY).run()
    file = await published(servers, tmp_path)
    await at.run()
    found = await since(servers, file)
    assert found.faults == ()
    assert found.checkpoint is not None
    assert found.checkpoint.games == len(ENDED)


async def test_what_cannot_be_held_against_is_named(servers: Servers, log_writer: Client, tmp_path: Path) -> None:
    bad = tmp_path / "bad.json"
    bad.write_text("{}")
    for file, why in ((bad, "is not to be held against"), (tmp_path / "none.json", "cannot be read")):
        result = await run(servers, "--since", str(file))
        assert (result.exit_code, why in result.output) == (2, True), result.output
    none = await asyncio.to_thread(CliRunner().invoke, checkpoint, addresses(servers))
    assert (none.exit_code, "no checkpoint yet" in none.output) == (2, True), none.output
