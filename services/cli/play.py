"""`klondike play`: a game at a terminal, on any server, by its public protocol."""

import asyncio
import os
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path

import click
import msgspec

from services.cli.addresses import data_option
from services.cli.data_directory import RefusedError, default_directory
from services.cli.playing.address import DEFAULT_ADDRESS, Address, BadAddressError, parse_address
from services.cli.playing.profile import Choice, Colours, Keeper, Signs
from services.cli.playing.words import LANGUAGES, Words, language_of
from shared.messages.commands import DEAL_NUMBER_MAX
from shared.rules.scoring import SCORINGS
from shared.rules.variants import SOLO, Variant

COLUMNS_MIN, ROWS_MIN = 44, 18
"""Of a terminal that any variant with seven columns fits."""


@click.command()
@click.argument("url", default=DEFAULT_ADDRESS)
@click.option("--new", is_flag=True, help="Deal a new game instead of going on with the last one.")
@click.option("--variant", type=click.Choice(list(SOLO)), help="Deal a new game of this variant.")
@click.option("--scoring", type=click.Choice(list(SCORINGS)), help="Deal a new game scored like this.")
@click.option("--mode", type=click.Choice(["relaxed", "ranked"]), help="Deal a new game with undo, or without.")
@click.option("--deal", type=click.IntRange(0, DEAL_NUMBER_MAX), metavar="NUMBER", help="Deal this number.")
@click.option("--daily", is_flag=True, help="Deal the deal of the day.")
@click.option("--winnable", is_flag=True, help="Deal cards that are sure to be winnable.")
@click.option("--colours", type=click.Choice(["two", "four"]), help="Colours of the four suits; kept.")
@click.option("--ascii/--unicode", "plain", default=None, help="Letters instead of symbols; kept.")
@click.option("--language", type=click.Choice(LANGUAGES), help="[default: as the locale says]")
@data_option("Directory that keeps who you are.")
def play(  # noqa: PLR0913 - one for each option
    *,
    url: str,
    new: bool,
    variant: str | None,
    scoring: str | None,
    mode: str | None,
    deal: int | None,
    daily: bool,
    winnable: bool,
    colours: Colours | None,
    plain: bool | None,
    language: str | None,
    data: Path | None,
) -> None:
    """Play at this terminal, on the server at URL: the one of `klondike up` on this machine, or any other.

    Goes on with the game that was left, else deals one. ? lists the keys; the mouse works, too.
    """
    words = Words(language or language_of(os.environ))
    try:
        keeper = Keeper(data or default_directory())
        _keep_look(keeper, colours, plain)
        address = parse_address(url)
        choice = _choice(keeper.profile.choice, variant, scoring, mode, winnable=winnable)
        wants_new = new or deal is not None or daily or winnable or choice != keeper.profile.choice
        if sum((deal is not None, daily, winnable)) > 1:
            raise RefusedError("--deal, --daily and --winnable say different things: give one of them.")
        _need_terminal(words)
        _run(address, keeper, words, (choice, daily, deal) if wants_new else None)
    except BadAddressError:
        raise click.ClickException(words("play.bad-address", text=url, like=DEFAULT_ADDRESS)) from None
    except RefusedError as error:
        raise click.ClickException(str(error)) from None


def _run(address: Address, keeper: Keeper, words: Words, wanted: tuple[Choice, bool, int | None] | None) -> None:
    from services.cli.playing.app import PlayApp
    from services.cli.playing.sheets import Started
    from services.cli.playing.texts import learn, offered

    async def asked() -> Mapping[str, Variant]:
        await learn(words, address)
        return await offered(address)

    variants = asyncio.run(asked())
    started = Started(choice=wanted[0], daily=wanted[1], number=wanted[2]) if wanted else None
    app = PlayApp(address, keeper, words, started, variants)
    app.run()
    if app.view is not None and app.view.status == "running":
        click.echo(words("play.waits", address=address.page))


def _choice(last: Choice, variant: str | None, scoring: str | None, mode: str | None, *, winnable: bool) -> Choice:
    """The kind of game that is asked for: what is not said is as it was last, where the variant has that."""
    chosen = variant or last.variant
    offered = SOLO[chosen].scorings if chosen in SOLO else ()
    if scoring is not None and scoring not in offered:
        raise RefusedError(f"{chosen} is not scored as {scoring}: --scoring {' or '.join(offered)}.")
    kept = last.scoring if last.scoring in offered or not offered else offered[0]
    return Choice(variant=chosen, scoring=scoring or kept, mode=mode or last.mode, winnable=winnable)


def _keep_look(keeper: Keeper, colours: Colours | None, plain: bool | None) -> None:
    look = keeper.profile.look
    signs: Signs = look.signs if plain is None else "ascii" if plain else "unicode"
    changed = msgspec.structs.replace(look, colours=colours or look.colours, signs=signs)
    if changed != look:
        keeper.keep_look(changed)


def _need_terminal(words: Words) -> None:
    if not all(one.isatty() for one in (sys.stdin, sys.stdout, sys.stderr)):  # the table is drawn on the last
        raise RefusedError(words("play.no-terminal"))
    width, height = shutil.get_terminal_size()
    if width < COLUMNS_MIN or height < ROWS_MIN:
        sizes = {"width": width, "height": height, "least_width": COLUMNS_MIN, "least_height": ROWS_MIN}
        raise RefusedError(words("play.too-small", **sizes))
