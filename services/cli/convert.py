"""`klondike convert`: deals in one text format in, in another out."""

import sys
from typing import IO

import click

from services.cli.deal_lines import deal_lines
from shared.solver.formats import FORMATS, DealError, DealFormat, deal_text, parse_deal


@click.command()
@click.argument("file", type=click.File(encoding="utf-8"), default="-")
@click.option("--to", "form", type=click.Choice(FORMATS), default="list", show_default=True, help="Format to write.")
def convert(*, file: IO[str], form: DealFormat) -> None:
    """Write deals in another format: one a line in, one a line out. The format read is detected.

    Exit status: 0, or 1 if any line was bad; what was wrong with it is on the standard error.
    """
    bad = False
    for line in deal_lines(file):
        try:
            click.echo(deal_text(parse_deal(line.text), form))
        except DealError as error:
            bad = True
            click.echo(f"line {line.number}: {error}", err=True)
    sys.exit(1 if bad else 0)
