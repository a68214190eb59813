"""Entry points of OpenGL ES 1.1: lights, materials, texture environments, fog, alpha test, points, client arrays."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any

import numpy as np

from ...capture import ArgumentError
from .. import enums as gl
from ..arguments import clamped, numbers, whole
from ..checks import check_enum, check_value
from ..context import Context
from ..errors import GLError
from ..fixed.state import COLOR, COORDINATE, MAX_CLIP_PLANES, MAX_LIGHTS, MAX_UNITS, NORMAL, POINT_SIZE, POSITION
from .table import EntryPoints
from .vertex_arrays import set_pointer

entry = EntryPoints()
ONE = 65536.0
Setter = Callable[..., None]


def _variants(name: str, setter: Setter, vectors: bool = True) -> None:
    """Register glNamef, glNamex and, with vectors, glNamefv and glNamexv for a setter of (context, …, values)."""

    # The context, the numbers and the numbers as they were given are none of them.
    enums = len(inspect.signature(setter).parameters) - 3

    def register(suffix: str, scale: float, vector: bool) -> None:
        def function(context: Context, *arguments: Any) -> None:
            if len(arguments) != enums + 1:
                raise ArgumentError(f"{len(arguments)} arguments where {enums + 1} belong")
            *leading, last = arguments
            check_value(bool(last if isinstance(last, list) else vector or last is not None), "numbers are missing")
            check_value(vector or not isinstance(last, list), "a list where a number belongs")
            setter(context, *map(whole, leading), [value / scale for value in numbers(last)], numbers(last))

        entry(f"{name}{suffix}", f"{name}{suffix}OES")(function)

    for suffix, scale in (("f", 1.0), ("x", ONE), ("i", 1.0)):
        register(suffix, scale, False)
        if vectors:
            register(f"{suffix}v", scale, True)


def _four(values: Sequence[float]) -> tuple[float, ...]:
    if len(values) < 4:
        raise GLError(gl.INVALID_VALUE, f"{len(values)} numbers where four belong")
    return tuple(values[:4])


def _light(context: Context, light: int, name: int, values: list[float], _: Any) -> None:
    number = light - 0x4000
    if not 0 <= number < MAX_LIGHTS:
        raise GLError(gl.INVALID_ENUM, f"light {light:#06x}")
    target = context.fixed.lights[number]
    model_view = context.fixed.model_view[-1]
    colors = {0x1200: "ambient", 0x1201: "diffuse", 0x1202: "specular"}
    if name in colors:
        setattr(target, colors[name], _four(values))
    elif name == 0x1203:
        target.position = tuple(float(v) for v in model_view @ np.array(_four(values)))
    elif name == 0x1204 and len(values) >= 3:
        target.spot_direction = tuple(float(v) for v in model_view[:3, :3] @ np.array(values[:3]))
    elif name == 0x1205:
        target.spot_exponent = values[0]
    elif name == 0x1206:
        target.spot_cutoff = values[0]
    elif 0x1207 <= name <= 0x1209:
        attenuation = list(target.attenuation)
        attenuation[name - 0x1207] = values[0]
        target.attenuation = tuple(attenuation)
    else:
        raise GLError(gl.INVALID_ENUM, f"light parameter {name:#06x}")


def _light_model(context: Context, name: int, values: list[float], _: Any) -> None:
    if name == 0x0B53:
        context.fixed.scene_ambient = _four(values)
    elif name == 0x0B52:
        context.fixed.two_sided = bool(values[0])
    else:
        raise GLError(gl.INVALID_ENUM, f"light model parameter {name:#06x}")


def _material(context: Context, face: int, name: int, values: list[float], _: Any) -> None:
    fields = {
        0x1200: ["ambient"],
        0x1201: ["diffuse"],
        0x1202: ["specular"],
        0x1600: ["emission"],
        0x1602: ["ambient", "diffuse"],
    }
    if name == 0x1601:
        context.fixed.shininess = values[0]
    elif name in fields:
        for field in fields[name]:
            setattr(context.fixed, f"material_{field}", _four(values))
    else:
        raise GLError(gl.INVALID_ENUM, f"material parameter {name:#06x}")


def _fog(context: Context, name: int, values: list[float], raw: list[Any]) -> None:
    fields = {0x0B62: "fog_density", 0x0B63: "fog_start", 0x0B64: "fog_end"}
    if name == 0x0B65:
        context.fixed.fog_mode = whole(raw[0])
    elif name == 0x0B66:
        context.fixed.fog_color = _four(values)
    elif name in fields:
        setattr(context.fixed, fields[name], values[0])
    else:
        raise GLError(gl.INVALID_ENUM, f"fog parameter {name:#06x}")


def _environment(context: Context, target: int, name: int, values: list[float], raw: list[Any]) -> None:
    env = context.fixed.environments[context.state.active_unit % MAX_UNITS]
    if target == 0x8861 and name == 0x8862:
        env.coordinate_replace = bool(raw[0])
    elif target == 0x8500 and name == 0x8501:
        env.lod_bias = values[0]
    elif name == 0x2200:
        env.mode = whole(raw[0])
    elif name == 0x2201:
        env.color = tuple(clamped(v) for v in _four(values))
    elif name in (0x8571, 0x8572):
        env.combine[name - 0x8571] = whole(raw[0])
    elif 0x8580 <= name <= 0x8582 or 0x8588 <= name <= 0x858A:
        env.sources[name >= 0x8588][name & 3 if name < 0x8588 else name - 0x8588] = whole(raw[0])
    elif 0x8590 <= name <= 0x8592 or 0x8598 <= name <= 0x859A:
        env.operands[name >= 0x8598][name - (0x8598 if name >= 0x8598 else 0x8590)] = whole(raw[0])
    elif name in (0x8573, 0x0D1C):
        env.scale[name == 0x0D1C] = values[0]
    else:
        raise GLError(gl.INVALID_ENUM, f"texture environment parameter {name:#06x}")


def _point_parameter(context: Context, name: int, values: list[float], _: Any) -> None:
    low, high = context.fixed.point_limits
    if name == 0x8126:
        context.fixed.point_limits = (max(values[0], 0.0), high)
    elif name == 0x8127:
        context.fixed.point_limits = (low, max(values[0], 0.0))
    elif name == 0x8129 and len(values) >= 3:
        context.fixed.point_attenuation = tuple(values[:3])
    elif name == 0x8128:
        context.fixed.point_fade = max(values[0], 0.0)
    else:
        raise GLError(gl.INVALID_ENUM, f"point parameter {name:#06x}")


for _name, _setter in (
    ("glLight", _light),
    ("glLightModel", _light_model),
    ("glMaterial", _material),
    ("glFog", _fog),
    ("glTexEnv", _environment),
    ("glPointParameter", _point_parameter),
):
    _variants(_name, _setter)


def _scalars(name: str, scale_variants: bool = True) -> Callable[[Setter], Setter]:
    """Register glName or glNamef, and glNamex, for a function of (context, numbers)."""

    def register(function: Setter) -> Setter:
        @wraps(function)
        def floats(context: Context, *values: float) -> None:
            function(context, *values)

        @wraps(function)
        def fixed(context: Context, *values: float) -> None:
            function(context, *(value / ONE for value in values))

        entry(name if name.endswith(("Size", "Func")) else f"{name}f")(floats)
        entry(f"{name}x", f"{name}xOES")(fixed)
        return function

    return register


@_scalars("glPointSize")
def _point_size(context: Context, size: float) -> None:
    if not size > 0:
        raise GLError(gl.INVALID_VALUE, f"point size {size}")
    context.fixed.point_size = size
    context.state.constants[POINT_SIZE] = (size, 0.0, 0.0, 1.0)


@_scalars("glColor4")
def _color(context: Context, red: float, green: float, blue: float, alpha: float) -> None:
    context.state.constants[COLOR] = (red, green, blue, alpha)


@entry()
def glColor4ub(context: Context, red: int, green: int, blue: int, alpha: int) -> None:
    context.state.constants[COLOR] = (red / 255, green / 255, blue / 255, alpha / 255)


@_scalars("glNormal3")
def _normal(context: Context, x: float, y: float, z: float) -> None:
    context.state.constants[NORMAL] = (x, y, z, 1.0)


@entry()
def glMultiTexCoord4f(context: Context, target: int, s: float, t: float, r: float, q: float) -> None:
    context.state.constants[COORDINATE + _unit(target)] = (s, t, r, q)


@entry()
def glMultiTexCoord4x(context: Context, target: int, s: float, t: float, r: float, q: float) -> None:
    context.state.constants[COORDINATE + _unit(target)] = (s / ONE, t / ONE, r / ONE, q / ONE)


@entry()
def glAlphaFunc(context: Context, function: int, reference: float) -> None:
    if function not in gl.COMPARISONS:
        raise GLError(gl.INVALID_ENUM, f"{function:#06x} is no comparison")
    context.fixed.alpha_function, context.fixed.alpha_reference = function, clamped(reference)


@entry("glAlphaFuncx", "glAlphaFuncxOES")
def glAlphaFuncx(context: Context, function: int, reference: float) -> None:
    glAlphaFunc(context, function, reference / ONE)


@entry()
def glShadeModel(context: Context, mode: int) -> None:
    check_enum(mode, (0x1D00, 0x1D01), "shade model")
    context.fixed.flat = mode == 0x1D00


@entry("glClipPlanef", "glClipPlanefOES")
def glClipPlanef(context: Context, plane: int, equation: Sequence[float]) -> None:
    number = plane - 0x3000
    if not 0 <= number < MAX_CLIP_PLANES:
        raise GLError(gl.INVALID_ENUM, f"clip plane {plane:#06x}")
    with np.errstate(all="ignore"):
        try:
            inverse = np.linalg.inv(context.fixed.model_view[-1])
        except np.linalg.LinAlgError:
            raise GLError(gl.INVALID_OPERATION, "the model-view matrix cannot be inverted") from None
    context.fixed.clip_planes[number] = tuple(float(v) for v in np.array(_four(equation)) @ inverse)


@entry("glClipPlanex", "glClipPlanexOES")
def glClipPlanex(context: Context, plane: int, equation: Sequence[float]) -> None:
    glClipPlanef(context, plane, [v / ONE for v in equation])


@entry()
def glLogicOp(context: Context, operation: int) -> None:
    check_enum(operation, range(0x1500, 0x1510), "logical operation")
    context.fixed.logic_operation = operation


def _unit(target: int) -> int:
    unit = target - gl.TEXTURE0
    if not 0 <= unit < MAX_UNITS:
        raise GLError(gl.INVALID_ENUM, f"texture unit {target:#06x}")
    return unit


@entry()
def glClientActiveTexture(context: Context, target: int) -> None:
    context.fixed.client_unit = _unit(target)


def _location(context: Context, array: int) -> int:
    locations = {0x8074: POSITION, 0x8075: NORMAL, 0x8076: COLOR, 0x8B9C: POINT_SIZE}
    if array == 0x8078:
        return COORDINATE + context.fixed.client_unit
    if array not in locations:
        raise GLError(gl.INVALID_ENUM, f"client array {array:#06x}")
    return locations[array]


@entry()
def glEnableClientState(context: Context, array: int) -> None:
    context.state.vertex_array.attributes[_location(context, array)].enabled = True


@entry()
def glDisableClientState(context: Context, array: int) -> None:
    context.state.vertex_array.attributes[_location(context, array)].enabled = False


@entry()
def glVertexPointer(context: Context, size: int, kind: int, stride: int, pointer: Any) -> None:
    set_pointer(context, POSITION, size, kind, False, stride, pointer)


@entry()
def glNormalPointer(context: Context, kind: int, stride: int, pointer: Any) -> None:
    set_pointer(context, NORMAL, 3, kind, True, stride, pointer)


@entry()
def glColorPointer(context: Context, size: int, kind: int, stride: int, pointer: Any) -> None:
    set_pointer(context, COLOR, size, kind, True, stride, pointer)


@entry()
def glTexCoordPointer(context: Context, size: int, kind: int, stride: int, pointer: Any) -> None:
    set_pointer(context, COORDINATE + context.fixed.client_unit, size, kind, False, stride, pointer)


@entry()
def glPointSizePointerOES(context: Context, kind: int, stride: int, pointer: Any) -> None:
    set_pointer(context, POINT_SIZE, 1, kind, False, stride, pointer)
