"""Queries of OpenGL ES 1.1's own state: lights, materials, texture environments, clip planes, pointers."""

from __future__ import annotations

from typing import Any

from ...capture import Pointer, Value
from ...glsl.compatibility import COLOR, COORDINATE, NORMAL, POINT_SIZE, POSITION
from ...opengl import enums as gl
from ..checks import check_enum
from ..context import Context
from ..fixed.state import MAX_CLIP_PLANES, MAX_LIGHTS, MAX_UNITS
from .get_state import plain
from .table import EntryPoints

entry = EntryPoints()
ONE = 65536


def _fixed(value: Value) -> Value:
    if isinstance(value, list):
        return [_fixed(v) for v in value]
    return int(value * ONE) if isinstance(value, float) else value


@entry.answers("glGetLightfv")
def glGetLightfv(context: Context, light: int, name: int, *_: Any) -> Value:
    check_enum(light - gl.LIGHT0, range(MAX_LIGHTS), "light")
    source = context.fixed.lights[light - gl.LIGHT0]
    values: dict[int, tuple[float, ...]] = {
        gl.AMBIENT: source.ambient,
        gl.DIFFUSE: source.diffuse,
        gl.SPECULAR: source.specular,
        gl.POSITION: source.position,
        gl.SPOT_DIRECTION: source.spot_direction,
        gl.SPOT_EXPONENT: (source.spot_exponent,),
        gl.SPOT_CUTOFF: (source.spot_cutoff,),
        **{gl.CONSTANT_ATTENUATION + i: (source.attenuation[i],) for i in range(3)},
    }
    check_enum(name, values, "light parameter")
    return plain(values[name], float)


@entry.answers("glGetLightxv", "glGetLightxvOES")
def glGetLightxv(context: Context, light: int, name: int, *_: Any) -> Value:
    return _fixed(glGetLightfv(context, light, name))


@entry.answers("glGetMaterialfv")
def glGetMaterialfv(context: Context, face: int, name: int, *_: Any) -> Value:
    check_enum(face, (gl.FRONT, gl.BACK), "face")
    material = context.fixed.front if face == gl.FRONT else context.fixed.back
    values: dict[int, tuple[float, ...]] = {
        gl.AMBIENT: material.ambient,
        gl.DIFFUSE: material.diffuse,
        gl.SPECULAR: material.specular,
        gl.EMISSION: material.emission,
        gl.SHININESS: (material.shininess,),
    }
    check_enum(name, values, "material parameter")
    return plain(values[name], float)


@entry.answers("glGetMaterialxv", "glGetMaterialxvOES")
def glGetMaterialxv(context: Context, face: int, name: int, *_: Any) -> Value:
    return _fixed(glGetMaterialfv(context, face, name))


@entry.answers("glGetTexEnviv", "glGetTexEnvfv")
def glGetTexEnv(context: Context, target: int, name: int, *_: Any) -> Value:
    env = context.fixed.environments[context.state.active_unit % MAX_UNITS]
    if target == gl.POINT_SPRITE_OES:
        check_enum(name, (gl.COORD_REPLACE_OES,), "point sprite parameter")
        return int(env.coordinate_replace)
    if target == gl.TEXTURE_FILTER_CONTROL_EXT:
        check_enum(name, (gl.TEXTURE_LOD_BIAS,), "texture filter parameter")
        return env.lod_bias
    check_enum(target, (gl.TEXTURE_ENV,), "texture environment")
    values: dict[int, Value] = {
        gl.TEXTURE_ENV_MODE: env.mode,
        gl.TEXTURE_ENV_COLOR: [float(v) for v in env.color],
        gl.COMBINE_RGB: env.combine[0],
        gl.COMBINE_ALPHA: env.combine[1],
        gl.RGB_SCALE: env.scale[0],
        gl.ALPHA_SCALE: env.scale[1],
        **{gl.SRC0_RGB + i: env.sources[0][i] for i in range(3)},
        **{gl.SRC0_ALPHA + i: env.sources[1][i] for i in range(3)},
        **{gl.OPERAND0_RGB + i: env.operands[0][i] for i in range(3)},
        **{gl.OPERAND0_ALPHA + i: env.operands[1][i] for i in range(3)},
    }
    check_enum(name, values, "texture environment parameter")
    return values[name]


@entry.answers("glGetTexEnvxv", "glGetTexEnvxvOES")
def glGetTexEnvxv(context: Context, target: int, name: int, *_: Any) -> Value:
    return _fixed(glGetTexEnv(context, target, name))


@entry.answers("glGetClipPlanef", "glGetClipPlanefOES")
def glGetClipPlanef(context: Context, plane: int, *_: Any) -> Value:
    check_enum(plane - gl.CLIP_PLANE0, range(MAX_CLIP_PLANES), "clip plane")
    return [float(v) for v in context.fixed.clip_planes[plane - gl.CLIP_PLANE0]]


@entry.answers("glGetClipPlanex", "glGetClipPlanexOES")
def glGetClipPlanex(context: Context, plane: int, *_: Any) -> Value:
    return _fixed(glGetClipPlanef(context, plane))


@entry.answers()
def glGetPointerv(context: Context, name: int, *_: Any) -> Value:
    locations = {
        gl.VERTEX_ARRAY_POINTER: POSITION,
        gl.NORMAL_ARRAY_POINTER: NORMAL,
        gl.COLOR_ARRAY_POINTER: COLOR,
        gl.TEXTURE_COORD_ARRAY_POINTER: COORDINATE + context.fixed.client_unit,
        gl.POINT_SIZE_ARRAY_POINTER_OES: POINT_SIZE,
    }
    check_enum(name, locations, "pointer")
    return Pointer(context.state.vertex_array.attributes[locations[name]].pointed[1])
