"""Packages and modules at the top of a pass import each other in one direction, imports for types included.

The import linter's contracts say in which; they leave out imports for types.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def imported(path: Path) -> Iterator[tuple[str, ...]]:
    """Parts of the names of the project's modules, or of what is in them, that a file imports."""
    package = path.relative_to(ROOT).parent.parts
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (tuple(alias.name.split("."))[1:] for alias in node.names if alias.name.startswith("tilegpu."))
        elif isinstance(node, ast.ImportFrom):
            parts = tuple((node.module or "").split(".")) if node.module else ()
            if node.level:
                parts = package[: len(package) - node.level + 1] + parts
            elif parts[0] == "tilegpu":
                parts = parts[1:]
            else:
                continue
            yield from ((*parts, alias.name) for alias in node.names)


def arrows(top: str) -> dict[str, set[str]]:
    """Rooms that each room of a pass imports."""
    rooms = {path.stem for path in (ROOT / top).iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()}
    graph: dict[str, set[str]] = {room: set() for room in rooms}
    for path in (ROOT / top).rglob("*.py"):
        room = path.relative_to(ROOT / top).parts[0].removesuffix(".py")
        named = {name[1] for name in imported(path) if name[:1] == (top,) and len(name) > 1}
        graph[room] |= (named & rooms) - {room}
    return graph


@pytest.mark.parametrize("top", ["functional", "timing", "tools"])
def test_no_circle_of_rooms(top: str) -> None:
    graph = arrows(top)
    assert sum(map(len, graph.values())) > len(graph)
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(" imports ".join(reversed(error.args[1])))
