"""`klondike verify-deal`: were the cards of a game fixed before its first move?"""

import sys
from collections.abc import Iterator

import click
import msgspec

from services.cli.fairness.check import DealCheck, check_deal
from services.cli.fairness.sources import NoHistoryError, read_history

EXIT_FAIR, EXIT_NOT_FAIR, EXIT_UNREADABLE = 0, 1, 2


@click.command("verify-deal")
@click.argument("history", metavar="HISTORY")
@click.option("--url", default="http://127.0.0.1:8000", show_default=True, help="Where a game's id is looked up.")
@click.option("--token", help="Of the game's player, as `POST /api/session` gave it.")
@click.option("--commitment", help="The commitment that was noted when the game began; the history's must be this one.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead.")
def verify_deal(*, history: str, url: str, token: str | None, commitment: str | None, as_json: bool) -> None:
    """Check that the cards of a game that is over are those that were committed to before its first move.

    HISTORY is the game's exported history (JSON), or its id, which is asked for over HTTP. Nothing else is used: the
    deck is derived here.

    Exit status: 0 fair; 1 not fair, and why; 2 there is nothing to check.
    """
    try:
        found = check_deal(read_history(history, url, token), promised=commitment)
    except NoHistoryError as error:
        click.echo(f"klondike verify-deal: {error}", err=True)
        sys.exit(EXIT_UNREADABLE)
    if as_json:
        click.echo(msgspec.json.format(msgspec.json.encode(found)).decode())
    else:
        for line in _lines(found):
            click.echo(line)
    sys.exit(EXIT_FAIR if found.fair else EXIT_NOT_FAIR)


def _lines(found: DealCheck) -> Iterator[str]:
    yield f"game        {found.game}"
    yield f"shuffle     {ascii(found.shuffle)[1:-1]}"
    if found.number is not None:
        yield f"origin      deal number {found.number}, the same for everybody"
    else:
        yield f"commitment  {ascii(found.commitment)[1:-1]}"
        yield f"secret      {ascii(found.secret)[1:-1]}"
        yield f"your seed   {found.player_seed!a}" if found.player_seed else "your seed   none"
    if found.deck:
        yield f"deck        {' '.join(found.deck)}"
    if found.fault is not None:
        yield f"NOT FAIR: {found.fault}"
        return
    what = "the number's deal" if found.number is not None else "fixed by the commitment"
    yield f"fair: the deck is {what}, and each of the {found.seen} cards seen was dealt where it belongs"
