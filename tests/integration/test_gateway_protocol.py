"""docs/protocol.md is one conversation, and a real server has it."""

import json
import re
from pathlib import Path
from typing import Any

import httpx
from jsonschema.validators import Draft202012Validator

from services.cli.documents import schema
from shared import clock
from shared.logs import Log
from shared.messages.commands import NumberedDeal
from shared.messages.frames import NewGame
from tests.conftest import ConnectAs
from tests.integration.dealer import dealer
from tests.integration.game_state import soon
from tests.integration.gateway import Running, made, player

PROTOCOL = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"^```json ([a-z ]+)\n(.*?)^```", re.MULTILINE | re.DOTALL)
BLOCKS = [(name, json.loads(text)) for name, text in BLOCK.findall(PROTOCOL)]
EXAMPLES = [(name, example) for name, example in BLOCKS if name.endswith(("client", "server"))]
ANY = "…"


async def test_the_conversation_of_the_protocol_is_what_a_real_server_says(at: Running) -> None:
    asked = Draft202012Validator(schema("client-frames"))
    answers = Draft202012Validator(schema("server-frames"))
    known: dict[str, str] = {}
    async with player(at, hello=False) as first, player(at, hello=False) as second:
        for name, example in EXAMPLES:
            socket = (second if name.startswith("second") else first).socket
            if name.endswith("client"):
                frame = _filled(example, known)
                if frame.get("version") != "four":
                    asked.validate(frame)
                await socket.send(json.dumps(frame))
            else:
                answer = json.loads(await socket.recv())
                answers.validate(answer)
                _compare(example, answer, known)
    assert {"<player>", "<token>", "<game>", "<second player>", "<code>"} <= known.keys()


async def test_the_verdict_of_the_protocol_is_what_a_real_server_says(
    at: Running, connect_as: ConnectAs, log: Log
) -> None:
    """Of the game that is told of it."""
    (example,) = (one for name, one in BLOCKS if name == "verdict")
    async with (
        dealer(await connect_as("dealer"), log, pool_deals=0),
        player(at) as one,
        httpx.AsyncClient(base_url=at.address, headers=one.signed, timeout=60) as web,
    ):
        view = made(await one.ask(NewGame(id=clock.new_command_id(), deal=NumberedDeal(number=23)))).view
        for move in ("T5>F2", "T3>T7", "resign"):
            await one.play(move)

        async def judged() -> bool:
            return (await web.get(f"/api/games/{view.game}/verdict")).status_code == 200

        await soon(judged)
        _compare(example, (await web.get(f"/api/games/{view.game}/verdict")).json(), {})


def test_every_example_is_run() -> None:
    """What is JSON on the page is one of the conversation, or the verdict."""
    assert {name for name, _ in BLOCKS} == {"client", "server", "second client", "second server", "verdict"}
    assert PROTOCOL.count("```json") == len(BLOCKS)


def _filled(example: Any, known: dict[str, str]) -> Any:  # noqa: ANN401 - any JSON
    if isinstance(example, dict):
        return {key: _filled(value, known) for key, value in example.items()}
    return known.get(example, example) if isinstance(example, str) else example


def _compare(example: Any, answer: Any, known: dict[str, str]) -> None:  # noqa: ANN401 - any JSON
    if example == ANY:
        return
    if isinstance(example, dict):
        shown = example.keys() - {ANY}
        assert shown <= answer.keys() if ANY in example else shown == answer.keys()
        for key in shown:
            _compare(example[key], answer[key], known)
    elif isinstance(example, list):
        shown_first = example[:-1] if example[-1:] == [ANY] else example
        assert len(shown_first) <= len(answer) if shown_first != example else len(example) == len(answer)
        for mine, theirs in zip(shown_first, answer, strict=False):
            _compare(mine, theirs, known)
    elif isinstance(example, str) and example.startswith("<"):
        assert known.setdefault(example, answer) == answer
    else:
        assert example == answer
