"""Kernels that are compiled before the first draw are those that draws need."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tilegpu.functional import ahead
from tilegpu.functional.ahead import KERNELS
from tilegpu.functional.compile import COMPILED
from tilegpu.functional.compile.blocks import kinds_of_parameters

pytestmark = pytest.mark.skipif(not COMPILED, reason="kernels are Python")
VERB = {"render": "render", "record": "trace"}
RUN = """
import json, sys
from tilegpu.functional import ahead
from tilegpu.functional.compile import program

compiled, names = program.compiled, []

def noted(function, *arguments):
    names.append(function.__name__)
    return compiled(function, *arguments)

program.compiled = noted
from tilegpu.tools.main import main
try:
    main()
finally:
    print(json.dumps(names))
"""
EVERY = dict.fromkeys(kernel for kernels in KERNELS.values() for kernel in kernels)
"""Each once, in the same order in all processes of a test run."""


@pytest.mark.parametrize("kernel", EVERY)
def test_kernels_declare_their_parameters(kernel: Any) -> None:
    declared = kinds_of_parameters(kernel.py_func)
    assert declared is not None and len(declared.members) == kernel.py_func.__code__.co_argcount


def test_a_parameter_without_a_type_leaves_the_kinds_open() -> None:
    def kernel(count: int, last) -> None:  # type: ignore[no-untyped-def]
        pass

    assert kinds_of_parameters(kernel) is None


@pytest.mark.slow
@pytest.mark.parametrize("what", ["render", "record"])
def test_the_first_draw_compiles_them_once(scenes: Path, tmp_path: Path, what: str) -> None:
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache")}
    script = tmp_path / "run.py"
    script.write_text(RUN)
    command = [sys.executable, str(script), VERB[what], str(scenes / "courtyard.trace"), "-o", str(tmp_path / "out")]
    printed = subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout
    names = json.loads(printed.split("\n")[-2])
    expected = [kernel.__name__ for kernel in KERNELS[what]]
    assert names[: len(expected)] == expected and len(set(names)) == len(names)


@pytest.mark.parametrize("what", ["render", "record"])
def test_users_are_told_only_where_something_is_compiled(what: str) -> None:
    for kernel in KERNELS[what]:
        kernel.prepare()
    started: list[None] = []
    ahead.compile_first(what, lambda: started.append(None))
    assert not started
