"""Programs that implement fixed-function state: built once per configuration, their uniforms set per draw."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tilegpu.shaders import source

from .. import enums as gl
from ..formats import RGBA8, Format
from ..programs import Program, Shader
from ..uniforms import set_uniform
from .fragment import ALPHA, LUMINANCE, LUMINANCE_ALPHA, RGB, RGBA, FragmentKey, Unit, fragment_source
from .state import COLOR, COORDINATE, MAX_CLIP_PLANES, MAX_LIGHTS, MAX_UNITS, NORMAL, POINT_SIZE, POSITION, FixedState

if TYPE_CHECKING:
    from ..context import Context

ATTRIBUTES = {"position": POSITION, "normal": NORMAL, "color": COLOR, "size": POINT_SIZE} | {
    f"coordinate{i}": COORDINATE + i for i in range(MAX_UNITS)
}
Floats = NDArray[np.float32]


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
class FixedPrograms:
    """Programs by key."""

    programs: dict[Key, Program] = field(default_factory=dict)

    def program(self, context: Context, points: bool) -> Program:
        """Program for the current state, with its uniforms up to date."""
        fixed = context.fixed
        key = state_key(context, fixed, points)
        program = self.programs.get(key)
        if program is None:
            program = self.programs[key] = _build(key)
            program.identity = context.identities.take("program")
            context.listener.program_linked(program, context.call)
        for name, value in uniform_values(fixed, key).items():
            if name in program.attribute_locations:
                set_uniform(program, program.attribute_locations[name], value)
        return program


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


def uniform_values(fixed: FixedState, key: Key) -> dict[str, Floats]:
    """Every uniform by name: (elements, components), or (elements, columns, rows)."""
    model_view = fixed.model_view[-1]
    with np.errstate(all="ignore"):
        try:
            inverse = np.linalg.inv(model_view[:3, :3]).T
        except np.linalg.LinAlgError:
            inverse = np.eye(3)
    normal = np.eye(4)
    normal[:3, :3] = inverse
    length = float(np.linalg.norm(np.linalg.pinv(inverse)[:, 2])) if gl.RESCALE_NORMAL in fixed.enabled else 1.0
    lights = [fixed.lights[i] for i in key.lights]
    span = fixed.fog_end - fixed.fog_start
    values: dict[str, object] = {
        "model_view": model_view.T[None],
        "model_view_projection": (fixed.projection[-1] @ model_view).T[None],
        "normal_matrix": normal.T[None],
        "rescale": [[length]],
        "point": [[fixed.point_size, *fixed.point_limits, 0.0]],
        "attenuation": [fixed.point_attenuation],
        "scene_ambient": [fixed.scene_ambient],
        "material_ambient": [fixed.material_ambient],
        "material_diffuse": [fixed.material_diffuse],
        "material_specular": [fixed.material_specular],
        "material_emission": [fixed.material_emission],
        "shininess": [[fixed.shininess]],
        "light_position": [light.position for light in lights],
        "light_ambient": [light.ambient for light in lights],
        "light_diffuse": [light.diffuse for light in lights],
        "light_specular": [light.specular for light in lights],
        "light_spot": [(*light.spot_direction, light.spot_exponent) for light in lights],
        "light_attenuation": [(*light.attenuation, _cutoff(light.spot_cutoff)) for light in lights],
        "clip_plane": [fixed.clip_planes[i] for i in key.clip_planes],
        "fog_color": [fixed.fog_color],
        "fog": [[fixed.fog_density, fixed.fog_start, fixed.fog_end, 1.0 / span if span else 1.0]],
        "alpha_reference": [[fixed.alpha_reference]],
    }
    values |= {f"texture_matrix{i}": fixed.texture[i][-1].T[None] for i in range(MAX_UNITS)}
    values |= {f"environment{i}": [fixed.environments[i].color] for i in range(MAX_UNITS)}
    return {name: np.array(value, np.float32) for name, value in values.items() if len(value)}  # type: ignore[arg-type]


def _cutoff(degrees: float) -> float:
    return -2.0 if degrees == 180.0 else float(np.cos(np.radians(degrees)))
