"""Compiled kernels on disk: processes that compile at once do not spoil each other's."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.examples import examples

from .processes import printed

KERNEL = """
import sys
import time
import numpy as np
from tilegpu.functional.jit import disk_cache, kernel

load = disk_cache._Files._load_index

def slow(self):
    found = load(self)
    time.sleep(0.2)
    return found

disk_cache._Files._load_index = slow

@kernel
def doubled(values):
    return (values + values).sum()

values = np.arange(5).astype(sys.argv[1])
print(doubled(values), int(sum(doubled.stats.cache_hits.values()) > 0))
"""
KINDS = ("int16", "int64", "float32")


def test_processes_save_one_at_a_time(tmp_path: Path) -> None:
    """Between reading the index and writing it, each process waits: without a lock they would take the same number."""
    (tmp_path / "doubling.py").write_text(KERNEL)
    group = [("doubling.py", kind) for kind in KINDS]
    first, second = ([each.split() for each in texts] for texts in printed(tmp_path, group, group))
    assert [float(total) for total, _ in first] == [20.0] * len(KINDS)
    assert [(float(total), hit) for total, hit in second] == [(20.0, "1")] * len(KINDS)


def test_one_process_compiles_what_several_want(tmp_path: Path) -> None:
    """The others wait for it, and find it on disk."""
    (tmp_path / "doubling.py").write_text(KERNEL)
    (found,) = printed(tmp_path, [("doubling.py", "int32")] * 3)
    assert sorted(text.split()[1] for text in found) == ["0", "1", "1"]


def test_the_same_sources_at_another_place_compile_nothing(tmp_path: Path) -> None:
    """As where an installation is moved, or made a second time."""
    groups = []
    for place in ("here", "there"):
        script = tmp_path / place / "doubling.py"
        script.parent.mkdir()
        script.write_text(KERNEL)
        groups.append([(str(script), "int32")])
    assert printed(tmp_path, *groups) == [["20 0\n"], ["20 1\n"]]


class _Planted:
    """An object whose pickle, when it is read, leaves a file."""

    def __init__(self, proof: Path) -> None:
        self._proof = proof

    def __reduce__(self) -> tuple[Callable[..., None], tuple[str]]:
        return Path.touch, (Path(self._proof),)  # type: ignore[return-value]


@pytest.mark.parametrize("ending", ["nbi", "nbc"])
def test_damaged_files_are_compiled_again(tmp_path: Path, ending: str) -> None:
    """Nothing in a file is used before its digest: neither cut or changed bytes nor what someone appended is read."""
    (tmp_path / "doubling.py").write_text(KERNEL)
    run = [[("doubling.py", "int32")]]
    assert printed(tmp_path, *run) == [["20 0\n"]]
    (file,) = (tmp_path / "cache").rglob(f"*.{ending}")
    whole, proof = file.read_bytes(), tmp_path / "executed"
    middle = len(whole) // 2
    planted = pickle.dumps(_Planted(proof))
    changed = whole[:middle] + bytes([whole[middle] ^ 4]) + whole[middle + 1 :]
    contents = (changed, planted + whole, b"", whole[:middle], whole + planted, planted)
    for content in contents[: examples(2, len(contents))]:
        file.write_bytes(content)
        assert printed(tmp_path, *run, *run) == [["20 0\n"], ["20 1\n"]]
    assert not proof.exists()
