"""Who tries codes is stopped, and nobody else."""

import pytest

from services.gateway import guesses
from services.gateway.guesses import BURST, PER_SECOND, Guesses


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_so_many_tries_are_allowed_at_once_and_then_one_at_a_time() -> None:
    clock = Clock()
    tries = Guesses(clock)
    assert [tries.allowed("192.0.2.1") for _ in range(3 * BURST)] == [True] * BURST + [False] * 2 * BURST
    assert tries.allowed("192.0.2.2")
    clock.now += 2 / PER_SECOND
    assert [tries.allowed("192.0.2.1") for _ in range(2)] == [True, False]


def test_one_household_has_one_allowance_whichever_of_its_addresses_it_takes() -> None:
    tries = Guesses(Clock())
    allowed = [tries.allowed(f"2001:db8::{number:x}") for number in range(2 * BURST)]
    assert allowed.count(True) == BURST
    assert tries.allowed("2001:db8:0:1::1")


def test_addresses_are_not_remembered_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guesses, "ADDRESSES_MAX", 2)
    tries = Guesses(Clock())
    for address in ("192.0.2.1", "192.0.2.2", "192.0.2.3"):
        tries.allowed(address)
    assert len(tries._credits) == 2
