"""`tilegpu shader --config`: cycles of small shaders in each pipeline of Mali GPUs, worked out by hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from tilegpu.tools.main import app

VERTEX = "attribute vec4 p; varying vec4 v; void main() { gl_Position = p; v = p; }"
HEAD = "precision highp float; varying vec4 v; uniform vec4 a, b; uniform sampler2D s; void main() { "
VALHALL, BIFROST, MIDGARD = "mali-g78ae-mc2", "mali-g52-mc1", "mali-t860-mp4"


def shaders(folder: Path, body: str, preset: str, vertex: str = VERTEX, head: str = HEAD) -> list[dict[str, Any]]:
    """Records of the vertex and the fragment shader."""
    (folder / "a.vert").write_text(vertex)
    (folder / "a.frag").write_text(head + body + " }")
    arguments = ["shader", str(folder / "a.vert"), str(folder / "a.frag"), "--json", "--config", preset]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 0, result.output
    found: list[dict[str, Any]] = json.loads(result.stdout)["shaders"]
    return found


def cycles(variant: dict[str, Any], path: str = "total") -> dict[str, float]:
    """Cycles by pipeline."""
    performance = variant["performance"]
    return dict(zip(performance["pipelines"], performance[f"{path}_cycles"]["cycle_count"], strict=True))


def fragment(folder: Path, body: str, preset: str, head: str = HEAD) -> dict[str, float]:
    """Cycles of a fragment shader by pipeline."""
    return cycles(shaders(folder, body, preset, head=head)[1]["variants"][0])


@pytest.mark.parametrize(
    ("body", "pipeline", "expected"),
    [
        # Eight multiply-adds of four components, each an operation of 64 per cycle.
        ("vec4 r = v;" + "r = r * a + b;" * 8 + "gl_FragColor = r;", "arith_fma", 8 * 4 / 64),
        # Four minima: conversions and comparisons, 64 per cycle.
        ("vec4 r = v;" + "r = min(r, a);" * 4 + "gl_FragColor = r;", "arith_cvt", 4 * 4 / 64),
        # Reciprocal roots, 16 per cycle.
        ("float r = v.x; r = inversesqrt(inversesqrt(r)); gl_FragColor = vec4(r);", "arith_sfu", 2 / 16),
        # Four components of 32 bits: eight channels of 16 bits, of 16 per cycle; two at 16 bits.
        ("gl_FragColor = v;", "varying", 8 / 16),
        # Four texels per cycle.
        ("gl_FragColor = texture2D(s, v.xy) + texture2D(s, v.zw);", "texture", 2 / 4),
    ],
)
def test_rates_of_valhall(tmp_path: Path, body: str, pipeline: str, expected: float) -> None:
    found = fragment(tmp_path, body, VALHALL)
    assert found[pipeline] == pytest.approx(expected)
    assert found["arith_total"] == max(found["arith_fma"], found["arith_cvt"], found["arith_sfu"])


@pytest.mark.parametrize(
    ("body", "pipeline", "expected"),
    [
        # A multiply-add per tuple, and ATEST and BLEND beside the last ones: three engines of eight lanes.
        ("vec4 r = v;" + "r = r * a.x + a.y;" * 8 + "gl_FragColor = r;", "arith_total", 8 * 4 / 24),
        ("gl_FragColor = v;", "varying", 8 / 16),
        ("gl_FragColor = texture2D(s, v.xy) + texture2D(s, v.zw);", "texture", 2 / 2),
    ],
)
def test_rates_of_bifrost(tmp_path: Path, body: str, pipeline: str, expected: float) -> None:
    assert fragment(tmp_path, body, BIFROST)[pipeline] == pytest.approx(expected, rel=0.1)


def test_rates_of_midgard(tmp_path: Path) -> None:
    body = "vec4 r = v;" + "r = r * a + b;" * 8 + "gl_FragColor = r * texture2D(s, v.xy);"
    found = fragment(tmp_path, body, MIDGARD)
    # A product and a sum of four components per bundle, of which two pipes issue one each; then a product.
    assert found["arithmetic"] == pytest.approx((8 + 1) / 2, rel=0.15)
    # The varying and the colour; a texel.
    assert (found["load_store"], found["texture"]) == (2, 1)


def test_vertices_have_a_shader_for_the_position_and_one_for_the_rest(tmp_path: Path) -> None:
    vertex = "attribute vec4 p, q; varying vec4 v; uniform mat4 m; void main() { gl_Position = m * p; v = q + p; }"
    position, varying = shaders(tmp_path, "gl_FragColor = v;", VALHALL, vertex)[0]["variants"]
    assert (position["name"], varying["name"]) == ("Position", "Varying")
    # Sixteen multiply-adds and the viewport's six, of 64 per cycle; an attribute and the position.
    assert cycles(position)["arith_fma"] == pytest.approx((16 + 6) / 64)
    assert cycles(position)["load_store"] == 2
    # Four sums; two attributes and the varying.
    assert (cycles(varying)["arith_fma"], cycles(varying)["load_store"]) == (4 / 64, 3)


def test_paths_registers_and_halves(tmp_path: Path) -> None:
    body = "if (v.x > 0.5) gl_FragColor = texture2D(s, v.xy); else gl_FragColor = a;"
    main = shaders(tmp_path, body, VALHALL)[1]["variants"][0]
    assert (cycles(main, "shortest_path")["texture"], cycles(main, "longest_path")["texture"]) == (0, 1 / 4)
    properties = {p["name"]: p["value"] for p in main["properties"]}
    assert properties["thread_occupancy"] == 100 and properties["fp16_arithmetic"] == 0
    loop = "vec4 r = v; for (int i = 0; i < 999; i++) if (r.x < a.x) break; else r = r * a; gl_FragColor = r;"
    unbounded = shaders(tmp_path, loop, VALHALL)[1]["variants"][0]["performance"]["longest_path_cycles"]
    assert unbounded["cycle_count"] == [None] * 7
    half = shaders(tmp_path, "gl_FragColor = v * a;", VALHALL, head=HEAD.replace("highp", "mediump"))[1]["variants"][0]
    assert {p["name"]: p["value"] for p in half["properties"]}["fp16_arithmetic"] == 100


def test_other_gpus_are_refused_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "a.vert").write_text(VERTEX)
    (tmp_path / "a.frag").write_text(HEAD + "gl_FragColor = v; }")
    for preset in ("re-2019", "mali-450-mp3", "emerald-case2"):
        arguments = ["shader", str(tmp_path / "a.vert"), str(tmp_path / "a.frag"), "--config", preset]
        result = CliRunner().invoke(app, arguments)
        assert result.exit_code != 0 and "Mali GPUs since Midgard" in str(result.exception)
