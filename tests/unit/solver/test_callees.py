"""numba keeps compiled kernels on disk, and sees changes of their own file alone.

What is compiled in from other modules has to change that file too, so each module names the digest of those others.
"""

import ast
import hashlib
import importlib
from functools import cache
from pathlib import Path

import pytest

import shared.solver.intrinsics

FOLDER = Path(shared.solver.intrinsics.__file__).parent
PACKAGE = "shared.solver"
COMPILERS = {"compiled", "kernel"}


@cache
def used(name: str) -> frozenset[str]:
    """The modules beside it that a module imports, constants included."""
    found: set[str] = set()
    for node in ast.parse((FOLDER / f"{name}.py").read_text()).body:
        if isinstance(node, ast.ImportFrom) and node.module == PACKAGE:
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and node.module.startswith(f"{PACKAGE}."):
            found.add(node.module.rsplit(".", 1)[-1])
    return frozenset(found)


def compiles(name: str) -> bool:
    """Whether a module has kernels."""
    functions = [
        node for node in ast.parse((FOLDER / f"{name}.py").read_text()).body if isinstance(node, ast.FunctionDef)
    ]
    return any(isinstance(mark, ast.Name) and mark.id in COMPILERS for one in functions for mark in one.decorator_list)


def callees(name: str) -> frozenset[str]:
    """All modules of the solver that a module imports, or that those import."""
    return used(name).union(*map(callees, used(name)))


KERNELS = sorted(path.stem for path in FOLDER.glob("*.py") if compiles(path.stem))


def test_the_modules_with_kernels_are_found() -> None:
    assert {"bits", "layers", "kernels", "decide", "certify_kernels", "player_kernels"} <= {*KERNELS}


@pytest.mark.parametrize("name", KERNELS)
def test_a_kernel_is_compiled_anew_when_what_is_compiled_into_it_has_changed(name: str) -> None:
    """Put the digest that is wanted into `CALLEES`, and begin with the module that needs the fewest others."""
    files = [FOLDER / f"{callee}.py" for callee in sorted(callees(name))]
    digest = hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:16]
    assert digest == importlib.import_module(f"{PACKAGE}.{name}").CALLEES
