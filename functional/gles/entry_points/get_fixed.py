"""Queries of OpenGL ES 1.1's own state: lights, materials, texture environments, clip planes, pointers."""

from __future__ import annotations

from typing import Any

from ...capture import Pointer, Value
from .. import enums as gl
from ..checks import check_enum
from ..context import Context
from ..fixed.state import COLOR, COORDINATE, MAX_CLIP_PLANES, MAX_LIGHTS, MAX_UNITS, NORMAL, POINT_SIZE, POSITION
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
    check_enum(light - 0x4000, range(MAX_LIGHTS), "light")
    source = context.fixed.lights[light - 0x4000]
    values: dict[int, tuple[float, ...]] = {
        0x1200: source.ambient,
        0x1201: source.diffuse,
        0x1202: source.specular,
        0x1203: source.position,
        0x1204: source.spot_direction,
        0x1205: (source.spot_exponent,),
        0x1206: (source.spot_cutoff,),
        **{0x1207 + i: (source.attenuation[i],) for i in range(3)},
    }
    check_enum(name, values, "light parameter")
    return plain(values[name], float)


@entry.answers("glGetLightxv", "glGetLightxvOES")
def glGetLightxv(context: Context, light: int, name: int, *_: Any) -> Value:
    return _fixed(glGetLightfv(context, light, name))


@entry.answers("glGetMaterialfv")
def glGetMaterialfv(context: Context, face: int, name: int, *_: Any) -> Value:
    check_enum(face, (gl.FRONT, gl.BACK), "face")
    fixed = context.fixed
    values: dict[int, tuple[float, ...]] = {
        0x1200: fixed.material_ambient,
        0x1201: fixed.material_diffuse,
        0x1202: fixed.material_specular,
        0x1600: fixed.material_emission,
        0x1601: (fixed.shininess,),
    }
    check_enum(name, values, "material parameter")
    return plain(values[name], float)


@entry.answers("glGetMaterialxv", "glGetMaterialxvOES")
def glGetMaterialxv(context: Context, face: int, name: int, *_: Any) -> Value:
    return _fixed(glGetMaterialfv(context, face, name))


@entry.answers("glGetTexEnviv", "glGetTexEnvfv")
def glGetTexEnv(context: Context, target: int, name: int, *_: Any) -> Value:
    env = context.fixed.environments[context.state.active_unit % MAX_UNITS]
    if target == 0x8861:
        check_enum(name, (0x8862,), "point sprite parameter")
        return int(env.coordinate_replace)
    if target == 0x8500:
        check_enum(name, (0x8501,), "texture filter parameter")
        return env.lod_bias
    check_enum(target, (0x2300,), "texture environment")
    values: dict[int, Value] = {
        0x2200: env.mode,
        0x2201: [float(v) for v in env.color],
        0x8571: env.combine[0],
        0x8572: env.combine[1],
        0x8573: env.scale[0],
        0x0D1C: env.scale[1],
        **{0x8580 + i: env.sources[0][i] for i in range(3)},
        **{0x8588 + i: env.sources[1][i] for i in range(3)},
        **{0x8590 + i: env.operands[0][i] for i in range(3)},
        **{0x8598 + i: env.operands[1][i] for i in range(3)},
    }
    check_enum(name, values, "texture environment parameter")
    return values[name]


@entry.answers("glGetTexEnvxv", "glGetTexEnvxvOES")
def glGetTexEnvxv(context: Context, target: int, name: int, *_: Any) -> Value:
    return _fixed(glGetTexEnv(context, target, name))


@entry.answers("glGetClipPlanef", "glGetClipPlanefOES")
def glGetClipPlanef(context: Context, plane: int, *_: Any) -> Value:
    check_enum(plane - 0x3000, range(MAX_CLIP_PLANES), "clip plane")
    return [float(v) for v in context.fixed.clip_planes[plane - 0x3000]]


@entry.answers("glGetClipPlanex", "glGetClipPlanexOES")
def glGetClipPlanex(context: Context, plane: int, *_: Any) -> Value:
    return _fixed(glGetClipPlanef(context, plane))


@entry.answers()
def glGetPointerv(context: Context, name: int, *_: Any) -> Value:
    locations = {
        0x808E: POSITION,
        0x808F: NORMAL,
        0x8090: COLOR,
        0x8092: COORDINATE + context.fixed.client_unit,
        0x898C: POINT_SIZE,
    }
    check_enum(name, locations, "pointer")
    return Pointer(context.state.vertex_array.attributes[locations[name]].offset_bytes)
