"""Options that the solver's commands share."""

import click

from shared.rules.table import Table
from shared.rules.variants import VARIANTS, Variant
from shared.solver.flat import unsupported


def solver_variant(name: str) -> Variant:
    """The variant of an option.

    Raises:
        click.BadParameter: the solver cannot play it.
    """
    variant = VARIANTS[name]
    if problem := unsupported(Table((), (), ()), variant):
        raise click.BadParameter(f"{name}: {problem}", param_hint="'--variant'")
    return variant
