"""Command line options, and the operator's table, generated from the settings structs.

`python -m shared.options` prints the table of `docs/operations.md`.
"""

import sys

import click
import msgspec

from shared.settings import SERVICES, Setting, describe


def options(settings: type[msgspec.Struct]) -> list[click.Parameter]:
    """One option a field. Values stay text: `shared.settings.load` judges flags and environment alike."""
    return [_option(one) for one in describe(settings)]


def _option(one: Setting) -> click.Option:
    if one.switch:
        return click.Option([one.flag, one.field], help=_help(one), is_flag=True, flag_value="true", type=str)
    return click.Option([one.flag, one.field], help=_help(one), metavar=_metavar(one))


def _help(one: Setting) -> str:
    default = "" if not one.default else f"; default {one.default}"
    return f"{one.description} [{one.variable}{default}]"


def _metavar(one: Setting) -> str:
    return "|".join(one.choices) or (one.unit.upper() if one.unit else "VALUE")


def markdown_table() -> str:
    """Every variable of every service, a row each, in the order of the structs."""
    rows: dict[str, tuple[Setting, list[str]]] = {}
    for role, settings in SERVICES.items():
        for one in describe(settings):
            rows.setdefault(one.variable, (one, []))[1].append(role)
    head = "| variable | services | default | unit | meaning |\n|---|---|---|---|---|\n"
    return head + "".join(_row(one, roles) for one, roles in rows.values())


def _row(one: Setting, roles: list[str]) -> str:
    services = "all" if len(roles) == len(SERVICES) else ", ".join(roles)
    default = "" if not one.default else f"`{one.default}`"
    meaning = one.description + (f" ({', '.join(one.choices)})" if one.choices else "")
    return f"| `{one.variable}` | {services} | {default} | {one.unit} | {meaning} |\n"


if __name__ == "__main__":
    sys.stdout.write(markdown_table())
