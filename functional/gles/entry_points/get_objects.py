"""Queries of buffers, textures, samplers, renderbuffers, framebuffers and vertex arrays (OpenGL ES 3.0, 6.1)."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...capture import Pointer, Value
from ...opengl import enums as gl
from ...opengl.errors import GLError
from ...opengl.formats import RENDERBUFFER_FORMATS, Format, depth_bits
from ..checks import check_enum, check_operation
from ..context import Context
from ..framebuffers import Attachment, Framebuffer
from ..textures import Sampling, Texture
from .buffers import bound_buffer
from .multisampling import check_format
from .table import EntryPoints
from .textures import SWIZZLES, TARGETS, sampler_object
from .vertex_arrays import attribute
from .vertex_bindings import binding_value

entry = EntryPoints()
_TEXTURES = TARGETS | {gl.TEXTURE_2D_MULTISAMPLE}
_TARGETS = (gl.FRAMEBUFFER, gl.DRAW_FRAMEBUFFER, gl.READ_FRAMEBUFFER)


@entry.answers()
def glIsBuffer(context: Context, name: int) -> bool:
    return name in context.group.buffers and context.group.buffers[name].bound


@entry.answers()
def glIsTexture(context: Context, name: int) -> bool:
    return name in context.group.textures and context.group.textures[name].target != 0


@entry.answers()
def glIsSampler(context: Context, name: int) -> bool:
    return name in context.group.samplers


@entry.answers("glIsRenderbuffer", "glIsRenderbufferOES")
def glIsRenderbuffer(context: Context, name: int) -> bool:
    return name in context.group.renderbuffers and context.group.renderbuffers[name].bound


@entry.answers("glIsFramebuffer", "glIsFramebufferOES")
def glIsFramebuffer(context: Context, name: int) -> bool:
    return name in context.framebuffers and context.framebuffers[name].bound


@entry.answers("glIsVertexArray", "glIsVertexArrayOES")
def glIsVertexArray(context: Context, name: int) -> bool:
    return bool(name) and name in context.vertex_arrays and context.vertex_arrays[name].bound


@entry.answers()
def glIsTransformFeedback(context: Context, name: int) -> bool:
    return bool(name) and name in context.feedbacks and context.feedbacks[name].bound


@entry.answers("glGetBufferParameteriv", "glGetBufferParameteri64v")
def glGetBufferParameteriv(context: Context, target: int, name: int, *_: Any) -> int:
    buffer = bound_buffer(context, target)
    mapping = buffer.mapping
    values = {
        gl.BUFFER_SIZE: len(buffer.data),
        gl.BUFFER_USAGE: buffer.usage,
        gl.BUFFER_MAPPED: int(mapping is not None),
        gl.BUFFER_ACCESS_FLAGS: mapping.access if mapping is not None else 0,
        gl.BUFFER_MAP_OFFSET: mapping.offset if mapping is not None else 0,
        gl.BUFFER_MAP_LENGTH: mapping.size if mapping is not None else 0,
        gl.BUFFER_ACCESS: gl.WRITE_ONLY,
        gl.BUFFER_IMMUTABLE_STORAGE: int(buffer.storage_flags is not None),
        gl.BUFFER_STORAGE_FLAGS: buffer.storage_flags or 0,
    }
    check_enum(name, values, "buffer parameter")
    return values[name]


@entry.answers("glGetBufferPointerv", "glGetBufferPointervOES")
def glGetBufferPointerv(context: Context, target: int, name: int, *_: Any) -> Value:
    check_enum(name, (gl.BUFFER_MAP_POINTER,), "buffer parameter")
    mapping = bound_buffer(context, target).mapping
    return Pointer(mapping.address if mapping is not None else 0)


def _sampling(sampling: Sampling, name: int) -> float | None:
    values: dict[int, float] = {
        gl.TEXTURE_MIN_FILTER: sampling.min_filter,
        gl.TEXTURE_MAG_FILTER: sampling.mag_filter,
        gl.TEXTURE_WRAP_S: sampling.wrap_s,
        gl.TEXTURE_WRAP_T: sampling.wrap_t,
        gl.TEXTURE_WRAP_R: sampling.wrap_r,
        gl.TEXTURE_MIN_LOD: sampling.min_lod,
        gl.TEXTURE_MAX_LOD: sampling.max_lod,
        gl.TEXTURE_COMPARE_MODE: sampling.compare_mode,
        gl.TEXTURE_COMPARE_FUNC: sampling.compare_function,
        gl.TEXTURE_MAX_ANISOTROPY: sampling.anisotropy,
    }
    return values.get(name)


def _texture_parameter(context: Context, texture: Texture, name: int) -> Value:
    if name == gl.TEXTURE_BORDER_COLOR:
        return _border(context, texture.sampling)
    sampled = _sampling(texture.sampling, name)
    if sampled is not None:
        return sampled
    if gl.TEXTURE_SWIZZLE_R <= name <= gl.TEXTURE_SWIZZLE_A:
        return next(
            number for number, channel in SWIZZLES.items() if channel == texture.swizzle[name - gl.TEXTURE_SWIZZLE_R]
        )
    values: dict[int, Value] = {
        gl.TEXTURE_BASE_LEVEL: texture.base_level,
        gl.DEPTH_STENCIL_TEXTURE_MODE: gl.STENCIL_INDEX if texture.reads_stencil else gl.DEPTH_COMPONENT,
        gl.TEXTURE_MAX_LEVEL: texture.max_level,
        gl.IMAGE_FORMAT_COMPATIBILITY_TYPE: gl.IMAGE_FORMAT_COMPATIBILITY_BY_SIZE,
        gl.TEXTURE_IMMUTABLE_FORMAT: int(texture.immutable),
        gl.TEXTURE_IMMUTABLE_LEVELS: texture.immutable_levels,
        gl.GENERATE_MIPMAP: int(texture.automatic_mipmap),
        gl.TEXTURE_CROP_RECT_OES: list(texture.crop),
    }
    check_enum(name, values, "texture parameter")
    return values[name]


def _border(context: Context, sampling: Sampling) -> Value:
    """A border colour as the query asks for it: as numbers, as fractions of the largest integer, or as it was given."""
    given = np.array([int(v) for v in sampling.border], np.int64).astype(np.uint32).view(np.int32)
    if not sampling.integer_border:
        given = np.array(sampling.border, np.float32).view(np.int32)
    call = context.current_call
    name = call.name if call is not None else ""
    if "ParameterI" in name:
        return given.tolist()  # type: ignore[no-any-return]
    numbers = given.view(np.float32).astype(np.float64)
    if "Parameterfv" in name:
        return numbers.tolist()  # type: ignore[no-any-return]
    return [round(v * 0x7FFFFFFF) for v in np.clip(np.nan_to_num(numbers), -1, 1)]


_OF_INTEGERS = tuple(f"I{kind}v{suffix}" for kind in ("i", "ui") for suffix in ("", "EXT", "OES"))


@entry.answers(
    "glGetTexParameteriv",
    "glGetTexParameterxv",
    "glGetTexParameterxvOES",
    *(f"glGetTexParameter{form}" for form in _OF_INTEGERS),
)
def glGetTexParameteriv(context: Context, target: int, name: int, *_: Any) -> Value:
    check_enum(target, _TEXTURES, "texture target")
    value = _texture_parameter(context, context.texture(target), name)
    return round(value) if isinstance(value, float) else value


@entry.answers()
def glGetTexParameterfv(context: Context, target: int, name: int, *_: Any) -> Value:
    check_enum(target, _TEXTURES, "texture target")
    value = _texture_parameter(context, context.texture(target), name)
    return float(value) if isinstance(value, int) else value


@entry.answers(
    "glGetSamplerParameteriv", "glGetSamplerParameterfv", *(f"glGetSamplerParameter{form}" for form in _OF_INTEGERS)
)
def glGetSamplerParameter(context: Context, sampler: int, name: int, *_: Any) -> Value:
    sampling = sampler_object(context, sampler).sampling
    if name == gl.TEXTURE_BORDER_COLOR:
        return _border(context, sampling)
    value = _sampling(sampling, name)
    if value is None:
        raise GLError(gl.INVALID_ENUM, f"{name:#06x} is not a parameter of a sampler")
    return value


@entry.answers("glGetRenderbufferParameteriv", "glGetRenderbufferParameterivOES")
def glGetRenderbufferParameteriv(context: Context, target: int, name: int, *_: Any) -> int:
    check_enum(target, (gl.RENDERBUFFER,), "renderbuffer target")
    surface = context.state.renderbuffer
    if surface is None:
        raise GLError(gl.INVALID_OPERATION, "no renderbuffer is bound")
    bits = surface.color_format.bits if surface.color_format is not None else (0, 0, 0, 0)
    values = {
        gl.RENDERBUFFER_WIDTH: surface.width,
        gl.RENDERBUFFER_HEIGHT: surface.height,
        gl.RENDERBUFFER_INTERNAL_FORMAT: surface.internal,
        **{gl.RENDERBUFFER_RED_SIZE + i: bits[i] for i in range(4)},
        gl.RENDERBUFFER_DEPTH_SIZE: depth_bits(surface.depth_format),
        gl.RENDERBUFFER_STENCIL_SIZE: 8 if surface.stencil is not None else 0,
        gl.RENDERBUFFER_SAMPLES: surface.samples if surface.samples > 1 else 0,
    }
    check_enum(name, values, "renderbuffer parameter")
    return values[name]


def _framebuffer(context: Context, target: int) -> Framebuffer:
    check_enum(target, _TARGETS, "framebuffer target")
    return context.read_framebuffer if target == gl.READ_FRAMEBUFFER else context.framebuffer


@entry.answers("glCheckFramebufferStatus", "glCheckFramebufferStatusOES")
def glCheckFramebufferStatus(context: Context, target: int) -> int:
    check_enum(target, _TARGETS, "framebuffer target")
    try:
        return _framebuffer(context, target).status()
    except GLError:
        return gl.FRAMEBUFFER_UNDEFINED


@entry.answers("glGetFramebufferAttachmentParameteriv", "glGetFramebufferAttachmentParameterivOES")
def glGetFramebufferAttachmentParameteriv(context: Context, target: int, point: int, name: int, *_: Any) -> int:
    framebuffer = _framebuffer(context, target)
    attachment = _attached(framebuffer, point)
    if attachment is None:
        if name == gl.FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE:
            return gl.NONE
        # Without an image even the name has no meaning (and is 0 in OpenGL ES 3.0).
        check_operation(name == gl.FRAMEBUFFER_ATTACHMENT_OBJECT_NAME, "nothing is attached")
        return 0
    texture = attachment.texture
    kind = gl.FRAMEBUFFER_DEFAULT if framebuffer.name == 0 else gl.TEXTURE if texture is not None else gl.RENDERBUFFER
    values = {gl.FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE: kind} | _channel_values(attachment, point)
    if framebuffer.name:
        named: Any = texture if texture is not None else attachment.surface
        values[gl.FRAMEBUFFER_ATTACHMENT_OBJECT_NAME] = named.name
    if texture is not None:
        values[gl.FRAMEBUFFER_ATTACHMENT_TEXTURE_LEVEL] = attachment.level
        values[gl.FRAMEBUFFER_ATTACHMENT_TEXTURE_CUBE_MAP_FACE] = (
            gl.TEXTURE_CUBE_MAP_POSITIVE_X + attachment.face if texture.cube else 0
        )
        values[gl.FRAMEBUFFER_ATTACHMENT_TEXTURE_LAYER] = 0 if texture.cube else attachment.face
    check_enum(name, values, "attachment parameter")
    return values[name]


def _attached(framebuffer: Framebuffer, point: int) -> Attachment | None:
    if framebuffer.name == 0:
        check_enum(point, (gl.BACK, gl.DEPTH, gl.STENCIL), "attachment of a window")
        return {gl.BACK: framebuffer.color, gl.DEPTH: framebuffer.depth, gl.STENCIL: framebuffer.stencil}[point]
    if point == gl.DEPTH_STENCIL_ATTACHMENT:
        same = framebuffer.depth == framebuffer.stencil
        check_operation(same, "depth and stencil are attached to different images")
        return framebuffer.depth
    if point in (gl.DEPTH_ATTACHMENT, gl.STENCIL_ATTACHMENT):
        return framebuffer.depth if point == gl.DEPTH_ATTACHMENT else framebuffer.stencil
    check_enum(point, range(gl.COLOR_ATTACHMENT0, gl.COLOR_ATTACHMENT0 + 8), "attachment point")
    return framebuffer.colors.get(point - gl.COLOR_ATTACHMENT0)


def _channel_values(attachment: Attachment, point: int) -> dict[int, int]:
    """Sizes, component type and colour encoding."""
    sized: Format | None = attachment.format
    if point in (gl.DEPTH, gl.DEPTH_ATTACHMENT, gl.STENCIL, gl.STENCIL_ATTACHMENT, gl.DEPTH_STENCIL_ATTACHMENT):
        depth = depth_bits(attachment.depth_format)
        stencil = 8 if attachment.stencil() is not None else 0
        kind = gl.FLOAT if depth == 32 else gl.UNSIGNED_NORMALIZED
        if not depth:
            kind = gl.UNSIGNED_INT
        return {
            gl.FRAMEBUFFER_ATTACHMENT_DEPTH_SIZE: depth,
            gl.FRAMEBUFFER_ATTACHMENT_STENCIL_SIZE: stencil,
            gl.FRAMEBUFFER_ATTACHMENT_COMPONENT_TYPE: kind,
            gl.FRAMEBUFFER_ATTACHMENT_COLOR_ENCODING: gl.LINEAR,
            **{gl.FRAMEBUFFER_ATTACHMENT_RED_SIZE + i: 0 for i in range(4)},
        }
    kinds = {"float": gl.FLOAT, "int": gl.INT, "uint": gl.UNSIGNED_INT, "snorm": gl.SIGNED_NORMALIZED}
    bits = sized.bits if sized is not None else (0, 0, 0, 0)
    component = kinds.get(sized.kind, gl.UNSIGNED_NORMALIZED) if sized is not None else gl.NONE
    encoding = gl.SRGB if sized is not None and sized.kind == "srgb" else gl.LINEAR
    return {
        gl.FRAMEBUFFER_ATTACHMENT_DEPTH_SIZE: 0,
        gl.FRAMEBUFFER_ATTACHMENT_STENCIL_SIZE: 0,
        gl.FRAMEBUFFER_ATTACHMENT_COMPONENT_TYPE: component,
        gl.FRAMEBUFFER_ATTACHMENT_COLOR_ENCODING: encoding,
        **{gl.FRAMEBUFFER_ATTACHMENT_RED_SIZE + i: bits[i] for i in range(4)},
    }


def _constant(context: Context, index: int) -> Value:
    """The value of an attribute without an array: its bits for the functions with I; integers cut off, as in Mesa."""
    value, call = np.array(context.state.constants[index], np.float32), context.current_call
    name = call.name if call is not None else ""
    if "AttribI" in name:
        return value.view(np.int32).tolist()  # type: ignore[no-any-return]
    if name.endswith("fv"):
        return value.tolist()  # type: ignore[no-any-return]
    return [int(v) for v in np.clip(np.nan_to_num(value.astype(np.float64), nan=-(2.0**31)), -(2**31), 2**31 - 1)]


@entry.answers("glGetVertexAttribiv", "glGetVertexAttribfv", "glGetVertexAttribIiv", "glGetVertexAttribIuiv")
def glGetVertexAttrib(context: Context, index: int, name: int, *_: Any) -> Value:
    array = attribute(context, index)
    if name == gl.CURRENT_VERTEX_ATTRIB:
        return _constant(context, index)
    layout, binding = array.layout, index if array.binding is None else array.binding
    values = {
        gl.VERTEX_ATTRIB_ARRAY_ENABLED: int(array.enabled),
        gl.VERTEX_ATTRIB_ARRAY_SIZE: layout.components,
        gl.VERTEX_ATTRIB_ARRAY_STRIDE: array.pointed[0],
        gl.VERTEX_ATTRIB_ARRAY_TYPE: layout.type,
        gl.VERTEX_ATTRIB_ARRAY_NORMALIZED: int(layout.normalized),
        gl.VERTEX_ATTRIB_ARRAY_INTEGER: int(layout.integer),
        gl.VERTEX_ATTRIB_ARRAY_DIVISOR: binding_value(context, gl.VERTEX_BINDING_DIVISOR, binding),
        gl.VERTEX_ATTRIB_BINDING: binding,
        gl.VERTEX_ATTRIB_RELATIVE_OFFSET: array.relative_bytes,
        gl.VERTEX_ATTRIB_ARRAY_BUFFER_BINDING: array.buffer.name if array.buffer is not None else 0,
    }
    check_enum(name, values, "attribute parameter")
    return values[name]


@entry.answers()
def glGetVertexAttribPointerv(context: Context, index: int, name: int, *_: Any) -> Value:
    check_enum(name, (gl.VERTEX_ATTRIB_ARRAY_POINTER,), "attribute parameter")
    return Pointer(attribute(context, index).pointed[1])


@entry.answers()
def glGetInternalformativ(context: Context, target: int, internal: int, name: int, size: int, *_: Any) -> Value:
    check_enum(target, (gl.RENDERBUFFER, gl.TEXTURE_2D_MULTISAMPLE), "target")
    color = RENDERBUFFER_FORMATS.get(internal)
    check_format(internal, "renderable format")
    check_enum(name, (gl.NUM_SAMPLE_COUNTS, gl.SAMPLES), "format parameter")
    integers = color is not None and color.kind in ("int", "uint") and target == gl.RENDERBUFFER
    counts: list[Value] = [] if integers else [4]
    return len(counts) if name == gl.NUM_SAMPLE_COUNTS else counts[: max(size, 0)]
