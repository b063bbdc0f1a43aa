"""How far apart two colours are: in contrast, and to the eye, colour-blind ones included. Colours are `#rrggbb`."""

import math
from typing import Final

Linear = tuple[float, float, float]

BLINDNESS: Final[dict[str, tuple[Linear, Linear, Linear]]] = {
    "none": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900),
    ),
}  # fmt: skip
"""What becomes of linear red, green and blue at full severity (Machado, Oliveira and Fernandes, 2009)."""


def linear(colour: str) -> Linear:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return red, green, blue


def luminance(light: Linear) -> float:
    red, green, blue = light
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """By WCAG 2.2: from 1 to 21."""
    darker, lighter = sorted((luminance(linear(one)), luminance(linear(other))))
    return (lighter + 0.05) / (darker + 0.05)


def seen_with(kind: str, colour: str) -> Linear:
    """What an eye with a kind of colour blindness makes of a colour."""
    light = linear(colour)
    red, green, blue = (
        min(1.0, max(0.0, sum(share * part for share, part in zip(row, light, strict=True)))) for row in BLINDNESS[kind]
    )
    return red, green, blue


def distance(one: Linear, other: Linear) -> float:
    """In CIELAB (CIE 1976): 2 is just seen side by side, 20 is another colour."""
    return math.dist(_lab(one), _lab(other))


def _lab(light: Linear) -> Linear:
    red, green, blue = light
    x = (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505
    z = (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089
    bent_x, bent_y, bent_z = (_bent(part) for part in (x, luminance(light), z))
    return 116 * bent_y - 16, 500 * (bent_x - bent_y), 200 * (bent_y - bent_z)


def _bent(part: float) -> float:
    return part ** (1 / 3) if part > 0.008856 else 7.787 * part + 16 / 116
