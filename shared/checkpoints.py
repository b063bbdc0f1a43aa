"""Signing and verifying checkpoints, with Ed25519 (RFC 8032)."""

from pathlib import Path
from typing import Final

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from shared.messages.checkpoint import (
    Change,
    Checkpoint,
    PublishedCheckpoint,
    SignedCheckpoint,
    changes_digest,
    mark_of,
)
from shared.messages.codec import encode
from shared.private_file import write_private_once

KEY_BYTES: Final = 32
SCHEMA_NEWEST: Final = 1

_signed: Final = msgspec.msgpack.Decoder(SignedCheckpoint)
_checkpoints: Final = msgspec.msgpack.Decoder(Checkpoint)
_published: Final = msgspec.json.Decoder(PublishedCheckpoint)


class BadCheckpointError(Exception):
    """A checkpoint that proves nothing. The message says why."""


class BadKeyError(Exception):
    """A file that holds no key. One line that says what to do."""


class Opened(msgspec.Struct, frozen=True):
    """A checkpoint whose signature fits."""

    checkpoint: Checkpoint
    hash: bytes
    key: bytes
    """Who holds its private half has signed. Whose it is, it cannot say itself."""
    changes: tuple[Change, ...] = ()


def sign(private: Ed25519PrivateKey, checkpoint: Checkpoint, changes: tuple[Change, ...]) -> SignedCheckpoint:
    """The stored form."""
    body = encode(checkpoint)
    key = private.public_key().public_bytes_raw()
    return SignedCheckpoint(checkpoint=body, signature=private.sign(body), key=key, changes=changes)


def open_signed(stored: bytes) -> Opened:
    """A checkpoint from its stored form.

    Raises:
        BadCheckpointError: it is none, or its signature or changes do not fit.

    """
    try:
        signed = _signed.decode(stored)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadCheckpointError(f"it cannot be decoded: {error}") from None
    if signed.schema != SCHEMA_NEWEST:
        raise BadCheckpointError(f"it has schema {signed.schema}, which this release does not know")
    if encode(signed) != stored:
        raise BadCheckpointError("its bytes are not the canonical ones")
    checkpoint = _verified(signed.checkpoint, signed.signature, signed.key)
    if changes_digest(signed.changes) != checkpoint.changes:
        raise BadCheckpointError("its changes are not those that were signed")
    return Opened(checkpoint, mark_of(signed.checkpoint), signed.key, signed.changes)


def published(stored: bytes) -> PublishedCheckpoint:
    """What is published of a stored checkpoint.

    Raises:
        BadCheckpointError: as for `open_signed`.

    """
    opened, signed = open_signed(stored), _signed.decode(stored)
    checkpoint = opened.checkpoint
    return PublishedCheckpoint(
        number=checkpoint.number,
        at=checkpoint.at,
        sequence=checkpoint.sequence,
        manifest=checkpoint.manifest,
        previous=checkpoint.previous.hex(),
        hash=opened.hash.hex(),
        key=signed.key.hex(),
        signature=signed.signature.hex(),
        checkpoint=signed.checkpoint.hex(),
    )


def open_published(content: bytes) -> Opened:
    """A published checkpoint, without its changes.

    Raises:
        BadCheckpointError: it is none, or does not say what was signed.

    """
    try:
        told = _published.decode(content)
        body, signature, key = (bytes.fromhex(one) for one in (told.checkpoint, told.signature, told.key))
    except (ValueError, RecursionError) as error:
        raise BadCheckpointError(f"it is no published checkpoint: {error}") from None
    checkpoint = _verified(body, signature, key)
    said = (told.number, told.at, told.sequence, told.manifest, told.previous, told.hash)
    signed = (checkpoint.number, checkpoint.at, checkpoint.sequence, checkpoint.manifest, checkpoint.previous.hex())
    if said != (*signed, mark_of(body).hex()):
        raise BadCheckpointError("its fields are not those that were signed")
    return Opened(checkpoint, mark_of(body), key)


def _verified(body: bytes, signature: bytes, key: bytes) -> Checkpoint:
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, body)
    except (InvalidSignature, ValueError):
        raise BadCheckpointError("its signature does not fit") from None
    try:
        checkpoint = _checkpoints.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadCheckpointError(f"what was signed is no checkpoint: {error}") from None
    if checkpoint.schema != SCHEMA_NEWEST:
        raise BadCheckpointError(f"it has schema {checkpoint.schema}, which this release does not know")
    return checkpoint


def load_key(path: Path) -> tuple[Ed25519PrivateKey, bool]:
    """The key of a file, which is made if there is none. Whether it was.

    The file holds the 32 bytes of the private key in hexadecimal, and is readable by its owner alone. An empty one,
    as a full disk may leave it, counts as none: nothing can have been signed with it.

    Raises:
        BadKeyError: it holds no key, or cannot be read or made.

    """
    try:
        while not (content := path.read_bytes() if path.exists() else b""):
            made = Ed25519PrivateKey.generate()
            if write_private_once(path, made.private_bytes_raw().hex().encode() + b"\n"):
                return made, True
        return Ed25519PrivateKey.from_private_bytes(bytes.fromhex(content.decode().strip())), False
    except OSError as error:
        raise BadKeyError(f"{path} cannot be read or made: {error.strerror or error}. Name another file.") from None
    except ValueError:
        raise BadKeyError(
            f"{path} holds no key: {KEY_BYTES} bytes in hexadecimal are needed. Restore it from your copy, "
            "or move it away: a new one is made then."
        ) from None
