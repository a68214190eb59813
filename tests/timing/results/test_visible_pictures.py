"""Techniques that change what is tested, shaded or kept leave the pictures of real applications as they are."""

from __future__ import annotations

from pathlib import Path

import pytest

from tilegpu.functional.frame_ranges import FrameRange
from tilegpu.functional.record import record
from tilegpu.timing import load_configuration, replay

CAPTURES = (
    "buffer_map_360p", "build_novbo_360p", "build_vbo_360p", "bump_height_360p", "desktop_shadow_360p",
    "effect2d_blur5_360p", "es2gears_360p", "es2tri", "es3", "game_chromiumbsu_480p", "game_etr_720p", "gst_effects",
    "gtk4_factory", "ideas_360p", "mpv_es", "pulsar_360p", "qtquick", "shading_blinn_360p", "texture_mipmap_360p",
)  # fmt: skip
SCENES = ("courtyard", "runner", "sprites")
MACHINES = {
    "ptr-2022-2ru": ("none", "rendering_elimination", "visibility_rendering_order", "deferred_rendering"),
    "imr-2018-vro": ("visibility_rendering_order", "z_prepass"),
}
FRAMES = 3


def check(trace: Path, folder: Path) -> None:
    """Compare each machine's own pictures with the recorded ones."""
    frames = 1 if trace.stem == "es2tri" else FRAMES
    record(trace, folder, FrameRange(0, frames), "all", groups=frozenset(("colors", "pass_images")))
    for preset, techniques in MACHINES.items():
        for technique in techniques:
            results = replay(folder, load_configuration(preset, [f"techniques={technique}"]), check_images=True)
            found = results.totals()
            assert found["pictures.pixels"] > 0
            assert found["pictures.different_pixels"] == 0, f"{technique} on {preset}"
            assert found["fragment.processor.unrecorded_quads"] == 0


@pytest.mark.slow
@pytest.mark.parametrize("name", CAPTURES)
def test_captures(captures: Path, tmp_path: Path, name: str) -> None:
    check(captures / f"{name}.trace", tmp_path / "activity")


@pytest.mark.slow
@pytest.mark.parametrize("name", SCENES)
def test_scenes(scenes: Path, tmp_path: Path, name: str) -> None:
    check(scenes / f"{name}.trace", tmp_path / "activity")
