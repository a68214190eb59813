"""Captured applications beside Mesa softpipe: images, fragment counts, and the way through trace and replay."""

import os
import subprocess
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from tilegpu import timing
from tilegpu.functional.activity import Activity
from tilegpu.functional.comparison import compare_images, read_image
from tilegpu.functional.frame_ranges import FrameRange
from tilegpu.functional.player import Player
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
    "es1_gears",
    "imgui_es2",
    "nanovg_es3",
    "raylib_models_cubicmap_rendering",
    "raylib_shaders_shadowmap_rendering",
)
BETWEEN = ("es1_two_win", "prog_persist", "prog_tf", "prog_ubo", "raylib_shaders_julia_set")
"""Captures whose images softpipe and llvmpipe draw differently in single pixels, at edges or chaotic points."""
DEAR = "gtk4_factory", "firefox_webrender"
"""Long captures of many programs, of which other toolkits and games have the same: not in quick runs."""
ALIKE = (
    "build_novbo_360p",
    "texture_nearest_360p",
    "texture_linear_360p",
    "shading_gouraud_360p",
    "shading_blinn_360p",
)
"""Captures of one program with other options: quick runs compare their pictures, but not their counts as well."""
MENDED = (
    "feedback_separate_matrix",
    "fetch_lod_nearest",
    "fetch_offset_volume",
    "firefox_webrender",
    "generate_mipmap_narrow",
    "incomplete_luminance_alpha",
    "int_lod",
    "int_minified",
    "int_volume",
    "integer_textures",
    "polygon_offset_units",
    "red_float",
    "samplers_17",
    "skia_advanced_blend",
    "texture_over_8192",
    "wgpu_cube",
    "wgpu_triangle_glsl",
)
"""Captures of what was once drawn wrong; pictures of one frame are numbered by call."""
OTHERWISE = {
    "sample_coverage": "softpipe has no samples",
    "shadow_trilinear": "softpipe compares in one level",
    "wgpu_cube_es32": "softpipe refuses 320 es; see the test beside llvmpipe",
}
"""Captures whose stored pictures are not right, and why."""
MAX_OVER_PERCENT, MIN_PSNR_DB = 1.0, 46.0


def _quick(names: tuple[str, ...], slow: tuple[str, ...] = DEAR) -> list[Any]:
    return [pytest.param(name, marks=pytest.mark.slow if name in slow else ()) for name in names]


@pytest.mark.parametrize("name", _quick(IMAGES))
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
    # What programs ask beyond the answers they could have changes nothing; raylib writes to no buffer, as on Mesa.
    harmless = " in glGet", "in glBufferSubData (152 calls); first: call 2065"
    assert not [line for line in player.warnings if not any(text in line for text in harmless)]


@pytest.mark.parametrize("name", _quick(MENDED))
def test_mended_faults_stay_mended(name: str, captures: Path) -> None:
    folder = captures / "faults"
    if not (folder / f"{name}.trace").is_file():
        pytest.skip(f"needs faults/{name}.trace in the folder of captures")
    pictures = sorted((folder / name).glob("f*.png"))
    # The first frames of a long capture are enough.
    frames = {f.number: f.pixels for f in islice(Player(folder / f"{name}.trace").run(), 11)}
    numbers = [int(path.stem[1:]) for path in pictures]
    if numbers[0] not in frames:
        numbers = sorted(frames)
    assert len(numbers) == len(pictures)
    expected = {n: path for n, path in zip(numbers, pictures, strict=True) if n in frames}
    assert expected
    for number, path in expected.items():
        result = compare_images(frames[number], read_image(path))
        assert result.over_tolerance_percent <= MAX_OVER_PERCENT
        assert result.psnr_db >= MIN_PSNR_DB


def test_every_stored_picture_is_compared(captures: Path) -> None:
    """No capture with pictures beside it is left out of these lists."""
    found = {path.stem for path in captures.glob("*.trace") if any((captures / path.stem).glob("f*.png"))}
    assert found <= {*IMAGES, *BETWEEN}
    faults = captures / "faults"
    found = {path.stem for path in faults.glob("*.trace") if any((faults / path.stem).glob("f*.png"))}
    assert found <= {*MENDED, *OTHERWISE}


def _on_llvmpipe(trace: Path, folder: Path, eglretrace: str) -> list[Path]:
    """Frames that llvmpipe draws."""
    environment = dict(
        os.environ, WAFFLE_PLATFORM="surfaceless_egl", LIBGL_ALWAYS_SOFTWARE="1", GALLIUM_DRIVER="llvmpipe"
    )
    command = [eglretrace, "--headless", "-s", str(folder / "frame_"), str(trace)]
    subprocess.run(command, env=environment, check=True, capture_output=True)
    return sorted(folder.glob("frame_*.png"))


@pytest.mark.parametrize("name", BETWEEN)
def test_images_lie_between_mesas(name: str, captures: Path, eglretrace: str, tmp_path: Path) -> None:
    """Our pictures differ from one of Mesa's drivers no more than its two drivers do from each other."""
    theirs = _on_llvmpipe(captures / f"{name}.trace", tmp_path, eglretrace)
    expected = {int(path.stem[1:]): read_image(path) for path in (captures / name).glob("f*.png")}
    compared = 0
    for frame in Player(captures / f"{name}.trace").run():
        if frame.number in expected:
            softpipe, llvmpipe = expected[frame.number], read_image(theirs[frame.number])
            apart = compare_images(softpipe, llvmpipe)
            result = compare_images(frame.pixels, softpipe)
            assert result.over_tolerance_percent <= max(apart.over_tolerance_percent, 0.01)
            assert result.psnr_db >= min(apart.psnr_db - 0.1, MIN_PSNR_DB)
            compared += 1
    assert compared


def test_shaders_of_320_draw_what_those_of_300_do(captures: Path, eglretrace: str, tmp_path: Path) -> None:
    """softpipe refuses 320 es, so the pictures are llvmpipe's."""
    trace = captures / "faults" / "wgpu_cube_es32.trace"
    if not trace.is_file():
        pytest.skip("needs faults/wgpu_cube_es32.trace in the folder of captures")
    theirs = _on_llvmpipe(trace, tmp_path, eglretrace)
    frames = list(Player(trace).run())
    assert len(theirs) == len(frames) > 1
    for frame, path in zip(frames, theirs, strict=True):
        assert frame.pixels.any()
        assert compare_images(frame.pixels, read_image(path)).over_tolerance_percent <= MAX_OVER_PERCENT


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


@pytest.mark.parametrize("name", _quick(SEVERAL_FRAMES, ALIKE))
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


@pytest.mark.parametrize("name", _quick(NAMES, ALIKE))
def test_every_quad_comes_through_the_replay(name: str, captures: Path, tmp_path: Path) -> None:
    frames = FrameRange(0, 1 if name == "es2tri" else 2)
    record(captures / f"{name}.trace", tmp_path / "activity", frames=frames)
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
