"""Fragment shading: quads in chunks through interpolation and the fragment shader."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...activity.kernels.interpolation import interpolate, lane_weights
from ...execute.backend import Backend, Result
from ...execute.memory import Access
from ...execute.paths import PathTable
from ...glsl import LinkedProgram
from ...glsl.ir.program import Shader
from ..command import DrawCommand
from ..geometry.set_up import STRAIGHT, Geometry
from ..texturing.reads import LoggedReads, Reads
from ..texturing.unit import TextureUnit
from .rasterization import Quads

CHUNK_QUADS = 4096
FLAT = 1 << 20


class ShadedQuads(NamedTuple):
    """Results of one chunk.

    Attributes
    ----------
    quads
        int64, (n,): positions in the batch of quads.
    colors
        float32, (4, at least 4 * n), per draw buffer that the shader writes.
    depth
        float32, (4 * n,), or None if the shader writes none.
    killed
        bool, (4 * n,), or None if nothing is discarded.
    paths
        int32, (4 * n,): executed path per lane, helper lanes included.
    reads
        Texture operations in execution order, or records of them if they are executed in loops.
    alpha_coverage
        uint16, (n,): samples that remain after alpha to coverage, or None if it is off.
    accesses
        Accesses to buffers and images in execution order.
    """

    quads: NDArray[np.int64]
    colors: dict[int, NDArray[np.float32]]
    depth: NDArray[np.float32] | None
    killed: NDArray[np.bool_] | None
    paths: NDArray[np.int32]
    reads: list[Reads] | LoggedReads
    alpha_coverage: NDArray[np.uint16] | None = None
    accesses: Sequence[Access] = ()


Shading = Callable[[NDArray[np.int64]], ShadedQuads]
"""Shades some quads of a batch, int64 (n,): their positions in the batch."""


def operation_shading(
    backend: Backend,
    draw: DrawCommand,
    geometry: Geometry,
    quads: Quads,
    alive: NDArray[np.uint16],
    paths: PathTable | None,
) -> Shading:
    """Shades a draw operation by operation.

    Parameters
    ----------
    backend
        Executes the IR.
    draw, geometry, quads
        What is drawn.
    alive
        uint16, (quads,): samples when shading begins; fragments without any, such as helpers, change no memory.
    paths
        Numbers executed paths; None to record neither paths nor texture reads.
    """

    state = draw.state

    def shade(which: NDArray[np.int64]) -> ShadedQuads:
        live = lanes_of(covered_lanes(alive[which]))
        inputs = fragment_inputs(state.program, geometry, quads.take(which), live)
        noted: list[Reads] | None = [] if paths is not None else None
        texture_unit = TextureUnit(state.samplers.fragment, True, noted)
        memory = draw.memory.get("fragment")
        if memory is not None:
            memory.live = live
            memory.noted = None if paths is None else []
        shader = state.program.fragment
        done = backend.run(shader, inputs, state.constants.fragment, texture_unit, paths, memory=memory)
        shaded = shaded_quads(shader, which, done, noted or [])
        return shaded if memory is None else shaded._replace(accesses=memory.noted or ())

    return shade


def covered_lanes(coverage: NDArray[np.uint16]) -> NDArray[np.uint16]:
    """Lanes of quads with any covered sample, one bit per lane."""
    return np.asarray((coverage | coverage >> 4 | coverage >> 8 | coverage >> 12) & 0xF, np.uint16)


def lanes_of(bits: NDArray[np.uint16]) -> NDArray[np.bool_]:
    """A bool per lane, (4 * quads,), from one bit per lane of each quad."""
    return np.asarray((bits[:, None] >> np.arange(4, dtype=np.uint16) & 1).astype(np.bool_).reshape(-1))


def shade_quads(shading: Shading, which: NDArray[np.int64]) -> Iterator[ShadedQuads]:
    """Shade some quads of a batch, int64 (n,), in order and in chunks."""
    for start in range(0, len(which), CHUNK_QUADS):
        yield shading(which[start : start + CHUNK_QUADS])


def shaded_quads(
    shader: Shader, part: NDArray[np.int64], done: Result, reads: list[Reads] | LoggedReads
) -> ShadedQuads:
    """Sort the results of a shader by their meaning. Its outputs and killed lanes may be followed by lanes without
    meaning."""
    lanes = 4 * len(part)
    colors: dict[int, NDArray[np.float32]] = {}
    depth = None
    for declaration, output in zip(shader.outputs, done.outputs, strict=True):
        if declaration.semantic == "color":
            colors[declaration.slot] = np.ascontiguousarray(output, np.float32)
        elif declaration.semantic == "depth":
            depth = np.ascontiguousarray(output[0, :lanes], np.float32)
    executed = np.zeros(lanes, np.int32) if done.paths is None else done.paths.astype(np.int32, copy=False)
    killed = None if done.killed is None else done.killed[:lanes]
    return ShadedQuads(part, colors, depth, killed, executed, reads)


def fragment_inputs(
    program: LinkedProgram, geometry: Geometry, quads: Quads, live: NDArray[np.bool_]
) -> NDArray[np.float32]:
    """Inputs of the fragment shader at every lane, helper lanes included.

    Returns
    -------
    float32, (inputs, 4, 4 * quads)
    """
    lanes, (primitive, x, y, _) = 4 * quads.number, quads
    declarations = program.fragment.inputs
    inputs = np.zeros((len(declarations), 4, lanes), np.float32)
    first, second = np.empty(lanes, np.float32), np.empty(lanes, np.float32)
    lane_weights(primitive, x, y, geometry.corners, geometry.window, first, second)
    straight = program.slots(STRAIGHT)
    rows, smooth = inputs.reshape(-1, lanes), _components(program, geometry, straight, False)
    interpolate(primitive, geometry.corners, geometry.outputs, first, second, smooth, rows)
    if straight:
        even = geometry.window.copy()
        even[:, 3] = 1
        others = _components(program, geometry, straight, True)
        first_straight, second_straight = np.empty(lanes, np.float32), np.empty(lanes, np.float32)
        lane_weights(primitive, x, y, geometry.corners, even, first_straight, second_straight)
        interpolate(primitive, geometry.corners, geometry.outputs, first_straight, second_straight, others, rows)
    for i, declaration in enumerate(declarations):
        if declaration.semantic == "frag_coord":
            _fragment_coordinates(geometry, quads, first, second, inputs[i])
        elif declaration.semantic == "face":
            facing = np.where(geometry.front[primitive], np.float32(1), np.float32(-1))
            inputs[i] = np.repeat(facing, 4)
        elif declaration.semantic == "helper":
            inputs[i] = ~live
        elif declaration.semantic == "point_coord":
            _point_coordinates(geometry, quads, inputs[i])
    return inputs


def _components(
    program: LinkedProgram, geometry: Geometry, straight: frozenset[int], are_straight: bool
) -> NDArray[np.int64]:
    """Arguments of `interpolate` for the varyings that are interpolated without perspective, or for the others."""
    declarations, flat = program.fragment.inputs, program.slots("flat")
    components = np.full(4 * len(declarations), -1, np.int64)
    for i, declaration in enumerate(declarations):
        slot = declaration.slot
        if declaration.semantic == "varying" and (slot in straight) == are_straight:
            base = 4 * slot + (FLAT if slot in flat else 0)
            if 4 * slot + 4 <= geometry.outputs.shape[1]:
                components[4 * i : 4 * i + 4] = np.arange(base, base + 4)
    return components


def _pixels(quads: Quads) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    lane = np.arange(4)
    x, y = 2.0 * quads.x[:, None] + (lane & 1) + 0.5, 2.0 * quads.y[:, None] + (lane >> 1) + 0.5
    return x.astype(np.float32).reshape(-1), y.astype(np.float32).reshape(-1)


def _fragment_coordinates(
    geometry: Geometry,
    quads: Quads,
    first: NDArray[np.float32],
    second: NDArray[np.float32],
    out: NDArray[np.float32],
) -> None:
    """gl_FragCoord: window x and y of the centre, depth, 1/w (OpenGL ES Shading Language 1.00, 7.2)."""
    out[0], out[1] = _pixels(quads)
    plane = np.repeat(geometry.planes[quads.primitive], 4, axis=0)
    out[2] = np.clip(plane[:, 0] + plane[:, 1] * out[0] + plane[:, 2] * out[1], 0.0, 1.0)
    corners = np.repeat(geometry.corners[quads.primitive], 4, axis=0)
    w = np.where(corners >= 0, 1 / np.where(geometry.window[corners, 3] > 0, geometry.window[corners, 3], 1), 0)
    interpolated = w[:, 0] + first * (w[:, 1] - w[:, 0]) + second * (w[:, 2] - w[:, 0])
    out[3] = 1 / interpolated


def _point_coordinates(geometry: Geometry, quads: Quads, out: NDArray[np.float32]) -> None:
    """gl_PointCoord: 0…1 across a point, t from the top (OpenGL ES 2.0, 3.3)."""
    px, py = _pixels(quads)
    centre = np.repeat(geometry.window[geometry.corners[quads.primitive, 0], :2], 4, axis=0)
    size = np.repeat(geometry.extent[quads.primitive], 4)
    size = np.where(size > 0, size, 1)
    out[0] = 0.5 + (px - centre[:, 0]) / size
    out[1] = 0.5 - (py - centre[:, 1]) / size
