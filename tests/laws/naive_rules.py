"""The rules once more, written from RULES.md alone and as simply as can be: every pair of piles, every count.

Shares nothing with `shared.rules` but the rows of variants and the letters of cards, piles and moves. A pile is a list
of `Laid`, topmost last.
"""

import itertools
from dataclasses import dataclass

from shared.rules.variants import Variant

ORDER = "A23456789TJQK"


@dataclass
class Laid:
    """A card as it lies."""

    card: str
    face_up: bool


@dataclass
class NaiveRules:
    """What differs between variants."""

    columns: tuple[int, ...] = (1, 2, 3, 4, 5, 6, 7)
    decks: int = 1
    draw: int = 1
    passes: int | None = None
    give_back: bool = True
    all_faces: bool = False
    draw_onto_columns: bool = False


def naive_rules(variant: Variant) -> NaiveRules:
    """The rules of a row."""
    return NaiveRules(
        columns=variant.columns,
        decks=variant.decks,
        draw=variant.draw,
        passes=variant.passes,
        give_back=variant.foundation_give_back,
        all_faces=variant.faces == "all",
        draw_onto_columns=variant.draws_to == "columns",
    )


class NaiveTable:
    """A table that is changed by every move."""

    def __init__(self, deck: list[str], rules: NaiveRules) -> None:
        self.rules = rules
        cards = list(deck)
        self.piles: dict[str, list[Laid]] = {f"T{place}": [] for place in range(1, len(rules.columns) + 1)}
        while any(len(self.piles[f"T{place}"]) < size for place, size in enumerate(rules.columns, 1)):
            for place, size in enumerate(rules.columns, 1):
                if len(self.piles[f"T{place}"]) < size:
                    self.piles[f"T{place}"].append(Laid(cards.pop(0), face_up=rules.all_faces))
        for pile in self.piles.values():
            pile[-1].face_up = True
        for place in range(1, 4 * rules.decks + 1):
            self.piles[f"F{place}"] = []
        self.piles["W"] = []
        self.stock = cards
        """The next card to be drawn is the first."""
        self.passes_begun = 1

    def legal(self) -> set[str]:
        """The texts of all legal moves."""
        found = {
            text(source, target, count)
            for source in self.piles
            for target in self.piles
            for count in range(1, 14)
            if self.may_move(source, target, count)
        }
        if self.stock:
            found.add("draw")
        if not self.stock and self.piles["W"] and self.rules.passes in (None, *range(self.passes_begun + 1, 99)):
            found.add("recycle")
        return found

    def may_move(self, source: str, target: str, count: int) -> bool:
        """Whether so many cards may go from a pile to another."""
        if target in (source, "W") or count > len(self.piles[source]):
            return False
        if source[0] in "WF" and count > 1:
            return False
        if source[0] == "F" and (target[0] == "F" or not self.rules.give_back):
            return False
        moved = self.piles[source][-count:]
        for below, above in itertools.pairwise(moved):
            if not may_lie_on(above.card, below.card):
                return False
        if not all(laid.face_up for laid in moved):
            return False
        return self._takes(target, moved)

    def _takes(self, target: str, moved: list[Laid]) -> bool:
        pile = self.piles[target]
        card = moved[0].card
        if target[0] == "T":
            return may_lie_on(card, pile[-1].card) if pile else card[0] == "K"
        suit = "CDHS"[(int(target[1:]) - 1) % 4]
        return len(moved) == 1 and card[1] == suit and len(pile) < 13 and card[0] == ORDER[len(pile)]

    def do(self, move: str) -> None:
        """Makes a legal move."""
        waste = self.piles["W"]
        if move == "draw":
            onto = [pile for name, pile in self.piles.items() if name[0] == "T"]
            for place in range(self.rules.draw):
                if self.stock:
                    pile = onto[place] if self.rules.draw_onto_columns else waste
                    pile.append(Laid(self.stock.pop(0), face_up=True))
            return
        if move == "recycle":
            self.stock = [laid.card for laid in waste]
            waste.clear()
            self.passes_begun += 1
            return
        piles, _, number = move.partition("*")
        source, target = piles.split(">")
        count = int(number or 1)
        moved = self.piles[source][-count:]
        del self.piles[source][-count:]
        self.piles[target].extend(moved)
        if self.piles[source]:
            self.piles[source][-1].face_up = True


def may_lie_on(card: str, on: str) -> bool:
    """One rank less, and of the other colour."""
    return ORDER.index(card[0]) + 1 == ORDER.index(on[0]) and (card[1] in "DH") != (on[1] in "DH")


def text(source: str, target: str, count: int) -> str:
    """How a move is written."""
    return f"{source}>{target}" if count == 1 else f"{source}>{target}*{count}"


def every_conceivable_move() -> list[str]:
    """All pairs of piles that any variant could have, all counts, draw and recycle."""
    piles = [f"T{place}" for place in range(1, 11)] + [f"F{place}" for place in range(1, 9)] + ["W"]
    return [text(*move) for move in ((s, t, count) for s in piles for t in piles for count in range(1, 14))] + [
        "draw",
        "recycle",
    ]
