"""Uniforms whose locations a capture never asks for."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tilegpu.functional.capture import Trace
from tilegpu.functional.capture.writer import TraceWriter
from tilegpu.functional.player import FrameRange, Player

ASKED = {"glGetUniformLocation", "glGetActiveUniform", "glGetProgramResourceiv", "glGetProgramResourceLocation"}
FIRST = FrameRange(0, 2)
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
