"""Bins of a hierarchical tiler: primitives in the lists of those that fit them, counted by hand."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import mkdtemp

import numpy as np
import pytest
from conftest import Machine

from tilegpu.functional.capture import Recorder
from tilegpu.functional.opengl import enums as gl
from tilegpu.functional.record import record
from tilegpu.timing import load_configuration
from tilegpu.timing.assembly.loader import Loader
from tilegpu.timing.loading.bins import listed

pytestmark = pytest.mark.engine("unified")

VERTEX = "attribute vec2 p; void main() { gl_Position = vec4(p, 0.0, 1.0); }"
FRAGMENT = "void main() { gl_FragColor = vec4(1.0); }"


def entries(*tiles: tuple[int, int, int]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Primitive, column and row of entries."""
    primitive, x, y = np.array(tiles, np.int64).T
    return primitive, x, y


def test_primitives_are_listed_where_they_fit() -> None:
    # One tile; a column of two; a block of four, which crosses the bins of 2 x 2; two tiles aside from each other.
    block = [(2, x, y) for x in (1, 2) for y in (1, 2)]
    found = listed(*entries((0, 0, 0), (1, 0, 0), (1, 0, 1), *block, (3, 0, 3), (3, 3, 3)), levels=3)
    # 16 tiles first, then four bins of 2 x 2, then one of 4 x 4.
    assert found.bin.tolist() == [0, 16, 16, 16, 18, 17, 19, 20, 20]
    assert found.bins == 16 + 4 + 1
    # The second primitive leads the list of bin 16, the third follows it.
    assert found.position.tolist() == [0, 0, 0, 1, 0, 0, 0, 0, 0]
    assert found.pointers == 1 + 1 + 4 + 1


def test_one_level_is_a_list_for_each_tile() -> None:
    found = listed(*entries((0, 0, 0), (0, 1, 0), (1, 1, 0)), levels=1)
    assert found.bin.tolist() == [0, 1, 1]
    assert found.position.tolist() == [0, 0, 1]


@cache
def activity() -> Path:
    """Frame of 64 x 64 pixels, of which a triangle covers the lower left half, and a small one a tile."""
    folder = Path(mkdtemp())
    with Recorder(folder / "a.trace", 64, 64) as r:
        r.glUseProgram(r.program(VERTEX, FRAGMENT, ("p",)))
        r.glBindBuffer(gl.ARRAY_BUFFER, r.glGenBuffers(1)[0])
        corners = [(-1, -1), (0.99, -1), (-1, 0.99), (0.6, 0.6), (0.9, 0.6), (0.6, 0.9)]
        r.glBufferData(gl.ARRAY_BUFFER, 48, np.array(corners, np.float32).tobytes(), gl.STATIC_DRAW)
        r.glEnableVertexAttribArray(0)
        r.glVertexAttribPointer(0, 2, gl.FLOAT, False, 0, 0)
        r.glDrawArrays(gl.TRIANGLES, 0, 6)
        r.swap()
    record(folder / "a.trace", folder / "activity")
    return folder / "activity"


@pytest.mark.parametrize(
    ("levels", "written"),
    [
        # Of 16 tiles of 16 x 16 pixels the triangle touches ten; the small one lies in one.
        (1, 10 + 1),
        # Of four bins of 32 x 32 pixels it touches three, or one of 64 x 64.
        (2, 3 + 1),
        (3, 1 + 1),
        (8, 1 + 1),
    ],
)
def test_pointers_of_a_frame(levels: int, written: int) -> None:
    c = load_configuration("mali-bifrost", ["techniques=none", f"parameter_buffer.levels={levels}"])
    found = Machine(c, True).run(Loader(activity(), c).load(0))
    assert found["tiling.polygon_list_builder.pointers"] == written
    # Every tile reads the pointers of its primitives.
    assert found["tiling.tile_fetcher.pointer_requests"] == 10 + 1
    assert found["tiling.polygon_list_builder.primitives"] == 2
