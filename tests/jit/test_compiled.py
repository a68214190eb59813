"""Compiled kernels on disk: processes that compile at once do not spoil each other's."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

KERNEL = """
import sys
import time
import numpy as np
from numba.core import caching
from tilegpu.functional.jit import kernel

load = caching.IndexDataCacheFile._load_index

def slow(self):
    found = load(self)
    time.sleep(0.2)
    return found

caching.IndexDataCacheFile._load_index = slow

@kernel
def doubled(values):
    return (values + values).sum()

values = np.arange(5).astype(sys.argv[1])
print(doubled(values), int(sum(doubled.stats.cache_hits.values()) > 0))
"""
KINDS = ("int16", "int64", "float32")


def test_processes_save_one_at_a_time(tmp_path: Path) -> None:
    """Between reading the index and writing it, each process waits: without a lock they would take the same number."""
    script = tmp_path / "doubling.py"
    script.write_text(KERNEL)
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache")}

    def run() -> list[list[str]]:
        commands = [[sys.executable, str(script), kind] for kind in KINDS]
        running = [subprocess.Popen(c, env=environment, stdout=subprocess.PIPE, text=True) for c in commands]
        return [process.communicate()[0].split() for process in running]

    assert [float(total) for total, _ in run()] == [20.0] * len(KINDS)
    assert [(float(total), hit) for total, hit in run()] == [(20.0, "1")] * len(KINDS)


def test_one_process_compiles_what_several_want(tmp_path: Path) -> None:
    """The others wait for it, and find it on disk."""
    script = tmp_path / "doubling.py"
    script.write_text(KERNEL)
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache")}
    command = [sys.executable, str(script), "int32"]
    running = [subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    assert sorted(process.communicate()[0].split()[1] for process in running) == ["0", "1", "1"]


def test_the_same_sources_at_another_place_compile_nothing(tmp_path: Path) -> None:
    """As where an installation is moved, or made a second time."""
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache")}
    found = []
    for place in ("here", "there"):
        script = tmp_path / place / "doubling.py"
        script.parent.mkdir()
        script.write_text(KERNEL)
        command = [sys.executable, str(script), "int32"]
        found.append(
            subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True).stdout.split()
        )
    assert found == [["20", "0"], ["20", "1"]]
