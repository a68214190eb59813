"""The part of the page on twins that tells how much depends on their seeds."""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib.resources import files

from .twin_files import find_twin

MEASURED = "seeds.json"
"""Columns of `measure_seeds.measured_seeds` by twin."""


def seeds_section() -> Iterator[str]:
    """The range of the solved columns over three seeds, twin by twin."""
    measured = json.loads(files("tilegpu.data").joinpath("workloads", MEASURED).read_text(encoding="utf-8"))
    yield "\n### Other seeds\n"
    yield "Another seed gives another scene with the same solved parameters (`003-captain+seed-1`): what no table"
    yield "tells changes. Columns are solved for the first of three seeds; here are those that leave 10 % with"
    yield "another one, and the largest deviation of the rest. Studies have readings with these seeds."
    yield f"All of it is in `data/workloads/{MEASURED}`.\n"
    yield "| twin | beyond 10 % | all others within |"
    yield "| --- | --- | ---: |"
    for name, columns in measured.items():
        twin = find_twin(name)
        beyond, rest = [], 0.0
        for column, values in columns.items():
            if (target := twin.targets.get(column)) is None or column in twin.gives_way:
                continue
            worst = max(abs(value / target - 1) for value in values)
            if worst > twin.limit:
                beyond.append(f"{column.replace('_', ' ')} {min(values):.3g} to {max(values):.3g} ({target:.3g})")
            else:
                rest = max(rest, worst)
        yield f"| {name} | {'; '.join(beyond)} | {rest:.1%} |"
