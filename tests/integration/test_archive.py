"""Games that move to the archive: bit for bit the same to every reader, whoever dies between any two steps."""

import asyncio
import hashlib

import pytest

from services.archivist.archivist import OtherArchivistError, PurgeRefusedError
from shared import subjects
from shared.bus.archive import check_chain
from tests.archives import ENDED, RUNNING, Bench, bench
from tests.conftest import ConnectAs
from tests.tampering import Copy, structural_changes, whole_game

STRUCTURES = {
    kind: change
    for kind, change in structural_changes(ENDED[0], whole_game(50)).items()
    if not kind.startswith(("the head", "the snapshot"))
}
ALL = (*ENDED, RUNNING)


@pytest.fixture
async def at(connect_as: ConnectAs) -> Bench:
    return await bench(connect_as)


def chain_is_whole(copy: Copy) -> bool:
    """By hand, as `docs/audit.md` has it."""
    deals = [data for subject, data in copy.messages if subject == subjects.sealed_deal(copy.game)]
    previous = hashlib.sha256(b"".join(deals)).digest()
    for stored in copy.records:
        if hashlib.sha256(previous + stored[32:]).digest() != stored[:32]:
            return False
        previous = stored[:32]
    return len(deals) == 1


async def stored_twice(at: Bench) -> int:
    """Games that more than one manifest names."""
    named = [entry.game for one in await at.manifests() for entry in one.manifest.games]
    return len(named) - len(set(named))


async def test_an_archived_game_is_bit_for_bit_the_same_and_has_left_the_log(at: Bench) -> None:
    await at.store(ALL)
    before = {copy.game: await at.everything(copy.game) for copy in ALL}
    outcome = await at.outcome()
    assert (outcome.games, outcome.kept, outcome.segments) == (len(ENDED), {}, 1)
    assert await at.live_messages() == len(RUNNING.messages)
    assert {copy.game: await at.everything(copy.game) for copy in ALL} == before
    assert all(message.stamp for messages in before.values() for message in messages)
    assert [await at.archive.game(copy.game) is None for copy in ALL] == [False] * len(ENDED) + [True]


async def test_reading_from_a_sequence_on_gives_the_rest_alone(at: Bench) -> None:
    await at.store(ENDED)
    whole = await at.log.read_game(ENDED[0].game)
    await at.run()
    for place in (0, 3, len(whole) - 1):
        assert await at.log.read_game(ENDED[0].game, start=whole[place].sequence) == whole[place:]
    assert await at.log.read_game(ENDED[0].game, start=whole[-1].sequence + 1) == []


async def test_games_that_ended_not_long_ago_stay_in_the_log(at: Bench) -> None:
    await at.store(ENDED)
    assert await at.run(after_ms=3_600_000) == []
    assert await at.live_messages() == sum(len(copy.messages) for copy in ENDED)


async def test_later_games_follow_in_further_segments_and_the_manifests_follow_each_other(at: Bench) -> None:
    for copy in ENDED:
        await at.store([copy])
        await at.run()
    listed = await at.manifests()
    assert [one.manifest.number for one in listed] == [1, 2, 3, 4, 5]
    assert list(check_chain(listed)) == []
    assert listed[-1].manifest.games_so_far == len(ENDED)
    assert listed[-1].manifest.messages_so_far == sum(len(copy.messages) for copy in ENDED)
    assert [str(fault) for fault in check_chain([listed[0], listed[2]])] == ["manifest 3 follows manifest 1"]


STEPS_OF_A_RUN = ["chunk written", "segment verified", "manifest written", "manifest verified"]
STEPS_OF_A_GAME = ["place written", "records purged", "deal purged"]
ALL_STEPS = STEPS_OF_A_RUN + STEPS_OF_A_GAME * 2


@pytest.mark.parametrize("again", [1, 2], ids=["dies once", "dies twice"])
@pytest.mark.parametrize("number", range(1, len(ALL_STEPS) + 1), ids=[f"{n} {s}" for n, s in enumerate(ALL_STEPS, 1)])
async def test_a_death_after_any_step_loses_nothing_and_does_nothing_twice(at: Bench, number: int, again: int) -> None:
    """After each death every reader still has every game, and the next run goes on from there."""
    copies = (*ENDED[:2], RUNNING)
    await at.store(copies)
    before = {copy.game: await at.everything(copy.game) for copy in copies}
    assert await at.run(dies_at=number) == ALL_STEPS[:number]
    assert {copy.game: await at.everything(copy.game) for copy in copies} == before
    if again == 2:
        await at.run(dies_at=number // 2 + 1)
        assert {copy.game: await at.everything(copy.game) for copy in copies} == before
    await at.run()
    assert {copy.game: await at.everything(copy.game) for copy in copies} == before
    assert (await at.live_messages(), await stored_twice(at)) == (len(RUNNING.messages), 0)
    assert await at.run() == []


async def test_nothing_is_purged_before_the_segment_and_the_place_were_read_back(at: Bench) -> None:
    await at.store(ENDED)
    steps = await at.run()
    assert steps == STEPS_OF_A_RUN + STEPS_OF_A_GAME * len(ENDED)


async def test_two_archivists_at_once_archive_each_game_once(at: Bench) -> None:
    await at.store(ENDED)
    before = {copy.game: await at.everything(copy.game) for copy in ENDED}
    outcomes = await asyncio.gather(at.outcome(), at.outcome(), return_exceptions=True)
    assert all(not isinstance(one, BaseException) or isinstance(one, OtherArchivistError) for one in outcomes), outcomes
    await at.run()
    assert {copy.game: await at.everything(copy.game) for copy in ENDED} == before
    assert (await at.live_messages(), await stored_twice(at)) == (0, 0)


async def test_a_game_that_came_back_with_a_backup_leaves_again_and_one_that_differs_stays(at: Bench) -> None:
    await at.store(ENDED[:2])
    await at.run()
    log = await at.log.read_game(ENDED[0].game)
    await at.store(ENDED[:1])
    outcome = await at.outcome()
    assert list(outcome.kept) == [ENDED[0].game], "its sequences are others than those in the archive"
    assert await at.log.read_game(ENDED[0].game) == log


@pytest.mark.parametrize("kind", STRUCTURES)
async def test_a_changed_game_stays_in_the_log_unless_its_chain_is_whole_and_reads_the_same_either_way(
    kind: str, at: Bench
) -> None:
    """One that was made to fit by who may write the log is for the audit to find, in the archive as in the log."""
    changed = STRUCTURES[kind](ENDED[0])
    await at.store([changed, ENDED[1]])
    before = await at.everything(changed.game)
    outcome = await at.outcome()
    assert await at.everything(changed.game) == before
    archived = await at.archive.game(changed.game) is not None
    assert outcome.games == 1 + archived
    assert not archived or chain_is_whole(changed)
    assert archived or "made to fit" not in kind or "the end is missing" in kind
    assert (await at.live.read_game(changed.game) == []) == (archived or not changed.records)


async def test_a_log_that_can_not_be_purged_is_said_and_nothing_is_written(at: Bench) -> None:
    js = at.owner.jetstream()
    config = (await js.stream_info(subjects.EVENT_STREAM)).config
    config.deny_purge = True
    await js.update_stream(config)
    await at.store(ENDED)
    with pytest.raises(PurgeRefusedError, match="no archive"):
        await at.outcome()
    assert await at.archive.newest() is None
