"""Groups of commands that are imported when they are used, not when they are listed."""

import importlib
import signal
from typing import Final, NamedTuple, cast

import click

_GAP: Final = 6
"""Columns that click keeps free beside the names of a list of commands."""


class Lazy(NamedTuple):
    """A command that was not imported yet."""

    target: str
    """`module:attribute`."""
    help: str
    """What the list of commands says of it: asking the command itself would import it."""
    handles_signals: bool = False
    """It does so itself, and has nothing to end in order before."""


class LazyGroup(click.Group):
    """A group that knows some of its commands by name only."""

    lazy: dict[str, Lazy]

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*self.lazy, *super().list_commands(ctx)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.lazy:
            return super().get_command(ctx, cmd_name)
        lazy = self.lazy[cmd_name]
        module, attribute = lazy.target.split(":")
        command = cast("click.Command", getattr(importlib.import_module(module), attribute))
        if not lazy.handles_signals and signal.getsignal(signal.SIGINT) is signal.SIG_DFL:  # see `entry`
            signal.signal(signal.SIGINT, signal.default_int_handler)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        names = self.list_commands(ctx)
        limit = formatter.width - _GAP - max(map(len, names))
        rows = [(name, self._help(ctx, name, limit)) for name in names]
        with formatter.section("Commands"):
            formatter.write_dl(rows)

    def _help(self, ctx: click.Context, name: str, limit: int) -> str:
        if name in self.lazy:
            return self.lazy[name].help
        command = super().get_command(ctx, name)
        assert command is not None
        return command.get_short_help_str(limit)


def lazily(commands: dict[str, Lazy]) -> type[LazyGroup]:
    """The class of a group with these commands."""
    return type("Commands", (LazyGroup,), {"lazy": commands})
