"""apitrace plays twins' traces on Mesa, and Mesa's pictures are ours: with fixed functions, with programs and ETC1."""

import os
import subprocess
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from tilegpu.functional.comparison import compare_images
from tilegpu.functional.player import Player
from tilegpu.tools.workloads.make import make
from tilegpu.tools.workloads.twin_files import find_twin

SLOW = pytest.param("000-cra", marks=pytest.mark.slow)
"""Takes long to make, from the same family as 000-crs and 003-temple, with programs as this one has."""


@pytest.mark.parametrize("name", ["000-crs", SLOW, "003-captain", "002-icommando+window-rgba8", "004-w1", "004-w5"])
def test_mesa_draws_what_we_draw(name: str, tmp_path: Path, eglretrace: str) -> None:
    twin = find_twin(name)
    trace = tmp_path / "twin.trace"
    make(twin.at(twin.width // 4, twin.height // 4), trace, (30.0,))
    environment = dict(
        os.environ, WAFFLE_PLATFORM="surfaceless_egl", LIBGL_ALWAYS_SOFTWARE="1", GALLIUM_DRIVER="softpipe"
    )
    command = [eglretrace, "--headless", "-s", str(tmp_path / "twin_"), str(trace)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    (picture,) = tmp_path.glob("twin_*.png")
    theirs = np.asarray(Image.open(picture).convert("RGB"))
    player = Player(trace)
    (frame,) = player.run()
    assert not player.warnings
    found = compare_images(frame.pixels[..., :3], theirs)
    assert found.psnr_db >= 46, found
