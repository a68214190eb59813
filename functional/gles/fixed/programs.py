"""Programs that implement fixed-function state: built once per configuration, their uniforms set per draw."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from operator import attrgetter, is_
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ...glsl.compatibility import COLOR, COORDINATE, NORMAL, POINT_SIZE, POSITION
from ...opengl import enums as gl
from ...opengl.formats import RGBA8, Format
from ..programs import Program, Shader
from ..uniform_places import UniformPlace
from ..uniforms import prepare_uniform, set_uniform
from .fragment import ALPHA, LUMINANCE, LUMINANCE_ALPHA, RGB, RGBA, FragmentKey, Unit, fragment_source
from .state import IDENTITY, MAX_CLIP_PLANES, MAX_LIGHTS, MAX_UNITS, FixedState, Light, Matrix
from .vertex import COLORS, Key, vertex_source

if TYPE_CHECKING:
    from ..context import Context

ATTRIBUTES = {"position": POSITION, "normal": NORMAL, "color": COLOR, "size": POINT_SIZE} | {
    f"coordinate{i}": COORDINATE + i for i in range(MAX_UNITS)
}


class _Source(NamedTuple):
    """Origin of a uniform: the objects of the state that it is made of, which are replaced, never written; and the
    values that these give, (elements, components), or (1, columns, rows) of a matrix."""

    state: Callable[[FixedState, Key], Sequence[object]]
    values: Callable[..., object]


@dataclass
class _Uniform:
    """A uniform of a program, and the state that it was last set from."""

    location: int
    source: _Source
    state: Sequence[object] | None = None
    place: UniformPlace | None = None

    def set(self, program: Program, state: Sequence[object]) -> None:
        """Set it from a state."""
        self.state, values = state, np.array(self.source.values(*state), np.float32)
        if self.place is None:
            columns = values.shape[1] if values.ndim == 3 else 1
            made = prepare_uniform(program, self.location, "f", len(values), columns, values.shape[-1])
            assert isinstance(made, UniformPlace)
            self.place = made
        self.place.write_bytes(program, values.tobytes())


@dataclass
class _BuiltProgram:
    """A program, its uniforms in two groups, and what these were last set from."""

    key: Key
    program: Program
    transforms: list[_Uniform]
    parameters: list[_Uniform]
    revision: int = -1
    matrices: tuple[object, ...] = ()

    def update(self, fixed: FixedState, revision: int) -> None:
        """Set the uniforms whose state changed; ``revision`` is that of all but matrices and capabilities."""
        matrices = (*_matrices(fixed), _rescales(fixed))
        if not self.matrices or not all(map(is_, matrices, self.matrices)):
            self.matrices = matrices
            self._set(self.transforms, fixed)
        if revision != self.revision:
            self.revision = revision
            self._set(self.parameters, fixed)

    def _set(self, uniforms: list[_Uniform], fixed: FixedState) -> None:
        with np.errstate(all="ignore"):
            for uniform in uniforms:
                state = uniform.source.state(fixed, self.key)
                if uniform.state is None or not all(map(is_, state, uniform.state)):
                    uniform.set(self.program, state)


class _LatestProgram(NamedTuple):
    """A program, and what it and its uniforms were made from: revisions, and all matrices, those of textures last."""

    revisions: tuple[int, int, int]
    matrices: tuple[Matrix, ...]
    built: _BuiltProgram


@dataclass
class FixedPrograms:
    """Programs by key; and those last used for points or others, flat or smooth, which change often."""

    built: dict[Key, _BuiltProgram] = field(default_factory=dict)
    latest: dict[tuple[bool, bool], _LatestProgram] = field(default_factory=dict)

    def program(self, context: Context, points: bool) -> Program:
        """Program for the current state, with its uniforms up to date."""
        group, fixed = context.group, context.fixed
        revisions = group.parameters_revision, group.stages_revision, group.objects_revision
        matrices = _matrices(fixed)
        kind = points, fixed.flat
        latest = self.latest.get(kind)
        same = latest is not None and latest.revisions == revisions
        if latest is not None and same and all(map(is_, latest.matrices, matrices)):
            return latest.built.program
        if latest is not None and same and all(map(is_, latest.matrices[2:], matrices[2:])):
            built = latest.built
        else:
            built = self._of(context, state_key(context, fixed, points))
        built.update(fixed, revisions[0])
        self.latest[kind] = _LatestProgram(revisions, matrices, built)
        return built.program

    def _of(self, context: Context, key: Key) -> _BuiltProgram:
        """The program for a key, built once."""
        built = self.built.get(key)
        if built is None:
            program = _build(key)
            built = self.built[key] = _BuiltProgram(
                key, program, _uniforms(program, _TRANSFORMS), _uniforms(program, _PARAMETERS)
            )
            program.identity = context.identities.take("program")
            context.listener.program_linked(program, context.call)
        return built


def _matrices(fixed: FixedState) -> tuple[Matrix, ...]:
    """All matrices, those of textures last."""
    return fixed.model_view[-1], fixed.projection[-1], *[stack[-1] for stack in fixed.texture[:MAX_UNITS]]


def _uniforms(program: Program, sources: dict[str, _Source]) -> list[_Uniform]:
    places = program.attribute_locations
    return [_Uniform(places[name], source) for name, source in sources.items() if name in places]


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
    beyond = max(fixed.texturing, default=0)
    if beyond >= MAX_UNITS and context.current_call is not None:
        message = f"unit {beyond}; there are {MAX_UNITS}"
        context.report.note(context.report.unsupported, "textures of fixed functions", context.current_call, message)
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
    planes = tuple([i for i in range(MAX_CLIP_PLANES) if gl.CLIP_PLANE0 + i in fixed.enabled])
    fragment = FragmentKey(
        tuple(units),
        units[-1].number + 1 if units else 0,
        fixed.fog_mode if gl.FOG in fixed.enabled else 0,
        fixed.alpha_function if gl.ALPHA_TEST in fixed.enabled else gl.ALWAYS,
        len(planes),
        lighting and fixed.two_sided,
    )
    lights = tuple([i for i in range(MAX_LIGHTS) if gl.LIGHT0 + i in fixed.enabled]) if lighting else ()
    normalize = gl.NORMALIZE in fixed.enabled
    moved = tuple([i for i in range(fragment.coordinates) if not _is_identity(fixed.texture[i][-1])])
    tracking = fixed.tracking if lighting and gl.COLOR_MATERIAL in fixed.enabled else ()
    back_tracks = fixed.tracking_face != gl.FRONT
    back_differs = fragment.two_sided and (fixed.back != fixed.front or (bool(tracking) and not back_tracks))
    return Key(
        lighting, lights, tracking, back_differs, back_tracks, normalize, planes, fixed.flat, points, moved, fragment
    )


def _build(key: Key) -> Program:
    program = Program(0)
    program.shaders = {
        "vertex": Shader(0, "vertex", vertex_source(key)),
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


def _is_identity(matrix: Matrix) -> bool:
    return matrix is IDENTITY or bool((matrix == IDENTITY).all())


def _columns(matrix: Matrix) -> Matrix:
    """A matrix as a uniform's values."""
    return matrix.T[None]


def inverse_transpose(model_view: Matrix) -> Matrix:
    """Inverse transpose of the model-view matrix, (3, 3); the identity if it has none."""
    try:
        return np.asarray(np.linalg.inv(model_view[:3, :3]).T)
    except np.linalg.LinAlgError:
        return np.eye(3)


def _normal_matrix(model_view: Matrix) -> Matrix:
    matrix = np.eye(4)
    matrix[:3, :3] = inverse_transpose(model_view)
    return _columns(matrix)


def _rescales(fixed: FixedState) -> bool:
    return gl.RESCALE_NORMAL in fixed.enabled


def rescale(rescales: bool, model_view: Matrix) -> object:
    """Factor of normals (OpenGL ES 1.1, 2.10.3)."""
    inverse = inverse_transpose(model_view)
    if not rescales or not np.isfinite(inverse).all():
        return [[1.0]]
    return [[float(np.linalg.norm(np.linalg.pinv(inverse)[:, 2]))]]


def _texture_matrix(unit: int) -> _Source:
    return _Source(lambda fixed, key: [fixed.texture[unit][-1]], _columns)


def _environment(unit: int) -> _Source:
    return _Source(lambda fixed, key: [fixed.environments[unit].color], _rows)


def _rows(*vectors: Sequence[float]) -> object:
    return vectors


def _field(name: str) -> _Source:
    """A vector of the state."""
    read = attrgetter(name)
    return _Source(lambda fixed, key: [read(fixed)], _rows)


def _numbers(*names: str) -> _Source:
    """A vector of numbers of the state."""
    reads = [attrgetter(name) for name in names]
    return _Source(lambda fixed, key: [read(fixed) for read in reads], lambda *numbers: [numbers])


def _of_lights(value: Callable[[Light], Sequence[float]]) -> _Source:
    return _Source(lambda fixed, key: [value(fixed.lights[number]) for number in key.lights], _rows)


def _fog(density: float, start: float, end: float) -> object:
    span = end - start
    return [[density, start, end, 1.0 / span if span else 1.0]]


_TRANSFORMS: dict[str, _Source] = {
    "model_view": _Source(lambda fixed, key: [fixed.model_view[-1]], _columns),
    "model_view_projection": _Source(
        lambda fixed, key: [fixed.projection[-1], fixed.model_view[-1]],
        lambda projection, model_view: _columns(projection @ model_view),
    ),
    "normal_matrix": _Source(lambda fixed, key: [fixed.model_view[-1]], _normal_matrix),
    "rescale": _Source(lambda fixed, key: [_rescales(fixed), fixed.model_view[-1]], rescale),
    **{f"texture_matrix{unit}": _texture_matrix(unit) for unit in range(MAX_UNITS)},
}
"""Origins of uniforms that are made of matrices."""
_PARAMETERS: dict[str, _Source] = {
    "point": _Source(
        lambda fixed, key: [fixed.point_size, fixed.point_limits], lambda size, limits: [[size, *limits, 0.0]]
    ),
    "attenuation": _field("point_attenuation"),
    "scene_ambient": _field("scene_ambient"),
    **{f"{side}.{color}": _field(f"{side}.{color}") for side in ("front", "back") for color in COLORS},
    **{f"{side}.shininess": _numbers(f"{side}.shininess") for side in ("front", "back")},
    **{f"light_{kind}": _of_lights(attrgetter(kind)) for kind in ("position", "ambient", "diffuse", "specular")},
    "light_spot": _of_lights(lambda light: (*light.spot_direction, light.spot_exponent)),
    "light_attenuation": _of_lights(lambda light: (*light.attenuation, _cutoff(light.spot_cutoff))),
    "clip_plane": _Source(lambda fixed, key: [fixed.clip_planes[number] for number in key.clip_planes], _rows),
    "fog_color": _field("fog_color"),
    "fog": _Source(lambda fixed, key: [fixed.fog_density, fixed.fog_start, fixed.fog_end], _fog),
    "alpha_reference": _numbers("alpha_reference"),
    **{f"environment{unit}": _environment(unit) for unit in range(MAX_UNITS)},
}
"""Origins of the other uniforms."""


def _cutoff(degrees: float) -> float:
    return -2.0 if degrees == 180.0 else float(np.cos(np.radians(degrees)))
