"""Entry points of textures and sampler objects: names, bindings, parameters (OpenGL ES 3.0, 3.8)."""

from __future__ import annotations

from collections.abc import Sequence

from ...opengl import enums as gl
from ...opengl.errors import GLError
from ...opengl.limits import MAX_TEXTURE_UNITS
from ..arguments import rounded, signless
from ..checks import check_enum, check_operation, check_value, listed
from ..context import Context
from ..effects import HARMLESS, SAMPLING, SELECTIONS
from ..state import EMPTY_IMAGE_UNIT
from ..textures import SamplerObject, Sampling, Texture, with_parameter
from .table import EntryPoints

entry = EntryPoints()
TARGETS = frozenset({gl.TEXTURE_2D, gl.TEXTURE_CUBE_MAP, gl.TEXTURE_3D, gl.TEXTURE_2D_ARRAY, gl.TEXTURE_EXTERNAL_OES})
SWIZZLES = {gl.RED: 0, gl.GREEN: 1, gl.BLUE: 2, gl.ALPHA: 3, gl.ZERO: 4, gl.ONE: 5}


@entry(effect=SELECTIONS)
def glActiveTexture(context: Context, unit: int) -> None:
    check_enum(unit - gl.TEXTURE0, range(MAX_TEXTURE_UNITS), "texture unit")
    context.state.active_unit = unit - gl.TEXTURE0


@entry(effect=HARMLESS)
def glGenTextures(context: Context, count: int, names: Sequence[int]) -> None:
    for name in listed(count, names):
        context.group.textures.setdefault(name, Texture(name, context.identities.take("surface")))


@entry(effect=SAMPLING)
def glBindTexture(context: Context, target: int, name: int) -> None:
    later = target == gl.TEXTURE_2D_MULTISAMPLE and context.version > 1
    check_enum(target, (target,) if later else TARGETS, "texture target")
    key = context.state.active_unit, target
    if not name:
        context.state.units.pop(key, None)
        return
    if name not in context.group.textures:
        glGenTextures(context, 1, [name])
    texture = context.group.textures[name]
    check_operation(texture.target in (0, target), f"texture {name} has another target")
    texture.target = target
    context.state.units[key] = texture


@entry()
def glDeleteTextures(context: Context, count: int, names: Sequence[int]) -> None:
    context.forget()
    state = context.state
    for name in listed(count, names):
        gone = context.group.textures.pop(name, None)
        if gone is None:
            continue
        state.units = {key: bound for key, bound in state.units.items() if bound is not gone}
        emptied = [n for n, unit in state.image_units.items() if unit.texture is gone]
        state.image_units |= dict.fromkeys(emptied, EMPTY_IMAGE_UNIT)
        # The texture is detached from framebuffers that are bound here; others keep it.
        for number in {state.framebuffer, state.read_framebuffer} - {0}:
            context.framebuffers[number].detach(gone)


def _target(context: Context, target: int) -> Texture:
    check_enum(target, TARGETS, "texture target")
    return context.texture(target)


@entry("glTexParameteri", "glTexParameterf", "glTexParameterx", "glTexParameterxOES", effect=SAMPLING)
def glTexParameter(context: Context, target: int, name: int, value: float) -> None:
    if target == gl.TEXTURE_2D_MULTISAMPLE:
        _check_of_samples(name, value)
        texture = context.texture(target)
    else:
        texture = _target(context, target)
    changed = with_parameter(texture.sampling, name, value)
    if changed is not None:
        # The same object while nothing changes, because states are identified by it.
        texture.sampling = texture.sampling if changed == texture.sampling else changed
    elif name in (gl.TEXTURE_BASE_LEVEL, gl.TEXTURE_MAX_LEVEL):
        _set_level(texture, name, rounded(value))
    elif name == gl.GENERATE_MIPMAP:
        texture.automatic_mipmap = bool(value)
    elif 0 <= name - gl.TEXTURE_SWIZZLE_R < 4:
        check_enum(rounded(value), SWIZZLES, "swizzle")
        channels = list(texture.swizzle)
        channels[name - gl.TEXTURE_SWIZZLE_R] = SWIZZLES[rounded(value)]
        texture.swizzle = (channels[0], channels[1], channels[2], channels[3])
    elif name == gl.DEPTH_STENCIL_TEXTURE_MODE:
        check_enum(rounded(value), (gl.DEPTH_COMPONENT, gl.STENCIL_INDEX), "part of depth and stencil")
        texture.reads_stencil = rounded(value) == gl.STENCIL_INDEX
    elif name not in (gl.TEXTURE_SRGB_DECODE_EXT, gl.TEXTURE_USAGE_ANGLE):
        raise GLError(gl.INVALID_ENUM, f"texture parameter {name:#06x}")


def _check_of_samples(name: int, value: float) -> None:
    """Textures of several samples are not filtered and have one level (OpenGL ES 3.1, 8.10)."""
    swizzles = range(gl.TEXTURE_SWIZZLE_R, gl.TEXTURE_SWIZZLE_R + 4)
    allowed = {gl.TEXTURE_BASE_LEVEL, gl.TEXTURE_MAX_LEVEL, gl.DEPTH_STENCIL_TEXTURE_MODE, *swizzles}
    check_enum(name, allowed, "parameter of a texture of samples")
    check_operation(name != gl.TEXTURE_BASE_LEVEL or not value, "a texture of samples has one level")


def _set_level(texture: Texture, name: int, value: int) -> None:
    check_value(value >= 0, f"level {value}")
    if name == gl.TEXTURE_MAX_LEVEL:
        texture.max_level = value
    else:
        external = texture.target == gl.TEXTURE_EXTERNAL_OES
        check_operation(not (external and value), "an external texture has one level")
        texture.base_level = value


@entry("glTexParameteriv", "glTexParameterfv", "glTexParameterxv", "glTexParameterxvOES", effect=SAMPLING)
def glTexParameterv(context: Context, target: int, name: int, values: Sequence[float]) -> None:
    check_value(len(values) > 0, "no values")
    if name == gl.TEXTURE_CROP_RECT_OES:
        check_value(len(values) >= 4, "a crop rectangle is four numbers")
        x, y, width, height = (rounded(v) for v in values[:4])
        _target(context, target).crop = (x, y, width, height)
        return
    if name == gl.TEXTURE_BORDER_COLOR:
        texture = _target(context, target)
        texture.sampling = with_border(context, texture.sampling, values)
        return
    glTexParameter(context, target, name, values[0])


def with_border(context: Context, sampling: Sampling, values: Sequence[float]) -> Sampling:
    """Sampling with a border colour; the functions for integers without I take fractions of the largest integer."""
    check_value(len(values) >= 4, "a border colour is four numbers")
    call = context.current_call
    name = call.name if call is not None else ""
    fractions = "Parameteriv" in name
    r, g, b, a = (max(v / 0x7FFFFFFF, -1.0) if fractions else float(v) for v in values[:4])
    if "ParameterIuiv" in name:
        r, g, b, a = (v - (1 << 32) if v >= 1 << 31 else v for v in (r, g, b, a))
    border = signless(r), signless(g), signless(b), signless(a)
    return sampling._replace(border=border, integer_border="ParameterI" in name)


@entry(*(f"glTexParameterI{kind}v{suffix}" for kind in ("i", "ui") for suffix in ("", "EXT", "OES")), effect=SAMPLING)
def glTexParameterI(context: Context, target: int, name: int, values: Sequence[float]) -> None:
    glTexParameterv(context, target, name, values)


@entry(effect=HARMLESS)
def glGenSamplers(context: Context, count: int, names: Sequence[int]) -> None:
    for name in listed(count, names):
        context.group.samplers.setdefault(name, SamplerObject(name))


@entry()
def glDeleteSamplers(context: Context, count: int, names: Sequence[int]) -> None:
    for name in listed(count, names):
        gone = context.group.samplers.pop(name, None)
        if gone is not None:
            bound = context.state.samplers
            context.state.samplers = {unit: sampler for unit, sampler in bound.items() if sampler is not gone}


@entry()
def glBindSampler(context: Context, unit: int, name: int) -> None:
    check_value(0 <= unit < MAX_TEXTURE_UNITS, f"texture unit {unit}")
    if name:
        context.state.samplers[unit] = sampler_object(context, name)
    else:
        context.state.samplers.pop(unit, None)


def sampler_object(context: Context, name: int) -> SamplerObject:
    """Sampler of a name; GLError if there is none."""
    if name not in context.group.samplers:
        raise GLError(gl.INVALID_OPERATION, f"no sampler {name}")
    return context.group.samplers[name]


@entry("glSamplerParameteri", "glSamplerParameterf")
def glSamplerParameter(context: Context, name: int, parameter: int, value: float) -> None:
    sampler = sampler_object(context, name)
    changed = with_parameter(sampler.sampling, parameter, value)
    if changed is None:
        raise GLError(gl.INVALID_ENUM, f"{parameter:#06x} is not a parameter of a sampler")
    sampler.sampling = changed


@entry("glSamplerParameteriv", "glSamplerParameterfv")
def glSamplerParameterv(context: Context, name: int, parameter: int, values: Sequence[float]) -> None:
    check_value(len(values) > 0, "no values")
    if parameter == gl.TEXTURE_BORDER_COLOR:
        sampler = sampler_object(context, name)
        sampler.sampling = with_border(context, sampler.sampling, values)
        return
    glSamplerParameter(context, name, parameter, values[0])


@entry(*(f"glSamplerParameterI{kind}v{suffix}" for kind in ("i", "ui") for suffix in ("", "EXT", "OES")))
def glSamplerParameterI(context: Context, name: int, parameter: int, values: Sequence[float]) -> None:
    glSamplerParameterv(context, name, parameter, values)
