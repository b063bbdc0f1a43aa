"""`klondike`: every command by name, loaded when it is used."""

import importlib
from importlib.metadata import version
from typing import cast

import click

from shared import DISTRIBUTION

COMMANDS = {
    "up": "services.cli.up:up",
    "service": "services.cli.service:service",
    "audit": "services.cli.audit:audit",
    "bench": "services.cli.bench:bench",
    "solve": "services.cli.solve:solve",
    "convert": "services.cli.convert:convert",
    "winrate": "services.cli.winrate:winrate",
    "warm": "services.cli.warm:warm",
    "docs": "services.cli.docs:docs",
}
"""Where each command is. Only the one that is asked for is imported, so that `klondike up` starts fast."""


class LazyGroup(click.Group):
    """Imports a command when it is needed."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        del ctx
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        del ctx
        if cmd_name not in COMMANDS:
            return None
        module, attribute = COMMANDS[cmd_name].split(":")
        return cast("click.Command", getattr(importlib.import_module(module), attribute))


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(version(DISTRIBUTION), prog_name="klondike")
def main() -> None:
    """Klondike solitaire as event-driven services."""
