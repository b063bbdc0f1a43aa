"""Asking whether a game can still be won: over the socket, through game-state and the queue, to a worker and back."""

import itertools
from functools import partial

import pytest

from services.solver_worker.app import run
from shared import clock
from shared.logs import Log
from shared.messages.chances import Chances, Estimate, Lost
from shared.messages.commands import NumberedDeal
from shared.messages.events import ChancesGiven
from shared.messages.frames import NewGame, Repeated, StepFrame
from shared.rules.deal import numbered_deck
from shared.rules.moves import parse_move
from shared.rules.table import lay_out
from shared.rules.variants import VARIANTS, Variant
from shared.settings import SolverWorkerSettings
from shared.solver.hints import best_hint
from tests.boards import DRAW3, Playing, legal_texts
from tests.conftest import ConnectAs
from tests.integration.gateway import Running, code, made, player
from tests.integration.services import compiled_in_time, serving

run_worker = partial(run, warm=compiled_in_time)


def told(step: StepFrame) -> Chances:
    (event,) = step.events
    assert isinstance(event, ChancesGiven)
    return event.chances


def stuck_game() -> tuple[int, list[str]]:
    """A numbered deal and the moves to where hints end without a win."""
    for number in itertools.count(1):
        playing, texts = Playing(lay_out(numbered_deck(number, decks=1), DRAW3), DRAW3), list[str]()
        while hint := best_hint(playing.known(), legal_texts(playing.known(), DRAW3), DRAW3):
            playing.play(parse_move(hint.move))
            texts.append(hint.move)
        if not playing.won:
            return number, texts
    raise AssertionError


async def test_chances_are_told_once_and_are_help(at: Running, connect_as: ConnectAs, log: Log) -> None:
    worker = serving(run_worker, "solver-worker", SolverWorkerSettings(), await connect_as("solver-worker"), log)
    async with worker, player(at) as one:
        before = await one.new_game()
        frame = one.frame("chances")
        step = made(await one.ask(frame))
        assert isinstance(told(step), Estimate)
        assert (before.assisted, step.view.assisted) == (False, True)
        assert step.view.legal == before.legal
        repeated = await one.ask(frame)
        assert isinstance(repeated, Repeated)
        assert repeated.version == step.version == 2


async def test_a_player_who_is_stuck_is_told_so(at: Running, connect_as: ConnectAs, log: Log) -> None:
    number, texts = stuck_game()
    worker = serving(run_worker, "solver-worker", SolverWorkerSettings(), await connect_as("solver-worker"), log)
    async with worker, player(at) as one:
        await one.ask(NewGame(id=clock.new_command_id(), variant="draw3", deal=NumberedDeal(number=number)))
        for text in texts:
            made(await one.play(text))
        assert isinstance(told(made(await one.play("chances"))), Lost)


async def test_nobody_can_tell_of_a_variant_that_the_solver_does_not_play(
    at: Running, connect_as: ConnectAs, log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is refused, and is no help."""
    monkeypatch.setitem(VARIANTS, "many", Variant(id="many", passes=9))
    worker = serving(run_worker, "solver-worker", SolverWorkerSettings(), await connect_as("solver-worker"), log)
    async with worker, player(at) as one:
        await one.ask(NewGame(id=clock.new_command_id(), variant="many"))
        assert code(await one.play("chances")) == "no-chances"
        assert not made(await one.play("draw")).view.assisted
