"""`klondike forget PLAYER`: takes a player out of statistics, rankings and lists, for good."""

import asyncio
import re
import sys
from pathlib import Path
from typing import Final

import click
import msgspec

from services.cli.addresses import data_option, nats_option
from services.cli.backups.reach import Place, opened
from services.cli.data_directory import RefusedError, default_directory
from shared import clock, subjects
from shared.bus.requests import Requests, Unanswered
from shared.messages.answers import ForgetPlayer, Forgotten, RequestRefused, StatisticsAnswer
from shared.messages.base import PlayerId
from shared.messages.codec import encode

EXIT_UNKNOWN, EXIT_REFUSED = 1, 2
ATTEMPT_SECONDS: Final = 5.0
DEADLINE_SECONDS: Final = 15.0
PLAYER_ID: Final = re.compile("[a-z2-7]{26}")

_answers: Final = msgspec.msgpack.Decoder(StatisticsAnswer)


@click.command()
@click.argument("player")
@data_option("Directory of a running `klondike up`.")
@nats_option("Ask this NATS server instead.")
def forget(*, player: str, data: Path | None, nats: str | None) -> None:
    """Forget PLAYER, the 26 characters before the dot of a token: statistics, rankings, lists of games, links.

    The games stay in the log under the random id, which says of nobody who it was, so that chains and audits stay
    whole. It cannot be undone, and may be repeated. A running scoring is asked.

    Exit status: 0 forgotten; 1 no game of PLAYER was known, so it may be another one's id; 2 not forgotten. The
    password for --nats is in the URL, or in the variable NATS_PASSWORD_GAME_STATE.
    """
    try:
        if not PLAYER_ID.fullmatch(player):
            raise RefusedError(f"{player!r} is no player: 26 of the letters a to z and digits 2 to 7 are needed.")
        done = asyncio.run(_forget(PlayerId(player), Place(data=(data or default_directory()).resolve(), nats=nats)))
    except RefusedError as error:
        click.echo(f"klondike forget: {error}", err=True)
        sys.exit(EXIT_REFUSED)
    if done.games == 0 and not done.before:
        click.echo(f"klondike forget: {_unknown(player)}", err=True)
        sys.exit(EXIT_UNKNOWN)
    click.echo(_told(done))


def _told(done: Forgotten) -> str:
    if done.games is None:
        return f"player {done.player} is forgotten"
    if done.games == 0:
        return f"player {done.player} was forgotten before: nothing was left"
    return f"player {done.player} is forgotten: {done.games} game{'s' if done.games > 1 else ''} taken out"


def _unknown(player: str) -> str:
    return (
        f"no game of player {player} is known, so nothing was taken out. Check the id; if it is right, nothing that "
        "is played with it will be counted."
    )


async def _forget(player: PlayerId, place: Place) -> Forgotten:
    async with opened(place, "game-state") as client:
        answer = await Requests(client, clock.jitter).ask(
            subjects.FORGETTING,
            encode(ForgetPlayer(player=player)),
            decode=_answers.decode,
            settled=lambda answer: not isinstance(answer, RequestRefused),
            attempt_seconds=ATTEMPT_SECONDS,
            deadline_seconds=DEADLINE_SECONDS,
        )
    if isinstance(answer, RequestRefused):
        raise RefusedError(f"{answer.error.text} {answer.error.fix}")
    if isinstance(answer, Unanswered):
        raise RefusedError("no scoring answers. Start `klondike up` or the service, then repeat it.")
    assert isinstance(answer, Forgotten), "scoring answers what it is asked"
    return answer
