"""What is shown of a game, and what a solver may know: hidden cards are dropped here and in `knowledge` alone."""

from collections.abc import Iterable, Iterator

import msgspec
from msgspec import UNSET, UnsetType

from shared.game.duel_view import columns_of, duel_of
from shared.game.state import Game
from shared.messages.base import PlayerId
from shared.messages.events import GameStarted, PlayerJoined, Record
from shared.messages.jobs import Knowledge
from shared.messages.knowledge import knowledge
from shared.messages.views import PastStep, Step, View
from shared.rules.legal import legal_moves
from shared.rules.moves import move_text
from shared.rules.stuck import is_stuck


def view_of(game: Game, who: int | None = 0) -> View:
    """A game as the player of a seat may see it; of a game for two, None: as somebody may who watches."""
    seat, variant = game.seats[who or 0], game.variant
    running = game.status == "running"
    playable = running and seat.status == "running" and who is not None and game.paused is None
    undoable = playable and game.mode == "relaxed"
    return View(
        game=game.game,
        version=game.version,
        variant=game.variant_id,
        scoring=game.scoring_id,
        mode=game.mode,
        deal=game.deal,
        commitment=game.commitment,
        status=seat.status if game.over and len(game.seats) > 1 else game.status,
        columns=columns_of(seat.table),
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
        clock_runs=running and game.paused is None and game.first_move_at is not None,
        at=game.at,
        assisted=game.assisted,
        can_undo=undoable and bool(seat.done),
        can_redo=undoable and bool(seat.undone),
        legal=legal_texts(game, who or 0) if playable else (),
        stuck=stuck(game),
        secret=game.secret if game.over else "",
        paused=game.paused,
        duel=UNSET if variant.players == 1 else duel_of(game, who),
    )


def stuck(game: Game) -> bool:
    """Whether the player of a running game can be told to be stuck. In a game for two the other player may help out."""
    return game.status == "running" and game.variant.players == 1 and is_stuck(knowledge_of(game), game.variant)


def legal_texts(game: Game, who: int = 0) -> tuple[str, ...]:
    """The legal moves of a seat as text."""
    return tuple(move_text(move) for move in legal_moves(game.seats[who].table, game.variant))


def announced(game: Game, step: Step) -> Step:
    """A step as it is told to all who follow the game: with a view for each of them."""
    if game.variant.players == 1:
        return step
    seats = tuple(view_of(game, who) for who in range(len(game.seats)))
    return msgspec.structs.replace(step, view=view_of(game, None), seats=seats)


def step_of(game: Game, record: Record) -> Step:
    """What a record did, with the game since, as its asker sees it."""
    return Step(
        game=game.game,
        version=record.version,
        command=record.command,
        at=record.at,
        events=record.events,
        view=view_of(game, game.seat_of(record.player)),
        seat=seat_of(game, record),
    )


def past_step(record: Record, seat: int | UnsetType = UNSET) -> PastStep:
    """What a record did. Its events hold only what became visible, so nothing has to be left out.

    `seat`: whose it is, in a game for two.
    """
    return PastStep(
        version=record.version,
        command=record.command,
        at=record.at,
        events=record.events,
        seat=seat,
    )


def past_steps(records: Iterable[Record]) -> Iterator[PastStep]:
    """What the records of a whole game did; whose each is, is told by who came when."""
    seats: dict[PlayerId, int] = {}
    for record in records:
        for event in record.events:
            if isinstance(event, GameStarted | PlayerJoined):
                seats.setdefault(event.player, len(seats))
        yield past_step(record, seats.get(record.player, UNSET))


def seat_of(game: Game, record: Record) -> int | UnsetType:
    """Whose record it is, in a game for two."""
    who = game.seat_of(record.player) if game.variant.players > 1 else None
    return UNSET if who is None else who


def knowledge_of(game: Game) -> Knowledge:
    """Every card that the player has ever seen, where it lies now.

    A card seen is known by its value, which with two decks does not say which of the two it was: what is hidden counts
    as never seen there. That is less than the player knows, and never more.
    """
    seen = frozenset(game.seat.seen) if game.variant.decks == 1 else frozenset()
    return knowledge(game.seat.table, seen)
