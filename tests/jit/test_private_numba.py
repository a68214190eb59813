"""Without Numba's private interfaces everything works, and one line says so."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numba
import pytest
from numba.core import codegen

from tilegpu.functional.jit import private_numba

COMMAND = "from tilegpu.tools.main import main; main()"


def test_this_version_has_them() -> None:
    assert private_numba.PLAIN == ""


@pytest.mark.parametrize("version", ["0.61.2", "0.69.0", "1.0.0", "0.70.0rc1"])
def test_versions_that_nobody_tried_are_left_alone(monkeypatch: pytest.MonkeyPatch, version: str) -> None:
    monkeypatch.setattr(numba, "__version__", version)
    assert version in private_numba._reason()


def test_what_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(codegen.CPUCodeLibrary, "_optimize_final_module")
    assert private_numba._reason().endswith("has no numba.core.codegen.CPUCodeLibrary._optimize_final_module")


def test_a_frame_is_the_same_and_one_line_says_why_it_is_slower(tmp_path: Path) -> None:
    """The bundled board, a 2D scene: with and without them."""
    frames = {}
    for plain in ("", "1"):
        environment = {**os.environ, "TILEGPU_PLAIN_NUMBA": plain}
        scene = Path(str(private_numba.__file__)).parents[2] / "data" / "scenes" / "board.trace"
        command = [sys.executable, "-c", COMMAND, "render", str(scene), "-o", str(tmp_path / f"plain{plain}")]
        done = subprocess.run([*command, "--frames", "0:1"], env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        said = [line for line in done.stderr.splitlines() if "private interfaces" in line]
        assert len(said) == bool(plain), done.stderr
        frames[plain] = (tmp_path / f"plain{plain}" / "frame_0000.png").read_bytes()
    assert frames[""] == frames["1"]
