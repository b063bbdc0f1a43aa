"""The Mersenne Twister MT19937, seeded and read as Python's `random.Random(number).random()`.

Matsumoto and Nishimura, *Mersenne Twister: A 623-dimensionally equidistributed uniform pseudo-random number generator*,
ACM Transactions on Modeling and Computer Simulation 8 (1998); seeding by an array from their version of 2002-01-26. It
is here because the pure part of the program imports no randomness, and this is none: a number decides all of it.
"""

from collections.abc import Iterator
from typing import Final

_WORDS: Final = 624
_MIDDLE: Final = 397
_MASK: Final = 0xFFFFFFFF
_UPPER: Final = 0x80000000


def fractions(number: int) -> Iterator[float]:
    """The numbers from 0 to less than 1, in 53 bits, that a seed of 0 or more gives."""
    words = _words(_seeded(number))
    while True:
        yield ((next(words) >> 5) * 2**26 + (next(words) >> 6)) / 2**53


def _seeded(number: int) -> list[int]:
    """The state that an array of 32-bit words gives, those of the number, the lowest first."""
    key = [number >> shift & _MASK for shift in range(0, max(1, number.bit_length()), 32)]
    state = [19650218]
    for index in range(1, _WORDS):
        state.append((1812433253 * _folded(state[-1]) + index) & _MASK)
    at, used = 1, 0
    for _ in range(max(_WORDS, len(key))):
        state[at] = ((state[at] ^ _folded(state[at - 1]) * 1664525) + key[used] + used) & _MASK
        at, used = _after(at, state), (used + 1) % len(key)
    for _ in range(_WORDS - 1):
        state[at] = ((state[at] ^ _folded(state[at - 1]) * 1566083941) - at) & _MASK
        at = _after(at, state)
    state[0] = _UPPER
    return state


def _folded(word: int) -> int:
    return word ^ word >> 30


def _after(at: int, state: list[int]) -> int:
    """The next place, around the end, where the last word is carried to the first."""
    if at + 1 < _WORDS:
        return at + 1
    state[0] = state[-1]
    return 1


def _words(state: list[int]) -> Iterator[int]:
    while True:
        for index in range(_WORDS):
            joined = state[index] & _UPPER | state[(index + 1) % _WORDS] & (_UPPER - 1)
            state[index] = state[(index + _MIDDLE) % _WORDS] ^ joined >> 1 ^ (0x9908B0DF if joined & 1 else 0)
        yield from map(_tempered, state)


def _tempered(word: int) -> int:
    word ^= word >> 11
    word ^= word << 7 & 0x9D2C5680
    word ^= word << 15 & 0xEFC60000
    return word ^ word >> 18
