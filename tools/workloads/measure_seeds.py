"""Measure the columns of twins under other seeds, which are other scenes with the same solved parameters.

`python -m tilegpu.tools.workloads.measure_seeds data/workloads/seeds.json 003-captain 001-abi` measures these twins
anew, without names all of the papers in `SOURCES`.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from pathlib import Path

from tilegpu.functional.activity.output import whole_file

from ..console import progress
from .check import check
from .twin import SEEDS
from .twin_files import find_twin, twin_names

SOURCES = ("001", "003")
"""Papers whose twins are measured: the studies of these have readings with other seeds."""
DIGITS = 4
Seeds = dict[str, dict[str, list[float]]]


def measured_seeds(name: str) -> dict[str, list[float]]:
    """Solved columns of a twin, for each of its seeds from its own on."""
    twin = find_twin(name)
    solved = {*twin.targets, *twin.at_least, *twin.at_most}
    columns: dict[str, list[float]] = {}
    for variant in (name, *(f"{name}+seed-{number}" for number in SEEDS)):
        for line in check(find_twin(variant)).lines:
            if line.column in solved:
                columns.setdefault(line.column, []).append(round(line.measured, DIGITS))
    return columns


def main(arguments: Iterable[str]) -> None:
    """Measure anew what a file holds."""
    path, *names = arguments
    chosen = names or [name for name in twin_names() if name.startswith(SOURCES)]
    there: Seeds = json.loads(Path(path).read_text("utf-8")) if Path(path).is_file() else {}
    with progress("measuring") as (bar, task):
        for done, name in enumerate(chosen):
            bar.update(task, completed=done / len(chosen), note=name)
            there[name] = measured_seeds(name)
            with whole_file(Path(path)) as partial:
                partial.write_text(json.dumps(dict(sorted(there.items())), indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
