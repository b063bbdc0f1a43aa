"""What the state of a game does not allow is a conflict over HTTP; what is asked wrongly is a bad request."""

from http import HTTPStatus

import pytest

from services.gateway.problems import status_of
from shared.game.refusals import refused
from shared.messages.errors import ErrorCode


@pytest.mark.parametrize("code", ["already-joined", "stale-version", "game-running"])
def test_what_the_state_of_a_game_does_not_allow_is_a_conflict(code: ErrorCode) -> None:
    assert status_of(refused(code)) == HTTPStatus.CONFLICT
