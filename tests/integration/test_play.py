"""`klondike play` against a real gateway and game-state: by keyboard, by mouse, and over breaks of the connection."""

import asyncio
import contextlib
import fcntl
import os
import pty
import stat
import struct
import sys
import termios
from collections.abc import AsyncIterator
from pathlib import Path

import msgspec
import pytest
from textual.widgets import Input, Select

from services.cli.playing.address import Address
from services.cli.playing.choosing import cards_of, only_up_is_left, top
from services.cli.playing.profile import Choice, Keeper
from services.cli.playing.texts import offered
from services.solver_worker.app import run as run_worker
from shared.logs import Log
from shared.messages.commands import NumberedDeal
from shared.rules.variants import SOLO
from shared.settings import SolverWorkerSettings
from tests.conftest import ConnectAs, RedisAs
from tests.integration.game_state import game_state, soon
from tests.integration.gateway import SETTINGS, Running, gateway
from tests.integration.services import serving
from tests.integration.terminal import Terminal, terminal

GOLDEN = Path(__file__).parents[1] / "golden"


class Screen:
    """What a process writes to its terminal."""

    def __init__(self, leader: int) -> None:
        self._leader, self._seen = leader, b""
        os.set_blocking(leader, False)

    async def shows(self, text: str) -> None:
        async def shown() -> bool:
            with contextlib.suppress(BlockingIOError, OSError):  # nothing yet, or the process has ended
                self._seen += os.read(self._leader, 65_536)
            return text.encode() in self._seen

        await soon(shown, 30)


def game_in(name: str) -> tuple[int, list[str]]:
    """A deal's number, and moves."""
    first, *moves = (GOLDEN / f"{name}.txt").read_text().splitlines()
    return int(first.removeprefix("deal ")), moves


async def test_a_whole_game_is_won_by_keyboard_alone(at: Running, tmp_path: Path) -> None:
    number, moves = game_in("draw1-win")
    async with terminal(at, tmp_path, number=number) as one:
        for move in moves:
            await one.play(move)
        assert one.view.status == "won"
        assert all(len(pile) == 13 for pile in one.view.foundations)
        await one.until(lambda: "You have won!" in one.sheet)
        await one.press("escape")
        assert "You have won!" in one.said


async def test_all_that_is_left_goes_up_by_one_key(at: Running, tmp_path: Path) -> None:
    number, moves = game_in("draw1-win")
    async with terminal(at, tmp_path, number=number) as one:
        for move in moves:
            if only_up_is_left(one.view):
                break
            await one.send(move)
        assert one.view.status == "running"
        assert "Everything is open." in one.said
        await one.press("a")
        await one.until(lambda: one.view.status == "won")


async def test_a_card_is_clicked_to_where_it_fits_and_dragged_to_where_it_shall(at: Running, tmp_path: Path) -> None:
    async with terminal(at, tmp_path, number=1673) as one:
        ace = top(one.view, "T5")
        assert ace is not None
        await one.click(ace)
        await one.until(lambda: one.view.foundations[1] == ("AD",))
        await one.click_stock()
        await one.until(lambda: len(one.view.waste) == 1)
        queen = top(one.view, "T2")
        assert queen is not None
        await one.click(queen, onto="T6")
        await one.until(lambda: cards_of(one.view, "T6") == ("KC", "QD"))


async def test_what_the_rules_forbid_is_refused_in_words_and_changes_nothing(at: Running, tmp_path: Path) -> None:
    async with terminal(at, tmp_path, number=1673, language="de") as one:
        await one.go(first_of(one, "T5"))
        await one.press("enter", "1", "enter")
        await one.until(lambda: one.said == one.app.words("rule.tableau-builds-down"))
        await one.press("u")
        await one.until(lambda: one.said == one.app.words("error.nothing-to-undo"))
        assert one.view.version == 1
        assert "Spalten" in one.app.words("rule.tableau-builds-down")


async def test_moves_are_taken_back_and_made_again_and_a_pause_closes_the_table(at: Running, tmp_path: Path) -> None:
    async with terminal(at, tmp_path, number=1673) as one:
        before = one.table
        await one.press("5", "t")
        await one.version(2)
        await one.press("u")
        await one.version(3)
        await one.press("1", "5")
        assert one.view.columns[4].up == ("AD",)
        await one.press("r")
        await one.version(4)
        assert one.view.foundations[1] == ("AD",)
        await one.press("b")
        await one.version(5)
        assert "Paused" in one.table
        assert "♦" not in one.table
        await one.press("b")
        await one.version(6)
        assert "♦" in one.table
        assert before != one.table


async def test_keys_pressed_faster_than_the_server_answers_are_all_done_in_order(at: Running, tmp_path: Path) -> None:
    async with terminal(at, tmp_path, number=1673) as one:
        await one.press(*["space"] * 10, *["u"] * 4)
        await one.version(15)
        assert (one.view.moves, len(one.view.waste)) == (6, 6)


async def test_a_hint_says_its_reason_and_is_followed_by_one_key(
    at: Running, connect_as: ConnectAs, log: Log, tmp_path: Path
) -> None:
    worker = await connect_as("solver-worker")
    async with (
        serving(run_worker, "solver-worker", SolverWorkerSettings(), worker, log),
        terminal(at, tmp_path, number=1673) as one,
    ):
        await one.press("h")
        await one.version(2)
        assert one.said.startswith("Ace of diamonds to diamonds foundation: turns a face-down card up.")
        assert one.table.count("●") == 2
        await one.press("h")
        assert one.said.startswith("Or: ")
        while one.said.startswith("Or: "):
            await one.press("h")
        await one.press("x")
        await one.version(3)
        assert one.view.foundations[1] == ("AD",)
        assert "with help" in one.head


async def test_a_gateway_that_restarts_loses_no_key(
    connect_as: ConnectAs, redis_as: RedisAs, log: Log, tmp_path: Path
) -> None:
    """Keys are pressed before, while it is away, and after: each is done once."""
    async with game_state(await connect_as("game-state"), await redis_as("game-state"), log):
        nc = await connect_as("gateway")
        async with gateway(nc, log) as at:
            port = int(at.address.rsplit(":", 1)[1])
            async with terminal(at, tmp_path, number=1673) as one:
                await one.press("space", "space")
                await one.version(3)
                await at.stop()
                await one.until(lambda: "Connection lost" in one.head)
                await one.press("space", "u", "5", "t")
                async with gateway(nc, log, msgspec.structs.replace(SETTINGS, port=port)):
                    await one.until(lambda: one.view.foundations[1] == ("AD",))
                    assert (one.view.moves, len(one.view.waste)) == (3, 2)
                    await one.press("space")
                    await one.until(lambda: len(one.view.waste) == 3)
                    assert "Connection lost" not in one.head


async def test_the_program_goes_on_with_the_game_that_was_left(at: Running, tmp_path: Path) -> None:
    async with terminal(at, tmp_path, number=1673) as one:
        await one.press("space", "space")
        await one.version(3)
        left = one.view
    async with terminal(at, tmp_path) as again:
        assert again.view == left
        assert again.said == "Your game goes on."
    kept = Keeper(tmp_path)
    assert stat.S_IMODE(kept.path.stat().st_mode) == 0o600
    assert [seat.game for seat in kept.profile.seats.values()] == [left.game]


async def test_who_can_keep_nothing_more_plays_on(at: Running, tmp_path: Path) -> None:
    """The disk is full, or the file is gone and something else is in its place."""
    async with terminal(at, tmp_path, number=1673) as one:
        kept = Keeper(tmp_path).path
        kept.unlink()
        kept.mkdir()
        await one.press("k", "l", "space")
        await one.version(2)
        await one.until(lambda: ".3d" in one.table)
        assert any(str(kept) in notice.message for notice in one.app._notifications)


async def test_a_server_that_does_not_know_the_player_gets_a_new_guest(
    at: Running, connect_as: ConnectAs, log: Log, tmp_path: Path
) -> None:
    """Its key has changed: the token of before is worth nothing."""
    async with terminal(at, tmp_path, number=1673) as one:
        before = one.app.client.link.player
    other = msgspec.structs.replace(SETTINGS, token_secret="another", port=int(at.address.rsplit(":", 1)[1]))
    await at.stop()
    async with gateway(await connect_as("gateway"), log, other) as changed, terminal(changed, tmp_path) as one:
        assert one.app.client.link.player != before
        assert one.view.moves == 0


async def test_a_new_game_is_chosen_by_variant_scoring_mode_and_number(at: Running, tmp_path: Path) -> None:
    async with terminal(at, tmp_path, number=1) as one:
        await one.press("n")
        await one.pilot.pause()
        sheet = one.app.screen
        sheet.query_one("#variant", Select).value = "vegas-draw1"
        sheet.query_one("#mode", Select).value = "ranked"
        sheet.query_one("#dealing", Select).value = "number"
        await one.until(lambda: sheet.query_one("#scoring", Select).value == "vegas")
        await one.press("enter")
        assert "whole number" in one.sheet
        sheet.query_one("#number", Input).value = "3003"
        sheet.query_one("#number", Input).focus()
        await one.press("enter")
        await one.until(lambda: one.view.variant == "vegas-draw1")
        assert (one.view.scoring, one.view.mode, one.view.points) == ("vegas", "ranked", -52)
        assert one.view.deal == NumberedDeal(number=3003)
        await one.until(lambda: "−$52" in one.head)
        assert "1 of 3" in one.head


async def test_a_dead_end_is_told_with_the_way_back_and_a_lost_game_as_lost(at: Running, tmp_path: Path) -> None:
    number, moves = game_in("draw1-1pass-lost")
    for mode in ("relaxed", "ranked"):
        async with terminal(at, tmp_path, number=number, choice=Choice(variant="draw1-1pass", mode=mode)) as one:
            for move in moves:
                await one.send(move)
            if mode == "relaxed":
                assert "No legal move is left here." in one.said
                assert "Press U: Undo." in one.said
            else:
                await one.until(lambda: "No move is left." in one.sheet)
                assert one.view.status == "lost"


async def test_somebody_who_is_stuck_is_told_so_once(at: Running, tmp_path: Path) -> None:
    """Draw three, deal 245: once through the stock shows that nothing of it has a place."""
    async with terminal(at, tmp_path, number=245, choice=Choice(variant="draw3")) as one:
        told = []
        for move in ["draw"] * 8 + ["recycle", "draw"]:
            await one.send(move)
            told.append("You are stuck" in one.said)
        assert told == [False] * 7 + [True] + [False] * 2
        assert one.view.stuck


async def test_giving_up_asks_first(at: Running, tmp_path: Path) -> None:
    async with terminal(at, tmp_path, number=1) as one:
        await one.press("g", "enter")
        assert one.view.status == "running"
        await one.press("g", "down", "enter")
        await one.until(lambda: one.view.status == "resigned")
        await one.until(lambda: "You have resigned." in one.sheet)


@pytest.mark.parametrize("variant", ["draw1", "spider-klondike"])
async def test_a_terminal_that_is_made_too_small_says_so_and_comes_back(
    at: Running, tmp_path: Path, variant: str
) -> None:
    async with terminal(at, tmp_path, number=1, choice=Choice(variant=variant)) as one:
        table = one.table
        await one.resize(40, 12)
        await one.until(lambda: "40" in one.table)
        assert "at least" not in one.table.replace("\n", " ") or "♦" not in one.table
        await one.press("space")
        await one.resize(92, 36)
        await one.version(2)
        await one.until(lambda: "♦" in one.table)
        assert one.table != table


async def test_cards_without_symbols_and_suits_in_four_colours(at: Running, tmp_path: Path) -> None:
    async with terminal(at, tmp_path, number=1673) as one:
        colours = one.colours()
        await one.press("k")
        assert len(one.colours()) > len(colours)
        await one.press("l")
        assert one.table.isascii()
        assert one.head.split("  ")[0].strip() == "Klondike"
    assert Keeper(tmp_path).profile.look.signs == "ascii"
    async with terminal(at, tmp_path) as again:
        assert again.table.isascii()


async def test_help_names_every_key(at: Running, tmp_path: Path) -> None:
    async with terminal(at, tmp_path, number=1, language="lt") as one:
        await one.press("question_mark")
        assert one.app.words("help.keys-title") in one.sheet
        assert "Taisyklės" in one.sheet
        assert "Enter" in one.sheet
        await one.press("escape", "space")
        await one.version(2)


def first_of(one: Terminal, pile: str) -> str:
    """A pile's name, once it is sure that it has a card."""
    assert one.view.columns[int(pile[1:]) - 1].up
    return pile


@contextlib.asynccontextmanager
async def process_at_terminal(at: Running, data: Path) -> AsyncIterator[tuple[asyncio.subprocess.Process, int]]:
    """`klondike play` with a terminal of its own, and our end of that."""
    leader, follower = pty.openpty()
    fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 100, 0, 0))
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "services.cli", "play", at.address, "--deal", "1673", "--data", str(data)),
        stdin=follower,
        stdout=follower,
        stderr=follower,
        env={**os.environ, "TERM": "xterm-256color", "LC_ALL": "en", "LANGUAGE": ""},
    )
    os.close(follower)
    try:
        yield process, leader
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()


async def test_the_command_itself_plays_on_a_terminal_and_gives_it_back(at: Running, tmp_path: Path) -> None:
    """As a process: the game is dealt, a card drawn, and after `q` it is told where the game waits."""
    async with process_at_terminal(at, tmp_path) as (process, leader):
        screen = Screen(leader)
        await screen.shows("New game dealt.")
        os.write(leader, b" ")
        await screen.shows("Ace of hearts")
        os.write(leader, b"q")
        await screen.shows(f"Your game waits at {at.address}")
        assert await process.wait() == 0
        os.close(leader)


async def test_the_command_ends_with_its_terminal(at: Running, tmp_path: Path) -> None:
    """Also where no signal tells it: a process that is not the terminal's own would read its end for good."""
    async with process_at_terminal(at, tmp_path) as (process, leader):
        await Screen(leader).shows("New game dealt.")
        os.close(leader)
        async with asyncio.timeout(30):
            await process.wait()


async def test_what_can_be_played_is_what_the_server_tells(at: Running) -> None:
    """So a variant that a newer server has is offered by an older terminal."""
    assert await offered(Address(at.address)) == SOLO
