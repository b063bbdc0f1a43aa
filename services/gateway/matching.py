"""Finding a game for two to join: by a short code, or by the quick match, which looks again if somebody was faster."""

from typing import Final, assert_never

import msgspec

from services.gateway import translate
from services.gateway.effects import Ask, Look
from shared.messages.base import GameId, PlayerId
from shared.messages.codec import new_game_id
from shared.messages.commands import JoinGame
from shared.messages.errors import ErrorCode
from shared.messages.frames import JoinCode, NewGame, QuickMatch
from shared.messages.lobby import FindInvitation, FindMatch

LOOKS_MAX: Final = 5
"""How often a quick match looks for a game before it is refused as the last one was."""
PAUSE_SECONDS: Final = 0.2
"""Before another look for a game that is found but not there yet: whoever waits in it is just starting it."""
_GONE: Final[frozenset[ErrorCode]] = frozenset({"already-joined", "game-ended", "invitation-expired"})
"""Why a found game cannot be joined any more."""


class Search(msgspec.Struct):
    """A client's search for a game."""

    frame: JoinCode | QuickMatch
    player: PlayerId
    looks: int = 0

    def look(self, *, gone: GameId | None = None, after_seconds: float = 0.0) -> Look:
        """What to ask. `gone`: a game that was found before and could not be joined."""
        self.looks += 1
        match self.frame:
            case JoinCode(id=command, code=code):
                return Look(FindInvitation(code=code), command, after_seconds)
            case QuickMatch(id=command, variant=variant, scoring=scoring):
                find = FindMatch(player=self.player, command=command, variant=variant, scoring=scoring, gone=gone)
                return Look(find, command, after_seconds)
        assert_never(self.frame)

    def found(self, game: GameId) -> Ask:
        """What to ask when a game was found: to join it, or to start one's own, which waits in the queue already."""
        command = self.frame.id
        if isinstance(self.frame, QuickMatch) and game == new_game_id(self.player, command):
            new = NewGame(id=command, variant=self.frame.variant, scoring=self.frame.scoring, mode="ranked")
            return Ask(translate.start_game(new, self.player), command)
        return Ask(JoinGame(id=command, game=game, player=self.player, version=1), command)

    def again(self, game: GameId, code: ErrorCode) -> Look | None:
        """The next look when a found game could not be joined; None where that is the answer."""
        if not isinstance(self.frame, QuickMatch) or self.looks >= LOOKS_MAX:
            return None
        if code in _GONE:
            return self.look(gone=game)
        return self.look(after_seconds=PAUSE_SECONDS) if code == "unknown-game" else None
