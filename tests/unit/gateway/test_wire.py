"""Bytes of clients: whatever they are, the answer is a frame."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.gateway import refusals
from services.gateway.credits import Credits
from services.gateway.effects import Ask, Close, Follow, Send, Unfollow
from services.gateway.session import Session, SignedIn, Unreadable
from services.gateway.wire import WIRES, too_large
from shared.messages.codec import QUOTED_MAX
from shared.messages.frames import FRAME_BYTES_MAX, PROTOCOL_JSON, PROTOCOL_MSGPACK, Bye, Hello, Ping
from tests.unit.gateway.samples import GAME, PLAYER, command_id

JSON, MSGPACK = WIRES[PROTOCOL_JSON], WIRES[PROTOCOL_MSGPACK]
FIELDS = ("type", "id", "game", "version", "source", "target", "count", "nonce", "token", "deal", "player")
TYPES = (
    "hello",
    "ping",
    "new-game",
    "resume",
    "leave",
    "move",
    "draw",
    "recycle",
    "undo",
    "redo",
    "resign",
    "hint",
    "x",
)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text() | st.sampled_from(TYPES),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(FIELDS), inner, max_size=3),
    max_leaves=8,
)
almost_frames = st.fixed_dictionaries(
    {"type": st.sampled_from(TYPES)},
    optional={
        "id": st.just(command_id(1)) | values,
        "game": st.just(GAME) | values,
        "version": st.integers(0, 5) | values,
        "source": st.sampled_from(("T1", "W", "F9")) | values,
        "target": st.sampled_from(("T1", "F1")) | values,
        "count": values,
        "deal": values,
    },
)


def talk(frame: object) -> None:
    """A session takes whatever was decoded, and wants only what it may want."""
    session = Session(
        sign_in=lambda _: SignedIn(player=PLAYER, token="t"),
        allowance=Credits.full(burst=100, per_second=1, now=0.0),
        server="1",
    )
    session.received(Hello(), 0.0)
    for effect in session.received(frame, 0.0):  # type: ignore[arg-type]  # what `decode` gave
        assert isinstance(effect, Send | Ask | Follow | Unfollow | Close)
        if isinstance(effect, Send):
            JSON.encode(effect.frame)
            MSGPACK.encode(effect.frame)


@given(st.binary(max_size=300))
def test_any_bytes_are_a_frame_or_a_refusal(data: bytes) -> None:
    talk(MSGPACK.decode(data))
    talk(JSON.decode(data.decode("latin-1")))


@given(values | almost_frames)
def test_anything_well_formed_is_a_frame_or_a_refusal(value: object) -> None:
    talk(JSON.decode(msgspec.json.encode(value).decode()))
    try:
        data = msgspec.msgpack.encode(value)
    except OverflowError:
        return
    talk(MSGPACK.decode(data))


@given(almost_frames)
def test_both_subprotocols_take_the_same_frames(value: dict[str, object]) -> None:
    try:
        packed = msgspec.msgpack.encode(value)
    except OverflowError:
        return
    one, other = JSON.decode(msgspec.json.encode(value).decode()), MSGPACK.decode(packed)
    if isinstance(one, Unreadable):
        assert isinstance(other, Unreadable)
        assert (one.command, one.game) == (other.command, other.game)
    else:
        assert one == other


def test_a_refusal_keeps_the_id_that_could_be_read() -> None:
    frame = JSON.decode(f'{{"type":"draw","id":"{command_id(1)}","game":"{GAME}","version":-1}}')
    assert isinstance(frame, Unreadable)
    assert (frame.command, frame.game, frame.error.field) == (command_id(1), GAME, "$.version")


def test_what_is_quoted_of_a_frame_has_an_end() -> None:
    frame = JSON.decode('{"type":"' + "x" * 10_000 + '"}')
    assert isinstance(frame, Unreadable)
    assert len(frame.error.text) < QUOTED_MAX + 100


def test_a_message_of_the_other_kind_is_refused() -> None:
    assert isinstance(JSON.decode(None), Unreadable)
    assert isinstance(MSGPACK.decode(None), Unreadable)


@pytest.mark.parametrize(
    ("data", "large"),
    [
        ("x" * FRAME_BYTES_MAX, False),
        ("x" * (FRAME_BYTES_MAX + 1), True),
        ("ü" * (FRAME_BYTES_MAX // 2), False),
        ("ü" * (FRAME_BYTES_MAX // 2 + 1), True),
        (b"x" * FRAME_BYTES_MAX, False),
        (b"x" * (FRAME_BYTES_MAX + 1), True),
    ],
)
def test_a_frame_is_measured_in_bytes(data: str | bytes, large: bool) -> None:
    assert too_large(data) is large


def test_frames_of_the_server_are_plain_objects_in_both_subprotocols() -> None:
    bye = Bye(error=refusals.TOO_SLOW)
    assert msgspec.json.decode(JSON.encode(bye)) == msgspec.msgpack.decode(MSGPACK.encode(bye))
    assert JSON.decode('{"type":"ping"}') == Ping()
