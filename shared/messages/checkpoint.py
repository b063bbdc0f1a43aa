"""Checkpoints: what all games were at one place of the log, signed, so that a game that is changed, replaced, added or
removed afterwards is noticed.

A stored schema: fields are only added, with defaults.
"""

import hashlib

import msgspec

from shared.messages.answers import RequestRefused
from shared.messages.base import GAME_ID, MILLISECONDS, VERSION, Input, Stored


class Change(msgspec.Struct, frozen=True, array_like=True):
    """A game that got records, or moved to the archive, since the checkpoint before: its newest version and that hash.

    The hash covers all of the game up to there, its sealed deal included, by the game's own chain.
    """

    game: GAME_ID
    version: VERSION
    hash: bytes


class Checkpoint(Stored, frozen=True, kw_only=True, tag="checkpoint"):
    """What is signed."""

    schema: int = 1
    number: int
    """1, 2, 3 … without gaps."""
    previous: bytes
    """SHA-256 of the checkpoint before, as it was signed; empty for the first."""
    at: MILLISECONDS
    sequence: int
    """Every record of the log up to this sequence of its stream is covered, and none after it."""
    manifest: int
    """The newest manifest of the archive whose games are covered; 0 for none."""
    changes: bytes
    """SHA-256 over the changes as they are stored: MessagePack, ordered by game."""


class SignedCheckpoint(Stored, frozen=True, kw_only=True, tag="signed-checkpoint"):
    """What is stored."""

    schema: int = 1
    checkpoint: bytes
    """The very bytes that were signed."""
    signature: bytes
    """Ed25519, 64 bytes."""
    key: bytes
    """The public key, 32 bytes."""
    changes: tuple[Change, ...]


class PublishedCheckpoint(msgspec.Struct, frozen=True, kw_only=True, tag="klondike-checkpoint", tag_field="type"):
    """What is kept elsewhere: small, and enough to hold a whole log against. Bytes are in hexadecimal."""

    schema: int = 1
    number: int
    at: MILLISECONDS
    sequence: int
    manifest: int
    previous: str
    hash: str
    """SHA-256 of `checkpoint`: what the next one names as its previous."""
    key: str
    """The public key that it was signed with."""
    signature: str
    checkpoint: str
    """The signed bytes. What is said above is said in them, for those who read JSON alone."""


class FetchCheckpoint(Input, frozen=True, kw_only=True, tag="fetch-checkpoint"):
    """Ask for the newest checkpoint."""


CheckpointAnswer = PublishedCheckpoint | RequestRefused

_encode = msgspec.msgpack.Encoder().encode


def changes_digest(changes: tuple[Change, ...]) -> bytes:
    """What a checkpoint says of its changes."""
    return hashlib.sha256(_encode(changes)).digest()


def mark_of(signed: bytes) -> bytes:
    """What the next checkpoint says of the bytes that were signed."""
    return hashlib.sha256(signed).digest()
