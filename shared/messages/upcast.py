"""Stored messages of older schemas, lifted to the newest one when they are read: the one place that knows old forms.

`docs/schema-evolution.md` says how to change a stored message, and when that needs a step here. Steps see the fields as
they lie in the stored bytes. They are pure, and are never changed once they have landed. Stored bytes stay what they
are: hashes are over those.
"""

from collections.abc import Callable
from typing import Final, Literal

Kind = Literal["record", "sealed-deal"]
Fields = dict[str, object]
Step = Callable[[Fields], Fields]

SCHEMA_NEWEST: Final = 1
"""What this release writes, in records and sealed deals alike."""
STEPS: Final[dict[Kind, dict[int, Step]]] = {"record": {}, "sealed-deal": {}}
"""Of each kind, by the schema that a step lifts to the next one. There has been one schema, so there is none yet."""


class UpcastError(Exception):
    """Fields that are not those of their schema. The message says which schema."""


def oldest(kind: Kind) -> int:
    """The oldest schema of a kind that can be read."""
    return min(STEPS[kind], default=SCHEMA_NEWEST)


def upcast(kind: Kind, schema: int, fields: Fields) -> Fields:
    """The fields of a message as the newest schema has them.

    Raises:
        UpcastError: they are not what a message of this schema has.
    """
    for older in range(schema, SCHEMA_NEWEST):
        try:
            fields = STEPS[kind][older](fields)
        except (LookupError, TypeError, ValueError, AttributeError) as error:
            raise UpcastError(f"it is no {kind} of schema {older}: {error!r}") from None
    return fields | {"schema": SCHEMA_NEWEST}
