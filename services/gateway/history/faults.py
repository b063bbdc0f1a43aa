"""What is wrong with a game in a file."""

from shared.rules.variants import VARIANTS


class BadFileError(Exception):
    """A file that is no game, or not as the rules have it."""

    def __init__(self, place: str, what: str) -> None:
        """`place`: a line, such as `line 12`, or a field of JSON, such as `$.steps[3].points`. `what` ends without a
        full stop, as it stands within a sentence: one of its own is taken away.
        """
        self.place = place
        self.what = what.removesuffix(".")
        super().__init__(f"{place}: {self.what}")


def refuse_for_two(variant: str, place: str) -> None:
    """Take in no game for two: neither the solver nor the moves of one alone could say anything about it.

    Raises:
        BadFileError: it is a game for two.
    """
    if variant in VARIANTS and VARIANTS[variant].players > 1:
        raise BadFileError(place, f"{variant} is for two, and only games that are played alone are taken in")
