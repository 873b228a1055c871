"""The arrows between the layers, read from the imports of every module."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TypeGuard

import pytest

from tests.support.data import REPOSITORY

PACKAGE = REPOSITORY / "memory_plugin"
MAY_IMPORT = {
    "memory": {"memory"},
    "index": {"index", "memory"},
    "service": {"service", "index", "memory"},
    "cli": {"cli", "service", "memory"},
}
LARGEST_FILE = 500  # lines
PROGRAMS = sorted(path for folder in ("hooks", "bin") for path in (REPOSITORY / folder).glob("*.py"))
SOURCES = sorted([*PACKAGE.rglob("*.py"), *PROGRAMS])
BENCHMARKS = sorted((REPOSITORY / "benchmarks").rglob("*.py"))


def name_of(path: Path) -> str:
    parts = path.relative_to(REPOSITORY).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {name_of(path): path for path in SOURCES}


def imports(path: Path, *, deferred: bool = True) -> Iterator[str]:
    """The modules that a file imports; with `deferred`, those too that a function imports when it runs."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    nodes: list[ast.AST] = list(ast.walk(tree)) if deferred else list(_at_once(tree))
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: a relative import"
            assert node.module
            for alias in node.names:
                full = f"{node.module}.{alias.name}"
                yield full if full in MODULES else node.module


def _at_once(tree: ast.AST) -> Iterator[ast.AST]:
    """The nodes that run when the module is imported: without those in functions or only for a type checker."""
    for node in ast.iter_child_nodes(tree):
        guarded = isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test)
        if not guarded and not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            yield node
            yield from _at_once(node)


def layer_of(module: str) -> str | None:
    parts = module.split(".")
    return parts[1] if parts[0] == "memory_plugin" and len(parts) > 1 and parts[1] in MAY_IMPORT else None


each_source = pytest.mark.parametrize("path", SOURCES, ids=name_of)


@each_source
def test_arrows_only_run_down(path: Path) -> None:
    layer = layer_of(name_of(path))
    if layer is None:
        return
    reached = {found for module in imports(path) if (found := layer_of(module))}
    assert reached <= MAY_IMPORT[layer]


@pytest.mark.parametrize("path", [path for path in SOURCES if layer_of(name_of(path)) == "memory"], ids=name_of)
def test_the_ground_floor_imports_the_standard_library_only(path: Path) -> None:
    outside = {
        module
        for module in imports(path)
        if module.split(".")[0] not in sys.stdlib_module_names
        and module != "memory_plugin"  # its version
        and layer_of(module) != "memory"
    }
    assert outside == set()


@pytest.mark.parametrize("path", PROGRAMS, ids=name_of)
def test_what_runs_before_there_is_an_environment_stands_on_the_ground_floor_alone(path: Path) -> None:
    outside = {module for module in imports(path) if module.split(".")[0] not in sys.stdlib_module_names}
    assert {layer_of(module) for module in outside} == {"memory"}


def test_no_two_modules_need_each_other() -> None:
    arrows = {
        name: {module for module in imports(path, deferred=False) if module in MODULES and module != name}
        for name, path in MODULES.items()
    }
    while leaves := {name for name, reached in arrows.items() if not reached}:
        arrows = {name: reached - leaves for name, reached in arrows.items() if name not in leaves}
    assert arrows == {}, "these import each other in a circle"


@pytest.mark.parametrize("path", [*SOURCES, *BENCHMARKS], ids=name_of)
def test_no_file_is_long(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= LARGEST_FILE


@each_source
def test_whatever_is_public_says_what_it_is(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    bare = [] if ast.get_docstring(tree) or not tree.body else [name_of(path)]
    for node in tree.body:
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) or node.name.startswith("_"):
            continue
        members = [each for each in node.body if _must_speak(each)] if isinstance(node, ast.ClassDef) else []
        if isinstance(node, ast.ClassDef) and {ast.unparse(base) for base in node.bases} - {"Protocol", "Exception"}:
            members = []  # they fill in what the base says
        bare += [f"{name_of(path)}.{each.name}" for each in (node, *members) if not ast.get_docstring(each)]
    assert bare == []


def _must_speak(node: ast.stmt) -> TypeGuard[ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef]:
    """Whether a member of a class is public and more than one statement, which says what it does by itself."""
    return (
        isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))
        and not node.name.startswith("_")
        and len(node.body) > 1
    )
