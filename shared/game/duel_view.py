"""What a view of a game for two shows besides: the other side as far as it lies open, and how things stand."""

from shared.game.duel import SEATS, claim_at
from shared.game.state import Game, Seat
from shared.messages.base import invitation_code
from shared.messages.views import ColumnView, Duel, Opponent
from shared.rules.table import Table, cards_up


def columns_of(table: Table) -> tuple[ColumnView, ...]:
    """The columns as anybody may see them."""
    return tuple(ColumnView(down=len(column.down), up=column.up) for column in table.columns)


def duel_of(game: Game, who: int | None) -> Duel:
    """A game for two besides one's own side. `who`: the seat that looks; None: somebody who watches, beside seat 0."""
    own = game.seats[who or 0]
    waiting = game.status == "waiting"
    return Duel(
        seat=who,
        players=tuple(seat.player for seat in game.seats),
        status=own.status,
        cards_up=cards_up(own.table, game.variant),
        shared=game.variant.shares_foundations,
        absence_ms=game.absence_ms,
        expires_at=game.expires_at,
        code=invitation_code(game.game) if waiting else None,
        opponent=_opponent(game, game.seats[SEATS - 1 - (who or 0)]) if len(game.seats) == SEATS else None,
        away_since=own.away_since,
        claim_at=claim_at(game, own),
    )


def _opponent(game: Game, seat: Seat) -> Opponent:
    return Opponent(
        columns=columns_of(seat.table),
        foundations=seat.table.foundations,
        stock=len(seat.table.stock),
        waste=seat.table.waste,
        pass_number=seat.table.pass_number,
        points=seat.points,
        moves=seat.moves,
        cards_up=cards_up(seat.table, game.variant),
        status=seat.status,
        away_since=seat.away_since,
        claim_at=claim_at(game, seat),
    )
