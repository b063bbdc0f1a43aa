"""Files of a history: what they say, and that they can be read back."""

import csv
import io

import jsonschema
import msgspec

from services.cli.documents import schema
from services.gateway.history.exports import CSV_COLUMNS, CSV_COLUMNS_FOR_TWO, WHO, written
from services.gateway.history.replay import history_of
from shared.game.view import past_step, past_steps
from shared.messages.history import GameHistory
from shared.rules.moves import move_text, parse_move
from tests.duels import DuelPlay, new_duel, random_duel, waiting_duel
from tests.play import Play, new_play, random_play

LIST = """\
Klondike game {game}
Kind     draw1 1.0.0, standard, relaxed
Deal     number 1, {shuffle}
Played   2023-11-14T22:13:20.000Z to 2023-11-14T22:13:26.000Z
Result   resigned: 5 points, 2 moves, 0:05, with help

Moves are numbered that stand at the end. T1 to T7 are the columns, F1 to F4 the foundations of clubs,
diamonds, hearts and spades, W the waste; *4: the four topmost cards.

  No     Time  Move             Points    Sum  Cards
          0:00  deal                         0
   1.     0:00  T7>T5                +5      5  4D, turns up 2D
          0:01  draw                         5  7C
          0:02  undo draw                    5
   2.     0:03  redo draw                    5
          0:04  hint draw                    5  build-tableau
          0:05  resign                       5
"""

RESULT_FOR_TWO = """\
Result   won: 15 points, 1 moves, 0:03
Host     won: 15 points, 1 moves, 1 cards up
Guest    resigned: 5 points, 1 moves, 0 cards up
"""
STEPS_FOR_TWO = """\
  No     Time  Who    Move             Points    Sum  Cards
          0:00  host   deal                         0
          0:00  guest  join                         0
   1.     0:00  host   T4>F2               +15     15  AD, turns up 6D
   1.     0:01  guest  T7>T5                +5      5  7S, turns up 3D
          0:02  guest  resign                       5
          0:03  host   resign                      15
"""


def told(play: Play) -> GameHistory:
    play = play if play.ended else play.must("resign")
    return history_of(play.game.game, [past_step(record) for record in play.records])


def test_the_list_of_moves_reads_like_this() -> None:
    history = told(new_play(deal=1).must("T7>T5", "draw", "undo", "redo", "hint draw"))
    text = written(history, "text").decode()
    assert text == LIST.format(game=history.game, shuffle=history.shuffle)


def test_the_list_names_the_moves_that_stand_in_order() -> None:
    history = told(random_play(2, commands=90))
    numbered = [line.split() for line in written(history, "text").decode().splitlines() if line[4:6].strip() == "."]
    assert len(numbered) == history.moves
    for number, fields in enumerate(numbered, start=1):
        assert fields[0] == f"{number}."
        text = fields[3] if fields[2] == "redo" else fields[2]
        assert move_text(parse_move(text)) == text


def test_csv_has_a_row_for_each_version_and_a_cell_for_each_column() -> None:
    history = told(random_play(4, commands=60))
    rows = list(csv.DictReader(io.StringIO(written(history, "csv").decode(), newline="")))
    assert len(rows) == len(history.steps)
    for row, step in zip(rows, history.steps, strict=True):
        assert tuple(row) == CSV_COLUMNS
        assert (int(row["version"]), row["deed"], row["move"]) == (step.version, step.deed, step.move or "")
        assert (int(row["points"]), int(row["moves"]), row["stands"] == "yes") == (step.points, step.moves, step.stands)


def test_json_is_its_schema_and_is_read_back_the_same() -> None:
    history = told(random_play(1, commands=40))
    data = written(history, "json")
    jsonschema.validate(msgspec.json.decode(data), schema("histories"))
    assert msgspec.json.decode(data, type=GameHistory) == history


def told_of_two(duel: DuelPlay) -> GameHistory:
    for who in (0, 1):
        if not duel.game.over and duel.game.seats[who].status == "running":
            duel.must(who, "resign")
    return history_of(duel.game.game, past_steps(duel.records))


def test_the_list_of_a_game_for_two_says_whose_each_move_is_and_how_it_ended_for_both() -> None:
    text = written(told_of_two(new_duel(deal=4).must(0, "T4>F2").must(1, "T7>T5", "resign")), "text").decode()
    assert RESULT_FOR_TWO in text
    assert text.endswith(STEPS_FOR_TWO)


def test_csv_of_a_game_for_two_has_the_figures_of_both_sides() -> None:
    history = told_of_two(random_duel(4, commands=120))
    rows = list(csv.DictReader(io.StringIO(written(history, "csv").decode(), newline="")))
    for row, step in zip(rows, history.steps, strict=True):
        assert tuple(row) == CSV_COLUMNS_FOR_TWO
        assert (WHO.index(row["who"]), int(row["points"])) == (step.seat, step.points)
        assert int(row["cards_up"]) == step.cards_up
        other = (row["other_points"], row["other_moves"], row["other_cards_up"])
        told = (step.other.points, step.other.moves, step.other.cards_up) if step.other else ("", "", "")
        assert other == tuple(map(str, told))


def test_json_of_a_game_for_two_is_its_schema_and_is_read_back_the_same() -> None:
    for duel in (random_duel(1, commands=60), waiting_duel().must(0, "resign")):
        history = told_of_two(duel)
        data = written(history, "json")
        jsonschema.validate(msgspec.json.decode(data), schema("histories"))
        assert msgspec.json.decode(data, type=GameHistory) == history
