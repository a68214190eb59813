"""The part of the page on twins that sets what they are not solved for beside applications."""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib.resources import files

from .unsolved import COLUMNS

MEASURED = "unsolved.json"
"""Columns of `unsolved.unsolved` for a frame of twins and three frames of captures, by kind and name."""


def unsolved_section() -> Iterator[str]:
    """Three properties that no twin is solved for: of twins, and of captured applications."""
    measured = json.loads(files("tilegpu.data").joinpath("workloads", MEASURED).read_text(encoding="utf-8"))
    yield "\n### What is not solved, beside applications\n"
    yield "A twin that meets a table may be unlike a game in what the table does not tell: how far texels are"
    yield "reused, how large primitives are, how uneven tiles are. Frame 30 of twins, and the first three of captured"
    yield f"games and applications, which are of the desktop and none of the papers' (`data/workloads/{MEASURED}`).\n"
    yield from (f"- {column.head}: {column.description}." for column in COLUMNS)
    yield "\n| | " + " | ".join(column.head for column in COLUMNS) + " |"
    yield "| --- | " + " | ".join("---:" for _ in COLUMNS) + " |"
    for kind in ("applications", "twins"):
        rows = measured[kind]
        for name, row in rows.items():
            cells = (_number(row[column.name]) if column.name in row else "" for column in COLUMNS)
            yield f"| {name} | " + " | ".join(cells) + " |"
        for name, of in ((f"least of {kind}", min), (f"largest of {kind}", max)):
            some = ([row[column.name] for row in rows.values() if column.name in row] for column in COLUMNS)
            yield f"| **{name}** | " + " | ".join(_number(of(values)) if values else "" for values in some) + " |"


def _number(value: float) -> str:
    return f"{value:.0f}" if value >= 10 else f"{value:.2f}"
