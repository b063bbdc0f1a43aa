"""The computer is patient: who leaves a game against it has a day to come back, and misses nothing meanwhile."""

import pytest

from services.opponent import choice
from shared.game.decide import decide
from shared.game.view import view_of
from shared.messages.commands import PauseGame
from shared.messages.errors import Error
from shared.messages.views import View
from tests.duels import PLAYERS, DuelPlay, new_duel
from tests.play import command_id

FOR_TWO = ("double", "double-mini")


def deserted(variant: str) -> DuelPlay:
    """A game that its host has just left."""
    duel = new_duel(variant)
    game = duel.game
    leave = PauseGame(
        id=command_id(game.version + 1), game=game.game, player=PLAYERS[0], version=game.version, reason="absence"
    )
    events = decide(game, leave, at=game.at)
    assert not isinstance(events, Error)
    duel.append(PLAYERS[0], events, game.at)
    return duel


def claim_at(view: View) -> int:
    assert view.duel
    assert view.duel.opponent
    assert view.duel.opponent.claim_at is not None
    return view.duel.opponent.claim_at


@pytest.mark.parametrize("variant", FOR_TWO)
def test_an_absence_is_claimed_a_day_after_it_could_be(variant: str) -> None:
    view = view_of(deserted(variant).game, 1)
    due = claim_at(view) + 24 * 60 * 60 * 1000
    assert [choice.claimable(view, at) for at in (claim_at(view), due - 1, due)] == [False, False, True]
    assert not choice.claimable(view_of(new_duel(variant).game, 1), due)


@pytest.mark.parametrize("variant", FOR_TWO)
def test_it_waits_for_who_is_away_and_not_for_who_is_there_or_has_given_up(variant: str) -> None:
    there, away = new_duel(variant), deserted(variant)
    assert [choice.waits(view_of(duel.game, 1)) for duel in (there, away)] == [False, True]
    assert not choice.waits(view_of(away.must(0, "resign").game, 1))
    assert not choice.waits(view_of(new_duel(variant).must(0, "resign").game, 1))
