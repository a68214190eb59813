"""Small scenes, one per feature, beside Mesa softpipe replaying the same trace."""

import os
import subprocess
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from tilegpu.functional.capture import Recorder
from tilegpu.functional.comparison import compare_images
from tilegpu.functional.gles import enums as gl
from tilegpu.functional.player import Player

from .scenes import SCENES, SIZE

MAX_OVER_PERCENT, MIN_PSNR_DB = 1.0, 46.0
EXACT = ("texture_format_rgb", "texture_format_luminance", "incomplete_texture", "culling", "stencil")
"""Scenes of unfiltered, unblended content: equal to the last bit."""


def record(path: Path) -> None:
    """All scenes, one frame each; the state is set back between them."""
    with Recorder(path, SIZE, SIZE) as r:
        for draw in SCENES.values():
            reset(r)
            draw(r)
            r.swap()


def reset(r: Recorder) -> None:
    """State as a new context has it, as far as scenes change it."""
    for capability in gl.CAPABILITIES:
        if capability not in (gl.DITHER, gl.PRIMITIVE_RESTART_FIXED_INDEX, gl.RASTERIZER_DISCARD):
            r.glDisable(capability)
    r.glDisable(gl.DITHER)
    r.glViewport(0, 0, SIZE, SIZE)
    r.glDepthFunc(gl.LESS)
    r.glDepthMask(True)
    r.glDepthRangef(0, 1)
    r.glColorMask(1, 1, 1, 1)
    r.glCullFace(gl.BACK)
    r.glFrontFace(gl.CCW)
    r.glBlendEquation(gl.FUNC_ADD)
    r.glStencilMask(0xFF)
    r.glStencilFunc(gl.ALWAYS, 0, 0xFF)
    r.glStencilOp(gl.KEEP, gl.KEEP, gl.KEEP)
    r.glPixelStorei(gl.UNPACK_ALIGNMENT, 4)
    r.glClearColor(0.1, 0.15, 0.2, 1)
    r.glClearStencil(0)
    r.glClear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT | gl.STENCIL_BUFFER_BIT)


@pytest.fixture(scope="module")
def rendered(tmp_path_factory: pytest.TempPathFactory, eglretrace: str) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Our image and softpipe's, per scene."""
    folder = tmp_path_factory.mktemp("scenes")
    record(folder / "scenes.trace")
    environment = dict(
        os.environ, WAFFLE_PLATFORM="surfaceless_egl", LIBGL_ALWAYS_SOFTWARE="1", GALLIUM_DRIVER="softpipe"
    )
    command = [eglretrace, "--headless", "-s", str(folder / "frame_"), str(folder / "scenes.trace")]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    theirs = [np.asarray(Image.open(path).convert("RGB")) for path in sorted(folder.glob("frame_*.png"))]
    player = Player(folder / "scenes.trace")
    ours = [frame.pixels for frame in player.run()]
    assert not player.warnings
    assert len(ours) == len(theirs) == len(SCENES)
    return dict(zip(SCENES, zip(ours, theirs, strict=True), strict=True))


@pytest.mark.parametrize("name", sorted(SCENES))
def test_scene_equals_softpipes(name: str, rendered: dict[str, tuple[np.ndarray, np.ndarray]]) -> None:
    ours, theirs = rendered[name]
    result = compare_images(ours, theirs)
    if name in EXACT:
        assert result.maximum == 0
    assert result.over_tolerance_percent <= MAX_OVER_PERCENT
    assert result.psnr_db >= MIN_PSNR_DB
