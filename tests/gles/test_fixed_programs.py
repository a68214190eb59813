"""What fixed-function vertices cost: no more than the state asks for, as drivers do it."""

from pathlib import Path

import numpy as np
import pytest

from tilegpu.functional.capture import Recorder
from tilegpu.functional.record import record
from tilegpu.timing.results.workload import workload


def instructions_per_vertex(folder: Path, textured: bool, matrix: bool, mode: int) -> float:
    """Of a square, or its corners, drawn with OpenGL ES 1.1."""
    with Recorder(folder / "square.trace", 32, 32, version=1) as gl:
        corners = np.array([-1, -1, 1, -1, -1, 1, 1, 1], np.float32)
        gl.glBindBuffer(0x8892, gl.glGenBuffers(1)[0])
        gl.glBufferData(0x8892, corners.nbytes, corners, 0x88E4)
        gl.glEnableClientState(0x8074)
        gl.glVertexPointer(2, 0x1406, 0, 0)
        if textured:
            gl.glBindTexture(0x0DE1, gl.glGenTextures(1)[0])
            gl.glTexImage2D(0x0DE1, 0, 0x1908, 4, 4, 0, 0x1908, 0x1401, np.zeros((4, 4, 4), np.uint8))
            gl.glTexParameteri(0x0DE1, 0x2801, 0x2601)
            gl.glEnable(0x0DE1)
            gl.glEnableClientState(0x8078)
            gl.glTexCoordPointer(2, 0x1406, 0, 0)
        if matrix:
            gl.glMatrixMode(0x1702)
            gl.glScalef(2, 2, 1)
        gl.glDrawArrays(mode, 0, 4)
        gl.swap()
    record(folder / "square.trace", folder / "activity")
    return workload(folder / "activity").columns()["vertex_instructions_per_vertex"]


@pytest.mark.parametrize(
    ("textured", "matrix", "expected"),
    [
        (False, False, 4 + 1 + 1),  # position; colour, clamped; END
        (True, False, 4 + 1 + 1 + 1),  # and the texture coordinate
        (True, True, 4 + 1 + 4 + 1),  # multiplied by its matrix
    ],
)
def test_triangles_cost_what_the_state_asks_for(tmp_path: Path, textured: bool, matrix: bool, expected: int) -> None:
    assert instructions_per_vertex(tmp_path, textured, matrix, 5) == expected


def test_points_have_a_size_too(tmp_path: Path) -> None:
    # length (2), size by distance (3), root, product, two bounds; and the position of the eye (4).
    assert instructions_per_vertex(tmp_path, False, False, 0) == 6 + 9 + 4
