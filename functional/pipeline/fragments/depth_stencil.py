"""Stencil and depth tests on quads, in drawing order (OpenGL ES 2.0, 4.1.4 and 4.1.5)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...activity.kernels.depth import compare, depth_at, quantize_depth
from ...activity.kernels.stencil import STENCIL_OPERATIONS, stencil_result
from ...compile import helper, kernel
from ...compile.blocks import DoubleRows, Flags, FloatRows, Halves
from ...execute.backend import Backend, Kernel
from ...execute.kernel_arguments import DepthState
from ...opengl import enums as gl
from ..geometry.set_up import Geometry
from ..state import DrawState, StencilFace
from .depth_blocks import DepthStencilTests, depth_test_planes
from .multisampling import shifted
from .rasterization import Quads

_OPERATIONS = {number: STENCIL_OPERATIONS.index(name) for number, name in gl.STENCIL_OPERATIONS.items()}


def _coded(face: StencilFace) -> StencilFace:
    """A face as kernels take it."""
    return StencilFace(
        face.function & 7,
        face.reference,
        face.mask & 0xFF,
        face.write_mask & 0xFF,
        _OPERATIONS[face.fail],
        _OPERATIONS[face.depth_fail],
        _OPERATIONS[face.depth_pass],
    )


def tests_of(state: DrawState, sample: int) -> DepthStencilTests:
    """The tests of a sample; attachments that are missing have no pixels."""
    target, tests = state.target, state.depth_stencil
    depth: Any = np.zeros((0, 0), np.uint32) if target.depth is None else target.depth
    stencil: Any = np.zeros((0, 0), np.uint8) if target.stencil is None else target.stencil
    return DepthStencilTests(
        depth[sample] if depth.ndim == 3 else depth,
        target.depth_format,
        tests.depth_test,
        tests.depth_function & 7,
        tests.depth_write,
        stencil[sample] if stencil.ndim == 3 else stencil,
        tests.stencil_test,
        _coded(tests.stencil_front),
        _coded(tests.stencil_back),
    )


def depth_kernel(state: DrawState, backend: Backend) -> Kernel | None:
    """The back end's kernel for the depth test of a draw, if there is one; it takes `DepthArguments`."""
    target, tests = state.target, state.depth_stencil
    # It reads and writes whole quads.
    cut = target.width % 2 or target.height % 2
    if not tests.depth_test or tests.stencil_test or target.samples > 1 or cut:
        return None
    kernel = backend.depth_kernel(DepthState(target.depth_format, tests.depth_function & 7, tests.depth_write))
    return None if isinstance(kernel, str) else kernel


def depth_stencil_test(
    state: DrawState,
    geometry: Geometry,
    quads: Quads,
    lanes: NDArray[np.uint16],
    shader_depth: NDArray[np.float32] | None,
    passed: NDArray[np.uint16],
) -> None:
    """Stencil and depth tests of a batch, sample by sample; see `depth_test_quads`."""
    target, tests = state.target, state.depth_stencil
    if not tests.depth_test and not tests.stencil_test:
        passed[:] = lanes
        return
    by_shader = np.zeros((4, 0), np.float32)
    if shader_depth is not None:
        by_shader = np.ascontiguousarray(shader_depth.reshape(-1, 4).T)
    for sample in range(target.samples):
        outcome = np.zeros(quads.number, np.uint16)
        depth_test_quads(
            Quads(quads.primitive, quads.x, quads.y, lanes >> np.uint16(4 * sample) & np.uint16(0xF)),
            shifted(geometry, sample).planes if target.samples > 1 else geometry.planes,
            geometry.front,
            by_shader,
            tests_of(state, sample),
            outcome,
        )
        passed |= outcome << np.uint16(4 * sample)


@helper
def stored(face: StencilFace, operation: int, value: int) -> Any:
    """New stencil value under one of the operations of a `StencilFace` with codes."""
    return (value & ~face.write_mask) | (stencil_result(operation, value, face.reference) & face.write_mask)


@kernel
def depth_test_quads(
    quads: Quads, planes: DoubleRows, front: Flags, shader_depth: FloatRows, tests: DepthStencilTests, passed: Halves
) -> None:
    """Test quads in order and update the buffers.

    Parameters
    ----------
    quads
        `Quads`, the coverage being the lanes to test.
    planes
        float64, (primitives, 3): depth planes.
    front
        bool, (primitives,): faces the viewer.
    shader_depth
        float32, (4, quads) or of no quads: depth that the shader wrote.
    tests
        `DepthStencilTests`.
    passed
        uint16, (quads,): lanes that pass both tests, to fill.
    """
    primitive, quad_x, quad_y, lanes = quads
    depth, depth_format, depth_test, function, write, stencil, stencil_test, front_test, back_test = tests
    if depth_test and not stencil_test and shader_depth.shape[1] == 0:
        depth_test_planes(quads, planes, tests, passed)
        return
    for q in range(len(primitive)):
        p = primitive[q]
        face = front_test if front[p] else back_test
        mask = 0
        for lane in range(4):
            if not lanes[q] >> lane & 1:
                continue
            x, y = 2 * int(quad_x[q]) + (lane & 1), 2 * int(quad_y[q]) + (lane >> 1)
            value = 0
            if stencil_test:
                value = int(stencil[y, x])
                if not compare(face.function, face.reference & face.mask, value & face.mask):
                    stencil[y, x] = stored(face, face.fail, value)
                    continue
            nearer = True
            if depth_test:
                if shader_depth.shape[1] > 0:
                    z = quantize_depth(shader_depth[lane, q], depth_format)
                else:
                    z = depth_at(planes[p, 0], planes[p, 1], planes[p, 2], x, y, depth_format)
                nearer = compare(function, z, int(depth[y, x]))
                if nearer and write:
                    depth[y, x] = z
            if stencil_test:
                stencil[y, x] = stored(face, face.depth_pass if nearer else face.depth_fail, value)
            if nearer:
                mask |= 1 << lane
        passed[q] = mask
