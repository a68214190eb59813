"""Draws that are executed together are recorded as if each were alone."""

from pathlib import Path

import numpy as np
import pytest

from tilegpu.functional.activity import Activity
from tilegpu.functional.capture import Recorder
from tilegpu.functional.execute.choice import choose_backend
from tilegpu.functional.opengl import enums as gl
from tilegpu.functional.pipeline.fused.draws import FusedDraws
from tilegpu.functional.record import record
from tilegpu.functional.recording.sink import DrawSink

SIZE = 32
VERTEX = """#version 300 es
in vec4 position;
in float turns;
out float shade;
void main() {
    gl_Position = position;
    float sum = 0.0;
    for (float i = 0.0; i != turns; i += 1.0) sum += 0.25;
    shade = gl_VertexID > 4 ? sum : 1.0 - sum;
}
"""
FRAGMENT = """#version 300 es
precision highp float;
in float shade;
out vec4 color;
void main() { if (shade > 0.5) discard; color = vec4(shade, 1, 0, 1); }
"""


def buffer(r: Recorder, target: int, data: np.ndarray) -> None:
    """A buffer with some content, bound."""
    r.glBindBuffer(target, r.glGenBuffers(1)[0])
    r.glBufferData(target, data.nbytes, data, 0x88E4)


def record_scene(path: Path, turns: float) -> None:
    """Two frames of draws that follow each other and share vertices, before and after one of arrays; turns that are not
    whole take the shader of the second draw to no end."""
    rng = np.random.default_rng(3)
    position = np.ones((12, 4), np.float32)
    position[:, :3] = rng.uniform(-1.3, 1.3, (12, 3))
    with Recorder(path, SIZE, SIZE) as r:
        r.glUseProgram(r.program(VERTEX, FRAGMENT, ("position", "turns")))
        buffer(r, gl.ARRAY_BUFFER, position)
        r.glEnableVertexAttribArray(0)
        r.glVertexAttribPointer(0, 4, gl.FLOAT, False, 0, 0)
        counts = np.arange(12, dtype=np.float32) % 4
        counts[9] = turns
        buffer(r, gl.ARRAY_BUFFER, counts)
        r.glEnableVertexAttribArray(1)
        r.glVertexAttribPointer(1, 1, gl.FLOAT, False, 0, 0)
        buffer(r, gl.ELEMENT_ARRAY_BUFFER, np.array([0, 1, 2, 3, 2, 9, 5, 6, 3, 4, 8, 7], np.uint16))
        for _ in range(2):
            r.glClear(gl.COLOR_BUFFER_BIT)
            for first, count in ((0, 4), (3, 3), (6, 6), (0, 4)):
                r.glDrawElements(gl.TRIANGLE_STRIP, count, gl.UNSIGNED_SHORT, 2 * first)
            r.glDrawArrays(gl.TRIANGLE_STRIP, 0, 3)
            r.glDrawArrays(gl.TRIANGLE_STRIP, 5, 3)
            r.glDrawElements(gl.TRIANGLES, 3, gl.UNSIGNED_SHORT, 0)
            r.swap()


@pytest.mark.parametrize("turns", [1.0, 0.5])
def test_tables_are_those_of_single_draws(turns: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    trace = tmp_path / "draws.trace"
    record_scene(trace, turns)
    calls: list[int] = []
    inner = FusedDraws.run

    def noting(*arguments: object) -> bool | None:
        calls.append(1)
        return inner(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(FusedDraws, "run", noting)
    together = record(trace, tmp_path / "together")
    assert len(calls) == 6
    ended = turns == 1.0
    if ended:
        record(trace, tmp_path / "reference", backend=choose_backend("numpy")[0])
    monkeypatch.setattr(DrawSink, "joining", None)
    alone = record(trace, tmp_path / "alone")
    assert len(calls) == 6 + 14
    assert (not together.warnings) == (not alone.warnings) == ended
    for table in sorted((tmp_path / "alone").glob("*.parquet")):
        for other in ("together", "reference") if ended else ("together",):
            assert table.read_bytes() == (tmp_path / other / table.name).read_bytes(), (other, table.name)
    recorded = Activity(tmp_path / "together")
    assert recorded.table("draws")["draw"].to_pylist() == list(range(14))
    vertices = recorded.table("vertices").to_pylist()
    shaded = [[v["index"] for v in vertices if v["draw"] == draw and v["index"] >= 0] for draw in range(2)]
    assert shaded == [[0, 1, 2, 3], [2, 3, 9] if ended else []]
