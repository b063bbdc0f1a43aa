"""Files of a history: what they say, and that they can be read back."""

import csv
import io

import jsonschema
import msgspec

from services.cli.documents import schema
from services.gateway.history.exports import CSV_COLUMNS, written
from services.gateway.history.replay import history_of
from shared.game.view import past_step
from shared.messages.history import GameHistory
from shared.rules.moves import move_text, parse_move
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
