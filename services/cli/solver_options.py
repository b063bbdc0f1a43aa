"""Options that the solver's commands share."""

from typing import Final

import click

from shared.rules.table import Table
from shared.rules.variants import VARIANTS
from shared.solver.flat import unsupported

SOLVED: Final = click.Choice([name for name, row in VARIANTS.items() if unsupported(Table((), (), ()), row) is None])
"""The variants that the solver plays."""
