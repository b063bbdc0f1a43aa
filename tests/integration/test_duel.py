"""Games for two on real servers: joining, races, repetitions."""

import asyncio
import random
from collections.abc import AsyncIterator
from functools import partial
from unittest.mock import patch

import pytest

from services.game_state import abandoned
from shared import clock
from shared.game import duel
from shared.logs import Log
from shared.messages import commands
from shared.messages.answers import Accepted, CommandAnswer
from shared.messages.base import PlayerId
from shared.messages.events import PlayerResigned
from shared.messages.views import View
from shared.rules.deal import numbered_deck
from shared.rules.table import lay_out
from shared.rules.variants import VARIANTS
from tests.conftest import ConnectAs, RedisAs
from tests.integration.game_state import PLAYER, STRANGER, Player, accepted, fetched, game_state, refused, soon

THIRD = PlayerId("t" * 26)


@pytest.fixture
async def two(connect_as: ConnectAs, redis_as: RedisAs, log: Log) -> AsyncIterator[tuple[Player, Player]]:
    """Two players, with two instances of game-state, either of which may answer."""
    async with (
        game_state(await connect_as("game-state"), await redis_as("game-state"), log),
        game_state(await connect_as("game-state"), await redis_as("game-state"), log),
    ):
        yield Player(await connect_as("gateway"), PLAYER), Player(await connect_as("gateway"), STRANGER)


def join_command(view: View, player: PlayerId) -> commands.JoinGame:
    return commands.JoinGame(id=clock.new_command_id(), game=view.game, player=player, version=1)


async def started(host: Player, guest: Player, variant: str = "double", number: int | None = None) -> None:
    view = await host.start(mode="ranked", variant=variant, number=number)
    assert view.status == "waiting"
    await guest.ask(join_command(view, guest.id))
    assert guest.view is not None
    host.view = fetched(await host.fetch(view.game)).view


def code(answer: CommandAnswer) -> str:
    return refused(answer).error.code


async def test_both_play_to_the_end_and_each_answer_is_the_own_view(two: tuple[Player, Player]) -> None:
    host, guest = two
    await started(host, guest)
    chance = random.Random(1)
    for player in (host, guest) * 20:
        assert player.view is not None
        view = await player.play(chance.choice(player.view.legal))
        assert view.duel
        assert view.duel.players[view.duel.seat or 0] == player.id
    for player in two:
        await player.play("resign")
    assert host.view is not None
    host.view = fetched(await host.fetch(host.view.game)).view
    assert guest.view is not None
    assert {host.view.status, guest.view.status} in ({"won", "resigned"}, {"drawn"})
    assert host.view.secret


async def test_of_two_who_join_at_once_one_is_in_and_a_repeated_join_is_one(two: tuple[Player, Player]) -> None:
    host, guest = two
    view = await host.start(mode="ranked", variant="double", number=None)
    third = Player(guest.nc, THIRD)
    joins = [join_command(view, STRANGER), join_command(view, THIRD)]
    answers = await asyncio.gather(guest.ask(joins[0]), third.ask(joins[1]))
    assert sorted("in" if isinstance(one, Accepted) else one.error.code for one in answers) == ["already-joined", "in"]
    winner = next(join for join, answer in zip(joins, answers, strict=True) if isinstance(answer, Accepted))
    again = accepted(await guest.ask(winner))
    assert again.repeated
    assert again.step.view.duel
    assert again.step.view.duel.seat == 1
    assert code(await host.ask(join_command(view, PLAYER))) == "own-game"
    assert code(await guest.ask(join_command(view, winner.player))) == "already-joined"


async def test_of_two_cards_for_one_foundation_exactly_one_goes_up_and_the_other_is_overtaken(
    two: tuple[Player, Player],
) -> None:
    """Both send at once, to whichever instance answers. Whoever is late sees the current version."""
    host, guest = two
    await started(host, guest, number=_both_have_an_ace())
    for player in two:
        assert player.view is not None
        player.view = fetched(await player.fetch(player.view.game)).view
    moves = [next(text for text in player.view.legal if text.endswith("F1")) for player in two if player.view]
    asked = [player.command(text) for player, text in zip(two, moves, strict=True)]
    answers = await asyncio.gather(*(player.ask(command) for player, command in zip(two, asked, strict=True)))
    codes = ["up" if isinstance(answer, Accepted) else answer.error.code for answer in answers]
    assert sorted(codes) == ["overtaken", "up"]
    late = refused(answers[codes.index("overtaken")])
    assert late.version == 3
    loser = two[codes.index("overtaken")]
    assert code(await loser.ask(asked[codes.index("overtaken")])) == "overtaken", "said again, it is refused again"
    winner = two[codes.index("up")]
    assert accepted(await winner.ask(asked[codes.index("up")])).repeated


def _both_have_an_ace() -> int:
    """A deal in which both can put the ace of clubs up at once."""
    for number in range(1, 5000):
        tables = [lay_out(numbered_deck(number, decks=1, seat=seat), VARIANTS["double"]) for seat in (0, 1)]
        if all(any(column.up == ("AC",) for column in table.columns) for table in tables):
            return number
    raise AssertionError("there is such a deal")


async def test_a_repeated_command_is_done_once_however_much_the_other_did_meanwhile(two: tuple[Player, Player]) -> None:
    host, guest = two
    await started(host, guest)
    command = host.command("draw")
    await guest.play("draw")
    first = accepted(await host.ask(command))
    for _ in range(10):
        await guest.play("draw")
        await host.play("draw")
    again = accepted(await host.ask(command))
    assert again.repeated
    assert (again.step.version, again.step.events) == (first.step.version, first.step.events)
    assert again.step.view.duel
    assert again.step.view.duel.seat == 0


async def test_all_moves_of_both_at_once_are_done_in_the_order_of_the_log(
    two: tuple[Player, Player], connect_as: ConnectAs, redis_as: RedisAs, log: Log
) -> None:
    host, guest = two
    await started(host, guest)

    async def draw_all(player: Player) -> None:
        for _ in range(15):
            await player.play("draw")

    await asyncio.gather(draw_all(host), draw_all(guest))
    assert host.view is not None
    view = fetched(await host.fetch(host.view.game)).view
    assert view.duel
    assert view.duel.opponent
    assert (view.version, len(view.waste), len(view.duel.opponent.waste)) == (32, 15, 15)


async def test_who_stays_away_may_be_claimed_after_the_time_that_the_game_states(two: tuple[Player, Player]) -> None:
    host, guest = two
    await started(host, guest)
    assert guest.view is not None
    assert guest.view.duel
    claim = partial(commands.ClaimAbsence, game=guest.view.game, player=guest.id)
    now = guest.view.at
    assert code(await guest.ask(claim(id=clock.new_command_id(), version=guest.view.version))) == "not-absent"
    await host.ask(absent(host, since=now))
    seen = fetched(await guest.fetch(guest.view.game)).view
    assert seen.duel
    assert seen.duel.opponent
    assert seen.duel.opponent.away_since == now
    assert seen.duel.opponent.claim_at == now + seen.duel.absence_ms
    assert code(await guest.ask(claim(id=clock.new_command_id(), version=seen.version))) == "not-absent"
    back = await host.play("draw")
    assert back.duel
    assert back.duel.away_since is None, "who moves is there"
    await host.ask(absent(host, since=now - 3_600_000))
    seen = fetched(await guest.fetch(guest.view.game)).view
    await guest.ask(claim(id=clock.new_command_id(), version=seen.version))
    seen = fetched(await guest.fetch(guest.view.game)).view
    assert seen.duel
    assert seen.duel.opponent
    assert (seen.status, seen.duel.opponent.status) == ("running", "resigned")
    assert code(await host.ask(host.command("draw"))) in ("seat-resigned", "stale-version")


def absent(player: Player, *, since: int) -> commands.PauseGame:
    """What a gateway says when a player's last socket has gone."""
    assert player.view is not None
    return commands.PauseGame(
        id=clock.new_command_id(),
        game=player.view.game,
        player=player.id,
        version=player.view.version,
        reason="absence",
        since=since,
    )


async def test_a_game_that_both_have_left_for_days_is_ended_by_itself_and_no_other(
    connect_as: ConnectAs, redis_as: RedisAs, log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By either of two instances, once, whoever left first; each is resigned, which their cards up decide on."""
    monkeypatch.setattr(abandoned, "LOOK_SECONDS", 0.05)
    async with (
        game_state(await connect_as("game-state"), await redis_as("game-state"), log),
        game_state(await connect_as("game-state"), await redis_as("game-state"), log),
    ):
        nc = await connect_as("gateway")
        pairs = [(Player(nc, PLAYER), Player(nc, STRANGER)) for _ in range(3)]
        long_ago = clock.now_ms() - 3 * duel.ABANDONED_MS
        for host, guest in pairs:
            await started(host, guest)
        left, half_left, just_left = pairs
        for who, since in ((left[0], long_ago), (half_left[1], long_ago), (just_left[0], clock.now_ms())):
            await who.ask(absent(who, since=since))
        for who, since in ((just_left[1], long_ago), (left[1], long_ago + 1)):
            assert who.view is not None
            who.view = fetched(await who.fetch(who.view.game)).view
            await who.ask(absent(who, since=since))

        async def over() -> bool:
            assert left[0].view is not None
            return fetched(await left[0].fetch(left[0].view.game)).view.status == "drawn"

        await soon(over)
        for host, _ in (half_left, just_left):
            assert host.view is not None
            assert fetched(await host.fetch(host.view.game)).view.status == "running"
        assert left[0].view is not None
        steps = fetched(await left[0].fetch(left[0].view.game, since=2)).steps or ()
        gone = [event for step in steps for event in step.events if isinstance(event, PlayerResigned)]
        assert [(event.seat, event.absent) for event in gone] == [(0, True), (1, True)]


async def test_an_expired_invitation_is_refused(connect_as: ConnectAs, redis_as: RedisAs, log: Log) -> None:
    """By the server's clock, which here is ahead of the one that made it."""
    nc, redis = await connect_as("game-state"), await redis_as("game-state")
    async with game_state(nc, redis, log):
        view = await Player(await connect_as("gateway"), PLAYER).start(mode="ranked", variant="double", number=None)
    assert view.duel
    late_by_one = view.duel.expires_at + 1
    late = partial(Player, await connect_as("gateway"))
    with patch("shared.clock.now_ms", lambda: late_by_one):
        async with game_state(nc, redis, log):
            assert code(await late(STRANGER).ask(join_command(view, STRANGER))) == "invitation-expired"


async def test_losing_redis_loses_codes_and_no_game(two: tuple[Player, Player], redis_as: RedisAs) -> None:
    host, guest = two
    view = await host.start(mode="ranked", variant="double-mini", number=None)
    await (await redis_as("default")).flushall()
    joined = accepted(await guest.ask(join_command(view, guest.id)))
    assert joined.step.view.status == "running"
