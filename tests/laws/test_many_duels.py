"""Random and greedy games for two, with commands that are late, illegal, or of somebody away: no invariant breaks, each
game is rebuilt from its records to the same bytes, and audits clean.

`KLONDIKE_TEST_GAMES=10000 pytest tests/laws/test_many_duels.py` plays so many of each variant.
"""

import os
import random

import msgspec
import pytest

from services.cli.auditing.report import build
from shared import subjects
from shared.game.decide import decide
from shared.game.state import Game
from shared.game.view import legal_texts
from shared.messages.codec import encode
from shared.messages.commands import ContinueGame, PauseGame
from shared.messages.errors import Error
from shared.rules.cards import DECK
from shared.rules.legal import breach
from shared.rules.moves import parse_move
from shared.rules.table import all_cards, cards_up
from shared.rules.variants import VARIANTS
from tests.duels import PLAYERS, DuelPlay, duel_command, new_duel
from tests.laws.naive_rules import every_conceivable_move
from tests.play import rebuilt
from tests.tampering import Copy, kept

GAMES = int(os.environ.get("KLONDIKE_TEST_GAMES", "8"))
COMMANDS = 160
LATE_MAX = 4
"""How many versions a command may be late."""
CONCEIVABLE = every_conceivable_move()
SAME_ACES = 10
"""A deal of `double` in which both begin with the ace of diamonds, for the same place."""
FOR_TWO = [name for name, variant in VARIANTS.items() if variant.players == 2]


@pytest.mark.timeout(max(120, GAMES))
@pytest.mark.parametrize("variant", FOR_TWO)
def test_every_game_for_two_keeps_its_invariants_and_audits_clean(variant: str) -> None:
    told = {"overtaken": 0, "stale-version": 0, "illegal-move": 0}
    for seed in range(GAMES):
        chance = random.Random(f"{variant} {seed}")
        scorings = VARIANTS[variant].scorings
        deal = SAME_ACES + seed if seed % 3 != 1 else chance.randbytes(32)
        duel = new_duel(variant, scoring=scorings[seed % len(scorings)], deal=deal)
        games = {duel.game.version: duel.game}
        for _ in range(COMMANDS):
            if duel.game.over:
                break
            code = one_command(duel, games, chance)
            told[code] = told.get(code, 0) + 1
            games[duel.game.version] = duel.game
            told["overtaken"] += assert_overtaken(duel, games)
            assert_sound(duel.game)
        for who in (0, 1):
            if not duel.game.over and duel.game.seats[who].status == "running":
                duel.must(who, "resign")
        assert_proved(duel)
    assert told["stale-version"] > 0
    assert told["illegal-move"] > 0
    assert (told["overtaken"] > 0) == (variant == "double")


def one_command(duel: DuelPlay, games: dict[int, Game], chance: random.Random) -> str:
    """The code of a command's refusal, or `done`. It is decided on some version of late."""
    who, before = chance.randrange(2), duel.game
    version = max(2, before.version - chance.randrange(LATE_MAX + 1))
    if chance.random() < 0.06:
        return presence(duel, who, chance)
    text = chosen(games[version], who, chance)
    events = duel.do(who, text, version=version, at=before.at + chance.randrange(20_000))
    if not isinstance(events, Error):
        return "done"
    assert duel.game is before
    if ">" in text and events.code in ("overtaken", "illegal-move"):
        assert (events.code == "overtaken") == was_legal(games[version], who, text), text
    return events.code


def assert_overtaken(duel: DuelPlay, games: dict[int, Game]) -> int:
    """What a side could put up just before the newest version, and cannot now though it did nothing, is overtaken."""
    version, count = duel.game.version - 1, 0
    for who, seat in enumerate(duel.game.seats if version in games and not duel.game.over else ()):
        if seat.changed <= version and seat.status == "running" and seat.away_since is None:
            for text in set(legal_texts(games[version], who)) - set(legal_texts(duel.game, who)):
                events = duel.decided(who, text, version=version)
                assert isinstance(events, Error)
                assert events.code == "overtaken"
                count += 1
    return count


def was_legal(game: Game, who: int, text: str) -> bool:
    return breach(game.seats[who].table, parse_move(text), game.variant) is None


def chosen(game: Game, who: int, chance: random.Random) -> str:
    """What a player does who sees that version: cards up first, or anything."""
    legal = legal_texts(game, who)
    up = [text for text in legal if ">F" in text]
    if up and chance.random() < 0.7:
        return chance.choice(up)
    if chance.random() < 0.004:
        return "resign"
    return chance.choice(legal if legal and chance.random() < 0.85 else CONCEIVABLE)


def presence(duel: DuelPlay, who: int, chance: random.Random) -> str:
    """Somebody goes, comes back, or claims that the other is away."""
    game = duel.game
    newest = duel_command(game, who, "resign")
    about = {"id": newest.id, "game": game.game, "player": newest.player, "version": game.version}
    gone = msgspec.convert(about | {"type": "pause-game", "reason": "absence", "since": game.at}, PauseGame)
    back = msgspec.convert(about | {"type": "continue-game"}, ContinueGame)
    command = chance.choice([gone, back, duel_command(game, who, "claim")])
    at = game.at + chance.randrange(40_000)
    events = decide(game, command, at=at)
    if isinstance(events, Error):
        return events.code
    duel.append(PLAYERS[who], events, at)
    return "done"


def assert_sound(game: Game) -> None:
    """Each card is there once for each player; shared foundations are the same on both sides."""
    tables = [seat.table for seat in game.seats]
    if not game.variant.shares_foundations:
        assert all(sorted(all_cards(table)) == sorted(DECK) for table in tables)
        return
    assert tables[0].foundations == tables[1].foundations
    bare = [msgspec.structs.replace(table, foundations=()) for table in tables]
    ups = [card for pile in tables[0].foundations for card in pile]
    assert sorted([*ups, *all_cards(bare[0]), *all_cards(bare[1])]) == sorted(DECK * 2)
    assert sum(cards_up(table, game.variant) for table in tables) == len(ups)


def assert_proved(duel: DuelPlay) -> None:
    assert encode(rebuilt(duel.deal, duel.stored)) == encode(duel.logged)
    assert duel.ended
    assert duel.ended.seats
    for seat, told in zip(duel.game.seats, duel.ended.seats, strict=True):
        assert (seat.status, seat.points, seat.moves) == (told.result, told.points, told.moves)
        assert told.cards_up == cards_up(seat.table, duel.game.variant)
    game = duel.game.game
    messages = ((subjects.sealed_deal(game), duel.deal), *((subjects.game_log(game), one) for one in duel.stored))
    assert build(game, kept(Copy(game, messages, None, None)), boards=False, reveal=False).findings == ()
