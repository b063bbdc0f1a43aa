"""A deal is checked from its public history alone, by our command and by a script that has nothing of ours."""

import subprocess
import sys
from pathlib import Path
from random import Random

import msgspec
import pytest
from click.testing import CliRunner

from services.cli.fairness.check import check_deal
from services.cli.verify_deal import verify_deal
from services.gateway.history.replay import history_of
from shared.game.view import past_step, past_steps
from shared.messages.commands import NumberedDeal, SecretDeal
from shared.messages.events import CardsDrawn, CardsMoved
from shared.messages.history import GameHistory
from shared.rules import deal
from shared.rules.cards import DECK, Card
from shared.rules.variants import VARIANTS
from tests.duels import random_duel, waiting_duel
from tests.play import Play, new_play, random_play

SCRIPT = Path("docs/check_deal.py")


def told(play: Play) -> GameHistory:
    play = play if play.ended else play.must("resign")
    return history_of(play.game.game, [past_step(record) for record in play.records])


def script_says(history: GameHistory, folder: Path) -> str:
    """What the stand-alone script prints, run with a Python that has no package of ours."""
    file = folder / "history.json"
    file.write_bytes(msgspec.json.encode(history))
    argv = [sys.executable, "-I", "-S", str(SCRIPT), str(file)]
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    return done.stdout + done.stderr


def test_the_script_has_thirty_lines_and_needs_nothing_but_python() -> None:
    lines = [line for line in SCRIPT.read_text(encoding="utf-8").splitlines() if line and not line.startswith('"""')]
    assert len(lines) <= 30
    imported = {name.strip(",") for line in lines if line.startswith("import ") for name in line.split()[1:]}
    assert imported <= sys.stdlib_module_names


@pytest.mark.parametrize("variant", [one.id for one in VARIANTS.values() if one.players == 1])
def test_honest_games_of_every_variant_are_fair(variant: str, tmp_path: Path) -> None:
    history = told(random_play(5, commands=120, variant=variant))
    found = check_deal(history)
    assert found.fair, found.fault
    assert found.seen > 7
    assert script_says(history, tmp_path) == f"fair: {found.seen} cards were seen, each where it was dealt\n"


def told_of_two(variant: str) -> GameHistory:
    duel = random_duel(5, commands=120, variant=variant)
    for who in (0, 1):
        if not duel.game.over and duel.game.seats[who].status == "running":
            duel.must(who, "resign")
    return history_of(duel.game.game, past_steps(duel.records))


def drawn_otherwise(history: GameHistory, seat: int) -> GameHistory:
    """The history with another card drawn first on one side."""
    place, step = next(
        (place, step)
        for place, step in enumerate(history.steps)
        if step.seat == seat and isinstance(step.events[0], CardsDrawn)
    )
    event = step.events[0]
    assert isinstance(event, CardsDrawn)
    other = msgspec.structs.replace(event, cards=(_other(event.cards[0], Random(seat)),))
    forged = msgspec.structs.replace(step, events=(other,))
    return msgspec.structs.replace(history, steps=(*history.steps[:place], forged, *history.steps[place + 1 :]))


@pytest.mark.parametrize("variant", [one.id for one in VARIANTS.values() if one.players == 2])
def test_both_sides_of_a_game_for_two_are_checked(variant: str, tmp_path: Path) -> None:
    history = told_of_two(variant)
    found = check_deal(history)
    assert found.fair, found.fault
    assert (len(found.deck), found.seen > 2 * 7) == (104, True)
    assert script_says(history, tmp_path) == f"fair: {found.seen} cards were seen, each where it was dealt\n"
    for seat in (0, 1):
        forged = drawn_otherwise(history, seat)
        assert str(check_deal(forged).fault).startswith("the game showed ")
        assert "NOT FAIR" in script_says(forged, tmp_path)


def test_a_game_that_nobody_joined_has_no_cards_to_check() -> None:
    duel = waiting_duel().must(0, "resign")
    found = check_deal(history_of(duel.game.game, past_steps(duel.records)))
    assert (found.fair, found.fault) == (False, "no card was dealt")


def test_a_numbered_deal_is_fair_when_it_is_the_numbers_own() -> None:
    history = told(new_play(deal=7).must("draw"))
    assert check_deal(history).fair
    other = msgspec.structs.replace(history, deal=NumberedDeal(number=8))
    assert "the game showed" in str(check_deal(other).fault)


def with_card(history: GameHistory, chance: Random) -> GameHistory | None:
    """The history with one card exchanged that was turned up, or drawn in the first pass."""
    shown = [
        (place, step)
        for place, step in enumerate(history.steps)
        if step.board.pass_number == 1
        and any(isinstance(one, CardsDrawn) or (isinstance(one, CardsMoved) and one.turned_up) for one in step.events)
    ]
    if not shown:
        return None
    place, step = chance.choice(shown)
    event = step.events[0]
    if isinstance(event, CardsDrawn):
        event = msgspec.structs.replace(event, cards=(*event.cards[:-1], _other(event.cards[-1], chance)))
    elif isinstance(event, CardsMoved) and event.turned_up:
        event = msgspec.structs.replace(event, turned_up=_other(event.turned_up, chance))
    changed = msgspec.structs.replace(step, events=(event, *step.events[1:]))
    return msgspec.structs.replace(history, steps=(*history.steps[:place], changed, *history.steps[place + 1 :]))


def _other(card: Card, chance: Random) -> Card:
    return chance.choice([one for one in DECK if one != card])


@pytest.mark.parametrize("seed", range(12))
def test_a_card_that_was_not_dealt_there_is_noticed_by_both(seed: int, tmp_path: Path) -> None:
    forged = with_card(told(random_play(seed, commands=60, variant="draw3")), Random(seed))
    assert forged is not None
    found = check_deal(forged)
    assert not found.fair
    assert str(found.fault).startswith("the game showed ")
    assert "NOT FAIR" in script_says(forged, tmp_path)


def test_a_forged_secret_is_noticed_with_and_without_a_commitment_to_fit(tmp_path: Path) -> None:
    history = told(random_play(1, commands=30))
    secret = bytes(32)
    for forged, why in (
        (msgspec.structs.replace(history, secret=secret.hex()), "not the one that was committed to"),
        (
            msgspec.structs.replace(history, secret=secret.hex(), commitment=deal.commitment(secret)),
            "the game showed",
        ),
        (msgspec.structs.replace(history, deal=SecretDeal(player_seed="another")), "the game showed"),
    ):
        assert why in str(check_deal(forged).fault)
        assert "NOT FAIR" in script_says(forged, tmp_path)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"secret": "zz" * 32}, "hexadecimal"),
        ({"secret": "00"}, "32 bytes"),
        ({"shuffle": "mine"}, "not known here"),
        ({"steps": ()}, "no step"),
    ],
)
def test_what_is_no_deal_at_all_is_named(change: dict[str, object], why: str) -> None:
    history = told(random_play(1, commands=30))
    found = check_deal(msgspec.structs.replace(history, **change))
    assert not found.fair
    assert why in str(found.fault)


def test_a_commitment_that_was_noted_must_be_the_historys() -> None:
    history = told(random_play(1, commands=30))
    assert check_deal(history, promised=history.commitment.upper()).fair
    assert "noted when the game began" in str(check_deal(history, promised="00" * 32).fault)


def test_the_command_says_fair_not_fair_or_why_it_cannot_say(tmp_path: Path) -> None:
    file = tmp_path / "history.json"
    history = told(random_play(1, commands=30))
    file.write_bytes(msgspec.json.encode(history))
    runner = CliRunner()
    fair = runner.invoke(verify_deal, [str(file)])
    assert (fair.exit_code, fair.output.splitlines()[-1][:5]) == (0, "fair:")
    as_json = runner.invoke(verify_deal, [str(file), "--json"])
    assert msgspec.json.decode(as_json.output, type=dict[str, object])["fair"] is True
    forged = runner.invoke(verify_deal, [str(file), "--commitment", "00"])
    assert (forged.exit_code, "NOT FAIR" in forged.output) == (1, True)


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "truncated"),
        (b"\xff\xfe", "not the history of a game"),
        (b'{"type":"game-history"}', "missing required field"),
        (b"[" * 100_000, "not the history of a game"),
    ],
)
def test_a_file_that_is_no_history_is_named_without_a_traceback(content: bytes, why: str, tmp_path: Path) -> None:
    file = tmp_path / "history.json"
    file.write_bytes(content)
    answer = CliRunner().invoke(verify_deal, [str(file)])
    assert answer.exit_code == 2
    assert why in answer.output
    assert answer.output.startswith("klondike verify-deal: ")


def test_a_missing_file_and_a_bad_address_are_named() -> None:
    runner = CliRunner()
    assert "Give a file or a game's id" in runner.invoke(verify_deal, ["nothing.json"]).output
    for url in ("ftp://127.0.0.1", "http://127.0.0.1:1"):
        answer = runner.invoke(verify_deal, ["a" * 26, "--url", url])
        assert (answer.exit_code, "--url" in answer.output) == (2, True)


@pytest.mark.parametrize("variant", ["nope", "", "DRAW1", "draw1 "])
def test_a_variant_that_nobody_knows_is_not_fair(variant: str) -> None:
    found = check_deal(msgspec.structs.replace(told(new_play(deal=1).must("draw")), variant=variant))
    assert (found.fair, found.fault, found.deck) == (False, f"the variant {variant!r} is not known here", ())
