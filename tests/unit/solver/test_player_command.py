"""`klondike player`: the same settings give the same games, and every deal is written down."""

from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import msgspec
import pytest
from click.testing import CliRunner

from services.cli import bench_levels
from services.cli.player import player
from shared.solver.player import LEVELS, Effort


def run(tmp_path: Path, name: str, *arguments: str) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The summary, and the results file's lines."""
    file = tmp_path / name
    result = CliRunner().invoke(player, ["--level", "quick", "--json", "--results", str(file), *arguments])
    assert result.exit_code == 0, result.output
    lines = file.read_text(encoding="utf-8").splitlines()
    return msgspec.json.decode(result.stdout), [msgspec.json.decode(line) for line in lines]


def test_a_run_can_be_repeated_from_its_settings_game_by_game(tmp_path: Path) -> None:
    summary, (settings, *games) = run(tmp_path, "one", "--variant", "draw3", "--deals", "3", "--seed", "7")
    again, (settings_again, *games_again) = run(tmp_path, "two", "--variant", "draw3", "--deals", "3", "--seed", "7")
    assert settings == settings_again == summary["settings"] == again["settings"]
    assert [game["game"] for game in games] == [game["game"] for game in games_again]
    assert [game["deal"] for game in games] == [7, 8, 9]
    assert summary["won"] == sum(game["game"]["won"] for game in games)
    assert 0 <= summary["low"] <= summary["share"] <= summary["high"] <= 1


def test_the_number_of_processes_changes_no_game(tmp_path: Path) -> None:
    _, (_, *games) = run(tmp_path, "one", "--deals", "2")
    _, (_, *games_of_two) = run(tmp_path, "two", "--deals", "2", "--jobs", "2")
    assert [game["game"] for game in games] == [game["game"] for game in games_of_two]


@pytest.mark.parametrize(("variant", "aim"), [("vegas", "cards"), ("draw3", "wins")])
def test_in_vegas_it_plays_for_cards_unless_told_otherwise(tmp_path: Path, variant: str, aim: str) -> None:
    summary, _ = run(tmp_path, "one", "--variant", variant, "--deals", "1")
    assert summary["settings"]["aim"] == aim


def test_a_budget_ends_the_thinking_about_a_move(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(LEVELS, "quick", Effort(searches=1_000))
    arguments = ("--deals", "1", "--seed", "2", "--stock-known")
    hasty, _ = run(tmp_path, "one", *arguments, "--budget-ms", "1")
    thorough, _ = run(tmp_path, "two", *arguments)
    assert hasty["ms_mean"] < thorough["ms_mean"]


def test_it_says_in_words_what_it_won() -> None:
    result = CliRunner().invoke(player, ["--level", "quick", "--deals", "1", "--seed", "2"])
    assert result.exit_code == 0
    assert "draw1, nothing known but what it saw: 1 of 1 deals won" in result.output


def test_levels_are_measured_on_the_same_deals_and_drawn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench_levels, "LEVELS", {"quick": LEVELS["quick"], "hasty": Effort(searches=1, states=20)})
    picture = tmp_path / "levels.svg"
    arguments = ["--variant", "draw1", "--deals", "2", "--seed", "7", "--json", "--plot", str(picture)]
    result = CliRunner().invoke(bench_levels.levels, arguments)
    assert result.exit_code == 0, result.output
    report = msgspec.json.decode(result.stdout, type=bench_levels.Report)
    assert {*report.runs} == {"quick", "hasty"}
    assert all((run.settings.first, run.settings.deals) == (7, 2) for run in report.runs.values())
    assert [run.share for run in report.runs.values()] == [run.won / 2 for run in report.runs.values()]
    root = ET.fromstring(picture.read_text(encoding="utf-8"))
    assert len(root.findall("{http://www.w3.org/2000/svg}circle")) == 2


def test_efforts_between_levels_differ_from_strong_in_searches_alone() -> None:
    between = bench_levels.efforts(between=True)
    assert {*bench_levels.efforts(between=False)} == {*LEVELS} < {*between}
    others = [effort for name, effort in between.items() if name not in LEVELS]
    assert {msgspec.structs.replace(effort, searches=1) for effort in others} == {
        msgspec.structs.replace(LEVELS["strong"], searches=1)
    }
