"""How often one address may try codes: few enough that nobody finds one of ten letters by trying."""

from collections import OrderedDict
from collections.abc import Callable
from ipaddress import IPv6Address, ip_address
from typing import Final

from services.gateway.credits import Credits, Verdict

BURST: Final = 10
PER_SECOND: Final = 1 / 6
ADDRESSES_MAX: Final = 10_000
"""Addresses that are remembered, in memory alone; the one that tried longest ago is dropped first."""
NETWORK_BITS: Final = 64
"""Of an address of IPv6: one household has all that begin so."""


class Guesses:
    """The tries of all addresses at one gateway."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._credits: OrderedDict[str, Credits] = OrderedDict()

    def allowed(self, address: str) -> bool:
        """Whether one more try is."""
        now, network = self._clock(), _network(address)
        left = self._credits.pop(network, None) or Credits.full(burst=BURST, per_second=PER_SECOND, now=now)
        self._credits[network] = left
        if len(self._credits) > ADDRESSES_MAX:
            self._credits.popitem(last=False)
        allowed = left.take(now) is Verdict.GRANTED
        left.balance = max(left.balance, -1.0)  # who waits six seconds may try again, however often it was refused
        return allowed


def _network(address: str) -> str:
    try:
        found = ip_address(address)
    except ValueError:
        return address
    return str(int(found) >> NETWORK_BITS) if isinstance(found, IPv6Address) else address
