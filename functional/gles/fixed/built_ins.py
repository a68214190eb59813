"""Fixed-function state that programs of desktop OpenGL read by built-in uniforms (GLSL 1.20, 7.5)."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from operator import is_
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...glsl import Uniform
from ...glsl.compatibility import COLOR, MATRICES
from ...opengl import enums as gl
from ..programs import Program
from ..uniform_places import UniformPlace, stage_place
from .programs import inverse_transpose, rescale
from .state import FixedState, Light, Material, Matrix, Vector

if TYPE_CHECKING:
    from ..context import Context


class _StateOfVertex(NamedTuple):
    """The state, with materials as the vertex's colour makes them."""

    fixed: FixedState
    front: Material
    back: Material


_Value = Callable[[_StateOfVertex], object]
"""Values of a uniform, (slots, components)."""
_MEMBER = re.compile(r"gl_(\w+?)(?:\[(\d+)\])?\.(\w+)")


class BuiltIns:
    """The built-in uniforms of a program, and the state that they were last set from.

    Parameters
    ----------
    program
        A linked program.
    """

    def __init__(self, program: Program) -> None:
        self._uniforms = [(uniform, _value(uniform.name)) for uniform in program.built_ins]
        self._places: dict[str, UniformPlace] = {}
        self._revision = -1
        self._state: tuple[object, ...] = ()

    def load(self, context: Context, program: Program) -> None:
        """Set them from the state of a context, if it changed."""
        fixed, revision = context.fixed, context.group.parameters_revision
        color = context.state.constants[COLOR] if gl.COLOR_MATERIAL in fixed.enabled else None
        state = (fixed, color, fixed.model_view[-1], fixed.projection[-1], *[stack[-1] for stack in fixed.texture])
        if self._state and revision == self._revision and all(map(is_, state, self._state)):
            return
        self._state, self._revision = state, revision
        seen = _seen(fixed, color)
        with np.errstate(all="ignore"):
            for uniform, value in self._uniforms:
                values = np.asarray(value(seen), np.float32)
                self._place(program, uniform, values).write_bytes(program, values.tobytes())

    def _place(self, program: Program, uniform: Uniform, values: NDArray[np.float32]) -> UniformPlace:
        place = self._places.get(uniform.name)
        if place is None:
            slots = [stage_place(stage, into, slot, *values.shape) for slot, into, stage in program.slots(uniform)]
            place = UniformPlace(values.size, bytes, tuple(one for one in slots if one is not None))
            self._places[uniform.name] = place
        return place


def load_built_ins(context: Context, program: Program) -> None:
    """Set the built-in uniforms of a program from the state of a context, if it changed."""
    built_ins = context.group.built_ins
    if program.identity not in built_ins:
        built_ins[program.identity] = BuiltIns(program)
    built_ins[program.identity].load(context, program)


def _seen(fixed: FixedState, color: Vector | None) -> _StateOfVertex:
    if color is None:
        return _StateOfVertex(fixed, fixed.front, fixed.back)
    tracked: dict[str, Any] = dict.fromkeys(fixed.tracking, color)
    both = fixed.tracking_face == gl.FRONT_AND_BACK
    return _StateOfVertex(
        fixed, replace(fixed.front, **tracked), replace(fixed.back, **tracked) if both else fixed.back
    )


def _value(name: str) -> _Value:
    """Function that gives the values of a uniform."""
    if name in MATRICES:
        return _matrix_value(*MATRICES[name])
    if name in _VALUES:
        return _VALUES[name]
    member = _MEMBER.fullmatch(name)
    assert member is not None, name
    structure, index, field = member[1], int(member[2] or 0), member[3]
    read = _STRUCTURES[structure]

    def value(seen: _StateOfVertex) -> object:
        return np.reshape(read(seen, index)[field], (1, -1))

    return value


def _matrix_value(name: str, variant: str) -> _Value:
    def one(matrix: Matrix) -> Matrix:
        if variant.startswith("Inverse"):
            matrix = _inverse(matrix)
        # Slots are columns.
        return matrix if variant.endswith("Transpose") else matrix.T

    def value(seen: _StateOfVertex) -> object:
        model_view, projection = seen.fixed.model_view[-1], seen.fixed.projection[-1]
        if name == "Texture":
            return np.concatenate([one(stack[-1]) for stack in seen.fixed.texture])
        return one({"ModelView": model_view, "Projection": projection}.get(name, projection @ model_view))

    return value


def _inverse(matrix: Matrix) -> Matrix:
    try:
        return np.asarray(np.linalg.inv(matrix), np.float64)
    except np.linalg.LinAlgError:
        return np.eye(4)


_VALUES: dict[str, _Value] = {
    "gl_NormalMatrix": lambda seen: inverse_transpose(seen.fixed.model_view[-1]).T,
    "gl_NormalScale": lambda seen: rescale(True, seen.fixed.model_view[-1]),
    "gl_ClipPlane": lambda seen: seen.fixed.clip_planes,
    "gl_TextureEnvColor": lambda seen: [environment.color for environment in seen.fixed.environments],
}
"""Uniforms that are no structures."""
_Members = dict[str, float | Vector | NDArray[np.float64]]


def _light(light: Light) -> _Members:
    x, y, z = _direction(light.position)
    constant, linear, quadratic = light.attenuation
    return {
        "ambient": light.ambient,
        "diffuse": light.diffuse,
        "specular": light.specular,
        "position": light.position,
        "halfVector": (*_direction((x, y, z + 1.0)), 1.0),
        "spotDirection": light.spot_direction,
        "spotExponent": light.spot_exponent,
        "spotCutoff": light.spot_cutoff,
        "spotCosCutoff": float(np.cos(np.radians(light.spot_cutoff))),
        "constantAttenuation": constant,
        "linearAttenuation": linear,
        "quadraticAttenuation": quadratic,
    }


def _direction(vector: Vector) -> Vector:
    length = float(np.linalg.norm(vector[:3]))
    return tuple(v / length for v in vector[:3]) if length else (0.0, 0.0, 0.0)


def _scene_color(seen: _StateOfVertex, material: Material) -> _Members:
    ambient = np.array(material.emission) + np.array(material.ambient) * seen.fixed.scene_ambient
    # Mesa's alpha; the specification has that of the other terms, which nobody uses.
    return {"sceneColor": (*ambient[:3], material.diffuse[3])}


def _products(light: Light, material: Material) -> _Members:
    colors = ("ambient", "diffuse", "specular")
    return {color: np.array(getattr(light, color)) * getattr(material, color) for color in colors}


def _point(fixed: FixedState) -> _Members:
    constant, linear, quadratic = fixed.point_attenuation
    return {
        "size": fixed.point_size,
        "sizeMin": fixed.point_limits[0],
        "sizeMax": fixed.point_limits[1],
        "fadeThresholdSize": fixed.point_fade,
        "distanceConstantAttenuation": constant,
        "distanceLinearAttenuation": linear,
        "distanceQuadraticAttenuation": quadratic,
    }


def _fog(fixed: FixedState) -> _Members:
    span = fixed.fog_end - fixed.fog_start
    return {
        "color": fixed.fog_color,
        "density": fixed.fog_density,
        "start": fixed.fog_start,
        "end": fixed.fog_end,
        "scale": 1.0 / span if span else 1.0,
    }


_STRUCTURES: dict[str, Callable[[_StateOfVertex, int], _Members]] = {
    "FrontMaterial": lambda seen, _: vars(seen.front),
    "BackMaterial": lambda seen, _: vars(seen.back),
    "LightSource": lambda seen, number: _light(seen.fixed.lights[number]),
    "LightModel": lambda seen, _: {"ambient": seen.fixed.scene_ambient},
    "FrontLightModelProduct": lambda seen, _: _scene_color(seen, seen.front),
    "BackLightModelProduct": lambda seen, _: _scene_color(seen, seen.back),
    "FrontLightProduct": lambda seen, number: _products(seen.fixed.lights[number], seen.front),
    "BackLightProduct": lambda seen, number: _products(seen.fixed.lights[number], seen.back),
    "Point": lambda seen, _: _point(seen.fixed),
    "Fog": lambda seen, _: _fog(seen.fixed),
}
"""Members of structures by name, of an array those of an element."""
