"""Logs: one JSON object a line, with service, instance and correlation id, whoever writes it; readable on demand."""

import asyncio
import json
import logging
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
import structlog

from shared.logs import CORRELATION, configure, correlated, correlation_id
from shared.traffic import LINES_MAX, WAIT_SECONDS, Traffic


@pytest.fixture(autouse=True)
def logging_as_before() -> Iterator[None]:
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
    structlog.reset_defaults()


def lines(text: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in text.splitlines()]


def test_every_line_is_json_with_service_and_instance_also_a_librarys(capsys: pytest.CaptureFixture[str]) -> None:
    log = configure("info", "json", service="scoring", instance="abc")
    log.info("ours", records=3)
    logging.getLogger("library").warning("theirs %s", "too")
    ours, theirs = lines(capsys.readouterr().err)
    assert (ours["event"], ours["records"], ours["service"], ours["instance"]) == ("ours", 3, "scoring", "abc")
    assert (theirs["event"], theirs["level"], theirs["service"]) == ("theirs too", "warning", "scoring")


def test_lines_below_the_level_are_not_written(capsys: pytest.CaptureFixture[str]) -> None:
    log = configure("warning", "json")
    log.info("not this")
    log.error("this")
    assert [line["event"] for line in lines(capsys.readouterr().err)] == ["this"]


async def test_the_correlation_id_is_on_all_lines_of_a_command_and_on_no_others(
    capsys: pytest.CaptureFixture[str],
) -> None:
    log = configure("info", "json")

    async def work(command: str) -> None:
        with correlated(command):
            log.info("begun")
            await asyncio.create_task(deeper(command))

    async def deeper(command: str) -> None:
        await asyncio.sleep(0)
        assert correlation_id() == command
        log.info("deeper")

    await asyncio.gather(work("one"), work("two"))
    log.info("outside")
    assert correlation_id() is None
    written = [(line["event"], line.get(CORRELATION)) for line in lines(capsys.readouterr().err)]
    assert sorted(written[:-1]) == [("begun", "one"), ("begun", "two"), ("deeper", "one"), ("deeper", "two")]
    assert written[-1] == ("outside", None)


def test_a_person_reads_the_service_first_and_no_instance(capsys: pytest.CaptureFixture[str]) -> None:
    configure("info", "console", service="gateway", instance="abc").info("listening", port=1)
    line = capsys.readouterr().err
    assert "gateway       listening" in line
    assert "port=1" in line
    assert "abc" not in line


def test_a_traceback_shows_no_local_variables(capsys: pytest.CaptureFixture[str]) -> None:
    log = configure("info", "json")
    try:
        raise_with("hidden card")
    except ValueError:
        log.exception("crashed")
    written = capsys.readouterr().err
    assert "ValueError" in written
    assert "hidden card" not in written


def raise_with(secret: str) -> None:
    assert secret
    raise ValueError("no details")


async def test_the_line_of_a_request_comes_a_moment_later_with_the_time_and_id_of_the_request(
    capsys: pytest.CaptureFixture[str],
) -> None:
    traffic = Traffic(configure("info", "json", service="gateway"))
    before = datetime.now(UTC)
    with correlated("one"):
        traffic.note("command", result="accepted")
    noted = datetime.now(UTC)
    traffic.note("command", **{CORRELATION: "two"})
    assert lines(capsys.readouterr().err) == [], "whoever is answered does not wait for the line"
    await asyncio.sleep(3 * WAIT_SECONDS)
    first, second = lines(capsys.readouterr().err)
    assert (first[CORRELATION], first["result"], first["service"]) == ("one", "accepted", "gateway")
    assert before <= datetime.fromisoformat(str(first["timestamp"])) <= noted
    assert second[CORRELATION] == "two"


async def test_lines_of_requests_are_written_once_each_in_order_and_none_is_left(
    capsys: pytest.CaptureFixture[str],
) -> None:
    traffic = Traffic(configure("info", "json"))
    for number in range(LINES_MAX + 2):
        traffic.note("command", number=number)
    traffic.write()
    await asyncio.sleep(3 * WAIT_SECONDS)
    assert [line["number"] for line in lines(capsys.readouterr().err)] == list(range(LINES_MAX + 2))


async def test_a_warning_does_not_wait_with_the_lines_of_requests(capsys: pytest.CaptureFixture[str]) -> None:
    log = configure("info", "json")
    Traffic(log).note("command")
    log.warning("lost NATS, reconnecting")
    assert [line["event"] for line in lines(capsys.readouterr().err)] == ["lost NATS, reconnecting"]
