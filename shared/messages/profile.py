"""What the server keeps for a player beside games: settings, and the code by which another device becomes theirs."""

from collections.abc import Mapping
from typing import Annotated, Final

import msgspec

from shared.messages.answers import Answer, RequestRefused
from shared.messages.base import CODE, MILLISECONDS, PLAYER_ID, VERSION, Input, Stored

SETTINGS_MAX: Final = 64
SETTING_NAME = Annotated[str, msgspec.Meta(pattern="^[a-z][a-z0-9.-]{0,31}$")]
SETTING_VALUE = Annotated[str, msgspec.Meta(max_length=64)]
SETTING_VALUES = Annotated[Mapping[SETTING_NAME, SETTING_VALUE], msgspec.Meta(max_length=SETTINGS_MAX)]
"""What a client wants to have kept. The server does not know what it means."""


class FetchSettings(Input, frozen=True, kw_only=True, tag="fetch-settings"):
    """Ask for a player's settings."""

    player: PLAYER_ID


class KeepSettings(Input, frozen=True, kw_only=True, tag="keep-settings"):
    """Have a player's settings kept, all of them, in place of those of `version`. It may be repeated."""

    player: PLAYER_ID
    version: VERSION
    values: SETTING_VALUES


class MakeDeviceCode(Input, frozen=True, kw_only=True, tag="make-device-code"):
    """Make a code that lets another device become the player's. One made before is good for nothing then."""

    player: PLAYER_ID


class UseDeviceCode(Input, frozen=True, kw_only=True, tag="use-device-code"):
    """Ask whose device one becomes by a code. After the answer it is good for nothing."""

    code: CODE


ProfileRequest = FetchSettings | KeepSettings | MakeDeviceCode | UseDeviceCode


class PlayerSettings(Answer, frozen=True, kw_only=True, tag="settings"):
    """A player's settings as they are kept."""

    version: VERSION
    """How often they were changed; 0: none are kept."""
    values: SETTING_VALUES


class DeviceCode(Answer, frozen=True, kw_only=True, tag="device-code"):
    """A code, good once."""

    code: CODE
    expires_at: MILLISECONDS


class DeviceAdmitted(Answer, frozen=True, kw_only=True, tag="device-admitted"):
    """The code was good. For the gateway alone, which signs the player's token."""

    player: PLAYER_ID


ProfileAnswer = PlayerSettings | DeviceCode | DeviceAdmitted | RequestRefused


class KeptSettings(Stored, frozen=True, kw_only=True, tag="kept-settings"):
    """What is kept of a player's settings: the newest message of the player in the stream of settings, and only it."""

    schema: int = 1
    player: PLAYER_ID
    version: VERSION
    values: SETTING_VALUES
    """By name, in order. Empty once the player is forgotten."""
    at: MILLISECONDS
