"""The workload columns: counted by hand on a small scene, and against the recording's own summary on a larger one."""

from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

from tilegpu.functional.capture import Recorder
from tilegpu.functional.record import record
from tilegpu.timing.results.workload import workload

VERTEX = """attribute vec4 position; varying vec2 place;
void main() { place = position.xy; gl_Position = position; }"""
FRAGMENT = """precision highp float; uniform sampler2D image; varying vec2 place;
void main() { gl_FragColor = texture2D(image, place) * place.x + place.y; }"""


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """60 x 60 pixels, two draws of a rectangle 30 pixels wide, the second one hidden by depth in its lower half."""
    folder = tmp_path_factory.mktemp("small")
    with Recorder(folder / "small.trace", 60, 60) as gl:
        program = gl.program(VERTEX, FRAGMENT, ("position",))
        gl.glBindTexture(0x0DE1, gl.glGenTextures(1)[0])
        gl.glTexImage2D(0x0DE1, 0, 0x1908, 4, 4, 0, 0x1908, 0x1401, np.zeros((4, 4, 4), np.uint8))
        for parameter in (0x2800, 0x2801):
            gl.glTexParameteri(0x0DE1, parameter, 0x2601)
        gl.glClear(0x4100)
        gl.glEnable(0x0B71)
        gl.glUseProgram(program)
        gl.glEnableVertexAttribArray(0)
        for top, depth in ((0.0, 0.0), (1.0, 0.5)):
            corners = np.array([[-1, -1, depth], [0, -1, depth], [-1, top, depth], [0, top, depth]], np.float32)
            gl.glVertexAttribPointer(0, 3, 0x1406, False, 12, corners.tobytes())
            gl.glDrawArrays(5, 0, 4)
        gl.swap()
    record(folder / "small.trace", folder / "activity")
    return folder / "activity"


def test_columns_by_hand(small: Path) -> None:
    """TEX, MAD and END; the vertex shader has two MOV and END."""
    columns = workload(small, (20, 20)).columns()
    first, second = 30 * 30, 30 * 60
    shaded = first + second // 2
    assert columns == {
        "draw_calls_per_frame": 2,
        "vertex_instructions_per_vertex": 3,
        "primitives_per_draw": 2,
        # 3 x 3 tiles. Draw 1, along x + y = 30: below it 3 tiles, above it 4. Draw 2, along 2x + y = 60, which meets
        # tiles (0, 0) and (1, 1) in a corner: below it 5, above it 6.
        "primitives_per_tile": (3 + 4 + 5 + 6) / 9,
        "fragments_per_primitive": (first + second) / 4,
        "attributes_per_primitive": 2,
        "fragment_instructions_per_fragment": 3,
        "alu_per_texture_instruction": 1,
        "texels_per_fragment": 4,
        "overdraw": shaded / 3600,
    }


def test_one_tile_holds_all(small: Path) -> None:
    assert workload(small, (64, 64)).columns()["primitives_per_tile"] == 4


def test_counts_are_those_of_the_summary(tmp_path: Path, scenes: Path) -> None:
    record(scenes / "courtyard.trace", tmp_path / "activity")
    found = workload(tmp_path / "activity")
    summary = pq.read_table(tmp_path / "activity" / "summary.parquet").to_pandas().groupby("frame").sum()
    names = ["draws", "vertices", "vertex_instructions", "primitives", "primitives_kept", "fragments"]
    names += ["fragments_shaded", "fragment_instructions"]
    for frame, counts in zip(found.frames, found.counts, strict=True):
        assert {n: counts[n] for n in names} == {n: summary[n][frame] for n in names}
    table = found.table().to_pandas()
    assert list(table.frame) == list(found.frames)
    assert (table.overdraw > 0).all()
