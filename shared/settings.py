"""All settings of all services: one frozen struct a service, one line of meaning, unit and default each.

Each field is read from the flag `--<field>` or the environment variable `KLONDIKE_<FIELD>`, in this order; else its
default holds. A bad value is one line that names the variable, the value and the fix. `docs/operations.md` lists them.
"""

import difflib
import types
from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal, TypeVar, get_args, get_origin

import msgspec
from msgspec import Meta

Role = Literal[
    "gateway", "game-state", "solver-worker", "scoring", "dealer", "archivist", "notary", "opponent", "auditor"
]
"""Who connects. The NATS user, the inbox prefix and the micro service have this name."""

Takes = Literal["all", "waiting", "background"]
"""Which jobs a worker takes."""

PREFIX = "KLONDIKE_"
Struct = TypeVar("Struct", bound=msgspec.Struct)


_HOST = r"(?:\[[0-9A-Fa-f:.]+\]|[^\s,@/:?#\[\]]+)"
_PORT = r"(?::(?:6553[0-5]|655[0-2]\d|65[0-4]\d\d|6[0-4]\d{3}|[1-5]?\d{1,4}))?"
_AUTHORITY = rf"(?:[^\s,/?#]*@)?{_HOST}{_PORT}"
_ORIGIN = rf"[A-Za-z][A-Za-z0-9+.-]*://{_HOST}{_PORT}/?"
_NATS_URL = rf"(?:nats|tls)://{_AUTHORITY}/?"
ORIGINS = rf"^(?:\s*{_ORIGIN}\s*(?:,\s*{_ORIGIN}\s*)*)?$"
NATS_URLS = rf"^\s*{_NATS_URL}\s*(?:,\s*{_NATS_URL}\s*)*$"
REDIS_URL = rf"^(?:unix:///\S+|rediss?://{_AUTHORITY}(?:/\d*)?(?:\?\S*)?)$"


class SettingsError(Exception):
    """A setting has a value that does not do. The text is one line for the operator."""


def setting(description: str, unit: str = "", *, secret: bool = False, like: str = "", **limits: Any) -> Meta:  # noqa: ANN401 - Meta's own bounds
    """What a field's type does not say. `secret` values are shown nowhere; `like` is an example of a pattern."""
    return Meta(description=description, extra={"unit": unit, "secret": secret, "like": like}, **limits)


class ServiceSettings(msgspec.Struct, frozen=True, kw_only=True):
    """What every service needs to know."""

    nats: Annotated[
        str,
        setting(
            "NATS servers to connect to, separated by commas", "URLs", pattern=NATS_URLS, like="nats://127.0.0.1:4222"
        ),
    ] = "nats://127.0.0.1:4222"
    nats_password: Annotated[
        str, setting("password of the NATS user named like the service; empty: as the URL says", secret=True)
    ] = ""
    log_level: Annotated[Literal["debug", "info", "warning", "error"], setting("least level that is logged")] = "info"
    log_format: Annotated[
        Literal["auto", "json", "console"], setting("auto: console on a terminal, else JSON lines")
    ] = "auto"
    drain_seconds: Annotated[
        float, setting("time to finish what is under way after a signal to stop", "seconds", gt=0, le=300)
    ] = 10.0
    alive_file: Annotated[
        str, setting("file touched every few seconds while the service can work, for health checks; empty: none")
    ] = ""


class GatewaySettings(ServiceSettings, frozen=True, kw_only=True):
    """The gateway's own."""

    host: Annotated[str, setting("address to listen on", min_length=1)] = "127.0.0.1"
    port: Annotated[int, setting("port of page, WebSocket, health and metrics; 0: any free one", ge=0, le=65535)] = 8000
    token_secret: Annotated[
        str,
        setting("key that signs guest tokens, the same on every gateway; empty: a new one at each start", secret=True),
    ] = ""
    origins: Annotated[
        str,
        setting(
            "origins that may open a WebSocket, separated by commas; empty: the gateway's own only",
            pattern=ORIGINS,
            like="https://play.example.org",
        ),
    ] = ""
    sockets_max: Annotated[int, setting("open WebSockets of this gateway", "connections", ge=1)] = 10_000
    frames_burst: Annotated[int, setting("frames that one connection may send at once", "frames", ge=1)] = 300
    frames_per_second: Annotated[
        float, setting("frames that one connection may send in the long run", "frames a second", gt=0)
    ] = 60.0
    grace_seconds: Annotated[
        float,
        setting("time in which a player who left a game may come back before it is paused", "seconds", ge=0),
    ] = 10.0


class GameStateSettings(ServiceSettings, frozen=True, kw_only=True):
    """game-state's own."""

    redis: Annotated[
        str,
        setting(
            "Redis server that holds the snapshots",
            "URL",
            secret=True,
            pattern=REDIS_URL,
            like="redis://127.0.0.1:6379",
        ),
    ] = "redis://127.0.0.1:6379"
    replicas: Annotated[int, setting("copies of each stream; 3 in a cluster", "servers", ge=1, le=5)] = 1
    snapshot_every: Annotated[int, setting("records between two snapshots of a game", "records", ge=1)] = 50
    games_in_memory: Annotated[int, setting("games kept in memory, the least used leave first", "games", ge=1)] = 10_000
    invitation_minutes: Annotated[
        int, setting("time in which a game for two may be joined", "minutes", ge=1, le=10_080)
    ] = 60
    absence_seconds: Annotated[
        int, setting("time that a player of a game for two may be away before the other may claim it", "seconds", ge=1)
    ] = 120


class SolverWorkerSettings(ServiceSettings, frozen=True, kw_only=True):
    """solver-worker's own."""

    jobs_at_once: Annotated[int, setting("jobs that one worker does at the same time", "jobs", ge=1, le=64)] = 1
    takes: Annotated[
        Takes, setting("which jobs it takes: all; those that a player waits for; analysis and pools alone")
    ] = "all"


class DealerSettings(ServiceSettings, frozen=True, kw_only=True):
    """The dealer's own."""

    pool_deals: Annotated[
        int,
        setting(
            "winnable deals kept ready of each variant; 0: each is looked for when asked", "deals", ge=0, le=10_000
        ),
    ] = 8


class ArchivistSettings(ServiceSettings, frozen=True, kw_only=True):
    """The archivist's own."""

    archive_after_days: Annotated[
        float, setting("how long a game stays in the log after its end", "days", ge=0, le=36_500)
    ] = 30.0
    archive_every_minutes: Annotated[
        float, setting("pause between two looks for games that are to be archived", "minutes", gt=0, le=10_080)
    ] = 60.0


class NotarySettings(ServiceSettings, frozen=True, kw_only=True):
    """The notary's own."""

    checkpoint_key: Annotated[
        str,
        setting("file of the private key that signs checkpoints, made at the first start", min_length=1),
    ] = "checkpoint.key"
    checkpoint_every_minutes: Annotated[float, setting("pause between two checkpoints", "minutes", gt=0, le=1_440)] = (
        5.0
    )
    checkpoint_new_key: Annotated[
        bool, setting("sign on where checkpoints of another key end: for once, when that key is lost")
    ] = False


class OpponentSettings(ServiceSettings, frozen=True, kw_only=True):
    """The opponent's own."""

    pace_ms: Annotated[
        int, setting("pause of the computer between two moves of a hard game; twice that of an easy one", "ms", ge=1)
    ] = 2_500


class ScoringSettings(ServiceSettings, frozen=True, kw_only=True):
    """scoring's own."""

    redis: Annotated[
        str,
        setting(
            "Redis server that holds the projections",
            "URL",
            secret=True,
            pattern=REDIS_URL,
            like="redis://127.0.0.1:6379",
        ),
    ] = "redis://127.0.0.1:6379"
    rebuild: Annotated[
        bool, setting("rebuild all statistics from the log at the start; old ones are shown until then")
    ] = False


SERVICES: Mapping[Role, type[ServiceSettings]] = {
    "gateway": GatewaySettings,
    "game-state": GameStateSettings,
    "solver-worker": SolverWorkerSettings,
    "scoring": ScoringSettings,
    "dealer": DealerSettings,
    "archivist": ArchivistSettings,
    "notary": NotarySettings,
    "opponent": OpponentSettings,
}


OTHERS = frozenset({"KLONDIKE_DATA", "KLONDIKE_PUBLISH"})
"""Variables of commands and of docker-compose.yml, which are no service's."""


_BOUNDS: Final = {"gt": "above", "ge": "of at least", "lt": "below", "le": "of at most"}


class Setting(msgspec.Struct, frozen=True, kw_only=True):
    """One field, as help texts and documents show it."""

    field: str
    variable: str
    flag: str
    description: str
    unit: str
    default: str
    secret: bool
    like: str
    """An example of a value, where the type alone does not tell what it looks like."""
    choices: tuple[str, ...]
    switch: bool
    """The flag alone, without a value, means true."""


def describe(settings: type[msgspec.Struct]) -> tuple[Setting, ...]:
    """The fields of a settings struct, the common ones first."""
    return tuple(_describe(field) for field in msgspec.structs.fields(settings))


def _describe(field: msgspec.structs.FieldInfo) -> Setting:
    of_type, meta = get_args(field.type)
    extra = meta.extra or {}
    return Setting(
        field=field.name,
        variable=PREFIX + field.name.upper(),
        flag="--" + field.name.replace("_", "-"),
        description=meta.description or "",
        unit=extra.get("unit", ""),
        default=str(field.default).lower() if of_type is bool else str(field.default),
        secret=extra.get("secret", False),
        like=extra.get("like", ""),
        choices=get_args(of_type) if get_origin(of_type) is Literal else (),
        switch=of_type is bool,
    )


def unknown(environment: Mapping[str, str]) -> dict[str, str]:
    """Variables that look like settings and are none, each with the known one that is most like it, or nothing."""
    known = OTHERS.union(one.variable for settings in SERVICES.values() for one in describe(settings))
    strange = sorted(name for name in environment if name.startswith(PREFIX) and name not in known)
    names = sorted(name.removeprefix(PREFIX) for name in known)
    alike = {name: difflib.get_close_matches(name.removeprefix(PREFIX), names, n=1) for name in strange}
    return {name: PREFIX + found[0] if found else "" for name, found in alike.items()}


def load(
    settings: type[Struct], environment: Mapping[str, str], flags: Mapping[str, str | None] = types.MappingProxyType({})
) -> Struct:
    """Settings from flags (by field name, None where not given), then environment, then defaults.

    Raises:
        SettingsError: the first value that does not do.
    """
    values: dict[str, object] = {}
    for field in msgspec.structs.fields(settings):
        one = _describe(field)
        given, source = flags.get(one.field), one.flag
        if given is None:
            given, source = environment.get(one.variable), one.variable
        if given is not None:
            values[one.field] = _convert(field.type, given, source, one)
    return msgspec.convert(values, settings)


def _convert(of_type: object, given: str, source: str, one: Setting) -> object:
    try:
        return msgspec.convert(given, of_type, strict=False)
    except msgspec.ValidationError as error:
        shown = "(not shown)" if one.secret or (one.like and "@" in given) else repr(given)
        choices = ("true", "false") if one.switch else one.choices
        means = "" if choices else f" It means: {one.description}."
        wanted = f"It must be one of {', '.join(choices)}; leave it out" if choices else "Leave it out"
        reason = _reason(of_type, one, str(error))
        text = f"{source} is {shown}, which does not do: {reason}.{means} {wanted} for the default, {one.default!r}."
        raise SettingsError(text) from None


def _reason(of_type: object, one: Setting, message: str) -> str:
    """What is wrong with a value, with an example of one that does."""
    base, meta = get_args(of_type)
    if one.like:
        return f"it is not like {one.like}"
    if base in {int, float}:
        bounds = [(text, getattr(meta, name)) for name, text in _BOUNDS.items()]
        limits = " and".join(f" {text} {bound}" for text, bound in bounds if bound is not None)
        return f"it is no {'whole ' if base is int else ''}number{limits}, such as {one.default}"
    if one.choices or one.switch:
        return "it is none that is known"
    return "it is empty" if meta.min_length else message.split(" - at ", maxsplit=1)[0]
