"""The table in cells: every card that is open is seen and can be pressed, whatever the game and the terminal."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.cli.playing.choosing import Place, best_move, cards_of, columns_of, next_up, top, up_move
from services.cli.playing.faces import Signs
from services.cli.playing.layout import FAN, Layout, Size, lay_out, least
from services.cli.playing.painting import Marks, paint
from services.cli.playing.profile import Look
from shared.game.view import view_of
from shared.messages.views import View
from shared.rules.moves import MoveCards, parse_move
from shared.rules.piles import foundation
from shared.rules.variants import SOLO
from tests.play import new_play


def played(variant: str, deal: int, moves: int) -> View:
    """A game after some moves at random."""
    play, chance = new_play(variant=variant, deal=deal), Random(deal)
    for _ in range(moves):
        legal = view_of(play.game).legal
        if not legal:
            break
        play.must(chance.choice(legal))
    return view_of(play.game)


positions = st.builds(played, st.sampled_from(sorted(SOLO)), st.integers(0, 999), st.integers(0, 40))
rooms = st.tuples(st.integers(43, 160), st.integers(14, 60))


def laid(view: View, room: tuple[int, int]) -> Layout:
    needed = least(view)
    return lay_out(view, Size(max(room[0], needed.width), max(room[1], needed.height)))


@given(positions, rooms)
def test_every_open_card_of_the_tableau_is_seen_and_found_where_it_is_pressed(
    view: View, room: tuple[int, int]
) -> None:
    layout = laid(view, room)
    for pile in columns_of(view):
        for index, card in enumerate(cards_of(view, pile)):
            slip = layout.of(Place(pile, index, card))
            found = layout.at(slip.x, slip.y)
            assert found is not None
            assert found.place == Place(pile, index, card)
            below = layout.at(slip.x, slip.y + 40)
            assert below is not None
            assert below.place == top(view, pile)


@given(positions, rooms)
def test_nothing_lies_outside_the_terminal_or_over_another_pile(view: View, room: tuple[int, int]) -> None:
    layout = laid(view, room)
    assert layout.width <= max(room[0], least(view).width)
    cells: dict[tuple[int, int], str] = {}
    for slip in layout.slips:
        assert slip.x >= 1, "the marks have a place"
        for x in range(slip.x, slip.x + slip.size.width):
            for y in range(slip.y, slip.y + slip.rows):
                assert cells.setdefault((x, y), slip.spot) == slip.spot


@given(positions, rooms, st.booleans())
def test_what_is_painted_shows_the_cards_and_only_plain_characters_where_asked(
    view: View, room: tuple[int, int], plain: bool
) -> None:
    layout, signs = laid(view, room), Signs(Look(signs="ascii" if plain else "unicode"))
    width, height = max(room[0], layout.width), max(room[1], layout.height)
    canvas = paint(layout, view, Marks(cursor="S"), signs, width, height)
    rows = ["".join(segment.text for segment in canvas.row(y)) for y in range(height)]
    assert {len(row) for row in rows} == {width}
    for pile in (*columns_of(view), *map(foundation, range(len(view.foundations)))):
        if place := top(view, pile):
            slip = layout.of(place)
            assert rows[slip.y][slip.x + 1 :].startswith(signs.name(place.card))
    assert all(row.isascii() for row in rows) == plain


def test_of_three_drawn_cards_all_are_seen_and_only_the_last_is_whole() -> None:
    view = view_of(new_play(variant="draw3", deal=7).must("draw", "draw").game)
    layout = laid(view, (80, 24))
    slips = [slip for slip in layout.slips if slip.spot == "W"]
    assert [slip.card for slip in slips] == list(view.waste[-3:])
    assert [slip.x - slips[0].x for slip in slips] == [0, FAN, 2 * FAN]


@given(positions)
def test_what_a_card_is_sent_to_is_legal_and_up_if_it_goes(view: View) -> None:
    for pile in ("W", *columns_of(view)):
        for index, card in enumerate(cards_of(view, pile)):
            place = Place(pile, index, card)
            best, up = best_move(view, place), up_move(view, place)
            assert up is None or best == up
            if best is not None:
                count = len(cards_of(view, pile)) - index
                assert (best.source, best.count) == (pile, count)
                assert best in [parse_move(text) for text in view.legal]


def test_a_foundation_gives_nothing_back_unless_it_is_said_where_to() -> None:
    view = view_of(new_play(deal=1673).must("T5>F2").game)
    place = top(view, "F2")
    assert place is not None
    assert best_move(view, place) is None


def test_the_lowest_card_goes_up_first() -> None:
    view = view_of(new_play(deal=1673).game)
    place = next_up(view)
    assert place == Place("T5", 0, "AD")
    assert up_move(view, place) == MoveCards(source="T5", target="F2")


@pytest.mark.parametrize("variant", SOLO)
def test_every_variant_fits_a_usual_terminal(variant: str) -> None:
    needed = least(view_of(new_play(variant=variant, deal=1).game))
    assert needed.width <= 80
    assert needed.height <= 21
