"""Techniques that change what is tested and shaded leave the pictures of real applications as they are."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tilegpu.functional.player import FrameRange
from tilegpu.functional.record import record
from tilegpu.timing.config import load_configuration
from tilegpu.timing.loading.load import Loader

CAPTURES = (
    "buffer_map_360p", "build_novbo_360p", "build_vbo_360p", "bump_height_360p", "desktop_shadow_360p",
    "effect2d_blur5_360p", "es2gears_360p", "es2tri", "es3", "game_chromiumbsu_480p", "game_etr_720p", "gst_effects",
    "gtk4_factory", "ideas_360p", "mpv_es", "pulsar_360p", "qtquick", "shading_blinn_360p", "texture_mipmap_360p",
)  # fmt: skip
SCENES = ("courtyard", "runner", "sprites")
TECHNIQUES = {
    "tile_based": ("visibility_rendering_order", "deferred_rendering"),
    "immediate": ("visibility_rendering_order", "z_prepass"),
}


def check(machine: Any, activity: Path) -> None:
    """Compare who wrote each pixel with program order, on all machines."""
    from tilegpu.timing.techniques import writers

    for kind, techniques in TECHNIQUES.items():
        for technique in techniques:
            settings = (f"machine={kind}", f"techniques={technique}+writers")
            gpu = machine(*settings)
            loader = Loader(activity, load_configuration("ptr-2022", ["dram=simple", *settings]))
            for number in loader.frames:
                frame = loader.load(number)
                stats = gpu.run(frame)
                own = frame.extra[1]
                wrong = int((own.written != writers.in_program_order(frame, own)).sum())
                assert wrong == 0, f"{technique} on {kind}, frame {number}: {wrong} pixels"
                assert stats["fragment.processor.unrecorded_quads"] == 0


@pytest.mark.slow
@pytest.mark.parametrize("name", CAPTURES)
def test_captures(machine: Any, plugins: None, captures: Path, tmp_path: Path, name: str) -> None:
    record(captures / f"{name}.trace", tmp_path / "activity", FrameRange(0, 3), "all")
    check(machine, tmp_path / "activity")


@pytest.mark.slow
@pytest.mark.parametrize("name", SCENES)
def test_scenes(machine: Any, plugins: None, scenes: Path, tmp_path: Path, name: str) -> None:
    record(scenes / f"{name}.trace", tmp_path / "activity", FrameRange(0, 3), "all")
    check(machine, tmp_path / "activity")
