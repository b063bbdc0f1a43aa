"""Whole games as text, and the number of ways a game can begin: written once, true for years."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from services.cli.auditing.report import build
from shared import subjects
from shared.game.view import view_of
from shared.messages.codec import encode
from shared.messages.commands import NumberedDeal
from shared.messages.events import CardsMoved
from shared.rules import deal
from shared.rules.legal import legal_moves
from shared.rules.table import Table, apply, lay_out
from shared.rules.variants import SOLO, Variant
from tests.laid import script
from tests.laws.naive_rules import NaiveTable, naive_rules
from tests.play import Play, new_play, rebuilt
from tests.tampering import Copy, kept

HERE = Path(__file__).parent
NAIVE_DEPTH_MAX = 3
"""The naive rules have made all of the golden counts; to make the deep ones again takes them too long."""
WON = {name: HERE / f"{name}-win.txt" for name in SOLO}
LOST = {name: HERE / f"{name}-lost.txt" for name in SOLO}
"""Where the stock comes round for ever a draw or a recycle is left until it is empty, and the game with it. Hundreds of
thousands of shuffled games did not end so: there decks are laid by hand."""
PLAYED = [(name, scoring) for name, variant in SOLO.items() for scoring in variant.scorings]


def points_of(texts: list[str], scoring: str, turned_up: int) -> int:
    """What a whole game brings, counted from the rules' table of points without looking at the cards."""
    made = Counter("".join(letter for letter in text if letter in "TFW>") or text for text in texts)
    straight, aside, up, back = made["W>F"], made["W>T"], made["T>F"], made["F>T"]
    match scoring:
        case "standard":
            return 10 * (straight + up) - 15 * back + 5 * turned_up
        case "traditional":
            return 3 * straight + 5 * aside + 10 * up - 15 * back + 5 * turned_up - 20 * made["recycle"]
        case "vegas":
            return 5 * (straight + up - back) - 52
        case _:
            return 0


@pytest.mark.parametrize(("variant", "scoring"), PLAYED)
@pytest.mark.parametrize("mode", ["ranked", "relaxed"])
def test_a_won_game_stays_won(variant: str, scoring: str, mode: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every move is legal by both statements of the rules; the last one wins at once, in its own record."""
    number, texts = script(WON[variant], monkeypatch)
    play = followed(new_play(variant=variant, scoring=scoring, mode=mode, deal=number), texts)
    turned_up = sum(SOLO[variant].columns) - len(SOLO[variant].columns) if SOLO[variant].faces == "top" else 0
    points = points_of(texts, scoring, turned_up)
    bonus = 1 if scoring == "win-loss" else 0
    assert play.ended is not None
    assert (play.ended.result, play.ended.moves) == ("won", len(texts))
    assert (play.ended.points, play.ended.bonus, play.ended.assisted) == (points + bonus, bonus, False)
    assert play.game.status == "won"
    assert view_of(play.game).legal == ()


@pytest.mark.parametrize("variant", LOST)
def test_a_lost_game_is_lost_with_its_last_move(variant: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the record of that move, with the points that were made, and it audits clean."""
    number, texts = script(LOST[variant], monkeypatch)
    for scoring in SOLO[variant].scorings:
        play = followed(new_play(variant=variant, scoring=scoring, mode="ranked", deal=number), texts)
        points = points_of(texts, scoring, turned_up_in(play))
        assert play.ended is not None
        assert (play.ended.result, play.ended.moves) == ("lost", len(texts))
        assert (play.ended.points, play.ended.bonus, play.ended.assisted) == (points, 0, False)
        table = play.game.seat.table
        assert (table.stock, table.pass_number) == ((), SOLO[variant].passes or 1 + texts.count("recycle"))
        game, view = play.game.game, view_of(play.game)
        assert (view.status, view.legal, view.stuck) == ("lost", (), False)
        messages = ((subjects.sealed_deal(game), play.deal), *((subjects.game_log(game), one) for one in play.stored))
        assert build(game, kept(Copy(game, messages, None, None)), boards=True, reveal=False).findings == ()


@pytest.mark.parametrize("variant", LOST)
def test_a_relaxed_game_without_a_move_goes_on_and_is_called_stuck(
    variant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """That move can be taken back. Whoever was called stuck before it turned up no card since, and put none up."""
    number, texts = script(LOST[variant], monkeypatch)
    play = new_play(variant=variant, mode="relaxed", deal=number)
    for text in texts:
        stuck, events = view_of(play.game).stuck, play.must(text).records[-1].events
        assert not (stuck and ">F" in text), text
        assert not (stuck and any(isinstance(event, CardsMoved) and event.turned_up for event in events)), text
    view = view_of(play.game)
    assert (view.status, view.legal, view.stuck, view.can_undo) == ("running", (), True, True)
    assert play.must("undo").legal()


def turned_up_in(play: Play) -> int:
    """How many cards moves turned up."""
    made = [event for record in play.records for event in record.events]
    return sum(isinstance(event, CardsMoved) and event.turned_up is not None for event in made)


@pytest.mark.parametrize(("variant", "scoring"), PLAYED)
def test_a_resigned_game_keeps_its_points(variant: str, scoring: str, monkeypatch: pytest.MonkeyPatch) -> None:
    number, texts = script(WON[variant], monkeypatch)
    for moves in (0, len(texts) // 2):
        play = followed(new_play(variant=variant, scoring=scoring, mode="ranked", deal=number), texts[:moves])
        points = play.game.seat.points
        _ = play.must("resign")
        assert play.ended is not None
        assert (play.ended.result, play.ended.points, play.ended.bonus) == ("resigned", points, 0)
        assert encode(rebuilt(play.deal, play.stored)) == encode(play.logged)


@pytest.mark.parametrize("variant", [name for name, row in SOLO.items() if row.scorings == ("vegas",)])
def test_a_full_win_in_vegas_is_208_dollars(variant: str, monkeypatch: pytest.MonkeyPatch) -> None:
    number, texts = script(WON[variant], monkeypatch)
    assert new_play(variant=variant, deal=number).must(*texts).game.seat.points == 208


def followed(play: Play, texts: list[str]) -> Play:
    """The game after moves, each legal by both statements of the rules, and none before them the last."""
    rules = play.game.variant
    assert isinstance(play.sealed.deal, NumberedDeal)
    naive = NaiveTable(list(deal.numbered_deck(play.sealed.deal.number, decks=rules.decks)), naive_rules(rules))
    for text in texts:
        assert play.game.status == "running"
        assert set(play.legal()) == naive.legal()
        _ = play.must(text)
        naive.do(text)
    assert set(play.legal()) == naive.legal()
    assert encode(rebuilt(play.deal, play.stored)) == encode(play.logged)
    return play


@pytest.mark.parametrize("row", (HERE / "perft.txt").read_text().splitlines())
def test_a_game_can_begin_in_so_many_ways(row: str) -> None:
    """The number of different sequences of so many moves: `variant deal depth number`."""
    variant, dealt, depth, number = row.split()
    rules, deck = SOLO[variant], deal.numbered_deck(int(dealt), decks=1)
    assert sequences(lay_out(deck, rules), rules, int(depth)) == int(number)
    if int(depth) <= NAIVE_DEPTH_MAX:
        again = naive_sequences(lambda: NaiveTable(list(deck), naive_rules(rules)), (), int(depth))
        assert again == int(number)


def sequences(table: Table, variant: Variant, depth: int) -> int:
    legal = legal_moves(table, variant)
    if depth == 1:
        return len(legal)
    return sum(sequences(apply(table, move, variant).table, variant, depth - 1) for move in legal)


def naive_sequences(new_table: Callable[[], NaiveTable], made: tuple[str, ...], depth: int) -> int:
    """The same by the naive rules, which cannot take a move back and so deal anew."""
    table = new_table()
    for text in made:
        table.do(text)
    legal = table.legal()
    if depth == 1:
        return len(legal)
    return sum(naive_sequences(new_table, (*made, text), depth - 1) for text in legal)


@pytest.mark.parametrize("variant", SOLO)
def test_a_golden_game_has_all_kinds_of_moves(variant: str, monkeypatch: pytest.MonkeyPatch) -> None:
    _, texts = script(WON[variant], monkeypatch)
    rules = SOLO[variant]
    assert "draw" in texts
    assert ("recycle" in texts) == (rules.draws_to == "waste" and rules.passes != 1)
    assert any("*" in text for text in texts), "runs are moved"
