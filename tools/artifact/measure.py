"""Times of the short steps: `python -m tilegpu.tools.artifact.measure data/artifact/measured.json` takes them here.

Each step is a command in a new process. Compiled code goes to a new folder, which the first steps fill as on a new
machine, so the times are those of a first run in this order.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
import time
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory

from tilegpu.functional.activity.output import whole_file

from ..studies.catalogue import find_study, paper_names

SCENE = "scene:courtyard"


def steps() -> Iterator[tuple[str, list[str]]]:
    """Names of steps, and their commands without the program's name: the demo, and each study in short on a scene."""
    yield "demo", ["demo"]
    for name in paper_names():
        study = find_study(name)
        # Others name what is made for them, such as sessions and pairs.
        if study.headlines:
            yield name, ["study", name, "--quick", "--workloads", SCENE, "-o", name]


def measure(folder: Path, output: Path) -> None:
    """Write seconds, CPU seconds and bytes of disk of each step, and the machine, after each step."""
    caches = folder / "cache"
    machine = {"cores": len(os.sched_getaffinity(0)), "python": platform.python_version()}
    figures: dict[str, dict[str, float]] = {}
    for name, command in steps():
        work = folder / name
        work.mkdir()
        began, spent = time.perf_counter(), _cpu_seconds()
        subprocess.run(
            [sys.executable, "-m", "tilegpu", *command],
            cwd=work,
            env=os.environ | {"XDG_CACHE_HOME": str(caches)},
            capture_output=True,
            check=True,
        )
        figures[name] = {
            "seconds": round(time.perf_counter() - began, 1),
            "cpu_seconds": round(_cpu_seconds() - spent, 1),
            "disk_bytes": _size_bytes(work),
        }
        measured = {
            "version": version("tilegpu"),
            "machine": machine,
            "cache_bytes": _size_bytes(caches),
            "steps": figures,
        }
        with whole_file(output) as partial:
            partial.write_text(json.dumps(measured, indent=1) + "\n", "utf-8")


def _cpu_seconds() -> float:
    times = os.times()
    return times.children_user + times.children_system


def _size_bytes(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


if __name__ == "__main__":
    with TemporaryDirectory() as scratch:
        measure(Path(scratch), Path(sys.argv[1]))
