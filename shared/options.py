"""Command line options generated from a settings struct."""

from collections.abc import Callable
from typing import TypeVar

import click
import msgspec

from shared.settings import Setting, describe

Decorated = TypeVar("Decorated", bound=Callable[..., object])


def options(settings: type[msgspec.Struct]) -> list[click.Parameter]:
    """One option a field. Values stay text: `shared.settings.load` judges flags and environment alike."""
    return [_option(one) for one in describe(settings)]


def _option(one: Setting) -> click.Option:
    if one.switch:
        return click.Option([one.flag, one.field], help=_help(one), is_flag=True, flag_value="true", type=str)
    return click.Option([one.flag, one.field], help=_help(one), metavar=_metavar(one))


def _help(one: Setting) -> str:
    default = "" if one.secret or not one.default else f"; default {one.default}"
    return f"{one.description} [{one.variable}{default}]"


def _metavar(one: Setting) -> str:
    return "|".join(one.choices) or (one.unit.upper() if one.unit else "VALUE")
