"""The errors that the gateway itself gives: one place for their words."""

from typing import Final

import msgspec

from shared.messages.errors import Error
from shared.messages.frames import FRAME_BYTES_MAX, PROTOCOL_JSON, PROTOCOL_MSGPACK

CLOSE_POLICY: Final = 1008
CLOSE_TOO_BIG: Final = 1009
CLOSE_GOING_AWAY: Final = 1001
CLOSE_TRY_LATER: Final = 1013

NOT_SIGNED_IN: Final = Error(
    code="not-signed-in", text="The first frame of a connection is hello.", fix="Send hello, then this frame again."
)
SIGNED_IN_TWICE: Final = Error(
    code="bad-frame", text="This connection has said hello already.", fix="Open another connection.", field="$.type"
)
HELLO_TOO_LATE: Final = Error(
    code="not-signed-in", text="No hello came in time.", fix="Connect again and send hello at once."
)
TOO_MANY_FRAMES: Final = Error(
    code="too-many-requests", text="Frames come faster than is allowed.", fix="Wait a second, then send it again."
)
FRAMES_NEVER_STOP: Final = Error(
    code="too-many-requests",
    text="Frames kept coming though they were refused.",
    fix="Connect again and send more slowly.",
)
TOO_MANY_PENDING: Final = Error(
    code="too-many-requests",
    text="Too many commands of this connection wait for their answer.",
    fix="Wait for an answer, then send it again.",
)
TOO_MANY_GAMES: Final = Error(
    code="too-many-requests",
    text="This connection follows as many games as it may.",
    fix="Leave a game, or open another connection.",
)
TOO_MANY_SOCKETS: Final = Error(
    code="unavailable", text="This server has as many connections as it can take.", fix="Connect again later."
)
TOO_SLOW: Final = Error(
    code="too-slow",
    text="The connection did not take its frames as fast as they came.",
    fix="Connect again and resume.",
)
FRAME_TOO_LARGE: Final = Error(
    code="frame-too-large",
    text=f"A frame has at most {FRAME_BYTES_MAX} bytes.",
    fix="Send smaller frames.",
)
GOING_AWAY: Final = Error(
    code="going-away", text="This server stops.", fix="Connect again at once, resume, and repeat what has no answer."
)
PROTOCOL_UNSUPPORTED: Final = Error(
    code="protocol-unsupported",
    text="The connection names no subprotocol that this server speaks.",
    fix=f"Connect with the WebSocket subprotocol {PROTOCOL_JSON} or {PROTOCOL_MSGPACK}.",
)
ORIGIN_REFUSED: Final = Error(
    code="origin-refused",
    text="Pages of this origin may not connect.",
    fix="Open the page of this server, or have its operator allow the origin.",
)
BAD_TOKEN: Final = Error(
    code="bad-token",
    text="The token is not one of this server's.",
    fix="Send hello without a token to start as a new guest.",
)
BAD_BEARER: Final = msgspec.structs.replace(
    BAD_TOKEN, fix="POST /api/session for a new guest's token, then send it as 'Authorization: Bearer <token>'."
)
"""The same over HTTP, where there is no hello."""
TOKEN_MISSING: Final = Error(
    code="not-signed-in",
    text="This needs a player's token.",
    fix="POST /api/session for a token, then send it as 'Authorization: Bearer <token>'.",
)
NOT_DONE: Final = Error(
    code="unavailable",
    text="The games cannot be reached; nothing was done.",
    fix="Send the same command again later.",
)
NO_DEALER: Final = Error(
    code="unavailable", text="The solver cannot be reached now.", fix="Ask again in a few seconds."
)
NO_OPPONENT: Final = Error(
    code="unavailable",
    text="The computer cannot be reached now.",
    fix="Ask again in a few seconds, or invite somebody.",
)
OUTCOME_UNKNOWN: Final = Error(
    code="outcome-unknown",
    text="No answer came in time; the command may be done or not.",
    fix="Repeat the very same command, with the same id.",
)
INTERNAL: Final = Error(
    code="internal",
    text="The server failed.",
    fix="Send it again; the server's log has the reason under the command's id.",
)
NO_SUCH_LINK: Final = Error(
    code="no-such-link", text="There is no such link, or it was withdrawn.", fix="Ask who gave it to you for another."
)
TOO_MANY_CODES: Final = Error(
    code="too-many-requests",
    text="Too many codes were tried from this address.",
    fix="Wait ten seconds, then try again.",
)
CODE_PERHAPS_USED: Final = Error(
    code="outcome-unknown", text="No answer came in time; the code may be used or not.", fix="Make a new code."
)
BAD_GAME_ID: Final = Error(
    code="bad-request",
    text="That is no game id.",
    fix="A game id has 26 of the letters a to z and digits 2 to 7.",
    field="game",
)
GAME_RUNNING: Final = Error(
    code="game-running", text="This is told only once the game is over.", fix="Play it to its end, or resign."
)
HISTORY_TOO_LONG: Final = Error(
    code="history-too-long",
    text="This game has more versions than are told over HTTP.",
    fix="Ask the operator for `klondike audit GAME_ID --json`.",
)
TOO_MANY_HISTORIES: Final = Error(
    code="unavailable", text="Too many histories are being read just now.", fix="Ask again in a few seconds."
)
BROKEN_GAME: Final = Error(
    code="broken-game",
    text="The history of this game does not fit together.",
    fix="Tell the operator, who can audit it.",
)
FILE_TOO_LARGE: Final = Error(
    code="frame-too-large", text="A file of a game has at most 16 MiB.", fix="Take the list of moves instead of JSON."
)
NOT_FOUND: Final = Error(code="not-found", text="There is nothing at this address.", fix="Start at /.")
WRONG_FRAME_KIND: Final = Error(
    code="bad-frame",
    text=f"{PROTOCOL_JSON} takes text frames, {PROTOCOL_MSGPACK} binary ones.",
    fix="Send the other kind of frame, or connect with the other subprotocol.",
)
