"""`klondike docs`: the documents that are made from the types, so that they cannot say anything else."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import click

from services.cli.documents import documents

FOLDER: Final = "docs"


@click.command()
@click.option("--check", is_flag=True, help="Write nothing; exit with status 1 when a document is not current.")
@click.option(
    "--into",
    default=FOLDER,
    show_default=True,
    type=click.Path(file_okay=False, path_type=Path),
    help="The folder that holds the documents.",
)
def docs(*, check: bool, into: Path) -> None:
    """Make docs/schema, docs/asyncapi.yaml and docs/openapi.json from the types."""
    made = {into / name: text for name, text in documents().items()}
    stale = sorted(_stale(made, into))
    if check:
        for path in stale:
            click.echo(f"not current: {path}", err=True)
        if stale:
            click.echo("run `klondike docs` and commit what it writes", err=True)
        sys.exit(1 if stale else 0)
    for path in stale:
        if path not in made:
            path.unlink()
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(made[path], encoding="utf-8")
    click.echo(f"{len(made)} documents, {len(stale)} changed")


def _stale(made: dict[Path, str], folder: Path) -> Iterator[Path]:
    """Documents that are missing or say something else, and schemas of what is no more."""
    for path, text in made.items():
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            yield path
    for path in (folder / "schema").glob("*.json"):
        if path not in made:
            yield path
