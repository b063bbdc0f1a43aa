"""The board of a game as lines of text."""

from shared.game.state import Game
from shared.rules import board


def board_lines(game: Game, *, reveal: bool) -> tuple[str, ...]:
    """The piles of a game at any version, in the form that `shared.rules.board` explains."""
    if len(game.seats) == 1:
        return board.board_lines(game.seat.table, reveal=reveal)
    sides = enumerate(game.seats, 1)
    return tuple(
        line for place, seat in sides for line in (f"player {place}", *board.board_lines(seat.table, reveal=reveal))
    )
