"""Optional columns of lists in the making."""

from pathlib import Path

import numpy as np
import pytest

from tilegpu.functional.activity import Activity
from tilegpu.functional.capture import Recorder
from tilegpu.functional.opengl import enums as gl
from tilegpu.functional.pipeline.fused import noted_reads
from tilegpu.functional.record import record
from tilegpu.functional.recording.lists import Lists, record_inputs, record_outputs

from ..reference.scenes import quad, random, texture, use

SIZE = 64
ENDLESS = """precision highp float; varying vec4 v; uniform sampler2D image;
    void main() {
        float n = 0.0;
        while (n != (v.y > 0.9 ? 0.5 : 1.0)) n += 1.0;
        gl_FragColor = vec4(v.x, n, texture2D(image, v.xy).x, 1.0);
    }"""


def test_rows_have_the_outputs_of_their_lanes() -> None:
    lists = Lists()
    assert lists.column(3) is None
    which, outputs = np.array([0, 2]), np.arange(24, dtype=np.float32).reshape(3, 8)
    assert record_outputs(tuple(lists.tables), (which, 1, outputs), np.array([2]), 1)
    assert record_outputs(tuple(lists.tables), (which[:1], 5, outputs), np.array([-1, 0]), 2)
    assert record_inputs(tuple(lists.tables), np.zeros(0, np.int64), np.array([7]), 0, 6)
    column = lists.column(8)
    assert column is not None
    two = [0.0] * 8 + [0.0, 8.0, 1.0, 9.0, 2.0, 10.0, 3.0, 11.0]
    assert column.to_pylist() == [None, [16, 17, 18, 19], None, [20, 21, 22, 23], None, two, [], None]
    lists.clear()
    assert lists.column(3) is None


def test_a_batch_that_fails_leaves_no_values_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(noted_reads, "NOTE_BYTES", 1)
    monkeypatch.setattr(noted_reads, "CHUNK_QUADS", 16)
    with Recorder(tmp_path / "endless.trace", SIZE, SIZE) as r:
        use(r, ENDLESS)
        texture(r, random(3, 4, 4, 4), (gl.NEAREST, gl.NEAREST), gl.REPEAT)
        for top in (1.0, 0.25):
            quad(r, -1, -1, 1, 1, 0.5, [(0, 0, 0, 1), (1, 0, 0, 1), (0, top, 0, 1), (1, top, 0, 1)])
        r.swap()
    recorded = record(tmp_path / "endless.trace", tmp_path / "activity", groups=frozenset(("colors",)))
    assert len(recorded.warnings) == 1
    activity = Activity(tmp_path / "activity")
    quads = activity.table("quads")
    # The second draw alone; quads on the diagonal belong to both of its triangles.
    assert 1024 < len(quads) < 1024 + 64
    for row in quads.to_pylist():
        first = row["colors"][:2]
        np.testing.assert_allclose(first, [(2 * row["x"] + 0.5) / SIZE, 1], atol=1e-5)
    assert quads["colors"].null_count == 0
