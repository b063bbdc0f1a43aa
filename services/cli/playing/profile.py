"""Who the player is on each server, and how cards look: one file that only its owner may read."""

from collections.abc import Callable
from pathlib import Path
from typing import Literal

import msgspec

from services.cli.data_directory import RefusedError
from shared.messages.base import GameId
from shared.private_file import write_private

FILE_NAME = "play.json"

Colours = Literal["two", "four"]
Signs = Literal["unicode", "ascii"]


class Seat(msgspec.Struct, frozen=True, kw_only=True):
    """A player on one server."""

    token: str
    """It is the player: never sent to another server than its own."""
    game: GameId | None = None
    """What was on the table last."""


class Look(msgspec.Struct, frozen=True, kw_only=True):
    """How cards are drawn."""

    colours: Colours = "two"
    """`four`: diamonds blue and clubs green."""
    signs: Signs = "unicode"
    """`ascii`: suits are letters, and edges are drawn with keys that every terminal has."""


class Choice(msgspec.Struct, frozen=True, kw_only=True):
    """What kind of game was begun last."""

    variant: str = "draw1"
    scoring: str = "standard"
    mode: str = "relaxed"
    winnable: bool = False


class Profile(msgspec.Struct, frozen=True, kw_only=True):
    """All that is kept."""

    seats: dict[str, Seat] = {}
    """By the address of the server's page."""
    look: Look = Look()
    choice: Choice = Choice()


class Keeper:
    """Reads and writes the profile."""

    def __init__(self, directory: Path) -> None:
        self.path = directory / FILE_NAME
        self.profile = self._read()

    def seat(self, page: str) -> Seat | None:
        return self.profile.seats.get(page)

    def keep(self, change: Callable[[Profile], Profile]) -> None:
        """Changes what is kept: written whole or not at all, readable by its owner alone.

        It is read again before, since another terminal may have become a player elsewhere meanwhile.

        Raises:
            RefusedError: it cannot be read or written.

        """
        before = self._read()
        self.profile = change(before)
        if self.profile == before and self.path.exists():
            return
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            write_private(self.path, msgspec.json.format(msgspec.json.encode(self.profile), indent=1))
        except OSError as error:
            raise RefusedError(f"cannot write {self.path}: {error.strerror}. Give another --data.") from None

    def keep_seat(self, page: str, seat: Seat) -> None:
        self.keep(lambda profile: msgspec.structs.replace(profile, seats={**profile.seats, page: seat}))

    def keep_look(self, look: Look) -> None:
        self.keep(lambda profile: msgspec.structs.replace(profile, look=look))

    def keep_choice(self, choice: Choice) -> None:
        self.keep(lambda profile: msgspec.structs.replace(profile, choice=choice))

    def _read(self) -> Profile:
        try:
            return msgspec.json.decode(self.path.read_bytes(), type=Profile)
        except FileNotFoundError:
            return Profile()
        except OSError as error:
            raise RefusedError(f"cannot read {self.path}: {error.strerror}. Give another --data.") from None
        except msgspec.DecodeError as error:
            fix = "Put it right or move it away; it holds the tokens that make you the same player again."
            raise RefusedError(f"{self.path} is not as `klondike play` writes it: {error}. {fix}") from None
