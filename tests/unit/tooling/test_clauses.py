"""What goes wrong below a command is told within its own sentence, which has one full stop."""

import nats.errors
import pytest
from redis.exceptions import ConnectionError as RedisConnectionError

from services.cli.nats_client import clause


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (
            RedisConnectionError("Error 111 connecting to host:1. Connection refused."),
            "Error 111 connecting to host:1. Connection refused",
        ),
        (OSError("no\nroute"), "no route"),
        (TimeoutError(), "TimeoutError"),
        (nats.errors.NoServersError(), "nats: no servers available for connection"),
    ],
)
def test_an_error_within_a_sentence_is_one_line_and_has_no_full_stop_of_its_own(error: Exception, told: str) -> None:
    assert clause(error) == told
