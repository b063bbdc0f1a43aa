"""The documents say what the code does."""

import json
import re
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml
from click.testing import CliRunner
from jsonschema.validators import Draft202012Validator

from services.cli.docs import docs
from services.cli.documents import DIALECT, FAMILIES, schema

ROOT = Path(__file__).parents[2]
PROTOCOL = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8")
EXAMPLE = re.compile(r"^```json (client|server)\n(.*?)^```", re.MULTILINE | re.DOTALL)
EXAMPLES = [(side, json.loads(text)) for side, text in EXAMPLE.findall(PROTOCOL)]


def test_every_document_is_current() -> None:
    """`klondike docs --check` is the same in CI and by hand."""
    result = CliRunner().invoke(docs, ["--check", "--into", str(ROOT / "docs")])
    assert result.exit_code == 0, result.output


def test_a_document_that_is_not_current_is_named_and_the_status_is_1(tmp_path: Path) -> None:
    runner = CliRunner()
    assert runner.invoke(docs, ["--into", str(tmp_path)]).exit_code == 0
    (tmp_path / "schema" / "views.json").write_text("{}", encoding="utf-8")
    (tmp_path / "schema" / "gone.json").write_text("{}", encoding="utf-8")
    result = runner.invoke(docs, ["--check", "--into", str(tmp_path)])
    assert result.exit_code == 1
    assert "views.json" in result.output
    assert "gone.json" in result.output
    runner.invoke(docs, ["--into", str(tmp_path)])
    assert runner.invoke(docs, ["--check", "--into", str(tmp_path)]).exit_code == 0


@pytest.mark.parametrize("family", FAMILIES)
def test_every_schema_is_one(family: str) -> None:
    made = schema(family)
    assert made["$schema"] == DIALECT
    Draft202012Validator.check_schema(made)


def test_every_reference_of_the_asyncapi_document_leads_somewhere() -> None:
    document = yaml.safe_load((ROOT / "docs" / "asyncapi.yaml").read_text(encoding="utf-8"))
    assert document["asyncapi"] == "3.0.0"
    references = list(_references(document))
    assert references
    for reference in references:
        at: Any = document
        for part in reference.removeprefix("#/").split("/"):
            at = at[part]
        assert at


@pytest.mark.parametrize("side", ["client", "server"])
def test_the_examples_of_the_protocol_have_every_kind_of_frame_that_is_sent_in_peace(side: str) -> None:
    shown = {frame["type"] for by, frame in EXAMPLES if by == side}
    peaceful = {
        "client": {"hello", "ping", "new-game", "move", "draw", "undo", "resume", "leave", "pause", "continue"},
        "server": {"welcome", "pong", "step", "refused", "repeated", "resumed"},
    }
    assert shown == peaceful[side]


def test_a_schema_refuses_what_the_decoder_refuses() -> None:
    validator = Draft202012Validator(schema("client-frames"))
    with pytest.raises(jsonschema.ValidationError):
        validator.validate({"type": "ping", "nonce": 1, "more": 1})
    with pytest.raises(jsonschema.ValidationError):
        validator.validate({"type": "draw", "id": "no", "game": "a" * 26, "version": 1})


def test_every_error_code_is_explained() -> None:
    codes = set(schema("errors")["$defs"]["Error"]["properties"]["code"]["enum"])
    assert {code for code in codes if f"`{code}`" not in PROTOCOL} == set()


def _references(document: Any) -> list[str]:  # noqa: ANN401 - any JSON
    if isinstance(document, dict):
        own = [document["$ref"]] if "$ref" in document else []
        return own + [found for value in document.values() for found in _references(value)]
    return [found for value in document for found in _references(value)] if isinstance(document, list) else []
