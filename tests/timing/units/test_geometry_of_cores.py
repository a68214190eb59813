"""Geometry that grows with the cores: cycles of streams of vertices, worked out by hand."""

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

VERTICES = 1536
VERTEX = "attribute vec2 p; void main() { gl_Position = vec4(p, 0.0, 1.0); }"
FRAGMENT = "void main() { gl_FragColor = vec4(1.0); }"
STEPS = 1 + 1 + 1
"""Cycles of a vertex whose attributes are one line: it is taken, asks for the line, and is let go."""
UNDER_WAY = 160
"""At most, cycles from the last vertex's request to the end of the geometry, and from the draw to the first."""


@cache
def activity(indexed: bool) -> Path:
    """Two frames of triangles beyond a side of the view, no two of which share a vertex: nothing is binned."""
    folder = Path(mkdtemp())
    with Recorder(folder / "a.trace", 16, 16) as gl:
        gl.glUseProgram(gl.program(VERTEX, FRAGMENT, ("p",)))
        corners = np.tile(np.array([(2, 2), (3, 2), (2, 3)], np.float32), (VERTICES // 3, 1))
        gl.glBindBuffer(0x8892, gl.glGenBuffers(1)[0])
        gl.glBufferData(0x8892, corners.nbytes, corners.tobytes(), 0x88E4)
        gl.glEnableVertexAttribArray(0)
        gl.glVertexAttribPointer(0, 2, 0x1406, False, 0, 0)
        if indexed:
            gl.glBindBuffer(0x8893, gl.glGenBuffers(1)[0])
            indices = np.arange(VERTICES, dtype=np.uint16)
            gl.glBufferData(0x8893, indices.nbytes, indices.tobytes(), 0x88E4)
        for _ in range(2):
            if indexed:
                gl.glDrawElements(4, VERTICES, 0x1403, 0)
            else:
                gl.glDrawArrays(4, 0, VERTICES)
            gl.swap()
    record(folder / "a.trace", folder / "activity")
    return folder / "activity"


def geometry(cores: int, *settings: str, indexed: bool = False) -> float:
    """Cycles of the geometry stage once all that is read is in the caches."""
    usual = ["machine=unified", "dram=simple", "vertex_cache.size_bytes=65536", "l2_cache.size_bytes=262144"]
    shape = ["simt_core.max_threads=512", "simt_core.warp_threads=8", "vertex_fetcher.queue=16"]
    c = load_configuration(
        "ptr-2022", [*usual, *shape, f"simt_core.clusters={cores}", "vertex_warp_launcher.fetch=cores", *settings]
    )
    loader, machine = Loader(activity(indexed), c), Machine(c, True)
    return [machine.run(loader.load(number)) for number in range(2)][1]["gpu.geometry_cycles"]


@pytest.mark.parametrize("cores", [1, 2, 4])
def test_vertices_are_fetched_by_all_cores(cores: int) -> None:
    assert 0 <= geometry(cores) - VERTICES * STEPS / cores < UNDER_WAY


@pytest.mark.parametrize("rate", [1, 2])
def test_the_tiler_binds_where_cores_are_faster(rate: int) -> None:
    tiler = f"primitive_assembly.vertices_per_cycle={rate}"
    assert 0 <= geometry(8, tiler) - VERTICES / rate < UNDER_WAY
    assert 0 <= geometry(2, tiler) - max(VERTICES / rate, VERTICES * STEPS / 2) < UNDER_WAY


def test_a_central_fetcher_does_not_grow() -> None:
    central = "vertex_warp_launcher.fetch=central"
    assert abs(geometry(4, central) - geometry(1, central)) < UNDER_WAY
    assert geometry(1, central) == geometry(1)


def test_indices_are_read_while_cores_wait_for_none() -> None:
    ahead = "vertex_warp_launcher.index_lines=4"
    assert abs(geometry(4, ahead, indexed=True) - geometry(4)) < UNDER_WAY
    # On demand, each line of 32 indices has them all wait for as long as a read takes.
    assert geometry(4, indexed=True) - geometry(4) > 2 * (VERTICES / 32 - 2)
