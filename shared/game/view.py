"""What is shown of a game, and what a solver may know: hidden cards are dropped here and in `knowledge` alone."""

from shared.game.state import Game
from shared.messages.events import Record
from shared.messages.jobs import Knowledge
from shared.messages.knowledge import knowledge
from shared.messages.views import ColumnView, PastStep, Step, View
from shared.rules.legal import legal_moves
from shared.rules.moves import move_text


def view_of(game: Game) -> View:
    """A game as its player may see it."""
    seat, variant = game.seat, game.variant
    running = game.status == "running"
    playable = running and game.paused is None
    undoable = playable and game.mode == "relaxed"
    return View(
        game=game.game,
        version=game.version,
        variant=game.variant_id,
        scoring=game.scoring_id,
        mode=game.mode,
        deal=game.deal,
        commitment=game.commitment,
        status=game.status,
        columns=tuple(ColumnView(down=len(column.down), up=column.up) for column in seat.table.columns),
        foundations=seat.table.foundations,
        stock=len(seat.table.stock),
        waste=seat.table.waste,
        draw=variant.draw,
        draws_to=variant.draws_to,
        pass_number=seat.table.pass_number,
        passes=variant.passes,
        points=seat.points,
        moves=seat.moves,
        play_ms=game.play_ms,
        clock_runs=playable and game.first_move_at is not None,
        at=game.at,
        assisted=game.assisted,
        can_undo=undoable and bool(seat.done),
        can_redo=undoable and bool(seat.undone),
        legal=legal_texts(game) if playable else (),
        secret="" if running else game.secret,
        paused=game.paused,
    )


def legal_texts(game: Game) -> tuple[str, ...]:
    """The legal moves as text."""
    return tuple(move_text(move) for move in legal_moves(game.seat.table, game.variant))


def step_of(game: Game, record: Record) -> Step:
    """What a record did, with the game since."""
    return Step(
        game=game.game,
        version=record.version,
        command=record.command,
        at=record.at,
        events=record.events,
        view=view_of(game),
    )


def past_step(record: Record) -> PastStep:
    """What a record did. Its events hold only what became visible, so nothing has to be left out."""
    return PastStep(version=record.version, command=record.command, at=record.at, events=record.events)


def knowledge_of(game: Game) -> Knowledge:
    """Every card that the player has ever seen, where it lies now.

    A card seen is known by its value, which with two decks does not say which of the two it was: what is hidden counts
    as never seen there. That is less than the player knows, and never more.
    """
    seen = frozenset(game.seat.seen) if game.variant.decks == 1 else frozenset()
    return knowledge(game.seat.table, seen)
