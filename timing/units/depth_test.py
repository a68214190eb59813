"""Depth and stencil tests of one quad against the on-chip buffers of a tile, as OpenGL ES 3.0, 4.1.4 and
4.1.5 define them.

The buffers are machine state: outcomes follow the order in which this machine processes quads, not the recorded one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilegpu.functional.activity.kernels.depth import compare, depth_at, quantize_depth
from tilegpu.functional.activity.kernels.samples import plane_at_sample
from tilegpu.functional.activity.kernels.stencil import STENCIL_MAX, stencil_result
from tilegpu.timing.declare.records import MAX_TILE_SAMPLES, Record, Rows, i4, i8, room

from ..engine import hooks
from ..engine.jit import inline, unit

if TYPE_CHECKING:
    from ..engine.frame import Depth, DrawState, Primitive
    from ..memory.gpu import Gpu


@inline
def work_of(depth: Depth, q: int) -> int:
    """Account of a quad's draw."""
    return int(depth.primitive[depth.quad[q].primitive].work)


class TileBuffer(Record):
    """Depth and stencil values of a tile, by sample; x, y: its lower left pixel."""

    depth: Rows[i8] = room(MAX_TILE_SAMPLES)
    stencil: Rows[i4] = room(MAX_TILE_SAMPLES)
    x: i8
    y: i8
    samples: i8
    raster_unit: i8
    reads: i8
    writes: i8


@inline
def place_of(gpu: Gpu, buffer: TileBuffer, x: int, y: int, sample: int) -> int:
    """Place of a pixel's sample in the tile's buffers."""
    return int(((y - buffer.y) * gpu.tile_width + (x - buffer.x)) * buffer.samples + sample)


@unit
def test_stencil(buffer: TileBuffer, state: DrawState, front_facing: int, place: int, depth_passes: bool) -> bool:
    """Stencil test and update of one sample; whether it passes the stencil test."""
    function = state.front_function if front_facing != 0 else state.back_function
    reference = state.front_reference if front_facing != 0 else state.back_reference
    mask = state.front_mask if front_facing != 0 else state.back_mask
    write_mask = state.front_write_mask if front_facing != 0 else state.back_write_mask
    reference = min(max(reference, 0), STENCIL_MAX)
    value = buffer.stencil[place]
    passes = compare(function, reference & mask, value & mask)
    if not passes:
        operation = state.front_fail if front_facing != 0 else state.back_fail
    elif not depth_passes:
        operation = state.front_depth_fail if front_facing != 0 else state.back_depth_fail
    else:
        operation = state.front_depth_pass if front_facing != 0 else state.back_depth_pass
    result = stencil_result(operation, value, reference)
    buffer.stencil[place] = (value & ~write_mask) | (result & write_mask)
    return bool(passes)


@inline
def depth_of_sample(primitive: Primitive, state: DrawState, x: int, y: int, sample: int, samples: int) -> int:
    """Depth of a primitive at a pixel's sample, as the depth buffer keeps it."""
    plane = primitive.depth
    if samples > 1:
        plane = plane_at_sample(primitive.depth, primitive.depth_dx, primitive.depth_dy, sample)
    return int(depth_at(plane, primitive.depth_dx, primitive.depth_dy, x, y, state.depth_format))


@unit
def resolve(gpu: Gpu, depth: Depth, buffer: TileBuffer, q: int, covered: int) -> int:
    """Test the covered samples of quad q, update the buffers; the samples that pass, a bit each (lane + 4 * sample)."""
    quad = depth.quad[q]
    primitive = depth.primitive[quad.primitive]
    state = depth.state[primitive.state]
    if state.depth_test == 0 and state.stencil_test == 0:
        return covered
    buffer.reads += 1
    passed = 0
    wrote = False
    for bit in range(4 * buffer.samples):
        if covered >> bit & 1 == 0:
            continue
        lane = bit & 3
        x = quad.x * 2 + (lane & 1)
        y = quad.y * 2 + (lane >> 1)
        place = place_of(gpu, buffer, x, y, bit >> 2)
        z = buffer.depth[place]
        passes = True
        if state.depth_test != 0:
            if quad.shader_depth >= 0:
                z = quantize_depth(depth.shader_depth[quad.shader_depth + lane], state.depth_format)
            else:
                z = depth_of_sample(primitive, state, x, y, bit >> 2, buffer.samples)
            compared = hooks.Compared(int(z), int(buffer.depth[place]))
            passes = compare(state.depth_function, z, compared.held)
            passes = hooks.depth_tested(gpu, depth, buffer.raster_unit, place, q, compared, passes)
        if state.stencil_test != 0 and not test_stencil(buffer, state, primitive.front_facing, place, passes):
            passes = False
        if passes:
            passed |= 1 << bit
            if state.depth_test != 0 and state.depth_write != 0:
                buffer.depth[place] = z
                hooks.depth_written(gpu, depth, buffer.raster_unit, place, q)
                wrote = True
    if wrote:
        buffer.writes += 1
    return passed
