"""State that draws share up to set-up, as kernels take it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...compile.blocks import Block, Emitted, FloatRows, Kernel, Words, block_of, code_at, place_of
from ...execute.backend import VertexKernel, endless
from ...glsl.ir.program import Shader
from ..command import DrawCommand
from ..derived import RasterState
from ..geometry.set_up import STRAIGHT, slots
from ..geometry.vertex_shading import output_places
from .sampler_blocks import sampler_blocks


class VertexState(NamedTuple):
    """State that draws share up to set-up.

    Attributes
    ----------
    shade_vertices
        The kernel of `vertex_kernels`.
    shader, constants, samplers
        Code of the vertex shader, its constants, and its textures.
    places
        Where its outputs go; see `output_places`.
    slots, all_written
        Slots of varyings, and whether all of these and the position are written.
    flat, straight
        Slots that are not interpolated, and those without perspective.
    raster, snap
        State of set-up, and whether facing and area come from snapped corners.
    failed
        To be set if a loop of the vertex shader does not end.
    """

    shade_vertices: Kernel
    shader: Emitted
    constants: FloatRows
    samplers: Words
    places: Words
    slots: int
    all_written: bool
    flat: Words
    straight: Words
    raster: RasterState
    snap: bool
    failed: bool = False


FAILED = place_of(VertexState, "failed")
"""Its word."""


def check_end(vertices: Block, shader: Shader) -> None:
    """Raise an `ExecutionError` if a loop of the vertex shader did not end since the last check."""
    if vertices.words[FAILED]:
        vertices.words[FAILED] = False
        raise endless(shader)


def vertex_state(draw: DrawCommand, kernel: VertexKernel, snap: bool, shade_vertices: int) -> Block:
    """`VertexState` of the draws of a state.

    Parameters
    ----------
    draw
        One of them.
    kernel
        Kernel of their vertex shader.
    snap
        Whether window coordinates are snapped.
    shade_vertices
        Address of the kernel of `vertex_kernels`.
    """
    program, constants = draw.state.program, draw.state.constants.vertex
    # Uniforms change in place; all draws of a state share this.
    assert constants.dtype == np.float32
    flat, straight = slots(program, "flat"), slots(program, STRAIGHT)
    return block_of(
        VertexState(
            code_at(shade_vertices),
            code_at(kernel.address),
            constants,
            sampler_blocks(program.vertex, draw.state.samplers.vertex, kernel),
            *output_places(program),
            flat,
            straight,
            draw.raster_state,
            snap,
        ),
        kernel,
    )
