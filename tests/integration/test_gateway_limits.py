"""What a client may not do, and what it is told."""

import asyncio
import base64
import json
import socket
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, closing

import httpx
import pytest
import websockets

from services.gateway import connection
from shared.logs import Log
from shared.messages.frames import FRAME_BYTES_MAX, PROTOCOL_JSON, Ping, Pong, RefusedFrame, Welcome
from shared.settings import GatewaySettings
from tests.conftest import ConnectAs
from tests.integration.game_state import soon
from tests.integration.gateway import Running, code, gateway, player

With = Callable[[GatewaySettings], AbstractAsyncContextManager[Running]]
DEFAULT = GatewaySettings(port=0)


def on_the_wire(payload: bytes) -> bytes:
    """A short text frame of a client, masked with zeros."""
    return bytes([0x81, 0x80 | len(payload), 0, 0, 0, 0]) + payload


PING = on_the_wire(b'{"type":"ping","nonce":9007199254740991}')
UNKNOWN = on_the_wire(b'{"type":"%s"}' % (b"x" * 100))
"""Its answer quotes it and is long: the kernel's buffers are soon full."""
TOO_SLOW = 'klondike_refusals_total{code="too-slow"} 1.0'
PATIENCE_SECONDS = 60.0
FRAMES_MAX = 400_000


@pytest.fixture
async def alone(connect_as: ConnectAs, log: Log) -> With:
    """Gateways with settings of their own, and no game-state behind them."""
    nc = await connect_as("gateway")
    return lambda settings: gateway(nc, log, settings)


async def refused_handshake(at: str, **options: object) -> tuple[int, str]:
    """Status and error code of a handshake that must fail."""
    with pytest.raises(websockets.InvalidStatus) as refusal:
        async with asyncio.timeout(PATIENCE_SECONDS):
            await websockets.connect(at, **options)  # type: ignore[arg-type]  # options of the tests below
    response = refusal.value.response
    return response.status_code, json.loads(bytes(response.body or b""))["code"]


async def test_a_client_without_a_known_subprotocol_is_told_which_there_are(alone: With) -> None:
    async with alone(DEFAULT) as at:
        assert await refused_handshake(at.socket) == (400, "protocol-unsupported")
        assert await refused_handshake(at.socket, subprotocols=["klondike.v9"]) == (400, "protocol-unsupported")


async def test_pages_of_other_origins_are_refused_and_those_of_this_host_and_the_list_are_not(alone: With) -> None:
    async with alone(GatewaySettings(port=0, origins="https://play.example.org, https://more.example.org/")) as at:
        protocols = [websockets.Subprotocol(PROTOCOL_JSON)]
        for origin in ("https://evil.example", "null", f"{at.address}.evil.example"):
            refused = await refused_handshake(at.socket, subprotocols=protocols, origin=origin)
            assert refused == (403, "origin-refused")
        for origin in (at.address, "https://play.example.org", "https://more.example.org"):
            async with websockets.connect(at.socket, subprotocols=protocols, origin=websockets.Origin(origin)):
                pass


async def test_there_is_one_path_for_sockets(alone: With) -> None:
    async with alone(DEFAULT) as at:
        refused = await refused_handshake(at.socket + "x", subprotocols=[PROTOCOL_JSON])
        assert refused == (404, "not-found")


async def test_one_connection_more_than_the_limit_is_refused_until_another_closes(alone: With) -> None:
    async with alone(GatewaySettings(port=0, sockets_max=1)) as at:
        async with player(at):
            assert await refused_handshake(at.socket, subprotocols=[PROTOCOL_JSON]) == (503, "unavailable")
        async with player(at):
            pass


async def test_who_does_not_say_hello_is_told_and_disconnected(alone: With, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "HELLO_SECONDS", 0.05)
    async with alone(DEFAULT) as at, player(at, hello=False) as one:
        assert (await one.bye()).error.code == "not-signed-in"
        assert one.socket.close_code == 1008


async def test_a_token_of_somebody_else_and_a_changed_token_are_refused(alone: With) -> None:
    async with alone(DEFAULT) as at, player(at) as one:
        name, _, signature = one.token.partition(".")
        for token in ("", ".", name, f"{name}.", f"{'a' * 26}.{signature}", f"{one.token}x", "é.é"):
            async with player(at, hello=False) as other:
                await other.socket.send(json.dumps({"type": "hello", "token": token}))
                assert code(await other.receive()) == "bad-token", token
                await other.socket.send(json.dumps({"type": "hello"}))
                await other.expect(Welcome)


async def test_the_largest_frame_is_read_and_a_larger_one_ends_the_connection_with_a_reason(alone: With) -> None:
    async with alone(DEFAULT) as at, player(at) as one:
        await one.socket.send("x" * FRAME_BYTES_MAX)
        assert code(await one.receive()) == "bad-frame"
        await one.socket.send("ü" * (FRAME_BYTES_MAX // 2 + 1))
        assert (await one.bye()).error.code == "frame-too-large"
        assert one.socket.close_code == 1009


async def test_a_frame_too_large_to_be_read_ends_the_connection(alone: With) -> None:
    async with alone(DEFAULT) as at, player(at) as one:
        await one.socket.send("x" * 1_000_000)
        await one.socket.wait_closed()
        assert one.socket.close_code == 1009


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("", None),
        ("{", None),
        ("[]", None),
        ("null", None),
        ("{}", "$.type"),
        ('{"type":"fly"}', "$.type"),
        ('{"type":"ping","nonce":-1}', "$.nonce"),
        ('{"type":"ping","nonce":1.5}', "$.nonce"),
        ('{"type":"ping","nonce":1e400}', "$.nonce"),
        ('{"type":"ping","hidden":1}', "$.hidden"),
        ('{"type":"new-game","id":"1"}', "$.id"),
        ('{"type":"leave"}', "$.game"),
        ('{"type":"leave","game":"A"}', "$.game"),
        ("[" * 8000, None),
    ],
)
async def test_a_bad_frame_names_its_field_and_the_connection_stays(alone: With, text: str, field: str | None) -> None:
    async with alone(DEFAULT) as at, player(at) as one:
        await one.socket.send(text)
        refused = await one.expect(RefusedFrame)
        assert (refused.error.code, refused.error.field) == ("bad-frame", field)
        await one.send(Ping(nonce=1))
        await one.expect(Pong)


async def test_the_other_kind_of_frame_is_refused(alone: With) -> None:
    async with alone(DEFAULT) as at, player(at) as one:
        await one.socket.send(b"\x80")
        assert code(await one.receive()) == "bad-frame"


async def test_too_many_frames_are_refused_first_and_then_end_the_connection(alone: With) -> None:
    async with alone(GatewaySettings(port=0, frames_burst=5, frames_per_second=0.01)) as at, player(at) as one:
        for _ in range(4):
            await one.send(Ping())
            await one.expect(Pong)
        for _ in range(5):
            await one.send(Ping())
            assert code(await one.receive()) == "too-many-requests"
        await one.send(Ping())
        assert (await one.bye()).error.code == "too-many-requests"
        assert one.socket.close_code == 1008


async def test_a_burst_within_the_credits_is_answered_in_full_to_a_client_that_reads(alone: With) -> None:
    """However many frames lie in one packet: that they wait for the server is not the client's fault."""
    loop, burst = asyncio.get_running_loop(), 4 * connection.OUTGOING_FRAMES_MAX
    async with alone(GatewaySettings(port=0, frames_burst=burst)) as at:
        client = await _deaf_client(at)
        sending = asyncio.create_task(loop.sock_sendall(client, PING * burst))
        answers, got = 0, b""
        async with asyncio.timeout(20):
            while answers < burst:
                got += await loop.sock_recv(client, 65536)
                assert b"too-slow" not in got
                answers += got.count(b'"pong"')
                got = got[got.rfind(b'"pong"') + 6 :] if b'"pong"' in got else got
        await sending
        client.close()


async def test_a_client_that_reads_too_slowly_finds_the_reason_at_the_end(alone: With) -> None:
    settings = GatewaySettings(port=0, frames_burst=10**9)
    async with alone(settings) as at, httpx.AsyncClient(base_url=at.address) as web:
        with closing(await _deaf_client(at)) as deaf:
            sending = asyncio.create_task(_send_until_cut_off(deaf))
            await soon(lambda: _counts(web, TOO_SLOW), PATIENCE_SECONDS)
            sending.cancel()
            async with asyncio.timeout(PATIENCE_SECONDS):
                last = b""
                while data := await asyncio.get_running_loop().sock_recv(deaf, 65536):
                    last = (last + data)[-1000:]
        assert b'"code":"too-slow"' in last


async def test_a_client_that_never_reads_is_cut_off_and_the_others_are_served(
    alone: With, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "GRACE_SECONDS", 0.1)
    async with alone(GatewaySettings(port=0, frames_burst=10**9)) as at, player(at) as other:
        deaf = await _deaf_client(at)
        ended = asyncio.create_task(_send_until_cut_off(deaf))
        while not ended.done():
            await other.send(Ping(nonce=1))
            await other.expect(Pong)
        assert await ended < FRAMES_MAX
        deaf.close()
        async with httpx.AsyncClient(base_url=at.address) as web:
            assert await _counts(web, TOO_SLOW)


async def _counts(web: httpx.AsyncClient, line: str) -> bool:
    """The gateway answers on this loop: a client made for every question would leave it little time for frames."""
    return line in (await web.get("/metrics")).text


async def _deaf_client(at: Running) -> socket.socket:
    """A connected client that takes as little into its buffer as it can, and reads nothing after the handshake."""
    loop = asyncio.get_running_loop()
    raw = socket.socket()
    raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
    raw.setblocking(False)
    host, _, port = at.address.removeprefix("http://").partition(":")
    await loop.sock_connect(raw, (host, int(port)))
    key = base64.b64encode(bytes(16)).decode()
    await loop.sock_sendall(
        raw,
        (
            f"GET /ws HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: {PROTOCOL_JSON}\r\n\r\n"
        ).encode(),
    )
    assert b" 101 " in await loop.sock_recv(raw, 1024)
    return raw


async def _send_until_cut_off(deaf: socket.socket) -> int:
    """Sends frames, whose answers pile up, until the server hangs up. Returns how many."""
    loop = asyncio.get_running_loop()
    for number in range(0, FRAMES_MAX, 100):
        try:
            async with asyncio.timeout(20):
                await loop.sock_sendall(deaf, UNKNOWN * 100)
        except OSError:
            return number
        await asyncio.sleep(0)
    return FRAMES_MAX
