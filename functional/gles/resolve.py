"""From state to `DrawCommand`: which arrays, textures and attachments a draw uses."""

from __future__ import annotations

from ..activity.kernels.depth import depth_format_code
from ..glsl.ir.program import Sampler as SamplerDeclaration
from ..pipeline.command import Blend, ColorTarget, DrawCommand, Feedback, Sampler, Target, VertexArray
from ..pipeline.index_stream import IndexStream
from ..pipeline.logic import COPY
from ..pipeline.vertex_formats import element_bytes
from . import enums as gl
from .buffers import Buffer
from .checks import check_operation
from .context import Context
from .errors import GLError
from .fixed.state import MAX_UNITS
from .framebuffers import Attachment, Framebuffer
from .labels import object_label
from .limits import MAX_VERTEX_ATTRIBS
from .programs import Program
from .state import AttributeArray, State
from .textures import Texture

MAP_PERSISTENT = 0x40
COLOR_LOGIC_OP = 0x0BF2


def resolve_target(framebuffer: Framebuffer) -> Target:
    """Attachments of a framebuffer as the pipeline takes them; GLError where it is incomplete."""
    key = framebuffer.revision, framebuffer.storage
    if framebuffer.target is None or framebuffer.target[0] != key:
        framebuffer.target = key, _target(framebuffer)
    target = framebuffer.target[1]
    assert isinstance(target, Target)
    return target


def _target(framebuffer: Framebuffer) -> Target:
    width, height = framebuffer.size
    depth = framebuffer.depth.depth() if framebuffer.depth is not None else None
    stencil = framebuffer.stencil.stencil() if framebuffer.stencil is not None else None
    depth_format = framebuffer.depth.depth_format if framebuffer.depth is not None else None
    return Target(
        width,
        height,
        tuple(color_target(framebuffer.colors.get(number)) for number in framebuffer.draw_buffers),
        depth,
        depth_format_code(depth_format if depth is not None else None),
        stencil,
        framebuffer.name == 0,
        max((attachment.samples for attachment in framebuffer.attachments), default=1),
    )


def color_target(attachment: Attachment | None) -> ColorTarget | None:
    """A colour attachment as the pipeline takes it."""
    pixels = attachment.color() if attachment is not None else None
    if attachment is None or pixels is None or attachment.format is None:
        return None
    return ColorTarget(pixels, attachment.format.bits, attachment.format.kind)


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
    stream: IndexStream,
    index_source: tuple[int, int, int],
    feedback: Feedback | None = None,
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
    arrays, constants = _attributes(context, program, stream.largest, stream.indices is not None)
    x0, y0, x1, y1 = scissor_box(state, target.width, target.height)
    vx, vy, vw, vh = state.viewport
    scissor = (max(x0, vx), max(y0, vy), min(x1, vx + vw), min(y1, vy + vh))
    enabled = state.enabled
    return DrawCommand(
        mode,
        first,
        count,
        instances,
        stream,
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
        (1 << 8 * index_source[0]) - 1 if gl.PRIMITIVE_RESTART_FIXED_INDEX in enabled else -1,
        object_label(context),
        gl.SAMPLE_ALPHA_TO_COVERAGE in enabled and target.samples > 1,
        state.sample_coverage if gl.SAMPLE_COVERAGE in enabled else (1.0, False),
        feedback,
        gl.RASTERIZER_DISCARD in enabled,
        context.fixed.logic_operation & 15 if COLOR_LOGIC_OP in context.fixed.enabled else COPY,
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
        if declaration.semantic != "attribute" or not 0 <= location < MAX_VERTEX_ATTRIBS:
            continue
        state = context.state.vertex_array.attributes[location]
        if state.enabled:
            arrays[location] = _array(context, state, location, last, indexed)
        else:
            constants[location] = context.state.constants[location]
    return arrays, constants


def _array(context: Context, state: AttributeArray, location: int, last: int, indexed: bool) -> VertexArray:
    size = element_bytes(state.type, state.components)
    stride = state.stride_bytes or size
    if state.buffer is not None:
        check_operation(not _mapped(state.buffer), f"attribute {location}: its buffer is mapped")
        data: bytes | bytearray = state.buffer.data
        identity, version = state.buffer.identity, state.buffer.version
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
        state.integer,
    )


_TARGETS = {
    "2d": gl.TEXTURE_2D,
    "cube": gl.TEXTURE_CUBE_MAP,
    "3d": gl.TEXTURE_3D,
    "2d_array": gl.TEXTURE_2D_ARRAY,
    "external": gl.TEXTURE_EXTERNAL_OES,
}


def _samplers(context: Context, samplers: tuple[SamplerDeclaration, ...], units: list[int]) -> tuple[Sampler, ...]:
    result = []
    for declaration, unit in zip(samplers, units, strict=True):
        target = declaration.target.removesuffix("_shadow").removeprefix("shadow_")
        kind = _TARGETS.get(target, gl.TEXTURE_2D)
        texture = context.state.units.get((unit, kind)) or context.default_textures.get(kind)
        result.append(_sampler(context, texture, unit, "2d" if target == "external" else target))
    return tuple(result)


def _mapped(buffer: Buffer) -> bool:
    """Whether a buffer is mapped in a way that keeps draws from using it."""
    return buffer.mapping is not None and not buffer.mapping.access & MAP_PERSISTENT


def _sampler(context: Context, texture: Texture | None, unit: int, target: str) -> Sampler:
    if texture is None:
        return Sampler(None, -1, 0, target, gl.NEAREST, gl.NEAREST, gl.REPEAT, gl.REPEAT)
    bound = context.state.samplers.get(unit)
    sampling = bound.sampling if bound is not None else texture.sampling
    bias = sampling.lod_bias
    if context.version == 1 and unit < MAX_UNITS:
        bias += context.fixed.environments[unit].lod_bias
    storage = texture.storage(sampling.mipmapped) if texture.complete(sampling) else None
    return Sampler(
        storage,
        texture.identity,
        texture.version,
        target,
        sampling.min_filter,
        sampling.mag_filter,
        sampling.wrap_s,
        sampling.wrap_t,
        sampling.wrap_r,
        sampling.min_lod,
        sampling.max_lod,
        bias,
        sampling.anisotropy,
        texture.swizzle,
        sampling.compare_function & 7 if sampling.compare_mode else -1,
        texture.base_level,
    )
