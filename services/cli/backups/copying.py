"""Streams to files and back, by the snapshots of nats-server: every message with its sequence and its time."""

import hashlib
from pathlib import Path
from typing import IO, Any, Final

import msgspec
import nats.errors
from nats.aio.client import Client

from services.cli.backups.folder import StreamFile, Unfinished
from services.cli.data_directory import RefusedError
from shared.bus.api_error import ApiError

ANSWER_SECONDS: Final = 10.0
PIECE_SECONDS: Final = 60.0
"""How long the server may take for a piece; before the first it checks all of the stream."""
PIECE_BYTES: Final = 128 * 1024
NO_SUCH_STREAM: Final = 10059


class _State(msgspec.Struct):
    messages: int = 0
    first_seq: int = 0
    last_seq: int = 0


class _Answer(msgspec.Struct):
    config: dict[str, Any] | None = None
    state: dict[str, Any] | None = None
    deliver_subject: str = ""
    error: ApiError | None = None


async def save(nc: Client, stream: str, unfinished: Unfinished) -> StreamFile | None:
    """Writes a stream to a file. None: the server has no such stream.

    Raises:
        RefusedError: the server refuses, or ends in the middle.
        nats.errors.Error: it cannot be reached any more.
    """
    inbox = nc.new_inbox()
    pieces = await nc.subscribe(inbox)
    question = {"deliver_subject": inbox, "no_consumers": True, "jsck": True, "chunk_size": PIECE_BYTES}
    answer = await _ask(nc, f"STREAM.SNAPSHOT.{stream}", question)
    if answer.error is not None:
        if answer.error.err_code == NO_SUCH_STREAM:
            return None
        raise RefusedError(f"the server does not give out {stream}: {answer.error.description}.")
    name, digest, length = f"{stream}.snapshot", hashlib.sha256(), 0
    with unfinished.create(name) as file:
        while (piece := await pieces.next_msg(PIECE_SECONDS)).data:
            file.write(piece.data)
            digest.update(piece.data)
            length += len(piece.data)
            if piece.reply:
                await piece.respond(b"")
    _check_end(stream, piece.headers or {})
    await pieces.unsubscribe()
    state = msgspec.convert(answer.state or {}, _State)
    return StreamFile(
        stream=stream,
        file=name,
        bytes=length,
        sha256=digest.hexdigest(),
        messages=state.messages,
        first_sequence=state.first_seq,
        last_sequence=state.last_seq,
        config=answer.config or {},
        state=answer.state or {},
    )


def _check_end(stream: str, headers: dict[str, str]) -> None:
    if headers.get("Status", "204") != "204":
        raise RefusedError(f"the server gave out {stream} in part only: {headers.get('Description', '')}.")


async def check_empty(nc: Client, streams: list[str]) -> None:
    """That nothing of what is restored is there yet. Streams that were made and never used make room.

    Raises:
        RefusedError: a stream holds, or has held, messages.
    """
    unused: list[str] = []
    for stream in streams:
        answer = await _ask(nc, f"STREAM.INFO.{stream}", {})
        if answer.error is not None and answer.error.err_code == NO_SUCH_STREAM:
            continue
        state = msgspec.convert(answer.state or {}, _State)
        if state.last_seq:
            raise RefusedError(
                f"{stream} has {state.messages} messages already. Restore into an empty place: games are never mixed."
            )
        unused.append(stream)
    for stream in unused:
        await remove(nc, stream)


async def load(nc: Client, one: StreamFile, folder: Path) -> None:
    """Makes a stream from its file, and holds it against what was saved.

    Raises:
        RefusedError: the server refuses it, or has something else since.
        nats.errors.Error: it cannot be reached any more.
    """
    answer = await _ask(nc, f"STREAM.RESTORE.{one.stream}", {"config": one.config, "state": one.state})
    if answer.error is not None:
        raise RefusedError(f"the server does not take {one.stream}: {answer.error.description}.")
    with (folder / one.file).open("rb") as file:
        result = await _sent(nc, answer.deliver_subject, file)
    if result.error is not None:
        raise RefusedError(f"the server does not take {one.stream}: {result.error.description}.")
    info = await _ask(nc, f"STREAM.INFO.{one.stream}", {})
    state = msgspec.convert(info.state or {}, _State)
    if (state.messages, state.last_seq) != (one.messages, one.last_sequence):
        raise RefusedError(
            f"{one.stream} has {state.messages} messages up to {state.last_seq} since, instead of {one.messages} "
            f"up to {one.last_sequence}."
        )


async def remove(nc: Client, stream: str) -> None:
    """Removes a stream: one that was never used, or that a restore which failed has made."""
    await _ask(nc, f"STREAM.DELETE.{stream}", {})


async def _sent(nc: Client, subject: str, file: IO[bytes]) -> _Answer:
    while piece := file.read(PIECE_BYTES):
        await nc.request(subject, piece, timeout=PIECE_SECONDS)
    ended = await nc.request(subject, b"", timeout=PIECE_SECONDS)
    return msgspec.json.decode(ended.data, type=_Answer)


async def _ask(nc: Client, what: str, question: dict[str, object]) -> _Answer:
    try:
        answer = await nc.request(f"$JS.API.{what}", msgspec.json.encode(question), timeout=ANSWER_SECONDS)
    except nats.errors.NoRespondersError:
        raise RefusedError("the server has no JetStream. Check --data or --nats.") from None
    return msgspec.json.decode(answer.data, type=_Answer)
