"""Activities are the same bytes whichever back end executes the shaders, on vectors of any number of lanes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tilegpu.functional.capture import Recorder
from tilegpu.functional.execute.backend import Kernel
from tilegpu.functional.execute.choice import choose_backend
from tilegpu.functional.execute.llvm_backend import kernels, native, plan
from tilegpu.functional.opengl import enums as gl
from tilegpu.functional.record import record

from ..reference import (
    es3_scenes,
    extension_scenes,
    feedback_scenes,
    gather_scenes,
    later_scenes,
    level_scenes,
    multisample_scenes,
    multisample_texture_scenes,
    srgb_scenes,
    state_scenes,
    stencil_scenes,
    texture_scenes,
)
from ..reference.scenes import quad, random, texture, use

HEAD = "precision highp float; varying vec4 v; uniform sampler2D image; void main() {"
CUBE = """precision highp float; varying vec4 v; uniform samplerCube image;
    void main() { gl_FragColor = textureCube(image, vec3(v.xy * 2.0 - 1.0, 0.7)) + textureCube(image, v.yzx - 0.5); }"""
FRAGMENTS = {
    "branch": """vec4 c; if (length(v.xy - 0.5) < 0.3) { vec3 n = normalize(v.xyz + 0.1); c = vec4(n * n + n, v.x);
        c.r += (c.g * c.b + n.x) / (c.r + 2.0); c.g += c.r * c.b / (n.y + 2.0); c.b += c.r / (c.g + 3.0);
        c.rgb += texture2D(image, v.yx).rgb; }
        else { c = texture2D(image, v.xy * 4.0); if (c.r > 0.5) discard; } gl_FragColor = c;""",
    "loop": """vec2 z = vec2(0.0), c = v.xy * 2.0 - 1.5; float n = 0.0;
        for (int i = 0; i < 40; i++) { z = vec2(z.x * z.x - z.y * z.y, 2.0 * z.x * z.y) + c;
        if (dot(z, z) > 4.0) break; n += 0.025; } gl_FragColor = vec4(n, z, 1.0);""",
    "reads in a loop": """vec3 p = vec3(v.xy * 3.0, 1.0); vec4 c = texture2D(image, v.yx);
        for (int i = 0; i < 40; i++) { c = texture2D(image, p.xy); p += vec3(0.01, 0.013, -0.04);
        if (c.r > p.z) break; if (c.g > 0.9) { p.z -= 0.3; continue; } p.xy += texture2D(image, p.yx).xy; }
        gl_FragColor = c;""",
}


def _record(path: Path, fragment: str) -> None:
    with Recorder(path, 200, 200) as r:
        use(r, f"{HEAD} {fragment} }}")
        texture(r, random(3, 16, 16, 4), (gl.LINEAR_MIPMAP_LINEAR, gl.LINEAR), gl.REPEAT, True)
        r.glClear(0x4100)
        r.glEnable(gl.DEPTH_TEST)
        for depth in (0.5, 0.25):
            quad(r, -1, -1, 0.9, 1, depth, [(0, 0, 0, 1), (1, 0, 0.5, 1), (0, 1, 0.6, 0.5), (1, 1, 0.9, 0)])
        r.swap()


def _record_cube(path: Path) -> None:
    with Recorder(path, 150, 150) as r:
        use(r, CUBE)
        r.glBindTexture(gl.TEXTURE_CUBE_MAP, r.glGenTextures(1)[0])
        for face in range(6):
            r.glTexImage2D(0x8515 + face, 0, gl.RGBA, 8, 8, 0, gl.RGBA, gl.UNSIGNED_BYTE, random(face, 8, 8, 4))
        r.glGenerateMipmap(gl.TEXTURE_CUBE_MAP)
        r.glClear(0x4100)
        quad(r, -1, -1, 0.9, 1, 0.5, [(0, 0, 0, 1), (1, 0, 0.5, 1), (0, 1, 0.6, 0.5), (1, 1, 0.9, 0)])
        r.swap()


@pytest.fixture
def lanes(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    """Lanes of a vector, whatever the processor's are."""
    for module in (native, kernels, plan):
        monkeypatch.setattr(module, "width", lambda: request.param)
    return int(request.param)


LANES_AND_LEVELS = [
    # Each number of lanes and each level once: what a level records does not hang on the lanes.
    pytest.param(lanes, level, marks=() if (lanes == 16) == (level == "all") else pytest.mark.slow)
    for lanes in (8, 16)
    for level in ("visible", "all")
]


@pytest.mark.parametrize("name", [*FRAGMENTS, "cube"])
@pytest.mark.parametrize(("lanes", "level"), LANES_AND_LEVELS, indirect=["lanes"])
def test_activities_are_the_same_bytes(name: str, level: str, lanes: int, tmp_path: Path) -> None:
    """Paths have the same numbers, reads come in the same order."""
    trace = tmp_path / "scene.trace"
    if name == "cube":
        _record_cube(trace)
    else:
        _record(trace, FRAGMENTS[name])
    _compare(trace, tmp_path, level)


VERTICES = """#version 300 es
layout(location = 0) in vec4 position;
layout(location = 1) in vec4 value;
uniform sampler2D image;
out vec4 v;
void main() {
    v = value;
    for (int i = 0; i < int(value.x * 300.0); i++) v = fract(v * 1.5 + 0.1);
    if (value.y > 0.5) v += texelFetch(image, ivec2(value.zw * 8.0), 0);
    v += textureLod(image, value.zw, value.y * 3.0);
    gl_Position = position;
}
"""


def test_paths_and_reads_of_many_vertices_are_the_same_bytes(tmp_path: Path) -> None:
    """More vertices than a kernel shades at once, more paths than there is room for at first."""
    trace = tmp_path / "scene.trace"
    with Recorder(trace, 64, 64, 3) as r:
        es3_scenes.use(r, es3_scenes.COLOR, VERTICES)
        texture(r, random(3, 16, 16, 4), (gl.NEAREST_MIPMAP_NEAREST, gl.LINEAR), gl.REPEAT, True)
        values = random(5, 3000, 8).astype(np.float32) / 255
        es3_scenes.buffer(r, gl.ARRAY_BUFFER, values)
        for location in (0, 1):
            r.glEnableVertexAttribArray(location)
            r.glVertexAttribPointer(location, 4, gl.FLOAT, False, 32, 16 * location)
        r.glDrawArrays(gl.TRIANGLES, 0, 3000)
        r.swap()
    _compare(trace, tmp_path, "visible")


SUITES = (
    es3_scenes,
    extension_scenes,
    feedback_scenes,
    gather_scenes,
    later_scenes,
    level_scenes,
    multisample_scenes,
    multisample_texture_scenes,
    srgb_scenes,
    state_scenes,
    stencil_scenes,
    texture_scenes,
)


EACH = 3
"""Of the scenes of a suite, whose neighbours vary one feature, every third one is compared in quick runs."""


@pytest.mark.parametrize("start", [0, *(pytest.param(start, marks=pytest.mark.slow) for start in range(1, EACH))])
@pytest.mark.parametrize("suite", SUITES)
def test_all_that_is_recorded_is_the_same_bytes(suite: Any, start: int, tmp_path: Path) -> None:
    """Attributes as fetched, captured vertices, colours in all formats, samples."""
    for name, scene in list(suite.SCENES.items())[start::EACH]:
        trace = tmp_path / f"{name}.trace"
        with Recorder(trace, 64, 64, 3) as r:
            scene(r)
            r.swap()
        _compare(trace, tmp_path / name, "visible", frozenset({"inputs", "colors"}))


def _compare(trace: Path, folder: Path, level: str, groups: frozenset[str] = frozenset()) -> None:
    """Record with both back ends, and compare the files."""
    for backend in ("numpy", "llvm"):
        record(trace, folder / backend, level=level, groups=groups, backend=choose_backend(backend)[0])  # type: ignore[arg-type]
    tables = sorted(path.name for path in (folder / "numpy").glob("*.parquet"))
    assert len(tables) > 10
    for table in tables:
        assert (folder / "numpy" / table).read_bytes() == (folder / "llvm" / table).read_bytes(), table


@pytest.mark.parametrize("lanes", [8, 16], indirect=True)
def test_kernels_have_the_lanes_asked_for(lanes: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: set[int] = set()
    inner = kernels.Kernel

    def noting(*arguments: Any) -> Kernel:
        seen.add(arguments[3])
        return inner(*arguments)

    monkeypatch.setattr(kernels, "Kernel", noting)
    _record(tmp_path / "scene.trace", FRAGMENTS["branch"])
    record(tmp_path / "scene.trace", tmp_path / "activity", backend=choose_backend("llvm")[0])
    assert seen == {lanes}
