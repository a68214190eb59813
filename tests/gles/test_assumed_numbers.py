"""Uniforms whose locations a capture never asks for."""

from __future__ import annotations

import subprocess
from pathlib import Path

import numpy as np
import pytest

from tilegpu.functional.capture import Trace
from tilegpu.functional.capture.writer import TraceWriter
from tilegpu.functional.player import FrameRange, Player

ASKED = {"glGetUniformLocation", "glGetActiveUniform", "glGetProgramResourceiv", "glGetProgramResourceLocation"}
FIRST = FrameRange(0, 2)
KEPT, LAST = "0,3", FrameRange(3, 4)
"""Frames that apitrace keeps, and the one of the whole capture that the last of them is."""
CUT = {"es2gears_360p": False, "ideas_360p": True, "pulsar_360p": False}
"""Captures of which each frame sets what it draws with, and whether frames that ask for locations are cut."""
CAPTURES = ("es2gears_360p", "es3", "prog_ubo", "build_vbo_360p", "qtquick")


def unasked(source: Path, path: Path) -> Path:
    """A capture without the calls that ask for locations of uniforms, as if they lay in frames that were cut."""
    with TraceWriter(path) as writer:
        for call in Trace(source):
            if call.name not in ASKED:
                writer.write(call)
    return path


@pytest.mark.parametrize("name", CAPTURES)
def test_captures_of_mesa_look_the_same_without_asking(captures: Path, tmp_path: Path, name: str) -> None:
    """All of these were made with Mesa, whose numbers were recorded; these decide in the first picture."""
    cut = Player(unasked(captures / f"{name}.trace", tmp_path / "cut.trace"), FIRST)
    for told, assumed in zip(Player(captures / f"{name}.trace", FIRST).run(), cut.run(), strict=True):
        assert np.array_equal(told.pixels, assumed.pixels)
    assert any("numbered as Mesa does it" in line for line in cut.warnings)


@pytest.mark.parametrize("name", CUT)
def test_captures_that_apitrace_cut_look_the_same(captures: Path, tmp_path: Path, apitrace: str, name: str) -> None:
    """apitrace's own trim keeps the calls of some frames, whatever those need of the others."""
    whole, cut = captures / f"{name}.trace", tmp_path / "cut.trace"
    command = [apitrace, "trim", f"--frames={KEPT}", "-o", str(cut), str(whole)]
    subprocess.run(command, check=True, capture_output=True)
    player = Player(cut)
    _, trimmed = player.run()
    (expected,) = Player(whole, LAST).run()
    assert expected.pixels.any()
    assert np.array_equal(trimmed.pixels, expected.pixels)
    assert any("numbered as Mesa does it" in line for line in player.warnings) == CUT[name]
