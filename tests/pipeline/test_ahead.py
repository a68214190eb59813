"""Kernels that two processes compile before the first draw are those that draws need."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tilegpu.functional import ahead
from tilegpu.functional.ahead import BESIDE, HERE
from tilegpu.functional.jit import two_processes
from tilegpu.functional.jit.blocks import types_of_parameters

VERB = {"render": "render", "record": "trace"}
RUN = """
import sys
from numba import types
from numba.core import event
from tilegpu.functional import ahead
from tilegpu.functional.jit.two_processes import compile_kernels

if sys.argv[1] == "alone":
    ahead.compile_beside("{what}")
    sys.exit()

# Buffers that the program maps are bytearrays, others bytes.
ALLOWED = [("widen", (types.uint8[::1], *[types.int64] * 3, types.uint32[::1]))]
made = []

class Listener(event.Listener):
    def on_start(self, event):
        made.append((event.data["dispatcher"].py_func.__name__, event.data["args"]))

    def on_end(self, event):
        pass

event.register("numba:compile", Listener())
compile_kernels(ahead.kernels_of(ahead.HERE["{what}"]))
kernels = [*ahead.HERE["{what}"], *ahead.BESIDE["{what}"]]
wanted = {{k.__name__ for k in kernels}}
ahead.HERE["{what}"] = ()
from tilegpu.tools.main import main
del made[:]
sys.argv[1:] = ["{verb}", *sys.argv[1:]]
try:
    main()
finally:
    print(len(wanted), len(made), [one for one in made if one[0] in wanted and one not in ALLOWED])
"""


KERNELS = dict.fromkeys(k for part in (HERE, BESIDE) for kernels in part.values() for k in kernels)
"""Each once, in the same order in all processes of a test run."""


@pytest.mark.parametrize("kernel", KERNELS)
def test_kernels_declare_their_parameters(kernel: Any) -> None:
    assert len(types_of_parameters(kernel)) == kernel.py_func.__code__.co_argcount


def test_a_parameter_without_a_type_is_named() -> None:
    def kernel(count: int, other: Any, last) -> None:  # type: ignore[no-untyped-def]
        pass

    kernel.__annotations__ = {"count": "int", "other": "Any"}
    with pytest.raises(TypeError, match="other, last"):
        types_of_parameters(kernel)


@pytest.mark.slow
@pytest.mark.parametrize("what", ["render", "record"])
def test_draws_compile_none_of_them_again(scenes: Path, tmp_path: Path, what: str) -> None:
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache")}
    script = tmp_path / "run.py"
    script.write_text(RUN.format(what=what, verb=VERB[what]))
    subprocess.run([sys.executable, str(script), "alone"], env=environment, check=True)
    command = [sys.executable, str(script), str(scenes / "courtyard.trace"), "-o", str(tmp_path / "out")]
    told = subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout.split("\n")[-2]
    wanted, made, again = told.split(" ", 2)
    assert int(wanted) == len((*HERE[what], *BESIDE[what])) and int(made) > 0 and again == "[]"


@pytest.mark.parametrize("what", ["render", "record"])
def test_what_is_on_disk_starts_no_process(monkeypatch: pytest.MonkeyPatch, what: str) -> None:
    started: list[object] = []
    monkeypatch.setattr(two_processes.subprocess, "Popen", lambda *arguments, **options: started.append(arguments))
    two_processes.compile_kernels(ahead.kernels_of(HERE[what]))
    with ahead.compiled_beside(what, lambda: started.append("told")):
        assert not started
