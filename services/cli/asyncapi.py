"""The AsyncAPI 3 document: the WebSocket, and every subject of the bus, from the types."""

import inspect
from collections.abc import Iterable
from importlib.metadata import version
from typing import Any, Final, get_args

import msgspec

from services.gateway.handshake import SOCKET_PATH
from shared import DISTRIBUTION, subjects
from shared.messages import answers, checkpoint, commands, dealer, events, frames, jobs, lobby, profile, sharing, views
from shared.messages.base import GameId, PlayerId

Document = dict[str, Any]
Structs = tuple[type[msgspec.Struct], ...]

CLIENT_FRAMES: Final[Structs] = get_args(frames.ClientFrame)
SERVER_FRAMES: Final[Structs] = get_args(frames.ServerFrame)
COMMANDS: Final[Structs] = get_args(commands.AnyCommand)
COMMAND_ANSWERS: Final[Structs] = get_args(answers.CommandAnswer)
FETCH_ANSWERS: Final[Structs] = get_args(answers.FetchAnswer)
JOB_RESULTS: Final[Structs] = get_args(jobs.AnyResult)


class Channel(msgspec.Struct, frozen=True, kw_only=True):
    """One address: what is sent there, by whom, and what comes back."""

    name: str
    address: str
    server: str
    summary: str
    messages: Structs
    action: str
    """`receive` or `send`, as seen from the service that is named in the summary."""
    answers: Structs = ()


def channels() -> list[Channel]:
    game, instance = GameId("{game}"), "{instance}"
    return [
        Channel(
            name="clientFrames",
            address=SOCKET_PATH,
            server="gateway",
            summary="gateway: frames of a client, JSON text or MessagePack by subprotocol",
            messages=CLIENT_FRAMES,
            action="receive",
        ),
        Channel(
            name="serverFrames",
            address=SOCKET_PATH,
            server="gateway",
            summary="gateway: frames to a client",
            messages=SERVER_FRAMES,
            action="send",
        ),
        Channel(
            name="commands",
            address=subjects.COMMANDS.replace("*.*", "{partition}.{game}"),
            server="bus",
            summary="game-state: decides commands",
            messages=COMMANDS,
            action="receive",
            answers=COMMAND_ANSWERS,
        ),
        Channel(
            name="views",
            address=subjects.VIEWS.replace("*.*", "{partition}.{game}"),
            server="bus",
            summary="game-state: shows games",
            messages=(commands.FetchGame,),
            action="receive",
            answers=FETCH_ANSWERS,
        ),
        *_links(),
        Channel(
            name="feed",
            address=subjects.feed(game),
            server="bus",
            summary="game-state: announces each accepted command",
            messages=(views.Step,),
            action="send",
        ),
        Channel(
            name="gameLog",
            address=subjects.game_log(game),
            server="bus",
            summary="game-state: the event log, one record a command, in the stream " + subjects.EVENT_STREAM,
            messages=(events.Record,),
            action="send",
        ),
        Channel(
            name="sealedDeal",
            address=subjects.sealed_deal(game),
            server="bus",
            summary="game-state: the hidden part of a game, in the same stream, for auditors",
            messages=(events.SealedDeal,),
            action="send",
        ),
        *_jobs(instance),
        *_dealer(),
        *_notary(),
        *_scoring(),
    ]


def _lobby() -> Channel:
    return Channel(
        name="lobby",
        address=subjects.LOBBY,
        server="bus",
        summary="game-state: finds games that wait for a second player",
        messages=get_args(lobby.LobbyRequest),
        action="receive",
        answers=get_args(lobby.LobbyAnswer),
    )


def asyncapi() -> Document:
    """The whole document."""
    described = channels()
    structs = dict.fromkeys(struct for channel in described for struct in (*channel.messages, *channel.answers))
    _, schemas = msgspec.json.schema_components(tuple(structs), ref_template="#/components/schemas/{name}")
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "klondike",
            "version": version(DISTRIBUTION),
            "description": "Klondike solitaire over one WebSocket, and the bus behind it. See protocol.md.",
            "license": {"name": "Apache-2.0"},
        },
        "defaultContentType": "application/json",
        "servers": {
            "gateway": {
                "host": "localhost:8000",
                "protocol": "ws",
                "description": f"Subprotocols {frames.PROTOCOL_JSON} and {frames.PROTOCOL_MSGPACK}",
            },
            "bus": {"host": "localhost:4222", "protocol": "nats", "description": "MessagePack, for services alone"},
        },
        "channels": _channels(described),
        "operations": _operations(described),
        "components": {"messages": {_key(struct): _message(struct) for struct in structs}, "schemas": _plain(schemas)},
    }


def _dealer() -> list[Channel]:
    return [
        Channel(
            name="winnableSecrets",
            address=subjects.WINNABLE_SECRETS,
            server="bus",
            summary="dealer: gives game-state the secret of a deal that can be won",
            messages=(dealer.TakeWinnable,),
            action="receive",
            answers=get_args(dealer.WinnableAnswer),
        ),
        Channel(
            name="dailyDeals",
            address=subjects.DAILY_DEALS,
            server="bus",
            summary="dealer: gives the number of a day's deal, which can be won",
            messages=(dealer.FetchDaily,),
            action="receive",
            answers=get_args(dealer.DailyAnswer),
        ),
        Channel(
            name="verdicts",
            address=subjects.VERDICTS,
            server="bus",
            summary="dealer: says of a game that is over until when it could be won",
            messages=(dealer.FetchVerdict,),
            action="receive",
            answers=get_args(dealer.VerdictAnswer),
        ),
        Channel(
            name="imports",
            address=subjects.IMPORTS,
            server="bus",
            summary="dealer: plays a game from a file again by the rules, or judges it",
            messages=get_args(dealer.ImportRequest),
            action="receive",
            answers=get_args(dealer.ImportAnswer),
        ),
    ]


def _jobs(instance: str) -> list[Channel]:
    return [
        Channel(
            name="jobs",
            address=subjects.JOBS.replace("*.*.*", "{priority}.{kind}.{player}"),
            server="bus",
            summary="solver-worker: the work queue " + subjects.JOB_STREAM,
            messages=(jobs.Job,),
            action="receive",
        ),
        Channel(
            name="jobResults",
            address=subjects.result(instance, "{job}"),
            server="bus",
            summary="solver-worker: what came of a job, to the game-state that asked",
            messages=JOB_RESULTS,
            action="send",
        ),
    ]


def _links() -> list[Channel]:
    return [
        _lobby(),
        Channel(
            name="sharing",
            address=subjects.SHARING,
            server="bus",
            summary="game-state: makes, withdraws and opens links to games that are over",
            messages=get_args(sharing.ShareRequest),
            action="receive",
            answers=get_args(sharing.ShareAnswer),
        ),
        Channel(
            name="share",
            address=subjects.share(GameId("{game}")),
            server="bus",
            summary="game-state: whether a game has a link, in the stream " + subjects.SHARE_STREAM,
            messages=(sharing.Share,),
            action="send",
        ),
    ]


def _notary() -> list[Channel]:
    return [
        Channel(
            name="newestCheckpoint",
            address=subjects.NEWEST_CHECKPOINT,
            server="bus",
            summary="notary: gives the newest signed checkpoint over all games",
            messages=(checkpoint.FetchCheckpoint,),
            action="receive",
            answers=get_args(checkpoint.CheckpointAnswer),
        ),
    ]


def _scoring() -> list[Channel]:
    return [
        _projection("statistics", subjects.STATISTICS, answers.FetchStatistics, answers.PlayerStatistics),
        _projection("forgetting", subjects.FORGETTING, answers.ForgetPlayer, answers.Forgotten),
        _projection("ranking", subjects.RANKING, answers.FetchRanking, answers.Ranking),
        _projection("playerGames", subjects.PLAYER_GAMES, answers.FetchGames, answers.PlayerGames),
        _projection("endedGames", subjects.ENDED_GAMES, answers.FindGames, answers.FoundGames),
        _projection("calendar", subjects.CALENDARS, answers.FetchCalendar, answers.Calendar),
        Channel(
            name="profiles",
            address=subjects.PROFILES,
            server="bus",
            summary="scoring: keeps the settings of players, and admits other devices of theirs by a code",
            messages=get_args(profile.ProfileRequest),
            action="receive",
            answers=get_args(profile.ProfileAnswer),
        ),
        Channel(
            name="settings",
            address=subjects.settings(PlayerId("{player}")),
            server="bus",
            summary="scoring: the settings of a player, in the stream " + subjects.SETTINGS_STREAM,
            messages=(profile.KeptSettings,),
            action="send",
        ),
    ]


def _projection(name: str, subject: str, request: type[msgspec.Struct], answer: type[msgspec.Struct]) -> Channel:
    return Channel(
        name=name,
        address=subject,
        server="bus",
        summary="scoring: answers from its projections",
        messages=(request,),
        action="receive",
        answers=(answer, answers.RequestRefused),
    )


def _channels(described: Iterable[Channel]) -> Document:
    made: Document = {}
    for channel in described:
        made[channel.name] = _channel(channel.address, channel, channel.messages)
        if channel.answers:
            made[f"{channel.name}Answers"] = _channel(None, channel, channel.answers)
    return made


def _channel(address: str | None, channel: Channel, structs: Structs) -> Document:
    made: Document = {
        "address": address,
        "servers": [{"$ref": f"#/servers/{channel.server}"}],
        "messages": {_key(struct): {"$ref": f"#/components/messages/{_key(struct)}"} for struct in structs},
    }
    parameters = [part.strip("{}") for part in (address or "").split(".") if part.startswith("{")]
    if parameters:
        made["parameters"] = {name: {"description": _PARAMETERS[name]} for name in parameters}
    return made


def _operations(described: Iterable[Channel]) -> Document:
    made: Document = {}
    for channel in described:
        operation: Document = {
            "action": channel.action,
            "channel": {"$ref": f"#/channels/{channel.name}"},
            "summary": channel.summary,
        }
        if channel.answers:
            operation["reply"] = {
                "address": {"description": "the reply subject of the request", "location": "$message.header#/reply"},
                "channel": {"$ref": f"#/channels/{channel.name}Answers"},
            }
        made[channel.name] = operation
    return made


def _message(struct: type[msgspec.Struct]) -> Document:
    content = "application/json" if struct in {*CLIENT_FRAMES, *SERVER_FRAMES} else "application/msgpack"
    return {
        "name": _key(struct),
        "summary": (inspect.getdoc(struct) or "").partition("\n")[0],
        "contentType": content,
        "payload": {"$ref": f"#/components/schemas/{struct.__name__}"},
    }


def _plain(schema: Any) -> Any:  # noqa: ANN401 - any JSON
    """Without OpenAPI's `discriminator`, which AsyncAPI does not know; the tag is a constant of each struct anyway."""
    if isinstance(schema, dict):
        return {key: _plain(value) for key, value in schema.items() if key != "discriminator"}
    return [_plain(value) for value in schema] if isinstance(schema, list) else schema


def _key(struct: type[msgspec.Struct]) -> str:
    return struct.__name__


_PARAMETERS: Final = {
    "game": "The game's id",
    "partition": "The game's partition: the sum of the bytes of its id, modulo " + str(subjects.PARTITIONS),
    "priority": "Who waits: " + ", ".join(subjects.PRIORITIES),
    "kind": "The kind of job",
    "player": "The player it is for",
    "instance": "The game-state that asked",
    "job": "The job's id",
}
