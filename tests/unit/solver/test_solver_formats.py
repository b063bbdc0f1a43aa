"""Deals as text, and the commands that read and write them."""

import json

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from services.cli.main import main
from shared.rules.cards import DECK, Card
from shared.solver.formats import FORMATS, DealError, DealFormat, deal_text, detect, parse_deal

decks = st.permutations(DECK).map(tuple)
PLAIN = deal_text(DECK, "list")


@given(deck=decks, form=st.sampled_from(FORMATS))
def test_what_is_written_is_read_back(deck: tuple[Card, ...], form: DealFormat) -> None:
    """Every format keeps the deal, and is recognised."""
    text = deal_text(deck, form)
    assert detect(text) == form
    assert parse_deal(text) == deck


def test_a_published_deal_in_solvitaire_json_has_its_columns() -> None:
    """Lonelybot's README prints this one: columns from the left, tops last, the stock's top last."""
    text = (
        '{"tableau piles": [["KC"],["6s","8C"],["9s","Ah","5S"],["5d","Js","5h","QD"],["Ac","7c","Jc","7h","KD"],'
        '["10c","3h","4d","4h","6c","QS"],["7d","3c","6h","5c","10h","9c","3S"]],"stock": ["JD","10D","7S","10S",'
        '"AD","8S","JH","2D","AS","3D","9D","9H","6D","KS","QH","2H","2S","4S","4C","KH","2C","8H","8D","QC"]}'
    )
    deck = parse_deal(text)
    assert deck[:8] == ("KC", "6S", "9S", "5D", "AC", "TC", "7D", "8C")
    assert deck[28:30] == ("QC", "8D")


def test_klondike_solvers_digits_are_rank_and_suit() -> None:
    """Its README: 014 is the ace of spades, 042 the four of diamonds."""
    assert deal_text(("AS", "4D"), "digits") == "014042"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (PLAIN.replace("AC ", ""), "51 cards, not 52: AC missing"),
        (PLAIN.replace("2C", "AC"), "card 2: AC is there already, as card 1"),
        (PLAIN.replace("2C", "1X"), "card 2: '1X' is no card"),
        ("0110", "4 digits"),
        ("019", "card 1: 019 is no card"),
        ('{"stock": []}', "no Solvitaire deal"),
        ('{"tableau piles": [], "stock": []}', "tableau piles: 1 to 7 cards"),
        ("{", "no Solvitaire deal"),
    ],
)
def test_a_bad_deal_is_refused_with_card_and_reason(text: str, message: str) -> None:
    """The message names what is wrong and where."""
    with pytest.raises(DealError, match=message):
        parse_deal(text)


def test_solve_answers_each_line_in_order_and_goes_on_after_a_bad_one() -> None:
    """A line of JSON a deal; a bad line has an error and makes the exit status 1."""
    result = CliRunner().invoke(main, ["solve", "--jobs", "2"], input=f"{PLAIN}\n# a comment\nXX\n{PLAIN}\n")
    answers = [json.loads(line) for line in result.stdout.splitlines()]
    assert [answer["line"] for answer in answers] == [1, 3, 4]
    assert "no card" in answers[1]["error"]
    assert answers[0]["verdict"] == answers[2]["verdict"]
    assert answers[0]["verdict"] in {"solvable", "unsolvable"}
    assert answers[0].get("move_count", 0) == len(answers[0].get("moves", []))
    assert result.exit_code == 1


def test_solve_says_why_it_does_not_know() -> None:
    """A budget that ends is no error."""
    result = CliRunner().invoke(main, ["solve", "--variant", "draw3", "--max-states", "1"], input=PLAIN)
    answer = json.loads(result.stdout)
    assert (answer["verdict"], answer["reason"]) == ("unknown", "states")
    assert result.exit_code == 0


def test_convert_writes_every_format_and_names_the_bad_line() -> None:
    """Good lines are converted, bad ones told on the standard error."""
    result = CliRunner().invoke(main, ["convert", "--to", "digits"], input=f"{PLAIN}\nAC AC\n")
    assert result.stdout.strip() == deal_text(DECK, "digits")
    assert "line 2: card 2: AC is there already" in result.stderr
    assert result.exit_code == 1


def test_bench_prints_the_figures_of_numbered_deals() -> None:
    """A run on two deals decides both, and says how long that took."""
    result = CliRunner().invoke(main, ["bench", "solver", "--deals", "2", "--reference", "0", "--json"])
    (figures,) = json.loads(result.stdout)["figures"]
    assert (figures["deals"], figures["decided"]) == (2, 2)
    assert 0 < figures["median"] <= figures["p99"]


def test_winrate_counts_each_deal_once_and_brackets_its_share() -> None:
    """Solvable, unsolvable and undecided deals are all deals, and the share lies in its interval."""
    result = CliRunner().invoke(main, ["winrate", "--deals", "20", "--json"])
    rate = json.loads(result.stdout)
    assert rate["solvable"] + rate["unsolvable"] + rate["unknown"] == 20
    assert 0 < rate["low"] < rate["share"] < rate["high"] <= 1


def test_warm_says_when_the_kernels_are_ready() -> None:
    """One command compiles ahead."""
    assert "kernels ready" in CliRunner().invoke(main, ["warm"]).stdout
