"""Games in files: a list of moves or JSON, read into what a player did, and held against what the rules make of it.

    file = read_file(data)                     what was done, and what the file says came of it
    PlayedAgain or Misplayed                   what the rules say of `file.game` (shared.game.imported)
    history = checked(file, again)             the same as a history, once every word of the file holds

Each fault names the line of a list, or the field of JSON.
"""

import re
from typing import Final

import msgspec

from services.gateway.history import lists
from services.gateway.history.faults import BadFileError, refuse_for_two
from services.gateway.history.lists import TIME_MS_MAX, Claims
from services.gateway.history.replay import NOBODY, UnfitHistoryError, history_of
from services.gateway.history.words import in_words
from shared.messages.codec import encode
from shared.messages.events import ChancesGiven, GamePaused, GameStarted, HintGiven
from shared.messages.history import GameHistory, HistoryStep
from shared.messages.imports import MOVE_MAX, STEPS_MAX, ImportedGame, ImportedStep, Misplayed, PlayedAgain

FILE_BYTES_MAX: Final = 16 * 1024 * 1024
"""JSON of the longest game, with the board at every version."""
HISTORY_SCHEMA: Final = 1
NEWLINE: Final = b"\n"

replace = msgspec.structs.replace


class _Schema(msgspec.Struct):
    """What is read of JSON before its schema is known."""

    schema: int = HISTORY_SCHEMA


_histories: Final = msgspec.json.Decoder(GameHistory)
_schemas: Final = msgspec.json.Decoder(_Schema)
_steps: Final = msgspec.msgpack.Decoder(ImportedStep)


class GameFile(msgspec.Struct, frozen=True):
    """A file that could be read."""

    game: ImportedGame
    places: tuple[str, ...]
    """Where each of the game's steps is."""
    says: "Claims | GameHistory"
    """What came of them, as far as the file says."""


def read_file(data: bytes) -> GameFile:
    """What a file holds.

    Raises:
        BadFileError: it is neither a list of moves nor JSON of a history.
    """
    if len(data) > FILE_BYTES_MAX:
        raise BadFileError("file", f"it has more than {FILE_BYTES_MAX // 1024 // 1024} MiB")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise BadFileError(f"line {line}", "it is no text in UTF-8") from None
    if not text.strip():
        raise BadFileError("file", "it is empty")
    if text.lstrip().startswith("{"):
        return _from_json(text)
    return _from_list(text)


def checked(file: GameFile, again: PlayedAgain | Misplayed) -> GameHistory:
    """The history of a game from a file.

    Raises:
        BadFileError: a step is against the rules, or something in the file is not as they make it.
    """
    if isinstance(again, Misplayed):
        raise BadFileError("deal" if again.step is None else file.places[again.step], again.what)
    try:
        history = history_of(again.game, again.steps)
    except UnfitHistoryError as error:
        raise BadFileError("file", str(error)) from None
    if isinstance(file.says, GameHistory):
        _compare(file.says, history, "$")
    else:
        lists.compare(file.says, history)
    return history


def _from_list(text: str) -> GameFile:
    game, claims = lists.read_list(text)
    return _fit(GameFile(game, tuple(claim.place for claim in claims.steps), claims))


def _from_json(text: str) -> GameFile:
    told = _decoded(text)
    refuse_for_two(told.variant, "$.variant")
    if len(told.steps) - 1 > STEPS_MAX:
        raise BadFileError("$.steps", f"there are more than {STEPS_MAX}")
    first = told.steps[0].events[0] if told.steps and told.steps[0].events else None
    if not isinstance(first, GameStarted):
        raise BadFileError("$.steps[0]", "a game begins with its deal")
    for index, step in enumerate(told.steps):
        if not step.events:
            raise BadFileError(f"$.steps[{index}].events", "it is empty")
    _check_times(told)
    dealt = replace(told.steps[0], events=(replace(first, player=NOBODY), *told.steps[0].events[1:]))
    told = replace(told, steps=(dealt, *told.steps[1:]))
    game = ImportedGame(
        variant=told.variant,
        scoring=told.scoring,
        mode=told.mode,
        deal=told.deal,
        secret=told.secret,
        commitment=told.commitment,
        started_at=told.started_at,
        steps=tuple(map(_step, told.steps[1:])),
    )
    return _fit(GameFile(game, tuple(f"$.steps[{index}]" for index in range(1, len(told.steps))), told))


def _fit(file: GameFile) -> GameFile:
    """The same, once each step is such as a message to the one who knows the rules can hold.

    Raises:
        BadFileError: one is not.
    """
    for place, step in zip(file.places, file.game.steps, strict=True):
        if step.move is not None and len(step.move) > MOVE_MAX:
            raise BadFileError(place, "it is no move: draw, recycle, or piles and a count such as W>F2 or T3>T5*4")
        try:
            _steps.decode(encode(step))
        except OverflowError:
            raise BadFileError(place, "a number in it has more than 64 bits") from None
        except msgspec.ValidationError as error:
            raise BadFileError(place, in_words(str(error).partition(" - at `")[0])) from None
    return file


def _check_times(told: GameHistory) -> None:
    """No time is so late that no calendar has it.

    Raises:
        BadFileError: one is.
    """
    times = [("$.started_at", told.started_at)]
    times += [(f"$.steps[{index}].at", step.at) for index, step in enumerate(told.steps)]
    for place, at in times:
        if at > TIME_MS_MAX:
            raise BadFileError(place, "it is a time after the year 9999; times are milliseconds since 1970")


def _decoded(text: str) -> GameHistory:
    try:
        schema = _schemas.decode(text).schema
        if schema > HISTORY_SCHEMA:
            raise BadFileError("$.schema", f"it is {schema}, newer than {HISTORY_SCHEMA}: read it with a newer release")
        return _histories.decode(text)
    except (msgspec.DecodeError, RecursionError) as error:
        raise _fault_of_json(text, str(error)) from None


def _fault_of_json(text: str, message: str) -> BadFileError:
    """The field that an error is about, or the line where the text stops being JSON."""
    what, at, path = message.partition(" - at `")
    byte = re.search(r"\(byte (\d+)\)", message)
    if at or byte is None:
        return BadFileError(path.removesuffix("`") or "$", in_words(what))
    return BadFileError(f"line {text.encode()[: int(byte[1])].count(NEWLINE) + 1}", in_words(what))


def _step(step: HistoryStep) -> ImportedStep:
    first = step.events[0]
    told = first if isinstance(first, HintGiven | ChancesGiven | GamePaused) else None
    return ImportedStep(deed=step.deed, move=step.move, at=step.at, told=told)


def _compare(says: object, holds: object, place: str) -> None:
    """Find the first field, however deep, that is not as the rules have it.

    Raises:
        BadFileError: there is one.
    """
    if isinstance(says, msgspec.Struct) and type(says) is type(holds):
        for name in sorted(says.__struct_fields__, key=("steps").__ne__):  # the step before the sums that it spoils
            if (place, name) != ("$", "game"):  # it is of the server that it was played on
                _compare(getattr(says, name), getattr(holds, name), f"{place}.{name}")
    elif isinstance(says, tuple) and isinstance(holds, tuple):
        for index, (one, other) in enumerate(zip(says, holds, strict=False)):
            _compare(one, other, f"{place}[{index}]")
        if len(says) != len(holds):
            raise BadFileError(place, f"there are {len(says)}, where the rules have {len(holds)}")
    elif says != holds:
        raise BadFileError(place, f"it is {_shown(says)}, where the rules have {_shown(holds)}")


def _shown(value: object) -> str:
    text = msgspec.json.encode(value).decode()
    return text if len(text) <= 60 else f"{text[:60]}…"
