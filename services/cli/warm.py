"""`klondike warm`: compile the solver's kernels ahead, where a program is installed or an image built."""

import time

import click

from shared.compiled import note
from shared.solver.warm import warm_all


@click.command()
def warm() -> None:
    """Compile the solver's kernels, so that no first deal has to wait for it. A second run only loads them."""
    start = time.perf_counter()
    warm_all()
    note()
    click.echo(f"kernels ready after {time.perf_counter() - start:.2f} s")
