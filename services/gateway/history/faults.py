"""What is wrong with a game in a file."""


class BadFileError(Exception):
    """A file that is no game, or not as the rules have it."""

    def __init__(self, place: str, what: str) -> None:
        """`place`: a line, such as `line 12`, or a field of JSON, such as `$.steps[3].points`."""
        super().__init__(f"{place}: {what}")
        self.place = place
        self.what = what
