"""From state to `DrawCommand`: which arrays, textures and attachments a draw uses."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..activity.kernels.depth import depth_format_code
from ..pipeline.command import Blend, DrawCommand, Sampler, Target, VertexArray
from ..pipeline.vertex_formats import component_dtype
from . import enums as gl
from .context import Context
from .errors import GLError
from .framebuffers import Framebuffer
from .programs import Program
from .state import MAX_ATTRIBUTES, AttributeArray, State


def resolve_target(framebuffer: Framebuffer) -> Target:
    """Attachments of a framebuffer as the pipeline takes them; GLError where it is incomplete."""
    width, height = framebuffer.size
    color = framebuffer.color.color() if framebuffer.color is not None else None
    texel_format = framebuffer.color.format if framebuffer.color is not None else None
    depth = framebuffer.depth.surface if framebuffer.depth is not None else None
    stencil = framebuffer.stencil.surface if framebuffer.stencil is not None else None
    return Target(
        width,
        height,
        color,
        texel_format.bits if texel_format is not None else (0, 0, 0, 0),
        depth.depth if depth is not None else None,
        depth_format_code(depth.depth_format if depth is not None else None),
        stencil.stencil if stencil is not None else None,
        framebuffer.name == 0,
    )


def scissor_box(state: State, width: int, height: int) -> tuple[int, int, int, int]:
    """x0, y0, x1, y1 of what may be written of a framebuffer, viewport not considered."""
    if gl.SCISSOR_TEST not in state.enabled:
        return 0, 0, width, height
    x, y, w, h = state.scissor
    x0, y0 = min(max(x, 0), width), min(max(y, 0), height)
    return x0, y0, max(x0, min(x + w, width)), max(y0, min(y + h, height))


def resolve_draw(
    context: Context,
    program: Program,
    mode: int,
    first: int,
    count: int,
    instances: int,
    indices: NDArray[np.uint32] | None,
    index_source: tuple[int, int, int],
) -> DrawCommand:
    """Everything a draw needs.

    Raises
    ------
    GLError
        An array ends before the last vertex, a client-side array was lost by the tracer, or the framebuffer is
        incomplete.
    """
    state, linked = context.state, program.linked
    assert linked is not None
    target = resolve_target(context.framebuffer)
    last = int(indices.max()) if indices is not None else first + count - 1
    arrays, constants = _attributes(context, program, last, indices is not None)
    x0, y0, x1, y1 = scissor_box(state, target.width, target.height)
    vx, vy, vw, vh = state.viewport
    scissor = (max(x0, vx), max(y0, vy), min(x1, vx + vw), min(y1, vy + vh))
    enabled = state.enabled
    return DrawCommand(
        mode,
        first,
        count,
        instances,
        indices,
        index_source,
        arrays,
        constants,
        linked,
        program.vertex_constants,
        program.fragment_constants,
        _samplers(context, linked.vertex.samplers, program.vertex_units),
        _samplers(context, linked.fragment.samplers, program.fragment_units),
        state.viewport,
        state.depth_range,
        scissor,
        state.cull_face if gl.CULL_FACE in enabled else gl.NONE,
        state.front_face,
        state.polygon_offset if gl.POLYGON_OFFSET_FILL in enabled else (0.0, 0.0),
        gl.DEPTH_TEST in enabled and target.depth is not None,
        state.depth_function,
        state.depth_mask,
        gl.STENCIL_TEST in enabled and target.stencil is not None,
        state.stencil_front,
        state.stencil_back,
        Blend(*state.blend_equation, *state.blend_function, state.blend_color) if gl.BLEND in enabled else None,
        state.color_mask,
        state.line_width,
        target,
    )


def _attributes(
    context: Context,
    program: Program,
    last: int,
    indexed: bool,
) -> tuple[dict[int, VertexArray], dict[int, tuple[float, float, float, float]]]:
    arrays: dict[int, VertexArray] = {}
    constants: dict[int, tuple[float, float, float, float]] = {}
    assert program.linked is not None
    for declaration in program.linked.vertex.inputs:
        location = declaration.slot
        if declaration.semantic != "attribute" or not 0 <= location < MAX_ATTRIBUTES:
            continue
        state = context.state.attributes[location]
        if state.enabled:
            arrays[location] = _array(context, state, location, last, indexed)
        else:
            constants[location] = state.constant
    return arrays, constants


def _array(context: Context, state: AttributeArray, location: int, last: int, indexed: bool) -> VertexArray:
    size = component_dtype(state.type).itemsize * state.components
    stride = state.stride_bytes or size
    if state.buffer:
        buffer = context.group.buffers.get(state.buffer)
        if buffer is None:
            raise GLError(gl.INVALID_OPERATION, f"attribute {location}: its buffer was deleted")
        data: bytes | bytearray = buffer.data
        identity, version = buffer.identity, buffer.version
    elif state.client is not None:
        data = state.client
        if not data:
            raise GLError(
                gl.INVALID_OPERATION,
                f"attribute {location}: the tracer lost its client-side array (blob of 0 bytes, which "
                "apitrace writes for client-side arrays with an element array buffer); the draw is skipped",
            )
        identity, version = context.identities.take("buffer"), 0
    else:
        raise GLError(gl.INVALID_OPERATION, f"attribute {location}: its array is enabled but never set")
    if state.offset_bytes < 0 or (state.divisor == 0 and state.offset_bytes + last * stride + size > len(data)):
        raise GLError(
            gl.INVALID_OPERATION,
            f"attribute {location}: vertex {last} lies outside its array of {len(data)} bytes; the draw is skipped",
        )
    return VertexArray(
        data,
        identity,
        version,
        state.offset_bytes,
        stride,
        state.type,
        state.components,
        state.normalized,
        state.divisor,
    )


def _samplers(context: Context, samplers: tuple[object, ...], units: list[int]) -> tuple[Sampler, ...]:
    result = []
    for declaration, unit in zip(samplers, units, strict=True):
        cube = getattr(declaration, "target", "2d") == "cube"
        name = context.state.units.get((unit, gl.TEXTURE_CUBE_MAP if cube else gl.TEXTURE_2D), 0)
        texture = (
            context.group.textures.get(name)
            if name
            else context.default_textures.get(gl.TEXTURE_CUBE_MAP if cube else gl.TEXTURE_2D)
        )
        if texture is None or not texture.complete():
            result.append(
                Sampler(
                    None,
                    texture.identity if texture else -1,
                    0,
                    cube,
                    gl.NEAREST,
                    gl.NEAREST,
                    gl.REPEAT,
                    gl.REPEAT,
                )
            )
        else:
            result.append(
                Sampler(
                    texture.storage(),
                    texture.identity,
                    texture.version,
                    cube,
                    texture.min_filter,
                    texture.mag_filter,
                    texture.wrap_s,
                    texture.wrap_t,
                    texture.anisotropy,
                )
            )
    return tuple(result)
