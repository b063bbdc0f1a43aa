"""What a game leaves in lists, rankings and calendars: read off its row before and after a record. Pure."""

from msgspec.structs import replace

from services.scoring.days import NOT_WON, DayKey, number_of_win
from services.scoring.projections import Folded
from services.scoring.ranking import Win
from services.scoring.rows import GameRow
from shared.messages.answers import GameEnd, GameSummary
from shared.messages.base import GameId, PlayerId
from shared.messages.events import Record


def summary(game: GameId, row: GameRow) -> GameSummary:
    """A running game as lists show it."""
    return GameSummary(
        game=game,
        variant=row.variant,
        scoring=row.scoring,
        mode=row.mode,
        player=row.player,
        started_at=row.started_at,
        version=row.version,
        guest=row.guest,
    )


def summary_of_end(folded: Folded, record: Record) -> GameSummary | None:
    """What lists show of a game since the record that ended it; none when it runs, or ended without a move."""
    row, ended = folded.game, folded.ended
    if ended is None or not row.counted:
        return None
    end = GameEnd(
        at=record.at,
        result=ended.result,
        points=ended.points,
        moves=ended.moves,
        play_ms=ended.play_ms,
        assisted=row.assisted,
        formula=row.formula,
        seats=ended.seats,
    )
    return replace(summary(record.game, row), end=end)


def for_player(summary: GameSummary, player: PlayerId | None) -> GameSummary:
    """A game in the list of one of its players: with that one's result."""
    end = summary.end
    if end is None or not end.seats or player is None or player != summary.guest:
        return summary
    own = end.seats[1]
    return replace(summary, end=replace(end, result=own.result, points=own.points, moves=own.moves))


def win(folded: Folded, record: Record) -> Win | None:
    """The win that rankings get from a record."""
    row, ended = folded.game, folded.ended
    if ended is None or ended.result != "won" or not row.counted or not row.rankable or row.assisted:
        return None
    return Win(
        player=row.player,
        variant=row.variant,
        scoring=row.scoring,
        at=record.at,
        points=ended.points,
        play_ms=ended.play_ms,
    )


def day_result(before: GameRow | None, folded: Folded, record: Record) -> tuple[DayKey, int] | None:
    """What a record brings to a day of the player's calendar: it was played, or won."""
    row, ended = folded.game, folded.ended
    if not row.day or not row.counted:
        return None
    key = DayKey(row.player, row.variant, row.day)
    if ended is not None and ended.result == "won":
        return key, number_of_win(row.day, record.at, ended.play_ms, assisted=row.assisted)
    first_move = before is None or not before.counted
    return (key, NOT_WON) if first_move else None
