"""Settings: flags before environment before defaults, one line for a value that does not do, no secret shown."""

import re
from pathlib import Path
from typing import get_args

import msgspec
import pytest
from click.testing import CliRunner

from services.cli.main import main
from services.cli.service import service
from services.cli.up import check_settings
from shared.alive import check
from shared.options import markdown_table
from shared.settings import (
    PREFIX,
    SERVICES,
    GameStateSettings,
    GatewaySettings,
    Role,
    ScoringSettings,
    SettingsError,
    describe,
    load,
    unknown,
)

ROOT = Path(__file__).parents[3]
EVERY_ROLE = list(SERVICES)


def test_a_flag_beats_the_environment_and_that_beats_the_default() -> None:
    environment = {"KLONDIKE_SNAPSHOT_EVERY": "7", "KLONDIKE_REPLICAS": "3"}
    loaded = load(GameStateSettings, environment, {"snapshot_every": "9", "replicas": None})
    assert (loaded.snapshot_every, loaded.replicas) == (9, 3)
    assert loaded.games_in_memory == GameStateSettings().games_in_memory


@pytest.mark.parametrize(
    ("variable", "value", "fix"),
    [
        ("KLONDIKE_PORT", "http", "port"),
        ("KLONDIKE_PORT", "65536", "port"),
        ("KLONDIKE_LOG_LEVEL", "loud", "debug, info, warning, error"),
        ("KLONDIKE_DRAIN_SECONDS", "0", "time to finish"),
        ("KLONDIKE_NATS", "", "NATS servers"),
    ],
)
def test_a_value_that_does_not_do_is_one_line_naming_variable_value_and_fix(
    variable: str, value: str, fix: str
) -> None:
    with pytest.raises(SettingsError) as raised:
        load(GatewaySettings, {variable: value})
    text = str(raised.value)
    assert text.startswith(f"{variable} is {value!r}")
    assert fix in text.split(": ", 1)[1]
    assert "\n" not in text


@pytest.mark.parametrize("role", EVERY_ROLE)
@pytest.mark.parametrize("value", ["abc", "-5", "", "1e400", "nan"])
def test_a_value_that_does_not_do_is_told_in_plain_words_what_does(role: Role, value: str) -> None:
    """Of every setting of every service: no words of a parser, and for a number an example, which does."""
    struct = SERVICES[role]
    fields = {field.name: get_args(field.type)[0] for field in msgspec.structs.fields(struct)}
    for one in describe(struct):
        try:
            load(struct, {one.variable: value})
        except SettingsError as error:
            text = str(error)
            assert not re.search("Expected|Invalid|`", text), text
            if fields[one.field] in {int, float}:
                assert f", such as {one.default}. " in text
                load(struct, {one.variable: one.default})
            assert "must be the" not in text
            assert one.choices or one.switch or f" It means: {one.description}. Leave it out" in text


@pytest.mark.parametrize("value", ["not a url", "play.example.org", "https://", "https://a.example,,https://b.example"])
def test_what_no_page_can_ever_come_from_is_no_origin(value: str) -> None:
    with pytest.raises(SettingsError, match=r"KLONDIKE_ORIGINS is .* it is not like https://play.example.org"):
        load(GatewaySettings, {"KLONDIKE_ORIGINS": value})


@pytest.mark.parametrize("value", ["", "https://play.example.org", "http://[::1]:8000/, https://b.example:8443"])
def test_origins_are_taken_as_they_are(value: str) -> None:
    assert load(GatewaySettings, {"KLONDIKE_ORIGINS": value}).origins == value


def test_a_variable_that_is_no_setting_is_named_with_the_one_that_is_most_like_it() -> None:
    environment = {"KLONDIKE_ORIGIN": "x", "KLONDIKE_ZZZZZZZZ": "x", "KLONDIKE_PORT": "8000", "HOME": "/"}
    assert unknown(environment) == {"KLONDIKE_ORIGIN": "KLONDIKE_ORIGINS", "KLONDIKE_ZZZZZZZZ": ""}


def test_up_checks_every_service_and_says_what_is_unknown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    check_settings({"KLONDIKE_PORT": "decided by an option", "KLONDIKE_ORIGIN": "x"})
    assert "no setting KLONDIKE_ORIGIN, so it does nothing. Do you mean KLONDIKE_ORIGINS?" in capsys.readouterr().err
    monkeypatch.setenv("KLONDIKE_TAKES", "nothing")
    result = CliRunner().invoke(main, ["up", "--data", str(tmp_path / "data"), "--port", "0"])
    assert result.exit_code == 2
    assert "KLONDIKE_TAKES is 'nothing'" in result.output
    assert not (tmp_path / "data").exists()


def test_an_alive_file_that_cannot_be_written_is_refused_and_one_that_can_leaves_no_trace(tmp_path: Path) -> None:
    check("")
    check(str(tmp_path / "alive"))
    assert list(tmp_path.iterdir()) == []
    for bad in (tmp_path / "nowhere" / "alive", tmp_path):
        result = CliRunner().invoke(service, ["dealer", "--alive-file", str(bad)])
        assert result.exit_code == 2
        assert f"KLONDIKE_ALIVE_FILE is {str(bad)!r}, which does not do" in result.output
        assert len(result.output.splitlines()) == 1


def test_a_switch_that_does_not_do_is_told_what_it_can_be() -> None:
    with pytest.raises(SettingsError, match="It must be one of true, false; leave it out"):
        load(ScoringSettings, {"KLONDIKE_REBUILD": "maybe"})


NO_NATS = [
    "",
    "bogus",
    "ftp://host",
    "nats://",
    "nats://host:http",
    "nats://host:65536",
    "nats://a,,nats://b",
    "nats:host",
]
NO_REDIS = [
    "",
    "bogus",
    "http://host",
    "redis://",
    "redis://host:port",
    "redis://host:65536",
    "redis://host/x",
    "redis:host",
]
NATS = [
    "nats://host",
    "tls://host:4222",
    "nats://u:p%40@10.0.0.1:65535/",
    "nats://a:1, nats://u:p@b:2",
    "nats://[::1]:1",
]
REDIS = ["redis://host", "rediss://u:p@host:6379/0", "redis://:p@[::1]:1/?ssl_cert_reqs=none", "unix:///run/redis.sock"]


@pytest.mark.parametrize(
    ("field", "value"), [*(("nats", value) for value in NO_NATS), *(("redis", value) for value in NO_REDIS)]
)
def test_an_address_at_which_no_server_can_ever_be_is_refused_at_the_start(field: str, value: str) -> None:
    with pytest.raises(SettingsError, match=f"it is not like {field}://127.0.0.1"):
        load(GameStateSettings, {}, {field: value})


@pytest.mark.parametrize("command", [["up"], ["audit", "a" * 26]])
@pytest.mark.parametrize(
    ("field", "value"), [*(("nats", value) for value in NO_NATS), *(("redis", value) for value in NO_REDIS)]
)
def test_an_option_with_such_an_address_starts_nothing(command: list[str], field: str, value: str) -> None:
    result = CliRunner().invoke(main, [*command, f"--{field}", value])
    assert result.exit_code == 2
    assert f"Invalid value for '--{field}': it is not like {field}://127.0.0.1" in result.output


@pytest.mark.parametrize(
    ("field", "value"), [*(("nats", value) for value in NATS), *(("redis", value) for value in REDIS)]
)
def test_an_address_is_taken_as_it_is(field: str, value: str) -> None:
    assert getattr(load(GameStateSettings, {}, {field: value}), field) == value


def test_a_password_in_an_address_that_does_not_do_is_not_shown() -> None:
    with pytest.raises(SettingsError) as raised:
        load(GatewaySettings, {"KLONDIKE_NATS": "nats://gateway:hidden@host:http"})
    assert "hidden" not in str(raised.value)


def test_a_secret_that_does_not_do_is_not_shown() -> None:
    with pytest.raises(SettingsError) as raised:
        load(ScoringSettings, {"KLONDIKE_REDIS": ""})
    assert "(not shown)" in str(raised.value)


def test_a_bad_setting_ends_a_service_with_status_2_and_one_line() -> None:
    result = CliRunner().invoke(service, ["gateway", "--port", "http"])
    assert result.exit_code == 2
    assert len(result.output.splitlines()) == 1
    assert "--port is 'http'" in result.output


@pytest.mark.parametrize("role", EVERY_ROLE)
def test_help_lists_every_setting_with_its_variable(role: Role) -> None:
    result = CliRunner().invoke(main, ["service", role, "--help"])
    words = result.output.split()
    assert result.exit_code == 0
    for one in describe(SERVICES[role]):
        assert one.flag in words
        assert any(one.variable in word for word in words)


def is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


@pytest.mark.parametrize("role", EVERY_ROLE)
def test_every_setting_says_what_it_means_and_every_number_its_unit(role: Role) -> None:
    for one in describe(SERVICES[role]):
        assert one.variable.startswith(PREFIX)
        assert one.description, f"{one.field} has no description"
        if one.field != "port" and is_number(one.default):
            assert one.unit, f"{one.field} has no unit"


@pytest.mark.parametrize("role", EVERY_ROLE)
def test_the_operators_table_and_the_help_show_every_default_that_an_error_names(role: Role) -> None:
    rows = {line.split("`")[1]: line for line in markdown_table().splitlines() if line.startswith("| `")}
    told = CliRunner().invoke(main, ["service", role, "--help"], terminal_width=1_000).output
    for one in describe(SERVICES[role]):
        assert f"| `{one.default}` |" in rows[one.variable] or not one.default
        assert f"[{one.variable}; default {one.default}]" in " ".join(told.split()) or not one.default


def test_the_operators_table_lists_every_setting_as_it_is() -> None:
    """`python -m shared.options` prints the table."""
    assert markdown_table() in (ROOT / "docs" / "operations.md").read_text()
