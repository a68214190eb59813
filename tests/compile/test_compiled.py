"""Compiled kernels on disk: processes that compile at once do not spoil each other's."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.examples import examples
from tilegpu.functional.compile import COMPILED

from .processes import printed

pytestmark = pytest.mark.skipif(not COMPILED, reason="kernels are Python")

KERNEL = """
import sys
import numpy as np
from tilegpu.functional.compile import kernel, program

compiled, times = program.compiled, []

def counted(*arguments):
    times.append(arguments)
    return compiled(*arguments)

program.compiled = counted

@kernel
def doubled(values):
    total = 0
    for value in values:
        total += 2 * value
    return total

values = np.arange(5).astype(sys.argv[1])
print(doubled(values), int(not times))
"""
KINDS = ("int16", "int64", "float64")


def test_processes_compile_different_kinds_at_once(tmp_path: Path) -> None:
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


def test_another_text_of_the_same_name_is_compiled(tmp_path: Path) -> None:
    for factor, total in ((2, "20 0"), (3, "30 0"), (2, "20 1")):
        (tmp_path / "doubling.py").write_text(KERNEL.replace("2 * value", f"{factor} * value"))
        assert printed(tmp_path, [("doubling.py", "int32")]) == [[f"{total}\n"]]


def test_damaged_files_are_compiled_again(tmp_path: Path) -> None:
    """Nothing in a file is used before its digest: neither cut or changed bytes nor what someone appended is read."""
    (tmp_path / "doubling.py").write_text(KERNEL)
    run = [[("doubling.py", "int32")]]
    assert printed(tmp_path, *run) == [["20 0\n"]]
    (file,) = (tmp_path / "cache").rglob("*.o")
    whole, proof = file.read_bytes(), tmp_path / "executed"
    middle = len(whole) // 2
    planted = pickle.dumps(_Planted(proof))
    changed = whole[:middle] + bytes([whole[middle] ^ 4]) + whole[middle + 1 :]
    contents = (changed, planted + whole, b"", whole[:middle], whole + planted, planted)
    for content in contents[: examples(2, len(contents))]:
        file.write_bytes(content)
        assert printed(tmp_path, *run, *run) == [["20 0\n"], ["20 1\n"]]
    assert not proof.exists()
