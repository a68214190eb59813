"""Captures of desktop OpenGL beside the pictures that drivers of real GPUs gave."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from tilegpu.functional.capture import Trace
from tilegpu.functional.frame_ranges import FrameRange
from tilegpu.functional.player import Player

QUICK = {"build_vbo", "cel", "ideas_trimmed"}
NAMES = ("build_vbo", "cel", "conditionals", "desktop_shadow", "edge", "function_low", "ideas_trimmed", "shadow")
MOST_SHARE = {"i965": 0.0001, "vc4": 0.02}
VC4_ALONE = {"conditionals": 0.2, "ideas_trimmed": 0.055}
"""From these vc4 differs as much from softpipe."""


@pytest.mark.parametrize("name", [pytest.param(n, marks=() if n in QUICK else pytest.mark.slow) for n in NAMES])
def test_pictures_of_other_drivers(captures: Path, name: str) -> None:
    folder = captures / "glx"
    if not folder.is_dir():
        pytest.skip("no captures of desktop OpenGL")
    path = folder / f"{name}.trace"
    swaps = [call.number for call in Trace(path) if call.name == "glXSwapBuffers"]
    frames = {frame.number: frame.pixels for frame in Player(path, FrameRange(0, len(swaps))).run()}
    for picture in folder.glob(f"{name}.*.png"):
        _, driver, call = re.fullmatch(r"(\w+)\.(\w+)\.(\d+)\.png", picture.name).groups()
        expected = np.asarray(Image.open(picture).convert("RGB")).astype(int)
        drawn = frames[swaps.index(int(call))][..., :3].astype(int)
        share = (np.abs(drawn - expected).max(axis=2) > 2).mean()
        most = VC4_ALONE.get(name, MOST_SHARE[driver]) if driver == "vc4" else MOST_SHARE[driver]
        assert share <= most, (picture.name, share)
