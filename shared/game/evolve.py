"""Folding what happened into the state. Every fact that an event repeats is held against the table that it meets."""

import re
from typing import assert_never

import msgspec
from msgspec import UNSET

from shared.game import duel
from shared.game.advice import chances_fit, hint_fault, hint_of
from shared.game.points import end_points, move_points
from shared.game.state import Done, Game, Seat, play_ms_at
from shared.messages.commands import NumberedDeal, SecretDeal, WinnableDeal
from shared.messages.events import (
    AnyEvent,
    BetweenPlayers,
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
    PlayerJoined,
    PlayerLeft,
    PlayerResigned,
    PlayerReturned,
    Record,
    Result,
    SealedDeal,
    StockRecycled,
)
from shared.messages.moved import Moved, move_of
from shared.rules import deal, moves
from shared.rules.cards import Card
from shared.rules.legal import breach, can_move
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
    who = _author(game, record)
    if who is None or not _follows(game, record):
        raise BrokenHistoryError(_why_not(game, record))
    if (game.version == 0) != isinstance(events[0], GameStarted):
        raise BrokenHistoryError("a game starts with its first record, and once")
    game = evolve_event(game, events[0], at=at, who=who)
    _require(len(events) == (1 if end_of(game) is None else 2), "one command, and the end only if it brings it")
    for end in events[1:]:
        _require(isinstance(end, GameEnded), "a record tells of one command")
        game = evolve_event(game, end, at=at, who=who)
    kept = game.pauses_from if isinstance(events[0], GamePaused | GameContinued) else record.version
    return replace(game, version=record.version, at=at, play_ms=play_ms_at(game, at), pauses_from=kept)


def _author(game: Game, record: Record) -> int | None:
    """The seat that a record comes from: the next free one of somebody who joins; none of a stranger."""
    if record.player == game.seats[0].player:
        return 0
    if record.events and isinstance(record.events[0], PlayerJoined):
        return len(game.seats)
    return game.seat_of(record.player)


def _follows(game: Game, record: Record) -> bool:
    """Whether a record may be the next one, whoever it is of and whatever it tells of."""
    return (
        record.game == game.game and record.version == game.version + 1 and record.at >= game.at and bool(record.events)
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
    table = dealt_table(sealed, variant) if variant.players == 1 else _undealt(sealed, variant)
    faces = faces_of(table) if variant.players == 1 else ()
    secret = bytes.fromhex(sealed.secret)  # `dealt_table` has checked its form
    _require(event.commitment == (deal.commitment(secret) if secret else ""), "the secret is not the committed one")
    _require(event.faces == faces, "the face-up cards of the deal are others")
    terms = {event.expires_at is UNSET, event.absence_ms is UNSET}
    _require(terms == {variant.players == 1}, "an invitation belongs to a game for two")
    return Game(
        game=sealed.game,
        version=0,
        variant_id=event.variant,
        scoring_id=event.scoring,
        mode=event.mode,
        deal=event.deal,
        secret=sealed.secret,
        commitment=event.commitment,
        seats=(Seat(event.player, table, event.points, seen=_face_up(table)),),
        status="running" if variant.players == 1 else "waiting",
        expires_at=event.expires_at or 0,
        absence_ms=event.absence_ms or 0,
    )


def _undealt(sealed: SealedDeal, variant: Variant) -> Table:
    """A table without cards, once it is sure that they can be dealt."""
    _ = dealt_table(sealed, variant)
    return duel.bare_table(variant)


def faces_of(table: Table) -> tuple[tuple[Card, ...], ...]:
    """The face-up cards of each column."""
    return tuple(column.up for column in table.columns)


def _face_up(table: Table) -> tuple[Card, ...]:
    return tuple(card for column in table.columns for card in column.up)


def dealt_seats(game: Game) -> tuple[Table, ...]:
    """The tables of a game for two, dealt when both players are there."""
    sealed = SealedDeal(game=game.game, deal=game.deal, shuffle=deal.SHUFFLE, secret=game.secret)
    return tuple(
        dealt_table(sealed, game.variant, seat=seat if game.variant.own_decks else 0)
        for seat in range(game.variant.players)
    )


def dealt_table(sealed: SealedDeal, variant: Variant, *, seat: int = 0) -> Table:
    """The table that a sealed deal lays out. `seat`: whose, where each player has a deck of their own.

    Raises:
        BrokenHistoryError: its shuffle is unknown, or its secret is none of its origin.

    """
    _require(sealed.shuffle == deal.SHUFFLE, f"shuffle {sealed.shuffle!r} is unknown")
    return lay_out(_deck(sealed, variant, seat), variant)


def end_of(game: Game) -> Result | None:
    """How a running game ends on the table as it is, if it does."""
    if game.status != "running":
        return None
    if len(game.seats) == 1:
        return end_on(game.seats[0].table, game)
    each = duel.results(game)
    return None if each is None else duel.whole_result(each)


def end_on(table: Table, game: Game) -> Result | None:
    """How the game ends once its table is this one, if it does."""
    variant = game.variant
    if is_won(table, variant):
        return "won"
    return "lost" if game.mode == "ranked" and not can_move(table, variant) else None


def evolve_event(game: Game, event: AnyEvent, *, at: int, who: int = 0) -> Game:
    """The game after one event. `who`: the seat whose player caused it.

    Raises:
        BrokenHistoryError: the event does not fit the game.

    """
    if not game.in_play:
        _require_possible(game, event)
    match event:
        case CardsMoved() | CardsDrawn() | StockRecycled():
            return _made(game, who, move_of(event), event, at=at)
        case GameStarted():
            _require(game.version == 0, "a game started twice")
            return game
        case MoveUndone(points=points):
            return _undone(game, points)
        case MoveRedone(points=points):
            return _redone(game, points)
        case HintGiven() | ChancesGiven():
            return _helped(game, event)
        case GamePaused() | GameContinued():
            return _clock(game, event, at)
        case PlayerJoined() | PlayerResigned() | PlayerLeft() | PlayerReturned():
            return _between_players(game, who, event, at)
        case GameEnded():
            return _ended(game, event, at)
    assert_never(event)


def _helped(game: Game, event: HintGiven | ChancesGiven) -> Game:
    if isinstance(event, HintGiven):
        fault = hint_fault(game, hint_of(event))
    else:
        fault = None if chances_fit(event.chances) else "the chances do not add up"
    _require(fault is None, fault or "")
    return replace(game, assisted=True)


def _require_possible(game: Game, event: AnyEvent) -> None:
    """Little can happen to a game that does not run, or is paused."""
    _require(not game.over or isinstance(event, GameStarted), "something happened after the end")
    _require(game.paused is None or isinstance(event, GameContinued | GameEnded), "something happened in a pause")
    early = isinstance(event, GameStarted | PlayerJoined | PlayerLeft | PlayerReturned | GameEnded)
    _require(game.status != "waiting" or early, "something happened before the second player came")


def _between_players(game: Game, who: int, event: BetweenPlayers, at: int) -> Game:
    _require(game.variant.players > 1, "something of a game for two happened in one that is played alone")
    match event:
        case PlayerJoined():
            return _joined(game, event, at)
        case PlayerResigned():
            return _resigned(game, who, event, at)
        case PlayerLeft(seat=seat, since=since):
            _require(seat == who and game.seats[who].away_since is None, "a player left who was not there")
            _require(since <= at, "a player left later than it was written down")
            return duel.seated(game, who, replace(game.seats[who], away_since=since))
        case PlayerReturned(seat=seat):
            _require(seat == who and game.seats[who].away_since is not None, "a player returned who had not left")
            return duel.seated(game, who, replace(game.seats[who], away_since=None))
    assert_never(event)


def _joined(game: Game, event: PlayerJoined, at: int) -> Game:
    _require(game.status == "waiting", "a player joined a game that waits for none")
    _require(event.player != game.seat.player, "a player joined the own game")
    tables = dealt_seats(game)
    _require(event.faces == tuple(map(faces_of, tables)), "the face-up cards of the deal are others")
    host, guest = (
        Seat(player, table, game.scoring.at_deal, seen=_face_up(table), changed=game.version + 1)
        for player, table in zip((game.seat.player, event.player), tables, strict=True)
    )
    if game.seat.away_since is not None:
        # Who waited away is missed from now on.
        host = replace(host, away_since=at)
    built = ((),) * game.variant.foundations if game.variant.shares_foundations else ()
    return replace(game, seats=(host, guest), status="running", built=built)


def _resigned(game: Game, who: int, event: PlayerResigned, at: int) -> Game:
    _require((event.seat == who) != event.absent, "a player gave up for the other")
    seat = game.seats[event.seat]
    _require(seat.status == "running", "a player gave up twice")
    since = duel.claim_at(game, seat)
    _require(not event.absent or (since is not None and since <= at), "a player was not away for so long")
    return duel.seated(game, event.seat, replace(seat, status="resigned", changed=game.version + 1))


def _made(game: Game, who: int, move: moves.Move, event: Moved, *, at: int) -> Game:
    seat = game.seats[who]
    _require(seat.status == "running", "a player moved who had given up")
    broken = breach(seat.table, move, game.variant)
    if broken is not None:
        raise BrokenHistoryError(f"{moves.move_text(move)} is illegal: {broken}")
    applied = apply(seat.table, move, game.variant)
    turned_up = applied.turned_up is not None
    points = move_points(game.scoring, move, turned_up=turned_up)
    if not _tells(event, applied, points):
        raise BrokenHistoryError(f"{moves.move_text(move)} did something else")
    done = (*seat.done, Done(move, len(applied.cards), turned_up, points))
    seen, points, version = _seen(seat.seen, event), seat.points + points, game.version + 1
    moved = replace(seat, table=applied.table, points=points, done=done, undone=(), seen=seen, changed=version)
    if game.first_move_at is None:
        # The clock starts with the first move, so what passed before it is not counted by `evolve`.
        game = replace(game, at=at, first_move_at=at)
    return duel.seated(game, who, moved)


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
            new = [card for card in cards if card not in seen]
            return (*seen, *new) if new else seen
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


def _clock(game: Game, event: GamePaused | GameContinued, at: int) -> Game:
    _require(game.variant.players == 1, "a pause in a game for two")
    if isinstance(event, GamePaused):
        return _paused(game, event, at)
    _require(game.paused is not None, "a game went on that was not paused")
    return replace(game, at=at, paused=None)


def _paused(game: Game, event: GamePaused, at: int) -> Game:
    _require(game.first_move_at is not None, "a pause before the first move")
    _require(game.at <= event.since <= at, "a pause since another time than between its record and the one before")
    return replace(game, paused=event.reason, play_ms=play_ms_at(game, event.since))


def _ended_for_two(game: Game, event: GameEnded, at: int) -> Game:
    _require(event == duel.ending(game, play_ms=play_ms_at(game, at)), "the game ended otherwise")
    seats = zip(game.seats, event.seats or (), strict=True)
    over = tuple(replace(seat, status=end.result, points=end.points) for seat, end in seats)
    return replace(game, status=event.result, play_ms=event.play_ms, seats=over)


def _ended(game: Game, event: GameEnded, at: int) -> Game:
    if len(game.seats) > 1:
        _require(end_of(game) is not None, f"the game is not {event.result}")
        return _ended_for_two(game, event, at)
    seat = game.seat
    _require(event.result == (end_of(game) or "resigned"), f"the game is not {event.result}")
    _require(event.bonus == end_points(game.scoring, event.result), "the end brings other points")
    _require(event.points == seat.points + event.bonus, f"the sum of points is {seat.points + event.bonus}")
    _require(event.moves == seat.moves, f"the number of moves is {seat.moves}")
    _require(event.play_ms == play_ms_at(game, at), f"the play time is {play_ms_at(game, at)} ms")
    _require(event.assisted == game.assisted, "help was counted wrongly")
    _require(event.secret == game.secret, "another secret was revealed")
    _require(event.seats is UNSET, "a game for one has no results by seat")
    over = replace(seat, points=event.points)
    return replace(game, status=event.result, play_ms=event.play_ms, paused=None, seats=(over,))


def _deck(sealed: SealedDeal, variant: Variant, seat: int) -> tuple[Card, ...]:
    match sealed.deal:
        case SecretDeal(player_seed=player_seed) | WinnableDeal(player_seed=player_seed):
            _require(_is_secret(sealed.secret), f"the secret is not {deal.SECRET_BYTES} bytes in hexadecimal")
            return deal.secret_deck(bytes.fromhex(sealed.secret), player_seed, decks=variant.decks_each, seat=seat)
        case NumberedDeal(number=number):
            _require(sealed.secret == "", "a deal with a public origin has a secret")
            return deal.numbered_deck(number, decks=variant.decks_each, seat=seat)
    assert_never(sealed.deal)


def _is_secret(text: str) -> bool:
    return re.fullmatch(f"[0-9a-f]{{{2 * deal.SECRET_BYTES}}}", text) is not None


def _require(holds: bool, otherwise: str) -> None:
    if not holds:
        raise BrokenHistoryError(otherwise)
