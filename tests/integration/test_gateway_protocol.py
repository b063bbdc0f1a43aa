"""docs/protocol.md is one conversation, and a real server has it."""

import json
import re
from pathlib import Path
from typing import Any

from jsonschema.validators import Draft202012Validator

from services.cli.documents import schema
from tests.integration.gateway import Running, player

PROTOCOL = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text(encoding="utf-8")
EXAMPLE = re.compile(r"^```json (client|server)\n(.*?)^```", re.MULTILINE | re.DOTALL)
EXAMPLES = [(side, json.loads(text)) for side, text in EXAMPLE.findall(PROTOCOL)]
ANY = "…"


async def test_the_conversation_of_the_protocol_is_what_a_real_server_says(at: Running) -> None:
    schema_of = {"client": Draft202012Validator(schema("client-frames"))}
    answers = Draft202012Validator(schema("server-frames"))
    known: dict[str, str] = {}
    async with player(at, hello=False) as one:
        for side, example in EXAMPLES:
            if side == "client":
                frame = _filled(example, known)
                if frame.get("version") != "four":
                    schema_of[side].validate(frame)
                await one.socket.send(json.dumps(frame))
            else:
                answer = json.loads(await one.socket.recv())
                answers.validate(answer)
                _compare(example, answer, known)
    assert {"<player>", "<token>", "<game>"} <= known.keys()


def _filled(example: Any, known: dict[str, str]) -> Any:  # noqa: ANN401 - any JSON
    if isinstance(example, dict):
        return {key: _filled(value, known) for key, value in example.items()}
    return known.get(example, example) if isinstance(example, str) else example


def _compare(example: Any, answer: Any, known: dict[str, str]) -> None:  # noqa: ANN401 - any JSON
    if example == ANY:
        return
    if isinstance(example, dict):
        assert example.keys() == answer.keys()
        for key, value in example.items():
            _compare(value, answer[key], known)
    elif isinstance(example, list):
        assert len(example) == len(answer)
        for mine, theirs in zip(example, answer, strict=True):
            _compare(mine, theirs, known)
    elif isinstance(example, str) and example.startswith("<"):
        assert known.setdefault(example, answer) == answer
    else:
        assert example == answer
