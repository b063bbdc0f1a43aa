"""Addresses of servers as command line options: what no server can ever have is refused at once."""

import re
from typing import Final

import click

from shared.settings import NATS_URLS, REDIS_URL


class Address(click.ParamType[str]):
    """Text like an address. It is not shown when it is refused: it may hold a password."""

    name = "URL"

    def __init__(self, pattern: str, like: str) -> None:
        self._pattern = re.compile(pattern)
        self._like = like

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if not self._pattern.match(value):
            self.fail(f"it is not like {self._like}", param, ctx)
        return value


NATS_ADDRESS: Final = Address(NATS_URLS, "nats://127.0.0.1:4222")
REDIS_ADDRESS: Final = Address(REDIS_URL, "redis://127.0.0.1:6379")
