"""What holds for every file: layers, purity, lengths, where literals live, reasons for exceptions, links that lead."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
MODULE_LINES_MAX = {"source": 400, "tests": 500}
FUNCTION_LINES_MAX = 80
"""The aim is 25; only a table of data may come near this."""
FUNCTIONS_OVER_AIM_MAX = 0.04
FUNCTION_LINES_AIM = 25


def tracked(*patterns: str) -> list[Path]:
    """Files under version control, so that a stray one in somebody's checkout fails nothing."""
    listing = subprocess.run(["git", "ls-files", "--", *patterns], cwd=ROOT, capture_output=True, text=True, check=True)
    return [path for name in listing.stdout.split("\n") if name and (path := ROOT / name).exists()]


def relative(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


MODULES = [path for path in tracked("*.py") if path.stat().st_size]
SOURCE = [path for path in MODULES if relative(path).startswith(("services/", "shared/"))]
DOCUMENTS = tracked("*.md")
PURE = [path for path in SOURCE if re.match(r"shared/(rules|game|solver|messages)/", relative(path))]


def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(), filename=relative(path))


def test_layers_hold() -> None:
    """Who may import whom, hidden cards first: the contracts are in pyproject.toml."""
    lint = Path(sys.executable).with_name("lint-imports")
    checked = subprocess.run([lint, "--no-cache"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stdout


def test_every_module_says_what_it_is_about() -> None:
    assert [relative(path) for path in MODULES if not ast.get_docstring(parsed(path))] == []


def test_no_module_is_longer_than_one_subject() -> None:
    lines = {relative(path): len(path.read_text().splitlines()) for path in MODULES}
    limits = {name: MODULE_LINES_MAX["tests" if name.startswith("tests/") else "source"] for name in lines}
    assert {name: count for name, count in lines.items() if count > limits[name]} == {}


def functions(path: Path) -> Iterator[tuple[str, int]]:
    """Names and lengths, without signature and docstring: these are as long as they have to be."""
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            body = node.body[1:] if ast.get_docstring(node) else node.body
            if body:
                yield f"{relative(path)}:{node.name}", (body[-1].end_lineno or 0) - body[0].lineno + 1


def test_functions_are_short() -> None:
    lengths = {name: length for path in SOURCE for name, length in functions(path)}
    assert {name: length for name, length in lengths.items() if length > FUNCTION_LINES_MAX} == {}
    over = {name: length for name, length in lengths.items() if length > FUNCTION_LINES_AIM}
    assert len(over) <= FUNCTIONS_OVER_AIM_MAX * len(lengths), over


IMPURE = {
    "aiohttp", "asyncio", "datetime", "nats", "os", "pathlib", "random", "redis", "secrets", "socket", "structlog",
    "subprocess", "threading", "time", "uuid",
}  # fmt: skip


def test_the_functional_core_reaches_no_clock_no_randomness_and_no_io() -> None:
    found = []
    for path in PURE:
        for node in ast.walk(parsed(path)):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module] if isinstance(node, ast.ImportFrom) and node.module else []
            found += [f"{relative(path)} imports {name}" for name in names if name.split(".")[0] in IMPURE]
    assert found == []


def literals(path: Path) -> Iterator[str]:
    """String constants that are no docstring."""
    tree = parsed(path)
    statements = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in statements:
            yield node.value


def test_subjects_streams_and_keys_are_spelled_in_one_module() -> None:
    """`shared/access.py` may spell what game-state owns as a whole."""
    spelled = {
        one for one in literals(ROOT / "shared" / "subjects.py") if one.startswith(("klondike", "KLONDIKE", "_"))
    }
    families = {re.escape(match[0]) for one in spelled if (match := re.match(r"[A-Za-z_]+([.:][a-z]+)?", one))} - {
        "klondike"
    }
    assert {r"klondike\.game", r"klondike\.cmd", r"klondike:game", "KLONDIKE_GAMES"} <= families
    pattern = re.compile(f"({'|'.join(sorted(families))})([.:*]|$)")
    elsewhere = [path for path in SOURCE if relative(path) not in {"shared/subjects.py", "shared/access.py"}]
    assert [(relative(path), one) for path in elsewhere for one in literals(path) if pattern.match(one)] == []


def test_every_exception_from_a_check_names_its_code_and_its_reason() -> None:
    bad = []
    for path in MODULES:
        for number, line in enumerate(path.read_text().splitlines(), start=1):
            noqa = re.search(r"#\s*noqa(.*)", line)
            ignored = re.search(r"#\s*type:\s*ignore(.*)", line)
            if noqa and not re.match(r": [A-Z]+[0-9]+(, [A-Z]+[0-9]+)* - \S.{4,}", noqa[1]):
                bad.append(f"{relative(path)}:{number} {line.strip()}")
            if ignored and not re.match(r"\[[a-z-]+(, ?[a-z-]+)*\]\s+(#|-) ?\S.{4,}", ignored[1]):
                bad.append(f"{relative(path)}:{number} {line.strip()}")
    assert [line for line in bad if "test_tidy.py" not in line] == []


def test_nothing_is_left_to_do_in_the_code() -> None:
    words = re.compile(r"\b(TO" + r"DO|FIX" + r"ME|X" + r"XX|HA" + r"CK)\b")
    assert [relative(path) for path in MODULES if words.search(path.read_text())] == []


def test_no_path_of_somebodys_machine_and_no_registry_is_in_any_file() -> None:
    banned = re.compile(r"(?<![\w.])/(root|home|Users|work)/\w|pypi\.o" + r"rg|pythonhosted|npmjs\.|deb\.debian")
    texts = [path for path in tracked() if path.suffix not in {".png", ".jpg", ".woff2", ".ico"}]
    assert len(texts) > 100
    found = [relative(path) for path in texts if banned.search(path.read_bytes().decode(errors="replace"))]
    assert [name for name in found if name != "tests/test_tidy.py"] == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=relative)
def test_links_and_paths_of_a_document_lead_somewhere(document: Path) -> None:
    text = document.read_text()
    linked = [target.split("#")[0] for target in re.findall(r"\]\(([^)\s]+)\)", text) if "://" not in target]
    named = re.findall(r"`((?:docs|deploy|services|shared|tests)/[\w./-]+?\.\w+)`", text)
    missing = [target for target in linked if target and not (document.parent / target).exists()]
    assert missing + [target for target in named if not (ROOT / target).exists()] == []


def test_make_help_lists_every_target() -> None:
    makefile = (ROOT / "Makefile").read_text()
    listed = subprocess.run(
        ["make", "--no-print-directory", "help"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    phony = re.search(r"^\.PHONY: (.*)$", makefile, re.MULTILINE)
    assert phony is not None
    assert {line.split()[1] for line in listed.stdout.splitlines()} == set(phony[1].split())
