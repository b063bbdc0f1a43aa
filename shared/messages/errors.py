"""Errors are values. The code is the interface and never changes; the sentences may."""

from typing import Literal

import msgspec

from shared.rules.breaches import Breach

ErrorCode = Literal[
    "illegal-move",  # against the rules; `rule` says which
    "stale-version",  # decided on an older version; look at the current one and decide again
    "not-your-game",
    "unknown-game",
    "game-ended",
    "game-paused",  # by the player; continue it first
    "not-paused",  # nothing is there to continue
    "pause-not-offered",  # a game against somebody goes on
    "nothing-to-pause",  # the clock starts with the first move
    "unknown-variant",
    "unknown-scoring",
    "scoring-not-offered",  # the variant is not played under it
    "unknown-mode",
    "mode-not-offered",  # the variant is not played in it
    "overtaken",  # the other player was there first; look at the current version and decide again
    "waiting-for-player",  # nobody has joined yet
    "seat-resigned",  # the player has given this game up; the other plays on
    "help-not-allowed",  # there is none in a game against someone
    "already-joined",  # all seats are taken, perhaps by this player
    "own-game",  # nobody plays against themselves
    "invitation-expired",
    "unknown-invitation",  # no open invitation has this code
    "not-for-two",  # the game is played alone: nobody can join or watch it, or claim an absence
    "not-absent",  # the other player is there, or has not been away for long enough
    "bad-deal",  # a deal number or seed that cannot be used
    "no-winnable-deal",  # none is ready, and none was found in time; ask again
    "winnable-not-offered",  # deals of the variant are never certified: the solver does not play it, or two do
    "no-such-link",  # or it was withdrawn
    "game-running",  # told only once the game is over
    "history-too-long",  # for HTTP; `klondike audit` reads any
    "undo-not-allowed",  # ranked games have none
    "nothing-to-undo",
    "nothing-to-redo",
    "no-hint",  # nothing useful is left to suggest; did not count as help
    "stuck",  # no hint, as `stuck` in the view: no move changes anything any more; did not count as help
    "no-chances",  # the solver does not play this variant, so nobody can tell; did not count as help
    "only-alone",  # told only of games that are played alone
    "too-many-hints",  # of this player are under way; wait for one of them
    "unavailable",  # not done; try again later
    "outcome-unknown",  # may be done or not; repeat the very same command
    "bad-file",  # of a game: `field` is the line, or the field of JSON, that is wrong
    "bad-frame",  # not the schema; `field` says where
    "frame-too-large",
    "bad-token",
    "player-forgotten",  # deleted, by the player or an operator: start as a new guest
    "unknown-code",  # of another device: it never was, was used, or is too old
    "not-signed-in",  # hello comes first
    "too-many-requests",
    "too-slow",  # the reader did not keep up
    "protocol-unsupported",
    "origin-refused",
    "bad-request",  # an HTTP parameter or bus request; `field` says which
    "not-found",
    "going-away",  # this server stops; connect again
    "broken-game",  # its log does not hold together; it is kept for the audit
    "internal",
]


class Error(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Why something was refused, and what to do."""

    code: ErrorCode
    text: str
    """One English sentence for a person who has no translation of the code."""
    fix: str
    """What to do now, one sentence."""
    field: str | None = None
    rule: Breach | None = None
