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
VERTEX_OF_INTEGERS = """#version 300 es
in vec2 p; out highp vec4 v; void main() { gl_Position = vec4(p, 0.0, 1.0); v = p.xyxy; }
"""
HEAD = "precision {0} float; varying {0} vec4 v, w, x, y; uniform vec4 a, b; uniform sampler2D s; "
HEAD_OF_INTEGERS = (
    "#version 300 es\nprecision {0} float; precision {0} int; in {0} vec4 v; uniform ivec4 i, j; out vec4 color; "
)
STEPS = 16
PROGRAMS = {
    "multiply-adds": "vec4 r = v;" + "r = r * a + b;" * STEPS + "gl_FragColor = r;",
    "sums": "vec4 r = v;" + "r = r + a; r = r + b;" * (STEPS // 2) + "gl_FragColor = r;",
    "minima": "vec4 r = v;" + "r = min(r + a, b);" * STEPS + "gl_FragColor = r;",
    "comparisons": "vec4 r = v;" + "r = step(r, a); r = step(r, b);" * (STEPS // 2) + "gl_FragColor = r;",
    "roundings": "vec4 r = v;" + "r = floor(r + a);" * STEPS + "gl_FragColor = r;",
    "reciprocal roots": "float r = v.x;" + "r = inversesqrt(r);" * STEPS + "gl_FragColor = vec4(r);",
    "roots": "float r = v.x;" + "r = sqrt(r);" * STEPS + "gl_FragColor = vec4(r);",
    "powers": "float r = v.x;" + "r = pow(r, a.x);" * STEPS + "gl_FragColor = vec4(r);",
    "sines": "float r = v.x;" + "r = sin(r);" * STEPS + "gl_FragColor = vec4(r);",
    "varyings": "gl_FragColor = v + w + x + y;",
    "texels": "vec4 r = v;" + "r = texture2D(s, r.xy);" * STEPS + "gl_FragColor = r;",
}
INTEGERS = {
    "integer sums": "int r = int(v.x);" + "r = r + i.x; r = r + j.x;" * (STEPS // 2),
    "integer minima": "int r = int(v.x);" + "r = min(r + i.x, j.x);" * STEPS,
    "integer products": "ivec4 r = ivec4(v);" + "r = r * i;" * STEPS,
    "shifts": "ivec4 r = ivec4(v);" + "r = r << i;" * STEPS,
}
"""Programs that convert one or four floats to integers before, and back to four behind."""
COVERAGE_AND_BLENDING = 2
"""Operations of Bifrost's ADD unit at the end of a program."""


@cache
def activity(name: str, precision: str) -> Path:
    """Activity of a frame that a program draws."""
    folder = Path(mkdtemp())
    with Recorder(folder / "a.trace", SIZE, SIZE) as gl:
        vertex, fragment = VERTEX, HEAD.format(precision) + "void main() {" + PROGRAMS.get(name, "") + "}"
        if name in INTEGERS:
            body = "void main() {" + INTEGERS[name] + "color = vec4(r); }"
            vertex, fragment = VERTEX_OF_INTEGERS, HEAD_OF_INTEGERS.format(precision) + body
        gl.glUseProgram(gl.program(vertex, fragment, ("p",)))
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
    # What a tile reads from memory before it begins would count beside rates in so small a frame.
    begin = ["job_manager.chain_ends=keep", "job_manager.tile_levels=0"]
    c = load_configuration(preset, [*usual, *begin, *settings])
    return Machine(c, True).run(Loader(activity(name, precision), c).load(0))


@pytest.mark.parametrize(
    ("name", "precision", "midgard", "bifrost", "valhall"),
    [
        # A product and its sum go into one bundle of Midgard, whose four threads follow each other; scalar lanes take
        # a cycle for each of four components, or for two of them in half precision. A tuple of Bifrost reads one pair
        # of uniforms, which is of `a`: the words of `b` are moved in tuples of their own.
        ("multiply-adds", "highp", 4 * STEPS, 4 + 4 * STEPS + COVERAGE_AND_BLENDING, 4 * STEPS),
        ("multiply-adds", "mediump", 4 * STEPS, 2 + 2 * STEPS + COVERAGE_AND_BLENDING, 2 * STEPS),
        # Both units of Bifrost add, for two components whose uniforms are a pair; one pipe of Valhall.
        ("sums", "highp", 4 * STEPS, 4 * STEPS // 2 + COVERAGE_AND_BLENDING, 4 * STEPS),
        ("sums", "mediump", 4 * STEPS, 2 * STEPS // 2 + COVERAGE_AND_BLENDING, 2 * STEPS),
        # Minima have Bifrost's ADD unit and read other uniforms than sums: four minima, then two pairs of sums. They
        # have another pipe of Valhall than sums. On Midgard vectors are added in the second stage of a bundle, so that
        # each minimum goes with the sum after it.
        ("minima", "highp", 4 * (STEPS + 1), 6 * STEPS + COVERAGE_AND_BLENDING, 4 * STEPS),
        # Both units of Bifrost compare floats and round; Valhall has another pipe for that. On Midgard a comparison may
        # go to the multiplier or the adder for vectors, one behind the other in a bundle; rounding only to the adder.
        ("comparisons", "highp", 4 * STEPS // 2, 4 * STEPS // 2 + COVERAGE_AND_BLENDING, 4 * STEPS),
        ("roundings", "highp", 4 * 2 * STEPS, (8 * STEPS + COVERAGE_AND_BLENDING) // 2, 4 * STEPS),
        # Special functions: one in a bundle or tuple, a quarter of the rate on Valhall.
        ("reciprocal roots", "highp", 4 * STEPS, STEPS + COVERAGE_AND_BLENDING, 4 * STEPS),
        # A root is two of them, on Midgard one.
        ("roots", "highp", 4 * STEPS, 2 * STEPS + COVERAGE_AND_BLENDING, 2 * 4 * STEPS),
        # A power: table, product and table in three bundles, for scalars are multiplied in the stage of the table; the
        # last one is written to four components and multiplied as a vector before. Bifrost's chain has five tuples: the
        # exponent beside its conversion, the scaled fraction beside its logarithm, their sum, the scaled power beside
        # its conversion, the exponential. Two special functions of Valhall.
        ("powers", "highp", 4 * (3 * STEPS - 1), 5 * STEPS + COVERAGE_AND_BLENDING, 2 * 4 * STEPS),
        # A sine: product and table in two bundles, likewise; on Bifrost five tuples: the angle beside its rounding, the
        # rest of it beside a look-up, a product beside the other one, two multiply-adds, the last one beside a sum.
        ("sines", "highp", 4 * (2 * STEPS - 1), 5 * STEPS + COVERAGE_AND_BLENDING, 2 * 4 * STEPS),
        # Integers: on Bifrost the first conversion, sums with two uniforms in turn, four conversions back, of which the
        # first goes with the last sum. Midgard adds twice in a bundle, and has the first sum beside the conversion.
        ("integer sums", "highp", 4 * (STEPS // 2 + 1), 1 + STEPS + 3 + COVERAGE_AND_BLENDING, 1 + STEPS + 4),
        # The FMA unit has minima, which read another uniform than sums.
        ("integer minima", "highp", 4 * (STEPS + 1), 1 + 2 * STEPS + 3 + COVERAGE_AND_BLENDING, 1 + 2 * STEPS + 4),
        # Valhall's SFU has products and shifts at a quarter of the rate, Bifrost's FMA unit at its own: behind the
        # first conversion, and before coverage and blending. Midgard shifts with the adder, which converts, too.
        ("integer products", "highp", 4 * (STEPS + 1), 1 + 4 * STEPS + COVERAGE_AND_BLENDING, 4 * 4 * STEPS),
        ("shifts", "highp", 4 * (STEPS + 2), 1 + 4 * STEPS + COVERAGE_AND_BLENDING, 4 * 4 * STEPS),
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
