"""Captured applications beside Mesa softpipe: images, fragment counts, and the way through trace and replay."""

import os
import subprocess
from pathlib import Path

import pytest

from tilegpu import timing
from tilegpu.functional.activity import Activity
from tilegpu.functional.comparison import compare_images, read_image
from tilegpu.functional.player import FrameRange, Player
from tilegpu.functional.record import record

NAMES = (
    "es2tri",
    "es2gears_360p",
    "build_vbo_360p",
    "build_novbo_360p",
    "texture_nearest_360p",
    "texture_linear_360p",
    "texture_mipmap_360p",
    "shading_gouraud_360p",
    "shading_phong_360p",
    "shading_blinn_360p",
)
SEVERAL_FRAMES = NAMES[1:]
IMAGES = (
    *NAMES,
    "buffer_map_360p",
    "bump_height_360p",
    "desktop_shadow_360p",
    "effect2d_blur5_360p",
    "ideas_360p",
    "pulsar_360p",
    "es3",
    "game_etr_720p",
    "game_chromiumbsu_480p",
    "gtk4_factory",
    "qtquick",
    "mpv_es",
    "gst_effects",
)
MAX_OVER_PERCENT, MIN_PSNR_DB = 1.0, 46.0


@pytest.mark.parametrize("name", IMAGES)
def test_images_equal_softpipes(name: str, captures: Path) -> None:
    expected = {int(path.stem[1:]): path for path in (captures / name).glob("f*.png")}
    assert expected
    player = Player(captures / f"{name}.trace")
    for frame in player.run():
        if frame.number in expected:
            result = compare_images(frame.pixels, read_image(expected.pop(frame.number)))
            assert result.over_tolerance_percent <= MAX_OVER_PERCENT
            assert result.psnr_db >= MIN_PSNR_DB
    assert not expected
    # What programs ask beyond the answers they could have changes nothing.
    assert not [line for line in player.warnings if " in glGet" not in line]


@pytest.fixture(scope="module")
def softpipe_counts(captures: Path, xvfb_run: str, eglretrace: str, tmp_path_factory: pytest.TempPathFactory):
    """Counters of softpipe by capture and name; one value per frame but the first."""
    known: dict[tuple[str, str], list[int]] = {}

    def counts(name: str, counter: str) -> list[int]:
        if (name, counter) not in known:
            folder = tmp_path_factory.mktemp("hud")
            environment = dict(
                os.environ,
                GALLIUM_DRIVER="softpipe",
                LIBGL_ALWAYS_SOFTWARE="1",
                GALLIUM_HUD="ps-invocations,clipper-invocations",
                GALLIUM_HUD_PERIOD="0",
                GALLIUM_HUD_VISIBLE="false",
                GALLIUM_HUD_DUMP_DIR=str(folder),
            )
            subprocess.run(
                [xvfb_run, "-a", eglretrace, str(captures / f"{name}.trace")],
                env=environment,
                check=True,
                capture_output=True,
            )
            for file in folder.iterdir():
                known[name, file.name.replace("-", "_")] = [int(float(line)) for line in file.read_text().split()]
        return known[name, counter]

    return counts


@pytest.mark.parametrize("name", SEVERAL_FRAMES)
def test_counts_equal_softpipes(name: str, captures: Path, softpipe_counts, tmp_path: Path) -> None:
    fragments, clipped = softpipe_counts(name, "ps_invocations"), softpipe_counts(name, "clipper_invocations")
    for snap in ("none", "8"):
        record(captures / f"{name}.trace", tmp_path / snap, level="summary", snap=snap)
        frames = Activity(tmp_path / snap).table("summary").to_pandas().groupby("frame").sum().iloc[1:]
        assert len(fragments) == len(frames) >= 1
        assert frames.primitives.tolist() == clipped
        if snap == "none":
            assert frames.fragments_shaded.tolist() == fragments
        else:
            for ours, theirs in zip(frames.fragments_shaded, fragments, strict=True):
                assert abs(ours - theirs) <= 0.005 * theirs


@pytest.mark.parametrize("name", NAMES)
def test_every_quad_comes_through_the_replay(name: str, captures: Path, tmp_path: Path) -> None:
    record(captures / f"{name}.trace", tmp_path / "activity", frames=FrameRange(0, 2))
    activity = Activity(tmp_path / "activity")
    totals = timing.replay(activity.folder, timing.load_configuration("ptr-2022", [])).totals()
    assert totals["raster.rasterizer.quads"] == activity.manifest.rows["quads"]
    assert (
        totals["raster.rasterizer.quads"]
        == totals["raster.early_depth.killed_quads"] + totals["fragment.processor.quads"]
    )
    assert totals["raster.early_depth.mismatched_quads"] == 0
    summary = activity.table("summary").to_pandas().sum()
    assert totals["fragment.processor.quads"] == summary.quads_shaded


def test_all_calls_are_supported(captures: Path) -> None:
    from tilegpu.functional.inspection import inspect_stream

    for name in IMAGES:
        assert inspect_stream(captures / f"{name}.trace").unsupported == {}
