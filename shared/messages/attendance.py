"""What it means for a game that its player goes and comes back.

The commands have ids that follow from game and version, so it does not matter who notices, or how many do: what is told
a second time is a repetition.
"""

from msgspec import UNSET

from shared.messages.base import GameId, PlayerId
from shared.messages.codec import derived_command_id
from shared.messages.commands import ContinueGame, PauseGame
from shared.messages.views import Duel, View


def on_leaving(view: View, player: PlayerId, since: int) -> PauseGame | None:
    """What is to be done about a game whose player has been away since a time; None where nothing is."""
    if not (view.clock_runs if view.duel is UNSET else _is_there(view, view.duel)):
        return None
    return PauseGame(
        id=derived_command_id(view.game, view.version, "leaving", player),
        game=view.game,
        player=player,
        version=view.version,
        reason="absence",
        since=since,
    )


def on_return(view: View, player: PlayerId) -> ContinueGame | None:
    """What is to be done about a game whose player is there; None where nothing is. A player's own pause stays."""
    away = view.paused == "absence" if view.duel is UNSET else _is_away(view, view.duel)
    return continuing(view.game, player, view.version) if away else None


def _is_there(view: View, duel: Duel) -> bool:
    """Whether somebody's going is to be told in a game for two. Who only watches comes and goes as they like."""
    return _plays(view, duel) and duel.away_since is None


def _is_away(view: View, duel: Duel) -> bool:
    return _plays(view, duel) and duel.away_since is not None


def _plays(view: View, duel: Duel) -> bool:
    return view.status in ("running", "waiting") and duel.status == "running" and duel.seat is not None


def continuing(game: GameId, player: PlayerId, version: int) -> ContinueGame:
    """The end of the pause that a version of a game is."""
    return ContinueGame(
        id=derived_command_id(game, version, "return", player), game=game, player=player, version=version
    )
