"""`klondike up`: everything on this machine, supervised."""

import asyncio
import os
import shutil
import signal
import socket
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final, Literal
from urllib.parse import quote, urlsplit, urlunsplit

import click
import msgspec

from services.cli.addresses import FOLDER, NATS_ADDRESS, REDIS_ADDRESS
from services.cli.children import ServiceProcess
from services.cli.data_directory import RefusedError, default_directory, locked
from services.cli.data_secrets import secrets_in
from services.cli.supervisor import EXIT_SETTINGS, GaveUpError, Stage, Supervisor
from shared import alive, clock
from shared.access import Fsync, RedisRole, variable
from shared.embedded import Credentials, NatsServer, RedisServer, free_port
from shared.settings import SERVICES, Role, SettingsError, load, unknown

DRAIN_SECONDS = 12.0
"""More than a service's own `drain_seconds`."""
WORKERS_MAX = 64
FREE_BYTES_MIN: Final = 256 * 1024 * 1024
"""nats-server keeps a quarter of what is free, and the streams of jobs have 128 MiB of the rest to themselves."""
BACKGROUND: Final[tuple[Role, ...]] = ("dealer", "archivist", "notary", "opponent")
"""Services that nobody who plays a game waits for."""
SET_HERE = frozenset({"KLONDIKE_NATS", "KLONDIKE_NATS_PASSWORD", "KLONDIKE_REDIS", "KLONDIKE_HOST", "KLONDIKE_PORT"})
"""Settings of services that the options decide."""


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """What `klondike up` is asked to run."""

    data: Path
    host: str
    port: int
    nats: str | None
    redis: str | None
    fsync: Fsync
    workers: int


@click.command()
@click.option(
    "--data",
    type=FOLDER,
    help="Directory of all games, statistics and passwords.  [default: klondike in the user's data directory]",
)
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="0: any free port.")
@click.option("--nats", type=NATS_ADDRESS, metavar="URL", help="Use these NATS servers instead of an embedded one.")
@click.option("--redis", type=REDIS_ADDRESS, metavar="URL", help="Use this Redis server instead of an embedded one.")
@click.option(
    "--fsync",
    type=click.Choice(["durable", "fast"]),
    default="durable",
    show_default=True,
    help="durable: an accepted move is on disk; fast: quicker, a power cut may cost the last two minutes.",
)
@click.option(
    "--workers",
    type=click.IntRange(1, WORKERS_MAX),
    default=1,
    show_default=True,
    help="Number of solver-worker processes.",
)
def up(
    *,
    data: Path | None,
    host: str,
    port: int,
    nats: str | None,
    redis: str | None,
    fsync: Literal["durable", "fast"],
    workers: int,
) -> None:
    """Run everything on this machine: servers, services, page. Ctrl-C ends it, in order.

    Passwords of servers given by --nats and --redis are in the URL, or in the variables NATS_PASSWORD_<SERVICE> and
    REDIS_PASSWORD_<SERVICE>. Every setting of a service can be given as its KLONDIKE_ variable.
    """
    plan = Plan(
        data=(data or default_directory()).resolve(),
        host=host,
        port=port or free_port(),
        nats=nats,
        redis=redis,
        fsync=fsync,
        workers=workers,
    )
    try:
        check_settings(os.environ)
        _check_port(plan)
        with locked(plan.data):
            if plan.nats is None and not (plan.data / "nats").exists():
                check_room(plan.data)
            asyncio.run(_supervise(plan))
    except (RefusedError, GaveUpError) as error:
        click.echo(f"klondike up: {error}", err=True)
        sys.exit(1)
    except OSError as error:
        click.echo(f"klondike up: cannot work in {plan.data}: {error.strerror or error}.", err=True)
        sys.exit(1)
    except SettingsError as error:
        click.echo(f"klondike up: {error}", err=True)
        sys.exit(EXIT_SETTINGS)


def check_settings(environment: Mapping[str, str]) -> None:
    """Of all services, before anything starts. What is set for them here is not read from the environment.

    Raises:
        SettingsError: the first that does not do.
    """
    given = {name: value for name, value in environment.items() if name not in SET_HERE}
    for settings in SERVICES.values():
        alive.check(load(settings, given).alive_file)
    for name, nearest in unknown(environment).items():
        hint = f" Do you mean {nearest}?" if nearest else ""
        _tell(f"there is no setting {name}, so it does nothing.{hint}")


def check_room(directory: Path) -> None:
    """Whether there is room for a new log.

    Raises:
        RefusedError: there is not.
    """
    free = shutil.disk_usage(directory).free
    if free < FREE_BYTES_MIN:
        raise RefusedError(
            f"not enough space for a log in {directory}: {free >> 20} MiB are free, and {FREE_BYTES_MIN >> 20} are "
            "needed. Make room, or give another --data."
        )


def _check_port(plan: Plan) -> None:
    try:
        with socket.create_server((plan.host, plan.port)):
            pass
    except OSError as error:
        # `create_server` adds the address to the text of an error of the system: it is said already.
        reason = (error.strerror or str(error)).split(" (while attempting")[0]
        raise RefusedError(
            f"cannot listen on {plan.host}:{plan.port}: {reason}. "
            "Stop what uses it, or give another --port (0 takes any free one) or --host."
        ) from None


async def _supervise(plan: Plan) -> None:
    with tempfile.TemporaryDirectory(prefix="klondike-") as folder, _server_log(plan.data) as server_log:
        stages = _stages(plan, Path(folder), server_log)
        supervisor = Supervisor(stages, _tell, clock.jitter, drain_seconds=DRAIN_SECONDS)
        stopping = _stop_on_signals(supervisor)
        _tell(f"starting; data in {plan.data}, fsync {plan.fsync}")
        await supervisor.run(stopping, on_ready=lambda: _say_ready(plan))
    _tell("stopped")


@contextmanager
def _server_log(directory: Path) -> Iterator[IO[bytes]]:
    """Where the embedded servers write: the run before is kept beside it."""
    path = directory / "servers.log"
    if path.exists():
        path.replace(directory / "servers.log.1")
    with path.open("ab") as file:
        yield file


def _stop_on_signals(supervisor: Supervisor) -> asyncio.Event:
    stopping = asyncio.Event()

    def stop() -> None:
        if stopping.is_set():
            _tell("ending everything at once")
            supervisor.kill()
        else:
            _tell("stopping (again to end at once)")
            stopping.set()

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        asyncio.get_running_loop().add_signal_handler(number, stop)
    return stopping


def _say_ready(plan: Plan) -> None:
    shown = "127.0.0.1" if plan.host in {"0.0.0.0", "::", ""} else plan.host  # noqa: S104 - compared, not bound
    click.echo(f"Klondike is ready: http://{shown}:{plan.port}")


def _tell(text: str) -> None:
    click.echo(f"klondike up: {text}", err=True)


def _stages(plan: Plan, folder: Path, server_log: IO[bytes]) -> list[Stage]:
    """Servers first, then the owner of the streams, then who works for it, then the door. They end the other way.

    The dealer is only needed for winnable deals and verdicts, and the opponent for games against the computer, so that
    nobody waits for their compiled kernels; and the archivist and the notary have time.
    """
    made = secrets_in(plan.data)
    nats_server = None if plan.nats else NatsServer(plan.data / "nats", made, plan.fsync, server_log)
    redis_server = None if plan.redis else RedisServer(plan.data / "redis", made, plan.fsync, server_log)
    surroundings = _Surroundings(plan, made, nats_server, redis_server)

    def process(role: Role, name: str) -> ServiceProcess:
        return ServiceProcess(role, name, folder, lambda: surroundings.environment(role))

    servers = [server for server in (nats_server, redis_server) if server is not None]
    workers = [process("solver-worker", f"solver-worker-{number}") for number in range(1, plan.workers + 1)]
    return [
        Stage(children=servers, awaited=True),
        Stage(children=[process("game-state", "game-state")]),
        Stage(children=[*workers, process("scoring", "scoring")]),
        Stage(children=[process("gateway", "gateway")]),
        Stage(children=[process(role, role) for role in BACKGROUND], background=True),
    ]


class _Surroundings:
    """What each service's environment says: known only once the servers have their ports."""

    def __init__(self, plan: Plan, made: Credentials, nats: NatsServer | None, redis: RedisServer | None) -> None:
        self._plan = plan
        self._made = made
        self._nats = nats
        self._redis = redis

    def environment(self, role: Role) -> Mapping[str, str]:
        """Ours, and where the servers are. Secrets of other roles are left out."""
        left_out = unknown(os.environ)  # said once, here
        kept = {name: value for name, value in os.environ.items() if "_PASSWORD" not in name and name not in left_out}
        kept |= {"KLONDIKE_NATS": self._nats_url(role)}
        if self._nats is None and (password := os.environ.get(variable(role, "NATS"))):
            kept |= {"KLONDIKE_NATS_PASSWORD": password}
        if role in {"game-state", "scoring"}:
            kept |= {"KLONDIKE_REDIS": self._redis_url("game-state" if role == "game-state" else "scoring")}
        if role == "notary":
            kept.setdefault("KLONDIKE_CHECKPOINT_KEY", str(self._plan.data / "checkpoint.key"))
        if role == "gateway":
            kept |= {"KLONDIKE_HOST": self._plan.host, "KLONDIKE_PORT": str(self._plan.port)}
            kept.setdefault("KLONDIKE_TOKEN_SECRET", self._made.token_secret)
        else:
            kept.pop("KLONDIKE_TOKEN_SECRET", None)
        return kept

    def _nats_url(self, role: Role) -> str:
        if self._nats is not None:
            return self._nats.url(role)
        assert self._plan.nats is not None
        return self._plan.nats

    def _redis_url(self, role: RedisRole) -> str:
        if self._redis is not None:
            return self._redis.url(role)
        assert self._plan.redis is not None
        password = os.environ.get(variable(role, "REDIS"))
        if not password:
            return self._plan.redis
        parts = urlsplit(self._plan.redis)
        address = parts.netloc.rsplit("@", 1)[-1]
        return urlunsplit(parts._replace(netloc=f"{role}:{quote(password)}@{address}"))
