"""Dealers for tests, and what is asked of them."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial

import msgspec
from nats.aio.client import Client

from services.dealer.app import run
from shared import clock, subjects
from shared.logs import Log
from shared.messages.answers import RequestRefused
from shared.messages.base import GameId, PlayerId
from shared.messages.codec import encode, new_game_id
from shared.messages.commands import StartGame, WinnableDeal
from shared.messages.dealer import (
    FetchVerdict,
    GameVerdict,
    TakeWinnable,
    VerdictAnswer,
    WinnableAnswer,
    WinnableSecret,
)
from shared.settings import DealerSettings
from shared.warming import Warm
from tests.integration.game_state import ANSWER_SECONDS, PLAYER
from tests.integration.services import compiled_in_time, serving


@asynccontextmanager
async def dealer(nc: Client, log: Log, *, pool_deals: int = 2, warm: Warm = compiled_in_time) -> AsyncIterator[None]:
    """One dealer, serving until the block ends."""
    async with serving(partial(run, warm=warm), "dealer", DealerSettings(pool_deals=pool_deals), nc, log):
        yield


async def take(nc: Client, variant: str = "draw1", player_seed: str = "") -> WinnableAnswer:
    """Asks for a secret as game-state does."""
    request = encode(TakeWinnable(variant=variant, player_seed=player_seed))
    message = await nc.request(subjects.WINNABLE_SECRETS, request, timeout=ANSWER_SECONDS)
    return msgspec.msgpack.decode(message.data, type=WinnableAnswer)


async def ask_verdict(nc: Client, game: GameId, player: PlayerId = PLAYER) -> VerdictAnswer:
    """Asks for a verdict as the gateway does."""
    request = encode(FetchVerdict(game=game, player=player))
    message = await nc.request(subjects.VERDICTS, request, timeout=ANSWER_SECONDS)
    return msgspec.msgpack.decode(message.data, type=VerdictAnswer)


def winnable_game(variant: str = "draw1", player_seed: str = "", player: PlayerId = PLAYER) -> StartGame:
    """The command of a new game that can be won."""
    new = clock.new_command_id()
    return StartGame(
        id=new,
        game=new_game_id(player, new),
        player=player,
        version=0,
        variant=variant,
        scoring="standard",
        mode="relaxed",
        deal=WinnableDeal(player_seed=player_seed),
    )


def secret_of(answer: WinnableAnswer) -> bytes:
    assert isinstance(answer, WinnableSecret), answer
    return bytes.fromhex(answer.secret)


def verdict_of(answer: VerdictAnswer) -> GameVerdict:
    assert isinstance(answer, GameVerdict), answer
    return answer


def code_of(answer: WinnableAnswer | VerdictAnswer) -> str:
    assert isinstance(answer, RequestRefused), answer
    return answer.error.code
