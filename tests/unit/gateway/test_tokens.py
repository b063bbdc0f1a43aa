"""Who holds the token is the player; nobody else can be."""

import re
import secrets

from hypothesis import given
from hypothesis import strategies as st

from services.gateway import refusals
from services.gateway.session import SignedIn
from services.gateway.tokens import Tokens

TOKENS = Tokens(["a key"], secrets.token_bytes)


def test_a_guest_is_a_random_id_of_26_characters_and_its_token_proves_it() -> None:
    guests = [TOKENS.new_guest() for _ in range(50)]
    assert len({guest.player for guest in guests}) == 50
    for guest in guests:
        assert re.fullmatch("[a-z2-7]{26}", guest.player)
        assert TOKENS.sign_in(guest.token) == guest


def test_no_token_makes_a_new_guest() -> None:
    assert isinstance(TOKENS.sign_in(None), SignedIn)


@given(st.text())
def test_made_up_tokens_are_refused(token: str) -> None:
    assert TOKENS.sign_in(token) == refusals.BAD_TOKEN


@given(st.integers(0, 26 + 43), st.characters(codec="ascii"))
def test_a_token_with_another_character_anywhere_makes_nobody_else(at: int, character: str) -> None:
    """The last character of the signature holds two bits that mean nothing."""
    guest = TOKENS.new_guest()
    signed = TOKENS.sign_in(guest.token[:at] + character + guest.token[at + 1 :])
    assert signed == refusals.BAD_TOKEN or (isinstance(signed, SignedIn) and signed.player == guest.player)


def test_a_token_of_another_key_is_refused_and_an_older_key_still_holds() -> None:
    guest = TOKENS.new_guest()
    assert Tokens(["another key"], secrets.token_bytes).sign_in(guest.token) == refusals.BAD_TOKEN
    newer = Tokens(["a key", "a newer key"], secrets.token_bytes)
    assert newer.sign_in(guest.token) == guest
    assert TOKENS.sign_in(newer.new_guest().token) == refusals.BAD_TOKEN
