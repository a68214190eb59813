"""The plan of a draw says which way each half of it goes, and what keeps it from the fast one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tilegpu.functional.capture import Recorder
from tilegpu.functional.execute.choice import choose_backend
from tilegpu.functional.frame_view.follow import follow_frame
from tilegpu.functional.opengl import enums as gl
from tilegpu.functional.pipeline.command import DrawCommand
from tilegpu.functional.pipeline.draw import Renderer
from tilegpu.functional.pipeline.fused.plan import FUSED, Plan
from tilegpu.functional.pipeline.sink import Sink
from tilegpu.functional.player import Player
from tilegpu.functional.record import record
from tilegpu.functional.stage_clock import StageClock

from ...reference.es3_scenes import COLOR, VERTEX, quad, use
from ...reference.multisample_scenes import in_framebuffer

SIZE = 64
HEAD = "#version 300 es\nprecision highp float; precision highp isampler2D; in vec4 v; out vec4 o;\n"
FETCHING = HEAD + "uniform sampler2D s; void main() { o = texelFetch(s, ivec2(0), 0) + v; }"
INTEGERS = HEAD + "uniform isampler2D s; void main() { o = vec4(texture(s, v.xy)) + v; }"
GRADIENTS = HEAD + "uniform sampler2D s; void main() { o = textureGrad(s, v.xy, v.xx, v.yy); }"
LOOPING = VERTEX.replace(
    "void main() {", "uniform int n; void main() { for (int i = 0; i < n; i++) gl_PointSize = 1.0;"
)
FETCHING_VERTEX = VERTEX.replace("void main() {", "uniform sampler2D s; void main() {").replace(
    "v = value", "v = texelFetch(s, ivec2(0), 0) + value"
)
BRANCHING = """#version 300 es
layout(location = 0) in vec4 position;
layout(location = 1) in vec4 value;
uniform vec4 table[6];
out vec4 v;
void main() {
    v = value;
    if (value.x > 0.5) {
        v += table[int(value.y * 4.0)];
        if (value.z > 0.5) v = sin(v) * table[int(v.w)]; else v.a = pow(value.w, 3.0);
    }
    gl_Position = position;
}
"""


def _plain(r: Recorder, fragment: str = COLOR, vertex: str = VERTEX) -> None:
    use(r, fragment, vertex)
    quad(r, -0.5, -0.5, 0.5, 0.5)


def _samples(r: Recorder) -> None:
    in_framebuffer(lambda r: quad(r, -0.5, -0.5, 0.5, 0.5))(r)


def _few_bits(r: Recorder) -> None:
    use(r)
    r.glBindFramebuffer(gl.FRAMEBUFFER, r.glGenFramebuffers(1)[0])
    r.glBindRenderbuffer(gl.RENDERBUFFER, r.glGenRenderbuffers(1)[0])
    r.glRenderbufferStorage(gl.RENDERBUFFER, 0x8D62, SIZE, SIZE)
    r.glFramebufferRenderbuffer(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.RENDERBUFFER, 1)
    quad(r, -0.5, -0.5, 0.5, 0.5)


def _integer_texture(r: Recorder) -> None:
    r.glBindTexture(gl.TEXTURE_2D, r.glGenTextures(1)[0])
    r.glTexImage2D(gl.TEXTURE_2D, 0, 0x8231, 1, 1, 0, 0x8D94, gl.BYTE, np.zeros(4, np.int8))
    for name in (gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER):
        r.glTexParameteri(gl.TEXTURE_2D, name, gl.NEAREST)
    _plain(r, INTEGERS)


def _discarded(r: Recorder) -> None:
    r.glEnable(gl.RASTERIZER_DISCARD)
    _plain(r)


def _packed(r: Recorder) -> None:
    use(r)
    r.glBindBuffer(gl.ARRAY_BUFFER, r.glGenBuffers(1)[0])
    r.glBufferData(gl.ARRAY_BUFFER, 12, np.arange(3, dtype=np.uint32), 0x88E4)
    r.glEnableVertexAttribArray(0)
    r.glVertexAttribPointer(0, 4, 0x8368, False, 0, 0)
    r.glDrawArrays(gl.TRIANGLES, 0, 3)


STAGES = "stage by stage: "
RENDERED: dict[str, tuple[Callable[[Recorder], None], str, str]] = {
    "plain": (_plain, FUSED, FUSED),
    "samples": (_samples, FUSED, FUSED),
    "few bits": (_few_bits, FUSED, FUSED),
    "integer texture": (_integer_texture, FUSED, FUSED),
    "gradients": (lambda r: _plain(r, GRADIENTS), FUSED, FUSED),
    "single texels": (lambda r: _plain(r, FETCHING), FUSED, FUSED),
    "loop": (lambda r: _plain(r, vertex=LOOPING), FUSED, FUSED),
    "discarded": (_discarded, FUSED, FUSED),
    "packed words": (_packed, FUSED, FUSED),
}  # fmt: skip


def _trace(path: Path, scene: Callable[[Recorder], None]) -> Path:
    with Recorder(path, SIZE, SIZE, 3) as r:
        r.glViewport(0, 0, SIZE, SIZE)
        scene(r)
        r.swap()
    return path


def ways_of(trace: Path) -> list[tuple[str, str]]:
    """How each draw of the first frame is executed."""
    return [each.detail.ways for each in follow_frame(trace, 0).followed.operations if each.detail is not None]


@pytest.mark.parametrize("name", RENDERED)
def test_what_keeps_a_draw_from_the_fast_way(tmp_path: Path, name: str) -> None:
    scene, primitives, fragments = RENDERED[name]
    assert ways_of(_trace(tmp_path / "scene.trace", scene)) == [(primitives, fragments)]


def test_a_clock_counts_what_happens_without_it(tmp_path: Path) -> None:
    trace = _trace(tmp_path / "scene.trace", _samples)
    clock = StageClock()
    list(Player(trace, clock=clock).run())
    assert clock.draws == {RENDERED["samples"][1:]: 1}


def test_without_kernels_all_goes_stage_by_stage(tmp_path: Path) -> None:
    clock = StageClock()
    list(Player(_trace(tmp_path / "scene.trace", _plain), backend=choose_backend("numpy")[0], clock=clock).run())
    assert clock.draws == {
        tuple(f"{STAGES}{stage} shader: the numpy back end has no kernels" for stage in ("vertex", "fragment")): 1
    }


@pytest.mark.parametrize(
    "vertex, groups, ways",
    [
        (VERTEX, (), (FUSED, FUSED)),
        (BRANCHING, (), (FUSED, FUSED)),
        (LOOPING, (), (FUSED, FUSED)),
        (FETCHING_VERTEX, (), (FUSED, FUSED)),
        (VERTEX, ("inputs",), (FUSED, FUSED)),
        (VERTEX, ("colors",), (FUSED, FUSED)),
    ],
)
def test_what_is_recorded_decides_too(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    vertex: str,
    groups: tuple[str, ...],
    ways: tuple[str, str],
) -> None:
    trace = _trace(tmp_path / "scene.trace", lambda r: _plain(r, vertex=vertex))
    assert ways_of(trace)[0] == (FUSED, FUSED)
    found: list[tuple[str, str]] = []
    inner = Renderer.plan

    def noting(self: Renderer, draw: DrawCommand, sink: Sink | None) -> Plan:
        made = inner(self, draw, sink)
        found.append(made.ways)
        return made

    monkeypatch.setattr(Renderer, "plan", noting)
    record(trace, tmp_path / "activity", groups=frozenset(groups))
    assert found == [ways]
