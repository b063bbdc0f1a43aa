"""Deals that are sure to be winnable: a secret is certified when the solver's moves win the deal that it gives."""

from collections.abc import Callable, Iterable

from shared.rules.cards import DECK
from shared.rules.deal import numbered_deck, secret_deck
from shared.rules.table import Table, lay_out
from shared.rules.variants import Variant
from shared.solver.flat import unsupported
from shared.solver.solve import Solvable, Verdict


def winnable_secret(
    secrets: Iterable[bytes], player_seed: str, variant: Variant, solve: Callable[[Table], Verdict]
) -> bytes | None:
    """The first of some secrets whose deal can be won; none when there is none before they end.

    A deal that `solve` cannot decide is passed over like one that is lost: what is not proved is not promised.
    """

    def wins(secret: bytes) -> bool:
        deck = secret_deck(secret, player_seed, decks=variant.decks)
        return isinstance(solve(lay_out(deck, variant)), Solvable)

    return next(filter(wins, secrets), None)


def winnable_number(numbers: Iterable[int], variant: Variant, solve: Callable[[Table], Verdict]) -> int | None:
    """The first of some deal numbers whose deal can be won, as with secrets."""

    def wins(number: int) -> bool:
        return isinstance(solve(lay_out(numbered_deck(number, decks=variant.decks), variant)), Solvable)

    return next(filter(wins, numbers), None)


def certifiable(variant: Variant) -> bool:
    """Whether the solver can work on deals of a variant."""
    return unsupported(lay_out(DECK * variant.decks, variant), variant) is None
