"""A server's texts, which any client may use: asked for once, before the screen is taken."""

import json
from collections.abc import Mapping
from typing import cast

from services.cli.data_directory import RefusedError
from services.cli.playing.address import Address
from services.cli.playing.web import NotServedError, UnreachableError, fetch
from services.cli.playing.words import Text, Words


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


def _texts(body: bytes) -> Mapping[str, Text]:
    texts = json.loads(body)
    if not isinstance(texts, dict):
        raise ValueError("no object")  # noqa: TRY004 - as bad as what is no JSON at all
    return cast("dict[str, Text]", texts)
