"""The skeleton of every service: settings, logs, bus, Redis, readiness, signals, drain.

A service is a package `services.<name>` (gateway, game_state, solver_worker, scoring, dealer) with

    # app.py
    async def run(context: ServiceContext[GatewaySettings]) -> None: ...

    # __main__.py
    main("gateway", GatewaySettings, run)

`run` sets itself up, calls `context.ready()` when it serves, works until `context.stopping` is set, finishes what it
has begun and returns. Its connections are open before it is called, and are drained and closed after it. It opens
no log, reads no environment and handles no signal. A `SettingsError` it raises is a setting that only now shows that
it does not do: exit status 2. What else it raises is a bug: logged, exit status 1.

- `context.settings`: its own frozen struct of `shared.settings`; a service adds its fields there.
- `context.nats`: connected as the role, inbox prefix included. Publish and request raise at once while the connection
  is lost; it comes back by itself, and subscriptions with it.
- `context.redis`: game-state and scoring only.
- `context.log`: bound to service and instance. `shared.logs.correlated(command_id)` binds the correlation id.
- `context.traffic`: notes each request that was answered; its lines are written a moment later.
- `context.instance`: 12 letters and digits that name this process among its like, fit for a subject.

To a supervisor it speaks the protocol of systemd's NOTIFY_SOCKET: STATUS= says what it waits for, READY=1, STOPPING=1.
Exit status: 0 stopped as asked, 1 failed, 2 a setting does not do.
"""

import asyncio
import contextlib
import gc
import os
import secrets
import signal
import sys
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Generic, TypeVar

import click
import nats.micro
from nats.aio.client import Client
from nats.errors import Error as NatsError

from shared import DISTRIBUTION, alive, logs
from shared.bus.connection import connect
from shared.logs import Log
from shared.notify import notify
from shared.options import options
from shared.settings import GameStateSettings, Role, ScoringSettings, ServiceSettings, SettingsError, load, unknown
from shared.traffic import Traffic

if TYPE_CHECKING:
    from shared.bus.redis_connection import Redis

Settings = TypeVar("Settings", bound=ServiceSettings)

ALIVE_INTERVAL_SECONDS = 5.0
ANSWERING: tuple[Role, ...] = ("game-state", "scoring", "solver-worker", "dealer", "opponent", "notary")
"""Describe themselves by the NATS micro protocol with the endpoints that they answer; the gateway has none."""
EXIT_OK, EXIT_FAILED, EXIT_SETTINGS = 0, 1, 2


@dataclass(frozen=True, kw_only=True, slots=True)
class ServiceContext(Generic[Settings]):
    """What a service is given. See the module's text."""

    settings: Settings
    role: Role
    instance: str
    nats: Client
    log: Log
    traffic: Traffic
    stopping: asyncio.Event
    ready: Callable[[], None]
    redis_or_none: "Redis | None" = field(repr=False)

    @property
    def redis(self) -> "Redis":
        """Raises RuntimeError for a role that has no Redis: only game-state and scoring may read it."""
        if self.redis_or_none is None:
            raise RuntimeError(f"{self.role} has no Redis")
        return self.redis_or_none

    async def until_stopped(self, beside: "asyncio.Task[None]") -> None:
        """Waits until the service is to stop, and ends what was done meanwhile. Its failure is raised at once."""
        stop = asyncio.ensure_future(self.stopping.wait())
        await asyncio.wait({stop, beside}, return_when=asyncio.FIRST_COMPLETED)
        stop.cancel()
        beside.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await beside


Run = Callable[[ServiceContext[Settings]], Awaitable[None]]


def main(role: Role, settings: type[Settings], run: Run[Settings]) -> None:
    """Runs the service of this process with the settings of its arguments and environment, and exits."""
    command(role, settings, run).main(prog_name=f"klondike service {role}")


def command(role: Role, settings: type[Settings], run: Run[Settings]) -> click.Command:
    """The service as a command with all its settings as options."""

    def start(**flags: str | None) -> None:
        try:
            loaded = load(settings, os.environ, flags)
            alive.check(loaded.alive_file)
        except SettingsError as error:
            click.echo(f"klondike service {role}: {error}", err=True)
            sys.exit(EXIT_SETTINGS)
        sys.exit(run_service(role, loaded, run))

    return click.Command(
        role, callback=start, params=options(settings), help=f"Run one {role} process until it is told to stop."
    )


def run_service(role: Role, settings: Settings, run: Run[Settings]) -> int:
    """Runs the service on an event loop of its own until it ends. Returns the exit status."""
    instance = secrets.token_hex(6)
    log = logs.configure(settings.log_level, settings.log_format, service=role, instance=instance)
    for name, nearest in unknown(os.environ).items():
        log.warning("unknown setting, it does nothing", name=name, nearest=nearest or None)
    try:
        import uvloop  # not on Windows
    except ImportError:
        return asyncio.run(_Process(role, settings, instance, log).serve(run))
    return uvloop.run(_Process(role, settings, instance, log).serve(run))


class _Process(Generic[Settings]):
    """One run of a service, from its first connection to its exit status."""

    def __init__(self, role: Role, settings: Settings, instance: str, log: Log) -> None:
        self._role: Role = role
        self._settings = settings
        self._instance = instance
        self._log = log
        self._stopping = asyncio.Event()
        self._draining = False
        self._status = EXIT_OK
        self._ready = False

    async def serve(self, run: Run[Settings]) -> int:
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, self._stop, number)
        self._log.info("starting", pid=os.getpid())
        opened = await self._unless_stopped(self._open())
        if opened is not None:
            await self._work(opened, run)
            await self._close(opened)
            opened.traffic.write()
        self._log.info("stopped", exit_status=self._status)
        return self._status

    def _stop(self, number: signal.Signals) -> None:
        self._log.info("stopping", signal=number.name)
        notify("STOPPING=1")
        self._stopping.set()

    def _tell(self, text: str) -> None:
        notify(f"STATUS={text}")

    async def _unless_stopped(self, opening: Awaitable[ServiceContext[Settings]]) -> ServiceContext[Settings] | None:
        task = asyncio.ensure_future(opening)
        stop = asyncio.ensure_future(self._stopping.wait())
        await asyncio.wait({task, stop}, return_when=asyncio.FIRST_COMPLETED)
        stop.cancel()
        if task.done():
            return task.result()
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task
        return None

    async def _open(self) -> ServiceContext[Settings]:
        settings = self._settings
        self._tell("connecting to NATS")
        client = await connect(settings, self._role, self._log, tell=self._tell, closed=self._closed)
        redis: Redis | None = None
        if isinstance(settings, GameStateSettings | ScoringSettings):
            self._tell("connecting to Redis")
            from shared.bus.redis_connection import connect_redis

            redis = await connect_redis(settings.redis, self._log, tell=self._tell)
        self._tell("starting")
        if self._role not in ANSWERING:
            await nats.micro.add_service(client, name=self._role, version=version(DISTRIBUTION))
        return ServiceContext(
            settings=settings,
            role=self._role,
            instance=self._instance,
            nats=client,
            log=self._log,
            traffic=Traffic(self._log),
            stopping=self._stopping,
            ready=self._serves,
            redis_or_none=redis,
        )

    async def _closed(self) -> None:
        """A connection that is closed for good outside of our own drain ends the process: a new one starts clean."""
        if not self._draining:
            self._log.error("the NATS connection was closed for good, stopping")
            self._status = EXIT_FAILED
            self._stopping.set()

    def _serves(self) -> None:
        if not self._ready:
            self._ready = True
            # What was loaded by now stays for good: the collector need not look through it in the middle of a move.
            gc.collect()
            gc.freeze()
            self._log.info("ready")
            notify("READY=1\nSTATUS=ready")

    async def _work(self, context: ServiceContext[Settings], run: Run[Settings]) -> None:
        working = asyncio.ensure_future(run(context))
        stop = asyncio.ensure_future(self._stopping.wait())
        alive = asyncio.ensure_future(self._stay_alive(context.nats))
        try:
            await asyncio.wait({working, stop}, return_when=asyncio.FIRST_COMPLETED)
            self._stopping.set()
            await asyncio.wait_for(working, self._settings.drain_seconds)
        except TimeoutError:
            self._log.error("did not finish in time, cancelled", drain_seconds=self._settings.drain_seconds)
            self._status = EXIT_FAILED
        except SettingsError as error:
            self._log.error(str(error))
            self._status = EXIT_SETTINGS
        except Exception:  # noqa: BLE001 - the process ends here, and says why
            self._log.exception("crashed")
            self._status = EXIT_FAILED
        finally:
            stop.cancel()
            alive.cancel()

    async def _stay_alive(self, client: Client) -> None:
        """Touches the file that health checks look at, while the service is ready and connected."""
        if not self._settings.alive_file:
            return
        path = Path(self._settings.alive_file)
        try:
            while True:
                if self._ready and client.is_connected:
                    path.touch()  # noqa: ASYNC240 - one short system call
                await asyncio.sleep(ALIVE_INTERVAL_SECONDS if self._ready else 0.1)
        except OSError as error:
            self._log.error("the alive file cannot be touched any more", file=str(path), reason=error.strerror)
        finally:
            path.unlink(missing_ok=True)  # noqa: ASYNC240 - the same

    async def _close(self, context: ServiceContext[Settings]) -> None:
        self._draining = True
        if context.nats.is_connected:
            with contextlib.suppress(NatsError, TimeoutError):
                await context.nats.drain()
        if not context.nats.is_closed:
            await context.nats.close()
        if context.redis_or_none is not None:
            await context.redis_or_none.aclose()
