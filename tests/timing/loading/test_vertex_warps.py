"""Warps of vertices: which vertices share one, and that every vertex is shaded once whatever the queues hold."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from synthetic import rows, synthetic

from tilegpu.timing.engine import frame as f

NAME = "geometry.vertex_processor"


def drawn(vertices: int, paths: list[int] | None = None, draws: int = 1) -> f.Frame:
    """Draws of so many different vertices each, with a primitive for every three of all; `paths`: 0 or 1 for each."""
    total = vertices * draws
    frame = synthetic(tiles_x=1, primitives=total // 3, largest=1, instructions=6, texture_operations=0)
    first = np.arange(draws) * vertices
    batch = rows(f.Batch.dtype, draws, first_stream=first, last_stream=first + vertices, last_attribute=2)
    batch["command_address"], batch["command_bytes"] = frame.vertices.batch["command_address"][0], 128
    frame.commands.render_pass["last_batch"] = draws
    stream = rows(f.StreamVertex.dtype, total, index=np.arange(total), vertex=np.arange(total), path=1)
    if paths is not None:
        # Path 0 is that of the quads, of ten instructions in all; path 1 is the other four.
        stream["path"] = 1 - np.array(paths)
    vertices_of = frame.vertices._replace(batch=batch, stream=stream)
    return frame._replace(vertices=vertices_of, vertex_shading=frame.shading._replace(stream=stream))


@pytest.mark.parametrize(
    ("vertices", "draws", "threads", "warps"),
    [
        (12, 1, 4, 3),
        # 4, 4 and 1: the end of the draw is not waited for.
        (9, 1, 4, 3),
        # A warp is of one draw: 4, 2, 4, 2.
        (6, 2, 4, 4),
        (6, 2, 3, 4),
        (12, 1, 1, 12),
    ],
)
def test_vertices_of_a_draw_share_warps(machine: Any, vertices: int, draws: int, threads: int, warps: int) -> None:
    s = machine(f"vertex_stage.threads={threads}", compiled=False).run(drawn(vertices, draws=draws))
    assert (s[f"{NAME}.vertices"], s[f"{NAME}.warps"]) == (vertices * draws, warps)
    # A warp takes the four instructions once, the special function none of them.
    assert s[f"{NAME}.alu_instructions"] == 4 * warps
    assert s[f"{NAME}.busy_cycles"] == 4 * warps


def test_vertices_of_other_paths_have_warps_of_their_own(machine: Any) -> None:
    # 2, 3, 1, 4, 2: each run of equal paths by itself.
    s = machine(compiled=False).run(drawn(12, paths=[0, 0, 1, 1, 1, 0, 1, 1, 1, 1, 0, 0]))
    assert (s[f"{NAME}.vertices"], s[f"{NAME}.warps"]) == (12, 5)


def test_code_is_fetched_line_by_line_for_a_warp(machine: Any) -> None:
    # Four instructions of 16 bytes are one line or two: as many fetches per warp, one miss per line.
    frame = drawn(12)
    path = frame.shading.path[1]
    lines = {int(i["address"]) // 64 for i in frame.shading.instruction[path["first"] : path["last"]]}
    s = machine("vertex_stage.processors=1", compiled=False).run(frame)
    assert s[f"{NAME}.instruction_fetches"] == 3 * len(lines)
    assert s["memory.vertex_instruction_cache.accesses"] == 3 * len(lines)
    assert s["memory.vertex_instruction_cache.fills"] == len(lines)


def test_the_largest_window_has_room(machine: Any) -> None:
    most = ("vertex_fetcher.queue=128", "output_queue=128", "vertex_stage.processors=16", "vertex_stage.warps=32")
    window = machine(*most, compiled=False).gpu.vertex_fetcher.window
    assert window.depth == 128 + 16 * 32 * 4 + 128 <= len(window.slot)


@pytest.mark.parametrize("distinct", [False, True])
@pytest.mark.parametrize("seed", [*range(2), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(2, 60))])
def test_narrow_queues_lose_no_vertex_and_idle_cycles_may_be_skipped(machine: Any, seed: int, distinct: bool) -> None:
    rng = np.random.default_rng(seed)
    frame = drawn(9, paths=rng.integers(0, 2, 27).tolist(), draws=3)
    indices = np.sort(rng.integers(0, 27, 27))
    if not distinct:
        frame.vertices.stream["vertex"] = frame.vertices.stream["index"] = indices
    overrides = (
        f"vertex_fetcher.queue={rng.integers(1, 4)}",
        f"output_queue={rng.integers(1, 3)}",
        f"vertex_stage.processors={rng.integers(1, 3)}",
        f"vertex_stage.warps={rng.integers(1, 3)}",
        f"vertex_stage.threads={rng.integers(1, 5)}",
        f"reuse_entries={rng.integers(1, 4)}",
    )
    skipping, ticking = (machine(*overrides, compiled=False).run(frame, every=every) for every in (False, True))
    assert skipping == ticking
    assert skipping[f"{NAME}.vertices"] + skipping["geometry.vertex_fetcher.reused"] == 27
    assert skipping["raster.rasterizer.quads"] == len(frame.tiling.quad)
