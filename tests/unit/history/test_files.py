"""What is written as a file is read back, played again by the rules, and held against every word of the file."""

import random
import re
from collections.abc import Callable
from contextlib import suppress
from typing import get_args

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.gateway.history.exports import written
from services.gateway.history.faults import BadFileError
from services.gateway.history.files import FILE_BYTES_MAX, checked, read_file
from services.gateway.history.imports import bad_file
from services.gateway.history.replay import history_of
from shared.game.imported import played_again
from shared.game.refusals import illegal, refused
from shared.game.view import past_step
from shared.messages.events import GamePaused
from shared.messages.history import GameHistory
from shared.rules.breaches import Breach
from shared.rules.variants import SOLO
from tests.play import Play, new_play, random_play

replace = msgspec.structs.replace
SENTENCES = [
    refused(code).text for code in ("nothing-to-undo", "not-paused", "game-ended", "only-alone", "stale-version")
]
BREACHES = [illegal(breach).text for breach in get_args(Breach)]


def over(play: Play) -> Play:
    return play if play.ended else play.must("resign")


def told(play: Play) -> GameHistory:
    return history_of(play.game.game, [past_step(record) for record in over(play).records])


def read(data: bytes | str) -> GameHistory:
    file = read_file(data.encode() if isinstance(data, str) else data)
    return checked(file, played_again(file.game))


def fault(data: bytes | str) -> tuple[str, str]:
    with pytest.raises(BadFileError) as raised:
        read(data)
    assert str(raised.value) == f"{raised.value.place}: {raised.value.what}"
    return raised.value.place, raised.value.what


def a_game() -> GameHistory:
    texts = ("T7>T5", "draw", "undo", "redo", "hint draw", "chances", "pause", "continue", "draw", "undo", "resign")
    return told(new_play(deal=1).must(*texts))


@pytest.mark.parametrize("variant", SOLO)
@pytest.mark.parametrize("mode", ["ranked", "relaxed"])
def test_json_comes_back_as_it_was_but_for_the_name_of_the_game(variant: str, mode: str) -> None:
    for seed in range(3):
        history = told(random_play(seed, commands=120, variant=variant, mode=mode))
        again = read(written(history, "json"))
        assert again == replace(history, game=again.game)


@pytest.mark.parametrize("variant", SOLO)
def test_a_list_comes_back_to_the_second_and_so_does_the_list_of_that(variant: str) -> None:
    """Times are whole seconds in a list; boards, moves, points and sums are all there."""
    for seed in range(4):
        history = told(random_play(seed, commands=120, variant=variant))
        again = read(written(history, "text"))
        assert [(step.deed, step.move, step.board, step.points) for step in again.steps] == [
            (step.deed, step.move, step.board, step.points) for step in history.steps
        ]
        assert (again.result, again.points, again.moves, again.assisted, again.secret) == (
            history.result,
            history.points,
            history.moves,
            history.assisted,
            history.secret,
        )
        lines, twice = (written(one, "text").decode().splitlines() for one in (history, again))
        assert lines[6:] == twice[6:]


def test_every_deed_is_in_a_list_and_comes_back() -> None:
    history = a_game()
    again = read(written(history, "text"))
    assert [step.deed for step in again.steps] == [step.deed for step in history.steps]
    assert {step.deed for step in again.steps} >= {"deal", "move", "draw", "undo", "redo", "hint", "chances", "resign"}
    assert [step.events[0] for step in again.steps if step.deed in {"hint", "chances"}] == [
        step.events[0] for step in history.steps if step.deed in {"hint", "chances"}
    ]


def test_the_least_that_is_a_list_is_a_kind_a_deal_and_moves() -> None:
    """One that does not end is given up there, so that it can be looked at."""
    history = read("# mine\n\nKind draw1, standard, relaxed\r\nDeal number 23\r\n\r\n T5>F2\n2. T3>T7 +5\ndraw\n")
    assert [step.move for step in history.steps if step.stands] == ["T5>F2", "T3>T7", "draw"]
    assert (history.result, history.moves, history.variant) == ("resigned", 3, "draw1")


@pytest.mark.parametrize("seed", ["", "lucky ♥", 'with "quotes", 8:15', "\\", "x" * 64, "', sha256"])
def test_a_players_seed_comes_back_whatever_is_in_it(seed: str) -> None:
    history = told(new_play(deal=1).must("draw"))
    secret = "".join(f"{number:02x}" for number in range(32))
    origin = f", the player's seed {msgspec.json.encode(seed).decode()}" if seed else ""
    head = f"Kind draw1, standard, relaxed\nDeal secret{origin}\n"
    again = read(f"{head}secret {secret}\ndraw\n")
    assert msgspec.to_builtins(again.deal)["player_seed"] == seed
    assert read(written(again, "text")).deal == again.deal
    assert history.deal != again.deal


@pytest.mark.parametrize(
    ("line", "place", "what"),
    [
        ("T1>F9", "line 4", "is no move: draw, recycle, or piles"),
        ("T1>T1", "line 4", "already lie on this pile"),
        ("recycle", "line 4", "only when the stock is empty"),
        ("W>F1", "line 4", "The pile to move from is empty (source-empty)"),
        ("T1>T2*0", "line 4", "is no move"),
        ("Zug 1", "line 4", "it is no move: draw, recycle, or piles"),
        ("undo", "line 4", "No move is left to take back"),
        ("redo", "line 4", "No move was taken back"),
        ("hint", "line 4", "a hint names a move"),
        ("hint T1>F4", "line 4", "legal"),
        ("hint draw because", "line 4", "is no reason of a hint"),
        ("hint draw draw ZZ", "line 4", "'ZZ' is nothing that can be here"),
        ("chances maybe", "line 4", "is not of the form `120 of 200"),
        ("chances 9 of 3", "line 4", ""),
        ("pause", "line 4", "The clock does not run yet"),
        ("continue", "line 4", "The game is not paused"),
        ("T5>F2*99999999999999999999", "line 4", "is no move: draw, recycle, or piles"),
        ("undo T5>F2*99999999999999999999", "line 4", ""),
        ("hint T5>F2*99999999999999999999", "line 4", ""),
        ("chances 0 1 of 99999999999999999999", "line 4", "more than 64 bits"),
        ("draw -" + "9" * 30, "line 4", "by the rules"),
        ("9" * 30 + ". draw", "line 4", "by the rules"),
        ("0:60 draw", "line 4", "0:60 is no time such as 12:34 or 1:02:03"),
        ("12:99 draw", "line 4", "12:99 is no time"),
        ("1:60:00 draw", "line 4", "1:60:00 is no time"),
        ("99999999999999:99 T5>F2", "line 4", "is no time"),
        ("99999999999999:59 T5>F2", "line 4", "after the year 9999"),
        ("9" * 300 + ":00:00 draw", "line 4", "…"),
        ("draw\n90000000:00:00 draw", "line 5", "after the year 9999"),
        ("Played 9999-12-31T23:59:59.999-23:00 to x", "line 4", "is no time such as"),
        ("draw\n0:10 draw\n0:09 draw", "line 6", "the time 0:09 is earlier"),
        ("draw -3", "line 4", "the score is -3 there, and 0 by the rules"),
        ("draw +1 0", "line 4", "the change of the score is 1 there, and 0 by the rules"),
        ("draw 0 7D", "line 4", "the cards is 7D there"),
        ("7. draw", "line 4", "the number is 7 there, and 1 by the rules"),
        ("draw\nundo recycle", "line 5", "the move is recycle there, and draw by the rules"),
        ("deal\ndeal", "line 5", "dealt a second time"),
        ("resign\ndraw", "line 5", "The game is over"),
        ("Result won", "line 4", "the result is won there, and resigned by the rules"),
        ("Result lost: many points", "line 4", "is not of the form"),
        ("Played yesterday to today", "line 4", "is no time such as"),
        ("secret abc", "line 4", "64 hexadecimal digits"),
        ("draw" + " " * 501 + "x", "line 4", "more than 500 characters"),
        ("draw\n" * 5_001, "line 5004", "more than 5000 steps"),
        ("secret " + "00" * 32, "deal", "a numbered deal has no secret"),
    ],
)
def test_a_bad_line_is_named_with_its_reason(line: str, place: str, what: str) -> None:
    found = fault(f"Klondike game x\nKind draw1, standard, relaxed\nDeal number 1\n{line}\n")
    assert found[0] == place, found
    assert what in found[1]


@pytest.mark.parametrize(
    ("text", "place", "what"),
    [
        (b"", "file", "empty"),
        (b" \n ", "file", "empty"),
        (b"draw\n\xff\xfe", "line 2", "no text in UTF-8"),
        (b"\x00\x01", "line 1", "no move"),
        (b"Deal number 1\ndraw", "file", "`Kind` is missing"),
        (b"Kind draw1, standard, relaxed\ndraw", "file", "`Deal` is missing"),
        (b"Kind draw1", "line 1", "not of the form `Kind"),
        (b"Kind draw1, standard, quick", "line 1", "not of the form `Kind"),
        (b"Kind draw9, standard, relaxed\nDeal number 1", "deal", "There is no variant 'draw9'"),
        (b"Kind draw1 0.9.0, standard, relaxed\nDeal number 1", "line 1", "variant version is 0.9.0 there"),
        (b"Kind draw1, points, relaxed\nDeal number 1", "deal", "There is no scoring 'points'"),
        (b"Kind vegas, standard, relaxed\nDeal number 1", "deal", "is not scored so"),
        (b"Kind draw1, standard, relaxed\nDeal number 99999999999999999", "line 2", "not of the form"),
        (b"Kind draw1, standard, relaxed\nDeal number 9999999999999999", "line 2", "<= 9007199254740991"),
        (b"Kind double, standard, ranked\nDeal number 1", "line 1", "played alone"),
        (b"Kind draw1, standard, relaxed\nDeal secret", "deal", "the secret of the deal is needed"),
        (b"Kind draw1, standard, relaxed\nDeal number 1, mine-1", "line 2", "the shuffle is mine-1 there"),
        (b"{", "$", "truncated"),
        (b'{"game"\n: 1,,', "line 2", "malformed"),
        (b"{}", "$", "the field 'game' is missing; `klondike history export` writes all that are needed"),
        (b'{"type": "x"}', "$.type", "'x' is nothing that can be here"),
        (b'{"type": "game-history", "game": 5}', "$.game", "it must be text, and is a whole number"),
        (b'{"schema": "x"}', "$.schema", "it must be a whole number, and is text"),
        (b'{"schema": 2}', "$.schema", "newer than 1"),
        (b"[" * 100_000, "line 1", "more than 500 characters"),
        (b'{"a":' * 100_000, "$", "nested too deep"),
    ],
)
def test_a_file_that_is_no_game_says_why_and_where(text: bytes, place: str, what: str) -> None:
    found = fault(text)
    assert found[0] == place, found
    assert what in found[1]


def test_a_file_has_an_end() -> None:
    assert fault(b"#" * (FILE_BYTES_MAX + 1)) == ("file", "it has more than 16 MiB")


CHANGES: dict[str, tuple[Callable[[GameHistory], GameHistory], str]] = {
    "points": (lambda game: replace(game, points=game.points + 1), "$.points"),
    "another move": (lambda game: _with_step(game, 2, move="T1>F1"), "$.steps[2]"),
    "a move that is none": (lambda game: _with_step(game, 2, deed="move", move="x"), "$.steps[2]"),
    "a step is missing": (lambda game: replace(game, steps=(*game.steps[:3], *game.steps[4:])), "$.steps[3]"),
    "a step is doubled": (lambda game: replace(game, steps=(*game.steps[:3], *game.steps[2:])), "$.steps[2]"),
    "the deal is missing": (lambda game: replace(game, steps=game.steps[1:]), "$.steps[0]"),
    "no step": (lambda game: replace(game, steps=()), "$.steps[0]"),
    "no event": (lambda game: _with_step(game, 4, events=()), "$.steps[4].events"),
    "a board": (
        lambda game: _with_step(game, 4, board=replace(game.steps[4].board, stock=1)),
        "$.steps[4].board.stock",
    ),
    "a score": (lambda game: _with_step(game, 4, points=99), "$.steps[4].points"),
    "it goes back in time": (lambda game: _with_step(game, 4, at=1), "$.steps[4]"),
    "another deal": (lambda game: replace(game, deal=replace(game.deal, number=2)), "$.steps[1]"),
    "a secret": (lambda game: replace(game, secret="00" * 32), "deal"),
    "another result": (lambda game: replace(game, result="won"), "$.result"),
    "another version of the rules": (lambda game: replace(game, variant_version="0.1"), "$.variant_version"),
}


def _with_step(game: GameHistory, index: int, **changes: object) -> GameHistory:
    return replace(game, steps=(*game.steps[:index], replace(game.steps[index], **changes), *game.steps[index + 1 :]))


@pytest.mark.parametrize("name", CHANGES)
def test_json_in_which_something_is_otherwise_is_refused_at_that_field(name: str) -> None:
    change, place = CHANGES[name]
    assert fault(msgspec.json.encode(change(a_game())))[0].startswith(place), name


def test_a_change_of_any_word_of_a_list_is_refused_or_changes_nothing_that_counts() -> None:
    """Columns that come from the rules are checked; the rest is the game itself, which then is another."""
    history = told(random_play(6, commands=60))
    lines = written(history, "text").decode().splitlines()
    chance = random.Random(4)
    for number in range(14, len(lines)):
        fields = lines[number].split()
        digits = [place for place, field in enumerate(fields) if field.lstrip("+-").isdigit()]
        if not digits:
            continue
        place = chance.choice(digits)
        fields[place] = str(int(fields[place]) + 7)
        changed = "\n".join([*lines[:number], " ".join(fields), *lines[number + 1 :]])
        assert fault(changed)[0] == f"line {number + 1}", fields


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=300) | st.text(max_size=300).map(str.encode))
def test_no_bytes_are_more_than_a_bad_file(data: bytes) -> None:
    for text in (data, b"Kind draw1, standard, relaxed\nDeal number 1\n" + data):
        with suppress(BadFileError):
            read(text)


@pytest.mark.parametrize("late", [253_402_300_800_000, 10**17, 2**64, 2**70])
def test_a_time_that_no_calendar_has_is_named(late: int) -> None:
    game = a_game()
    last = replace(game.steps[-1], at=late)
    for changed, place in (
        (replace(game, started_at=late), "$.started_at"),
        (replace(game, steps=(*game.steps[:-1], last)), f"$.steps[{len(game.steps) - 1}].at"),
    ):
        assert fault(msgspec.json.encode(changed))[0] == place


def test_a_number_that_no_message_can_hold_is_no_more_than_a_bad_file() -> None:
    game = a_game()
    (place,) = [place for place, step in enumerate(game.steps) if step.deed == "pause"]
    (paused,) = game.steps[place].events
    assert isinstance(paused, GamePaused)
    huge = replace(game.steps[place], events=(replace(paused, since=2**70),))
    changed = replace(game, steps=(*game.steps[:place], huge, *game.steps[place + 1 :]))
    assert fault(msgspec.json.encode(changed)) == (f"$.steps[{place}]", "a number in it has more than 64 bits")


OF_ANOTHER_KIND: tuple[object, ...] = (None, True, -1, 1.5, "x", [], {}, [1], 2**70)


@pytest.mark.parametrize("value", OF_ANOTHER_KIND)
def test_no_words_of_the_parser_are_in_a_fault_of_a_field(value: object) -> None:
    """Whichever field is left out, or is of another kind."""
    whole = msgspec.json.decode(written(a_game(), "json"), type=dict[str, object])
    said = []
    for name in whole:
        for document in ({**whole, name: value}, {key: held for key, held in whole.items() if key != name}):
            try:
                read(msgspec.json.encode(document).decode())
            except BadFileError as error:
                said.append(error)
    assert len(said) > len(whole) // 2
    for one in said:
        assert one.place == "deal" or one.place.startswith("$"), one
        assert not re.search("Expected|Invalid|Object|got `|required", one.what), one


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_no_change_of_json_is_more_than_a_bad_file(data: st.DataObject) -> None:
    file = bytearray(written(a_game(), "json"))
    for _ in range(data.draw(st.integers(1, 3))):
        file[data.draw(st.integers(0, len(file) - 1))] = data.draw(st.sampled_from(list(b'{}[]",:0129aT>-\\\n')))
    with suppress(BadFileError):
        read(bytes(file))


@pytest.mark.parametrize("minutes", [0, 59, 60, 4_000])
def test_a_time_that_a_list_is_written_with_is_read_as_it_is(minutes: int) -> None:
    hours, rest = divmod(minutes, 60)
    clock = f"{hours}:{rest:02}:59" if hours else f"{rest}:59"
    again = read(f"Kind draw1, standard, relaxed\nDeal number 1\n0:00 draw\n{clock} draw\n")
    assert again.steps[2].at - again.steps[1].at == (60 * minutes + 59) * 1000


@pytest.mark.parametrize("text", [*SENTENCES, *BREACHES])
def test_a_sentence_within_another_has_no_full_stop_of_its_own(text: str) -> None:
    """Whatever a refused step is refused with: the answer has one full stop where it ends, and none twice."""
    told = bad_file(BadFileError("line 3", text)).text
    assert told.endswith(f"line 3: {text[:-1]}.")
    assert ".." not in told
    assert not str(BadFileError("line 3", text)).endswith(".")


@pytest.mark.parametrize("line", ["undo", "redo", "continue", "W>F1", "resign\ndraw", "T1>T1", "recycle", "hint T1>F4"])
def test_no_refused_step_is_told_with_two_full_stops(line: str) -> None:
    with pytest.raises(BadFileError) as raised:
        read(f"Kind draw1, standard, relaxed\nDeal number 1\n{line}\n")
    told = bad_file(raised.value).text
    assert told.endswith(".")
    assert ".." not in told
    assert ". (" not in told
