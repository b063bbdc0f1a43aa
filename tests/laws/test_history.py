"""A game's history: replayed it is the game that was played, and altered anywhere it is refused."""

import itertools
from collections import Counter
from collections.abc import Iterator
from typing import get_args

import msgspec
import pytest
from msgspec import UNSET

from shared.game.evolve import BrokenHistoryError, evolve, start
from shared.game.rebuild import Logged, Read, advance, begin
from shared.game.state import Game
from shared.messages.base import GameId, PlayerId
from shared.messages.chances import Estimate
from shared.messages.codec import CorruptRecordError, encode, open_deal, open_record
from shared.messages.commands import NumberedDeal, SecretDeal, WinnableDeal
from shared.messages.events import (
    Alternative,
    AnyEvent,
    CardsMoved,
    ChancesGiven,
    GameEnded,
    GameStarted,
    HintGiven,
    Record,
)
from shared.rules.cards import DECK, Card
from shared.rules.piles import Pile
from shared.rules.variants import SOLO
from tests.play import Play, new_play, random_play, rebuilt

replace = msgspec.structs.replace

OF_EACH_EVENT = 25
"""How many events of each type have their facts altered."""

CHOICES = {
    GameStarted: {"variant", "scoring", "mode"},
    CardsMoved: {"target"},
    HintGiven: {"move", "reason", "cards", "alternatives", "then"},
}
"""What somebody chose, and no table can tell. The hash chain alone covers these."""


@pytest.mark.parametrize("variant", SOLO)
@pytest.mark.parametrize("mode", ["ranked", "relaxed"])
def test_a_game_rebuilt_from_its_records_is_the_game_that_was_played(variant: str, mode: str) -> None:
    """Byte for byte, at every version of it."""
    for seed in range(5):
        play = random_play(seed, commands=100, variant=variant, mode=mode)
        assert encode(rebuilt(play.deal, play.stored)) == encode(play.logged)
        states = [encode(game) for game, _ in games_and_records(play)]
        for version, state in enumerate(states[1:], 1):
            assert encode(rebuilt(play.deal, play.stored[:version]).game) == state


def test_a_stored_state_and_the_records_after_it_give_the_same_game() -> None:
    """From any version, and one record too early or too late is noticed."""
    play = random_play(7, commands=60)
    reads = [Read(*open_record(data), sequence) for sequence, data in enumerate(play.stored, start=1)]
    for version in range(1, len(reads)):
        snapshot = encode(rebuilt(play.deal, play.stored[:version]))
        logged = msgspec.msgpack.decode(snapshot, type=Logged)
        assert encode(logged) == snapshot
        assert encode(advanced(logged, reads[version:])) == encode(play.logged)
        for wrong in (reads[version - 1 :], reads[version + 1 :]):
            with pytest.raises(BrokenHistoryError):
                _ = advanced(logged, [*wrong, reads[0]])


def advanced(logged: Logged, reads: list[Read]) -> Logged:
    for read in reads:
        logged = advance(logged, read)
    return logged


def test_folding_changes_no_state_that_it_is_given() -> None:
    play = random_play(5, commands=60)
    for game, record in games_and_records(play):
        before = encode(game)
        assert encode(evolve(game, record)) == encode(evolve(game, record))
        assert encode(game) == before


def test_no_fact_of_an_event_can_be_altered(many_plays: list[Play]) -> None:
    """Cards, piles, points, sums, times, secrets: whatever an event repeats is held against the game."""
    tried: Counter[str] = Counter()
    for play in many_plays:
        for game, record in games_and_records(play):
            for place, event in enumerate(record.events):
                if tried[type(event).__name__] < OF_EACH_EVENT:
                    tried[type(event).__name__] += 1
                    for altered in altered_events(event):
                        events = (*record.events[:place], altered, *record.events[place + 1 :])
                        with pytest.raises(BrokenHistoryError):
                            _ = follow(play, game, replace(record, events=events))
    assert len(tried) == 8, f"only events of these types were met: {tried}"


@pytest.mark.parametrize("scoring", ["standard", "win-loss"])
def test_an_end_cannot_bring_more_points_than_its_mode_says(scoring: str) -> None:
    """Not even where sum and bonus are altered alike."""
    play = new_play(scoring=scoring).must("draw", "resign")
    *_, (game, record) = games_and_records(play)
    ended = record.events[0]
    assert isinstance(ended, GameEnded)
    forged = replace(ended, bonus=ended.bonus + 1, points=ended.points + 1)
    with pytest.raises(BrokenHistoryError, match="other points"):
        _ = evolve(game, replace(record, events=(forged,)))


def test_the_target_of_a_move_can_only_become_another_legal_one(many_plays: list[Play]) -> None:
    for game, record in itertools.islice(games_and_records(many_plays[0]), 60):
        moved = record.events[0]
        if not isinstance(moved, CardsMoved):
            continue
        for pile in get_args(Pile):
            if pile == moved.target:
                continue
            forged = replace(record, events=(replace(moved, target=pile), *record.events[1:]))
            try:
                _ = evolve(game, forged)
            except BrokenHistoryError:
                continue
            assert pile[0] == moved.target[0] == "T", "two foundations never take the same card"


def test_a_hint_that_is_no_legal_move_or_about_an_unseen_card_is_refused() -> None:
    play = new_play(deal=3).must("draw")
    unseen = next(card for card in DECK if card not in play.game.seat.seen)
    _ = play.must(f"hint {play.legal()[0]}")
    *_, (game, record) = games_and_records(play)
    hint = record.events[0]
    assert isinstance(hint, HintGiven)
    other = Alternative(move=hint.move, reason="draw")
    plans = (("no move",), ("recycle",), ("draw",))
    forgeries = (
        replace(hint, move="recycle"),
        replace(hint, move="no move"),
        replace(hint, cards=(unseen,)),
        replace(hint, alternatives=(replace(other, move="recycle"),)),
        replace(hint, alternatives=(other, replace(other, cards=(unseen,)))),
        *(replace(hint, move="draw", cards=(), then=then) for then in plans),
    )
    assert evolve(game, replace(record, events=(replace(hint, alternatives=(other,)),))).assisted
    for forged in forgeries:
        with pytest.raises(BrokenHistoryError, match="hint"):
            _ = evolve(game, replace(record, events=(forged,)))


def test_chances_that_do_not_add_up_are_refused() -> None:
    play = new_play(deal=3).must("chances")
    *_, (game, record) = games_and_records(play)
    told = record.events[0]
    assert isinstance(told, ChancesGiven)
    assert isinstance(told.chances, Estimate)
    for wrong in (replace(told.chances, winnable=201), replace(told.chances, low=0.7)):
        with pytest.raises(BrokenHistoryError, match="chances"):
            _ = evolve(game, replace(record, events=(replace(told, chances=wrong),)))


def test_a_record_that_is_not_the_next_one_is_refused() -> None:
    play = random_play(8, commands=30)
    for game, record in games_and_records(play):
        for forged in (
            replace(record, game=GameId("a" * 26)),
            replace(record, player=PlayerId("a" * 26)),
            replace(record, version=record.version + 1),
            replace(record, version=record.version - 1),
            *([replace(record, at=game.at - 1)] if game.at else []),
        ):
            with pytest.raises(BrokenHistoryError):
                _ = evolve(game, forged)


def test_a_record_tells_of_one_command_and_of_the_end_that_it_brings(many_plays: list[Play]) -> None:
    """No record without events, none that does two things, none that wins or loses without saying so."""
    for play in many_plays:
        records = list(games_and_records(play))
        for game, record in [*records[:5], *records[-5:]]:
            other = play.records[1].events[0]
            for events in ((), (*record.events, *record.events), (other, *record.events), (*record.events, other)):
                with pytest.raises(BrokenHistoryError):
                    _ = evolve(game, replace(record, events=events))
            if len(record.events) == 2:
                with pytest.raises(BrokenHistoryError):
                    _ = evolve(game, replace(record, events=record.events[:1]))


def test_a_move_that_ends_nothing_cannot_be_followed_by_an_end() -> None:
    play = new_play(deal=3).must("draw", "resign")
    (game, drawn), (_, resigned) = list(games_and_records(play))[1:]
    ended = resigned.events[0]
    assert isinstance(ended, GameEnded)
    for result in ("won", "lost", "resigned"):
        with pytest.raises(BrokenHistoryError):
            _ = evolve(game, replace(drawn, events=(*drawn.events, replace(ended, result=result))))


def test_every_bit_of_a_stored_record_is_covered_by_its_hash() -> None:
    play = random_play(2, commands=12).must("resign")
    for stored in play.stored:
        for place in range(len(stored)):
            with pytest.raises(CorruptRecordError):
                _ = open_record(flipped(stored, place))


def test_every_bit_of_the_sealed_deal_is_covered_by_the_first_record() -> None:
    play = new_play(deal=bytes(range(32)))
    for place in range(len(play.deal)):
        with pytest.raises((CorruptRecordError, BrokenHistoryError)):
            _ = rebuilt(flipped(play.deal, place), play.stored)


def test_records_that_are_missing_doubled_or_changed_over_break_the_chain() -> None:
    play = random_play(4, commands=12)
    stored = play.stored
    for place in range(1, len(stored) - 1):
        for forged in (
            stored[:place] + stored[place + 1 :],
            stored[: place + 1] + stored[place:],
            [*stored[:place], stored[place + 1], stored[place], *stored[place + 2 :]],
        ):
            with pytest.raises(BrokenHistoryError, match="chain"):
                _ = rebuilt(play.deal, forged)
    for place in range(len(stored)):
        with pytest.raises(BrokenHistoryError):
            _ = rebuilt(play.deal, [*stored[:place], new_play(deal=9).stored[0], *stored[place + 1 :]])


def test_a_game_needs_its_own_sealed_deal_and_its_first_record() -> None:
    play, other = random_play(4, commands=5), random_play(6, commands=5)
    sealed, deal_hash = open_deal(play.deal)
    second = Read(*open_record(play.stored[1]), 2)
    with pytest.raises(BrokenHistoryError, match="does not start"):
        _ = begin(sealed, deal_hash, second)
    with pytest.raises(BrokenHistoryError, match="another sealed deal"):
        _ = rebuilt(other.deal, play.stored)
    with pytest.raises(BrokenHistoryError, match="chain"):
        _ = advance(other.logged, second)


def test_a_deal_without_a_proper_secret_is_no_deal() -> None:
    """An empty or short secret would be a deal that anybody can compute."""
    play = new_play()
    event = play.records[0].events[0]
    assert isinstance(event, GameStarted)
    for secret in ("", "00", play.sealed.secret.upper(), "zz" * 32, play.sealed.secret + "00"):
        with pytest.raises(BrokenHistoryError, match="secret"):
            _ = start(event, replace(play.sealed, secret=secret))
    numbered = new_play(deal=1)
    event = numbered.records[0].events[0]
    assert isinstance(event, GameStarted)
    with pytest.raises(BrokenHistoryError, match="secret"):
        _ = start(event, replace(numbered.sealed, secret="00" * 32))


@pytest.fixture(scope="module")
def many_plays() -> list[Play]:
    """Games with every type of event in them."""
    plays = [random_play(seed, commands=120, variant=variant) for seed, variant in enumerate(SOLO)]
    plays += [around_the_stock(), new_play(deal=1, scoring="win-loss", mode="ranked").must("draw", "resign")]
    return [play if play.ended else play.must("resign") for play in plays]


def around_the_stock() -> Play:
    play = new_play(variant="draw3")
    for _ in range(3):
        _ = play.must(*["draw"] * 8, "recycle", "undo", "redo")
    return play


def games_and_records(play: Play) -> Iterator[tuple[Game, Record]]:
    """Each record with the game before it."""
    event = play.records[0].events[0]
    assert isinstance(event, GameStarted)
    game = start(event, play.sealed)
    for record in play.records:
        yield game, record
        game = evolve(game, record)


def follow(play: Play, game: Game, record: Record) -> Game:
    """The game after a record; the first one is dealt by what it says."""
    first = record.events[0]
    return evolve(start(first, play.sealed) if isinstance(first, GameStarted) else game, record)


def altered_events(event: AnyEvent) -> Iterator[AnyEvent]:
    for name in event.__struct_fields__:
        if name not in CHOICES.get(type(event), ()) and getattr(event, name) is not UNSET:
            for value in altered(getattr(event, name)):
                yield msgspec.structs.replace(event, **{name: value})


def altered(value: object) -> list[object]:
    """Other values that could stand in the same place."""
    match value:
        case bool():
            return [not value]
        case int():
            return [value + 1, value - 1, -value - 1]
        case None:
            return [DECK[0], DECK[-1]]
        case str():
            return list(other_texts(value))
        case tuple() if value and isinstance(value[0], tuple):
            return [value[1:], (value[1], value[0], *value[2:]), *((cards, *value[1:]) for cards in altered(value[0]))]
        case tuple():
            return [value[1:], (*value, DECK[0]), value + value, *one_card_other(value)]
        case NumberedDeal(number=number):
            return [NumberedDeal(number=number + 1), SecretDeal(), WinnableDeal()]
        case _:
            assert isinstance(value, SecretDeal), f"no other value is known for {value!r}"
            return [NumberedDeal(number=0), SecretDeal(player_seed="x"), WinnableDeal()]


def other_texts(value: str) -> list[str | None]:
    if value in DECK:
        return [None, *(card for card in DECK[::7] if card != value)]
    for names in (("won", "lost", "resigned"), ("T1", "T4", "T7", "F1", "F4", "W")):
        if value in names or (names[0] == "T1" and len(value) == 2):
            return [name for name in names if name != value]
    others = ["", value[:-1], value + "0", value[:-1] + ("1" if value[-1:] == "0" else "0")]
    return [other for other in others if other != value]


def one_card_other(cards: tuple[Card, ...]) -> list[object]:
    others = [(*cards[:-1], card) for card in DECK[::5] if card != cards[-1]]
    return [*others, cards[::-1]] if len(cards) > 1 else list(others)


def flipped(data: bytes, place: int) -> bytes:
    return data[:place] + bytes([data[place] ^ (1 << (place % 8))]) + data[place + 1 :]
