"""Where a command finds the servers, as command line options: what no server can ever have is refused at once."""

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeVar

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


class Folder(click.Path):
    """A directory. An empty text is none: it is a variable of the shell that is not set, not the current directory."""

    def convert(
        self, value: str | os.PathLike[str], param: click.Parameter | None, ctx: click.Context | None
    ) -> str | bytes | os.PathLike[str]:
        if not os.fspath(value).strip():
            self.fail("it is empty: name a directory, or leave it out", param, ctx)
        return super().convert(value, param, ctx)


FOLDER: Final = Folder(file_okay=False, path_type=Path)
NATS_ADDRESS: Final = Address(NATS_URLS, "nats://127.0.0.1:4222")
REDIS_ADDRESS: Final = Address(REDIS_URL, "redis://127.0.0.1:6379")

Command = TypeVar("Command", bound=Callable[..., Any])


def data_option(directory: str = "Directory of `klondike up`, running or not.") -> Callable[[Command], Command]:
    """`--data`, with what it is said to be."""
    return click.option(
        "--data",
        type=FOLDER,
        envvar="KLONDIKE_DATA",
        help=f"{directory}  [default: klondike in the user's data directory]",
    )


def nats_option(text: str = "Read this NATS server instead.") -> Callable[[Command], Command]:
    """`--nats`, with what is done with it."""
    return click.option("--nats", type=NATS_ADDRESS, metavar="URL", envvar="KLONDIKE_NATS", help=text)


def redis_option(text: str = "Read this Redis server instead.") -> Callable[[Command], Command]:
    """`--redis`, with what is done with it."""
    return click.option("--redis", type=REDIS_ADDRESS, metavar="URL", envvar="KLONDIKE_REDIS", help=text)
