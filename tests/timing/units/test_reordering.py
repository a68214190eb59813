"""Re-ordering: what may change places does so without a trace in the depth; tiles can be left out and done twice."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pytest
from synthetic import synthetic

LESS, LEQUAL = 1, 3
BLENDING = 1


@pytest.fixture
def machine(make_machine: Any) -> Any:
    """Machines of plain Python: compiling one takes longer than the few small frames of this file."""
    return partial(make_machine, compiled=False)


@pytest.fixture
def technique(plugins: None) -> str:
    """The technique of `plugins/techniques/reordering.py`, found beside the package's own."""
    return "reordering"


def frame_with_depth(seed: int, **more: Any) -> Any:
    """A synthetic frame whose final depth outlives its pass: `depth.saved` holds it, row by row from the bottom."""
    frame = synthetic(tiles_x=2, tiles_y=2, primitives=30, instructions=4, texture_operations=0, seed=seed, **more)
    render_pass = frame.commands.render_pass
    render_pass["store_depth"] = 0
    render_pass["depth_pitch"] = render_pass["width"]
    size = int(render_pass["width"][0] * render_pass["height"][0])
    return frame._replace(depth=frame.depth._replace(saved=np.zeros(size, np.int64)))


def run(gpu: Any, frame: Any, **wishes: int) -> tuple[dict[str, float], np.ndarray[Any, Any]]:
    frame.depth.saved[:] = -1
    for name, value in wishes.items():
        setattr(gpu.gpu.technique.reordering, name, value)
    return gpu.run(frame), frame.depth.saved.copy()


def expected_depth(frame: Any) -> np.ndarray[Any, Any]:
    """Nearest depth at each pixel: what LESS leaves, whatever the order; discarded lanes left out."""
    width, height = (int(frame.commands.render_pass[side][0]) for side in ("width", "height"))
    nearest = np.full((height, width), (1 << 24) - 1, np.int64)
    for quad in frame.depth.quad:
        z = int(frame.depth.primitive[quad["primitive"]]["depth"] * 16777215.0 + 0.5)
        for lane in range(4):
            if quad["coverage"] >> lane & 1 and not quad["discarded"] >> lane & 1:
                y, x = 2 * int(quad["y"]) + (lane >> 1), 2 * int(quad["x"]) + (lane & 1)
                nearest[y, x] = min(nearest[y, x], z)
    return nearest.ravel()


@pytest.mark.parametrize("seed", [pytest.param(n, marks=() if n == 1 else pytest.mark.slow) for n in range(6)])
def test_primitives_in_any_order_leave_the_same_depth(machine: Any, technique: str, seed: int) -> None:
    frame = frame_with_depth(seed, late_share=0.3 * (seed % 2), discard_share=0.4)
    gpu = machine(f"techniques={technique}", f"raster_units={1 + seed % 2}")
    in_order, depth = run(gpu, frame)
    assert in_order["raster.early_depth.mismatched_quads"] == 0
    shuffled, again = run(gpu, frame, shuffle=1, seed=seed + 7)
    assert gpu.gpu.technique.reordering.moved > 50
    assert np.array_equal(depth, again)
    assert np.array_equal(depth, expected_depth(frame))
    # The order was another one: other quads were in front of others when they came.
    assert shuffled["raster.early_depth.mismatched_quads"] > 0
    assert shuffled["raster.rasterizer.quads"] == in_order["raster.rasterizer.quads"]


def test_what_is_constrained_keeps_its_place(machine: Any, technique: str) -> None:
    frame = frame_with_depth(3)
    frame.depth.state["constraint"] = BLENDING
    gpu = machine(f"techniques={technique}")
    s, depth = run(gpu, frame, shuffle=1)
    assert gpu.gpu.technique.reordering.moved == 0
    assert s["raster.early_depth.mismatched_quads"] == 0
    assert np.array_equal(depth, expected_depth(frame))


def test_tiles_can_be_left_out(machine: Any, technique: str) -> None:
    frame = frame_with_depth(1)
    gpu = machine(f"techniques={technique}")
    s, depth = run(gpu, frame, skip=1)
    assert (s["tiling.tile_fetcher.tiles"], s["tiling.tile_fetcher.skipped_tiles"], s["raster.tile_flush.tiles"]) == (
        2,
        2,
        2,
    )
    wanted = expected_depth(frame).reshape(64, 64)
    # Tiles 1 and 3 are the right column.
    assert np.array_equal(depth.reshape(64, 64)[:, :32], wanted[:, :32])
    assert (depth.reshape(64, 64)[:, 32:] == -1).all()


@pytest.mark.parametrize("units", (pytest.param(1, marks=pytest.mark.slow), 2))
def test_tiles_can_be_done_twice(machine: Any, technique: str, units: int) -> None:
    frame = frame_with_depth(2)
    gpu = machine(f"techniques={technique}", f"raster_units={units}")
    once, depth = run(gpu, frame)
    twice, again = run(gpu, frame, repeat=1)
    assert np.array_equal(depth, again)
    for name in ("raster.tile_flush.tiles", "raster.rasterizer.quads", "raster.blending.quads"):
        assert twice[name] == 2 * once[name]


def test_the_baseline_does_not_notice(machine: Any, technique: str) -> None:
    frame = frame_with_depth(4)
    idle, _ = run(machine(f"techniques={technique}"), frame)
    assert machine().run(frame) == idle
