"""Values of a context's state for glGet, by name (OpenGL ES 3.0, 6.2; OpenGL ES 1.1, 6.2)."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from operator import attrgetter
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from ..glsl.compatibility import COLOR, COORDINATE, NORMAL
from ..opengl import enums as gl
from ..opengl.formats import depth_bits
from ..opengl.limits import FIXED_LIMITS, LIMITS
from .compressed import COMPRESSED
from .extensions import EXTENSIONS
from .fixed.state import MAX_UNITS
from .framebuffers import Framebuffer
from .state import HINTS, PIXEL_STORE

if TYPE_CHECKING:
    from .context import Context

Numbers = tuple[float, ...]
Read = Callable[["Context"], Any]
NORMALIZED = frozenset(
    {
        gl.COLOR_CLEAR_VALUE,
        gl.DEPTH_CLEAR_VALUE,
        gl.DEPTH_RANGE,
        gl.BLEND_COLOR,
        gl.ALPHA_TEST_REF,
        gl.CURRENT_COLOR,
        gl.CURRENT_NORMAL,
        gl.FOG_COLOR,
        gl.LIGHT_MODEL_AMBIENT,
    }
)
"""Values in 0…1 or -1…1 that integer queries scale: colours, depths, normals."""
_BINDINGS = {
    gl.TEXTURE_2D: gl.TEXTURE_BINDING_2D,
    gl.TEXTURE_CUBE_MAP: gl.TEXTURE_BINDING_CUBE_MAP,
    gl.TEXTURE_3D: gl.TEXTURE_BINDING_3D,
    gl.TEXTURE_2D_ARRAY: gl.TEXTURE_BINDING_2D_ARRAY,
    gl.TEXTURE_EXTERNAL_OES: gl.TEXTURE_BINDING_EXTERNAL_OES,
    gl.TEXTURE_2D_MULTISAMPLE: gl.TEXTURE_BINDING_2D_MULTISAMPLE,
}
_BUFFERS = {
    gl.ARRAY_BUFFER: gl.ARRAY_BUFFER_BINDING,
    gl.PIXEL_PACK_BUFFER: gl.PIXEL_PACK_BUFFER_BINDING,
    gl.PIXEL_UNPACK_BUFFER: gl.PIXEL_UNPACK_BUFFER_BINDING,
    gl.UNIFORM_BUFFER: gl.UNIFORM_BUFFER_BINDING,
    gl.TRANSFORM_FEEDBACK_BUFFER: gl.TRANSFORM_FEEDBACK_BUFFER_BINDING,
    gl.COPY_READ_BUFFER: gl.COPY_READ_BUFFER,
    gl.COPY_WRITE_BUFFER: gl.COPY_WRITE_BUFFER,
    gl.DRAW_INDIRECT_BUFFER: gl.DRAW_INDIRECT_BUFFER_BINDING,
    gl.SHADER_STORAGE_BUFFER: gl.SHADER_STORAGE_BUFFER_BINDING,
    gl.ATOMIC_COUNTER_BUFFER: gl.ATOMIC_COUNTER_BUFFER_BINDING,
    gl.DISPATCH_INDIRECT_BUFFER: gl.DISPATCH_INDIRECT_BUFFER_BINDING,
}
_STENCIL = {
    "function": (gl.STENCIL_FUNC, gl.STENCIL_BACK_FUNC),
    "depth_fail": (gl.STENCIL_PASS_DEPTH_FAIL, gl.STENCIL_BACK_PASS_DEPTH_FAIL),
    "depth_pass": (gl.STENCIL_PASS_DEPTH_PASS, gl.STENCIL_BACK_PASS_DEPTH_PASS),
    "fail": (gl.STENCIL_FAIL, gl.STENCIL_BACK_FAIL),
    "reference": (gl.STENCIL_REF, gl.STENCIL_BACK_REF),
    "mask": (gl.STENCIL_VALUE_MASK, gl.STENCIL_BACK_VALUE_MASK),
    "write_mask": (gl.STENCIL_WRITEMASK, gl.STENCIL_BACK_WRITEMASK),
}


def _name(thing: Any) -> int:
    return int(thing.name) if thing is not None else 0


def _texture(context: Context, target: int) -> int:
    return _name(context.state.units.get((context.state.active_unit, target)))


def _buffer(context: Context, target: int) -> int:
    return _name(context.state.buffers.get(target))


def _hint(context: Context, hint: int, initial: int) -> int:
    return context.state.hints.get(hint, initial)


def _bits(context: Context, channel: int) -> int:
    color = next((context.framebuffer.colors.get(n) for n in context.framebuffer.draw_buffers if n >= 0), None)
    return color.format.bits[channel] if color is not None and color.format is not None else 0


def _depth_bits(framebuffer: Framebuffer) -> int:
    return depth_bits(framebuffer.depth.depth_format if framebuffer.depth is not None else None)


def _stencil_bits(framebuffer: Framebuffer) -> int:
    return 8 if framebuffer.stencil is not None and framebuffer.stencil.stencil() is not None else 0


def _samples(context: Context) -> int:
    count = context.framebuffer.samples
    return count if count > 1 else 0


def _draw_buffer(number: int) -> Read:
    def read(context: Context) -> int:
        buffers = context.framebuffer.draw_buffers
        attached = buffers[number] if number < len(buffers) else -1
        return _buffer_name(context.state.framebuffer, attached)

    return read


def _buffer_name(framebuffer: int, attached: int) -> int:
    if attached < 0:
        return gl.NONE
    return gl.COLOR_ATTACHMENT0 + attached if framebuffer else gl.BACK


def _plain() -> dict[int, Read]:
    """State that is stored the way glGet returns it."""
    return {
        gl.DEBUG_GROUP_STACK_DEPTH: lambda c: 1 + len(c.debug_groups),
        gl.DEBUG_LOGGED_MESSAGES: lambda c: 0,
        gl.DEBUG_NEXT_LOGGED_MESSAGE_LENGTH: lambda c: 0,
        gl.VIEWPORT: lambda c: c.state.viewport,
        gl.SCISSOR_BOX: lambda c: c.state.scissor,
        gl.DEPTH_RANGE: lambda c: c.state.depth_range,
        gl.COLOR_CLEAR_VALUE: lambda c: c.state.clear_color,
        gl.DEPTH_CLEAR_VALUE: lambda c: c.state.clear_depth,
        gl.STENCIL_CLEAR_VALUE: lambda c: c.state.clear_stencil,
        gl.COLOR_WRITEMASK: lambda c: c.state.color_mask,
        gl.DEPTH_WRITEMASK: lambda c: c.state.depth_mask,
        gl.DEPTH_FUNC: lambda c: c.state.depth_function,
        gl.CULL_FACE_MODE: lambda c: c.state.cull_face,
        gl.FRONT_FACE: lambda c: c.state.front_face,
        gl.POLYGON_OFFSET_FACTOR: lambda c: c.state.polygon_offset[0],
        gl.POLYGON_OFFSET_UNITS: lambda c: c.state.polygon_offset[1],
        gl.LINE_WIDTH: lambda c: c.state.line_width,
        gl.SAMPLE_COVERAGE_VALUE: lambda c: c.state.sample_coverage[0],
        gl.SAMPLE_COVERAGE_INVERT: lambda c: c.state.sample_coverage[1],
        gl.BLEND_EQUATION: lambda c: c.state.blend_equation[0],
        gl.BLEND_EQUATION_ALPHA: lambda c: c.state.blend_equation[1],
        gl.BLEND_SRC_RGB: lambda c: c.state.blend_function[0],
        gl.BLEND_DST_RGB: lambda c: c.state.blend_function[1],
        gl.BLEND_SRC_ALPHA: lambda c: c.state.blend_function[2],
        gl.BLEND_DST_ALPHA: lambda c: c.state.blend_function[3],
        gl.BLEND_COLOR: lambda c: c.state.blend_color,
        gl.ACTIVE_TEXTURE: lambda c: gl.TEXTURE0 + c.state.active_unit,
        gl.CURRENT_PROGRAM: lambda c: _name(c.state.program),
        gl.PROGRAM_PIPELINE_BINDING: lambda c: _name(c.state.pipeline),
        gl.FRAMEBUFFER_BINDING: lambda c: c.state.framebuffer,
        gl.READ_FRAMEBUFFER_BINDING: lambda c: c.state.read_framebuffer,
        gl.RENDERBUFFER_BINDING: lambda c: _name(c.state.renderbuffer),
        gl.ELEMENT_ARRAY_BUFFER_BINDING: lambda c: _name(c.state.vertex_array.element_buffer),
        gl.VERTEX_ARRAY_BINDING: lambda c: next(n for n, a in c.vertex_arrays.items() if a is c.state.vertex_array),
        gl.SAMPLER_BINDING: lambda c: _name(c.state.samplers.get(c.state.active_unit)),
        gl.TRANSFORM_FEEDBACK_BINDING: lambda c: c.state.transform_feedback,
        gl.TRANSFORM_FEEDBACK_PAUSED: lambda c: c.feedback.paused,
        gl.TRANSFORM_FEEDBACK_ACTIVE: lambda c: c.feedback.active,
    }


def _derived() -> dict[int, Read]:
    """State that is derived from objects."""
    table: dict[int, Read] = {
        gl.ALPHA_BITS: lambda c: _bits(c, 3),
        gl.DEPTH_BITS: lambda c: _depth_bits(c.framebuffer),
        gl.STENCIL_BITS: lambda c: _stencil_bits(c.framebuffer),
        gl.SAMPLE_BUFFERS: lambda c: int(_samples(c) > 0),
        gl.SAMPLES: _samples,
        gl.READ_BUFFER: lambda c: _buffer_name(c.state.read_framebuffer, c.read_framebuffer.read_buffer),
        gl.IMPLEMENTATION_COLOR_READ_TYPE: lambda c: gl.UNSIGNED_BYTE,
        gl.IMPLEMENTATION_COLOR_READ_FORMAT: lambda c: gl.RGBA,
        gl.NUM_COMPRESSED_TEXTURE_FORMATS: lambda c: len(_compressed()),
        gl.COMPRESSED_TEXTURE_FORMATS: lambda c: _compressed(),
        gl.MAJOR_VERSION: lambda c: 3,
        gl.MINOR_VERSION: lambda c: 1,
        gl.NUM_EXTENSIONS: lambda c: len(EXTENSIONS),
    }
    for channel in range(3):
        table[gl.RED_BITS + channel] = partial(_bits, channel=channel)
    for number in range(8):
        table[gl.DRAW_BUFFER0 + number] = _draw_buffer(number)
    for target, name in _BINDINGS.items():
        table[name] = partial(_texture, target=target)
    for target, name in _BUFFERS.items():
        table[name] = partial(_buffer, target=target)
    for name, (which, part) in PIXEL_STORE.items():
        table[name] = attrgetter(f"state.{which}.{part}")
    for hint in (gl.GENERATE_MIPMAP_HINT, gl.FRAGMENT_SHADER_DERIVATIVE_HINT):
        table[hint] = partial(_hint, hint=hint, initial=HINTS[hint])
    for part, (front, back) in _STENCIL.items():
        table[front] = attrgetter(f"state.stencil_front.{part}")
        table[back] = attrgetter(f"state.stencil_back.{part}")
    return table


def _compressed() -> tuple[int, ...]:
    return tuple(
        sorted(
            number for number in COMPRESSED if gl.COMPRESSED_R11_EAC <= number <= gl.COMPRESSED_SRGB8_ALPHA8_ETC2_EAC
        )
    )


def _matrix(stack: Any) -> tuple[float, ...]:
    return tuple(float(v) for v in stack[-1].T.reshape(-1))


def _fixed() -> dict[int, Read]:
    """State that only OpenGL ES 1.1 has."""

    def unit(c: Context) -> int:
        return c.state.active_unit % MAX_UNITS

    return {
        gl.MATRIX_MODE: lambda c: c.fixed.matrix_mode,
        gl.MODELVIEW_MATRIX: lambda c: _matrix(c.fixed.model_view),
        gl.PROJECTION_MATRIX: lambda c: _matrix(c.fixed.projection),
        gl.TEXTURE_MATRIX: lambda c: _matrix(c.fixed.texture[unit(c)]),
        gl.MODELVIEW_STACK_DEPTH: lambda c: len(c.fixed.model_view),
        gl.PROJECTION_STACK_DEPTH: lambda c: len(c.fixed.projection),
        gl.TEXTURE_STACK_DEPTH: lambda c: len(c.fixed.texture[unit(c)]),
        gl.CURRENT_COLOR: lambda c: c.state.constants[COLOR],
        gl.CURRENT_NORMAL: lambda c: c.state.constants[NORMAL][:3],
        gl.CURRENT_TEXTURE_COORDS: lambda c: c.state.constants[COORDINATE + unit(c)],
        gl.ALPHA_TEST_FUNC: lambda c: c.fixed.alpha_function,
        gl.ALPHA_TEST_REF: lambda c: c.fixed.alpha_reference,
        gl.FOG_MODE: lambda c: c.fixed.fog_mode,
        gl.FOG_COLOR: lambda c: c.fixed.fog_color,
        gl.FOG_DENSITY: lambda c: c.fixed.fog_density,
        gl.FOG_START: lambda c: c.fixed.fog_start,
        gl.FOG_END: lambda c: c.fixed.fog_end,
        gl.LIGHT_MODEL_AMBIENT: lambda c: c.fixed.scene_ambient,
        gl.LIGHT_MODEL_TWO_SIDE: lambda c: c.fixed.two_sided,
        gl.SHADE_MODEL: lambda c: gl.FLAT if c.fixed.flat else gl.SMOOTH,
        gl.POINT_SIZE: lambda c: c.fixed.point_size,
        gl.POINT_SIZE_MIN: lambda c: c.fixed.point_limits[0],
        gl.POINT_SIZE_MAX: lambda c: c.fixed.point_limits[1],
        gl.POINT_FADE_THRESHOLD_SIZE: lambda c: c.fixed.point_fade,
        gl.POINT_DISTANCE_ATTENUATION: lambda c: c.fixed.point_attenuation,
        gl.CLIENT_ACTIVE_TEXTURE: lambda c: gl.TEXTURE0 + c.fixed.client_unit,
        gl.LOGIC_OP_MODE: lambda c: c.fixed.logic_operation,
        gl.BLEND_DST: lambda c: c.state.blend_function[1],
        gl.BLEND_SRC: lambda c: c.state.blend_function[0],
    }


_PROGRAMMABLE: MappingProxyType[int, Read] = MappingProxyType({**_plain(), **_derived()})
_FIXED: MappingProxyType[int, Read] = MappingProxyType(
    _fixed() | {hint: partial(_hint, hint=hint, initial=initial) for hint, initial in HINTS.items()}
)


def state_value(context: Context, name: int) -> Numbers | None:
    """Numbers that glGet returns for a name; None if it is neither state nor a limit."""
    limits = {**LIMITS, **FIXED_LIMITS} if context.fixed_functions else LIMITS
    if name in limits:
        return tuple(limits[name])
    read = _PROGRAMMABLE.get(name)
    if read is None and context.fixed_functions:
        read = _FIXED.get(name)
    if read is None:
        enabled = capability_value(context, name)
        return None if enabled is None else (enabled,)
    value = read(context)
    return tuple(value) if isinstance(value, tuple | list) else (value,)


def capability_value(context: Context, name: int) -> bool | None:
    """Whether a capability is enabled; None if it is not a capability."""
    if name == gl.TEXTURE_2D and context.fixed_functions:
        return context.state.active_unit in context.fixed.texturing
    if context.fixed_functions and name in gl.FIXED_CAPABILITIES:
        return name in context.fixed.enabled
    if context.desktop and name in gl.DESKTOP_CAPABILITIES:
        return name in context.fixed.enabled
    if name in gl.CAPABILITIES or name in gl.IGNORED_CAPABILITIES:
        return name in context.state.enabled
    return None
