"""Guests: a random id, and a signed token that proves it. Who holds the token is the player."""

import base64
import hashlib
from collections.abc import Callable, Sequence
from typing import Final

from itsdangerous import BadSignature, Signer

from services.gateway import refusals
from services.gateway.session import SignedIn
from shared.messages.base import PlayerId
from shared.messages.errors import Error

PLAYER_BYTES: Final = 17
"""Random bytes of an id: 136 bits, of which 26 characters of base 32 keep 130."""
PLAYER_CHARACTERS: Final = 26


class Tokens:
    """Makes and checks tokens: `<player>.<signature>`, HMAC-SHA-256, without an end of life."""

    def __init__(self, keys: Sequence[str], random_bytes: Callable[[int], bytes]) -> None:
        """The newest key is last and signs; tokens signed with an older one hold too."""
        self._signer = Signer(list(keys), salt="klondike.player", key_derivation="hmac", digest_method=hashlib.sha256)
        self._random_bytes = random_bytes

    def sign_in(self, token: str | None) -> SignedIn | Error:
        """The player that a token proves; a new guest without one."""
        if token is None:
            return self.new_guest()
        try:
            player = self._signer.unsign(token.encode()).decode()
        except (BadSignature, UnicodeError):
            return refusals.BAD_TOKEN
        return SignedIn(player=PlayerId(player), token=token)

    def new_guest(self) -> SignedIn:
        encoded = base64.b32encode(self._random_bytes(PLAYER_BYTES)).decode().lower()
        return self.of(PlayerId(encoded[:PLAYER_CHARACTERS]))

    def of(self, player: PlayerId) -> SignedIn:
        """A player's token: the same on every device."""
        return SignedIn(player=player, token=self._signer.sign(player).decode())
