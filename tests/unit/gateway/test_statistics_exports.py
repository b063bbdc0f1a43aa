"""Statistics and lists of games as files."""

import csv
import io

import msgspec

from services.gateway.statistics.exports import (
    GAMES_COLUMNS,
    STATISTICS_COLUMNS,
    ExportedGames,
    ExportedStatistics,
    games_file,
    statistics_file,
)
from shared.messages.answers import GameEnd, GameSummary, PlayerStatistics, Statistics
from tests.scoring_logs import STARTED_AT, game_id, player_id

PLAYED = Statistics(
    variant="draw1", scoring="standard", assisted=False, games=7, wins=2, losses=4, points=-30, best_points=700,
    best_play_ms=90_000, fewest_moves=99, play_ms=200_001, streak=-2, longest_streak=2, longest_losses=3,
)  # fmt: skip
BEGUN = Statistics(variant="vegas", scoring="vegas", assisted=True, games=1)
OWN = PlayerStatistics(player=player_id(1), rows=(PLAYED, BEGUN), bankroll=0)
RUNNING = GameSummary(
    game=game_id(0), variant="draw3", scoring="standard", mode="relaxed", player=player_id(1), started_at=STARTED_AT,
    version=3,
)  # fmt: skip
OVER = msgspec.structs.replace(
    RUNNING,
    game=game_id(1),
    end=GameEnd(at=STARTED_AT + 1500, result="won", points=-5, moves=120, play_ms=1400, assisted=True),
)


def rows_of(data: bytes) -> list[dict[str, str]]:
    assert data.endswith(b"\r\n")
    return list(csv.DictReader(io.StringIO(data.decode(), newline="")))


def test_each_kind_of_game_is_a_row_with_all_its_figures_and_what_there_is_not_is_empty() -> None:
    played, begun = rows_of(statistics_file(OWN, "csv", at=5))
    assert tuple(played) == STATISTICS_COLUMNS
    assert played == {
        "variant": "draw1", "scoring": "standard", "assisted": "no", "games": "7", "running": "1", "wins": "2",
        "losses": "4", "draws": "0", "win_rate": "0.3333", "streak": "-2", "longest_streak": "2", "longest_losses": "3",
        "points": "-30", "best_points": "700", "best_play_ms": "90000", "mean_play_ms": "100000", "fewest_moves": "99",
    }  # fmt: skip
    assert (begun["games"], begun["running"], begun["assisted"]) == ("1", "1", "yes")
    assert {begun[name] for name in ("win_rate", "best_points", "best_play_ms", "mean_play_ms", "fewest_moves")} == {""}


def test_a_game_is_a_row_with_its_end_or_as_running() -> None:
    running, over = rows_of(games_file(player_id(1), [RUNNING, OVER], "csv", at=5, complete=True))
    assert tuple(running) == GAMES_COLUMNS
    assert (running["game"], running["result"], running["ended_at"], running["points"]) == (
        game_id(0),
        "running",
        "",
        "",
    )
    assert over["started_at"] == "2023-11-14T22:13:20.000Z"
    assert over["ended_at"] == "2023-11-14T22:13:21.500Z"
    assert (over["result"], over["points"], over["moves"], over["play_ms"], over["assisted"], over["formula"]) == (
        "won", "-5", "120", "1400", "yes", "1",
    )  # fmt: skip


def test_json_has_what_the_answers_have() -> None:
    sums = msgspec.json.decode(statistics_file(OWN, "json", at=5), type=ExportedStatistics)
    assert sums == ExportedStatistics(player=player_id(1), exported_at=5, rows=OWN.rows, bankroll=0)
    games = msgspec.json.decode(
        games_file(player_id(1), [RUNNING, OVER], "json", at=5, complete=False), type=ExportedGames
    )
    assert games == ExportedGames(player=player_id(1), exported_at=5, games=(RUNNING, OVER), complete=False)


def test_who_has_not_played_gets_the_names_of_the_columns_alone() -> None:
    none = PlayerStatistics(player=player_id(1), rows=())
    assert statistics_file(none, "csv", at=0).decode() == ",".join(STATISTICS_COLUMNS) + "\r\n"
    assert rows_of(games_file(player_id(1), [], "csv", at=0, complete=True)) == []
