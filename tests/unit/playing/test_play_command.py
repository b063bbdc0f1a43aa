"""`klondike play` where it cannot: a clear sentence and a status, no traceback, and nothing that would be lost."""

import asyncio
import contextlib
import os
import pty
import socket
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from services.cli.data_directory import RefusedError
from services.cli.main import main
from services.cli.playing.address import Address, BadAddressError, parse_address
from services.cli.playing.profile import FILE_NAME, Choice, Keeper, Seat
from services.cli.playing.texts import learn, offered
from services.cli.playing.words import Words
from shared.messages.base import GameId
from shared.rules.variants import SOLO


def run(*arguments: str, language: str = "en") -> tuple[int, str]:
    done = CliRunner().invoke(main, ["play", *arguments], env={"LANGUAGE": "", "LC_ALL": language})
    assert done.exception is None or isinstance(done.exception, SystemExit)
    return done.exit_code, done.output


def on_a_terminal(*arguments: str, columns: int = 100, lines: int = 40) -> tuple[int, str]:
    """The same, as a process on a terminal of its own."""
    leader, follower = pty.openpty()
    size = {"COLUMNS": str(columns), "LINES": str(lines), "LC_ALL": "en", "LANGUAGE": ""}
    command = [sys.executable, "-m", "services.cli", "play", *arguments]
    environment = {**os.environ, **size}
    with subprocess.Popen(command, stdin=follower, stdout=follower, stderr=follower, env=environment) as process:
        os.close(follower)
        said = b""
        with contextlib.suppress(OSError):  # it has ended
            while part := os.read(leader, 65_536):
                said += part
    os.close(leader)
    return process.returncode, said.decode().replace("\r\n", "\n")


@pytest.mark.parametrize(
    ("text", "page", "socket_url"),
    [
        ("http://127.0.0.1:8000", "http://127.0.0.1:8000", "ws://127.0.0.1:8000/ws"),
        ("https://cards.example/", "https://cards.example", "wss://cards.example/ws"),
        ("https://cards.example/play/", "https://cards.example/play", "wss://cards.example/play/ws"),
        ("cards.example:8080", "http://cards.example:8080", "ws://cards.example:8080/ws"),
        ("http://[::1]:8000", "http://[::1]:8000", "ws://[::1]:8000/ws"),
        ("HTTP://Cards.Example", "http://cards.example", "ws://cards.example/ws"),
    ],
)
def test_an_address_is_that_of_the_page(text: str, page: str, socket_url: str) -> None:
    assert parse_address(text) == Address(page)
    assert parse_address(text).socket == socket_url


@pytest.mark.parametrize(
    "text",
    ["", "ftp://a", "http://", "http://a:99999", "http://a:0", "http://a:b", "http://me:secret@a", "http://a/?deal=7",
     "http://a b", "http://[::1", "nats://127.0.0.1:4222"],
)  # fmt: skip
def test_what_is_no_address_is_refused_with_one_that_is(text: str, tmp_path: Path) -> None:
    with pytest.raises(BadAddressError):
        parse_address(text)
    status, said = run(text, "--data", str(tmp_path))
    assert status == 1
    assert "http://127.0.0.1:8000" in said


def test_without_a_terminal_it_says_so_in_the_players_language(tmp_path: Path) -> None:
    assert run("--data", str(tmp_path)) == (
        1,
        "Error: klondike play draws on a terminal: start it in one, without a pipe or a file behind it.\n",
    )
    assert "Terminal" in run("--data", str(tmp_path), language="de_DE.UTF-8")[1]
    assert "terminale" in run("--data", str(tmp_path), language="lt_LT")[1]


def test_where_no_server_is_the_way_to_start_one_is_told(tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{free.getsockname()[1]}"
        status, said = on_a_terminal(address, "--data", str(tmp_path))
    assert status == 1
    assert said == (
        f"Error: No server answers at {address}: Connection refused. `klondike up` starts one on this machine; or give"
        " the address of another.\n"
    )


def test_a_terminal_that_is_too_small_is_told_the_size_it_needs(tmp_path: Path) -> None:
    status, said = on_a_terminal("--data", str(tmp_path), columns=40, lines=12)
    assert status == 1
    assert "40 × 12" in said
    assert "44 × 18" in said


@pytest.mark.parametrize(
    ("arguments", "names"),
    [
        (["--variant", "vegas", "--scoring", "standard"], "--scoring vegas"),
        (["--deal", "7", "--winnable"], "--deal, --daily and --winnable"),
    ],
)
def test_what_cannot_be_dealt_is_refused_before_anything_is_asked(
    arguments: list[str], names: str, tmp_path: Path
) -> None:
    status, said = run(*arguments, "--data", str(tmp_path))
    assert status == 1
    assert names in said


@pytest.mark.parametrize("arguments", [["--variant", "double"], ["--deal", "-1"], ["--mode", "easy"], ["a", "b"]])
def test_an_option_that_is_none_is_a_usage_error(arguments: list[str], tmp_path: Path) -> None:
    assert run(*arguments, "--data", str(tmp_path))[0] == 2


def test_a_profile_that_cannot_be_read_is_not_thrown_away(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_text('{"seats": 3}')
    status, said = run("--data", str(tmp_path))
    assert status == 1
    assert str(tmp_path / FILE_NAME) in said
    assert "$.seats" in said
    assert (tmp_path / FILE_NAME).read_text() == '{"seats": 3}'


def test_a_token_is_kept_for_its_own_server_and_readable_by_its_owner_alone(tmp_path: Path) -> None:
    keeper = Keeper(tmp_path / "new")
    seat = Seat(token="secret", game=GameId("a" * 26))
    keeper.keep_seat("http://a", seat)
    again = Keeper(tmp_path / "new")
    assert again.seat("http://a") == seat
    assert again.seat("http://b") is None
    assert again.profile.choice == Choice()
    assert stat.S_IMODE(again.path.stat().st_mode) == 0o600
    assert [file.name for file in (tmp_path / "new").iterdir()] == [FILE_NAME]


def test_two_terminals_take_nothing_from_each_other(tmp_path: Path) -> None:
    """Each writes what it has changed, and keeps what the other has."""
    one, other = Keeper(tmp_path), Keeper(tmp_path)
    one.keep_seat("http://a", Seat(token="of a"))
    other.keep_seat("http://b", Seat(token="of b"))
    one.keep_choice(Choice(variant="draw3"))
    again = Keeper(tmp_path).profile
    assert {page: seat.token for page, seat in again.seats.items()} == {"http://a": "of a", "http://b": "of b"}
    assert again.choice.variant == "draw3"


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n", "is no klondike server (404)"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nHi!\n", "is no klondike server (no JSON)"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]", "is no klondike server (no JSON)"),
        (b"SSH-2.0-OpenSSH\r\n", "is no klondike server (no HTTP)"),
        (b"", "No server answers at"),
    ],
)
async def test_what_is_no_klondike_is_told_from_one_that_is_away(answer: bytes, told: str) -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(answer)
        writer.close()

    async with await asyncio.start_server(serve, "127.0.0.1", 0) as server:
        address = Address("http://{}:{}".format(*server.sockets[0].getsockname()))
        with pytest.raises(RefusedError) as refused:
            await learn(Words("en"), address)
        assert await offered(address) == SOLO
    assert told in str(refused.value)
    assert address.page in str(refused.value)
