"""`klondike service NAME`: one process of one service."""

import importlib
from typing import TypeVar

import click

from services.cli.children import package
from shared.service import Run, ServiceContext, command
from shared.settings import SERVICES, ServiceSettings

Settings = TypeVar("Settings", bound=ServiceSettings)


def _later(module: str) -> Run[Settings]:
    """The service's `run`, imported when it runs: `--help` needs none of it."""

    async def run(context: ServiceContext[Settings]) -> None:
        await importlib.import_module(module).run(context)

    return run


service = click.Group(
    "service",
    help="Run one process of one service, configured by flags and environment.",
    commands={role: command(role, settings, _later(f"{package(role)}.app")) for role, settings in SERVICES.items()},
)
