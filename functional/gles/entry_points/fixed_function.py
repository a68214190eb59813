"""Entry points of OpenGL ES 1.1: lights, materials, texture environments, fog, alpha test, points, client arrays.

A list of short functions, in the order of the specification.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...capture import ArgumentError
from ...glsl.compatibility import COLOR, COORDINATE, NORMAL, POINT_SIZE, POSITION
from ...opengl import enums as gl
from ...opengl.errors import GLError, Unsupported
from ..arguments import clamped, numbers, whole
from ..checks import check_enum, check_value
from ..context import Context
from ..effects import COMPARED, ENVIRONMENTS, FIXED_FUNCTION, HARMLESS, VERTEX_ARRAYS, Effect
from ..fixed.state import MAX_CLIP_PLANES, MAX_LIGHTS, MAX_UNITS
from .current_values import coordinate_unit
from .fixed_table import FixedFunctions
from .vertex_arrays import set_pointer

entry = FixedFunctions()
ONE = 65536.0
Setter = Callable[..., None]


def _variants(name: str, setter: Setter, effect: Effect) -> None:
    """Register glNamef, glNamex, glNamei and the same with v for a setter of (context, …, values)."""

    # The context, the numbers and the numbers as given do not count as enums.
    enums = len(inspect.signature(setter).parameters) - 3

    def register(suffix: str, scale: float, vector: bool) -> None:
        def function(context: Context, *arguments: Any) -> None:
            if len(arguments) != enums + 1:
                raise ArgumentError(f"{len(arguments)} arguments where {enums + 1} are expected")
            *leading, last = arguments
            check_value(bool(last if isinstance(last, list) else vector or last is not None), "numbers are missing")
            check_value(vector or not isinstance(last, list), "a list where a number is expected")
            setter(context, *map(whole, leading), [value / scale for value in numbers(last)], numbers(last))

        entry(f"{name}{suffix}", f"{name}{suffix}OES", effect=effect)(function)

    for suffix, scale in (("f", 1.0), ("x", ONE), ("i", 1.0)):
        register(suffix, scale, False)
        register(f"{suffix}v", scale, True)


def _four(values: Sequence[float]) -> tuple[float, ...]:
    if len(values) < 4:
        raise GLError(gl.INVALID_VALUE, f"{len(values)} numbers where four are expected")
    return tuple(values[:4])


def _light(context: Context, light: int, name: int, values: list[float], _: Any) -> None:
    number = light - gl.LIGHT0
    if not 0 <= number < MAX_LIGHTS:
        raise GLError(gl.INVALID_ENUM, f"light {light:#06x}")
    target = context.fixed.lights[number]
    model_view = context.fixed.model_view[-1]
    colors = {gl.AMBIENT: "ambient", gl.DIFFUSE: "diffuse", gl.SPECULAR: "specular"}
    if name in colors:
        setattr(target, colors[name], _four(values))
    elif name == gl.POSITION:
        target.position = tuple(float(v) for v in model_view @ np.array(_four(values)))
    elif name == gl.SPOT_DIRECTION and len(values) >= 3:
        target.spot_direction = tuple(float(v) for v in model_view[:3, :3] @ np.array(values[:3]))
    elif name == gl.SPOT_EXPONENT:
        target.spot_exponent = values[0]
    elif name == gl.SPOT_CUTOFF:
        target.spot_cutoff = values[0]
    elif gl.CONSTANT_ATTENUATION <= name <= gl.QUADRATIC_ATTENUATION:
        attenuation = list(target.attenuation)
        attenuation[name - gl.CONSTANT_ATTENUATION] = values[0]
        target.attenuation = tuple(attenuation)
    else:
        raise GLError(gl.INVALID_ENUM, f"light parameter {name:#06x}")


def _light_model(context: Context, name: int, values: list[float], _: Any) -> None:
    if name == gl.LIGHT_MODEL_AMBIENT:
        context.fixed.scene_ambient = _four(values)
    elif name == gl.LIGHT_MODEL_TWO_SIDE:
        context.fixed.two_sided = bool(values[0])
    else:
        raise GLError(gl.INVALID_ENUM, f"light model parameter {name:#06x}")


_COLORS: dict[int, tuple[str, ...]] = {
    gl.AMBIENT: ("ambient",),
    gl.DIFFUSE: ("diffuse",),
    gl.SPECULAR: ("specular",),
    gl.EMISSION: ("emission",),
    gl.AMBIENT_AND_DIFFUSE: ("ambient", "diffuse"),
}
"""Colours of a material by the enum that stands for them."""


def _check_face(context: Context, face: int) -> None:
    """OpenGL ES has one material for both faces."""
    check_enum(face, (gl.FRONT, gl.BACK, gl.FRONT_AND_BACK) if context.desktop else (gl.FRONT_AND_BACK,), "face")


def _material(context: Context, face: int, name: int, values: list[float], _: Any) -> None:
    _check_face(context, face)
    fixed = context.fixed
    for material in [fixed.front] * (face != gl.BACK) + [fixed.back] * (face != gl.FRONT):
        if name == gl.SHININESS:
            material.shininess = values[0]
        elif name in _COLORS:
            for color in _COLORS[name]:
                setattr(material, color, _four(values))
        else:
            raise GLError(gl.INVALID_ENUM, f"material parameter {name:#06x}")


@entry(effect=FIXED_FUNCTION)
def glColorMaterial(context: Context, face: int, mode: int) -> None:
    _check_face(context, face)
    check_enum(mode, _COLORS, "colours of a material")
    if face == gl.BACK:
        raise Unsupported("colours of vertices for the material of back faces alone")
    fixed = context.fixed
    if gl.COLOR_MATERIAL in fixed.enabled:
        fixed.keep_tracked(context.state.constants[COLOR])
    fixed.tracking_face, fixed.tracking = face, _COLORS[mode]


def _fog(context: Context, name: int, values: list[float], raw: list[Any]) -> None:
    fields = {gl.FOG_DENSITY: "fog_density", gl.FOG_START: "fog_start", gl.FOG_END: "fog_end"}
    if name == gl.FOG_MODE:
        context.fixed.fog_mode = whole(raw[0])
    elif name == gl.FOG_COLOR:
        context.fixed.fog_color = _four(values)
    elif name in fields:
        setattr(context.fixed, fields[name], values[0])
    else:
        raise GLError(gl.INVALID_ENUM, f"fog parameter {name:#06x}")


def _environment(context: Context, target: int, name: int, values: list[float], raw: list[Any]) -> None:
    unit = context.state.active_unit
    if unit >= MAX_UNITS:
        raise Unsupported(f"the texture environment of unit {unit}; there are {MAX_UNITS}")
    env = context.fixed.environments[unit]
    if target == gl.POINT_SPRITE_OES and name == gl.COORD_REPLACE_OES:
        env.coordinate_replace = bool(raw[0])
    elif target == gl.TEXTURE_FILTER_CONTROL_EXT and name == gl.TEXTURE_LOD_BIAS:
        env.lod_bias = values[0]
    elif name == gl.TEXTURE_ENV_MODE:
        env.mode = whole(raw[0])
    elif name == gl.TEXTURE_ENV_COLOR:
        env.color = tuple(clamped(v) for v in _four(values))
    elif name in (gl.COMBINE_RGB, gl.COMBINE_ALPHA):
        env.combine[name - gl.COMBINE_RGB] = whole(raw[0])
    elif gl.SRC0_RGB <= name <= gl.SRC2_RGB or gl.SRC0_ALPHA <= name <= gl.SRC2_ALPHA:
        env.sources[name >= gl.SRC0_ALPHA][name & 3 if name < gl.SRC0_ALPHA else name - gl.SRC0_ALPHA] = whole(raw[0])
    elif gl.OPERAND0_RGB <= name <= gl.OPERAND2_RGB or gl.OPERAND0_ALPHA <= name <= gl.OPERAND2_ALPHA:
        env.operands[name >= gl.OPERAND0_ALPHA][
            name - (gl.OPERAND0_ALPHA if name >= gl.OPERAND0_ALPHA else gl.OPERAND0_RGB)
        ] = whole(raw[0])
    elif name in (gl.RGB_SCALE, gl.ALPHA_SCALE):
        env.scale[name == gl.ALPHA_SCALE] = values[0]
    else:
        raise GLError(gl.INVALID_ENUM, f"texture environment parameter {name:#06x}")


def _point_parameter(context: Context, name: int, values: list[float], _: Any) -> None:
    low, high = context.fixed.point_limits
    if name == gl.POINT_SIZE_MIN:
        context.fixed.point_limits = (max(values[0], 0.0), high)
    elif name == gl.POINT_SIZE_MAX:
        context.fixed.point_limits = (low, max(values[0], 0.0))
    elif name == gl.POINT_DISTANCE_ATTENUATION and len(values) >= 3:
        context.fixed.point_attenuation = tuple(values[:3])
    elif name == gl.POINT_FADE_THRESHOLD_SIZE:
        context.fixed.point_fade = max(values[0], 0.0)
    else:
        raise GLError(gl.INVALID_ENUM, f"point parameter {name:#06x}")


for _name, _setter, _effect in (
    ("glLight", _light, FIXED_FUNCTION),
    ("glLightModel", _light_model, FIXED_FUNCTION),
    ("glMaterial", _material, FIXED_FUNCTION),
    ("glFog", _fog, FIXED_FUNCTION),
    ("glTexEnv", _environment, ENVIRONMENTS),
    ("glPointParameter", _point_parameter, FIXED_FUNCTION),
):
    _variants(_name, _setter, _effect)


@entry(effect=FIXED_FUNCTION)
def glAlphaFunc(context: Context, function: int, reference: float) -> None:
    if function not in gl.COMPARISONS:
        raise GLError(gl.INVALID_ENUM, f"{function:#06x} is not a comparison function")
    context.fixed.alpha_function, context.fixed.alpha_reference = function, clamped(reference)


@entry("glAlphaFuncx", "glAlphaFuncxOES", effect=FIXED_FUNCTION)
def glAlphaFuncx(context: Context, function: int, reference: float) -> None:
    glAlphaFunc(context, function, reference / ONE)


@entry(effect=COMPARED)
def glShadeModel(context: Context, mode: int) -> None:
    check_enum(mode, (gl.FLAT, gl.SMOOTH), "shade model")
    context.fixed.flat = mode == gl.FLAT


@entry("glClipPlanef", "glClipPlanefOES", "glClipPlane", effect=FIXED_FUNCTION)
def glClipPlanef(context: Context, plane: int, equation: Sequence[float]) -> None:
    number = plane - gl.CLIP_PLANE0
    if not 0 <= number < MAX_CLIP_PLANES:
        raise GLError(gl.INVALID_ENUM, f"clip plane {plane:#06x}")
    with np.errstate(all="ignore"):
        try:
            inverse = np.linalg.inv(context.fixed.model_view[-1])
        except np.linalg.LinAlgError:
            raise GLError(gl.INVALID_OPERATION, "the model-view matrix cannot be inverted") from None
    context.fixed.clip_planes[number] = tuple(float(v) for v in np.array(_four(equation)) @ inverse)


@entry("glClipPlanex", "glClipPlanexOES", effect=FIXED_FUNCTION)
def glClipPlanex(context: Context, plane: int, equation: Sequence[float]) -> None:
    glClipPlanef(context, plane, [v / ONE for v in equation])


@entry("glClientActiveTexture", "glClientActiveTextureARB", effect=HARMLESS)
def glClientActiveTexture(context: Context, target: int) -> None:
    context.fixed.client_unit = coordinate_unit(target)


def _location(context: Context, array: int) -> int:
    locations = {
        gl.VERTEX_ARRAY: POSITION,
        gl.NORMAL_ARRAY: NORMAL,
        gl.COLOR_ARRAY: COLOR,
        gl.POINT_SIZE_ARRAY_OES: POINT_SIZE,
    }
    if array == gl.TEXTURE_COORD_ARRAY:
        return COORDINATE + context.fixed.client_unit
    if array not in locations:
        raise GLError(gl.INVALID_ENUM, f"client array {array:#06x}")
    return locations[array]


@entry(effect=VERTEX_ARRAYS)
def glEnableClientState(context: Context, array: int) -> None:
    context.state.vertex_array.attributes[_location(context, array)].enabled = True


@entry(effect=VERTEX_ARRAYS)
def glDisableClientState(context: Context, array: int) -> None:
    context.state.vertex_array.attributes[_location(context, array)].enabled = False


@entry(effect=VERTEX_ARRAYS)
def glVertexPointer(context: Context, size: int, kind: int, stride: int, pointer: Any) -> None:
    set_pointer(context, POSITION, size, kind, False, stride, pointer)


@entry(effect=VERTEX_ARRAYS)
def glNormalPointer(context: Context, kind: int, stride: int, pointer: Any) -> None:
    set_pointer(context, NORMAL, 3, kind, True, stride, pointer)


@entry(effect=VERTEX_ARRAYS)
def glColorPointer(context: Context, size: int, kind: int, stride: int, pointer: Any) -> None:
    set_pointer(context, COLOR, size, kind, True, stride, pointer)


@entry(effect=VERTEX_ARRAYS)
def glTexCoordPointer(context: Context, size: int, kind: int, stride: int, pointer: Any) -> None:
    set_pointer(context, COORDINATE + context.fixed.client_unit, size, kind, False, stride, pointer)


@entry(effect=VERTEX_ARRAYS)
def glPointSizePointerOES(context: Context, kind: int, stride: int, pointer: Any) -> None:
    set_pointer(context, POINT_SIZE, 1, kind, False, stride, pointer)
