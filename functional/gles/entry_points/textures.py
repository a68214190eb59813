"""Entry points of textures and sampler objects: names, bindings, parameters."""

from __future__ import annotations

from collections.abc import Sequence

from .. import enums as gl
from ..context import Context
from ..errors import GLError, Unsupported
from ..textures import Sampling, Texture, with_parameter
from .table import EntryPoints

entry = EntryPoints()
TARGETS = frozenset({gl.TEXTURE_2D, gl.TEXTURE_CUBE_MAP, gl.TEXTURE_3D, gl.TEXTURE_2D_ARRAY, gl.TEXTURE_EXTERNAL_OES})
TEXTURE_BASE_LEVEL, TEXTURE_MAX_LEVEL, TEXTURE_SWIZZLE_R, GENERATE_MIPMAP = 0x813C, 0x813D, 0x8E42, 0x8191
TEXTURE_CROP_RECT = 0x8B9D
_SWIZZLES = {gl.RED: 0, 0x1904: 1, 0x1905: 2, gl.ALPHA: 3, gl.ZERO: 4, gl.ONE: 5}


@entry()
def glActiveTexture(context: Context, unit: int) -> None:
    if not 0 <= unit - gl.TEXTURE0 < 32:
        raise GLError(gl.INVALID_ENUM, f"texture unit {unit:#06x}")
    context.state.active_unit = unit - gl.TEXTURE0


@entry()
def glGenTextures(context: Context, count: int, names: Sequence[int]) -> None:
    for name in names or ():
        context.group.textures.setdefault(name, Texture(name, context.identities.take("surface")))


@entry()
def glBindTexture(context: Context, target: int, name: int) -> None:
    if target not in TARGETS:
        raise Unsupported(f"texture target {target:#06x}")
    if name:
        if name not in context.group.textures:
            glGenTextures(context, 1, [name])
        texture = context.group.textures[name]
        if texture.target not in (0, target):
            raise GLError(gl.INVALID_OPERATION, f"texture {name} has another target")
        texture.target = target
    context.state.units[context.state.active_unit, target] = name


@entry()
def glDeleteTextures(context: Context, count: int, names: Sequence[int]) -> None:
    for name in names or ():
        context.group.textures.pop(name, None)
        for key, bound in list(context.state.units.items()):
            if bound == name:
                context.state.units[key] = 0


@entry("glTexParameteri", "glTexParameterf", "glTexParameterx")
def glTexParameter(context: Context, target: int, name: int, value: float) -> None:
    texture = context.texture(target)
    changed = with_parameter(texture.sampling, name, value)
    if changed is not None:
        texture.sampling = changed
    elif name == TEXTURE_BASE_LEVEL:
        texture.base_level = max(0, int(value))
    elif name == GENERATE_MIPMAP:
        texture.automatic_mipmap = bool(value)
    elif name == TEXTURE_MAX_LEVEL:
        texture.max_level = max(0, int(value))
    elif 0 <= name - TEXTURE_SWIZZLE_R < 4:
        if int(value) not in _SWIZZLES:
            raise GLError(gl.INVALID_ENUM, f"{int(value):#06x} is no swizzle")
        channels = list(texture.swizzle)
        channels[name - TEXTURE_SWIZZLE_R] = _SWIZZLES[int(value)]
        texture.swizzle = (channels[0], channels[1], channels[2], channels[3])
    else:
        raise Unsupported(f"texture parameter {name:#06x}")


@entry("glTexParameteriv", "glTexParameterfv", "glTexParameterxv")
def glTexParameterv(context: Context, target: int, name: int, values: Sequence[float]) -> None:
    if name == TEXTURE_CROP_RECT:
        x, y, width, height = (int(v) for v in values[:4])
        context.texture(target).crop = (x, y, width, height)
        return
    glTexParameter(context, target, name, values[0])


@entry()
def glGenSamplers(context: Context, count: int, names: Sequence[int]) -> None:
    for name in names or ():
        context.group.samplers.setdefault(name, Sampling())


@entry()
def glDeleteSamplers(context: Context, count: int, names: Sequence[int]) -> None:
    for name in names or ():
        context.group.samplers.pop(name, None)


@entry()
def glBindSampler(context: Context, unit: int, name: int) -> None:
    if name and name not in context.group.samplers:
        raise GLError(gl.INVALID_OPERATION, f"no sampler {name}")
    context.state.samplers[unit] = name


@entry("glSamplerParameteri", "glSamplerParameterf")
def glSamplerParameter(context: Context, name: int, parameter: int, value: float) -> None:
    changed = with_parameter(context.group.samplers[name], parameter, value)
    if changed is None:
        raise GLError(gl.INVALID_ENUM, f"{parameter:#06x} is no parameter of a sampler")
    context.group.samplers[name] = changed


@entry("glSamplerParameteriv", "glSamplerParameterfv")
def glSamplerParameterv(context: Context, name: int, parameter: int, values: Sequence[float]) -> None:
    glSamplerParameter(context, name, parameter, values[0])
