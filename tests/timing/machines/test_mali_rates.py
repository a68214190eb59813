"""Rates of Midgard, Bifrost and Valhall: small programs, whose cycles are counted by hand."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import mkdtemp

import numpy as np
import pytest
from conftest import Machine

from tilegpu.functional.capture import Recorder
from tilegpu.functional.record import record
from tilegpu.timing import load_configuration
from tilegpu.timing.assembly.loader import Loader

pytestmark = pytest.mark.engine("unified")

SIZE = 64
THREADS = {"mali-midgard": 4, "mali-bifrost": 8, "mali-valhall": 16}
VERTEX = """
attribute vec2 p;
varying highp vec4 v, w, x, y;
void main() { gl_Position = vec4(p, 0.0, 1.0); v = p.xyxy; w = p.yxyx; x = p.xxyy; y = p.yyxx; }
"""
HEAD = "precision {0} float; varying {0} vec4 v, w, x, y; uniform vec4 a, b; uniform sampler2D s; "
STEPS = 16
PROGRAMS = {
    "multiply-adds": "vec4 r = v;" + "r = r * a + b;" * STEPS + "gl_FragColor = r;",
    "sums": "vec4 r = v;" + "r = r + a; r = r + b;" * (STEPS // 2) + "gl_FragColor = r;",
    "minima": "vec4 r = v;" + "r = min(r + a, b);" * STEPS + "gl_FragColor = r;",
    "roots": "float r = v.x;" + "r = inversesqrt(r);" * STEPS + "gl_FragColor = vec4(r);",
    "varyings": "gl_FragColor = v + w + x + y;",
    "texels": "vec4 r = v;" + "r = texture2D(s, r.xy);" * STEPS + "gl_FragColor = r;",
}
COVERAGE_AND_BLENDING = 2
"""Operations of Bifrost's ADD unit at the end of a program."""


@cache
def activity(name: str, precision: str) -> Path:
    """Activity of a frame that a program draws."""
    folder = Path(mkdtemp())
    with Recorder(folder / "a.trace", SIZE, SIZE) as gl:
        fragment = HEAD.format(precision) + "void main() {" + PROGRAMS[name] + "}"
        gl.glUseProgram(gl.program(VERTEX, fragment, ("p",)))
        (texture,) = gl.glGenTextures(1)
        gl.glBindTexture(0x0DE1, texture)
        gl.glTexParameteri(0x0DE1, 0x2801, 0x2600)
        gl.glTexImage2D(0x0DE1, 0, 0x1908, 4, 4, 0, 0x1908, 0x1401, np.zeros(64, np.uint8).tobytes())
        gl.glBindBuffer(0x8892, gl.glGenBuffers(1)[0])
        corners = np.array([(-1, -1), (1, -1), (-1, 1)], np.float32).tobytes()
        gl.glBufferData(0x8892, len(corners), corners, 0x88E4)
        gl.glEnableVertexAttribArray(0)
        gl.glVertexAttribPointer(0, 2, 0x1406, False, 0, 0)
        gl.glDrawArrays(4, 0, 3)
        gl.swap()
    record(folder / "a.trace", folder / "activity")
    return folder / "activity"


def drawn(preset: str, name: str, precision: str, *settings: str) -> dict[str, float]:
    """Statistics of the frame on one core."""
    usual = ["techniques=none", "dram=simple", "simt_core.clusters=1", "raster_units=2", "quad_cycles=0"]
    c = load_configuration(preset, [*usual, *settings])
    return Machine(c, True).run(Loader(activity(name, precision), c).load(0))


@pytest.mark.parametrize(
    ("name", "precision", "midgard", "bifrost", "valhall"),
    [
        # A product and its sum go into one bundle of Midgard, whose four threads follow each other; scalar lanes take
        # a cycle for each of four components, or for two of them in half precision.
        ("multiply-adds", "highp", 4 * STEPS, 4 * STEPS, 4 * STEPS),
        ("multiply-adds", "mediump", 4 * STEPS, 2 * STEPS, 2 * STEPS),
        # Both units of Bifrost add, one pipe of Valhall.
        ("sums", "highp", 4 * STEPS, (4 * STEPS + COVERAGE_AND_BLENDING) // 2, 4 * STEPS),
        ("sums", "mediump", 4 * STEPS, (2 * STEPS + COVERAGE_AND_BLENDING) // 2, 2 * STEPS),
        # Minima have Bifrost's ADD unit, so that sums have the other; and another pipe of Valhall than sums. On Midgard
        # vectors are added in the second stage of a bundle, so that each minimum goes with the sum after it.
        ("minima", "highp", 4 * (STEPS + 1), 4 * STEPS + COVERAGE_AND_BLENDING, 4 * STEPS),
        # Special functions: one in a bundle or tuple, a quarter of the rate on Valhall.
        ("roots", "highp", 4 * STEPS, STEPS + COVERAGE_AND_BLENDING, 4 * STEPS),
    ],
)
def test_cycles_of_a_warp(name: str, precision: str, midgard: int, bifrost: int, valhall: int) -> None:
    expected = {"mali-midgard": midgard, "mali-bifrost": bifrost, "mali-valhall": valhall}
    for preset, cycles in expected.items():
        found = drawn(preset, name, precision)
        quads = found["fragment.processor.quads"]
        assert 4 * quads / THREADS[preset] <= found["simt.core.fragment_warps"] <= 1.3 * 4 * quads / THREADS[preset]
        own = found["simt.core.scalar_instructions"] - vertex_cycles(preset, name, precision)
        assert own / found["simt.core.fragment_warps"] == pytest.approx(cycles), preset


def vertex_cycles(preset: str, name: str, precision: str) -> float:
    """Cycles of the one warp of vertices."""
    c = load_configuration(preset, ["techniques=none"])
    frame = Loader(activity(name, precision), c).load(0)
    path = frame.shading.path[frame.shading.stream["path"][0]]
    rows = frame.shading.sequence[path["first"] : path["last"]]
    return float(frame.shading.instruction["cycles"][rows].sum())


@pytest.mark.parametrize("preset", THREADS)
@pytest.mark.parametrize("schedulers", [1, 2])
def test_schedulers_issue_side_by_side(preset: str, schedulers: int) -> None:
    found = drawn(preset, "multiply-adds", "highp", f"simt_core.schedulers={schedulers}")
    busy = 4 * STEPS * found["simt.core.fragment_warps"] / schedulers
    assert busy <= found["gpu.raster_cycles"] < 1.2 * busy + 500


@pytest.mark.parametrize(("precision", "channels"), [("highp", 32), ("mediump", 16)])
@pytest.mark.parametrize("preset", THREADS)
def test_varyings_have_a_unit_of_their_own(preset: str, precision: str, channels: int) -> None:
    # Four vectors of four, of two 16-bit channels each or of one.
    rate = 8
    found = drawn(preset, "varyings", precision, f"simt_core.varying_channels={rate}")
    assert found["simt.core.varying_cycles"] == channels * 4 * found["fragment.processor.quads"] / rate
    assert found["simt.core.varying_cycles"] <= found["gpu.raster_cycles"] < 1.15 * found["simt.core.varying_cycles"]


@pytest.mark.parametrize("preset", THREADS)
def test_texels_come_at_a_rate(preset: str) -> None:
    found = drawn(preset, "texels", "mediump", "simt_core.texture_threads=2")
    filtering = STEPS * 4 * found["fragment.processor.quads"] / 2
    assert filtering <= found["gpu.raster_cycles"] < 1.15 * filtering


@pytest.mark.parametrize("preset", THREADS)
def test_quads_take_time_to_blend(preset: str) -> None:
    found = drawn(
        preset, "varyings", "mediump", "simt_core.varying_channels=0", "simt_core.schedulers=4", "quad_cycles=8"
    )
    # Two Raster Units share them.
    blending = 8 * found["fragment.processor.quads"] / 2
    assert blending <= found["gpu.raster_cycles"] < 1.2 * blending + 500
