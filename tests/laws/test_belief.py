"""What a player knows, held to every deal that answers the same commands with the same bytes."""

import itertools
import random
from collections import Counter

import msgspec
import pytest

from shared.game.rebuild import Logged
from shared.game.view import knowledge_of, past_step, step_of, view_of
from shared.messages.codec import encode
from shared.messages.errors import Error
from shared.messages.knowledge import knowledge
from shared.rules.cards import DECK, KING, SUITS, Card, rank
from shared.rules.deal import numbered_deck
from shared.rules.legal import legal_moves
from shared.rules.table import Column, Table, apply, lay_out
from shared.rules.variants import VARIANTS, Variant
from shared.solver import belief
from shared.solver.belief import UNSEEN, Chance, lay_known, new_chance, sample, seen_after, seen_at_deal, table_of
from shared.solver.decide import new_world
from shared.solver.flat import unsupported
from tests.play import Play, new_play, on_table, random_text

PLAYED = [
    variant for variant in VARIANTS.values() if unsupported(lay_out(DECK * variant.decks, variant), variant) is None
]
OTHERS = [
    Variant(id="few-passes", draw=3, passes=2, foundation_give_back=False),
    Variant(id="one-pass", passes=1),
    Variant(id="all-open", faces="all", passes=3),
]
"""A variant is a row, and nothing here may depend on which."""
SMALL_GAMES = 5
SMALL_COMMANDS = 40
FACE_DOWN, IN_STOCK = 2, 3
GAMES = 6
COMMANDS = 80
P_999: dict[int, float] = {23: 49.728, 44: 78.750}
"""The chi-square distribution's quantile for 99.9 %, by degrees of freedom."""


@pytest.fixture(params=PLAYED + OTHERS, ids=lambda variant: variant.id)
def variant(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of a variant of one deck."""
    monkeypatch.setitem(VARIANTS, request.param.id, request.param)
    return str(request.param.id)


def test_exactly_the_deals_with_the_same_public_history_are_believed_possible(variant: str) -> None:
    """Every way to lay the cards that are hidden at first is played along; those that answer differently drop out."""
    shrunk = 0
    for seed in range(SMALL_GAMES):
        chance = random.Random(f"{variant} {seed}")
        play, alike = small_game(chance, variant)
        before = len(alike)
        for _ in range(SMALL_COMMANDS):
            text = random_text(play, chance)
            said = answer(play, text)
            alike = [other for other in alike if answer(other, text) == said]
            possible = list(belief.worlds(knowledge_of(play.game)))
            assert len(possible) == len(set(possible)) == belief.count(knowledge_of(play.game))
            assert set(possible) == {other.game.seat.table for other in alike}
        shrunk += len(alike) < before
    assert shrunk > SMALL_GAMES / 2, "too few games showed a card: the test could hardly have failed"


def small_game(chance: random.Random, variant: str) -> tuple[Play, list[Play]]:
    """A game that begins with most cards up, and the same game for every order of its hidden cards."""
    heights = [chance.randint(9, 11) for _ in SUITS]
    cards = [card for card in DECK if rank(card) > heights[SUITS.index(card[1])]]
    chance.shuffle(cards)
    hidden, faces = cards[: FACE_DOWN + IN_STOCK], cards[FACE_DOWN + IN_STOCK :]
    foundations = tuple(DECK[KING * suit : KING * suit + height] for suit, height in enumerate(heights))
    open_columns = tuple(Column((), tuple(faces[place : place + 1])) for place in range(FACE_DOWN, 7))
    waste = tuple(faces[7:])

    def begun(order: tuple[Card, ...]) -> Play:
        downs = tuple(Column((order[place],), (faces[place],)) for place in range(FACE_DOWN))
        table = Table(downs + open_columns, foundations, order[FACE_DOWN:], waste)
        play = on_table(new_play(variant=variant, deal=1), table)
        seat = msgspec.structs.replace(play.game.seat, seen=tuple(sorted(seen_at_deal(table))))
        game = msgspec.structs.replace(play.game, seats=(seat,))
        play.logged = Logged(game, play.logged.hash, play.logged.sequence)
        return play

    return begun(tuple(hidden)), [begun(order) for order in itertools.permutations(hidden)]


def answer(play: Play, text: str) -> tuple[bytes, ...]:
    """Does a command. All that leaves the core: the answer, and, unless it is refused, the record and what it shows."""
    events = play.do(text)
    if isinstance(events, Error):
        return (encode(events),)
    record = play.records[-1]
    return tuple(map(encode, (events, view_of(play.game), step_of(play.game, record), past_step(record), record)))


def test_a_sampled_world_gives_the_same_public_history_again(variant: str) -> None:
    """Dealt from the start, it answers every command so far with the very same bytes."""
    for seed in range(GAMES):
        chance = random.Random(f"{variant} {seed}")
        play = new_play(variant=variant, deal=chance.randbytes(32))
        start = play.game.seat.table
        texts = []
        said = []
        for _ in range(chance.randrange(COMMANDS)):
            texts.append(random_text(play, chance))
            said.append(answer(play, texts[-1]))
        world = sampled(play, new_chance(seed))
        there = new_play(variant=variant, deal=bytes.fromhex(play.game.secret))
        again = on_table(there, changed(start, play.game.seat.table, world))
        assert [answer(again, text) for text in texts] == said
        assert again.game.seat.table == world


def sampled(play: Play, chance: Chance) -> Table:
    known, (template, world) = knowledge_of(play.game), (new_world(), new_world())
    lay_known(known, template)
    sample(template, chance, world)
    return table_of(world, known)


def changed(start: Table, now: Table, other: Table) -> Table:
    """The deal that leads to the other table as `start` leads to this one: each card's place holds the other's card."""
    instead = dict(zip(in_order(now), in_order(other), strict=True))
    columns = tuple(
        Column(tuple(instead[card] for card in column.down), tuple(instead[card] for card in column.up))
        for column in start.columns
    )
    return Table(columns, start.foundations, tuple(instead[card] for card in start.stock))


def in_order(table: Table) -> list[Card]:
    piles = [*table.foundations, table.stock, table.waste, *(column.down + column.up for column in table.columns)]
    return [card for pile in piles for card in pile]


def test_knowledge_outside_the_service_is_the_same(variant: str) -> None:
    """`knowledge` of a table and the cards seen says what game-state says of the game."""
    for seed in range(GAMES):
        chance = random.Random(seed)
        play = new_play(variant=variant, deal=seed)
        seen = seen_at_deal(play.game.seat.table)
        for _ in range(COMMANDS):
            _ = play.do(random_text(play, chance))
            seen = seen_after(seen, play.game.seat.table)
            assert knowledge(play.game.seat.table, seen) == knowledge_of(play.game)


def test_a_known_stock_leaves_the_tableau_alone_in_doubt() -> None:
    table = lay_out(numbered_deck(1, decks=1), VARIANTS["draw3"])
    known = knowledge(table, seen_at_deal(table, stock_known=True))
    assert known.stock == table.stock
    assert set(belief.unseen(known)) == {card for column in table.columns for card in column.down}


@pytest.mark.parametrize("downs", [0, 1, 2, 3, 4])
def test_every_world_is_equally_likely(downs: int) -> None:
    """Pearson's chi-square test over all 24 worlds of four unseen cards, in columns and stock, known ones between."""
    table = lay_out(numbered_deck(downs, decks=1), VARIANTS["draw1"])
    hidden = [*table.columns[6].down[1 : downs + 1], *table.stock[3 : 11 - 2 * downs : 2]]
    known = knowledge(table, frozenset(DECK) - set(hidden))
    template, world, chance = new_world(), new_world(), new_chance(downs)
    lay_known(known, template)
    found: Counter[Table] = Counter()
    draws = 24_000
    for _ in range(draws):
        sample(template, chance, world)
        found[table_of(world, known)] += 1
    assert set(found) == set(belief.worlds(known))
    assert sum((times - draws / 24) ** 2 for times in found.values()) / (draws / 24) < P_999[23]


@pytest.mark.parametrize(("column", "place"), [(1, 0), (6, 5), (-1, 0), (-1, 23)])
def test_every_card_is_equally_likely_in_every_place(column: int, place: int) -> None:
    """The same test for one place of an untouched deal, over the 45 cards that may lie there."""
    table = lay_out(numbered_deck(1, decks=1), VARIANTS["draw1"])
    template, world, chance = new_world(), new_world(), new_chance(place)
    lay_known(knowledge(table, seen_at_deal(table)), template)
    pile, holes = (world.stock, template.stock) if column < 0 else (world.columns[column], template.columns[column])
    assert holes[place] == UNSEEN
    draws = 45_000
    found: Counter[int] = Counter()
    for _ in range(draws):
        sample(template, chance, world)
        found[int(pile[place])] += 1
    assert len(found) == 45
    assert sum((times - draws / 45) ** 2 for times in found.values()) / (draws / 45) < P_999[44]


def test_the_same_chance_gives_the_same_worlds() -> None:
    """And another one gives others."""
    table = lay_out(numbered_deck(1, decks=1), VARIANTS["draw3"])
    for move in legal_moves(table, VARIANTS["draw3"])[:1]:
        table = apply(table, move, VARIANTS["draw3"]).table
    template, world = new_world(), new_world()
    known = knowledge(table, seen_at_deal(table))
    lay_known(known, template)

    def worlds(number: int) -> list[Table]:
        chance = new_chance(number)
        found = []
        for _ in range(5):
            sample(template, chance, world)
            found.append(table_of(world, known))
        return found

    assert worlds(2**64 - 1) == worlds(2**64 - 1)
    assert not set(worlds(1)) & set(worlds(2))
