"""Times of verdicts as a picture: SVG, written here, because five paths and some text need no library."""

import math
from collections.abc import Iterator
from typing import Final, NamedTuple
from xml.sax.saxutils import escape

WIDTH, HEIGHT = 840, 440
LEFT, RIGHT, ABOVE, BELOW = 70, 40, 68, 52
NAME_WIDTH: Final = 188
COLOURS: Final = ("#1b6ca8", "#d1495b", "#3a7d44", "#8f5fbf", "#c98a1b")
"""The names of the curves are written in them, above, in the order of the curves."""
_LETTERS: Final = 'role="img" font-family="system-ui, sans-serif" font-size="13"'
_STEPS_MAX: Final = 400
"""Points of a line: more cannot be seen."""


class Curve(NamedTuple):
    """One solver's times."""

    name: str
    millis: list[float]
    """Of the deals that were decided: ascending, above 0."""
    deals: int
    """All that it was given."""


class Points(NamedTuple):
    """What one player reached with one effort after the other."""

    name: str
    reached: list[tuple[float, float, float, float]]
    """Milliseconds, above 0; the share, and the lower and upper end of its interval."""


def plot(title: str, curves: list[Curve]) -> str:
    """The share of deals that is decided in a time, both axes with their units: a document of SVG."""
    times = [millis for curve in curves for millis in curve.millis] or [1.0]
    low, high = _decades(times)
    lines = _frame(title, low, high)
    for number, curve in enumerate(curve for curve in curves if curve.millis):
        colour = COLOURS[number % len(COLOURS)]
        x = LEFT + NAME_WIDTH * number
        lines.append(f'<path d="{_path(curve, low, high)}" fill="none" stroke="{colour}" stroke-width="2"/>')
        lines.append(f'<text x="{x}" y="{ABOVE - 16}" fill="{colour}">{escape(curve.name)}</text>')
    return "\n".join([*lines, "</svg>", ""])


def plot_points(title: str, series: list[Points]) -> str:
    """Shares against the time that they take, each with its interval: a document of SVG."""
    low, high = _decades([point[0] for points in series for point in points.reached])
    lines = _frame(title, low, high)
    for number, points in enumerate(series):
        colour = COLOURS[number % len(COLOURS)]
        at = [(_x(millis, low, high), *map(_y, shares)) for millis, *shares in points.reached]
        path = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y, _, _ in at)
        lines.append(f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        for x, y, least, most in at:
            lines.append(f'<path d="M{x:.1f} {least:.1f}V{most:.1f}" stroke="{colour}"/>')
            lines.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>')
        lines.append(
            f'<text x="{LEFT + NAME_WIDTH * number}" y="{ABOVE - 16}" fill="{colour}">{escape(points.name)}</text>'
        )
    return "\n".join([*lines, "</svg>", ""])


def _decades(times: list[float]) -> tuple[int, int]:
    """The powers of ten between which all times lie."""
    low = math.floor(math.log10(min(times)))
    return low, max(low + 1, math.ceil(math.log10(max(times))))


def _frame(title: str, low: int, high: int) -> list[str]:
    """A picture without curves."""
    return [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" {_LETTERS}>',
        f"<title>{escape(title)}</title>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
        f'<text x="{LEFT}" y="24" font-size="15" fill="#222222">{escape(title)}</text>',
        *_grid(low, high),
    ]


def _grid(low: int, high: int) -> Iterator[str]:
    for power in range(low, high + 1):
        x = _x(10.0**power, low, high)
        yield f'<path d="M{x:.1f} {ABOVE}V{HEIGHT - BELOW}" stroke="#dddddd"/>'
        label = f"{10**power:,}" if power >= 0 else f"{10.0**power:.{-power}f}"
        yield f'<text x="{x:.1f}" y="{HEIGHT - BELOW + 18}" text-anchor="middle" fill="#444444">{label}</text>'
    for share in range(0, 101, 25):
        y = _y(share / 100)
        yield f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" stroke="#dddddd"/>'
        yield f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end" fill="#444444">{share} %</text>'
    middle = (LEFT + WIDTH - RIGHT) / 2
    yield (
        f'<text x="{middle}" y="{HEIGHT - 12}" text-anchor="middle" fill="#222222">'
        "milliseconds of processor time, on a scale of powers of ten</text>"
    )


def _path(curve: Curve, low: int, high: int) -> str:
    number = len(curve.millis)
    step = max(1, number // _STEPS_MAX)
    shown = sorted({*range(0, number, step), number - 1})
    points = (f"{_x(curve.millis[at], low, high):.1f} {_y((at + 1) / curve.deals):.1f}" for at in shown)
    return "M" + "L".join(points)


def _x(millis: float, low: int, high: int) -> float:
    return LEFT + (WIDTH - LEFT - RIGHT) * (math.log10(millis) - low) / (high - low)


def _y(share: float) -> float:
    return HEIGHT - BELOW - (HEIGHT - ABOVE - BELOW) * share
