"""From a deal's origin to its cards, by a documented, versioned, unbiased shuffle.

Method `sha256-fisher-yates-1`:

1. The seed is SHA-256 of `klondike deal 1`, a zero byte, the origin (`secret` or `number`), a zero byte, and its parts
   (the 32 bytes of the secret and the player's seed in UTF-8; or the number in decimal digits), joined by zero bytes.
   Where each player has a deck of their own, the second player's origin is `secret-2` or `number-2`.
2. A stream of 64-bit numbers is SHA-256(seed ‖ counter), counter = 0, 1, 2 … as 8 bytes, each digest cut into four
   numbers; bytes big-endian throughout.
3. Fisher and Yates' shuffle in Durstenfeld's form (Communications of the ACM 7/7, 1964, algorithm 235) over the deck in
   the order of `DECK`, once per deck: for last = n − 1 … 1, swap place `last` with a place drawn evenly from
   0 … last. Drawing evenly: numbers at or above the largest multiple of last + 1 are thrown away, so that no place is
   favoured.

The commitment to a secret is its SHA-256.
"""

import hashlib
import struct
from collections.abc import Iterator
from typing import Final

from shared.rules.cards import DECK, Card

SHUFFLE: Final = "sha256-fisher-yates-1"
SECRET_BYTES: Final = 32
_WORD_BYTES: Final = 8
_WORDS: Final = 2**64
_FOUR_WORDS: Final = struct.Struct(">4Q")


def commitment(secret: bytes) -> str:
    """What is published before the first card: SHA-256 of the secret, hexadecimal."""
    return hashlib.sha256(secret).hexdigest()


def secret_deck(secret: bytes, player_seed: str, *, decks: int, seat: int = 0) -> tuple[Card, ...]:
    """The deck in dealing order, from the server's secret and the player's own seed (which may be empty).

    `seat`: whose, counted from 0, where each player has a deck of their own.
    """
    return _shuffled(_seed(_origin(b"secret", seat), secret, player_seed.encode()), decks)


def numbered_deck(number: int, *, decks: int, seat: int = 0) -> tuple[Card, ...]:
    """The deck in dealing order that belongs to a deal number. `seat`: as for a secret."""
    return _shuffled(_seed(_origin(b"number", seat), str(number).encode()), decks)


def _origin(word: bytes, seat: int) -> bytes:
    return word if seat == 0 else b"%s-%d" % (word, seat + 1)


def _seed(*origin: bytes) -> bytes:
    return hashlib.sha256(b"\0".join((b"klondike deal 1", *origin))).digest()


def _shuffled(seed: bytes, decks: int) -> tuple[Card, ...]:
    deck = list(DECK * decks)
    words = _words(seed)
    for last in range(len(deck) - 1, 0, -1):
        place = _below(last + 1, words)
        deck[last], deck[place] = deck[place], deck[last]
    return tuple(deck)


def _words(seed: bytes) -> Iterator[int]:
    counter = 0
    while True:
        digest = hashlib.sha256(seed + counter.to_bytes(_WORD_BYTES, "big")).digest()
        yield from _FOUR_WORDS.unpack(digest)
        counter += 1


def _below(bound: int, words: Iterator[int]) -> int:
    limit = _WORDS - _WORDS % bound
    word = next(words)
    while word >= limit:
        word = next(words)
    return word % bound
