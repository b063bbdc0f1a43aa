"""The text of every generated document, by its path below docs/."""

import json
from collections.abc import Mapping
from importlib.metadata import version
from typing import Any, Final

import msgspec
import yaml

from services.cli.asyncapi import asyncapi
from services.gateway.web_app import http_app
from shared import DISTRIBUTION
from shared.messages import (
    answers,
    archive,
    checkpoint,
    commands,
    dealer,
    errors,
    events,
    frames,
    history,
    jobs,
    lobby,
    opponent,
    profile,
    sharing,
    views,
)

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"

FAMILIES: Final[Mapping[str, tuple[str, object]]] = {
    "client-frames": ("A frame that a client sends", frames.ClientFrame),
    "server-frames": ("A frame that the server sends", frames.ServerFrame),
    "commands": ("A request to game-state", commands.AnyCommand | commands.FetchGame),
    "command-answers": ("The answer to a command", answers.CommandAnswer),
    "fetch-answers": ("The answer to a request for a view", answers.FetchAnswer),
    "statistics-requests": (
        "A request to scoring",
        answers.FetchStatistics | answers.FetchRanking | answers.FetchGames | answers.FindGames | answers.FetchCalendar,
    ),
    "statistics-answers": ("The answer of scoring", answers.StatisticsAnswer),
    "events": ("What happened in a game", events.AnyEvent),
    "records": ("What the log holds: the record of a command, or the sealed deal", events.Record | events.SealedDeal),
    "archive": ("What the archive holds beside segments", archive.Manifest | archive.Place),
    "checkpoints": (
        "What the notary signs, stores and publishes",
        checkpoint.Checkpoint | checkpoint.SignedCheckpoint | checkpoint.PublishedCheckpoint,
    ),
    "checkpoint-requests": ("A request to the notary", checkpoint.FetchCheckpoint),
    "steps": ("What is announced of each accepted command", views.Step),
    "views": ("What a player may see of a game", views.View),
    "histories": ("A game that is over, with the board at every version", history.GameHistory),
    "jobs": ("Work for a solver worker", jobs.Job),
    "job-results": ("What came of a job", jobs.AnyResult),
    "dealer-requests": (
        "A request to the dealer",
        dealer.TakeWinnable | dealer.FetchDaily | dealer.FetchVerdict | dealer.ImportRequest,
    ),
    "lobby-requests": ("A request for a game that waits for a second player", lobby.LobbyRequest),
    "opponent-requests": ("A request that the computer joins a game for two", opponent.Challenge),
    "opponent-answers": ("The answer to it", opponent.ChallengeAnswer),
    "lobby-answers": ("The answer about a game that waits", lobby.LobbyAnswer),
    "profile-requests": ("A request about a player's settings or devices", profile.ProfileRequest),
    "profile-answers": ("The answer to it", profile.ProfileAnswer),
    "share-requests": ("A request about the link to a game", sharing.ShareRequest),
    "share-answers": ("The answer about the link to a game", sharing.ShareAnswer),
    "dealer-answers": ("The answer of the dealer", dealer.WinnableAnswer | dealer.DailyAnswer | dealer.ImportAnswer),
    "errors": ("Why something was refused", errors.Error),
}
"""The families of messages: each is one file in docs/schema."""

Schema = dict[str, Any]


def documents() -> dict[str, str]:
    """All generated documents. The same types give the same text, byte for byte."""
    made = {f"schema/{name}.json": _json(schema(name)) for name in FAMILIES}
    made["openapi.json"] = _json(openapi())
    made["asyncapi.yaml"] = yaml.safe_dump(asyncapi(), sort_keys=False, allow_unicode=True, width=110)
    return made


def schema(name: str) -> Schema:
    """The JSON Schema of one family."""
    title, family = FAMILIES[name]
    return {"$schema": DIALECT, "title": title, **msgspec.json.schema(family)}


def openapi() -> Schema:
    """The description of the HTTP interface, as Litestar makes it from the handlers."""
    described: Schema = http_app(None, version=version(DISTRIBUTION)).openapi_schema.to_schema()
    return described


def _json(document: Schema) -> str:
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"
