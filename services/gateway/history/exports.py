"""A history as a file: JSON by its schema, CSV with a row a version, or a list of moves to read."""

import csv
import io
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Final, Literal, assert_never

import msgspec
from msgspec import UNSET

from shared.messages.chances import Estimate, Lost
from shared.messages.commands import NumberedDeal, SecretDeal, WinnableDeal
from shared.messages.events import CardsDrawn, CardsMoved, ChancesGiven, GamePaused, HintGiven
from shared.messages.history import GameHistory, HistoryStep

Form = Literal["json", "csv", "text"]
MEDIA_TYPES: Final[dict[Form, str]] = {
    "json": "application/json",
    "csv": "text/csv; charset=utf-8",
    "text": "text/plain; charset=utf-8",
}
LEGEND: Final = (
    "Moves are numbered that stand at the end. T1 to T7 are the columns, F1 to F4 the foundations of clubs,",
    "diamonds, hearts and spades, W the waste; *4: the four topmost cards.",
)
LEGEND_FOR_TWO: Final = (
    "The host invited, the guest joined; number, points and sum are of the side that moved. F5 to F8, where two share",
    "foundations, are a second one of each suit.",
)
TABLE_HEAD: Final = "  No     Time  Move             Points    Sum  Cards"
TABLE_HEAD_FOR_TWO: Final = "  No     Time  Who    Move             Points    Sum  Cards"
WHO: Final = ("host", "guest")
"""By seat."""
_ENDINGS: Final[dict[Form, str]] = {"json": "json", "csv": "csv", "text": "txt"}
CSV_COLUMNS: Final = (
    "version", "at", "play_ms", "deed", "move", "cards", "turned_up", "brought", "points", "moves", "stands",
    "assisted",
)  # fmt: skip
CSV_COLUMNS_FOR_TWO: Final = (*CSV_COLUMNS, "who", "cards_up", "other_points", "other_moves", "other_cards_up")
"""Points and moves are of the side whose row it is."""


def file_name(history: GameHistory, form: Form) -> str:
    """The name that a download is kept under."""
    return f"klondike-{history.game}.{_ENDINGS[form]}"


def written(history: GameHistory, form: Form) -> bytes:
    """The file's bytes."""
    match form:
        case "json":
            return msgspec.json.encode(history)
        case "csv":
            return _csv(history).encode()
        case "text":
            return "".join(f"{line}\n" for line in _text(history)).encode()
    assert_never(form)


def _csv(history: GameHistory) -> str:
    file = io.StringIO()
    rows = csv.writer(file)  # lines end in CR LF, as RFC 4180 has it
    rows.writerow(CSV_COLUMNS if history.steps[0].seat is UNSET else CSV_COLUMNS_FOR_TWO)
    for step in history.steps:
        cards, turned_up = cards_of(step)
        flags = ("yes" if flag else "no" for flag in (step.stands, step.assisted))
        done = (_time(step.at), step.play_ms, step.deed, step.move or "", cards, turned_up)
        rows.writerow((step.version, *done, step.brought, step.points, step.moves, *flags, *_sides(step)))
    return file.getvalue()


def _sides(step: HistoryStep) -> tuple[str | int | None, ...]:
    """The cells that only games for two have."""
    if step.seat is UNSET:
        return ()
    other = (step.other.points, step.other.moves, step.other.cards_up) if step.other else (None, None, None)
    return (WHO[step.seat], step.cards_up or 0, *other)


def _text(history: GameHistory) -> Iterator[str]:
    yield f"Klondike game {history.game}"
    yield f"Kind     {history.variant} {history.variant_version}, {history.scoring}, {history.mode}"
    yield f"Deal     {_origin(history)}, {history.shuffle}"
    if history.commitment:
        yield f"         commitment {history.commitment}"
        yield f"         secret     {history.secret}"
    yield f"Played   {_time(history.started_at)} to {_time(history.ended_at)}"
    sums = f"{history.points} points, {history.moves} moves, {_clock(history.play_ms)}"
    yield f"Result   {history.result}: {sums}{', with help' if history.assisted else ''}"
    for who, end in zip(WHO, history.seats or (), strict=False):
        sums = f"{end.points} points, {end.moves} moves, {end.cards_up} cards up"
        yield f"{who.capitalize():<8} {end.result}: {sums}"
    alone = history.steps[0].seat is UNSET
    yield ""
    yield from LEGEND if alone else (*LEGEND, *LEGEND_FOR_TWO)
    yield ""
    yield TABLE_HEAD if alone else TABLE_HEAD_FOR_TWO
    for step in history.steps:
        yield _line(step).rstrip()


def _line(step: HistoryStep) -> str:
    number = f"{step.moves}." if step.stands else ""
    plain = step.deed in {"move", "draw", "recycle"} and step.move
    said = plain or f"{step.deed} {step.move or ''}"
    cards, turned_up = cards_of(step)
    cards = cards or _told(step)
    brought = f"{step.brought:+d}" if step.brought else ""
    more = f"{cards}, turns up {turned_up}" if turned_up else cards
    who = "" if step.seat is UNSET else f"{WHO[step.seat]:<6} "
    return f"{number:>5} {_clock(step.play_ms):>8}  {who}{said:<16} {brought:>6} {step.points:>6}  {more}"


def _told(step: HistoryStep) -> str:
    """What a step said that nobody could work out again."""
    match step.events[0]:
        case HintGiven(reason=reason, cards=cards):
            return " ".join((reason, *cards))
        case ChancesGiven(chances=Lost()):
            return "lost"
        case ChancesGiven(chances=Estimate() as told):
            share = f"{told.low:.4f} to {told.high:.4f}{', all' if told.exact else ''}"
            return f"{told.winnable} of {told.samples}, {told.undecided} undecided, {share}"
        case GamePaused(reason=why):
            return why
        case _:
            return ""


def cards_of(step: HistoryStep) -> tuple[str, str]:
    """The cards that moved, and the one that was turned up."""
    match step.events[0]:
        case CardsMoved(cards=cards, turned_up=turned_up):
            return " ".join(cards), turned_up or ""
        case CardsDrawn(cards=cards):
            return " ".join(cards), ""
        case _:
            return "", ""


def _origin(history: GameHistory) -> str:
    match history.deal:
        case NumberedDeal(number=number):
            return f"number {number}"
        case SecretDeal(player_seed=seed):
            return "secret" + _seed(seed)
        case WinnableDeal(player_seed=seed):
            return "secret, proved winnable" + _seed(seed)
    assert_never(history.deal)


def _seed(seed: str) -> str:
    """Quoted as JSON quotes, so that no seed can look like anything else."""
    return f", the player's seed {msgspec.json.encode(seed).decode()}" if seed else ""


def _time(at: int) -> str:
    """UTC to the millisecond, as ISO 8601 has it."""
    return datetime.fromtimestamp(at / 1000, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _clock(milliseconds: int) -> str:
    minutes, seconds = divmod(milliseconds // 1000, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"
