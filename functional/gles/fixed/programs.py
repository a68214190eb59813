"""Programs that implement fixed-function state: built once per configuration, their uniforms set per draw."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from operator import is_
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tilegpu.shaders import source

from .. import enums as gl
from ..formats import RGBA8, Format
from ..programs import Program, Shader
from ..uniform_places import UniformPlace
from ..uniforms import prepare_uniform, set_uniform
from .fragment import ALPHA, LUMINANCE, LUMINANCE_ALPHA, RGB, RGBA, FragmentKey, Unit, fragment_source
from .state import (
    COLOR,
    COORDINATE,
    MAX_CLIP_PLANES,
    MAX_LIGHTS,
    MAX_UNITS,
    NORMAL,
    POINT_SIZE,
    POSITION,
    FixedState,
    Light,
    Matrix,
)

if TYPE_CHECKING:
    from ..context import Context

ATTRIBUTES = {"position": POSITION, "normal": NORMAL, "color": COLOR, "size": POINT_SIZE} | {
    f"coordinate{i}": COORDINATE + i for i in range(MAX_UNITS)
}


@dataclass(frozen=True)
class Key:
    """State that determines a program; `moved` are the units whose texture matrix is not the identity."""

    lighting: bool
    lights: tuple[int, ...]
    color_material: bool
    normalize: bool
    clip_planes: tuple[int, ...]
    flat: bool
    points: bool
    moved: tuple[int, ...]
    fragment: FragmentKey


@dataclass
class _Built:
    """A program, and what its uniforms were last set from."""

    program: Program
    parameters: int = -1
    transforms: tuple[Matrix, ...] = ()
    places: dict[str, UniformPlace] = field(default_factory=dict)
    """Destinations of values by name."""

    def update(self, fixed: FixedState, key: Key, parameters: int) -> None:
        """Set the uniforms whose state changed; ``parameters`` is the revision of all but the matrices."""
        # Matrices are replaced, never written.
        transforms = fixed.model_view[-1], fixed.projection[-1], *[stack[-1] for stack in fixed.texture]
        same = parameters == self.parameters
        if not same:
            self._set({name: value(fixed, key) for name, value in _PARAMETERS.items() if name in self._names})
        if not same or not all(map(is_, transforms, self.transforms)):
            self._set({name: value(fixed) for name, value in _TRANSFORMS.items() if name in self._names})
        self.parameters, self.transforms = parameters, transforms

    @property
    def _names(self) -> dict[str, int]:
        return self.program.attribute_locations

    def _set(self, values: Mapping[str, object]) -> None:
        for name, value in values.items():
            array = np.array(value, np.float32)
            # Lights and clip planes that are off have no uniforms.
            if len(array):
                self._place(name, array).write(self.program, array.ravel().tolist())

    def _place(self, name: str, values: NDArray[np.float32]) -> UniformPlace:
        place = self.places.get(name)
        if place is None:
            columns = values.shape[1] if values.ndim == 3 else 1
            made = prepare_uniform(self.program, self._names[name], "f", len(values), columns, values.shape[-1])
            assert isinstance(made, UniformPlace)
            place = self.places[name] = made
        return place


class _Known(NamedTuple):
    """A key, and what it was made from: revisions, and matrices of textures."""

    revisions: tuple[int, int, bool]
    matrices: tuple[Matrix, ...]
    key: Key


@dataclass
class FixedPrograms:
    """Programs by key."""

    built: dict[Key, _Built] = field(default_factory=dict)
    known: _Known | None = None

    def program(self, context: Context, points: bool) -> Program:
        """Program for the current state, with its uniforms up to date."""
        key = self._key(context, points)
        built = self.built.get(key)
        if built is None:
            built = self.built[key] = _Built(_build(key))
            built.program.identity = context.identities.take("program")
            context.listener.program_linked(built.program, context.call)
        built.update(context.fixed, key, context.group.parameters_revision)
        return built.program

    def _key(self, context: Context, points: bool) -> Key:
        """`state_key`, made again only after a change."""
        revisions = context.group.parameters_revision, context.group.objects_revision, points
        matrices, known = tuple([stack[-1] for stack in context.fixed.texture]), self.known
        if known is None or known.revisions != revisions or not all(map(is_, known.matrices, matrices)):
            known = self.known = _Known(revisions, matrices, state_key(context, context.fixed, points))
        return known.key


def base_format(sized: Format) -> int:
    """Base internal format by which texels are combined with the fragment."""
    if sized.client in (ALPHA, LUMINANCE, LUMINANCE_ALPHA):
        return sized.client
    # OpenGL ES 1.1 has neither floats nor compressed sRGB formats; they count as RGBA.
    opaque = sized.bits[2] > 0 and sized.bits[3] == 0
    return RGB if opaque and (sized.kind == "unorm" or (sized.kind == "srgb" and sized.block == (1, 1))) else RGBA


def state_key(context: Context, fixed: FixedState, points: bool) -> Key:
    """Key of the current state; `points` says whether points are drawn."""
    units = []
    for number in range(MAX_UNITS):
        texture = context.state.units.get((number, gl.TEXTURE_2D)) or context.default_textures.get(gl.TEXTURE_2D)
        if number not in fixed.texturing or texture is None or not texture.complete(texture.sampling):
            continue
        env = fixed.environments[number]
        units.append(
            Unit(
                number,
                env.mode,
                base_format(texture.format or RGBA8),
                (env.combine[0], env.combine[1]),
                (tuple(env.sources[0]), tuple(env.sources[1])),
                (tuple(env.operands[0]), tuple(env.operands[1])),
                (env.scale[0], env.scale[1]),
                points and gl.POINT_SPRITE_OES in fixed.enabled and env.coordinate_replace,
            )
        )
    lighting = gl.LIGHTING in fixed.enabled
    planes = tuple(i for i in range(MAX_CLIP_PLANES) if gl.CLIP_PLANE0 + i in fixed.enabled)
    fragment = FragmentKey(
        tuple(units),
        max((u.number + 1 for u in units), default=0),
        fixed.fog_mode if gl.FOG in fixed.enabled else 0,
        fixed.alpha_function if gl.ALPHA_TEST in fixed.enabled else gl.ALWAYS,
        len(planes),
        lighting and fixed.two_sided,
    )
    lights = tuple(i for i in range(MAX_LIGHTS) if lighting and gl.LIGHT0 + i in fixed.enabled)
    normalize = bool(fixed.enabled & {gl.NORMALIZE})
    moved = tuple(i for i in range(fragment.coordinates) if not np.array_equal(fixed.texture[i][-1], np.eye(4)))
    colored = gl.COLOR_MATERIAL in fixed.enabled
    return Key(lighting, lights, colored, normalize, planes, fixed.flat, points, moved, fragment)


def _build(key: Key) -> Program:
    macros = {
        "LIGHTING": key.lighting,
        "LIGHTS": len(key.lights),
        "COLOR_MATERIAL": key.color_material,
        "NORMALIZE": key.normalize,
        "TWO_SIDED": key.fragment.two_sided,
        "UNITS": key.fragment.coordinates,
        "CLIP_PLANES": len(key.clip_planes),
        "POINTS": key.points,
    } | {f"MOVED{i}": i in key.moved for i in range(MAX_UNITS)}
    header = "".join(f"#define {name} {int(value)}\n" for name, value in macros.items())
    program = Program(0)
    program.shaders = {
        "vertex": Shader(0, "vertex", header + source("fixed_function/vertex.glsl")),
        "fragment": Shader(0, "fragment", fragment_source(key.fragment)),
    }
    program.attribute_locations = dict(ATTRIBUTES)
    for shader in program.shaders.values():
        if not shader.compile():
            raise RuntimeError(shader.log)
    if not program.link() or program.linked is None:
        raise RuntimeError(program.log)
    if key.flat:
        flat = {"front_color", "back_color"}
        varyings = tuple(replace(v, interpolation="flat") if v.name in flat else v for v in program.linked.varyings)
        program.linked = replace(program.linked, varyings=varyings)
    for location, uniform in enumerate(program.linked.uniforms):
        program.locations[location] = (uniform, 0)
        program.attribute_locations[uniform.name] = location
    for unit in key.fragment.units:
        image = program.attribute_locations.get(f"image{unit.number}")
        if image is not None:
            set_uniform(program, image, np.array([[unit.number]], np.int32))
    return program


def _product(fixed: FixedState) -> Matrix:
    with np.errstate(all="ignore"):
        return fixed.projection[-1] @ fixed.model_view[-1]


def _inverse(fixed: FixedState) -> Matrix:
    """Inverse transpose of the model-view matrix, (3, 3); the identity if it has none."""
    with np.errstate(all="ignore"):
        try:
            return np.asarray(np.linalg.inv(fixed.model_view[-1][:3, :3]).T)
        except np.linalg.LinAlgError:
            return np.eye(3)


def _normal_matrix(fixed: FixedState) -> Matrix:
    matrix = np.eye(4)
    matrix[:3, :3] = _inverse(fixed)
    return matrix


def _rescale(fixed: FixedState) -> float:
    """Factor of normals (OpenGL ES 1.1, 2.10.3)."""
    if gl.RESCALE_NORMAL not in fixed.enabled:
        return 1.0
    return float(np.linalg.norm(np.linalg.pinv(_inverse(fixed))[:, 2]))


def _texture_matrix(unit: int) -> Callable[[FixedState], Matrix]:
    return lambda fixed: fixed.texture[unit][-1].T[None]


def _environment(unit: int) -> Callable[[FixedState, Key], object]:
    return lambda fixed, key: [fixed.environments[unit].color]


def _of_lights(value: Callable[[Light], Sequence[float]]) -> Callable[[FixedState, Key], object]:
    return lambda fixed, key: [value(fixed.lights[number]) for number in key.lights]


def _fog(fixed: FixedState, key: Key) -> object:
    span = fixed.fog_end - fixed.fog_start
    return [[fixed.fog_density, fixed.fog_start, fixed.fog_end, 1.0 / span if span else 1.0]]


_TRANSFORMS: dict[str, Callable[[FixedState], object]] = {
    "model_view": lambda fixed: fixed.model_view[-1].T[None],
    "model_view_projection": lambda fixed: _product(fixed).T[None],
    "normal_matrix": lambda fixed: _normal_matrix(fixed).T[None],
    "rescale": lambda fixed: [[_rescale(fixed)]],
} | {f"texture_matrix{unit}": _texture_matrix(unit) for unit in range(MAX_UNITS)}
"""Uniforms made from matrices: (1, columns, rows)."""
_PARAMETERS: dict[str, Callable[[FixedState, Key], object]] = {
    "point": lambda fixed, key: [[fixed.point_size, *fixed.point_limits, 0.0]],
    "attenuation": lambda fixed, key: [fixed.point_attenuation],
    "scene_ambient": lambda fixed, key: [fixed.scene_ambient],
    "material_ambient": lambda fixed, key: [fixed.material_ambient],
    "material_diffuse": lambda fixed, key: [fixed.material_diffuse],
    "material_specular": lambda fixed, key: [fixed.material_specular],
    "material_emission": lambda fixed, key: [fixed.material_emission],
    "shininess": lambda fixed, key: [[fixed.shininess]],
    "light_position": _of_lights(lambda light: light.position),
    "light_ambient": _of_lights(lambda light: light.ambient),
    "light_diffuse": _of_lights(lambda light: light.diffuse),
    "light_specular": _of_lights(lambda light: light.specular),
    "light_spot": _of_lights(lambda light: (*light.spot_direction, light.spot_exponent)),
    "light_attenuation": _of_lights(lambda light: (*light.attenuation, _cutoff(light.spot_cutoff))),
    "clip_plane": lambda fixed, key: [fixed.clip_planes[number] for number in key.clip_planes],
    "fog_color": lambda fixed, key: [fixed.fog_color],
    "fog": _fog,
    "alpha_reference": lambda fixed, key: [[fixed.alpha_reference]],
} | {f"environment{unit}": _environment(unit) for unit in range(MAX_UNITS)}
"""The other uniforms: (elements, components)."""


def _cutoff(degrees: float) -> float:
    return -2.0 if degrees == 180.0 else float(np.cos(np.radians(degrees)))
