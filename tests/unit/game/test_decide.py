"""What commands cause and why they are refused."""

import random
from typing import get_args

import msgspec
import pytest

from shared.game.decide import RecordHint, check_start, decide, decide_start, seal_deal
from shared.game.refusals import illegal, refused, unknown
from shared.game.view import view_of
from shared.messages.base import PlayerId
from shared.messages.codec import encode
from shared.messages.commands import NumberedDeal, SecretDeal
from shared.messages.errors import Error, ErrorCode
from shared.messages.events import CardsMoved, GameStarted
from shared.messages.jobs import Hint
from shared.rules.breaches import Breach
from shared.rules.cards import DECK
from shared.rules.deal import commitment
from shared.rules.play_time import IDLE_MS_MAX
from shared.rules.scoring import SCORINGS
from shared.rules.variants import VARIANTS
from tests.play import (
    MOVE_MS,
    PLAYER,
    SECRET,
    command_of,
    first_event,
    new_play,
    on_table,
    random_text,
    start_game,
    table_of,
)

replace = msgspec.structs.replace


@pytest.mark.parametrize(
    ("field", "value", "code"),
    [
        ("variant", "spider", "unknown-variant"),
        ("scoring", "cash", "unknown-scoring"),
        ("mode", "easy", "unknown-mode"),
    ],
)
def test_a_new_game_of_an_unknown_kind_is_refused_with_the_known_ones(field: str, value: str, code: str) -> None:
    error = check_start(replace(start_game(), **{field: value}))
    assert error is not None
    assert (error.code, error.field) == (code, field)
    assert repr(value) in error.text
    known = {"variant": [*VARIANTS], "scoring": [*SCORINGS], "mode": ["ranked", "relaxed"]}
    assert ", ".join(sorted(known[field])) in error.fix


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("scoring", SCORINGS)
def test_a_variant_is_played_under_its_own_scorings_alone(variant: str, scoring: str) -> None:
    error = check_start(replace(start_game(), variant=variant, scoring=scoring, mode="ranked"))
    if scoring in VARIANTS[variant].scorings:
        assert error is None
    else:
        assert error is not None
        assert (error.code, error.field) == ("scoring-not-offered", "scoring")
        assert VARIANTS[variant].scorings[0] in error.fix


def test_vegas_is_scored_in_dollars_and_nothing_else_is() -> None:
    assert [name for name, variant in VARIANTS.items() if "vegas" in variant.scorings] == ["vegas", "vegas-draw1"]
    assert all(set(variant.scorings) <= set(SCORINGS) for variant in VARIANTS.values())


def test_a_new_game_starts_at_version_0() -> None:
    assert check_start(start_game()) is None
    error = check_start(replace(start_game(), version=1))
    assert error is not None
    assert error.code == "stale-version"


def test_a_deal_is_committed_to_before_its_first_card_shows() -> None:
    command = start_game()
    sealed = seal_deal(command, secret=SECRET)
    (started,) = decide_start(command, sealed)
    assert isinstance(started, GameStarted)
    assert started.commitment == commitment(SECRET)
    assert SECRET.hex().encode() not in encode(started)
    assert sum(map(len, started.faces)) == 7


def test_a_numbered_deal_has_no_secret_and_is_the_same_for_everybody() -> None:
    command = start_game(deal=NumberedDeal(number=7))
    sealed = seal_deal(command, secret=SECRET)
    assert sealed.secret == ""
    (started,) = decide_start(command, sealed)
    assert isinstance(started, GameStarted)
    assert started.commitment == ""
    (others,) = decide_start(replace(command, player=PlayerId("a" * 26)), sealed)
    assert isinstance(others, GameStarted)
    assert others.faces == started.faces


def test_the_same_command_and_secret_give_the_same_game() -> None:
    """Restart deals the same cards; nothing is drawn by chance but the secret itself."""
    command = start_game(deal=SecretDeal(player_seed="mine"))
    assert encode(decide_start(command, seal_deal(command, secret=SECRET))) == encode(
        decide_start(command, seal_deal(command, secret=SECRET))
    )


def test_a_command_of_another_player_is_refused_before_anything_is_told() -> None:
    """Not even the version, or whether the game is over."""
    for play in (new_play(), new_play().must("resign")):
        command = replace(command_of(play.game, "draw"), player=PlayerId("a" * 26), version=99)
        refusal = decide(play.game, command, at=play.game.at)
        assert isinstance(refusal, Error)
        assert refusal.code == "not-your-game"


@pytest.mark.parametrize("text", ["draw", "recycle", "undo", "redo", "resign", "T1>F1", "hint draw"])
@pytest.mark.parametrize("off", [-1, 1])
def test_a_command_on_another_version_is_refused_and_told_so(text: str, off: int) -> None:
    """Never dropped in silence, and never done on cards that have moved."""
    play = new_play().must("draw", "draw", "undo")
    command = command_of(play.game, text)
    refusal = decide(play.game, replace(command, version=command.version + off), at=play.game.at)
    assert isinstance(refusal, Error)
    assert refusal.code == "stale-version"


def test_of_commands_pressed_together_the_first_is_done_and_the_others_are_stale() -> None:
    """Undo, hint, moves at once end in a legal state, whatever comes first."""
    chance = random.Random(3)
    for seed in range(30):
        play = new_play(deal=seed).must("draw", "draw")
        together = [command_of(play.game, random_text(play, chance)) for _ in range(4)]
        accepted = 0
        for command in together:
            events = decide(play.game, command, at=play.game.at)
            if isinstance(events, Error):
                assert accepted == 0 or events.code == "stale-version"
            else:
                play.append(PLAYER, events, play.game.at)
                accepted += 1
        assert accepted <= 1


def test_dropping_a_run_on_its_own_column_changes_nothing() -> None:
    play = on_table(new_play(), table_of("T1: (9C) 5H 4S"))
    for count in (1, 2):
        refusal = play.do(f"T1>T1*{count}")
        assert isinstance(refusal, Error)
        assert (refusal.code, refusal.rule) == ("illegal-move", "same-pile")
    assert play.game.seat.table == table_of("T1: (9C) 5H 4S")


def test_one_drag_is_one_move_however_many_cards_it_takes() -> None:
    play = on_table(new_play(), table_of("T1: (9C) 5H 4S\nT2: 6S")).must("T1>T2*2")
    assert play.game.seat.moves == 1
    moved = first_event(play.records[-1].events)
    assert isinstance(moved, CardsMoved)
    assert (moved.cards, moved.turned_up) == (("5H", "4S"), "9C")


def test_a_new_move_forgets_the_moves_that_were_taken_back() -> None:
    play = new_play().must("draw", "draw", "undo")
    assert view_of(play.game).can_redo
    _ = play.must("draw")
    assert not view_of(play.game).can_redo
    refusal = play.do("redo")
    assert isinstance(refusal, Error)
    assert refusal.code == "nothing-to-redo"


def test_a_hint_does_not_forget_the_moves_that_were_taken_back() -> None:
    play = new_play().must("draw", "draw", "undo", "hint draw")
    assert play.must("redo").game.seat.moves == 2


def test_a_face_down_card_is_no_part_of_a_run_and_no_target_also_after_undo() -> None:
    play = on_table(new_play(), table_of("T1: (9C) 5H\nT2: 6S\nT3: TD\nT4: 8H"))
    _ = play.must("T1>T2")
    assert {"T1>T3", "T4>T1"} <= set(play.legal())
    _ = play.must("undo")
    assert set(play.legal()) == {"T1>T2"}
    for text, rule in (("T1>T3", "tableau-builds-down"), ("T1>T3*2", "face-down"), ("T4>T1", "tableau-builds-down")):
        refusal = play.do(text)
        assert isinstance(refusal, Error)
        assert refusal.rule == rule


def test_undo_of_a_recycle_restores_order_pass_and_score() -> None:
    play = new_play(variant="draw3").must(*["draw"] * 8)
    before = play.game.seat
    again = play.must("recycle").game.seat
    assert (again.table.pass_number, again.table.waste) == (2, ())
    assert play.must("undo").game.seat.table == before.table
    assert play.game.seat.points == before.points
    assert play.must("redo").game.seat.table == again.table


def test_undo_goes_back_to_the_deal_and_redo_to_the_end() -> None:
    play = new_play(deal=1673)
    dealt, chance = play.game.seat, random.Random(1)
    tables = []
    for _ in range(60):
        tables.append(play.game.seat.table)
        _ = play.must(chance.choice(play.legal()))
    last = play.game.seat
    for table in reversed(tables):
        assert play.must("undo").game.seat.table == table
    assert (play.game.seat.points, play.game.seat.moves) == (dealt.points, 0)
    refusal = play.do("undo")
    assert isinstance(refusal, Error)
    assert refusal.code == "nothing-to-undo"
    _ = play.must(*["redo"] * 60)
    assert (play.game.seat.table, play.game.seat.points) == (last.table, last.points)


def test_a_ranked_game_has_neither_undo_nor_redo() -> None:
    play = new_play(mode="ranked").must("draw")
    for text in ("undo", "redo"):
        refusal = play.do(text)
        assert isinstance(refusal, Error)
        assert refusal.code == "undo-not-allowed"
    assert not view_of(play.game).can_undo
    assert not play.game.assisted


def test_a_hint_that_does_not_fit_is_not_given() -> None:
    """It comes from a worker: an illegal move or an unseen card must not get into the log."""
    play = new_play()
    hidden = next(card for card in DECK if card not in play.game.seat.seen)
    command = command_of(play.game, "hint draw")
    assert isinstance(command, RecordHint)
    for hint in (
        Hint(move="recycle", reason="recycle"),
        Hint(move="nonsense", reason="draw"),
        Hint(move="draw", reason="draw", cards=(hidden,)),
    ):
        refusal = decide(play.game, replace(command, hint=hint), at=play.game.at)
        assert isinstance(refusal, Error)
        assert refusal.code == "unavailable"


# The clock


def test_time_counts_from_the_first_move_to_the_end() -> None:
    play = new_play()
    _ = play.do("hint draw", at=play.game.at + 50_000)
    assert (play.game.play_ms, view_of(play.game).clock_runs) == (0, False)
    _ = play.do("draw", at=play.game.at + 50_000)
    assert (play.game.play_ms, view_of(play.game).clock_runs) == (0, True)
    _ = play.do("draw", at=play.game.at + 7_000)
    assert play.game.play_ms == 7_000
    _ = play.do("resign", at=play.game.at + 500)
    assert play.game.play_ms == 7_500
    assert play.ended is not None
    assert (play.ended.play_ms, view_of(play.game).clock_runs) == (7_500, False)


def test_undoing_the_first_move_does_not_stop_the_clock() -> None:
    play = new_play().must("draw", "undo", "draw")
    assert play.game.play_ms == 2 * MOVE_MS


def test_nobodys_time_grows_while_they_are_away() -> None:
    """A game left for a year and resumed goes on with its time."""
    play = new_play().must("draw")
    _ = play.do("draw", at=play.game.at + 365 * 86_400_000)
    assert play.game.play_ms == IDLE_MS_MAX == view_of(play.game).play_ms


def test_a_game_without_a_move_took_no_time() -> None:
    play = new_play()
    _ = play.do("resign", at=play.game.at + 30_000)
    assert play.ended is not None
    assert (play.ended.play_ms, play.ended.moves) == (0, 0)


# The sentences


@pytest.mark.parametrize("breach", get_args(Breach))
def test_every_rule_has_a_sentence_of_its_own(breach: Breach) -> None:
    error = illegal(breach)
    assert (error.code, error.rule) == ("illegal-move", breach)
    assert is_sentence(error.text)
    assert is_sentence(error.fix)


def test_no_two_rules_share_a_sentence() -> None:
    texts = [illegal(breach).text for breach in get_args(Breach)]
    assert len(set(texts)) == len(texts)


REFUSED: tuple[ErrorCode, ...] = (
    "stale-version",
    "not-your-game",
    "unknown-game",
    "game-ended",
    "undo-not-allowed",
    "nothing-to-undo",
    "nothing-to-redo",
    "no-hint",
    "stuck",
    "outcome-unknown",
    "bad-deal",
    "winnable-not-offered",
    "broken-game",
    "unavailable",
)


@pytest.mark.parametrize("code", REFUSED)
def test_every_refusal_says_what_is_wrong_and_what_to_do(code: ErrorCode) -> None:
    error = refused(code)
    assert error.code == code
    assert is_sentence(error.text)
    assert is_sentence(error.fix)


def test_what_is_unknown_is_named_with_its_field_and_what_is_known() -> None:
    error = unknown("unknown-variant", "variant", "draw9", ("draw3", "draw1"))
    assert (error.text, error.fix) == ("There is no variant 'draw9'.", "Choose one of draw1, draw3.")


def is_sentence(text: str) -> bool:
    return text[0].isupper() and text[-1] == "." and len(text) > 10


def test_error_codes_are_words_that_clients_can_rely_on() -> None:
    codes = get_args(ErrorCode)
    assert len(set(codes)) == len(codes)
    assert all(part.isalpha() and part.islower() for code in codes for part in code.split("-"))
    assert set(REFUSED) <= set(codes)
