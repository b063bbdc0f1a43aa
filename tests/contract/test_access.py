"""Who may say and hear what, proved with the real servers: a refusal here is the server's, not ours."""

import json
import os
import subprocess
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Literal, TypeAlias

import nats
import pytest
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.js.api import ConsumerConfig
from redis.exceptions import NoPermissionError

from shared import subjects
from shared.access import API, ARCHIVE, DEAD, EVENTS, JOBS, ROLES, deployed_nats_config, variable
from shared.bus.streams import ensure_streams
from shared.embedded import program
from shared.messages.base import GameId, PlayerId
from shared.settings import Role
from tests.conftest import ConnectAs, RedisAs
from tests.servers import Servers

ROOT = Path(__file__).parents[2]
GAME = GameId("a" * 26)
JOB = subjects.job("waiting", "hint", PlayerId("b" * 26))
ANSWER_SECONDS = 2.0


class Peer:
    """One role's connection, and what the server has refused it."""

    def __init__(self, role: Role, client: Client, refused: list[str]) -> None:
        self.role = role
        self.client = client
        self._refused = refused

    async def refusal(self) -> str | None:
        """What was refused since the last time. The server answers in order, so a round trip is enough.

        Two, as nats-py sends its ping ahead of what it has buffered.
        """
        await self.client.flush()
        await self.client.flush()
        return self._refused.pop() if self._refused else None

    async def may_publish(self, subject: str, payload: bytes = b"") -> bool:
        await self.client.publish(subject, payload)
        return await self.refusal() is None

    async def may_subscribe(self, subject: str) -> bool:
        subscription = await self.client.subscribe(subject)
        refused = await self.refusal()
        if refused is None:
            await subscription.unsubscribe()
        return refused is None

    async def ask(self, subject: str, payload: object) -> bytes:
        return (await self.client.request(subject, json.dumps(payload).encode(), timeout=ANSWER_SECONDS)).data


Join: TypeAlias = Callable[[Role], Awaitable[Peer]]


@pytest.fixture
async def join(servers: Servers) -> AsyncIterator[Join]:
    """Connects as a role and listens for refusals."""
    async with AsyncExitStack() as opened:

        async def one(role: Role) -> Peer:
            refused: list[str] = []

            async def on_error(error: Exception) -> None:
                refused.append(str(error))

            client = await nats.connect(
                servers.nats_url(role), inbox_prefix=subjects.inbox(role), error_cb=on_error, allow_reconnect=False
            )
            opened.push_async_callback(client.close)
            return Peer(role, client, refused)

        yield one


@pytest.fixture
async def owner(join: Join) -> Peer:
    """game-state, with the streams made and one game in the log."""
    peer = await join("game-state")
    await ensure_streams(peer.client.jetstream())
    context = peer.client.jetstream()
    await context.publish(subjects.sealed_deal(GAME), b"hidden cards")
    await context.publish(subjects.game_log(GAME), b"record")
    await context.publish(JOB, b"job")
    return peer


EVENT_LOG_WAYS = (
    f"{API}.STREAM.INFO.{EVENTS}",
    f"{API}.STREAM.MSG.GET.{EVENTS}",
    f"{API}.DIRECT.GET.{EVENTS}",
    f"{API}.DIRECT.GET.{EVENTS}.{subjects.sealed_deal(GAME)}",
    f"{API}.DIRECT.GET.{EVENTS}.{subjects.game_log(GAME)}",
    f"{API}.CONSUMER.CREATE.{EVENTS}",
    f"{API}.CONSUMER.CREATE.{EVENTS}.mine",
    f"{API}.CONSUMER.CREATE.{EVENTS}.mine.{subjects.SEALED_DEALS}",
    f"{API}.CONSUMER.CREATE.{EVENTS}.mine.>",
    f"{API}.CONSUMER.DURABLE.CREATE.{EVENTS}.mine",
    f"{API}.CONSUMER.MSG.NEXT.{EVENTS}.mine",
    f"{API}.STREAM.CREATE.MIRROR",
    f"{API}.STREAM.UPDATE.{EVENTS}",
    f"{API}.STREAM.SNAPSHOT.{EVENTS}",
    f"{API}.STREAM.DELETE.{EVENTS}",
    f"{API}.STREAM.PURGE.{EVENTS}",
    subjects.sealed_deal(GAME),
    subjects.game_log(GAME),
)
OTHER_WAYS = (
    f"{API}.INFO",
    f"{API}.STREAM.NAMES",
    f"{API}.STREAM.LIST",
    *(
        f"{API}.{way}"
        for stream in (JOBS, DEAD)
        for way in (
            f"STREAM.INFO.{stream}",
            f"STREAM.MSG.GET.{stream}",
            f"STREAM.MSG.DELETE.{stream}",
            f"DIRECT.GET.{stream}",
            f"STREAM.SNAPSHOT.{stream}",
            f"CONSUMER.CREATE.{stream}",
            f"CONSUMER.CREATE.{stream}.mine.>",
            f"CONSUMER.DURABLE.CREATE.{stream}.mine",
            f"CONSUMER.NAMES.{stream}",
        )
    ),
)
"""To whatever else is stored."""
LISTENING = (
    ">",
    "klondike.>",
    subjects.GAME_LOGS,
    subjects.SEALED_DEALS,
    subjects.sealed_deal(GAME),
    subjects.JOBS,
    subjects.COMMANDS,
    subjects.VIEWS,
    subjects.DEAD_LETTERS,
    subjects.results("*"),
    f"{API}.>",
    "$JS.>",
    "_INBOX.>",
    "_INBOX_game-state.>",
    "_INBOX_auditor.>",
)


@pytest.mark.parametrize("role", ["gateway", "solver-worker", "scoring", "dealer", "opponent"])
async def test_who_may_not_see_hidden_cards_is_refused_every_way_to_them(owner: Peer, join: Join, role: Role) -> None:
    peer = await join(role)
    allowed = [subject for subject in (*EVENT_LOG_WAYS, *OTHER_WAYS) if await peer.may_publish(subject)]
    heard = [subject for subject in LISTENING if await peer.may_subscribe(subject)]
    assert (allowed, heard) == ([], [])
    assert owner.client.is_connected


@pytest.mark.parametrize("role", ["gateway", "solver-worker", "dealer", "opponent"])
async def test_only_scoring_reads_game_logs(owner: Peer, join: Join, role: Role) -> None:
    create = subjects.create_log_reader(subjects.LOG_READERS[0])
    assert not await (await join(role)).may_publish(create)
    assert await (await join("scoring")).may_publish(create)
    assert owner.client.is_connected


@pytest.mark.parametrize(
    "filters",
    [
        {"filter_subject": subjects.SEALED_DEALS},
        {"filter_subject": ">"},
        {"filter_subject": "klondike.*.*"},
        {"filter_subjects": [subjects.SEALED_DEALS]},
        {"filter_subjects": [subjects.GAME_LOGS, subjects.SEALED_DEALS]},
        {"filter_subject": subjects.GAME_LOGS, "filter_subjects": [subjects.SEALED_DEALS]},
        {},
    ],
    ids=json.dumps,
)
async def test_a_consumer_whose_payload_asks_for_more_than_its_subject_is_refused(
    owner: Peer, join: Join, filters: dict[str, object]
) -> None:
    peer = await join("scoring")
    (name, *_) = subjects.LOG_READERS
    config = {"name": name, "deliver_subject": peer.client.new_inbox(), "ack_policy": "none", **filters}
    subject = subjects.create_log_reader(name)
    answer = json.loads(await peer.ask(subject, {"stream_name": EVENTS, "config": config, "action": ""}))
    assert "error" in answer, f"the server made {answer['config']}"
    assert [consumer.name for consumer in await owner.client.jetstream().consumers_info(EVENTS)] == []


@pytest.mark.parametrize("literal", ["klondike.>", "klondike.*.*", "*.game.*", "klondike.deal.*", ">"])
async def test_a_wildcard_in_the_creation_subject_reaches_no_further(owner: Peer, join: Join, literal: str) -> None:
    peer = await join("scoring")
    assert not await peer.may_publish(f"{API}.CONSUMER.CREATE.{EVENTS}.{subjects.LOG_READERS[0]}.{literal}")
    assert owner.client.is_connected


async def test_scoring_reads_the_game_logs_and_no_sealed_deal(owner: Peer, join: Join) -> None:
    peer = await join("scoring")
    inbox = peer.client.new_inbox()
    arrived = await peer.client.subscribe(inbox)
    (name, *_) = subjects.LOG_READERS
    await peer.client.jetstream().add_consumer(EVENTS, ConsumerConfig(name=name, filter_subject=subjects.GAME_LOGS))
    await peer.client.publish(subjects.next_of_log(name), b'{"batch": 3}', reply=inbox)
    assert (await arrived.next_msg(ANSWER_SECONDS)).data == b"record"
    await owner.client.jetstream().publish(subjects.sealed_deal(GameId("b" * 26)), b"hidden cards")
    await owner.client.jetstream().publish(subjects.game_log(GameId("b" * 26)), b"next record")
    assert (await arrived.next_msg(ANSWER_SECONDS)).data == b"next record"


@pytest.mark.parametrize("role", ["gateway", "solver-worker", "scoring", "auditor"])
async def test_the_secret_of_a_deal_that_nobody_plays_yet_goes_from_the_dealer_to_game_state_alone(
    owner: Peer, join: Join, role: Role
) -> None:
    """Nobody else may ask for one, answer in the dealer's place, or listen."""
    other, dealer = await join(role), await join("dealer")
    assert not await other.may_publish(subjects.WINNABLE_SECRETS)
    assert not await other.may_subscribe(subjects.WINNABLE_SECRETS)
    assert not await other.may_subscribe(f"{subjects.inbox('game-state')}.>")
    assert await owner.may_publish(subjects.WINNABLE_SECRETS)
    assert await dealer.may_subscribe(subjects.WINNABLE_SECRETS)


async def test_the_dealer_may_ask_for_views_and_nothing_else(owner: Peer, join: Join) -> None:
    dealer = await join("dealer")
    assert await dealer.may_publish(subjects.view(GAME))
    refused = (subjects.command(GAME), subjects.feed(GAME), "klondike.job.any", subjects.STATISTICS, "klondike.any")
    assert [subject for subject in refused if await dealer.may_publish(subject)] == []
    assert owner.client.is_connected


async def test_a_worker_takes_a_job_answers_and_acknowledges(owner: Peer, join: Join) -> None:
    results = await owner.client.subscribe(subjects.results("one"))
    await owner.client.flush()
    worker = await join("solver-worker")
    context = worker.client.jetstream()
    queue = await context.pull_subscribe_bind(subjects.job_consumer("waiting"), JOBS)
    (job,) = await queue.fetch(1, ANSWER_SECONDS)
    await job.in_progress()
    await job.in_progress()
    await worker.client.publish(subjects.result("one", "job"), b"result")
    await job.ack_sync(ANSWER_SECONDS)
    assert (await results.next_msg(ANSWER_SECONDS)).data == b"result"
    assert (await owner.client.jetstream().stream_info(JOBS)).state.messages == 0
    assert await worker.may_publish(subjects.dead_letter("hint"))
    assert await worker.refusal() is None


@pytest.mark.parametrize("priority", subjects.PRIORITIES)
async def test_a_worker_may_take_jobs_of_each_priority_and_only_by_the_common_consumer(
    owner: Peer, join: Join, priority: subjects.Priority
) -> None:
    worker = await join("solver-worker")
    assert await worker.may_publish(f"{API}.CONSUMER.MSG.NEXT.{JOBS}.{subjects.job_consumer(priority)}")
    assert not await worker.may_publish(f"{API}.CONSUMER.MSG.NEXT.{JOBS}.mine")
    assert not await worker.may_publish(f"{API}.CONSUMER.MSG.NEXT.{EVENTS}.{subjects.job_consumer(priority)}")
    assert owner.client.is_connected


async def test_a_worker_hears_requests_for_its_report_and_no_command_view_or_step(owner: Peer, join: Join) -> None:
    """A step and a view hold no card that is face down, but those of other games are none of its business."""
    worker = await join("solver-worker")
    assert await worker.may_subscribe(subjects.worker("one"))
    for subject in (subjects.command(GAME), subjects.view(GAME), subjects.feed(GAME), subjects.feed(GameId("*"))):
        assert not await worker.may_subscribe(subject)
    assert owner.client.is_connected


async def test_the_auditor_sees_what_waits_and_what_was_buried(owner: Peer, join: Join) -> None:
    await owner.client.jetstream().publish(subjects.dead_letter("hint"), b"buried")
    context = (await join("auditor")).client.jetstream()
    waiting = await context.consumer_info(JOBS, subjects.job_consumer("waiting"))
    assert waiting.num_pending == 1
    buried = (await context.stream_info(DEAD)).state
    assert (await context.get_msg(DEAD, buried.last_seq)).data == b"buried"


ARCHIVE_WAYS = (
    f"{API}.STREAM.MSG.GET.{ARCHIVE}",
    f"{API}.DIRECT.GET.{ARCHIVE}",
    f"{API}.STREAM.PURGE.{ARCHIVE}",
    subjects.archived_game(GAME),
    subjects.ARCHIVE_MANIFESTS,
)


@pytest.mark.parametrize(("role", "ways"), [("gateway", 0), ("solver-worker", 0), ("dealer", 0), ("scoring", 2)])
async def test_the_archive_is_read_by_scoring_and_not_by_who_needs_no_log(
    owner: Peer, join: Join, role: Role, ways: int
) -> None:
    """It holds games that are over alone, whose secrets the log has revealed."""
    peer = await join(role)
    assert [way for way in ARCHIVE_WAYS if await peer.may_publish(way)] == list(ARCHIVE_WAYS[:ways])
    assert owner.client.is_connected


async def test_the_archivist_reads_and_purges_the_log_and_writes_the_archive_alone(owner: Peer, join: Join) -> None:
    archivist = await join("archivist")
    assert [way for way in ARCHIVE_WAYS if not await archivist.may_publish(way)] == []
    refused = (
        subjects.game_log(GAME),
        subjects.sealed_deal(GAME),
        subjects.command(GAME),
        subjects.view(GAME),
        f"{API}.STREAM.UPDATE.{EVENTS}",
        f"{API}.STREAM.DELETE.{EVENTS}",
        f"{API}.STREAM.PURGE.{JOBS}",
        f"{API}.CONSUMER.CREATE.{EVENTS}.mine.{subjects.SEALED_DEALS}",
    )
    assert [subject for subject in refused if await archivist.may_publish(subject)] == []
    purged = json.loads(await archivist.ask(f"{API}.STREAM.PURGE.{EVENTS}", {"filter": subjects.game_log(GAME)}))
    assert (purged["success"], purged["purged"]) == (True, 1)
    assert owner.client.is_connected


async def test_who_writes_the_log_may_not_purge_it_nor_write_the_archive(owner: Peer, join: Join) -> None:
    auditor = await join("auditor")
    refused = (f"{API}.STREAM.PURGE.{EVENTS}", *ARCHIVE_WAYS[2:])
    assert [subject for subject in refused if await owner.may_publish(subject)] == []
    assert [subject for subject in refused if await auditor.may_publish(subject)] == []


async def test_a_worker_may_not_queue_jobs_or_command_or_make_consumers(owner: Peer, join: Join) -> None:
    worker = await join("solver-worker")
    refused = (
        JOB,
        subjects.command(GAME),
        subjects.feed(GAME),
        f"{API}.CONSUMER.CREATE.{JOBS}.mine",
        f"{API}.CONSUMER.DELETE.{JOBS}.{subjects.job_consumer('waiting')}",
        f"{API}.STREAM.PURGE.{JOBS}",
        f"$JS.ACK.{EVENTS}.x",
    )
    assert [subject for subject in refused if await worker.may_publish(subject)] == []
    assert owner.client.is_connected


async def test_the_gateway_commands_is_answered_and_hears_the_feed(owner: Peer, join: Join) -> None:
    async def answer(message: Msg) -> None:
        await message.respond(b"answer")

    await owner.client.subscribe(subjects.COMMANDS, cb=answer)
    await owner.client.flush()
    gateway = await join("gateway")
    feed = await gateway.client.subscribe(subjects.feed(GAME))
    await gateway.client.flush()
    assert (await gateway.client.request(subjects.command(GAME), b"", timeout=ANSWER_SECONDS)).data == b"answer"
    await owner.client.publish(subjects.feed(GAME), b"step")
    assert (await feed.next_msg(ANSWER_SECONDS)).data == b"step"
    assert (await gateway.refusal(), await owner.refusal()) == (None, None)


async def test_the_gateway_may_not_publish_what_others_say(owner: Peer, join: Join) -> None:
    gateway = await join("gateway")
    refused = (
        subjects.feed(GAME),
        JOB,
        subjects.result("one", "job"),
        subjects.dead_letter("hint"),
        f"{API}.INFO",
        f"{API}.STREAM.NAMES",
        "_INBOX_game-state.x",
    )
    assert [subject for subject in refused if await gateway.may_publish(subject)] == []
    assert owner.client.is_connected


async def test_the_auditor_reads_everything_and_changes_nothing(owner: Peer, join: Join) -> None:
    auditor = await join("auditor")
    context = auditor.client.jetstream()
    sealed = await context.get_last_msg(EVENTS, subjects.sealed_deal(GAME))
    record = await context.get_last_msg(EVENTS, subjects.game_log(GAME), direct=True)
    assert (sealed.data, record.data) == (b"hidden cards", b"record")
    refused = (
        subjects.game_log(GAME),
        subjects.sealed_deal(GAME),
        subjects.command(GAME),
        f"{API}.STREAM.DELETE.{EVENTS}",
        f"{API}.STREAM.UPDATE.{EVENTS}",
        f"{API}.STREAM.PURGE.{EVENTS}",
        f"{API}.STREAM.MSG.DELETE.{EVENTS}",
        f"{API}.STREAM.CREATE.OTHER",
    )
    assert [subject for subject in refused if await auditor.may_publish(subject)] == []
    assert (await owner.client.jetstream().stream_info(EVENTS)).state.messages == 2


@pytest.mark.parametrize("role", ROLES)
async def test_every_role_may_describe_itself_and_answer(owner: Peer, join: Join, role: Role) -> None:
    peer = await join(role)
    asking = await join("auditor")

    async def answer(message: Msg) -> None:
        await message.respond(b"here")

    await peer.client.subscribe("$SRV.PING", cb=answer)
    assert await peer.refusal() is None
    assert (await asking.client.request("$SRV.PING", b"", timeout=ANSWER_SECONDS)).data == b"here"
    assert owner.client.is_connected


async def quiet(_error: Exception) -> None:
    pass


async def test_a_wrong_password_and_no_password_are_refused(servers: Servers) -> None:
    url = servers.nats_url("gateway")
    address = url.rsplit("@", 1)[-1]
    for wrong in (f"nats://gateway:wrong@{address}", f"nats://{address}", f"nats://nobody:x@{address}"):
        client = Client()
        with pytest.raises(nats.errors.Error, match="Authorization Violation"):
            await client.connect(wrong, allow_reconnect=False, error_cb=quiet)
        await client.close()


Reach = Literal["game-state", "scoring"]


@pytest.mark.parametrize(
    ("role", "key"),
    [("scoring", subjects.snapshot_key(GAME)), ("game-state", subjects.SCORING_KEYS.replace("*", "x"))],
)
async def test_one_service_cannot_read_the_others_keys_in_redis(redis_as: RedisAs, role: Reach, key: str) -> None:
    store = await redis_as(role)
    with pytest.raises(NoPermissionError):
        await store.get(key)
    with pytest.raises(NoPermissionError):
        await store.flushall()


async def test_the_auditor_reads_snapshots_and_writes_none(redis_as: RedisAs, connect_as: ConnectAs) -> None:
    await (await redis_as("game-state")).hset(subjects.snapshot_key(GAME), "version", "1")
    auditor = await redis_as("auditor")
    assert await auditor.hgetall(subjects.snapshot_key(GAME)) == {b"version": b"1"}
    with pytest.raises(NoPermissionError):
        await auditor.delete(subjects.snapshot_key(GAME))
    assert (await connect_as("auditor")).is_connected


def test_the_deployed_configuration_is_the_one_that_is_tested() -> None:
    """`python -m shared.access > deploy/nats.conf` brings it up to date."""
    assert (ROOT / "deploy" / "nats.conf").read_text() == deployed_nats_config()


def test_nats_server_accepts_the_deployed_configuration() -> None:
    passwords = {variable(role, "NATS"): "secret" for role in ROLES}
    command = [program("nats-server"), "-t", "-c", str(ROOT / "deploy" / "nats.conf")]
    checked = subprocess.run(command, env=os.environ | passwords, capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stderr


def test_a_deployment_without_passwords_does_not_start() -> None:
    command = [program("nats-server"), "-t", "-c", str(ROOT / "deploy" / "nats.conf")]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("NATS_PASSWORD")}
    checked = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert checked.returncode != 0
    assert "NATS_PASSWORD" in checked.stderr


async def test_the_notary_reads_game_logs_and_writes_checkpoints_alone(owner: Peer, join: Join) -> None:
    """No sealed deal, no game, no purge; and who writes games writes no checkpoint."""
    notary = await join("notary")
    assert await notary.may_publish(subjects.create_log_reader(subjects.NOTARY_READER))
    assert await notary.may_publish(subjects.CHECKPOINTS)
    assert await notary.may_subscribe(subjects.NEWEST_CHECKPOINT)
    refused = (
        subjects.game_log(GAME),
        subjects.sealed_deal(GAME),
        subjects.command(GAME),
        subjects.archived_game(GAME),
        f"{API}.STREAM.MSG.GET.{EVENTS}",
        f"{API}.DIRECT.GET.{EVENTS}",
        f"{API}.STREAM.PURGE.{EVENTS}",
        f"{API}.STREAM.PURGE.{subjects.CHECKPOINT_STREAM}",
        f"{API}.CONSUMER.CREATE.{EVENTS}.{subjects.NOTARY_READER}.{subjects.SEALED_DEALS}",
        f"{API}.CONSUMER.CREATE.{EVENTS}.mine.{subjects.GAME_LOGS}",
    )
    assert [subject for subject in refused if await notary.may_publish(subject)] == []
    for writer in ("scoring", "archivist", "auditor", "gateway"):
        assert not await (await join(writer)).may_publish(subjects.CHECKPOINTS)
    assert not await owner.may_publish(subjects.CHECKPOINTS)
    assert not await owner.may_publish(f"{API}.STREAM.PURGE.{subjects.CHECKPOINT_STREAM}")
