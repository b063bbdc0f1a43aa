"""The bare servers of the floors, each as a process: `python -m services.cli.benching.echo websocket|nats URL`."""

import asyncio
import sys
from typing import Final

import uvicorn
import uvloop
from nats.aio.client import Client
from nats.aio.msg import Msg
from uvicorn._types import ASGIReceiveCallable, ASGISendCallable, WebSocketAcceptEvent
from uvicorn._types import _WebSocketSendEventText as Echo

from services.cli.benching.stack import BARE_ROLE, ECHO_GAME, connected
from shared import subjects

READY: Final = "ready"


async def echo_socket(_scope: object, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
    """Every message comes back as it is: the least that a WebSocket application can do."""
    while True:
        message = await receive()
        match message["type"]:
            case "websocket.connect":
                await send(WebSocketAcceptEvent(type="websocket.accept", subprotocol=None, headers=[]))
            case "websocket.receive":
                await send(Echo(type="websocket.send", text=str(message.get("text"))))
            case _:
                return


async def serve_socket() -> None:
    """On the gateway's server with the gateway's settings. Prints its port."""
    config = uvicorn.Config(
        echo_socket,
        host="127.0.0.1",
        port=0,
        ws="websockets-sansio",
        ws_per_message_deflate=False,
        lifespan="off",
        log_level="warning",
        access_log=False,
    )
    server = uvicorn.Server(config)
    serving = asyncio.ensure_future(server.serve())
    while not server.started:  # noqa: ASYNC110 - uvicorn tells nobody
        await asyncio.sleep(0.01)
    sys.stdout.write(f"{server.servers[0].sockets[0].getsockname()[1]}\n")
    sys.stdout.flush()
    await serving


async def serve_requests(url: str) -> None:
    """Answers NATS requests with what they say."""
    client: Client = await connected(url, BARE_ROLE)

    async def answer(message: Msg) -> None:
        await message.respond(message.data)

    await client.subscribe(subjects.command(ECHO_GAME), cb=answer)
    await client.flush()
    sys.stdout.write(f"{READY}\n")
    sys.stdout.flush()
    await asyncio.Event().wait()


if __name__ == "__main__":
    uvloop.run(serve_socket() if sys.argv[1] == "websocket" else serve_requests(sys.argv[2]))
