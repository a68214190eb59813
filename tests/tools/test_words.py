"""Names and docstrings say what things are: CONTRIBUTING's rule on beginnings of docstrings and on empty names."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from .test_wraps import REPOSITORY, docstrings

PACKAGES = ("api", "collisions", "functional", "timing", "shaders", "tools", "data")
HEADLESS = re.compile(r"\s*(What|Where|Which|How|Why|When)\b")
"""Beginnings of a clause that lacks its noun."""
EMPTY = frozenset({"found", "told", "left", "known"})
"""Names that fit any value; `left` is the noun of a side where there is a `right`."""


def headless(tree: ast.AST) -> list[int]:
    """Lines of the docstrings that begin with a clause instead of a noun or a verb."""
    return [doc.lineno for doc in docstrings(tree) if HEADLESS.match(ast.literal_eval(doc.value))]


def empty_names(tree: ast.AST) -> list[int]:
    """Lines at which an assignment, a parameter, a loop, a field or a function has one of the empty names."""
    return sorted(line for scope in scopes(tree) for line in _in_scope(scope))


def scopes(tree: ast.AST) -> Iterator[ast.AST]:
    """The module, and each of its functions and classes."""
    kinds = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef
    return (node for node in ast.walk(tree) if isinstance(node, kinds | ast.Module))


def _in_scope(scope: ast.AST) -> Iterator[int]:
    sides = any(name.startswith("right") for name in filter(None, map(_name, ast.walk(scope))))
    if isinstance(scope, ast.FunctionDef) and scope.name in EMPTY:
        yield scope.lineno
    for node in _own(scope):
        given = isinstance(node, ast.arg) or isinstance(getattr(node, "ctx", None), ast.Store)
        if given and _name(node) in EMPTY and not (sides and _name(node) == "left"):
            yield node.lineno  # type: ignore[attr-defined]


def _own(scope: ast.AST) -> Iterator[ast.AST]:
    """Nodes of a scope without those of the scopes inside."""
    for child in ast.iter_child_nodes(scope):
        if not isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef):
            yield child
            yield from _own(child)


def _name(node: ast.AST) -> str | None:
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.arg if isinstance(node, ast.arg) else None


@cache
def _trees(package: str) -> tuple[tuple[Path, ast.AST], ...]:
    files = sorted((REPOSITORY / package).rglob("*.py"))
    return tuple((path.relative_to(REPOSITORY), ast.parse(path.read_text("utf-8"))) for path in files)


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("What a warp executes.", [1]),
        ("Where an entry lies.", [1]),
        ("How many there are.", [1]),
        ("Program of a warp.", []),
        ("Tables. What they hold.", []),
        ("However it ends.", []),
    ],
)
def test_headless_docstrings_are_recognized(text: str, lines: list[int]) -> None:
    assert headless(ast.parse(f'"""{text}"""')) == lines


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("found = 1", [1]),
        ("def f(told): pass", [1]),
        ("f(found=1)\nprint(left)", []),
        ("for known in (): pass", [1]),
        ("[found for found in ()]", [1]),
        ("def f():\n    left = 3\n    return left", [2]),
        ("def f(left, right): pass", []),
        ("def f(left):\n    return left.right", []),
        ("class C:\n    left: int\n    right: int", []),
        ("class C:\n    found: int", [2]),
        ("def f(right): pass\ndef g(left): pass", [2]),
        ("self.known = 1", [1]),
        ("f = lambda found: found", [1]),
        ("def found(): pass", [1]),
    ],
)
def test_empty_names_are_recognized(text: str, lines: list[int]) -> None:
    assert empty_names(ast.parse(text)) == lines


@pytest.mark.parametrize("package", PACKAGES)
def test_docstrings_begin_with_a_noun_or_a_verb(package: str) -> None:
    assert [f"{path}:{line}" for path, tree in _trees(package) for line in headless(tree)] == []


@pytest.mark.parametrize("package", PACKAGES)
def test_names_say_what_a_value_is(package: str) -> None:
    assert [f"{path}:{line}" for path, tree in _trees(package) for line in empty_names(tree)] == []
