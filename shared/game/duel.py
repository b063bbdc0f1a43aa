"""Games for two: who was faster, and how it ends for each. `decide` and `evolve` ask the state such questions here."""

from typing import Final

import msgspec

from shared.game.points import end_points
from shared.game.state import Game, Seat
from shared.messages.events import GameEnded, Result, SeatResult
from shared.rules.cards import Card
from shared.rules.legal import breach, legal_moves
from shared.rules.moves import Move
from shared.rules.table import EMPTY, Column, Table, cards_up, is_won
from shared.rules.variants import Variant

SEATS: Final = 2
ABANDONED_MS: Final = 24 * 60 * 60 * 1000
"""How much longer somebody has to be away whom nobody waits for: the other has given up, or is away too."""

replace = msgspec.structs.replace


def bare_table(variant: Variant) -> Table:
    """A table before cards are dealt."""
    return Table((Column(),) * len(variant.columns), (EMPTY,) * variant.foundations, EMPTY)


def seated(game: Game, who: int, seat: Seat) -> Game:
    """The game with one side changed. What it put on a shared foundation lies on the other's too."""
    if len(game.seats) == 1:
        return replace(game, seats=(seat,))
    seats = list(game.seats)
    if not game.variant.shares_foundations:
        seats[who] = seat
        return replace(game, seats=tuple(seats))
    up = seat.table.foundations
    grown = zip(up, game.built or ((),) * len(up), strict=True)
    built = tuple((*versions, *(game.version + 1,) * (len(pile) - len(versions))) for pile, versions in grown)
    seats = [replace(other, table=replace(other.table, foundations=up)) for other in seats]
    seats[who] = seat
    return replace(game, seats=tuple(seats), built=built)


def was_legal(game: Game, who: int, move: Move, version: int) -> bool:
    """Whether a move of an unchanged side was legal on the shared foundations of an earlier version."""
    if not game.variant.shares_foundations:
        return False
    table = game.seats[who].table
    then = tuple(_until(pile, put, version) for pile, put in zip(table.foundations, game.built, strict=True))
    return breach(replace(table, foundations=then), move, game.variant) is None


def _until(pile: tuple[Card, ...], put: tuple[int, ...], version: int) -> tuple[Card, ...]:
    return tuple(card for card, at in zip(pile, put, strict=True) if at <= version)


def results(game: Game) -> tuple[Result, ...] | None:
    """How a running game for two ends for each on the tables as they are, if it does."""
    if len(game.seats) < SEATS:
        return None
    if any(is_won(seat.table, game.variant) for seat in game.seats):
        return tuple("won" if is_won(seat.table, game.variant) else _lost(seat) for seat in game.seats)
    if not all(_is_out(game, seat) for seat in game.seats):
        return None
    return _unfinished(game)


def _unfinished(game: Game) -> tuple[Result, ...]:
    if game.variant.unfinished == "lost":
        return tuple(map(_lost, game.seats))
    ups = [cards_up(seat.table, game.variant) for seat in game.seats]
    if min(ups) == max(ups):
        return ("drawn",) * SEATS
    return tuple("won" if up == max(ups) else _lost(seat) for up, seat in zip(ups, game.seats, strict=True))


def _is_out(game: Game, seat: Seat) -> bool:
    """Whether a player cannot go on, or would not."""
    return seat.status == "resigned" or not legal_moves(seat.table, game.variant)


def _lost(seat: Seat) -> Result:
    return "resigned" if seat.status == "resigned" else "lost"


def whole_result(each: tuple[Result, ...]) -> Result:
    """The result of a game for two, from those of its players."""
    return next((result for result in ("won", "drawn") if result in each), "lost")


def ending(game: Game, *, play_ms: int) -> GameEnded:
    """The end of a game for two that has come to it."""
    each = results(game)
    assert each is not None, "the game goes on"
    seats = tuple(_seat_result(game, seat, result) for seat, result in zip(game.seats, each, strict=True))
    first = next((seat for seat in seats if seat.result == "won"), seats[0])
    return GameEnded(
        result=whole_result(each),
        points=first.points,
        moves=first.moves,
        play_ms=play_ms,
        assisted=False,
        secret=game.secret,
        bonus=first.bonus,
        seats=seats,
    )


def _seat_result(game: Game, seat: Seat, result: Result) -> SeatResult:
    bonus = end_points(game.scoring, result)
    up = cards_up(seat.table, game.variant)
    return SeatResult(result=result, points=seat.points + bonus, moves=seat.moves, cards_up=up, bonus=bonus)


def claim_at(game: Game, seat: Seat) -> int | None:
    """From when on the other player may claim that this one stays away; none while there."""
    if seat.away_since is None or game.status != "running" or seat.status != "running":
        return None
    waited_for = any(other.status == "running" for other in game.seats if other is not seat)
    return seat.away_since + game.absence_ms + (0 if waited_for else ABANDONED_MS)


def abandoned_at(game: Game) -> int | None:
    """From when on a game is ended that nobody plays any more; none while one of them is there."""
    playing = [seat for seat in game.seats if seat.status == "running"]
    away = [seat.away_since for seat in playing if seat.away_since is not None]
    if game.status != "running" or len(game.seats) < SEATS or len(away) < len(playing):
        return None
    return max(away) + game.absence_ms + ABANDONED_MS


def is_abandoned(game: Game, at: int) -> bool:
    """Whether both have left for so long that nobody has to come back to end the game."""
    ends_at = abandoned_at(game)
    return ends_at is not None and ends_at <= at
