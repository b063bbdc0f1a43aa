"""`klondike convert`: deals and positions in one text format in, in another out."""

import sys
from typing import IO

import click

from services.cli.deal_lines import FORMAT, FORMAT_HELP, INPUT, WRITTEN, deal_lines, fault_shown
from shared.rules.variants import VARIANTS
from shared.solver.formats import DealError, parse_table, table_text


@click.command(epilog=FORMAT_HELP)
@click.argument("file", type=INPUT, default="-")
@click.option("--from", "source", type=FORMAT, help="Format to read.  [default: told from the text]")
@click.option("--to", "target", type=WRITTEN, default="list", show_default=True, help="Format to write.")
@click.option("--variant", type=click.Choice(list(VARIANTS)), default="draw1", show_default=True, help="The rules.")
def convert(*, file: IO[str], source: str | None, target: str, variant: str) -> None:
    """Write deals in another format.

    Reads a deal a line from FILE or the standard input, and writes it in its place. Boards, which are several lines,
    end with an empty line. Exit status: 0, or 1 if any deal was bad; what was wrong is on the standard error.
    """
    rules = VARIANTS[variant]
    bad = False
    for line in deal_lines(file):
        try:
            click.echo(table_text(parse_table(line.text, rules, source), rules, target) + "\n" * (target == "board"))
        except DealError as error:
            bad = True
            click.echo(fault_shown(f"line {line.number + error.row}: {error}"), err=True)
    sys.exit(1 if bad else 0)
