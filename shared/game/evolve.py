"""Folding what happened into the state. Every fact that an event repeats is held against the table that it meets."""

from typing import assert_never

import msgspec

from shared.game.points import move_points
from shared.game.state import Done, Game, Seat, play_ms_at
from shared.messages.commands import NumberedDeal, SecretDeal
from shared.messages.events import (
    AnyEvent,
    CardsDrawn,
    CardsMoved,
    GameEnded,
    GameStarted,
    HintGiven,
    MoveRedone,
    MoveUndone,
    Record,
    SealedDeal,
    StockRecycled,
)
from shared.rules import deal, moves
from shared.rules.cards import Card
from shared.rules.legal import breach
from shared.rules.scoring import SCORINGS
from shared.rules.table import Applied, apply, lay_out, revert
from shared.rules.variants import VARIANTS, Variant

replace = msgspec.structs.replace


class BrokenHistoryError(Exception):
    """Records that cannot have happened as they are written. The message says what does not fit."""


def evolve(game: Game, record: Record) -> Game:
    """The game after its next record.

    Raises:
        BrokenHistoryError: the record is not the next one, or does not fit the game.

    """
    _require(record.game == game.game, f"a record of game {record.game}")
    _require(record.version == game.version + 1, f"version {record.version} follows version {game.version}")
    _require(record.at >= game.at, "the clock ran backwards")
    _require(record.player == game.seat.player, f"a record of player {record.player}")
    for event in record.events:
        game = evolve_event(game, event, at=record.at)
    return replace(game, version=record.version, at=record.at, play_ms=play_ms_at(game, record.at))


def start(event: GameStarted, sealed: SealedDeal) -> Game:
    """The game before its first record: dealt, version 0.

    Raises:
        BrokenHistoryError: variant, scoring, shuffle, secret or origin do not go together.

    """
    _require(event.variant in VARIANTS, f"variant {event.variant!r} is unknown")
    _require(event.scoring in SCORINGS, f"scoring {event.scoring!r} is unknown")
    _require(event.deal == sealed.deal, "the sealed deal has another origin")
    _require(event.shuffle == sealed.shuffle == deal.SHUFFLE, f"shuffle {event.shuffle!r} is unknown")
    variant = VARIANTS[event.variant]
    table = lay_out(_deck(sealed, variant), variant)
    faces = tuple(column.up for column in table.columns)
    secret = bytes.fromhex(sealed.secret)
    _require(event.commitment == (deal.commitment(secret) if secret else ""), "the secret is not the committed one")
    _require(event.faces in ((), faces), "the face-up cards of the deal are others")
    seen = tuple(card for column in faces for card in column)
    return Game(
        game=sealed.game,
        version=0,
        variant_id=event.variant,
        scoring_id=event.scoring,
        mode=event.mode,
        deal=event.deal,
        secret=sealed.secret,
        commitment=event.commitment,
        seats=(Seat(event.player, table, event.points, seen=seen),),
    )


def evolve_event(game: Game, event: AnyEvent, *, at: int) -> Game:
    """The game after one event.

    Raises:
        BrokenHistoryError: the event does not fit the game.

    """
    _require(game.status == "running" or isinstance(event, GameStarted), "something happened after the end")
    match event:
        case GameStarted():
            _require(game.version == 0, "a game started twice")
            return game
        case CardsMoved(source=source, target=target, cards=cards):
            return _made(game, moves.MoveCards(source=source, target=target, count=len(cards)), event, at)
        case CardsDrawn():
            return _made(game, moves.Draw(), event, at)
        case StockRecycled():
            return _made(game, moves.Recycle(), event, at)
        case MoveUndone(points=points):
            return _undone(game, points)
        case MoveRedone(points=points):
            return _redone(game, points)
        case HintGiven():
            return replace(game, assisted=True)
        case GameEnded():
            return _ended(game, event, at)
    assert_never(event)


def _made(game: Game, move: moves.Move, event: CardsMoved | CardsDrawn | StockRecycled, at: int) -> Game:
    seat = game.seat
    broken = breach(seat.table, move, game.variant)
    _require(broken is None, f"{moves.move_text(move)} is illegal: {broken}")
    applied = apply(seat.table, move, game.variant)
    points = move_points(game.scoring, move, turned_up=applied.turned_up is not None)
    _require(_facts(event, points) == _expected(event, applied, points), f"{moves.move_text(move)} did something else")
    done = Done(move, len(applied.cards), applied.turned_up is not None, points)
    moved = replace(
        seat,
        table=applied.table,
        points=seat.points + points,
        done=(*seat.done, done),
        undone=(),
        seen=_seen(seat.seen, event),
    )
    first = at if game.first_move_at is None else game.first_move_at
    # The clock starts with the first move, so what passed before it is not counted by `evolve`.
    begun = replace(game, at=at) if game.first_move_at is None else game
    return replace(begun, seats=(moved,), first_move_at=first)


def _facts(event: CardsMoved | CardsDrawn | StockRecycled, points: int) -> tuple[object, ...]:
    match event:
        case CardsMoved(cards=cards, turned_up=turned_up, points=brought):
            return (cards, turned_up, brought)
        case CardsDrawn(cards=cards):
            return (cards, None, points)
        case StockRecycled(cards=count, begins_pass=begins_pass, points=brought):
            return (count, begins_pass, brought)
    assert_never(event)


def _expected(event: CardsMoved | CardsDrawn | StockRecycled, applied: Applied, points: int) -> tuple[object, ...]:
    if isinstance(event, StockRecycled):
        return (len(applied.cards), applied.table.pass_number, points)
    return (applied.cards, applied.turned_up, points)


def _seen(seen: tuple[Card, ...], event: CardsMoved | CardsDrawn | StockRecycled) -> tuple[Card, ...]:
    match event:
        case CardsMoved(turned_up=card):
            return seen if card is None or card in seen else (*seen, card)
        case CardsDrawn(cards=cards):
            return seen + tuple(card for card in cards if card not in seen)
        case StockRecycled():
            return seen
    assert_never(event)


def _undone(game: Game, points: int) -> Game:
    seat = game.seat
    _require(game.mode == "relaxed", "undo in a ranked game")
    _require(bool(seat.done), "undo without a move")
    last = seat.done[-1]
    _require(points == -last.points, "undo gave back other points")
    table = revert(seat.table, last.move, count=last.count, turned_up=last.turned_up)
    before = replace(seat, table=table, points=seat.points + points, done=seat.done[:-1], undone=(*seat.undone, last))
    return replace(game, seats=(before,), assisted=True)


def _redone(game: Game, points: int) -> Game:
    seat = game.seat
    _require(bool(seat.undone), "redo without an undo")
    again = seat.undone[-1]
    _require(points == again.points, "redo brought other points")
    table = apply(seat.table, again.move, game.variant).table
    after = replace(seat, table=table, points=seat.points + points, done=(*seat.done, again), undone=seat.undone[:-1])
    return replace(game, seats=(after,))


def _ended(game: Game, event: GameEnded, at: int) -> Game:
    seat = game.seat
    _require(event.points == seat.points + event.bonus, f"the sum of points is {seat.points + event.bonus}")
    _require(event.moves == seat.moves, f"the number of moves is {seat.moves}")
    _require(event.play_ms == play_ms_at(game, at), f"the play time is {play_ms_at(game, at)} ms")
    _require(event.assisted == game.assisted, "help was counted wrongly")
    _require(event.secret == game.secret, "another secret was revealed")
    return replace(game, status=event.result, play_ms=event.play_ms, seats=(replace(seat, points=event.points),))


def _deck(sealed: SealedDeal, variant: Variant) -> tuple[Card, ...]:
    match sealed.deal:
        case SecretDeal(player_seed=player_seed):
            return deal.secret_deck(bytes.fromhex(sealed.secret), player_seed, decks=variant.decks)
        case NumberedDeal(number=number):
            return deal.numbered_deck(number, decks=variant.decks)
    assert_never(sealed.deal)


def _require(holds: bool, otherwise: str) -> None:
    if not holds:
        raise BrokenHistoryError(otherwise)
