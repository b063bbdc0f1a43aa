"""The lock file: complete, hashed, and free of registry addresses."""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[3]
LOCK = (ROOT / "requirements.lock").read_text()


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def test_lock_holds_no_registry_address() -> None:
    assert "://" not in LOCK


def test_every_locked_package_has_a_hash() -> None:
    entries = re.findall(r"^[a-z0-9][^\n]*==[^\n]*\n(    [^\n]*\n)", LOCK, re.MULTILINE)
    assert len(entries) > 30
    assert all(first.startswith("    --hash=sha256:") for (first) in entries)


def test_every_dependency_is_locked_and_says_why() -> None:
    text = (ROOT / "pyproject.toml").read_text()
    project = tomllib.loads(text)["project"]
    groups = [project["dependencies"], *project["optional-dependencies"].values()]
    declared = [requirement for group in groups for requirement in group]
    locked = {normal(name) for name in re.findall(r"^([A-Za-z0-9._-]+)==", LOCK, re.MULTILINE)}
    for requirement in declared:
        name = re.split(r"[~=<>;\[ ]", requirement)[0]
        assert normal(name) in locked, f"{name} is not in requirements.lock: run `make lock`"
        line = next(line for line in text.splitlines() if f'"{requirement}"' in line)
        assert re.search(r"#\s+\S+", line), f"{name} does not say why it is needed"
