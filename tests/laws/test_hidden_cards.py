"""Hidden cards change nothing that leaves the core: neither answers, nor events, nor views, nor what solvers know.

Two games that differ only in where two cards lie that were never seen get the same commands. Until one of these cards
shows, every byte that the two give is the same.
"""

import itertools
import random

import msgspec
import pytest

from shared.game.state import Game
from shared.game.view import knowledge_of, past_step, step_of, view_of
from shared.messages.codec import encode
from shared.messages.errors import Error
from shared.rules.cards import DECK, Card
from shared.rules.table import Column, Table
from shared.rules.variants import SOLO
from tests.laws.naive_rules import every_conceivable_move
from tests.play import Play, new_play, on_table, random_text

CONCEIVABLE = every_conceivable_move()
GAMES = 40
COMMANDS = 120
TWO_DECK_GAMES = 6


def test_games_that_differ_in_unseen_cards_alone_cannot_be_told_apart() -> None:
    told_apart = 0
    for seed in range(GAMES):
        chance = random.Random(seed)
        play = new_play(
            variant=chance.choice([*SOLO]),
            mode=chance.choice(["ranked", "relaxed"]),
            deal=chance.randbytes(32),
        )
        while play.game.version < COMMANDS and len(unseen(play.game)) >= 2:
            twin, pair = twin_of(play, chance)
            assert encode(twin.game) != encode(play.game)
            told_apart += played_alike(play, twin, pair, chance)
    assert told_apart > GAMES, "too few swapped cards ever showed: the test could hardly have failed"


def played_alike(play: Play, twin: Play, pair: tuple[Card, Card], chance: random.Random) -> bool:
    """Plays both alike until a swapped card shows or the game is old. Whether one did show."""
    while play.game.version < COMMANDS:
        text = chance.choice(CONCEIVABLE) if chance.random() < 0.2 else random_text(play, chance)
        events, others = play.do(text), twin.do(text)
        if not isinstance(events, Error) and names(events, pair):
            return True
        assert encode(events) == encode(others)
        for one, other in zip(all_that_leaves(play), all_that_leaves(twin), strict=True):
            assert one == other
    return False


def all_that_leaves(play: Play) -> tuple[bytes, ...]:
    game, record = play.game, play.records[-1]
    # The chain's hashes of both games are the same too: they cover events, never the table.
    parts = (view_of(game), step_of(game, record), past_step(record), knowledge_of(game), record)
    return tuple(map(encode, parts))


def twin_of(play: Play, chance: random.Random) -> tuple[Play, tuple[Card, Card]]:
    """The same game with two unseen cards changed over."""
    one, other = chance.sample(unseen(play.game), 2)
    swapped = {one: other, other: one}

    def changed(cards: tuple[Card, ...]) -> tuple[Card, ...]:
        return tuple(swapped.get(card, card) for card in cards)

    table = play.game.seat.table
    columns = tuple(Column(changed(column.down), column.up) for column in table.columns)
    hidden = Table(columns, table.foundations, changed(table.stock), table.waste, table.pass_number)
    return on_table(play, hidden), (one, other)


def unseen(game: Game) -> list[Card]:
    seen = set(game.seat.seen)
    return [card for card in DECK if card not in seen]


def names(message: object, cards: tuple[Card, ...]) -> bool:
    text = msgspec.json.encode(message)
    return any(f'"{card}"'.encode() in text for card in cards)


Place = tuple[int, int]
"""A hidden place: the index of a column, or -1 for the stock, and how many cards lie below."""


@pytest.mark.parametrize("variant", [name for name, rules in SOLO.items() if rules.decks == 2])
def test_with_two_decks_a_hidden_card_is_not_given_away_by_its_twin(variant: str) -> None:
    """Two hidden cards change places, seen or not what equals them: until one of the places shows, no byte differs.

    In ranked games, where no card is hidden again.
    """
    twins_seen = 0
    for seed in range(TWO_DECK_GAMES):
        chance = random.Random(seed)
        play = new_play(variant=variant, mode="ranked", deal=chance.randbytes(32))
        while len(hidden_places(play.game.seat.table)) >= 2 and play.game.version < COMMANDS:
            changed = chance.sample(hidden_places(play.game.seat.table), 2)
            twin = on_table(play, exchanged(play.game.seat.table, *changed))
            while hides(play, changed) and play.game.version < COMMANDS:
                assert all_that_leaves(play) == all_that_leaves(twin)
                twins_seen += any(card_at(play.game.seat.table, place) in play.game.seat.seen for place in changed)
                text = chance.choice(play.legal())
                events, others = play.do(text), twin.do(text)
                assert encode(events) == encode(others) or not hides(play, changed)
            if play.game.status != "running":
                break
    assert twins_seen > TWO_DECK_GAMES, "no swapped card had a twin that was seen: the test could hardly have failed"


def hides(play: Play, places: list[Place]) -> bool:
    """Whether a game that goes on does not show these places."""
    return play.game.status == "running" and set(places) <= set(hidden_places(play.game.seat.table))


def hidden_places(table: Table) -> list[Place]:
    columns = [(index, below) for index, column in enumerate(table.columns) for below in range(len(column.down))]
    return columns + [(-1, below) for below in range(len(table.stock))]


def card_at(table: Table, place: Place) -> Card:
    index, below = place
    return table.stock[below] if index < 0 else table.columns[index].down[below]


def exchanged(table: Table, one: Place, other: Place) -> Table:
    """The table with the cards of two hidden places changed over."""
    cards = {one: card_at(table, other), other: card_at(table, one)}

    def pile(index: int, there: tuple[Card, ...]) -> tuple[Card, ...]:
        return tuple(cards.get((index, below), card) for below, card in enumerate(there))

    columns = tuple(Column(pile(index, column.down), column.up) for index, column in enumerate(table.columns))
    return msgspec.structs.replace(table, columns=columns, stock=pile(-1, table.stock))


def test_the_sealed_deal_is_the_only_message_that_holds_the_secret_while_a_game_runs() -> None:
    """The end reveals it, once, so that everybody can deal the game again."""
    play = new_play(deal=bytes(range(100, 132)))
    secret = play.sealed.secret.encode()
    _ = play.must("draw", "draw", "undo")
    assert secret in play.deal
    assert not any(secret in encode(record) for record in play.records)
    assert secret not in encode(view_of(play.game))
    _ = play.must("resign")
    assert secret in encode(play.records[-1])
    assert view_of(play.game).secret.encode() == secret


def test_a_card_seen_and_covered_again_is_known_and_not_shown() -> None:
    """Undo does not unsee, and the view does not show what lies face down again."""
    play = next(play for play in map(turned_up_at_once, itertools.count()) if play is not None)
    seen = play.game.seat.seen[-1]
    assert names(view_of(play.game), (seen,))
    _ = play.must("undo")
    assert not names(view_of(play.game), (seen,))
    assert names(knowledge_of(play.game), (seen,))


def turned_up_at_once(number: int) -> Play | None:
    """A game in which the first move turned a card up; None where a deal offers no such move."""
    play = new_play(deal=number)
    before = len(play.game.seat.seen)
    for text in play.legal():
        if text.startswith("T"):
            _ = play.must(text)
            return play if len(play.game.seat.seen) > before else None
    return None
