"""The sentences of refused commands: one place, so that a code always reads the same."""

from collections.abc import Iterable
from typing import Final

from shared.messages.errors import Error, ErrorCode
from shared.rules.breaches import Breach

_BREACHES: Final[dict[Breach, str]] = {
    "no-such-pile": "This variant has no such pile to move from or to.",
    "same-pile": "The cards already lie on this pile.",
    "source-empty": "The pile to move from is empty.",
    "one-card-only": "Only a single card can go there or come from there.",
    "face-down": "The pile has fewer face-up cards than that.",
    "not-a-run": "Cards move together only as a run that descends in alternating colours.",
    "only-king-to-empty": "An empty column takes only a King, or a run that starts with a King.",
    "tableau-builds-down": "A column is built down, one rank at a time, in alternating colours.",
    "foundation-builds-up": "A foundation is built up in suit, ace to king, without gaps.",
    "foundation-stays": "A card on a foundation cannot go there.",
    "stock-empty": "The stock is empty.",
    "stock-not-empty": "The waste is turned over only when the stock is empty.",
    "waste-empty": "There is no waste to turn over.",
    "no-pass-left": "The last pass through the stock is used up.",
}

_REFUSALS: Final[dict[ErrorCode, tuple[str, str]]] = {
    "stale-version": ("This was not decided on the game's newest version.", "Look at it and decide again."),
    "not-your-game": ("This game belongs to another player.", "Play one of your own games."),
    "unknown-game": ("There is no such game.", "Check the id, or start a new game."),
    "game-ended": ("The game is over; nothing can be changed any more.", "Start a new game."),
    "game-paused": ("The game is paused.", "Continue it first."),
    "not-paused": ("The game is not paused.", "Play on."),
    "nothing-to-pause": ("The clock does not run yet: it starts with the first move.", "Leave it, or make a move."),
    "pause-not-offered": ("A game against somebody is not paused.", "Play on, or give the game up."),
    "overtaken": ("The other player was there first.", "Look at the foundations and decide again."),
    "waiting-for-player": ("Nobody has joined this game yet.", "Wait for somebody, or give the game up."),
    "seat-resigned": ("You have given this game up.", "Watch how it goes on, or start a new game."),
    "help-not-allowed": ("There is no help in a game against somebody.", "Decide for yourself."),
    "already-joined": ("Both seats of this game are taken.", "Watch it, or start a new game."),
    "own-game": ("This game is your own.", "Send the invitation to somebody else."),
    "invitation-expired": ("This invitation is too old.", "Ask for a new one, or start a game yourself."),
    "unknown-invitation": ("No open invitation has this code.", "Check the code, or ask for a new one."),
    "not-for-two": ("This game is played alone.", "Take a game for two."),
    "not-absent": ("The other player has not been away for long enough.", "Wait until the moment that the game names."),
    "undo-not-allowed": ("A ranked game has no undo.", "Play on, or start a relaxed game."),
    "nothing-to-undo": ("No move is left to take back.", "Make a move first."),
    "nothing-to-redo": ("No move was taken back.", "Undo a move first."),
    "no-hint": ("No useful move is left to suggest.", "Undo, try something of your own, or give up."),
    "stuck": ("No move changes anything any more, whatever lies face down.", "Undo, or start a new game."),
    "no-chances": ("The solver does not play this variant.", "Judge for yourself."),
    "only-alone": ("This is told only of games that are played alone.", "Look at one that you played alone."),
    "too-many-hints": ("Earlier hints of yours are still being looked for.", "Wait for one of them, then ask again."),
    "outcome-unknown": (
        "The log could not be reached; the command may be stored or not.",
        "Repeat the very same command.",
    ),
    "bad-deal": ("This new game was asked for before, with another deal.", "Ask for it with a new command id."),
    "no-winnable-deal": (
        "No deal that is sure to be winnable is ready now; nothing was dealt.",
        "Ask again in a moment, or for any deal.",
    ),
    "winnable-not-offered": ("The solver does not play this variant.", "Ask for a secret or numbered deal."),
    "no-such-link": ("There is no such link, or it was withdrawn.", "Ask who gave it to you for another."),
    "game-running": ("This is told only once the game is over.", "Play it to its end, or resign."),
    "broken-game": ("The log of this game is damaged.", "Start a new game; the operator can audit this one."),
    "unavailable": ("The service cannot do this now.", "Try again in a moment."),
}


def refused(code: ErrorCode) -> Error:
    """The error of a code that needs no detail."""
    text, fix = _REFUSALS[code]
    return Error(code=code, text=text, fix=fix)


def illegal(breach: Breach) -> Error:
    """The error of an illegal move, with the rule that it breaks."""
    return Error(code="illegal-move", text=_BREACHES[breach], fix="Choose one of the legal moves.", rule=breach)


def unknown(code: ErrorCode, field: str, value: str, known: Iterable[str]) -> Error:
    """The error of a name that is in no table."""
    names = ", ".join(sorted(known))
    return Error(code=code, text=f"There is no {field} {value!r}.", fix=f"Choose one of {names}.", field=field)


def other_scoring(variant: str, scorings: Iterable[str]) -> Error:
    """The error of a scoring mode that a variant is not played under."""
    fix = f"Choose one of {', '.join(scorings)}."
    return Error(code="scoring-not-offered", text=f"{variant} is not scored so.", fix=fix, field="scoring")


def other_mode(variant: str, modes: Iterable[str]) -> Error:
    """The error of a mode that a variant is not played in."""
    fix = f"Choose {', '.join(modes)}."
    return Error(code="mode-not-offered", text=f"{variant} is not played so.", fix=fix, field="mode")


def not_certified() -> Error:
    """The error of a winnable deal of a variant whose deals are never certified, because two play it."""
    text, fix = "Only deals for one player are certified winnable.", "Ask for a secret or numbered deal."
    return Error(code="winnable-not-offered", text=text, fix=fix, field="deal")
