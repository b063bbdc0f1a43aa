"""Games for two: who may join, who was first, and how it ends for each."""

import msgspec
import pytest

from shared.game.decide import check_start, decide
from shared.game.duel import ABANDONED_MS, abandoned_at, bare_table
from shared.game.view import view_of
from shared.messages.codec import encode
from shared.messages.commands import WinnableDeal
from shared.messages.errors import Error
from shared.messages.events import CardsMoved, PlayerJoined, PlayerResigned
from shared.rules.table import cards_up
from tests.duels import GUEST, PLAYERS, TERMS, DuelPlay, duel_command, new_duel, on_tables, waiting_duel
from tests.play import new_play, rebuilt, start_game, table_of

FOR_TWO = ("double", "double-mini")
STUCK = "T1: 2C\nT2: 4C\nT3: 6C\nT4: 8C\nT5: TC\nT6: QC\nT7: 2S"
"""No two of these cards fit, and nothing goes up."""


def code(answer: object) -> str:
    assert isinstance(answer, Error), answer
    return answer.code


def with_tables(variant: str, *texts: str) -> DuelPlay:
    duel = new_duel(variant)
    return on_tables(duel, *(table_of(text, foundations=duel.game.variant.foundations) for text in texts))


@pytest.mark.parametrize("variant", FOR_TWO)
def test_nobody_sees_a_card_before_both_are_there(variant: str) -> None:
    duel = waiting_duel(variant)
    view = view_of(duel.game)
    assert (view.status, view.legal, view.stock, view.secret) == ("waiting", (), 0, "")
    assert all(not column.up and not column.down for column in view.columns)
    other = view_of(waiting_duel(variant, deal=b"x" * 32).game)
    assert msgspec.structs.replace(other, commitment="") == msgspec.structs.replace(view, commitment="")
    duel.must(1, "join")
    assert [column.down for column in view_of(duel.game, 1).columns] == list(range(7))


def test_both_decks_of_double_are_whole_and_different_and_those_of_the_race_the_same() -> None:
    own, race = new_duel("double").game.seats, new_duel("double-mini").game.seats
    assert own[0].table != own[1].table
    assert race[0].table == race[1].table


@pytest.mark.parametrize("variant", FOR_TWO)
def test_a_game_that_waits_takes_one_other_player_in_time_and_no_move(variant: str) -> None:
    duel = waiting_duel(variant)
    assert code(duel.decided(0, "draw")) == "waiting-for-player"
    assert code(duel.decided(0, "join")) == "own-game"
    assert code(duel.decided(1, "draw")) == "not-your-game"
    assert code(duel.decided(1, "join", at=TERMS.expires_at + 1)) == "invitation-expired"
    (joined,) = duel.must(1, "join").records[-1].events
    assert isinstance(joined, PlayerJoined)
    assert (joined.player, len(joined.faces)) == (GUEST, 2)
    assert code(duel.decided(1, "join")) == "already-joined"
    assert code(duel.decided(0, "join")) == "own-game"


def test_who_gives_up_while_nobody_has_joined_ends_the_game() -> None:
    duel = waiting_duel().must(0, "resign")
    assert (duel.game.status, duel.ended and duel.ended.secret) == ("resigned", duel.game.secret)
    assert code(duel.decided(1, "join")) == "game-ended"


@pytest.mark.parametrize("variant", FOR_TWO)
def test_while_no_card_is_dealt_nobody_has_one_up(variant: str) -> None:
    """Waiting, taken back while it waited, or just dealt: for the host, for who joined, and for who watches."""
    waiting, taken_back, dealt = waiting_duel(variant), waiting_duel(variant).must(0, "resign"), new_duel(variant)
    assert cards_up(bare_table(waiting.game.variant), waiting.game.variant) == 0
    for duel in (waiting, taken_back, dealt):
        for who in (*range(len(duel.game.seats)), None):
            shown = view_of(duel.game, who).duel
            assert shown
            assert shown.cards_up == 0
            assert shown.opponent is None or shown.opponent.cards_up == 0
    ended = taken_back.ended
    assert ended
    assert not ended.seats or all(seat.cards_up == 0 for seat in ended.seats)


@pytest.mark.parametrize("text", ["", "draw", "pause", "resign"])
def test_no_absence_is_claimed_in_a_game_played_alone(text: str) -> None:
    """Whatever state it is in."""
    play = new_play()
    for done in filter(None, ("draw", text)):
        play.must(done)
    claim = duel_command(play.game, 0, "claim")
    assert code(decide(play.game, claim, at=play.game.at)) == "not-for-two"


@pytest.mark.parametrize("variant", FOR_TWO)
@pytest.mark.parametrize("first", [0, 1])
def test_a_game_that_both_have_left_may_be_ended_a_day_after_the_time_that_it_states(variant: str, first: int) -> None:
    """In the name of either; and each is resigned, so that the game ends as if both had given up."""
    duel = new_duel(variant).must(first, "away").must(1 - first, "away")
    ends_at = duel.game.at + TERMS.absence_ms + ABANDONED_MS
    assert abandoned_at(duel.game) == ends_at
    assert code(duel.decided(1 - first, "claim", at=ends_at - 1)) == "game-paused"
    for who in (1 - first, first):
        assert duel.game.status == "running"
        events = duel.do(who, "claim", at=ends_at)
        assert not isinstance(events, Error)
        assert events[0] == PlayerResigned(seat=1 - who, absent=True)
    assert duel.game.status == ("drawn" if variant == "double" else "lost")
    assert abandoned_at(duel.game) is None
    assert encode(rebuilt(duel.deal, duel.stored)) == encode(duel.logged)


@pytest.mark.parametrize("variant", FOR_TWO)
def test_who_has_given_up_may_claim_the_absence_of_the_other_a_day_later(variant: str) -> None:
    """Nobody waits for them meanwhile, so whoever plays on alone may be away for longer."""
    duel = new_duel(variant).must(0, "resign").must(1, "away")
    claim_at = duel.game.at + TERMS.absence_ms + ABANDONED_MS
    shown = view_of(duel.game, 0).duel
    assert shown
    assert shown.opponent
    assert shown.opponent.claim_at == claim_at == abandoned_at(duel.game)
    assert code(duel.decided(0, "claim", at=claim_at - 1)) == "not-absent"
    assert not isinstance(duel.do(0, "claim", at=claim_at), Error)
    assert duel.game.over


def test_a_game_is_not_abandoned_while_one_is_there() -> None:
    for texts in ((), ("away",), ("resign",)):
        duel = new_duel().must(0, *texts)
        assert abandoned_at(duel.game) is None
    back = new_duel().must(0, "away").must(1, "away").must(0, "continue")
    assert abandoned_at(back.game) is None


def test_a_game_for_one_cannot_be_joined() -> None:
    game = msgspec.structs.replace(new_duel().game, variant_id="draw1")
    assert duel_command(game, 1, "join").version
    duel = DuelPlay(new_duel().sealed, b"", msgspec.structs.replace(new_duel().logged, game=game), [])
    assert code(duel.decided(1, "join")) == "not-for-two"


def test_games_for_two_are_ranked_and_never_certified() -> None:
    relaxed = check_start(start_game(variant="double", mode="relaxed"))
    assert relaxed is not None
    assert (relaxed.code, relaxed.field) == ("mode-not-offered", "mode")
    winnable = check_start(start_game(variant="double-mini", mode="ranked", deal=WinnableDeal()))
    assert winnable is not None
    assert (winnable.code, winnable.field) == ("winnable-not-offered", "deal")


@pytest.mark.parametrize("text", ["undo", "redo", "chances", "hint draw"])
def test_there_is_no_undo_and_no_help_against_somebody(text: str) -> None:
    refused = "undo-not-allowed" if text in ("undo", "redo") else "help-not-allowed"
    assert code(new_duel().decided(0, text)) == refused


def test_of_two_cards_for_one_place_the_first_goes_up_and_the_later_is_overtaken() -> None:
    duel = with_tables("double", "T1: (9C) AC\nstock: 2C", "T1: (9C) AC\nstock: 2C")
    seen = duel.game.version
    duel.must(0, "T1>F1")
    late = duel.decided(1, "T1>F1", version=seen)
    assert code(late) == "overtaken"
    assert code(duel.decided(1, "T1>F1")) == "illegal-move"
    assert not isinstance(duel.do(1, "T1>F5", version=seen), Error), "the second foundation of the suit is free"


def test_a_move_that_the_other_made_possible_is_made_on_the_version_before() -> None:
    duel = with_tables("double", "T1: AC\nstock: 2D", "T1: 2C\nstock: 2D")
    seen = duel.game.version
    assert code(duel.decided(1, "T1>F1")) == "illegal-move"
    duel.must(0, "T1>F1")
    events = duel.do(1, "T1>F1", version=seen)
    assert not isinstance(events, Error)
    assert isinstance(events[0], CardsMoved)


def test_what_never_was_legal_is_illegal_and_not_overtaken() -> None:
    duel = with_tables("double", "T1: AC\nstock: 2D", "T1: 5C\nstock: 2D")
    seen = duel.game.version
    duel.must(0, "T1>F1")
    assert code(duel.decided(1, "T1>F1", version=seen)) == "illegal-move"


def test_an_older_version_does_where_only_the_other_side_changed_and_is_stale_where_the_own_did() -> None:
    duel = new_duel()
    seen = duel.game.version
    duel.must(0, "draw", "draw")
    assert not isinstance(duel.do(1, "draw", version=seen), Error)
    assert code(duel.decided(1, "draw", version=seen)) == "stale-version"
    assert code(duel.decided(0, "draw", version=duel.game.version + 1)) == "stale-version"
    assert code(duel.decided(1, "draw", version=1)) == "stale-version", "the cards were not dealt then"


def test_nothing_comes_back_from_a_shared_foundation_and_in_the_race_it_does() -> None:
    tables = ("F1: 2C\nT1: 3H\nstock: KD", "F1: 2C\nT1: 3H\nstock: KD")
    assert code(with_tables("double", *tables).decided(0, "F1>T1")) == "illegal-move"
    assert not isinstance(with_tables("double-mini", *tables).decided(0, "F1>T1"), Error)


def test_the_first_to_have_all_own_cards_up_wins_at_once() -> None:
    shared = "F1: QC\nF2: KD\nF3: KH\nF4: KS"
    duel = with_tables("double", f"{shared}\nT1: KC", f"{shared}\nT1: KC\nT2: 5D")
    duel.must(0, "T1>F1")
    ended = duel.ended
    assert ended is not None
    assert ended.seats
    assert ended.result == "won"
    assert [seat.result for seat in ended.seats] == ["won", "lost"]
    assert [seat.cards_up for seat in ended.seats] == [52, 50]
    assert [view_of(duel.game, who).status for who in (0, 1)] == ["won", "lost"]


def test_who_resigns_leaves_the_other_to_play_on() -> None:
    for variant in FOR_TWO:
        duel = new_duel(variant).must(0, "resign")
        assert duel.records[-1].events == (PlayerResigned(seat=0),)
        assert code(duel.decided(0, "draw")) == "seat-resigned"
        assert (view_of(duel.game, 0).legal, duel.game.status) == ((), "running")
        duel.must(1, "draw")


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (("T1: 2C", "T1: 3C\nT2: 5C"), ("won", "resigned")),
        (("T1: 2C\nT2: 9D", "T1: 3C\nT2: 5C"), ("drawn", "drawn")),
        (("T1: 2C\nT2: 9D\nT3: 9H", "T1: 3C\nT2: 5C"), ("resigned", "won")),
    ],
)
def test_when_both_gave_up_more_own_cards_up_win_and_equal_ones_are_a_draw(
    texts: tuple[str, str], expected: tuple[str, str]
) -> None:
    duel = with_tables("double", *(f"{text}\nstock: KD" for text in texts)).must(0, "resign").must(1, "resign")
    assert duel.ended
    assert duel.ended.seats
    assert tuple(seat.result for seat in duel.ended.seats) == expected
    assert duel.ended.result == ("drawn" if "drawn" in expected else "won")


def test_who_has_no_move_left_waits_for_the_other_and_both_end_the_game() -> None:
    duel = with_tables("double", f"{STUCK}\nstock: 9D", STUCK)
    assert duel.legal(1) == ()
    duel.must(0, "draw", "recycle", "draw")
    last = with_tables("double", f"{STUCK.replace('T7: 2S', 'T7: (2S) AC')}", STUCK)
    assert last.must(0, "T7>F1").game.status == "running", "the two of clubs can go up now"
    last.must(0, "T1>F1")
    assert last.ended
    assert last.ended.seats
    assert [seat.result for seat in last.ended.seats] == ["won", "lost"]


def test_a_race_that_nobody_finishes_is_lost_by_both() -> None:
    duel = new_duel("double-mini").must(1, "resign").must(0, "resign")
    assert duel.ended
    assert duel.ended.seats
    assert duel.ended.result == "lost"
    assert [seat.result for seat in duel.ended.seats] == ["resigned", "resigned"]


def test_the_views_of_both_show_the_own_side_and_the_open_cards_of_the_other() -> None:
    duel = new_duel().must(0, "draw").must(1, "draw", "draw")
    host, guest, watching = (view_of(duel.game, who) for who in (0, 1, None))
    assert host.duel
    assert guest.duel
    assert watching.duel
    assert host.duel.opponent
    assert guest.duel.opponent
    assert (host.duel.opponent.columns, host.duel.opponent.waste) == (guest.columns, guest.waste)
    assert (guest.duel.opponent.columns, guest.duel.opponent.waste) == (host.columns, host.waste)
    assert (host.duel.seat, guest.duel.seat, watching.duel.seat) == (0, 1, None)
    assert host.duel.players == PLAYERS
    assert watching.legal == ()
    assert msgspec.structs.replace(watching, legal=host.legal, duel=host.duel) == host
