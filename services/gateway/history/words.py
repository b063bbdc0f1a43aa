"""What the decoder says of a value that it does not take, in the words of the other faults of a file."""

import re
from typing import Final

_KINDS: Final = {
    "int": "a whole number",
    "float": "a number",
    "str": "text",
    "bool": "true or false",
    "null": "null",
    "array": "a list",
    "object": "an object",
}
_MISSING: Final = re.compile(r"Object missing required field `(.+)`")
_EXPECTED: Final = re.compile(r"Expected `(.+?)`( [^,]*)?(?:, got `(.+)`)?")
_UNKNOWN: Final = re.compile(r"Invalid (?:enum )?value (.+)")
_FIXED: Final = {
    "Input data was truncated": "JSON is truncated: it ends before its last bracket is closed",
    "maximum recursion depth exceeded": "JSON is nested too deep",
}


def in_words(message: str) -> str:
    """The same fault, for somebody who knows the file and not the program. What is not known here stays as it is."""
    for beginning, said in _FIXED.items():
        if message.startswith(beginning):
            return said
    if missing := _MISSING.fullmatch(message):
        return f"the field {missing[1]!r} is missing; `klondike history export` writes all that are needed"
    if unknown := _UNKNOWN.fullmatch(message):
        return f"{unknown[1]} is nothing that can be here"
    if expected := _EXPECTED.fullmatch(message):
        wanted, limit, got = _kinds(expected[1]), expected[2] or "", expected[3]
        return f"it must be {wanted}{limit}" + (f", and is {_kinds(got)}" if got else "")
    return re.sub(r" \(byte \d+\)$", "", message)


def _kinds(types: str) -> str:
    return " or ".join(_KINDS.get(one, one) for one in types.split(" | "))
