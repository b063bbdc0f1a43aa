"""Who may say and hear what: the permissions of each role on NATS and Redis, and their configuration files.

`deploy/nats.conf` is `python -m shared.access` written down, the embedded servers get the same text, and
`tests/contract/test_access.py` proves each line with the real servers. What is not allowed here is refused.

A stream's messages leave it in three ways, and each names its filter elsewhere. Batched direct get names it in the
payload, which permissions do not see: whoever may use it reads the whole stream. Fetching from a consumer names no
filter at all. The creation of a consumer may name it in its subject, and the server refuses a payload that says
otherwise. So scoring, which may read game logs and no sealed deal, may create a consumer that pushes game logs to its
own inbox, and nothing else.
"""

import sys
from collections.abc import Mapping
from typing import Literal, get_args

import msgspec

from shared import subjects
from shared.messages.base import GameId
from shared.settings import Role

ROLES: tuple[Role, ...] = get_args(Role)
RedisRole = Literal["default", "game-state", "scoring", "auditor"]
REDIS_ROLES: tuple[RedisRole, ...] = get_args(RedisRole)
Fsync = Literal["durable", "fast"]

API = "$JS.API"
MICRO = "$SRV.>"
ANY_GAME = GameId("*")
EVENTS, JOBS, DEAD = subjects.EVENT_STREAM, subjects.JOB_STREAM, subjects.DEAD_STREAM
ARCHIVE, CHECKPOINTS = subjects.ARCHIVE_STREAM, subjects.CHECKPOINT_STREAM
KEPT = subjects.KEPT_STREAMS
RESPONSE_SECONDS = 60
"""For so long after a request a service may answer it, once."""
PAYLOAD_BYTES_MAX = 1_048_576


class Permissions(msgspec.Struct, frozen=True, kw_only=True):
    """Subjects, with wildcards, that one role may publish and subscribe. Answers to requests are always allowed."""

    publish: tuple[str, ...]
    subscribe: tuple[str, ...]
    never: tuple[str, ...] = ()
    """Taken away again from what it may publish."""


def _hears(role: Role, *more: str) -> tuple[str, ...]:
    return (f"{subjects.inbox(role)}.>", MICRO, *more)


def _reads(stream: str) -> tuple[str, ...]:
    """All that a stream holds, without a consumer."""
    return f"{API}.STREAM.MSG.GET.{stream}", f"{API}.DIRECT.GET.{stream}"


NATS: Mapping[Role, Permissions] = {
    "game-state": Permissions(
        publish=("klondike.>", f"{API}.>", "$JS.ACK.>", "$JS.FC.>", "$JS.SNAPSHOT.RESTORE.>"),
        subscribe=_hears("game-state", "klondike.>", "$JS.EVENT.ADVISORY.>"),
        never=(
            *(f"{API}.STREAM.PURGE.{stream}" for stream in (EVENTS, ARCHIVE, CHECKPOINTS)),
            subjects.ARCHIVE,
            subjects.CHECKPOINTS,
        ),
    ),
    "gateway": Permissions(
        publish=(
            subjects.COMMANDS,
            subjects.VIEWS,
            subjects.SHARING,
            subjects.LOBBY,
            subjects.STATISTICS,
            subjects.FORGETTING,
            subjects.PROFILES,
            subjects.RANKING,
            subjects.PLAYER_GAMES,
            subjects.ENDED_GAMES,
            subjects.CALENDARS,
            subjects.VERDICTS,
            subjects.DAILY_DEALS,
            subjects.IMPORTS,
            subjects.NEWEST_CHECKPOINT,
            subjects.OPPONENT,
        ),
        subscribe=_hears("gateway", subjects.feed(ANY_GAME)),
    ),
    "solver-worker": Permissions(
        publish=(
            *(f"{API}.CONSUMER.MSG.NEXT.{JOBS}.{subjects.job_consumer(priority)}" for priority in subjects.PRIORITIES),
            f"$JS.ACK.{JOBS}.>",
            subjects.result("*", "*"),
            subjects.DEAD_LETTERS,
        ),
        subscribe=_hears("solver-worker", subjects.worker("*")),
    ),
    "scoring": Permissions(
        publish=(
            *map(subjects.create_log_reader, subjects.LOG_READERS),
            *map(subjects.next_of_log, subjects.LOG_READERS),
            *map(subjects.delete_log_reader, subjects.LOG_READERS),
            *_reads(ARCHIVE),
            *_reads(subjects.FORGOTTEN_STREAM),
            *_reads(subjects.SETTINGS_STREAM),
            subjects.FORGOTTEN,
            subjects.SETTINGS,
        ),
        subscribe=_hears(
            "scoring",
            subjects.STATISTICS,
            subjects.FORGETTING,
            subjects.PROFILES,
            subjects.RANKING,
            subjects.PLAYER_GAMES,
            subjects.ENDED_GAMES,
            subjects.CALENDARS,
        ),
    ),
    "dealer": Permissions(
        publish=(subjects.VIEWS,),
        subscribe=_hears(
            "dealer", subjects.WINNABLE_SECRETS, subjects.VERDICTS, subjects.DAILY_DEALS, subjects.IMPORTS
        ),
    ),
    "opponent": Permissions(
        publish=(subjects.COMMANDS, subjects.VIEWS, subjects.PLAYER_GAMES),
        subscribe=_hears("opponent", subjects.OPPONENT),
    ),
    "archivist": Permissions(
        publish=(
            *_reads(EVENTS),
            *_reads(ARCHIVE),
            f"{API}.STREAM.INFO.{EVENTS}",
            f"{API}.STREAM.INFO.{ARCHIVE}",
            f"{API}.CONSUMER.CREATE.{EVENTS}.*.{subjects.GAME_LOGS}",
            f"{API}.CONSUMER.MSG.NEXT.{EVENTS}.*",
            f"{API}.CONSUMER.DELETE.{EVENTS}.*",
            f"{API}.STREAM.PURGE.{EVENTS}",
            f"{API}.STREAM.PURGE.{ARCHIVE}",
            subjects.ARCHIVE,
        ),
        subscribe=_hears("archivist"),
    ),
    "notary": Permissions(
        publish=(
            subjects.create_log_reader(subjects.NOTARY_READER),
            subjects.next_of_log(subjects.NOTARY_READER),
            subjects.delete_log_reader(subjects.NOTARY_READER),
            *_reads(ARCHIVE),
            *_reads(CHECKPOINTS),
            subjects.CHECKPOINTS,
        ),
        subscribe=_hears("notary", subjects.NEWEST_CHECKPOINT),
    ),
    "auditor": Permissions(
        publish=(
            f"{API}.INFO",
            f"{API}.STREAM.INFO.*",
            *_reads(EVENTS),
            *_reads(ARCHIVE),
            *_reads(CHECKPOINTS),
            f"{API}.DIRECT.GET.{EVENTS}.>",
            *(f"{API}.STREAM.SNAPSHOT.{stream}" for stream in KEPT),
            "$JS.SNAPSHOT.ACK.>",
            f"{API}.CONSUMER.CREATE.{EVENTS}.>",
            f"{API}.CONSUMER.INFO.{EVENTS}.*",
            f"{API}.CONSUMER.INFO.{JOBS}.*",
            f"{API}.STREAM.MSG.GET.{DEAD}",
            f"{API}.CONSUMER.MSG.NEXT.{EVENTS}.*",
            f"{API}.CONSUMER.DELETE.{EVENTS}.*",
            f"$JS.ACK.{EVENTS}.>",
            f"$JS.FC.{EVENTS}.>",
            MICRO,
        ),
        subscribe=_hears("auditor"),
    ),
}

REDIS: Mapping[RedisRole, str] = {
    "default": "~* &* +@all",
    "game-state": f"resetchannels ~{subjects.GAME_KEYS} ~{subjects.LOBBY_KEYS} +@all -@admin -@dangerous",
    "scoring": f"resetchannels ~{subjects.SCORING_KEYS} ~{subjects.PROFILE_KEYS} +@all -@admin -@dangerous",
    "auditor": f"resetchannels %R~{subjects.GAME_KEYS} %R~{subjects.SCORING_KEYS} +@read +@connection +multi +exec",
}
"""Access rules of each Redis user. `default` is the operator's."""


def nats_config(passwords: Mapping[Role, str], *, listen: str, store: str, fsync: Fsync) -> str:
    """A nats-server configuration file.

    Args:
        passwords: of each role, quoted as needed; `$NAME` stands for an environment variable.
        listen: address and port, `127.0.0.1:-1` for any free port.
        store: folder of the streams.
        fsync: `durable`: an acknowledged write is on disk; `fast`: within two minutes.
    """
    sync = "always" if fsync == "durable" else "2m"
    users = "\n".join(_user(role, passwords[role]) for role in sorted(NATS))
    return f"""\
listen: "{listen}"
max_payload: {PAYLOAD_BYTES_MAX}
jetstream {{
  store_dir: "{store}"
  sync_interval: {sync}
}}
authorization {{
  users: [
{users}
  ]
}}
"""


def _user(role: Role, password: str) -> str:
    def subject_list(allowed: tuple[str, ...]) -> str:
        return "".join(f'\n          "{subject}"' for subject in allowed)

    granted = NATS[role]
    never = f"\n        deny: [{subject_list(granted.never)}\n        ]" if granted.never else ""
    return f"""\
    {{
      user: "{role}", password: {password}
      permissions: {{
        publish: {{
        allow: [{subject_list(granted.publish)}
        ]{never}
        }}
        subscribe: [{subject_list(granted.subscribe)}
        ]
        allow_responses: {{ max: 1, expires: "{RESPONSE_SECONDS}s" }}
      }}
    }}"""


def redis_users(passwords: Mapping[RedisRole, str]) -> str:
    """A Redis file of users, one a line."""
    return "".join(f"user {role} on >{passwords[role]} {REDIS[role]}\n" for role in REDIS_ROLES)


def variable(role: str, server: Literal["NATS", "REDIS"]) -> str:
    """The environment variable that holds a role's password in `docker-compose.yml` and `deploy/nats.conf`."""
    return f"{server}_PASSWORD_{role.upper().replace('-', '_')}"


def deployed_nats_config() -> str:
    """The text of `deploy/nats.conf`."""
    head = "# Written by `python -m shared.access`: who may say and hear what is decided in shared/access.py.\n"
    passwords = {role: "$" + variable(role, "NATS") for role in ROLES}
    config = nats_config(passwords, listen="0.0.0.0:4222", store="/data/jetstream", fsync="durable")
    return f'{head}http: "0.0.0.0:8222"\n{config}'


if __name__ == "__main__":
    sys.stdout.write(deployed_nats_config())
