"""A progress bar for who watches: on the standard error, and only where that is a terminal."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

import click


class Shown(NamedTuple):
    """What a command does while its bar is shown."""

    advance: Callable[[], None]
    echo: Callable[[str], None]
    """Prints a line on the standard output, above the bar if that is the same terminal."""


def _nothing() -> None:
    """Moves no bar."""


@contextmanager
def progress(title: str, total: int | None) -> Iterator[Shown]:
    """A bar that is gone at the end. Without a total it counts."""
    if not sys.stderr.isatty():
        yield Shown(_nothing, click.echo)
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    columns = TextColumn(title), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Progress(*columns, console=console, transient=True, redirect_stdout=False, redirect_stderr=False) as bar:
        task = bar.add_task(title, total=total)

        def echo(text: str) -> None:
            if sys.stdout.isatty():
                console.print(text, markup=False, highlight=False, emoji=False, soft_wrap=True)
            else:
                click.echo(text)

        yield Shown(lambda: bar.advance(task), echo)
