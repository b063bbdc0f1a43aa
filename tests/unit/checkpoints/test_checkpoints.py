"""A checkpoint says what was signed, or it is refused: stored and published, each byte of it."""

import errno
import hashlib
import os
import stat
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from hypothesis import given
from hypothesis import strategies as st

from shared.checkpoints import (
    BadCheckpointError,
    BadKeyError,
    load_key,
    open_published,
    open_signed,
    published,
    sign,
)
from shared.messages.base import GameId
from shared.messages.checkpoint import Change, Checkpoint, changes_digest
from shared.messages.codec import encode

KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
CHANGES = tuple(Change(GameId(letter * 26), number + 1, bytes([number]) * 32) for number, letter in enumerate("abc"))
CHECKPOINT = Checkpoint(
    number=3, previous=bytes(32), at=1_700_000_000_000, sequence=99, manifest=0, changes=changes_digest(CHANGES)
)
STORED = encode(sign(KEY, CHECKPOINT, CHANGES))
PUBLISHED = msgspec.json.encode(published(STORED))


def test_what_was_signed_is_what_is_opened() -> None:
    opened, told = open_signed(STORED), open_published(PUBLISHED)
    assert (opened.checkpoint, opened.changes) == (CHECKPOINT, CHANGES)
    assert (told.checkpoint, told.hash, told.key) == (CHECKPOINT, opened.hash, opened.key)
    assert told.hash == hashlib.sha256(encode(CHECKPOINT)).digest()


@given(st.integers(0, len(STORED) - 1), st.integers(0, 7))
def test_no_bit_of_a_stored_checkpoint_can_be_changed(place: int, bit: int) -> None:
    changed = bytearray(STORED)
    changed[place] ^= 1 << bit
    with pytest.raises(BadCheckpointError):
        _ = open_signed(bytes(changed))


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("number", 4),
        ("at", 0),
        ("sequence", 100),
        ("manifest", 1),
        ("previous", "11" * 32),
        ("hash", "00" * 32),
        ("key", "00" * 32),
        ("signature", "00" * 64),
        ("checkpoint", encode(msgspec.structs.replace(CHECKPOINT, number=4)).hex()),
        ("checkpoint", "xy"),
        ("key", ""),
    ],
)
def test_no_field_of_a_published_checkpoint_can_be_changed(field: str, value: object) -> None:
    told = msgspec.json.decode(PUBLISHED, type=dict[str, object])
    with pytest.raises(BadCheckpointError):
        _ = open_published(msgspec.json.encode({**told, field: value}))


@pytest.mark.parametrize("content", [b"", b"{}", b"\xff", b"[" * 100_000, b'{"type":"klondike-checkpoint"}'])
def test_what_is_no_checkpoint_is_refused_with_its_reason(content: bytes) -> None:
    for opening in (open_signed, open_published):
        with pytest.raises(BadCheckpointError):
            _ = opening(content)


def test_anybody_can_verify_a_published_checkpoint_without_us() -> None:
    """With a library of their own, from the JSON alone."""
    told = msgspec.json.decode(PUBLISHED, type=dict[str, str | int])
    body, signature, key = (bytes.fromhex(str(told[name])) for name in ("checkpoint", "signature", "key"))
    Ed25519PublicKey.from_public_bytes(key).verify(signature, body)
    assert hashlib.sha256(body).hexdigest() == told["hash"]


def test_a_key_is_made_once_and_is_its_owners_alone(tmp_path: Path) -> None:
    file = tmp_path / "checkpoint.key"
    key, made = load_key(file)
    again, made_again = load_key(file)
    assert (made, made_again) == (True, False)
    assert key.private_bytes_raw() == again.private_bytes_raw()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_an_empty_file_counts_as_none(tmp_path: Path) -> None:
    """A full disk or a kill may leave one; nothing was signed with it."""
    file = tmp_path / "checkpoint.key"
    file.touch()
    key, made = load_key(file)
    assert made
    assert load_key(file)[0].private_bytes_raw() == key.private_bytes_raw()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [one.name for one in tmp_path.iterdir()] == ["checkpoint.key"]


@pytest.mark.parametrize("empty", [False, True])
def test_of_several_that_make_a_key_at_once_one_does_and_all_have_the_same(tmp_path: Path, *, empty: bool) -> None:
    file = tmp_path / "checkpoint.key"
    if empty:
        file.touch()
    together = threading.Barrier(8)

    def load() -> tuple[bytes, bool]:
        together.wait()
        key, made = load_key(file)
        return key.private_bytes_raw(), made

    with ThreadPoolExecutor(8) as pool:
        loaded = [one.result() for one in [pool.submit(load) for _ in range(8)]]
    assert len({key for key, _ in loaded}) == 1
    assert sum(made for _, made in loaded) == 1


@pytest.mark.parametrize("content", [b"no key", b"\n", b"\xff\xfe", b"ab" * 31, b"ab" * 33])
def test_a_file_that_is_no_key_is_named_and_kept(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "checkpoint.key"
    file.write_bytes(content)
    with pytest.raises(BadKeyError, match="holds no key"):
        _ = load_key(file)
    assert file.read_bytes() == content


@pytest.mark.parametrize("path", ["nowhere/key", "."])
def test_where_no_key_can_be_read_or_made_the_file_is_named(tmp_path: Path, path: str) -> None:
    with pytest.raises(BadKeyError, match="cannot be read or made"):
        _ = load_key(tmp_path / path)


def test_a_full_disk_leaves_no_key_that_is_half_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "checkpoint.key"

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(BadKeyError, match="No space left on device"):
            _ = load_key(file)
    assert load_key(file)[1]
