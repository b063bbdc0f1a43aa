"""Which rule an illegal move breaks. Part of the interface: clients translate these."""

from typing import Literal

Breach = Literal[
    "no-such-pile",
    "same-pile",
    "source-empty",
    "one-card-only",  # from waste and foundations, and onto foundations
    "face-down",  # fewer face-up cards than asked for
    "not-a-run",
    "only-king-to-empty",
    "tableau-builds-down",  # descending, alternating colours
    "foundation-builds-up",  # next of the suit
    "foundation-stays",  # nothing comes back in this variant, or goes to another foundation
    "stock-empty",
    "stock-not-empty",  # recycle only when it is
    "waste-empty",
    "no-pass-left",
]
"""Which rule of the game an illegal move breaks."""
