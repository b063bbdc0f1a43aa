"""The commands of the solver, run as a user runs them."""

import json
import os
import pty
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from click.testing import CliRunner

from services.cli.main import main
from shared.rules.cards import DECK
from shared.rules.deal import numbered_deck
from shared.rules.legal import breach
from shared.rules.moves import parse_move
from shared.rules.table import Table, apply, is_won, lay_out
from shared.rules.variants import VARIANTS
from shared.solver.formats import FORMATS, deal_text, parse_table, table_text

PLAIN = deal_text(DECK, "list")
DRAW1 = VARIANTS["draw1"]
EASY = numbered_deck(3, decks=1)
LINE_FIELDS = ["deal", "verdict", "proof", "difficulty", "moves", "move_count", "states", "micros", "line"]


def wins(table: Table, moves: list[str]) -> bool:
    """Whether the rules accept each move, to the win."""
    for text in moves:
        move = parse_move(text)
        assert breach(table, move, DRAW1) is None, text
        table = apply(table, move, DRAW1).table
    return is_won(table, DRAW1)


def test_solve_answers_each_line_in_order_and_goes_on_after_a_bad_one() -> None:
    """A line of JSON a deal; a bad line has an error and makes the exit status 1."""
    lines = f"{PLAIN}\n# a comment\nXX\n\n{deal_text(EASY, 'digits')}\n"
    result = CliRunner().invoke(main, ["solve", "--jobs", "2"], input=lines)
    first, bad, last = (json.loads(line) for line in result.stdout.splitlines())
    assert list(first) == list(last) == LINE_FIELDS
    assert bad == {"deal": "XX", "error": bad["error"], "line": 3}
    assert bad["error"].startswith("line 3: card 1: 'XX' is no card")
    assert (first["line"], last["line"]) == (1, 5)
    assert last["deal"] == deal_text(EASY, "list")
    assert (last["verdict"], last["proof"]) == ("solvable", "certified")
    assert last["move_count"] == len(last["moves"])
    assert wins(lay_out(EASY, DRAW1), last["moves"])
    assert result.exit_code == 1


@pytest.mark.parametrize("command", ["solve", "convert"])
@pytest.mark.parametrize("text", [f"{PLAIN}\n", f"{table_text(lay_out(DECK, DRAW1), DRAW1, 'board')}\n"])
def test_a_file_may_begin_with_a_mark_of_its_encoding(tmp_path: Path, command: str, text: str) -> None:
    """As some editors write it; from a file and from the standard input."""
    marked = b"\xef\xbb\xbf" + text.encode()
    file = tmp_path / "deal"
    file.write_bytes(marked)
    from_file = CliRunner().invoke(main, [command, str(file)])
    from_input = CliRunner().invoke(main, [command], input=marked)
    assert (from_file.exit_code, from_input.exit_code) == (0, 0), from_file.output + from_input.output
    assert PLAIN in from_file.stdout
    assert PLAIN in from_input.stdout


def test_solve_finds_a_lost_deal_and_gives_no_moves() -> None:
    """Nulls stand where a win would have its moves."""
    result = CliRunner().invoke(main, ["solve"], input="pysolfc:32007\n")
    answer = json.loads(result.stdout)
    assert answer["verdict"] == "unsolvable"
    assert answer["proof"] == "argued"
    assert answer["moves"] is answer["move_count"] is None
    assert result.exit_code == 0


@pytest.mark.parametrize(("extra", "proof"), [([], "certified"), (["--max-states", "1000"], "argued")])
def test_a_lost_deal_is_certified_where_a_second_search_finishes(extra: list[str], proof: str) -> None:
    """It has a budget of its own; where that ends, the proof of the first search stands."""
    result = CliRunner().invoke(main, ["solve", "--certified", *extra], input="pysolfc:32007\n")
    answer = json.loads(result.stdout)
    assert (answer["verdict"], answer["proof"]) == ("unsolvable", proof)


def test_solve_says_why_it_does_not_know() -> None:
    """A budget that ends is no error."""
    result = CliRunner().invoke(main, ["solve", "--variant", "draw3", "--max-states", "1"], input=PLAIN)
    answer = json.loads(result.stdout)
    assert (answer["verdict"], answer["proof"], answer["reason"]) == ("unknown", None, "states")
    assert result.exit_code == 0


def test_a_game_can_be_printed_in_the_middle_and_solved_from_there() -> None:
    """A board, several lines, and its JSON stand for the same position; an edited card is named at its line."""
    table = lay_out(EASY, DRAW1)
    answer = json.loads(CliRunner().invoke(main, ["solve"], input=deal_text(EASY, "list")).stdout)
    for text in answer["moves"][:40]:
        table = apply(table, parse_move(text), DRAW1).table
    board, position = (table_text(table, DRAW1, form) for form in ("board", "position"))
    result = CliRunner().invoke(main, ["solve"], input=f"{board}\n\n{position}\n{board.replace('pass:', 'pass:-')}\n")
    from_board, from_json, bad = (json.loads(line) for line in result.stdout.splitlines())
    assert from_board["deal"] == from_json["deal"] == position
    assert from_board["moves"] == from_json["moves"]
    assert wins(parse_table(position, DRAW1), from_json["moves"])
    assert bad["error"].startswith(f"line {board.count(chr(10)) + 4}: no board")


def test_deals_of_other_programs_are_read_by_number() -> None:
    """The format is in the text, or named once for all lines."""
    named = CliRunner().invoke(main, ["solve", "--from", "pysolfc"], input="32001\n32,001\n")
    told = CliRunner().invoke(main, ["solve"], input="pysolfc:32001\n")
    deals = {json.loads(line)["deal"] for line in (named.stdout + told.stdout).splitlines()}
    assert len(deals) == 1


@pytest.mark.parametrize("jobs", ["1", "3"])
def test_the_games_that_pysolfc_lists_as_solvable_are(jobs: str) -> None:
    """The first of its pysollib/games/solvable_seeds/klondike_solvable_seeds.py: another solver won each."""
    missing = {32007, 32008, 32016, 32020, 32025, 32028, 32029, 32033, 32038}
    seeds = [number for number in range(32001, 32040) if number not in missing]
    lines = "\n".join(map(str, seeds))
    result = CliRunner().invoke(main, ["solve", "--from", "pysolfc", "--jobs", jobs], input=lines)
    assert [json.loads(line)["verdict"] for line in result.stdout.splitlines()] == ["solvable"] * len(seeds)


@pytest.mark.parametrize("line", ["x" * 100_000, "x " * 50_000, "1" * 100_000, "pysolfc:" + "1" * 100_000])
def test_a_bad_line_is_not_repeated_whole(line: str) -> None:
    """Its beginning tells which it is."""
    result = CliRunner().invoke(main, ["solve"], input=line)
    bad = json.loads(result.stdout)
    assert bad["deal"] == line.strip()[:79] + "…"
    assert bad["error"].startswith("line 1: ")
    assert len(bad["error"]) <= 300
    converted = CliRunner().invoke(main, ["convert", "--to", "list"], input=line)
    assert converted.stderr.strip() == bad["error"]


def test_bytes_that_are_no_text_are_a_bad_line(tmp_path: Path) -> None:
    """Not a traceback."""
    path = tmp_path / "deals"
    path.write_bytes(b"\xff\xfe 9C\n" + PLAIN.encode())
    result = CliRunner().invoke(main, ["solve", str(path)])
    bad, good = (json.loads(line) for line in result.stdout.splitlines())
    assert "line 1: card 1:" in bad["error"]
    assert good["verdict"] in {"solvable", "unsolvable"}


@pytest.mark.parametrize("arguments", [["solve", "--jobs", "0"], ["solve", "nowhere"], ["convert", "--to", "pysolfc"]])
def test_a_wrong_option_is_a_usage_error(arguments: list[str]) -> None:
    """Exit status 2, and one line that names it."""
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 2
    assert "Error: " in result.stderr


def test_convert_writes_every_format_and_names_the_bad_line() -> None:
    """Good lines are converted, bad ones told on the standard error."""
    result = CliRunner().invoke(main, ["convert", "--to", "digits"], input=f"{PLAIN}\nAC AC\n")
    assert result.stdout.strip() == deal_text(DECK, "digits")
    assert "line 2: card 2: AC is there already" in result.stderr
    assert result.exit_code == 1


def test_convert_leads_from_every_format_to_every_other_and_back() -> None:
    """One deal around the whole table."""
    text = PLAIN
    written = [form.name for form in FORMATS.values() if form.write_deal or form.write_table]
    for source, target in zip(["list", *written], [*written, "list"], strict=True):
        result = CliRunner().invoke(main, ["convert", "--from", source, "--to", target], input=text)
        assert result.exit_code == 0, result.stderr
        text = result.stdout
    assert text.strip() == PLAIN


@pytest.mark.parametrize("command", ["solve", "convert"])
def test_the_help_lists_the_formats(command: str) -> None:
    """Each with what it is."""
    shown = CliRunner().invoke(main, [command, "--help"]).stdout
    assert all(f"    {form.name} " in shown for form in FORMATS.values())


def test_a_terminal_shows_a_bar_and_a_pipe_none(tmp_path: Path) -> None:
    """The bar goes to the standard error; the standard output has nothing but answers."""
    path = tmp_path / "deals"
    path.write_text(f"{PLAIN}\n{PLAIN}\n")
    command = [sys.executable, "-m", "services.cli", "solve", str(path)]
    watcher, terminal = pty.openpty()
    shown = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=terminal, check=True, env={**os.environ, "TERM": "xterm"}
    )
    os.close(terminal)
    bar = os.read(watcher, 100_000).decode()
    os.close(watcher)
    assert "2/2" in bar
    assert len([json.loads(line) for line in shown.stdout.splitlines()]) == 2
    silent = subprocess.run(command, capture_output=True, check=True)
    assert silent.stderr == b""


def test_bench_prints_the_figures_of_numbered_deals_and_draws_them(tmp_path: Path) -> None:
    """A run on two deals and both draws decides all, says how long that took, and draws a curve for each."""
    picture = tmp_path / "times.svg"
    options = ["--deals", "2", "--reference", "0", "--json", "--plot", str(picture)]
    reports = json.loads(CliRunner().invoke(main, ["bench", "solver", *options]).stdout)
    assert [report["variant"] for report in reports] == ["draw1", "draw3"]
    for report in reports:
        (figures,) = report["figures"]
        assert (figures["deals"], figures["decided"]) == (2, 2)
        assert 0 < figures["median"] <= figures["p90"] <= figures["p99"]
        assert figures["states_per_second"] > 0
        assert figures["memory_mb"] > 0
    shown = ET.fromstring(picture.read_text())
    texts = [element.text for element in shown.iter("{http://www.w3.org/2000/svg}text")]
    assert {"klondike, draw1, 2 deals", "klondike, draw3, 2 deals", "50 %", "0.1"} <= set(texts)


@pytest.mark.skipif(find_spec("pyksolve") is None, reason="PYKSOLVE IS NOT INSTALLED: ours is not measured against it")
def test_bench_measures_the_reference_on_the_same_deals(tmp_path: Path) -> None:
    """Ours on the deals that both were given stands beside it, and how many times faster it is."""
    path = tmp_path / "deals"
    path.write_text("klondike:3\nklondike:4\n")
    options = ["--variant", "draw1", "--reference", "1", "--json"]
    (report,) = json.loads(CliRunner().invoke(main, ["bench", "solver", str(path), *options]).stdout)
    ours, same, theirs = report["figures"]
    assert [one["solver"] for one in (ours, same, theirs)] == ["klondike", "klondike", "pyksolve"]
    assert [one["deals"] for one in (ours, same, theirs)] == [2, 1, 1]
    assert report["faster"] == pytest.approx(theirs["mean"] / same["mean"])


def test_bench_names_the_bad_line_of_its_file(tmp_path: Path) -> None:
    """A usage error, not a traceback."""
    path = tmp_path / "deals"
    path.write_text("klondike:3\nAC\n")
    result = CliRunner().invoke(main, ["bench", "solver", str(path)])
    assert result.exit_code == 2
    assert "line 2: 1 cards, not 52" in result.stderr


def test_winrate_counts_each_deal_once_and_brackets_its_share() -> None:
    """Solvable, unsolvable and undecided deals are all deals, and the share lies in its interval."""
    result = CliRunner().invoke(main, ["winrate", "--deals", "20", "--json"])
    rate = json.loads(result.stdout)
    assert rate["solvable"] + rate["unsolvable"] + rate["unknown"] == 20
    assert 0 < rate["low"] < rate["share"] < rate["high"] <= 1


def test_warm_says_when_the_kernels_are_ready() -> None:
    """One command compiles ahead."""
    assert "kernels ready" in CliRunner().invoke(main, ["warm"]).stdout


@pytest.mark.parametrize("nothing", ["", "\n\n", "# only a note\n"])
def test_where_there_is_no_deal_solve_says_what_is_needed(nothing: str) -> None:
    result = CliRunner().invoke(main, ["solve"], input=nothing)
    assert (result.exit_code, result.stdout) == (0, "")
    assert "there is no deal in it" in result.stderr
