"""The image and the compose file: the same system, played over its published port, with three workers."""

import json
import random
import urllib.error
import urllib.request
from collections.abc import Iterator
from functools import partial

import docker
import pytest
import yaml
from docker.models.containers import Container

from shared.access import REDIS, REDIS_ROLES, ROLES, variable
from shared.embedded import free_port
from shared.settings import PREFIX, SERVICES, Role, describe
from tests.containers.compose import PROJECT, ROOT, Compose
from tests.servers import until
from tests.system.stubborn_player import StubbornPlayer

READY_SECONDS = 120.0
WORKERS = 3
MOVES = 5


def answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=5) as answer:
            return bool(answer.status == 200)
    except (OSError, urllib.error.URLError):
        return False


@pytest.fixture(scope="module")
def compose(engine: str) -> Iterator[Compose]:
    """Built and brought up, ready to play, and brought down with its volumes."""
    del engine
    project = Compose(free_port())
    try:
        project.run("build", "gateway")  # once: all services are one image
        project.run("up", "--no-build", "--detach", "--scale", f"solver-worker={WORKERS}")
        until(lambda: answers(f"{project.address}/readyz"), "the gateway to be ready", READY_SECONDS)
        yield project
    finally:
        project.run("down", "--volumes")
        for left in containers():  # podman-compose forgets what `--scale` added
            left.remove(force=True)


def containers(service: str | None = None) -> list[Container]:
    labels = [f"com.docker.compose.project={PROJECT}"]
    labels += [f"com.docker.compose.service={service}"] if service else []
    return list(docker.from_env().containers.list(filters={"label": labels}))


def healthy(container: Container) -> bool:
    return bool(container.exec_run(["python", "/opt/klondike/healthcheck.py"])[0] == 0)


@pytest.mark.containers
@pytest.mark.timeout(900)
async def test_a_game_is_played_in_containers_and_survives_their_restart(compose: Compose) -> None:
    assert answers(f"{compose.address}/"), "the page is in the image"
    player = StubbornPlayer(compose.address, random.Random(3))
    await player.new_game()
    for _ in range(MOVES):
        await player.move()
    await player.hint()
    for service in ("nats", "redis", "game-state", "gateway"):
        for container in containers(service):
            container.restart(timeout=15)
    await player.move()
    assert await player.history() == player.accepted
    await player.close()


@pytest.mark.containers
@pytest.mark.timeout(900)
@pytest.mark.parametrize("role", list(SERVICES))
def test_each_service_runs_unprivileged_is_healthy_and_logs_json(compose: Compose, role: Role) -> None:
    running = containers(role)
    assert len(running) == (WORKERS if role == "solver-worker" else 1), compose.run("ps")
    for container in running:
        until(partial(healthy, container), f"{role} to be healthy")
        assert container.exec_run(["id", "-u"])[1].strip() != b"0"
        lines = [json.loads(line) for line in container.logs().splitlines() if line.startswith(b"{")]
        assert {line["service"] for line in lines if "service" in line} == {role}


LOADED = """
from shared.solver import certify_kernels, decide
from shared.solver.warm import warm_all
warm_all()
for kernel in decide.decide, certify_kernels.search:
    assert kernel.stats.cache_hits and not kernel.stats.cache_misses, kernel.stats
"""


@pytest.mark.containers
@pytest.mark.timeout(900)
def test_a_worker_loads_the_kernels_that_the_image_has(compose: Compose) -> None:
    """No first hint waits for the compiler, and a container that is read-only otherwise can keep new ones."""
    code, said = containers("solver-worker")[0].exec_run(["python", "-c", LOADED])
    assert code == 0, said.decode()
    assert answers(f"{compose.address}/")


COMPOSE = yaml.safe_load((ROOT / "docker-compose.yml").read_text())


def test_every_password_of_the_compose_file_can_be_given_from_outside() -> None:
    text = (ROOT / "docker-compose.yml").read_text()
    for role in ROLES:
        assert f"${{{variable(role, 'NATS')}:-" in text
    for redis_role in REDIS_ROLES:
        assert f"${{{variable(redis_role, 'REDIS')}:-" in text


def test_redis_in_the_compose_file_has_the_rules_that_are_tested() -> None:
    words = " ".join(COMPOSE["services"]["redis"]["command"].split())
    for role, rules in REDIS.items():
        assert f"--user {role} on >${{{variable(role, 'REDIS')}:-laptop-only}} {rules}" in words


def test_the_compose_file_sets_only_settings_that_there_are() -> None:
    for role, settings in SERVICES.items():
        known = {one.variable for one in describe(settings)}
        given = {name for name in COMPOSE["services"][role]["environment"] if name.startswith(PREFIX)}
        assert given <= known, f"{role} has no {given - known}"


def test_only_the_gateway_is_reachable_from_outside_and_only_from_this_machine() -> None:
    published = {name: service.get("ports") for name, service in COMPOSE["services"].items() if "ports" in service}
    assert published == {"gateway": ["${KLONDIKE_PUBLISH:-127.0.0.1:8000}:8000"]}
