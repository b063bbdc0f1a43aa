"""What it means for a game that its player goes and comes back.

The commands have ids that follow from game and version, so it does not matter who notices, or how many do: what is told
a second time is a repetition.
"""

from shared.messages.base import GameId, PlayerId
from shared.messages.codec import derived_command_id
from shared.messages.commands import ContinueGame, PauseGame
from shared.messages.views import View


def on_leaving(view: View, player: PlayerId, since: int) -> PauseGame | None:
    """What is to be done about a game whose player has been away since a time; None where nothing is."""
    if not view.clock_runs:
        return None
    return PauseGame(
        id=derived_command_id(view.game, view.version, "leaving"),
        game=view.game,
        player=player,
        version=view.version,
        reason="absence",
        since=since,
    )


def on_return(view: View, player: PlayerId) -> ContinueGame | None:
    """What is to be done about a game whose player is there; None where nothing is. A player's own pause stays."""
    return continuing(view.game, player, view.version) if view.paused == "absence" else None


def continuing(game: GameId, player: PlayerId, version: int) -> ContinueGame:
    """The end of the pause that a version of a game is."""
    return ContinueGame(id=derived_command_id(game, version, "return"), game=game, player=player, version=version)
