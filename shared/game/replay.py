"""What a record should say: the command that it must have been, decided again, and where its events differ.

Sentences name fields and quote what is stored, never what should be: a forged record must not make an auditor's output
show a card of a running game that nobody has seen.
"""

from collections.abc import Callable
from typing import Final, assert_never

from shared.game.advice import hint_fault, hint_of
from shared.game.decide import Events, PlayCommand, RecordChances, RecordHint, Terms, check_start, decide, decide_start
from shared.game.evolve import BrokenHistoryError
from shared.game.state import Game
from shared.messages.codec import new_game_id
from shared.messages.commands import (
    ClaimAbsence,
    ContinueGame,
    DrawCards,
    JoinGame,
    MoveCards,
    PauseGame,
    RecycleStock,
    RedoMove,
    Resign,
    StartGame,
    UndoMove,
)
from shared.messages.errors import Error
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
    SealedDeal,
    StockRecycled,
)

_PLAIN: Final[dict[type[AnyEvent], Callable[..., PlayCommand]]] = {
    CardsDrawn: DrawCards,
    StockRecycled: RecycleStock,
    MoveUndone: UndoMove,
    MoveRedone: RedoMove,
}
"""Commands that say nothing more than what they are, by what they cause."""
QUOTED_MAX: Final = 120


def quoted(value: object) -> str:
    """A stored value, fit for a terminal: escaped, and with an end."""
    text = ascii(value)
    return text if len(text) <= QUOTED_MAX else f"{text[: QUOTED_MAX - 3]}..."


def fault_of_first(record: Record, sealed: SealedDeal) -> str | None:
    """Why a record cannot be the first one of a game with this deal, or None. The deal was checked before."""
    event = record.events[0] if record.events else None
    if not isinstance(event, GameStarted):
        return "it does not start a game"
    if new_game_id(event.player, record.command) != record.game:
        return "the game's id does not come from this player and command"
    if event.player != record.player:
        return f"the game is dealt to player {quoted(event.player)}"
    command = StartGame(
        id=record.command,
        game=record.game,
        player=record.player,
        version=0,
        variant=event.variant,
        scoring=event.scoring,
        mode=event.mode,
        deal=event.deal,
    )
    refusal = check_start(command)
    if refusal is not None:
        return f"no game is dealt so: {quoted(refusal.text)}"
    terms = Terms(expires_at=event.expires_at or 0, absence_ms=event.absence_ms or 0)
    try:
        return difference(record.events, decide_start(command, sealed, terms))
    except BrokenHistoryError as error:
        return str(error)


def fault_of_next(game: Game, record: Record) -> str | None:
    """Why a record cannot follow on a game, or None."""
    if not record.events:
        return "it holds no event"
    if record.at < game.at:
        return f"its time is {game.at - record.at} ms before the record before it"
    command = _command(game, record)
    if isinstance(command, str):
        return command
    match decide(game, command, at=record.at):
        case Error() as refusal:
            refused = f"{_name(command)} is refused by the rules: {refusal.code}{_rule(refusal)}"
            return _fault_of_hint(game, command) or refused
        case expected:
            return difference(record.events, expected)


def difference(stored: Events, expected: Events) -> str | None:
    """The first place where stored events are not those that the command causes, or None."""
    for one, other in zip(stored, expected, strict=False):
        if type(one) is not type(other):
            return f"{tag(one)} is stored, where the command causes {tag(other)}"
        for name in one.__struct_fields__:
            if getattr(one, name) != getattr(other, name):
                return f"{name} of {tag(one)} is {quoted(getattr(one, name))}: the command causes another"
    if len(stored) != len(expected):
        return f"it holds {len(stored)} events, where the command causes {len(expected)}"
    return None


def tag(event: AnyEvent) -> str:
    """The name that an event has in the log."""
    return str(event.__struct_config__.tag)


def _command(game: Game, record: Record) -> PlayCommand | str:
    """The command that a record's first event can only come from, or why there is none."""
    command, of, player, version = record.command, record.game, record.player, game.version
    first = record.events[0]
    match first:
        case CardsMoved(source=source, target=target, cards=cards):
            count = len(cards)
            return MoveCards(
                id=command, game=of, player=player, version=version, source=source, target=target, count=count
            )
        case CardsDrawn() | StockRecycled() | MoveUndone() | MoveRedone():
            return _PLAIN[type(first)](id=command, game=of, player=player, version=version)
        case HintGiven() | ChancesGiven():
            return _advice(game, record, first)
        case GamePaused() | GameContinued():
            return _clock(game, record, first)
        case PlayerJoined() | PlayerResigned() | PlayerLeft() | PlayerReturned():
            return _command_for_two(game, first, record)
        case GameEnded(result=result):
            resign = Resign(id=command, game=of, player=player, version=version)
            return resign if result == "resigned" else f"the game is {result} without a move"
        case GameStarted():
            return "the game starts a second time"
    assert_never(first)


def _advice(game: Game, record: Record, told: HintGiven | ChancesGiven) -> PlayCommand:
    command, of, player, version = record.command, record.game, record.player, game.version
    match told:
        case HintGiven():
            return RecordHint(id=command, game=of, player=player, version=version, hint=hint_of(told))
        case ChancesGiven(chances=chances):
            return RecordChances(id=command, game=of, player=player, version=version, chances=chances)
    assert_never(told)


def _clock(game: Game, record: Record, event: GamePaused | GameContinued) -> PlayCommand:
    command, of, player, version = record.command, record.game, record.player, game.version
    match event:
        case GamePaused(reason=reason, since=since):
            return PauseGame(id=command, game=of, player=player, version=version, reason=reason, since=since)
        case GameContinued():
            return ContinueGame(id=command, game=of, player=player, version=version)
    assert_never(event)


def _command_for_two(game: Game, event: BetweenPlayers, record: Record) -> PlayCommand | str:
    command, of, player, version = record.command, record.game, record.player, game.version
    match event:
        case PlayerJoined():
            return JoinGame(id=command, game=of, player=player, version=version)
        case PlayerResigned(absent=absent):
            return (ClaimAbsence if absent else Resign)(id=command, game=of, player=player, version=version)
        case PlayerLeft(since=since):
            return PauseGame(id=command, game=of, player=player, version=version, reason="absence", since=since)
        case PlayerReturned():
            return ContinueGame(id=command, game=of, player=player, version=version)
    assert_never(event)


def _name(command: PlayCommand) -> str:
    match command:
        case RecordHint():
            return "the hint"
        case RecordChances():
            return "the answer about chances"
        case _:
            return str(command.__struct_config__.tag)


def _rule(refusal: Error) -> str:
    return f" ({refusal.rule})" if refusal.rule else ""


def _fault_of_hint(game: Game, command: PlayCommand) -> str | None:
    """A hint is the one thing that workers say: it must be a legal move, about cards that the player has seen."""
    return hint_fault(game, command.hint) if isinstance(command, RecordHint) else None
