"""What a server tells any client, asked for once, before the screen is taken: its texts, and what is played there."""

import json
from collections.abc import Mapping
from typing import cast

import msgspec

from services.cli.data_directory import RefusedError
from services.cli.playing.address import Address
from services.cli.playing.web import NotServedError, UnreachableError, fetch
from services.cli.playing.words import Text, Words
from shared.rules.variants import SOLO, Variant


async def learn(words: Words, address: Address) -> None:
    """Takes them in.

    Raises:
        RefusedError: nobody answers there, or no klondike server.

    """
    try:
        words.learn(_texts(await fetch(address.path(f"i18n/{words.language}.json"))))
    except UnreachableError as error:
        raise RefusedError(words("play.unreachable", address=address.page, reason=str(error))) from None
    except (NotServedError, ValueError) as error:
        status = str(error) if isinstance(error, NotServedError) else "no JSON"
        raise RefusedError(words("play.no-klondike", address=address.page, status=status)) from None


class _Offer(msgspec.Struct, frozen=True):
    rules: Variant


async def offered(address: Address) -> Mapping[str, Variant]:
    """The variants that one plays alone there, by id; those that this program knows, where the server does not tell."""
    try:
        told = msgspec.json.decode(await fetch(address.path("api/variants")), type=list[_Offer])
    except (UnreachableError, NotServedError, msgspec.DecodeError):
        return SOLO
    return {one.rules.id: one.rules for one in told if one.rules.players == 1} or SOLO


def _texts(body: bytes) -> Mapping[str, Text]:
    texts = json.loads(body)
    if not isinstance(texts, dict):
        raise ValueError("no object")  # noqa: TRY004 - as bad as what is no JSON at all
    return cast("dict[str, Text]", texts)
