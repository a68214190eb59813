"""What glGet answers of a context's state: a value by name (OpenGL ES 3.0, 6.2; OpenGL ES 1.1, 6.2)."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from operator import attrgetter
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from . import enums as gl
from .compressed import COMPRESSED
from .extensions import EXTENSIONS
from .fixed.state import COLOR, COORDINATE, MAX_UNITS, NORMAL
from .framebuffers import Framebuffer
from .limits import FIXED_LIMITS, LIMITS
from .state import HINTS, PIXEL_STORE

if TYPE_CHECKING:
    from .context import Context

Numbers = tuple[float, ...]
Read = Callable[["Context"], Any]
NORMALIZED = frozenset({0x0C22, 0x0B73, 0x0B70, 0x8005, 0x0BC2, 0x0B00, 0x0B02, 0x0B66, 0x0B53})
"""Values between 0 and 1 (or -1 and 1) that integers are scaled for: colours, depths, normals."""
_BINDINGS = {gl.TEXTURE_2D: 0x8069, gl.TEXTURE_CUBE_MAP: 0x8514, gl.TEXTURE_3D: 0x806A, gl.TEXTURE_2D_ARRAY: 0x8C1D,
             gl.TEXTURE_EXTERNAL_OES: 0x8D67}  # fmt: skip
_BUFFERS = {gl.ARRAY_BUFFER: 0x8894, gl.PIXEL_PACK_BUFFER: 0x88ED, gl.PIXEL_UNPACK_BUFFER: 0x88EF,
            gl.UNIFORM_BUFFER: 0x8A28, gl.TRANSFORM_FEEDBACK_BUFFER: 0x8C8F, gl.COPY_READ_BUFFER: gl.COPY_READ_BUFFER,
            gl.COPY_WRITE_BUFFER: gl.COPY_WRITE_BUFFER}  # fmt: skip
_STENCIL = {"function": (0x0B92, 0x8800), "depth_fail": (0x0B95, 0x8802), "depth_pass": (0x0B96, 0x8803),
            "fail": (0x0B94, 0x8801), "reference": (0x0B97, 0x8CA3), "mask": (0x0B93, 0x8CA4),
            "write_mask": (0x0B98, 0x8CA5)}  # fmt: skip


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
    name = framebuffer.depth.depth_format if framebuffer.depth is not None else None
    return 0 if name is None else 16 if "16" in name else 24 if "24" in name else 32


def _stencil_bits(framebuffer: Framebuffer) -> int:
    return 8 if framebuffer.stencil is not None and framebuffer.stencil.stencil() is not None else 0


def _samples(context: Context) -> int:
    count = max((a.samples for a in context.framebuffer.attachments), default=1)
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
    """State that is kept as glGet gives it."""
    return {
        0x0BA2: lambda c: c.state.viewport,
        0x0C10: lambda c: c.state.scissor,
        0x0B70: lambda c: c.state.depth_range,
        0x0C22: lambda c: c.state.clear_color,
        0x0B73: lambda c: c.state.clear_depth,
        0x0B91: lambda c: c.state.clear_stencil,
        0x0C23: lambda c: c.state.color_mask,
        0x0B72: lambda c: c.state.depth_mask,
        0x0B74: lambda c: c.state.depth_function,
        0x0B45: lambda c: c.state.cull_face,
        0x0B46: lambda c: c.state.front_face,
        0x8038: lambda c: c.state.polygon_offset[0],
        0x2A00: lambda c: c.state.polygon_offset[1],
        0x0B21: lambda c: c.state.line_width,
        0x80AA: lambda c: c.state.sample_coverage[0],
        0x80AB: lambda c: c.state.sample_coverage[1],
        0x8009: lambda c: c.state.blend_equation[0],
        0x883D: lambda c: c.state.blend_equation[1],
        0x80C9: lambda c: c.state.blend_function[0],
        0x80C8: lambda c: c.state.blend_function[1],
        0x80CB: lambda c: c.state.blend_function[2],
        0x80CA: lambda c: c.state.blend_function[3],
        0x8005: lambda c: c.state.blend_color,
        0x84E0: lambda c: gl.TEXTURE0 + c.state.active_unit,
        0x8B8D: lambda c: _name(c.state.program),
        0x8CA6: lambda c: c.state.framebuffer,
        0x8CAA: lambda c: c.state.read_framebuffer,
        0x8CA7: lambda c: _name(c.state.renderbuffer),
        0x8895: lambda c: _name(c.state.vertex_array.element_buffer),
        0x85B5: lambda c: next(n for n, a in c.vertex_arrays.items() if a is c.state.vertex_array),
        0x8919: lambda c: _name(c.state.samplers.get(c.state.active_unit)),
        0x8E25: lambda c: c.state.transform_feedback,
        0x8E23: lambda c: c.feedback.paused,
        0x8E24: lambda c: c.feedback.active,
    }


def _derived() -> dict[int, Read]:
    """State that follows from objects."""
    table: dict[int, Read] = {
        0x0D55: lambda c: _bits(c, 3),
        0x0D56: lambda c: _depth_bits(c.framebuffer),
        0x0D57: lambda c: _stencil_bits(c.framebuffer),
        0x80A8: lambda c: int(_samples(c) > 0),
        0x80A9: _samples,
        0x0C02: lambda c: _buffer_name(c.state.read_framebuffer, c.read_framebuffer.read_buffer),
        0x8B9A: lambda c: gl.UNSIGNED_BYTE,
        0x8B9B: lambda c: gl.RGBA,
        0x86A2: lambda c: len(_compressed()),
        0x86A3: lambda c: _compressed(),
        0x821B: lambda c: 3,
        0x821C: lambda c: 0,
        0x821D: lambda c: len(EXTENSIONS),
    }
    for channel in range(3):
        table[0x0D52 + channel] = partial(_bits, channel=channel)
    for number in range(8):
        table[0x8825 + number] = _draw_buffer(number)
    for target, name in _BINDINGS.items():
        table[name] = partial(_texture, target=target)
    for target, name in _BUFFERS.items():
        table[name] = partial(_buffer, target=target)
    for name, (which, part) in PIXEL_STORE.items():
        table[name] = attrgetter(f"state.{which}.{part}")
    for hint in (0x8192, 0x8B8B):
        table[hint] = partial(_hint, hint=hint, initial=HINTS[hint])
    for part, (front, back) in _STENCIL.items():
        table[front] = attrgetter(f"state.stencil_front.{part}")
        table[back] = attrgetter(f"state.stencil_back.{part}")
    return table


def _compressed() -> tuple[int, ...]:
    return tuple(sorted(number for number in COMPRESSED if 0x9270 <= number <= 0x9279))


def _matrix(stack: Any) -> tuple[float, ...]:
    return tuple(float(v) for v in stack[-1].T.reshape(-1))


def _fixed() -> dict[int, Read]:
    """State of OpenGL ES 1.1 alone."""

    def unit(c: Context) -> int:
        return c.state.active_unit % MAX_UNITS

    return {
        0x0BA0: lambda c: c.fixed.matrix_mode,
        0x0BA6: lambda c: _matrix(c.fixed.model_view),
        0x0BA7: lambda c: _matrix(c.fixed.projection),
        0x0BA8: lambda c: _matrix(c.fixed.texture[unit(c)]),
        0x0BA3: lambda c: len(c.fixed.model_view),
        0x0BA4: lambda c: len(c.fixed.projection),
        0x0BA5: lambda c: len(c.fixed.texture[unit(c)]),
        0x0B00: lambda c: c.state.constants[COLOR],
        0x0B02: lambda c: c.state.constants[NORMAL][:3],
        0x0B03: lambda c: c.state.constants[COORDINATE + unit(c)],
        0x0BC1: lambda c: c.fixed.alpha_function,
        0x0BC2: lambda c: c.fixed.alpha_reference,
        0x0B65: lambda c: c.fixed.fog_mode,
        0x0B66: lambda c: c.fixed.fog_color,
        0x0B62: lambda c: c.fixed.fog_density,
        0x0B63: lambda c: c.fixed.fog_start,
        0x0B64: lambda c: c.fixed.fog_end,
        0x0B53: lambda c: c.fixed.scene_ambient,
        0x0B52: lambda c: c.fixed.two_sided,
        0x0B54: lambda c: 0x1D00 if c.fixed.flat else 0x1D01,
        0x0B11: lambda c: c.fixed.point_size,
        0x8126: lambda c: c.fixed.point_limits[0],
        0x8127: lambda c: c.fixed.point_limits[1],
        0x8128: lambda c: c.fixed.point_fade,
        0x8129: lambda c: c.fixed.point_attenuation,
        0x84E1: lambda c: gl.TEXTURE0 + c.fixed.client_unit,
        0x0BF0: lambda c: c.fixed.logic_operation,
        0x0BE0: lambda c: c.state.blend_function[1],
        0x0BE1: lambda c: c.state.blend_function[0],
    }


_PROGRAMMABLE: MappingProxyType[int, Read] = MappingProxyType({**_plain(), **_derived()})
_FIXED: MappingProxyType[int, Read] = MappingProxyType(
    _fixed() | {hint: partial(_hint, hint=hint, initial=initial) for hint, initial in HINTS.items()}
)


def state_value(context: Context, name: int) -> Numbers | None:
    """Numbers that glGet gives for a name; None for one that no state or limit has."""
    limits = {**LIMITS, **FIXED_LIMITS} if context.version == 1 else LIMITS
    if name in limits:
        return tuple(limits[name])
    read = _PROGRAMMABLE.get(name)
    if read is None and context.version == 1:
        read = _FIXED.get(name)
    if read is None:
        enabled = capability_value(context, name)
        return None if enabled is None else (enabled,)
    value = read(context)
    return tuple(value) if isinstance(value, tuple | list) else (value,)


def capability_value(context: Context, name: int) -> bool | None:
    """Whether a capability is enabled; None for what is none."""
    if name == gl.TEXTURE_2D and context.version == 1:
        return context.state.active_unit in context.fixed.texturing
    if context.version == 1 and name in gl.FIXED_CAPABILITIES:
        return name in context.fixed.enabled
    if name in gl.CAPABILITIES or name in gl.IGNORED_CAPABILITIES:
        return name in context.state.enabled
    return None
