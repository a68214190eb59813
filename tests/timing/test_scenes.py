"""Recorded scenes of what synthetic frames have not: samples, vertex textures, copies, mipmaps, two frame buffers."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tests.reference import multisample_scenes
from tests.reference.es3_scenes import TEXTURE, VERTEX, buffer, filters, quad, use
from tests.reference.test_scenes import record as record_suite
from tilegpu.functional.capture import Recorder
from tilegpu.functional.opengl import enums as gl
from tilegpu.functional.record import record
from tilegpu.timing import Results, load_configuration, replay
from tilegpu.timing.assembly.loader import Loader

SIZE = 64


def run(folder: Path, draw: Callable[[Recorder], None], *overrides: str, frames: int = 1) -> Results:
    """Replay `frames` frames of a scene that sets up and draws in each of them."""
    with Recorder(folder / "scene.trace", SIZE, SIZE, 3) as r:
        for _ in range(frames):
            draw(r)
            r.swap()
    record(folder / "scene.trace", folder / "activity")
    return replay(folder / "activity", load_configuration("ptr-2022", ["dram=simple", *overrides]))


def slanted(r: Recorder, depths: tuple[float, float, float], color: float) -> None:
    """A triangle whose depth changes over the window."""
    corners = np.array([(-0.9, -0.8), (0.95, -0.6), (0.1, 0.93)], np.float32)
    rows = [[*corner, z, 1, color, 1 - color, 0.5, 1] for corner, z in zip(corners, depths, strict=True)]
    buffer(r, gl.ARRAY_BUFFER, np.array(rows, np.float32))
    for location in (0, 1):
        r.glEnableVertexAttribArray(location)
        r.glVertexAttribPointer(location, 4, gl.FLOAT, False, 32, 16 * location)
    r.glDrawArrays(gl.TRIANGLES, 0, 3)


def intersecting(r: Recorder) -> None:
    r.glEnable(gl.DEPTH_TEST)
    slanted(r, (-0.8, 0.9, 0.2), 0.0)
    slanted(r, (0.7, -0.9, 0.1), 1.0)
    slanted(r, (0.3, 0.2, -0.95), 0.3)
    r.glDisable(gl.DEPTH_TEST)


def test_samples_are_tested_where_they_lie(tmp_path: Path) -> None:
    # Slanted triangles that cut each other: the depth of a sample is not that of its pixel's centre.
    results = run(tmp_path, multisample_scenes.in_framebuffer(intersecting))
    s = results.totals()
    assert s["raster.early_depth.mismatched_quads"] == 0 < s["raster.early_depth.killed_fragments"]
    assert s["raster.early_depth.fragments"] > 4 * 1000
    # The resolve reads four samples for every pixel that it writes.
    assert s["memory.dram.read_bytes.transfer"] == 4 * SIZE * SIZE * 4
    assert s["memory.dram.write_bytes.transfer"] == SIZE * SIZE * 4


def test_all_scenes_with_samples_have_the_recorded_outcomes(tmp_path: Path) -> None:
    record_suite(tmp_path / "msaa.trace", "msaa")
    record(tmp_path / "msaa.trace", tmp_path / "activity")
    results = replay(tmp_path / "activity", load_configuration())
    for number, name in zip(results.frames, multisample_scenes.SCENES, strict=True):
        s = results.frame(number)
        assert s["raster.early_depth.mismatched_quads"] == 0 < s["raster.early_depth.quads"], name
        assert s["raster.late_depth.mismatched_quads"] == 0, name


def heights(r: Recorder) -> None:
    """A strip of vertices that read their height from a texture of floats."""
    use(
        r,
        "#version 300 es\nprecision highp float; in vec4 v; out vec4 color; void main() { color = v; }",
        VERTEX.replace("void main", "uniform sampler2D image; void main").replace(
            "v = value", "v = value + textureLod(image, value.xy, 0.0)"
        ),
    )
    r.glBindTexture(gl.TEXTURE_2D, r.glGenTextures(1)[0])
    r.glTexImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, 64, 64, 0, gl.RGBA, gl.UNSIGNED_BYTE, np.full((64, 64, 4), 99, np.uint8))
    filters(r, gl.TEXTURE_2D)
    # Texel coordinates (0, 0), (0.9, 0), (0, 0.9), (0.9, 0.9): four lines of 4 x 4 texels.
    quad(r, -1, -1, 1, 1, corners=[(0, 0, 0, 1), (0.9, 0, 0, 1), (0, 0.9, 0, 1), (0.9, 0.9, 0, 1)])


def test_vertex_shaders_read_textures_through_memory(tmp_path: Path) -> None:
    s = run(tmp_path, heights).totals()
    # The four vertices are a warp; the texture unit takes them one by one.
    assert s["geometry.vertex_processor.tex_instructions"] == s["geometry.vertex_processor.warps"] == 1
    assert s["memory.vertex_cache.misses.texture"] == 4
    assert s["memory.dram.read_bytes.texture"] == 4 * 64
    # Each waits for a line that comes from the DRAM: 100 cycles at least pass while vertices want texels.
    assert s["geometry.vertex_processor.texel_stall_cycles"] > 100


def textured(r: Recorder, name: int) -> None:
    use(r, TEXTURE)
    r.glBindTexture(gl.TEXTURE_2D, name)
    quad(r, -1, -1, 1, 1)


def mipmapped(r: Recorder) -> None:
    name = r.glGenTextures(1)[0]
    r.glBindTexture(gl.TEXTURE_2D, name)
    r.glTexImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, 32, 32, 0, gl.RGBA, gl.UNSIGNED_BYTE, np.zeros((32, 32, 4), np.uint8))
    r.glGenerateMipmap(gl.TEXTURE_2D)
    filters(r, gl.TEXTURE_2D, gl.LINEAR_MIPMAP_NEAREST, gl.LINEAR)
    textured(r, name)


LEVELS = [4 * side * side for side in (32, 16, 8, 4, 2, 1)]


@pytest.mark.parametrize(("uploads", "uploaded"), [("host", 0), ("unit", 1)])
def test_mipmaps_are_made_level_from_level(tmp_path: Path, uploads: str, uploaded: int) -> None:
    s = run(tmp_path, mipmapped, f"transfer_unit.uploads={uploads}").totals()
    vertices = 4 * 32  # the quad's vertex buffer
    assert s["memory.dram.read_bytes.transfer"] == sum(LEVELS[:-1]) + uploaded * (LEVELS[0] + vertices)
    assert s["memory.dram.write_bytes.transfer"] == sum(LEVELS[1:]) + uploaded * (LEVELS[0] + vertices)
    assert (s["gpu.transfer_cycles"] > 100) == (s["memory.dram.write_bytes.transfer"] > 0)


def drawn_to(r: Recorder) -> None:
    """A texture that is drawn to and then read, twice in a frame."""
    texture, framebuffer = r.glGenTextures(1)[0], r.glGenFramebuffers(1)[0]
    r.glBindTexture(gl.TEXTURE_2D, texture)
    r.glTexImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, 32, 32, 0, gl.RGBA, gl.UNSIGNED_BYTE, None)
    filters(r, gl.TEXTURE_2D)
    for _ in range(2):
        use(r)
        r.glBindFramebuffer(gl.FRAMEBUFFER, framebuffer)
        r.glViewport(0, 0, 32, 32)
        r.glFramebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, texture, 0)
        r.glClear(gl.COLOR_BUFFER_BIT)
        quad(r, -1, -1, 1, 1)
        r.glBindFramebuffer(gl.FRAMEBUFFER, 0)
        r.glViewport(0, 0, SIZE, SIZE)
        textured(r, texture)


def test_caches_forget_what_was_drawn_to(tmp_path: Path) -> None:
    s = run(tmp_path, drawn_to).totals()
    # 32 x 32 texels of four bytes are 64 lines. They are read after each of the two passes that draw them, from the
    # DRAM both times; between, the L2 and the texture caches hold them and forget them.
    assert s["memory.dram.read_bytes.texture"] == 2 * 64 * 64
    assert s["memory.l2_cache.forgotten"] == 64
    assert s["memory.texture_cache.forgotten"] >= 64


def test_frames_go_to_two_buffers_in_turn(tmp_path: Path) -> None:
    run(tmp_path, lambda r: (use(r), quad(r, -1, -1, 1, 1))[0], frames=3)
    addresses = {}
    for buffers in (1, 2):
        loader = Loader(tmp_path / "activity", load_configuration("ptr-2022", [f"frame_buffers={buffers}"]))
        addresses[buffers] = [int(loader.load(n).commands.target["address"][0]) for n in range(3)]
    assert len(set(addresses[1])) == 1
    assert addresses[2][0] == addresses[2][2] != addresses[2][1]
    assert abs(addresses[2][1] - addresses[2][0]) >= SIZE * SIZE * 4
