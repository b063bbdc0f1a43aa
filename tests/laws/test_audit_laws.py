"""An audit decides a move again only where `evolve` refuses it: so `evolve` must be as strict as deciding anew."""

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from shared.game.audit import MOVES
from shared.game.evolve import BrokenHistoryError, evolve
from shared.game.rebuild import Read, advance, begin
from shared.game.replay import fault_of_next
from shared.game.state import Game
from shared.messages.codec import open_deal, open_record
from shared.messages.events import AnyEvent, Record
from shared.rules.variants import VARIANTS
from tests.play import Play, random_play
from tests.tampering import another

ALONE = [variant.id for variant in VARIANTS.values() if variant.players == 1]


def accepted(game: Game, record: Record) -> bool:
    try:
        evolve(game, record)
    except BrokenHistoryError:
        return False
    return True


def games_of(play: Play) -> list[Game]:
    """The game before each record but the first."""
    sealed, deal_hash = open_deal(play.deal)
    reads = [Read(*open_record(data), sequence) for sequence, data in enumerate(play.stored, 1)]
    logged = begin(sealed, deal_hash, reads[0])
    games = []
    for read in reads[1:]:
        games.append(logged.game)
        logged = advance(logged, read)
    return games


def changed(record: Record, number: int, name: str) -> Record:
    event = record.events[number]
    other = msgspec.structs.replace(event, **{name: another(name, getattr(event, name))})
    return msgspec.structs.replace(record, events=(*record.events[:number], other, *record.events[number + 1 :]))


@given(
    st.integers(0, 10_000),
    st.sampled_from(ALONE),
    st.sampled_from(["relaxed", "ranked"]),
    st.integers(1, 40),
)
def test_what_evolve_accepts_of_a_move_is_what_the_command_causes(
    seed: int, variant: str, mode: str, commands: int
) -> None:
    """Of true records, of each with any one field changed, and of each with another record's events."""
    play = random_play(seed, commands=commands, variant=variant, mode=mode)
    games, records = games_of(play), play.records[1:]
    for game, record, other in zip(games, records, [*records[1:], *records[:1]], strict=True):
        if not isinstance(record.events[0], MOVES):
            continue
        assert accepted(game, record)
        assert fault_of_next(game, record) is None
        fields = [
            (number, name)
            for number, event in enumerate(record.events)
            for name in _fields(event)
            if getattr(event, name) is not None
        ]
        forged = [changed(record, number, name) for number, name in fields]
        forged.append(msgspec.structs.replace(record, events=other.events))
        for one in forged:
            if isinstance(one.events[0], MOVES) and accepted(game, one):
                assert fault_of_next(game, one) is None, one


def _fields(event: AnyEvent) -> tuple[str, ...]:
    return tuple(name for name in event.__struct_fields__ if name != "seats")
