"""What logs must not say."""

import logging
from collections.abc import Iterator
from typing import Literal

import pytest
import structlog

from shared import logs


@pytest.fixture
def restored() -> Iterator[None]:
    """Logging as it was before, at the end."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    root.handlers[:], root.level = handlers, level
    structlog.reset_defaults()


@pytest.mark.usefixtures("restored")
@pytest.mark.parametrize("style", ["json", "console"])
def test_a_traceback_does_not_show_local_variables(
    style: Literal["json", "console"], capsys: pytest.CaptureFixture[str]
) -> None:
    def deal(hidden: str) -> None:
        raise RuntimeError(f"a bug in a deal of {len(hidden)}")

    log = logs.configure("info", style)
    try:
        deal("KH" + "QS")
    except RuntimeError:
        log.exception("failed")
    said = capsys.readouterr().err
    assert "a bug in a deal of 4" in said
    assert "KHQS" not in said
