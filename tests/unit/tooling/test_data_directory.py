"""What a data directory cannot be used for, in one line that names the file and the fix."""

from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from services.cli.data_directory import RefusedError
from services.cli.data_secrets import secrets_in
from services.cli.main import COMMANDS, main
from services.cli.up import FREE_BYTES_MIN, check_room

DAMAGED = [b"", b"{", b'{"nats":1}', b"null", b"\xff\xfe", b'{"nats":{},"redis":{}}', b'{"nats":{"nobody":"x"}}']
"""`credentials.json` as a full disk, an editor or a slip of the hand leave it."""
ASKING = [["up", "--port", "0"], ["audit", "--all"], ["status"], ["archive"], ["checkpoint"], ["forget", "a" * 26]]


@pytest.mark.parametrize("content", DAMAGED)
def test_damaged_credentials_are_named_with_the_fix_and_kept(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "credentials.json"
    file.write_bytes(content)
    with pytest.raises(RefusedError, match=r"credentials\.json is damaged.*[Rr]estore it"):
        _ = secrets_in(tmp_path)
    assert file.read_bytes() == content


@pytest.mark.parametrize("arguments", [*ASKING, ["backup", "kept"]], ids=lambda one: one[0])
@pytest.mark.parametrize("content", [b"", b'{"nats":1}'])
def test_every_command_says_so_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], content: bytes
) -> None:
    monkeypatch.chdir(tmp_path)
    data = tmp_path / "data"
    data.mkdir()
    (data / "credentials.json").write_bytes(content)
    result = CliRunner().invoke(main, [*arguments, "--data", str(data)])
    assert result.exit_code in {1, 2}
    assert isinstance(result.exception, SystemExit), "no traceback"
    assert len(result.output.splitlines()) == 1
    assert f"{data / 'credentials.json'} is damaged" in result.output


def test_a_directory_without_room_for_a_log_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    check_room(tmp_path)
    monkeypatch.setattr("shutil.disk_usage", lambda _: type("Usage", (), {"free": FREE_BYTES_MIN - 1}))
    with pytest.raises(RefusedError, match=r"not enough space for a log.*255 MiB are free, and 256 are needed"):
        check_room(tmp_path)


def _with_data() -> list[str]:
    context = click.Context(main)
    commands = {name: main.get_command(context, name) for name in COMMANDS}
    return [name for name, one in commands.items() if one and any("--data" in option.opts for option in one.params)]


@pytest.mark.parametrize("name", _with_data())
def test_an_empty_name_is_no_directory(name: str) -> None:
    """A variable of the shell that is not set must not stand for the current directory."""
    result = CliRunner().invoke(main, [name, "--data", ""])
    assert result.exit_code == 2
    assert "Invalid value for '--data': it is empty" in result.output
