"""What hooks tell, and what their answers do, on both machines."""

from __future__ import annotations

from typing import Any

import pytest
from immediate_frames import immediate
from synthetic import synthetic

CACHES = {
    "tile_based": (
        "vertex_cache",
        "tile_cache",
        "texture_cache",
        "instruction_cache",
        "vertex_instruction_cache",
        "l2_cache",
    ),
    "immediate": (
        "vertex_cache",
        "depth_cache",
        "color_cache",
        "texture_cache",
        "instruction_cache",
        "vertex_instruction_cache",
        "l2_cache",
    ),
}


def frame_of(machine: str) -> Any:
    """Two tiles of primitives; some quads are tested late."""
    frame = synthetic(
        tiles_x=2, primitives=6, largest=5, seed=5, late_share=0.3, discard_share=0.4, instructions=4,
        texture_operations=1,
    )  # fmt: skip
    return immediate(frame) if machine == "immediate" else frame


@pytest.fixture(params=["tile_based", "immediate"])
def bench(request: pytest.FixtureRequest, machine: Any, plugins: None) -> Any:
    """A plain machine that watches, and its frame."""
    gpu = machine(f"machine={request.param}", "techniques=watching", compiled=False)
    return gpu, gpu.gpu.technique.watching, frame_of(request.param), request.param


def samples(mask: int) -> int:
    """Samples of a quad."""
    return bin(mask).count("1")


def test_every_sample_quad_and_line_is_told(bench: Any) -> None:
    gpu, watching, frame, name = bench
    s = gpu.run(frame)
    quads = frame.depth.quad
    kept = [int(q["coverage"]) & ~int(q["discarded"]) for q in quads]
    assert watching.tested == sum(map(samples, kept))
    assert watching.passed == watching.written == sum(samples(int(q["depth_pass"])) for q in quads)
    assert watching.rasterized == s["raster.rasterizer.quads"] == len(quads)
    assert watching.blended == s["raster.blending.quads"] > 0
    assert watching.accessed == sum(s[f"memory.{cache}.accesses"] for cache in CACHES[name])


def test_quads_that_are_skipped_go_no_further(bench: Any) -> None:
    gpu, watching, frame, _ = bench
    watching.skip = 1
    s = gpu.run(frame)
    assert s["raster.rasterizer.quads"] == len(frame.depth.quad)
    assert s["raster.early_depth.quads"] == (len(frame.depth.quad) + 1) // 2


def test_quads_that_bypass_shading_are_blended_in_their_turn(bench: Any) -> None:
    gpu, watching, frame, _ = bench
    watching.bypass = 1
    s = gpu.run(frame)
    survivors = s["raster.early_depth.survived_quads"]
    bypassed = survivors - s["fragment.processor.quads"]
    assert 0 < bypassed < survivors
    blended = s["raster.blending.quads"] + s["raster.late_depth.killed_quads"] + s["raster.late_depth.discarded_quads"]
    assert blended == survivors
    # No instruction is issued for those.
    path = frame.shading.path[0]
    assert s["fragment.processor.instructions"] == s["fragment.processor.quads"] * int(path["last"] - path["first"])
    assert s["raster.early_depth.mismatched_quads"] == s["raster.late_depth.mismatched_quads"] == 0
