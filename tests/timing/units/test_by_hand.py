"""Cycle counts of small streams, worked out by hand from the model (docs/timing.md walks through the first one)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from synthetic import rows, synthetic

from tilegpu.timing.engine import frame as f

A, S, T, J = f.ALU, f.SFU, f.TEX, f.FLOW


def one_primitive(
    kinds: list[int], chain: bool = False, quads: int = 1, attributes: int = 1, lines: int = 1, probes: int = 1
) -> f.Frame:
    """One tile, one primitive of `quads` quads in a row, a shader of the given kinds; `chain`: each needs
    the one before."""
    frame = synthetic(tiles_x=1, primitives=1, largest=1, texture_operations=0)
    quad = rows(
        f.Quad.dtype,
        quads,
        x=np.arange(quads) % 16,
        y=np.arange(quads) // 16,
        coverage=15,
        depth_pass=15,
        shader_depth=-1,
        operation=np.arange(quads) * kinds.count(T),
    )
    frame.tiling.entry["last_quad"] = quads
    frame.binning.primitive["attributes"], frame.binning.primitive["record_bytes"] = (attributes, 48 * attributes)
    n = len(kinds)
    code = rows(
        f.Instruction.dtype,
        n + 4,
        address=(4 << 28) + 16 * np.arange(n + 4),
        kind=[*kinds, 0, 0, 0, 0],
        cycles=1,
        destination=1 + np.arange(n + 4),
    )
    if chain:
        code["source_0"][1:n] = code["destination"][: n - 1]
    path = rows(f.ShaderPath.dtype, 2, first=[0, n], last=[n, n + 4])
    operations = quads * kinds.count(T)
    operation = rows(
        f.TextureOperation.dtype, operations, first_line=np.arange(operations) * lines, lines=lines, probes=probes
    )
    line = (3 << 28) + 64 * np.arange(operations * lines)
    tables = replace(
        f.Tables.of(frame),
        quad=quad,
        path=path,
        sequence=np.arange(n + 4, dtype=np.int32),
        instruction=code,
        operation=operation,
        line=line,
    )
    return tables.frame()


def raster_cycles(machine: Any, frame: f.Frame, *overrides: str) -> float:
    """Raster cycles with everything in the caches already."""
    gpu = machine(*overrides)
    gpu.run(frame)
    return float(gpu.run(frame)["gpu.raster_cycles"])


def test_one_quad_through_the_raster_pipeline(machine: Any) -> None:
    # 1 pointer requested; 4 it is here (1 to reach the Tile Cache, 2 in it), attributes requested; 7
    # complete, delivered;
    # 8 rasterized; 9 in early depth; 14 out of it; 15 in a warp; 16 code requested; 19 code here, issued; 23
    # result, retired;
    # 24 in blending; 29 out of it, flush begins; 30 to 93 its 64 lines; 94 the Command Processor sees the end.
    assert raster_cycles(machine, one_primitive([A])) == 94


@pytest.mark.parametrize(
    ("kinds", "chain", "more"),
    [
        ([A, A], True, 4),
        ([A, A], False, 1),
        ([S], False, 4),
        ([S, A], True, 8),
        ([J], False, 0),
        ([J, A], False, 4),
        ([A, A, A, A], True, 12),
        ([A, A, A, A], False, 3),
        # A fifth instruction lies in another line of code: 3 cycles to fetch it, hidden behind the result of
        # the fourth.
        ([A, A, A, A, A], True, 16),
        ([A, A, A, A, A], False, 3 + 1 + 3),
    ],
)
def test_instructions_take_their_latency(machine: Any, kinds: list[int], chain: bool, more: int) -> None:
    assert raster_cycles(machine, one_primitive(kinds, chain)) == 94 + more


@pytest.mark.parametrize(
    ("cycles", "kinds", "chain", "more"),
    [
        # The result of one instruction comes two cycles later.
        (3, [A], False, 2),
        # The second waits for the first to be issued, then both for their own results: 3 + 2.
        (3, [A, A], False, 5),
        # The second waits for the first one's result, 4 after its last cycle.
        (3, [A, A], True, 8),
        # It goes to the right instruction when the jump is resolved, and takes its time.
        (2, [J, A], False, 4 + 1 + 1),
    ],
)
def test_instructions_that_take_several_cycles(
    machine: Any, cycles: int, kinds: list[int], chain: bool, more: int
) -> None:
    frame = one_primitive(kinds, chain)
    frame.shading.instruction["cycles"] = cycles
    assert raster_cycles(machine, frame) == 94 + more


@pytest.mark.parametrize("cycles", [1, 16])
def test_a_triangle_is_set_up_before_its_first_quad(machine: Any, cycles: int) -> None:
    assert raster_cycles(machine, one_primitive([A]), f"rasterizer.setup_cycles={cycles}") == 94 + cycles


@pytest.mark.parametrize(("rate", "cycles"), [(0, 64), (2, 8 * 64), (3, 6 * 64), (16, 64)])
def test_a_flush_of_so_many_pixels_per_cycle(machine: Any, rate: int, cycles: int) -> None:
    # 64 lines of 16 pixels; the last one leaves no sooner than its pixels are written.
    flushed = raster_cycles(machine, one_primitive([A]), f"tile_flush.pixels_per_cycle={rate}")
    assert flushed == 94 - 64 + cycles


@pytest.mark.parametrize(("lines", "probes"), [(1, 1), (4, 1), (1, 3), (2, 5)])
def test_a_texture_operation_takes_a_cycle_per_line_and_per_probe(machine: Any, lines: int, probes: int) -> None:
    # Issued in cycle 0, line i is sent in 1 (the unit ticks before its processor, so one later) + i, is here 3 later,
    # filtered in `probes` cycles, and 4 later the second instruction can use it: instead of 4 for an ALU chain.
    texture = raster_cycles(machine, one_primitive([T, A], True, lines=lines, probes=probes))
    assert texture == 94 + (1 + (lines - 1) + 3 + probes + 4)


@pytest.mark.parametrize(("attributes", "cycles"), [(1, 16), (4, 16), (5, 22), (8, 32), (16, 64), (17, 127), (33, 190)])
def test_the_rasterizer_is_as_fast_as_attributes_allow(attributes: int, cycles: int) -> None:
    from tilegpu.timing.assembly.build import build
    from tilegpu.timing.assembly.variants import load_part
    from tilegpu.timing.config import load_configuration
    from tilegpu.timing.declare.records import PRIMITIVE
    from tilegpu.timing.engine.plain import plain
    from tilegpu.timing.engine.ring import push_token

    rasterizer = load_part("units.rasterizer", compiled=False)
    gpu = build(load_configuration()).plain().gpu
    tiling = plain(one_primitive([A], quads=64, attributes=attributes).tiling)
    push_token(gpu.raster_unit[0].rasterizer.queue, PRIMITIVE, 0, 0)
    last, t = 0, 0
    while gpu.raster_unit[0].rasterizer.quads < 64:
        before = gpu.raster_unit[0].rasterizer.quads
        rasterizer.tick(gpu, tiling, 0, t)
        if gpu.raster_unit[0].rasterizer.quads > before:
            last = t
        t += 1
    # 64 quads: 4, 4, 3, 2 and 1 per cycle; then one every 2 and every 3 cycles.
    assert last + 1 == cycles


@pytest.mark.parametrize(("attributes", "accesses"), [(1, 1), (2, 3), (3, 5), (4, 6), (8, 12)])
def test_attributes_that_straddle_a_line_take_two_accesses(machine: Any, attributes: int, accesses: int) -> None:
    s = machine().run(one_primitive([A], attributes=attributes))
    assert s["tiling.tile_fetcher.attribute_requests"] == accesses
    assert s["tiling.tile_fetcher.pointer_requests"] == 1


def test_quads_of_four_processors_blend_in_parallel_but_in_their_order(machine: Any) -> None:
    # One ALU instruction each: a processor takes a quad per cycle, so the last of 64 leaves 63 cycles after
    # the first with one
    # processor. With four that need not share an instruction cache, the last of 16 leaves 15 after the first;
    # but odd rows of
    # quads have processors of their own, and the first one follows 16 others, at 4 per cycle.
    more = "fragment_stage.warps=32", "fragment_stage.processors_per_instruction_cache=1"
    assert raster_cycles(machine, one_primitive([A], quads=64), *more, "fragment_stage.processors=1") == 94 + 63
    assert raster_cycles(machine, one_primitive([A], quads=64), *more) == 94 + 4 + 15


def test_flush_goes_at_the_speed_of_the_memory_bus(machine: Any) -> None:
    # 4 tiles of 64 lines of 64 bytes at 4 bytes per 1.2 GHz cycle, seen at 800 MHz: 10 2/3 cycles a line.
    frame = synthetic(tiles_x=2, tiles_y=2, primitives=1, largest=1, texture_operations=0, instructions=3)
    gpu = machine()
    gpu.run(frame)
    s = gpu.run(frame)
    assert s["memory.dram.write_bytes.color"] == 4 * 4096
    assert 256 * 32 / 3 < s["gpu.cycles"] < 256 * 32 / 3 + 500


def test_geometry_of_one_triangle(machine: Any) -> None:
    s = machine().run(one_primitive([A]))
    # Indices 0, 0, 1 of a stream without repeats but one; vertices of 24 bytes share one line.
    assert (s["geometry.vertex_fetcher.vertices"], s["geometry.vertex_fetcher.reused"]) == (2, 1)
    assert s["geometry.vertex_fetcher.vertex_requests"] == 2
    assert s["memory.vertex_cache.read_misses"] == 1
    # Both in one warp, which takes its four instructions.
    assert s["geometry.vertex_processor.alu_instructions"] == 4
    assert (s["geometry.vertex_processor.warps"], s["geometry.vertex_processor.vertices_per_warp"]) == (1, 2)
    assert s["memory.dram.read_bytes.vertex"] == 64
    assert s["memory.dram.read_bytes.command"] == 128
