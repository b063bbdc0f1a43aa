"""Games for two at random: every card once, the log alone gives the state, and nobody sees what lies face down."""

import random

import pytest

from services.cli.auditing.report import Report, build
from shared import subjects
from shared.bus.snapshots import pack_snapshot, unpack_snapshot
from shared.game.state import Game
from shared.game.view import announced, step_of, view_of
from shared.messages.codec import encode
from shared.messages.views import View
from shared.rules.cards import DECK, Card
from shared.rules.table import EMPTY, Column, Table, all_cards, cards_up
from tests.duels import DuelPlay, new_duel, on_tables, random_duel
from tests.play import rebuilt
from tests.tampering import Copy, kept

FOR_TWO = ("double", "double-mini")
SEEDS = range(6)
COMMANDS = 250
WHO = (0, 1, None)


def own_cards(table: Table) -> list[Card]:
    """What lies on one side alone."""
    return all_cards(Table(table.columns, (EMPTY,) * len(table.foundations), table.stock, table.waste))


@pytest.mark.parametrize("variant", FOR_TWO)
@pytest.mark.parametrize("seed", SEEDS)
def test_every_card_is_there_once_for_each_player_and_the_log_alone_gives_the_game(variant: str, seed: int) -> None:
    duel = random_duel(seed, commands=COMMANDS, variant=variant)
    tables = [seat.table for seat in duel.game.seats]
    if variant == "double":
        assert tables[0].foundations == tables[1].foundations
        ups = [card for pile in tables[0].foundations for card in pile]
        assert sorted([*ups, *own_cards(tables[0]), *own_cards(tables[1])]) == sorted(DECK * 2)
        assert sum(cards_up(table, duel.game.variant) for table in tables) == len(ups)
    else:
        assert all(sorted(all_cards(table)) == sorted(DECK) for table in tables)
    assert encode(rebuilt(duel.deal, duel.stored)) == encode(duel.logged)
    assert unpack_snapshot(duel.game.game, pack_snapshot(duel.logged)) == duel.logged


@pytest.mark.parametrize("variant", FOR_TWO)
@pytest.mark.parametrize("seed", SEEDS)
def test_what_was_played_audits_clean_and_what_was_altered_does_not(variant: str, seed: int) -> None:
    duel = random_duel(seed, commands=60, variant=variant).must(0, *resigning(0, seed)).must(1, *resigning(1, seed))
    report = audit(duel, duel.stored)
    assert (report.findings, report.clean) == ((), True)
    assert report.status == duel.game.status
    chosen = random.Random(seed).randrange(1, len(duel.stored) - 1)
    assert not audit(duel, [*duel.stored[:chosen], *duel.stored[chosen + 1 :]]).clean


def resigning(who: int, seed: int) -> tuple[str, ...]:
    return ("resign",) if seed % 2 == who else ()


def audit(duel: DuelPlay, stored: list[bytes]) -> Report:
    game = duel.game.game
    messages = ((subjects.sealed_deal(game), duel.deal), *((subjects.game_log(game), one) for one in stored))
    return build(game, kept(Copy(game, messages, None, None)), boards=True, reveal=False)


@pytest.mark.parametrize("variant", FOR_TWO)
def test_deals_that_differ_in_unseen_cards_look_the_same_to_both_and_to_who_watches(variant: str) -> None:
    """Two unseen cards of one side are exchanged: until one is turned up, nothing that is sent differs."""
    compared = 0
    for seed in range(12):
        chance = random.Random(seed)
        duel = new_duel(variant, deal=chance.randbytes(32))
        side = chance.randrange(2)
        seat = duel.game.seats[side]
        pair = chance.sample([card for card in own_cards(seat.table) if card not in seat.seen], 2)
        tables = [one.table for one in duel.game.seats]
        tables[side] = exchanged(tables[side], *pair)
        twin = on_tables(duel, *tables)
        for _ in range(60):
            assert [encode(view_of(duel.game, who)) for who in WHO] == [encode(view_of(twin.game, who)) for who in WHO]
            who = chance.randrange(2)
            text = chance.choice(duel.legal(who) or ("resign",))
            duel.must(who, text)
            if not set(pair).isdisjoint(duel.game.seats[side].seen) or duel.game.over:
                break
            twin.must(who, text)
            assert sent(duel) == sent(twin)
            compared += 1
    assert compared > 100


def sent(duel: DuelPlay) -> bytes:
    """What the feed says of the newest version."""
    return encode(announced(duel.game, step_of(duel.game, duel.records[-1])))


def exchanged(table: Table, one: Card, other: Card) -> Table:
    swap = {one: other, other: one}

    def cards(pile: tuple[Card, ...]) -> tuple[Card, ...]:
        return tuple(swap.get(card, card) for card in pile)

    columns = tuple(Column(cards(column.down), cards(column.up)) for column in table.columns)
    return Table(columns, table.foundations, cards(table.stock), cards(table.waste), table.pass_number)


@pytest.mark.parametrize("variant", FOR_TWO)
def test_a_view_has_nothing_of_the_other_side_but_what_lies_open(variant: str) -> None:
    game = random_duel(3, commands=80, variant=variant).game
    for who in (0, 1):
        assert open_cards(view_of(game, who)) == face_up(game)


def open_cards(view: View) -> list[Card]:
    assert view.duel
    other = view.duel.opponent
    assert other is not None
    piles = [*view.foundations, view.waste, other.waste, *(column.up for column in (*view.columns, *other.columns))]
    if not view.duel.shared:
        piles += other.foundations
    return sorted(card for pile in piles for card in pile)


def face_up(game: Game) -> list[Card]:
    tables = [seat.table for seat in game.seats]
    foundations = tables[0].foundations if game.variant.shares_foundations else sum((t.foundations for t in tables), ())
    piles = [*foundations, *(column.up for table in tables for column in table.columns), *(t.waste for t in tables)]
    return sorted(card for pile in piles for card in pile)
