"""Folding what happened into the state. Every fact that an event repeats is held against the table that it meets."""

import re
from typing import assert_never

import msgspec

from shared.game.points import end_points, move_points
from shared.game.state import Done, Game, Seat, play_ms_at
from shared.game.view import legal_texts
from shared.messages.chances import Chances, Estimate, Lost
from shared.messages.commands import NumberedDeal, SecretDeal, WinnableDeal
from shared.messages.events import (
    AnyEvent,
    CardsDrawn,
    CardsMoved,
    ChancesGiven,
    GameContinued,
    GameEnded,
    GamePaused,
    GameStarted,
    HintGiven,
    MoveRedone,
    MoveUndone,
    Record,
    Result,
    SealedDeal,
    StockRecycled,
)
from shared.messages.jobs import Hint, Suggestion
from shared.messages.moved import Moved, move_of
from shared.rules import deal, moves
from shared.rules.cards import Card
from shared.rules.legal import breach, legal_moves
from shared.rules.scoring import SCORINGS
from shared.rules.table import Applied, Table, apply, is_won, lay_out, revert
from shared.rules.variants import VARIANTS, Variant

replace = msgspec.structs.replace


class BrokenHistoryError(Exception):
    """Records that cannot have happened as they are written. The message says what does not fit."""


def evolve(game: Game, record: Record) -> Game:
    """The game after its next record.

    Raises:
        BrokenHistoryError: the record is not the next one, or does not fit the game.

    """
    at, events = record.at, record.events
    if not _follows(game, record):
        raise BrokenHistoryError(_why_not(game, record))
    _require(isinstance(events[0], GameStarted) == (game.version == 0), "a game starts with its first record, and once")
    game = evolve_event(game, events[0], at=at)
    _require(len(events) == (1 if end_of(game) is None else 2), "one command, and the end only if it brings it")
    for end in events[1:]:
        _require(isinstance(end, GameEnded), "a record tells of one command")
        game = evolve_event(game, end, at=at)
    kept = game.pauses_from if isinstance(events[0], GamePaused | GameContinued) else record.version
    return replace(game, version=record.version, at=at, play_ms=play_ms_at(game, at), pauses_from=kept)


def _follows(game: Game, record: Record) -> bool:
    """Whether a record may be the next one, whatever it tells of."""
    return (
        record.game == game.game
        and record.version == game.version + 1
        and record.at >= game.at
        and record.player == game.seats[0].player
        and bool(record.events)
    )


def _why_not(game: Game, record: Record) -> str:
    if record.game != game.game:
        return f"a record of game {record.game}"
    if record.version != game.version + 1:
        return f"version {record.version} follows version {game.version}"
    if record.at < game.at:
        return "the clock ran backwards"
    return "a record without events" if not record.events else f"a record of player {record.player}"


def start(event: GameStarted, sealed: SealedDeal) -> Game:
    """The game before its first record: dealt, version 0.

    Raises:
        BrokenHistoryError: variant, scoring, shuffle, secret or origin do not go together.

    """
    _require(event.variant in VARIANTS, f"variant {event.variant!r} is unknown")
    _require(event.scoring in SCORINGS, f"scoring {event.scoring!r} is unknown")
    _require(event.deal == sealed.deal, "the sealed deal has another origin")
    _require(event.shuffle == sealed.shuffle, "the sealed deal is of another shuffle")
    variant = VARIANTS[event.variant]
    _require(event.scoring in variant.scorings, f"{event.variant} is not scored by {event.scoring!r}")
    _require(event.variant_version == variant.version, f"version {event.variant_version!r} of the variant is unknown")
    _require(event.points == SCORINGS[event.scoring].at_deal, "the deal brings other points")
    table = dealt_table(sealed, variant)
    faces = tuple(column.up for column in table.columns)
    secret = bytes.fromhex(sealed.secret)  # `dealt_table` has checked its form
    _require(event.commitment == (deal.commitment(secret) if secret else ""), "the secret is not the committed one")
    _require(event.faces == faces, "the face-up cards of the deal are others")
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


def dealt_table(sealed: SealedDeal, variant: Variant) -> Table:
    """The table that a sealed deal lays out.

    Raises:
        BrokenHistoryError: its shuffle is unknown, or its secret is none of its origin.

    """
    _require(sealed.shuffle == deal.SHUFFLE, f"shuffle {sealed.shuffle!r} is unknown")
    return lay_out(_deck(sealed, variant), variant)


def end_of(game: Game) -> Result | None:
    """How a running game ends on the table as it is, if it does."""
    return end_on(game.seat.table, game) if game.status == "running" else None


def end_on(table: Table, game: Game) -> Result | None:
    """How the game ends once its table is this one, if it does."""
    if is_won(table, game.variant):
        return "won"
    return "lost" if game.mode == "ranked" and not legal_moves(table, game.variant) else None


def hint_fault(game: Game, hint: Hint) -> str | None:
    """What is wrong with a hint: it and its alternatives are legal moves, about cards that the player has seen."""
    legal, seen = legal_texts(game), set(game.seat.seen)
    for told in (hint, *hint.alternatives):
        if told.move not in legal:
            return "the hint is no legal move"
        if not seen.issuperset(told.cards):
            return "the hint is about a card that the player has never seen"
    return _fault_of_plan(game, (hint.move, *hint.then)) if hint.then else None


def _fault_of_plan(game: Game, texts: tuple[str, ...]) -> str | None:
    """Its moves are legal one after the other, and none but the last one shows a card that was not seen before."""
    table, seen, shown = game.seat.table, set(game.seat.seen), False
    for text in texts:
        if shown:
            return "the hint is a plan that goes on after a card that was not seen before"
        try:
            move = moves.parse_move(text)
        except ValueError:
            return "the hint is a plan with a move that is none"
        if breach(table, move, game.variant) is not None:
            return "the hint is a plan with a move that is not legal"
        applied = apply(table, move, game.variant)
        table, shown = applied.table, not seen.issuperset((*applied.cards, *filter(None, (applied.turned_up,))))
    return None


def hint_of(event: HintGiven) -> Hint:
    """The hint that an event tells of."""
    others = (Suggestion(move=one.move, reason=one.reason, cards=one.cards) for one in event.alternatives or ())
    told, then = tuple(others), event.then or ()
    return Hint(move=event.move, reason=event.reason, cards=event.cards, alternatives=told, then=then)


def chances_fit(chances: Chances) -> bool:
    """Whether the numbers that a worker told go together."""
    match chances:
        case Lost():
            return True
        case Estimate(samples=samples, winnable=winnable, undecided=undecided, low=low, high=high):
            return winnable + undecided <= samples and low <= high
    assert_never(chances)


def evolve_event(game: Game, event: AnyEvent, *, at: int) -> Game:
    """The game after one event.

    Raises:
        BrokenHistoryError: the event does not fit the game.

    """
    _require(game.status == "running" or isinstance(event, GameStarted), "something happened after the end")
    _require(game.paused is None or isinstance(event, GameContinued | GameEnded), "something happened in a pause")
    match event:
        case CardsMoved() | CardsDrawn() | StockRecycled():
            return _made(game, move_of(event), event, at)
        case GameStarted():
            _require(game.version == 0, "a game started twice")
            return game
        case MoveUndone(points=points):
            return _undone(game, points)
        case MoveRedone(points=points):
            return _redone(game, points)
        case HintGiven():
            fault = hint_fault(game, hint_of(event))
            _require(fault is None, fault or "")
            return replace(game, assisted=True)
        case ChancesGiven(chances=chances):
            _require(chances_fit(chances), "the chances do not add up")
            return replace(game, assisted=True)
        case GamePaused():
            return _paused(game, event, at)
        case GameContinued():
            _require(game.paused is not None, "a game went on that was not paused")
            return replace(game, at=at, paused=None)
        case GameEnded():
            return _ended(game, event, at)
    assert_never(event)


def _made(game: Game, move: moves.Move, event: Moved, at: int) -> Game:
    seat = game.seat
    broken = breach(seat.table, move, game.variant)
    if broken is not None:
        raise BrokenHistoryError(f"{moves.move_text(move)} is illegal: {broken}")
    applied = apply(seat.table, move, game.variant)
    turned_up = applied.turned_up is not None
    points = move_points(game.scoring, move, turned_up=turned_up)
    if not _tells(event, applied, points):
        raise BrokenHistoryError(f"{moves.move_text(move)} did something else")
    done = (*seat.done, Done(move, len(applied.cards), turned_up, points))
    seen = _seen(seat.seen, event)
    moved = replace(seat, table=applied.table, points=seat.points + points, done=done, undone=(), seen=seen)
    if game.first_move_at is None:
        # The clock starts with the first move, so what passed before it is not counted by `evolve`.
        return replace(game, at=at, seats=(moved,), first_move_at=at)
    return replace(game, seats=(moved,))


def _tells(event: Moved, applied: Applied, points: int) -> bool:
    """Whether an event tells what its move did."""
    match event:
        case CardsMoved(cards=cards, turned_up=turned_up, points=brought):
            return cards == applied.cards and turned_up == applied.turned_up and brought == points
        case CardsDrawn(cards=cards):
            return cards == applied.cards
        case StockRecycled(cards=count, begins_pass=begins_pass, points=brought):
            return count == len(applied.cards) and begins_pass == applied.table.pass_number and brought == points
    assert_never(event)


def _seen(seen: tuple[Card, ...], event: Moved) -> tuple[Card, ...]:
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
    table = revert(seat.table, last.move, game.variant, count=last.count, turned_up=last.turned_up)
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


def _paused(game: Game, event: GamePaused, at: int) -> Game:
    _require(game.first_move_at is not None, "a pause before the first move")
    _require(game.at <= event.since <= at, "a pause since another time than between its record and the one before")
    return replace(game, paused=event.reason, play_ms=play_ms_at(game, event.since))


def _ended(game: Game, event: GameEnded, at: int) -> Game:
    seat = game.seat
    _require(event.result == (end_of(game) or "resigned"), f"the game is not {event.result}")
    _require(event.bonus == end_points(game.scoring, event.result), "the end brings other points")
    _require(event.points == seat.points + event.bonus, f"the sum of points is {seat.points + event.bonus}")
    _require(event.moves == seat.moves, f"the number of moves is {seat.moves}")
    _require(event.play_ms == play_ms_at(game, at), f"the play time is {play_ms_at(game, at)} ms")
    _require(event.assisted == game.assisted, "help was counted wrongly")
    _require(event.secret == game.secret, "another secret was revealed")
    over = replace(seat, points=event.points)
    return replace(game, status=event.result, play_ms=event.play_ms, paused=None, seats=(over,))


def _deck(sealed: SealedDeal, variant: Variant) -> tuple[Card, ...]:
    match sealed.deal:
        case SecretDeal(player_seed=player_seed) | WinnableDeal(player_seed=player_seed):
            _require(_is_secret(sealed.secret), f"the secret is not {deal.SECRET_BYTES} bytes in hexadecimal")
            return deal.secret_deck(bytes.fromhex(sealed.secret), player_seed, decks=variant.decks)
        case NumberedDeal(number=number):
            _require(sealed.secret == "", "a deal with a public origin has a secret")
            return deal.numbered_deck(number, decks=variant.decks)
    assert_never(sealed.deal)


def _is_secret(text: str) -> bool:
    return re.fullmatch(f"[0-9a-f]{{{2 * deal.SECRET_BYTES}}}", text) is not None


def _require(holds: bool, otherwise: str) -> None:
    if not holds:
        raise BrokenHistoryError(otherwise)
