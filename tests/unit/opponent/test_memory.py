"""What the computer remembers is exactly what a player who watched could know, and what it asks for is legal."""

import random

import pytest

from services.opponent import choice, memory
from shared.game.view import view_of
from shared.messages.knowledge import knowledge
from shared.rules.moves import parse_move
from tests.duels import DuelPlay, new_duel
from tests.play import command_id

MOVES = 160


def known_by_rules(duel: DuelPlay, who: int) -> object:
    seat = duel.game.seats[who]
    return knowledge(seat.table, frozenset(seat.seen))


@pytest.mark.parametrize("variant", ["double", "double-mini"])
@pytest.mark.parametrize("seed", range(6))
def test_memory_is_what_was_seen_and_where_it_lies(variant: str, seed: int) -> None:
    """Between two looks the own side makes one move at most, the other any number."""
    chance = random.Random(seed)
    duel = new_duel(variant, deal=chance.randbytes(32))
    remembered = memory.first(view_of(duel.game, 1))
    for _ in range(MOVES):
        for who in chance.choice([(1,), (0,), (0, 1), (0, 0, 1), ()]):
            legal = duel.legal(who)
            if legal and not duel.game.over:
                turns = [text for text in legal if text in ("draw", "recycle")]
                duel.must(who, chance.choice(turns or legal) if chance.random() < 0.7 else chance.choice(legal))
        view = view_of(duel.game, 1)
        remembered = memory.after(remembered, view)
        assert memory.knowledge(remembered, view) == known_by_rules(duel, 1)


def test_who_lost_sight_of_a_game_knows_less_and_nothing_wrong() -> None:
    duel = new_duel("double-mini", deal=3)
    remembered = memory.first(view_of(duel.game, 1))
    for _ in range(2):
        while "draw" in duel.legal(1):
            duel.must(1, "draw")
        duel.must(1, "recycle")
    view = view_of(duel.game, 1)
    assert memory.after(remembered, view).stock == (None,) * view.stock


@pytest.mark.parametrize("variant", ["double", "double-mini"])
@pytest.mark.parametrize("deal", [1, 2, 3])
def test_a_game_by_the_rules_preferences_ends(variant: str, deal: int) -> None:
    """Each move is legal, and after a bounded number of them nothing leads on, or all is up."""
    duel = new_duel(variant, deal=deal)
    remembered = memory.first(view_of(duel.game, 1))
    for _ in range(600):
        view = view_of(duel.game, 1)
        remembered = memory.after(remembered, view)
        text = choice.next_text(view, memory.knowledge(remembered, view)) if choice.plays(view) else None
        if text is None:
            break
        assert text in view.legal
        duel.must(1, text)
        command = choice.command_of(parse_move(text), view, command_id(1))
        assert (command.game, command.version) == (view.game, view.version)
    else:
        pytest.fail("the computer runs in a circle")
