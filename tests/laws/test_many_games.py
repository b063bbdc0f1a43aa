"""Random and greedy games of every variant under every scoring, to their ends: no invariant breaks, each is rebuilt
from its records to the same bytes, and audits clean.

`KLONDIKE_TEST_GAMES=10000 pytest tests/laws/test_many_games.py` plays so many of each variant: somewhat more than
an hour of a processor. What that came to is in `docs/architecture.md`.
"""

import os
import random

import pytest

from shared import subjects
from shared.game.audit import Message, audit_deal, audit_records
from shared.messages.codec import encode
from shared.messages.errors import Error
from shared.rules.cards import DECK
from shared.rules.positions import position_fault
from shared.rules.table import all_cards, is_won
from shared.rules.variants import SOLO, Variant
from tests.laws.naive_rules import every_conceivable_move
from tests.play import Play, new_play, random_text, rebuilt

GAMES = int(os.environ.get("KLONDIKE_TEST_GAMES", "8"))
COMMANDS_MAX = 160
CONCEIVABLE = every_conceivable_move()
ANYTHING = 0.1
"""How often a random player sends a move that may well be illegal."""


@pytest.mark.timeout(max(120, GAMES))
@pytest.mark.parametrize("variant", SOLO.values(), ids=SOLO)
def test_every_game_keeps_its_invariants_and_audits_clean(variant: Variant) -> None:
    for seed in range(GAMES):
        play = played(variant, seed)
        assert_told_truly(play)
        assert_proved(play)


def played(variant: Variant, seed: int) -> Play:
    """A game to its end, looked at after every command."""
    chance = random.Random(f"{variant.id} {seed}")
    play = started(variant, seed, chance)
    while play.game.status == "running" and play.game.version < COMMANDS_MAX:
        before = play.game
        refused = isinstance(play.do(command(play, seed, chance)), Error)
        assert (play.game == before) == refused
        assert_sound(play)
    if play.game.status == "running":
        _ = play.must("resign")
    return play


def started(variant: Variant, seed: int, chance: random.Random) -> Play:
    """Secret and numbered deals, scorings and modes in turn."""
    scoring = variant.scorings[seed % len(variant.scorings)]
    mode = "relaxed" if seed % 4 == 0 else "ranked"
    return new_play(variant=variant.id, scoring=scoring, mode=mode, deal=seed if seed % 3 else chance.randbytes(32))


def command(play: Play, seed: int, chance: random.Random) -> str:
    """Every other player is greedy; the others try anything."""
    if seed % 2:
        return greedy(play, chance)
    return chance.choice(CONCEIVABLE) if chance.random() < ANYTHING else random_text(play, chance)


def greedy(play: Play, chance: random.Random) -> str:
    """Up first, then from the waste, then what turns a card up, then on through the stock."""
    legal = play.legal()
    up = [text for text in legal if ">F" in text]
    aside = [text for text in legal if text.startswith("W>T")]
    columns = play.game.seat.table.columns
    turning = [
        text
        for text in legal
        if text[0] == "T" and ">T" in text and columns[int(text[1]) - 1].down and moved(text) == up_at(play, text)
    ]
    on = [text for text in legal if text in ("draw", "recycle")]
    best = next((texts for texts in (up, aside, turning, on) if texts), legal)
    return chance.choice(best) if best else "resign"


def moved(text: str) -> int:
    return int(text.partition("*")[2] or 1)


def up_at(play: Play, text: str) -> int:
    return len(play.game.seat.table.columns[int(text[1]) - 1].up)


def assert_sound(play: Play) -> None:
    seat, variant = play.game.seat, play.game.variant
    assert sorted(all_cards(seat.table)) == sorted(DECK * variant.decks)
    assert position_fault(seat.table, variant) is None
    assert is_won(seat.table, variant) == (play.game.status == "won")
    bonus = play.ended.bonus if play.ended else 0
    assert seat.points == play.game.scoring.at_deal + sum(done.points for done in seat.done) + bonus


def assert_told_truly(play: Play) -> None:
    """The event of the end says what the game is."""
    ended, seat = play.ended, play.game.seat
    assert ended is not None
    assert (ended.result, ended.points, ended.moves) == (play.game.status, seat.points, seat.moves)
    assert ended.bonus == (play.game.scoring.at_win if ended.result == "won" else 0)
    if ended.result == "lost":
        assert (play.legal(), play.game.mode) == ((), "ranked")


def assert_proved(play: Play) -> None:
    """Records give the same game again, and an audit finds nothing."""
    assert encode(rebuilt(play.deal, play.stored)) == encode(play.logged)
    game = play.game.game
    sealed = audit_deal(game, [Message(subjects.sealed_deal(game), 1, play.deal)])
    stored = enumerate(play.stored, start=2)
    records = list(audit_records(game, sealed, [Message(subjects.game_log(game), at, data) for at, data in stored]))
    assert [*sealed.faults, *(fault for audit in records for fault in audit.faults)] == []
    assert records[-1].after is not None
    assert encode(records[-1].after.game) == encode(play.game)
