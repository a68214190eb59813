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


SCENE = Path(str(private_numba.__file__)).parents[2] / "data" / "scenes" / "board.trace"
"""A 2D scene, for a frame of which most kernels are compiled."""


def _said(plain: str, *arguments: str) -> str:
    """Output of the command; one line of its errors says that it is slower, if it is."""
    environment = {**os.environ, "TILEGPU_PLAIN_NUMBA": plain}
    command = [sys.executable, "-c", COMMAND, *arguments]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    said = [line for line in done.stderr.splitlines() if "private interfaces" in line]
    assert len(said) == bool(plain), done.stderr
    return done.stdout


def test_one_line_says_why_it_is_slower() -> None:
    """Kernels of all kinds run without private interfaces in test_linking."""
    said = [_said(plain, "info", "--check", str(SCENE)) for plain in ("", "1")]
    assert said[0] == said[1] != ""


@pytest.mark.slow
def test_a_frame_is_the_same(tmp_path: Path) -> None:
    for plain in ("", "1"):
        _said(plain, "render", str(SCENE), "-o", str(tmp_path / f"plain{plain}"), "--frames", "0:1")
    frames = [(tmp_path / f"plain{plain}" / "frame_0000.png").read_bytes() for plain in ("", "1")]
    assert frames[0] == frames[1]
