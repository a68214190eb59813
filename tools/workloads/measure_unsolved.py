"""Measure what twins are not solved for.

`python -m tilegpu.tools.workloads.measure_unsolved data/workloads/unsolved.json` writes that file anew.
Applications whose captures are not at hand (`TILEGPU_CAPTURES`) keep the figures that the file has.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Iterable
from math import isfinite
from pathlib import Path

from tilegpu.functional.activity.output import whole_file
from tilegpu.functional.frame_ranges import FrameRange
from tilegpu.functional.record import record

from ..console import progress
from .cache import cached_trace
from .twin_files import find_twin, twin_names
from .unsolved import unsolved

MOMENT = 30.0
FRAMES = 3
"""Of an application, from its first."""
SOURCES = ("000", "001", "003")
"""Papers whose twins of games have targets, or stand beside some that have."""
DIGITS = 4
Rows = dict[str, dict[str, float]]


def measured(applications: Rows, captures: Path | None) -> dict[str, Rows]:
    """The columns by kind and name.

    Parameters
    ----------
    applications
        What was measured before, by the names of captures.
    captures
        Folder that they are in, if any.
    """
    twins = [name for name in twin_names() if name.startswith(SOURCES)]
    results: dict[str, Rows] = {"applications": dict(applications), "twins": {}}
    with progress("measuring") as (bar, task):
        for done, name in enumerate((*applications, *twins)):
            bar.update(task, completed=done / (len(applications) + len(twins)), note=name)
            if name in applications:
                trace = captures / f"{name}.trace" if captures is not None else None
                if trace is not None and trace.is_file():
                    results["applications"][name] = _of(trace, FRAMES)
            else:
                results["twins"][name] = _of(cached_trace(find_twin(name), [MOMENT]), 1)
    return results


def _of(trace: Path, frames: int) -> dict[str, float]:
    with tempfile.TemporaryDirectory(prefix="tilegpu-") as folder:
        activity = Path(folder) / "activity"
        record(trace, activity, FrameRange(0, frames))
        return {name: round(value, DIGITS) for name, value in unsolved(activity).items() if isfinite(value)}


def main(arguments: Iterable[str]) -> None:
    """Measure anew what a file holds."""
    (path,) = map(Path, arguments)
    before = json.loads(path.read_text(encoding="utf-8"))
    folder = os.environ.get("TILEGPU_CAPTURES")
    results = measured(before["applications"], Path(folder) if folder else None)
    with whole_file(path) as partial:
        partial.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
