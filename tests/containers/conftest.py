"""Whether there is a Docker engine decides for all tests here, once and loudly."""

import os
import warnings

import pytest

from tests.servers import engine_answers


@pytest.fixture(scope="session")
def engine() -> str:
    """Where the engine answers. Skips what needs one when none does."""
    if not engine_answers():
        pytest.skip("NO DOCKER ENGINE ANSWERS: image, compose file and container fixture are NOT proved here")
    return os.environ.get("DOCKER_HOST", "the default socket")


@pytest.fixture(autouse=True)
def leaks_of_docker_py() -> None:
    """docker-py leaves its sockets to the garbage collector."""
    warnings.filterwarnings("ignore", message="unclosed <socket", category=ResourceWarning)
