"""Statistics that an audit computes from a few records of each game are those that scoring counts from all of them."""

from collections import defaultdict

from hypothesis import given
from hypothesis import strategies as st

from services.cli.auditing.whole.one import Counting
from services.cli.auditing.whole.projections import folded
from services.scoring.reading import LogMessage, read
from services.scoring.working import EMPTY, Working
from shared.game.audit import RecordAudit
from shared.messages.base import GameId, PlayerId
from shared.messages.codec import open_record
from tests.scoring_logs import Script, scripts, write


def kept_of(log: list[LogMessage]) -> dict[str, list[tuple[int, bytes]]]:
    """What an audit keeps of a log, by player, in the order of the log."""
    games: defaultdict[GameId, Counting] = defaultdict(Counting)
    for message in log:
        record, digest = open_record(message.payload)
        audit = RecordAudit(record.version, message.sequence, record, digest, None, None, ())
        games[record.game].look(audit)
    kept: defaultdict[str, list[tuple[int, bytes]]] = defaultdict(list)
    for counting in games.values():
        for player, sequence, body in counting.of_each_player():
            kept[player].append((sequence, body))
    return {player: sorted(rows) for player, rows in kept.items()}


@given(st.lists(scripts(), min_size=1, max_size=6), st.lists(st.integers(0, 5), max_size=25), st.integers(0, 60))
def test_sums_and_rankings_are_scorings_own_at_every_place_of_the_log(
    games: list[Script], order: list[int], cursor: int
) -> None:
    log = write(games, order)
    counted = Working({}, {}, {})
    for message in log:
        if message.sequence <= cursor:
            counted.apply(read(message))
    for name, rows in kept_of(log).items():
        player = PlayerId(name)
        audited = folded(rows, cursor)
        assert audited.players.get(player, EMPTY) == counted.players.get(player, EMPTY)
        assert {key: numbers[player] for key, numbers in audited.rankings.items()} == {
            key: numbers[player] for key, numbers in counted.rankings.items() if player in numbers
        }
