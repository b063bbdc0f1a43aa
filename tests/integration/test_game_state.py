"""game-state on real servers: commands, repetitions, races, lost acknowledgements, rebuilds."""

import asyncio
import random
from collections.abc import AsyncIterator
from dataclasses import dataclass

import msgspec
import pytest

from services.game_state.games import BrokenGameError, Games
from shared import subjects
from shared.bus.event_log import EventLog
from shared.bus.redis_connection import Redis
from shared.bus.snapshots import load_head, load_snapshot
from shared.logs import Log
from shared.messages.answers import Accepted
from shared.messages.base import GameId
from shared.messages.codec import encode, open_record
from shared.messages.views import Step, View
from tests.conftest import ConnectAs, RedisAs
from tests.integration.game_state import (
    STRANGER,
    Player,
    accepted,
    command_of,
    fetched,
    game_state,
    refused,
    soon,
)
from tests.servers import Servers


@dataclass
class Running:
    """One game-state instance, with what a test looks at it by."""

    player: Player
    log: EventLog
    redis: Redis

    async def rebuilt(self, game: GameId) -> bytes:
        """The game as a new instance would see it."""
        entry = await Games(self.log, self.redis, games_max=1).load(game)
        assert entry is not None
        return encode(entry.logged)


@pytest.fixture
async def running(connect_as: ConnectAs, redis_as: RedisAs, log: Log) -> AsyncIterator[Running]:
    nc = await connect_as("game-state")
    redis = await redis_as("game-state")
    async with game_state(nc, redis, log):
        yield Running(Player(await connect_as("gateway")), EventLog(nc, random.random), redis)


async def test_a_game_is_played_and_each_version_is_one_message_of_its_log(running: Running) -> None:
    player = running.player
    await player.start()
    view = await player.play_some(20, random.Random(1).choice)
    stored = await running.log.read_game(view.game)
    records = [open_record(message.data)[0] for message in stored]
    assert [record.version for record in records] == list(range(1, 22))
    assert [record.command for record in records] == [command.id for command in player.sent]
    assert all(record.game == view.game for record in records)


async def test_a_repeated_command_gives_the_first_answer_and_is_done_once(running: Running) -> None:
    player = running.player
    await player.start()
    first = accepted(await player.ask(player.command("draw")))
    command = player.sent[-1]
    await player.play_some(80, random.Random(2).choice)
    again = accepted(await player.ask(command))
    assert again.repeated
    assert (again.step.version, again.step.events) == (first.step.version, first.step.events)
    assert again.step.view.version == 82
    assert len(await running.log.read_game(command.game)) == 82


async def test_an_id_used_again_for_another_move_is_answered_by_its_first(running: Running) -> None:
    player = running.player
    view = await player.start()
    first = accepted(await player.ask(player.command("draw")))
    assert player.view is not None
    again = command_of("draw", view.game, player.id, player.view.version, first.command)
    answer = accepted(await player.ask(again))
    assert answer.repeated
    assert answer.step.version == first.step.version
    assert len(await running.log.read_game(view.game)) == 2


async def test_a_repeated_new_game_is_the_same_game_with_the_same_deal(running: Running) -> None:
    player = running.player
    command = player.start_command(number=None)
    first = accepted(await player.ask(command)).step.view
    again = accepted(await player.ask(command))
    assert again.repeated
    assert again.step.view == first
    assert len(await running.log.read(subjects.sealed_deal(command.game))) == 1


async def test_a_deal_that_was_sealed_before_a_crash_is_the_deal_of_the_retry(running: Running) -> None:
    player = running.player
    command = player.start_command(number=None)
    whole = accepted(await player.ask(command)).step.view
    # The same sealed deal, and no record: what a crash between the two writes leaves.
    other = player.start_command(number=None)
    sealed = (await running.log.read(subjects.sealed_deal(command.game)))[0]
    copied = msgspec.msgpack.decode(sealed.data)
    copied["game"] = other.game
    deadline = asyncio.get_running_loop().time() + 5
    await running.log.append(subjects.sealed_deal(other.game), encode(copied), expected=0, deadline=deadline)
    resumed = accepted(await player.ask(other)).step.view
    assert resumed.columns == whole.columns
    assert resumed.commitment == whole.commitment


@pytest.mark.parametrize(
    ("change", "code", "rule"),
    [
        ({"player": STRANGER}, "not-your-game", None),
        ({"game": "a" * 26}, "unknown-game", None),
        ({"version": 0}, "stale-version", None),
        ({"version": 7}, "stale-version", None),
        ({"source": "T1", "target": "F1"}, "illegal-move", "foundation-builds-up"),
        ({"source": "W", "target": "F1"}, "illegal-move", "source-empty"),
        ({"source": "T9", "target": "F1"}, "illegal-move", "no-such-pile"),
        ({"source": "T2", "target": "T1", "count": 2}, "illegal-move", "face-down"),
    ],
)
async def test_a_command_that_cannot_be_done_says_why_and_changes_nothing(
    running: Running, change: dict[str, object], code: str, rule: str | None
) -> None:
    player = running.player
    view = await player.start()
    raw = msgspec.to_builtins(player.command("T1>T2")) | change
    message = await player.nc.request(subjects.command(GameId(raw["game"])), encode(raw), timeout=5)
    answer = msgspec.msgpack.decode(message.data)
    assert answer["type"] == "refused"
    assert answer["error"]["code"] == code
    assert answer["error"].get("rule") == rule
    assert fetched(await player.fetch(view.game)).view == view


@pytest.mark.parametrize(
    ("payload", "field"),
    [
        (b"", None),
        (b"\xff\xfe", None),
        (encode({"type": "no-such-command"}), "$.type"),
        (encode({"type": "undo-move", "id": "x", "game": "a" * 26, "player": "p" * 26, "version": 1}), "$.id"),
        (
            encode(
                {
                    "type": "undo-move",
                    "id": "00000000-0000-7000-8000-000000000000",
                    "game": "a" * 26,
                    "player": "p" * 26,
                    "version": 1,
                    "extra": 1,
                }
            ),
            "$.extra",
        ),
    ],
    ids=["empty", "no MessagePack", "unknown type", "bad id", "unknown field"],
)
async def test_a_message_that_is_no_command_is_answered_and_harms_nobody(
    running: Running, payload: bytes, field: str | None
) -> None:
    message = await running.player.nc.request(subjects.command(GameId("a" * 26)), payload, timeout=5)
    answer = msgspec.msgpack.decode(message.data)
    assert answer["error"]["code"] == "bad-frame"
    assert answer["error"].get("field") == field
    await running.player.start()


@pytest.mark.parametrize(
    ("change", "code"),
    [({"variant": "draw2"}, "unknown-variant"), ({"scoring": "x"}, "unknown-scoring"), ({"mode": "x"}, "unknown-mode")],
)
async def test_a_new_game_of_an_unknown_kind_names_the_field_and_the_choices(
    running: Running, change: dict[str, str], code: str
) -> None:
    command = msgspec.structs.replace(running.player.start_command(), **change)
    error = refused(await running.player.ask(command)).error
    assert error.code == code
    assert error.field == next(iter(change))
    assert "draw1" in error.fix or "standard" in error.fix or "ranked" in error.fix


async def test_nobody_starts_a_game_under_the_id_of_another_players_game(running: Running) -> None:
    command = running.player.start_command()
    stolen = msgspec.structs.replace(command, player=STRANGER)
    assert refused(await running.player.ask(stolen)).error.code == "not-your-game"


async def test_nobody_sees_another_players_game(running: Running) -> None:
    view = await running.player.start()
    stranger = Player(running.player.nc, STRANGER)
    assert refused(await stranger.fetch(view.game)).error.code == "not-your-game"


async def test_who_comes_back_gets_all_versions_missed_without_a_gap(running: Running) -> None:
    player = running.player
    await player.start()
    view = await player.play_some(100, random.Random(3).choice)
    for since in (0, 1, 50, view.version - 1, view.version):
        answer = fetched(await player.fetch(view.game, since))
        assert answer.view == view
        assert answer.steps is not None
        assert [step.version for step in answer.steps] == list(range(since + 1, view.version + 1))
    assert fetched(await player.fetch(view.game, view.version + 1)).steps is None


async def test_every_accepted_command_is_a_step_on_the_feed_in_order(running: Running) -> None:
    player = running.player
    view = await player.start()
    feed = await player.nc.subscribe(subjects.feed(view.game))
    await player.nc.flush()
    await player.play_some(10, random.Random(4).choice)
    steps = [msgspec.msgpack.decode((await feed.next_msg(5)).data, type=Step) for _ in range(10)]
    assert [step.version for step in steps] == list(range(2, 12))
    assert steps[-1].view == player.view


async def test_snapshot_and_tail_and_the_log_alone_give_the_same_bytes(running: Running) -> None:
    player = running.player
    await player.start()
    view = await player.play_some(33, random.Random(5).choice)
    await soon(lambda: _head_is(running, view))
    from_snapshot = await running.rebuilt(view.game)
    key = subjects.snapshot_key(view.game)
    snapshot = await load_snapshot(running.redis, view.game)
    assert snapshot is not None
    for spoilt in (None, b"", b"1", snapshot[:-1], b"0" + snapshot[1:], snapshot[:40] + b"\x00" + snapshot[41:]):
        if spoilt is None:
            await running.redis.delete(key)
        else:
            _ = await running.redis.hset(key, "snapshot", spoilt)
        assert await running.rebuilt(view.game) == from_snapshot


async def _head_is(running: Running, view: View | None) -> bool:
    assert view is not None
    head = await load_head(running.redis, view.game)
    return head is not None and head.version == view.version


async def test_the_snapshot_of_another_game_is_not_used(running: Running) -> None:
    player = running.player
    await player.start(number=1)
    one = await player.play_some(10, random.Random(6).choice)
    await player.start(number=2)
    two = await player.play_some(10, random.Random(6).choice)
    await soon(lambda: _head_is(running, two))
    expected = await running.rebuilt(two.game)
    stolen = await load_snapshot(running.redis, one.game)
    assert stolen is not None
    _ = await running.redis.hset(subjects.snapshot_key(two.game), "snapshot", stolen)
    assert await running.rebuilt(two.game) == expected


async def test_two_instances_on_one_game_lose_and_double_nothing(
    running: Running, connect_as: ConnectAs, redis_as: RedisAs, log: Log
) -> None:
    async with game_state(await connect_as("game-state"), await redis_as("game-state"), log):
        player = running.player
        await player.start()
        await player.play_some(60, random.Random(7).choice)
        assert player.view is not None
        records = [open_record(message.data)[0] for message in await running.log.read_game(player.view.game)]
        assert [record.command for record in records] == [command.id for command in player.sent]


async def test_of_commands_that_race_on_one_version_one_is_accepted(
    running: Running, connect_as: ConnectAs, redis_as: RedisAs, log: Log
) -> None:
    async with game_state(await connect_as("game-state"), await redis_as("game-state"), log):
        player = running.player
        view = await player.start()
        for _ in range(10):
            racing = [command_of("draw", view.game, player.id, view.version) for _ in range(8)]
            answers = await asyncio.gather(*map(player.ask, racing))
            won = [answer for answer in answers if isinstance(answer, Accepted)]
            assert len(won) == 1
            assert {refused(answer).error.code for answer in answers if answer not in won} == {"stale-version"}
            view = won[0].step.view


async def test_a_command_sent_many_times_at_once_is_done_once(
    running: Running, connect_as: ConnectAs, redis_as: RedisAs, log: Log
) -> None:
    async with game_state(await connect_as("game-state"), await redis_as("game-state"), log):
        player = running.player
        view = await player.start()
        command = player.command("draw")
        answers = [accepted(answer) for answer in await asyncio.gather(*(player.ask(command) for _ in range(8)))]
        assert {answer.step.version for answer in answers} == {view.version + 1}
        assert sum(not answer.repeated for answer in answers) == 1
        assert len(await running.log.read_game(view.game)) == view.version + 1


async def test_what_was_answered_as_failed_never_appears_later(running: Running, servers: Servers) -> None:
    """The ghost write: a publish that failed while the server was away must not be stored when it is back."""
    player = running.player
    view = await player.start()
    await player.play("draw")
    before = await running.log.read_game(view.game)
    servers.kill_nats()
    deadline = asyncio.get_running_loop().time() + 1
    outcome = await running.log.append(
        subjects.game_log(view.game), b"ghost", expected=before[-1].sequence, deadline=deadline
    )
    assert outcome == "unknown"
    servers.start_nats()
    await soon(lambda: _readable(running, view.game))
    await player.play("draw")
    after = await running.log.read_game(view.game)
    assert after[: len(before)] == before
    assert len(after) == len(before) + 1
    assert open_record(after[-1].data)[0].version == 3


async def _readable(running: Running, game: GameId) -> bool:
    try:
        return bool(await running.log.read_game(game)) and running.player.nc.is_connected
    except Exception:  # noqa: BLE001 - whatever is wrong now, it is asked again
        return False


async def test_a_lost_acknowledgement_is_settled_by_repeating_the_write(running: Running) -> None:
    """The record is there although its writer never heard: the repetition is a conflict, and the log shows whose."""
    player = running.player
    view = await player.start()
    command = player.command("draw")
    first = accepted(await player.ask(command))
    forgetful = Games(running.log, running.redis, games_max=1)
    entry = await forgetful.load(view.game)
    assert entry is not None
    stored = await running.log.read_game(view.game)
    deadline = asyncio.get_running_loop().time() + 5
    outcome = await running.log.append(
        subjects.game_log(view.game), stored[-1].data, expected=stored[-2].sequence, deadline=deadline
    )
    assert outcome == "conflict"
    again = accepted(await player.ask(command))
    assert again.repeated
    assert again.step.events == first.step.events


async def test_a_game_whose_log_is_damaged_is_refused_by_name_and_others_play_on(running: Running) -> None:
    player = running.player
    view = await player.start()
    stored = await running.log.read_game(view.game)
    deadline = asyncio.get_running_loop().time() + 5
    await running.log.append(subjects.game_log(view.game), b"nonsense", expected=stored[-1].sequence, deadline=deadline)
    assert refused(await player.ask(player.command("draw"))).error.code == "broken-game"
    assert refused(await player.fetch(view.game)).error.code == "broken-game"
    await player.start(number=5)
    await player.play("draw")


@pytest.mark.parametrize("lost", ["the last record", "all records"])
async def test_a_log_that_lost_its_end_is_not_played_on(running: Running, lost: str) -> None:
    """The head shows it. Going on would write other moves in the place of those that were acknowledged."""
    player = running.player
    await player.start()
    view = await player.play_some(3, random.Random(9).choice)
    await soon(lambda: _head_is(running, view))
    head = await load_head(running.redis, view.game)
    assert head is not None
    await player.start(number=2)
    assert player.view is not None
    shorter = player.view.game
    ahead = encode((2 if lost == "the last record" else 1, head.hash))
    if lost == "all records":
        shorter = GameId("a" * 26)
    await soon(lambda: _head_is(running, player.view))
    _ = await running.redis.hset(subjects.snapshot_key(shorter), "head", ahead)
    with pytest.raises(BrokenGameError, match="was acknowledged"):
        await Games(running.log, running.redis, games_max=1).load(shorter)


async def test_redis_away_costs_no_move(running: Running, servers: Servers) -> None:
    player = running.player
    await player.start()
    servers.kill_redis()
    view = await player.play_some(10, random.Random(8).choice)
    servers.start_redis()
    await soon(lambda: _head_is(running, view))


async def test_a_hint_without_workers_is_unavailable_and_no_help(
    running: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("services.game_state.handler.HINT_SECONDS", 0.2)
    view = await running.player.start()
    answer = refused(await running.player.ask(running.player.command("hint")))
    assert answer.error.code == "unavailable"
    assert fetched(await running.player.fetch(view.game)).view == view
