"""Lists of moves, as `exports` writes them and as people do: what was played, and what a list says came of it.

The least that is a list:

    Kind  draw1, standard, relaxed
    Deal  number 23
    T5>F2
    draw

All else is checked where it is there: numbers of moves, points, cards, the result.
"""

import re
from collections.abc import Iterator
from datetime import datetime
from typing import Final, Literal, TypeVar, cast, get_args

import msgspec

from services.gateway.history.exports import LEGEND, TABLE_HEAD, cards_of
from services.gateway.history.faults import BadFileError, refuse_for_two
from services.gateway.history.words import in_words
from shared.messages.chances import Chances, Estimate, Lost
from shared.messages.commands import Deal, Mode, NumberedDeal, PauseReason, SecretDeal, WinnableDeal
from shared.messages.events import ChancesGiven, GamePaused, HintGiven
from shared.messages.history import Deed, GameHistory, HistoryStep
from shared.messages.imports import STEPS_MAX, ImportedGame, ImportedStep
from shared.messages.jobs import HintReason
from shared.rules.cards import Card
from shared.rules.moves import parse_move

LINE_MAX: Final = 500
SHOWN_MAX: Final = 40
"""Letters of a time that are repeated where it does not do."""
TIME_MS_MAX: Final = 253_402_300_799_999
"""The end of the year 9999."""
SIXTIETHS_MAX: Final = 59
"""Seconds of a play time, and minutes after hours."""
Told = TypeVar("Told")

_KIND: Final = re.compile(r"Kind\s+(\S+)(?: (\S+))?, (\S+), (ranked|relaxed)")
_DEAL: Final = re.compile(
    r"Deal\s+(?:number (?P<number>\d{1,16})|secret(?P<winnable>, proved winnable)?)"
    r'(?:, the player\'s seed (?P<seed>"(?:[^"\\]|\\.)*"))?(?:, (?P<shuffle>[a-z0-9-]+))?'
)
_PROOF: Final = re.compile(r"(commitment|secret)\s+([0-9a-f]{64})")
_PLAYED: Final = re.compile(r"Played\s+(\S+) to (\S+)")
_RESULT: Final = re.compile(r"Result\s+(won|lost|resigned)(?:: (-?\d+) points, (\d+) moves\b.*)?")
_STEP: Final = re.compile(
    r"(?:(?P<number>\d+)\.\s*)?(?:(?P<time>(?:\d+:)?\d+:\d\d)\s+)?"
    r"(?:(?P<deed>deal|undo|redo|hint|chances|pause|continue|resign)(?=\s|$)\s*)?"
    r"(?:(?P<move>draw|recycle|[A-Z]\d*>[A-Z]\d*(?:\*\d+)?)(?=\s|$)\s*)?"
    r"(?:(?P<brought>[+-]\d+)(?=\s|$)\s*)?(?:(?P<points>-?\d+)(?=\s|$)\s*)?(?P<rest>.*)"
)
_ESTIMATE: Final = re.compile(r"(\d+) of (\d+)(?:, (\d+) undecided)?(?:, (0\.\d+|1\.0+) to (0\.\d+|1\.0+))?(, all)?")
_PLAIN_DEEDS: Final[dict[str, Deed]] = {"draw": "draw", "recycle": "recycle"}
_REASONS: Final = frozenset(get_args(HintReason))


class Claim(msgspec.Struct, frozen=True, kw_only=True):
    """A line of a step: where it is, and what it says came of it; None and "" say nothing."""

    place: str
    number: int | None = None
    move: str | None = None
    brought: int | None = None
    points: int | None = None
    cards: str = ""


class Claims(msgspec.Struct, frozen=True, kw_only=True):
    """What a list says, but for what was done."""

    deal: Claim | None
    steps: tuple[Claim, ...]
    facts: tuple[tuple[str, Literal["result", "points", "moves", "shuffle", "variant_version"], object], ...]
    """Where, which sum of the whole game, and what the list says it is."""


def read_list(text: str) -> tuple[ImportedGame, Claims]:
    """The game of a list.

    Raises:
        BadFileError: a line is none of a list, or what a game needs is missing.
    """
    reading = _Reading()
    for number, line in enumerate(text.splitlines(), 1):
        reading.take(f"line {number}", line)
    return reading.finish()


def compare(claims: Claims, history: GameHistory) -> None:
    """Hold what a list says against what the rules make of its steps.

    Raises:
        BadFileError: something is otherwise; the first such line is named.
    """
    for claim, step in _with_steps(claims, history):
        _compare_step(claim, step)
    for place, name, says in claims.facts:
        _same(place, name.replace("_", " "), says, getattr(history, name))


def _with_steps(claims: Claims, history: GameHistory) -> Iterator[tuple[Claim, HistoryStep]]:
    if claims.deal is not None:
        yield claims.deal, history.steps[0]
    yield from zip(claims.steps, history.steps[1:], strict=False)


def _compare_step(claim: Claim, step: HistoryStep) -> None:
    moved, turned_up = cards_of(step)
    if claim.number is not None:
        _same(claim.place, "number", claim.number, step.moves if step.stands else None)
    if claim.move is not None:
        _same(claim.place, "move", claim.move, step.move)
    if claim.brought is not None:
        _same(claim.place, "change of the score", claim.brought, step.brought)
    if claim.points is not None:
        _same(claim.place, "score", claim.points, step.points)
    if claim.cards and moved:
        _same(claim.place, "cards", claim.cards, f"{moved}, turns up {turned_up}" if turned_up else moved)


def _same(place: str, what: str, says: object, holds: object) -> None:
    if says != holds:
        held = "none" if holds is None else holds
        raise BadFileError(place, f"the {what} is {says} there, and {held} by the rules")


class _Reading:
    """A list line by line: the head, then the steps."""

    def __init__(self) -> None:
        self._kind: tuple[str, str, Mode] | None = None
        self._origin: Deal | None = None
        self._proof: dict[str, str] = {}
        self._at = 0
        self._play_ms = 0
        self._deal: Claim | None = None
        self._steps: list[ImportedStep] = []
        self._claims: list[Claim] = []
        self._facts: list[tuple[str, Literal["result", "points", "moves", "shuffle", "variant_version"], object]] = []
        self._started_at = 0

    def take(self, place: str, line: str) -> None:
        text = line.strip()
        if len(text) > LINE_MAX:
            raise BadFileError(place, f"it has more than {LINE_MAX} characters")
        if not text or text.startswith(("#", "Klondike game ")) or text in {*LEGEND, TABLE_HEAD.strip()}:
            return
        if not (self._head(place, text) or self._step(place, text)):
            raise BadFileError(place, "it is no move: draw, recycle, or piles and a count such as W>F2 or T3>T5*4")

    def finish(self) -> tuple[ImportedGame, Claims]:
        if self._kind is None:
            raise BadFileError("file", "the line `Kind` is missing, such as `Kind draw1, standard, relaxed`")
        if self._origin is None:
            raise BadFileError("file", "the line `Deal` is missing, such as `Deal number 23`")
        variant, scoring, mode = self._kind
        game = ImportedGame(
            variant=variant,
            scoring=scoring,
            mode=mode,
            deal=self._origin,
            secret=self._proof.get("secret", ""),
            commitment=self._proof.get("commitment", ""),
            started_at=self._started_at,
            steps=tuple(self._steps),
        )
        return game, Claims(deal=self._deal, steps=tuple(self._claims), facts=tuple(self._facts))

    def _head(self, place: str, text: str) -> bool:
        """Whether it was a line of the head, now taken."""
        word = text.split(maxsplit=1)[0]
        if word == "Kind":
            variant, version, scoring, mode = _found(_KIND, place, text, "Kind draw1 1.0.0, standard, relaxed").groups()
            refuse_for_two(variant, place)
            self._kind = (variant, scoring, cast(Mode, mode))
            self._fact(place, "variant_version", version)
        elif word == "Deal":
            self._origin = self._dealt(place, _found(_DEAL, place, text, "Deal number 23"))
        elif word in {"commitment", "secret"}:
            found = _found(_PROOF, place, text, f"{word} and 64 hexadecimal digits")
            self._proof[found[1]] = found[2]
        elif word == "Played":
            first = _found(_PLAYED, place, text, "Played 2026-01-31T12:00:00.000Z to 2026-01-31T12:05:00.000Z")[1]
            self._started_at = self._at = _time(place, first)
        elif word == "Result":
            result, points, moves = _found(_RESULT, place, text, "Result won: 626 points, 109 moves, 2:03").groups()
            self._fact(place, "result", result)
            self._fact(place, "points", int(points) if points else None)
            self._fact(place, "moves", int(moves) if moves else None)
        else:
            return False
        return True

    def _fact(
        self, place: str, name: Literal["result", "points", "moves", "shuffle", "variant_version"], value: object
    ) -> None:
        if value is not None:
            self._facts.append((place, name, value))

    def _dealt(self, place: str, found: "re.Match[str]") -> Deal:
        self._fact(place, "shuffle", found["shuffle"])
        if found["number"]:
            return _valid(NumberedDeal, place, {"type": "number", "number": int(found["number"])})
        seed = {"player_seed": msgspec.json.decode(found["seed"])} if found["seed"] else {}
        if found["winnable"]:
            return _valid(WinnableDeal, place, {"type": "winnable", **seed})
        return _valid(SecretDeal, place, {"type": "secret", **seed})

    def _step(self, place: str, text: str) -> bool:
        """Whether it was a step, now taken."""
        found = _STEP.fullmatch(text)
        if found is None or not (found["deed"] or found["move"]):
            return False
        if len(self._steps) >= STEPS_MAX:
            raise BadFileError(place, f"there are more than {STEPS_MAX} steps")
        claim = _claim(place, found)
        if found["deed"] == "deal":
            if self._deal is not None or self._steps:
                raise BadFileError(place, "the game is dealt a second time")
            self._deal = claim
            return True
        at = self._time(place, found["time"])
        self._steps.append(_imported(place, found, at))
        self._claims.append(claim)
        return True

    def _time(self, place: str, clock: str | None) -> int:
        """The time of a step, from the play time beside it."""
        if clock is None:
            return self._at
        play_ms = _play_ms(place, clock)
        if play_ms < self._play_ms:
            raise BadFileError(place, f"the time {clock} is earlier than in the line before")
        self._at += play_ms - self._play_ms
        self._play_ms = play_ms
        if self._at > TIME_MS_MAX:
            raise BadFileError(place, f"with the time {_shown(clock)} it is after the year 9999")
        return self._at


def _play_ms(place: str, clock: str) -> int:
    first, *later = map(int, clock.split(":"))
    if any(part > SIXTIETHS_MAX for part in later):
        raise BadFileError(place, f"{_shown(clock)} is no time such as 12:34 or 1:02:03")
    seconds = first
    for part in later:
        seconds = 60 * seconds + part
    return 1000 * seconds


def _shown(text: str) -> str:
    return text if len(text) <= SHOWN_MAX else f"{text[:SHOWN_MAX]}…"


def _found(pattern: "re.Pattern[str]", place: str, text: str, example: str) -> "re.Match[str]":
    found = pattern.fullmatch(text)
    if found is None:
        raise BadFileError(place, f"it is not of the form `{example}`")
    return found


def _claim(place: str, found: "re.Match[str]") -> Claim:
    brought, points = found["brought"], found["points"]
    if brought and not points and not brought.startswith("+"):
        brought, points = None, brought  # a score below zero stands alone
    return Claim(
        place=place,
        number=int(found["number"]) if found["number"] else None,
        move=found["move"] if found["deed"] in {"undo", "redo"} else None,
        brought=int(brought) if brought else None,
        points=int(points) if points else None,
        cards=found["rest"],
    )


def _imported(place: str, found: "re.Match[str]", at: int) -> ImportedStep:
    deed, move, rest = found["deed"], found["move"], found["rest"]
    if deed is None:
        return ImportedStep(deed=_PLAIN_DEEDS.get(move, "move"), move=move, at=at)
    match deed:
        case "hint":
            if move is None:
                raise BadFileError(place, "a hint names a move")
            return ImportedStep(deed="hint", move=move, at=at, told=_hint(place, move, rest))
        case "chances":
            return ImportedStep(deed="chances", move=None, at=at, told=ChancesGiven(chances=_chances(place, rest)))
        case "pause":
            if rest not in {"", *get_args(PauseReason)}:
                raise BadFileError(place, f"{rest!r} is no reason of a pause: {', '.join(get_args(PauseReason))}")
            paused = GamePaused(reason=cast(PauseReason, rest or "player"), since=at)
            return ImportedStep(deed="pause", move=None, at=at, told=paused)
        case _:
            return ImportedStep(deed=cast(Deed, deed), move=None, at=at)


def _hint(place: str, move: str, rest: str) -> HintGiven:
    """A hint, with a reason that fits its move where the list has none."""
    try:
        parse_move(move)
    except ValueError as error:
        raise BadFileError(place, in_words(str(error).partition(" - at `")[0])) from None
    usual = move if move in _PLAIN_DEEDS else "build-foundation" if ">F" in move else "build-tableau"
    reason, *cards = rest.split() or [usual]
    if reason not in _REASONS:
        raise BadFileError(place, f"{reason!r} is no reason of a hint: {', '.join(sorted(_REASONS))}")
    return HintGiven(move=move, reason=cast(HintReason, reason), cards=_valid(tuple[Card, ...], place, cards))


def _chances(place: str, rest: str) -> Chances:
    """What was told; where the list has nothing, that nothing is known."""
    if rest == "lost":
        return Lost()
    if not rest:
        return Estimate(samples=1, winnable=0, undecided=1, low=0, high=1)
    winnable, samples, undecided, low, high, exact = _found(
        _ESTIMATE, place, rest, "120 of 200, 3 undecided, 0.5309 to 0.6801"
    ).groups()
    told = {
        "type": "estimate",
        "samples": int(samples),
        "winnable": int(winnable),
        "undecided": int(undecided or 0),
        "low": float(low or 0),
        "high": float(high or 1),
        "exact": exact is not None,
    }
    return _valid(Estimate, place, told)


def _valid(kind: type[Told], place: str, value: object) -> Told:
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        raise BadFileError(place, in_words(str(error).partition(" - at `")[0])) from None


def _time(place: str, text: str) -> int:
    try:
        at = datetime.fromisoformat(text)
        if at.tzinfo is None or not 0 <= at.timestamp() <= TIME_MS_MAX / 1000:
            raise ValueError(text)
    except (ValueError, OverflowError):
        raise BadFileError(place, f"{text!r} is no time such as 2026-01-31T12:00:00.000Z") from None
    return round(at.timestamp() * 1000)
