"""Small scenes, one per feature, beside Mesa replaying the same trace: softpipe, or llvmpipe for several samples."""

import os
import subprocess
from collections.abc import Callable
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from tilegpu.functional.activity import Activity
from tilegpu.functional.capture import Recorder
from tilegpu.functional.comparison import compare_images
from tilegpu.functional.gles.extensions import EXTENSIONS
from tilegpu.functional.opengl import egl_enums as egl
from tilegpu.functional.opengl import enums as gl
from tilegpu.functional.player import Player
from tilegpu.functional.record import record as record_activity

from . import (
    advanced_blending_scenes,
    desktop_scenes,
    es3_scenes,
    extension_scenes,
    feedback_scenes,
    fixed_scenes,
    gather_scenes,
    helper_scenes,
    later_scenes,
    level_scenes,
    multisample_scenes,
    multisample_texture_scenes,
    scenes,
    srgb_scenes,
    state_scenes,
    stencil_scenes,
    texture_scenes,
)

SIZE = 64
MAX_OVER_PERCENT, MIN_PSNR_DB = 1.0, 46.0
EXACT = (
    "texture_format_rgb",
    "texture_format_luminance",
    "incomplete_texture",
    "culling",
    "stencil",
)
"""Scenes of unfiltered, unblended content: equal to the last bit."""
Pairs = dict[str, tuple[np.ndarray, np.ndarray]]


def reset(r: Recorder) -> None:
    """State of ES 2.0 as a new context has it, as far as scenes change it."""
    for capability in gl.CAPABILITIES:
        if capability not in (
            gl.PRIMITIVE_RESTART_FIXED_INDEX,
            gl.RASTERIZER_DISCARD,
            gl.FRAMEBUFFER_SRGB,
            gl.SAMPLE_MASK,
            gl.BLEND_ADVANCED_COHERENT_KHR,
        ):
            r.glDisable(capability)
    r.glViewport(0, 0, SIZE, SIZE)
    r.glDepthFunc(gl.LESS)
    r.glDepthMask(True)
    r.glDepthRangef(0, 1)
    r.glColorMask(1, 1, 1, 1)
    r.glCullFace(gl.BACK)
    r.glFrontFace(gl.CCW)
    r.glStencilMask(0xFF)
    r.glStencilFunc(gl.ALWAYS, 0, 0xFF)
    r.glStencilOp(gl.KEEP, gl.KEEP, gl.KEEP)
    r.glPixelStorei(gl.UNPACK_ALIGNMENT, 4)
    r.glClearColor(0.1, 0.15, 0.2, 1)
    r.glClearStencil(0)
    r.glClear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT | gl.STENCIL_BUFFER_BIT)


def reset_programmable(r: Recorder) -> None:
    """The same, with what ES 1.1 lacks."""
    reset(r)
    r.glBlendEquation(gl.FUNC_ADD)


def reset_fixed(r: Recorder) -> None:
    """State of ES 1.1 as a new context has it, as far as scenes change it."""
    reset(r)
    for capability in sorted(gl.FIXED_CAPABILITIES - {0x8861}):
        r.glDisable(capability)
    for unit in (1, 0):
        r.glActiveTexture(gl.TEXTURE0 + unit)
        r.glDisable(gl.TEXTURE_2D)
        r.glTexEnvi(fixed_scenes.TEXTURE_ENV, fixed_scenes.ENV_MODE, fixed_scenes.MODULATE)
        r.glTexEnvf(fixed_scenes.TEXTURE_ENV, 0x8573, 1.0)
    for mode in (fixed_scenes.TEXTURE, fixed_scenes.PROJECTION, fixed_scenes.MODELVIEW):
        r.glMatrixMode(mode)
        r.glLoadIdentity()
    r.glShadeModel(0x1D01)
    r.glColor4f(1, 1, 1, 1)


MOST_REPLAYS = 6

SUITES: dict[str, tuple[int | None, dict[str, Callable[[Recorder], None]], Callable[[Recorder], None]]] = {
    "es2": (2, scenes.SCENES, reset_programmable),
    "es1": (1, fixed_scenes.SCENES, reset_fixed),
    "desktop": (None, desktop_scenes.SCENES | desktop_scenes.OF_ES_1, reset_fixed),
    "desktop points": (None, desktop_scenes.POINTS, reset_fixed),
    "es3": (3, es3_scenes.SCENES, reset_programmable),
    "extensions": (2, extension_scenes.SCENES, reset_programmable),
    "later": (3, later_scenes.SCENES, reset_programmable),
    "gather": (3, gather_scenes.SCENES, reset_programmable),
    "feedback": (3, feedback_scenes.SCENES, reset_programmable),
    "textures": (3, texture_scenes.SCENES | srgb_scenes.SCENES | stencil_scenes.SCENES, reset_programmable),
    "states": (3, state_scenes.SCENES, reset_programmable),
    "levels": (3, level_scenes.SCENES, reset_programmable),
    "advanced blending": (3, advanced_blending_scenes.SCENES, reset_programmable),
    "helpers": (3, helper_scenes.SCENES, reset_programmable),
    "msaa": (3, multisample_scenes.SCENES, reset_programmable),
    "msaa textures": (3, multisample_texture_scenes.SCENES | stencil_scenes.SEVERAL, reset_programmable),
}


def record(path: Path, suite: str) -> None:
    """All scenes of a suite, one frame each; the state is set back between them."""
    version, drawn, prepare = SUITES[suite]
    with Recorder(path, SIZE, SIZE, version) as r:
        for draw in drawn.values():
            prepare(r)
            draw(r)
            r.swap()


def replay(trace: Path, driver: str, eglretrace: str) -> list[np.ndarray]:
    """Frames that a driver of Mesa's draws."""
    environment = dict(os.environ, WAFFLE_PLATFORM="surfaceless_egl", LIBGL_ALWAYS_SOFTWARE="1", GALLIUM_DRIVER=driver)
    command = [eglretrace, "--headless", "-s", str(trace.with_suffix("")) + "_", str(trace)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    pictures = sorted(trace.parent.glob(f"{trace.stem}_*.png"))
    return [np.asarray(Image.open(path).convert("RGB")) for path in pictures]


def replay_until_two_agree(trace: Path, driver: str, eglretrace: str) -> list[np.ndarray]:
    """Frames that a driver of Mesa's has drawn alike in two replays: softpipe draws the scene `vertex_bindings` from
    memory that nobody set in one replay of eight, each time otherwise."""
    replays = [replay(trace, driver, eglretrace)]
    for _ in range(MOST_REPLAYS):
        replays.append(replay(trace, driver, eglretrace))
        agreed = [
            next((a for a, b in combinations(pictures, 2) if np.array_equal(a, b)), None)
            for pictures in zip(*replays, strict=True)
        ]
        found = [picture for picture in agreed if picture is not None]
        if len(found) == len(agreed):
            return found
    raise AssertionError(f"{trace.stem}: no two of {len(replays)} replays agree")


def render_both(suite: str, folder: Path, eglretrace: str) -> Pairs:
    """Our image and Mesa's, per scene of a suite."""
    trace = folder / f"{suite}.trace"
    record(trace, suite)
    # softpipe has neither several samples nor advanced equations, nor the size of points of desktop OpenGL.
    driver = "llvmpipe" if suite.startswith(("msaa", "advanced", "desktop points")) else "softpipe"
    theirs = replay_until_two_agree(trace, driver, eglretrace)
    player = Player(trace)
    ours = [frame.pixels for frame in player.run()]
    assert not player.warnings
    assert len(ours) == len(theirs) == len(SUITES[suite][1])
    return dict(zip(SUITES[suite][1], zip(ours, theirs, strict=True), strict=True))


@pytest.fixture(scope="module")
def rendered(tmp_path_factory: pytest.TempPathFactory, eglretrace: str) -> dict[str, Pairs]:
    """Both images of every scene, by suite."""
    return {suite: render_both(suite, tmp_path_factory.mktemp(suite), eglretrace) for suite in SUITES}


@pytest.mark.parametrize(
    ("suite", "name"), [(suite, name) for suite, (_, drawn, _) in SUITES.items() for name in sorted(drawn)]
)
def test_scene_equals_mesas(suite: str, name: str, rendered: dict[str, Pairs]) -> None:
    ours, theirs = rendered[suite][name]
    result = compare_images(ours, theirs)
    if name in EXACT:
        assert result.maximum == 0
    assert result.over_tolerance_percent <= MAX_OVER_PERCENT
    assert result.psnr_db >= MIN_PSNR_DB


def test_every_extension_has_a_scene() -> None:
    named = later_scenes.EXTENSIONS | srgb_scenes.EXTENSIONS | advanced_blending_scenes.EXTENSIONS
    assert sorted([*extension_scenes.SCENES, *named]) == sorted(EXTENSIONS)
    scenes_of = later_scenes.SCENES | srgb_scenes.SCENES | advanced_blending_scenes.SCENES
    assert {*named.values()} <= scenes_of.keys()


@pytest.mark.parametrize("name", sorted(multisample_scenes.DRAWS))
def test_window_of_several_samples(name: str, rendered: dict[str, Pairs], tmp_path: Path) -> None:
    """Mesa's replayer has no such windows; its resolved framebuffer object shows what one must look like."""
    with Recorder(tmp_path / "window.trace", SIZE, SIZE, 3, {egl.SAMPLE_BUFFERS: 1, egl.SAMPLES: 4}) as r:
        reset_programmable(r)
        es3_scenes.use(r)
        r.glClearBufferfv(gl.COLOR, 0, [0.1, 0.2, 0.3, 1.0])
        multisample_scenes.DRAWS[name](r)
        r.swap()
    (frame,) = Player(tmp_path / "window.trace").run()
    result = compare_images(frame.pixels, rendered["msaa"][name][1])
    assert result.over_tolerance_percent <= MAX_OVER_PERCENT
    assert result.psnr_db >= MIN_PSNR_DB


WINDOW_FORMATS = {
    "565": (
        {egl.RED_SIZE: 5, egl.GREEN_SIZE: 6, egl.BLUE_SIZE: 5, egl.ALPHA_SIZE: 0},
        (gl.RGB565, gl.DEPTH24_STENCIL8),
    ),
    "depth_16": ({egl.DEPTH_SIZE: 16}, (gl.RGBA8, gl.DEPTH_COMPONENT16)),
    "depth_24": ({}, (gl.RGBA8, gl.DEPTH24_STENCIL8)),
}


@pytest.mark.parametrize("name", WINDOW_FORMATS)
def test_window_formats(name: str, tmp_path: Path, eglretrace: str) -> None:
    """Mesa draws into a framebuffer object of the window's formats; softpipe truncates depths, so llvmpipe does."""
    config, formats = WINDOW_FORMATS[name]
    draw = multisample_scenes.close_planes
    traces = {"ours": (config, draw), "theirs": ({}, multisample_scenes.in_framebuffer(draw, *formats, samples=0))}
    for file, (attributes, drawn) in traces.items():
        with Recorder(tmp_path / f"{file}.trace", SIZE, SIZE, 3, attributes) as r:
            reset_programmable(r)
            es3_scenes.use(r)
            r.glClearBufferfv(gl.COLOR, 0, [0.1, 0.2, 0.3, 1.0])
            drawn(r)
            r.swap()
    (theirs,) = replay(tmp_path / "theirs.trace", "llvmpipe", eglretrace)
    (frame,) = Player(tmp_path / "ours.trace").run()
    result = compare_images(frame.pixels, theirs)
    assert result.over_tolerance_percent <= MAX_OVER_PERCENT
    assert result.psnr_db >= MIN_PSNR_DB


MESA_DRAWS_ITSELF = frozenset(
    {
        "viewport_and_scissor",
        "stencil",
        "stencil_two_sided",
        "texture_nearest_mipmap_nearest",
        "texture_linear_mipmap_nearest",
        "texture_nearest_mipmap_linear",
        "texture_linear_mipmap_linear",
        "texture_bias_and_lod",
        "copy_to_texture",
        "blits",
        "part_of_the_stencil",
    }
)
"""Here Mesa does a clear, a copy or the making of mipmaps by drawing, and counts what it draws."""
CLIPS_GEOMETRY = frozenset({"clip_plane"})
"""Here Mesa cuts triangles at the clip plane; we discard fragments beyond it, which are shaded first."""


@pytest.mark.parametrize("suite", ["es1", "es2", "es3"])
def test_counts_equal_softpipes(suite: str, tmp_path: Path, eglretrace: str, xvfb_run: str) -> None:
    record(tmp_path / "scenes.trace", suite)
    counters = tmp_path / "counters"
    counters.mkdir()
    environment = dict(
        os.environ,
        GALLIUM_DRIVER="softpipe",
        LIBGL_ALWAYS_SOFTWARE="1",
        GALLIUM_HUD="ps-invocations,clipper-invocations",
        GALLIUM_HUD_PERIOD="0",
        GALLIUM_HUD_VISIBLE="false",
        GALLIUM_HUD_DUMP_DIR=str(counters),
    )
    command = [xvfb_run, "-a", eglretrace, str(tmp_path / "scenes.trace")]
    subprocess.run(command, env=environment, check=True, capture_output=True)
    counted = {p.name.replace("-", "_"): [int(float(v)) for v in p.read_text().split()] for p in counters.iterdir()}
    record_activity(tmp_path / "scenes.trace", tmp_path / "activity", level="summary", snap="none")
    summary = Activity(tmp_path / "activity").table("summary").to_pandas().groupby("frame").sum()
    compared = 0
    # The counters leave out the first frame.
    for frame, name in list(enumerate(SUITES[suite][1]))[1:]:
        if name in MESA_DRAWS_ITSELF:
            continue
        assert summary.primitives.get(frame, 0) == counted["clipper_invocations"][frame - 1], name
        if name not in CLIPS_GEOMETRY:
            assert summary.fragments_shaded.get(frame, 0) == counted["ps_invocations"][frame - 1], name
            compared += 1
    assert compared >= 20
