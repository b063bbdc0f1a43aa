"""Finding a game for two that waits: by its short code, or whoever waits longest for the same."""

from shared.messages.answers import Answer, RequestRefused
from shared.messages.base import CODE, COMMAND_ID, GAME_ID, PLAYER_ID, Input


class FindInvitation(Input, frozen=True, kw_only=True, tag="find-invitation"):
    """Ask which game a short code leads to."""

    code: CODE


class FindMatch(Input, frozen=True, kw_only=True, tag="find-match"):
    """Ask for the game of somebody else that has waited longest; if there is none, the player's own waits from now on.

    Both are one step, so that of two who come at once one finds the other.
    """

    player: PLAYER_ID
    command: COMMAND_ID
    """It makes the player's own game, `new_game_id(player, command)`, when that is the answer."""
    variant: str
    scoring: str
    gone: GAME_ID | None = None
    """A game that was found before and could not be joined any more."""


LobbyRequest = FindInvitation | FindMatch


class GameFound(Answer, frozen=True, kw_only=True, tag="game-found"):
    """The game to join, or one's own to start. Whether it can be joined is decided when it is."""

    game: GAME_ID


LobbyAnswer = GameFound | RequestRefused
