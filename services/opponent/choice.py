"""What the computer does next, from a view of its own side. Pure: the moment is passed in."""

from collections.abc import Callable
from typing import Final

import msgspec
from msgspec import UNSET

from shared.messages.base import CommandId, PlayerId
from shared.messages.commands import AnyCommand, ClaimAbsence, DrawCards, MoveCards, RecycleStock, Resign
from shared.messages.jobs import Knowledge
from shared.messages.views import View
from shared.rules.moves import Draw, Move, Recycle, move_text
from shared.rules.moves import MoveCards as Moving
from shared.rules.variants import VARIANTS, Variant
from shared.solver.hints import best_hint

PLAN_SECONDS: Final = 1.5
PATIENCE_MS: Final = 24 * 60 * 60 * 1000
"""So long after a player could do so the computer claims that the other is away: a closed page loses no game soon."""


def claimable(view: View, now_ms: int) -> bool:
    """Whether the other player has been away for longer than the computer is patient."""
    opponent = view.duel.opponent if view.duel else None
    return opponent is not None and opponent.claim_at is not None and now_ms >= opponent.claim_at + PATIENCE_MS


def waits(view: View) -> bool:
    """Whether the other player is away and may come back: the computer does not play on alone."""
    opponent = view.duel.opponent if view.duel else None
    return opponent is not None and opponent.status == "running" and opponent.away_since is not None


def plays(view: View) -> bool:
    """Whether the own side still plays."""
    return view.duel is not UNSET and view.status == view.duel.status == "running"


def next_text(view: View, known: Knowledge) -> str | None:
    """The next move by the preferences of the rules; None when nothing that is left leads anywhere."""
    hint = best_hint(known, view.legal, VARIANTS[view.variant])
    return hint.move if hint else None


def alone(variant: Variant) -> Variant | None:
    """The own side of a game for two as a game for one; None where the other side changes what is there."""
    if variant.shares_foundations:
        return None
    return msgspec.structs.replace(variant, players=1, decks=variant.decks // variant.players)


def thought_through(view: View, known: Knowledge, variant: Variant, stopped: Callable[[], bool]) -> tuple[str, ...]:
    """The moves of the strong player's plan, to be made in turn; none when nothing could win any more."""
    from shared.solver.player import LEVELS, StrongPlayer  # imports the compiler: easy games do without

    plan = StrongPlayer(variant, "wins").plan(known, seed=view.version, effort=LEVELS["strong"], stopped=stopped)
    return tuple(map(move_text, plan.moves)) if plan else ()


def command_of(move: Move | None, view: View, new: CommandId) -> AnyCommand:
    """The command of a move, or of giving up."""
    player = _player(view)
    match move:
        case Moving(source=source, target=target, count=count):
            return MoveCards(
                id=new, game=view.game, player=player, version=view.version, source=source, target=target, count=count
            )
        case Draw():
            return DrawCards(id=new, game=view.game, player=player, version=view.version)
        case Recycle():
            return RecycleStock(id=new, game=view.game, player=player, version=view.version)
        case None:
            return Resign(id=new, game=view.game, player=player, version=view.version)


def claim(view: View, new: CommandId) -> ClaimAbsence:
    """The command that takes the other player for resigned."""
    return ClaimAbsence(id=new, game=view.game, player=_player(view), version=view.version)


def _player(view: View) -> PlayerId:
    assert view.duel, "the computer plays no other games"
    assert view.duel.seat is not None, "it sits in them"
    return view.duel.players[view.duel.seat]
