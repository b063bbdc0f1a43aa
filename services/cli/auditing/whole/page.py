"""The summary as one HTML page that needs nothing else: it can be kept, sent and read without a network."""

from collections.abc import Iterator
from html import escape
from typing import Final

from services.cli.auditing.whole.summary import Fault, Summary
from services.cli.auditing.whole.text import figures, verdict
from services.cli.auditing.words import time_text

STYLE: Final = """
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
.verdict { padding: .8rem 1rem; border-left: .4rem solid; font-weight: 600; }
.clean { border-color: #1a7f37; } .not-clean { border-color: #c62828; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .3rem 1.5rem; }
dt { font-weight: 600; } dd { margin: 0; }
table { border-collapse: collapse; width: 100%; } caption { text-align: left; font-weight: 600; padding: .5rem 0; }
th, td { text-align: left; padding: .35rem .6rem; border-bottom: 1px solid #8886; vertical-align: top; }
td.number { text-align: right; font-variant-numeric: tabular-nums; } code { overflow-wrap: anywhere; }
"""


def page(summary: Summary, made_at: int) -> str:
    """The page. `made_at`: milliseconds since 1970."""
    return "\n".join(_lines(summary, made_at)) + "\n"


def _lines(summary: Summary, made_at: int) -> Iterator[str]:
    mark = "clean" if summary.clean else "not-clean"
    yield '<!doctype html>\n<html lang="en">\n<meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<title>Klondike audit: {'clean' if summary.clean else 'not clean'}</title>\n<style>{STYLE}</style>"
    yield f"<h1>Audit of all games</h1>\n<p>Made at {escape(time_text(made_at))} UTC.</p>"
    yield f'<p class="verdict {mark}">{escape(verdict(summary))}</p>'
    yield "<h2>Summary</h2>\n<dl>"
    yield from (f"<dt>{escape(name)}</dt><dd>{escape(value)}</dd>" for name, value in figures(summary))
    yield "</dl>"
    yield from (f"<p>Note: {escape(note)}.</p>" for note in summary.notes)
    if summary.faults:
        yield from _table(summary.faults)


def _table(faults: tuple[Fault, ...]) -> Iterator[str]:
    yield f"<h2>Faults</h2>\n<table>\n<caption>{len(faults)} findings</caption>"
    head = "".join(f'<th scope="col">{name}</th>' for name in ("Game", "Where", "Version", "Sequence", "What"))
    yield f"<thead><tr>{head}</tr></thead>\n<tbody>"
    yield from map(_row, faults)
    yield "</tbody>\n</table>"


def _row(fault: Fault) -> str:
    found = fault.finding
    numbers = "".join(
        f'<td class="number">{"" if value is None else value}</td>' for value in (found.version, found.sequence)
    )
    game = f"<code>{escape(fault.game)}</code>" if fault.game else "all"
    return f"<tr><td>{game}</td><td>{found.place}</td>{numbers}<td>{escape(found.what)}</td></tr>"
