"""apitrace plays changed captures on Mesa, and Mesa's pictures are ours: what a change writes is OpenGL ES."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from tilegpu.functional.comparison import compare_images
from tilegpu.functional.frame_ranges import FrameRange
from tilegpu.functional.trimming import trim
from tilegpu.tools.what_if.catalogue import transformations

from .scenes import changed, opened

SCENE = Path(__file__).parents[2] / "data" / "scenes" / "courtyard.trace"
BY_NAME = {each.name: each for each in transformations()}
WALL = 4


@pytest.mark.parametrize(
    "name, draw",
    [("front_to_back", None), ("half_textures", WALL), ("etc2", WALL), ("astc", WALL), ("leave_out", WALL)],
)
def test_mesa_draws_what_we_draw(name: str, draw: int | None, tmp_path: Path, eglretrace: str) -> None:
    trim(SCENE, tmp_path / "base.trace", FrameRange(2, 4), "swap")
    frame, before = opened(tmp_path / "base.trace", 1)
    after, ours = changed(frame, BY_NAME[name].apply, draw)
    environment = dict(
        os.environ, WAFFLE_PLATFORM="surfaceless_egl", LIBGL_ALWAYS_SOFTWARE="1", GALLIUM_DRIVER="softpipe"
    )
    command = [eglretrace, "--headless", "-s", str(tmp_path / "mesa_"), str(after.path)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert done.returncode == 0 and "error" not in done.stderr.lower(), done.stderr
    picture = sorted(tmp_path.glob("mesa_*.png"))[-1]
    theirs = np.asarray(Image.open(picture).convert("RGB"))
    comparison = compare_images(ours, theirs)
    assert comparison.psnr_db >= 46 and comparison.over_tolerance_percent <= 1, comparison
    # The change is seen, but for the order.
    assert BY_NAME[name].exact == bool((ours == before).all())
