"""The line of play that counts: what stands at the end."""

import pytest

from shared.game.line import Made, standing_line
from shared.rules.moves import Draw
from shared.rules.variants import SOLO
from tests.play import new_play, random_play


@pytest.mark.parametrize("variant", SOLO)
@pytest.mark.parametrize("seed", range(4))
def test_the_line_is_what_the_games_own_state_has_done(seed: int, variant: str) -> None:
    """Two folds of the same events, written apart, agree after every record."""
    play = random_play(seed, commands=120, variant=variant)
    line = standing_line((record.version, record.events) for record in play.records)
    assert [made.move for made in line] == [done.move for done in play.game.seat.done]
    assert all(0 < made.version <= play.game.version for made in line)
    assert [made.version for made in line] == sorted(made.version for made in line)


def test_what_was_taken_back_is_left_out_and_what_was_made_again_is_of_its_newest_version() -> None:
    play = new_play().must("draw", "draw", "undo", "redo", "undo", "hint draw", "resign")
    line = standing_line((record.version, record.events) for record in play.records)
    assert line == (Made(2, Draw()),)
    play = new_play().must("draw", "draw", "undo", "redo")
    line = standing_line((record.version, record.events) for record in play.records)
    assert line == (Made(2, Draw()), Made(5, Draw()))


def test_a_new_move_ends_what_could_be_made_again() -> None:
    play = new_play().must("draw", "draw", "undo", "undo", "draw")
    assert standing_line((record.version, record.events) for record in play.records) == (Made(6, Draw()),)
