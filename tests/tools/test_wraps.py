"""Docstrings are wrapped whole: no line of a paragraph ends early because words were put in or taken out."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[2]
PACKAGES = ("api", "collisions", "functional", "timing", "shaders", "tools", "data", "tests")
ROOM = 95
"""A line to which the first word of the next one could be added without reaching this column ends early."""
NO_PROSE = re.compile(r"\s*(>>>|\.\.\. |[-*|>] |\d+\. |[-=]+$|\w+ : )|.*\S {2,}\S")
"""Lists, tables, examples, underlines, names of parameters with their types."""


def docstrings(tree: ast.AST) -> Iterator[ast.Expr]:
    """All strings that stand as statements."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield node


def early_ends(text: str) -> list[int]:
    """Numbers of the lines that end early."""
    lines, found = text.split("\n"), []
    for doc in docstrings(ast.parse(text)):
        for number in range(doc.lineno, doc.end_lineno or doc.lineno):
            line, after = lines[number - 1], lines[number]
            prose = line.strip() and after.strip(' "') and not NO_PROSE.match(line) and not NO_PROSE.match(after)
            same = len(line) - len(line.lstrip()) == len(after) - len(after.lstrip())
            if prose and same and not line.endswith((".", ":")) and len(f"{line} {after.split()[0]}") <= ROOM:
                found.append(number)
    return found


def test_the_rule_finds_what_it_is_for() -> None:
    whole = f'"""{"word " * 20}of a line\nthat goes on."""'
    broken = '"""Some words that\nwere moved here from the line above, which ends early therefore."""'
    table = '"""Head.\n\nleft    right\nother   thing\n"""'
    assert (early_ends(whole), early_ends(broken), early_ends(table)) == ([], [1], [])


@pytest.mark.parametrize("package", PACKAGES)
def test_docstrings_are_wrapped_whole(package: str) -> None:
    found = [
        f"{path.relative_to(REPOSITORY)}:{number}"
        for path in sorted((REPOSITORY / package).rglob("*.py"))
        for number in early_ends(path.read_text("utf-8"))
    ]
    assert found == []
