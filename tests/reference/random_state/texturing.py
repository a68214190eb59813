"""Scenes of kind "texture": every lookup function on every format, target and set of parameters."""

from __future__ import annotations

from dataclasses import dataclass

from .scene import Choices, matrix
from .stage import CELL, HEAD, Stage
from .texture_images import TARGETS, Images, Parameters, images, layout_for, parameters

OFFSETS = {2: ("1, -2", "-8, 7", "3, 0"), 3: ("1, -2, 1", "-8, 7, -1", "3, 0, 2")}
PLACES = {"2d": "v.xy", "3d": "v.xyz", "array": "vec3(v.xy, v.z)", "cube": "v.xyz"}
SAMPLERS = {"2d": "sampler2D", "3d": "sampler3D", "array": "sampler2DArray", "cube": "samplerCube"}


@dataclass(frozen=True)
class Texturing:
    """A texture looked up at an affine function of the pixel's position, or a bent one."""

    images: Images
    parameters: Parameters
    lookup: str
    detail: float
    gradients: tuple[float, ...]
    corners: tuple[tuple[float, ...], ...]
    channels: tuple[int, ...]

    def draw(self, stage: Stage) -> None:
        """Record it."""
        layout = self.images.layout
        self.images.make(stage)
        self.parameters.set(stage, TARGETS[self.images.target])
        stage.window()
        program = stage.use(self.source())
        scale, offset = layout.shown if "textureSize" not in self.lookup else (1 / 32, 0.0)
        stage.uniform(program, "channels", *matrix(self.channels, 1.0 if layout.integer else scale))
        stage.uniform(program, "offset", *[offset] * 4)
        stage.uniform(program, "detail", self.detail)
        stage.uniform(program, "gx", *self.gradients[:3])
        stage.uniform(program, "gy", *self.gradients[3:])
        stage.quad(self.corners)

    def source(self) -> str:
        """The fragment shader; all numbers come from outside, so that scenes share programs."""
        sampler = self.images.layout.prefix + SAMPLERS[self.images.target]
        head = HEAD.replace("uniform mat4", f"uniform highp {sampler} image; uniform mat4", 1)
        return (
            f"{head}uniform float detail; uniform vec3 gx; uniform vec3 gy; out vec4 color;\n"
            f"void main() {{ color = seen({self.lookup}); }}"
        )


def lookups(target: str) -> dict[str, str]:
    """Lookup expressions by name."""
    place = PLACES[target]
    size = 3 if target in ("3d", "cube", "array") else 2
    axes = 2 if target in ("2d", "array") else 3
    gradients = f"gx.{'xyz'[:axes]}, gy.{'xyz'[:axes]}"
    found = {
        "texture": f"texture(image, {place})",
        "bias": f"texture(image, {place}, detail)",
        "lod": f"textureLod(image, {place}, detail)",
        "lod varying": f"textureLod(image, {place}, v.w)",
        "grad": f"textureGrad(image, {place}, {gradients})",
    }
    if target == "cube":
        return found | {"size": "vec4(textureSize(image, int(detail)), 0, 1)"}
    for i, shift in enumerate(OFFSETS[axes]):
        vector = f"ivec{axes}({shift})"
        found |= {
            f"offset {i}": f"textureOffset(image, {place}, {vector})",
            f"offset bias {i}": f"textureOffset(image, {place}, {vector}, detail)",
            f"lod offset {i}": f"textureLodOffset(image, {place}, detail, {vector})",
            f"grad offset {i}": f"textureGradOffset(image, {place}, {gradients}, {vector})",
        }
    if target != "array":
        projected = "vec4(v.xyz * v.w, v.w)" if target == "3d" else "vec3(v.xy * v.w, v.w)"
        found |= {
            "proj": f"textureProj(image, {projected})",
            "proj bias": f"textureProj(image, {projected}, detail)",
            "proj lod": f"textureProjLod(image, {projected}, detail)",
            "proj offset": f"textureProjOffset(image, {projected}, ivec{axes}({OFFSETS[axes][0]}))",
        }
    level = "int(detail)"
    extent = f"textureSize(image, {level})"
    texel = f"min(ivec{size}(abs(v.{'xyz'[:size]}) * vec{size}({extent})), {extent} - 1)"
    found["fetch"] = f"texelFetch(image, {texel}, {level})"
    shift = f"ivec{axes}({OFFSETS[axes][0]})"
    back = shift if axes == size else f"ivec3({shift}, 0)"
    found["fetch offset"] = f"texelFetchOffset(image, {texel} - {back}, {level}, {shift})"
    padding = "0, 1" if size == 2 else "1"
    return found | {"size": f"vec4({extent}, {padding})"}


def texturing(pick: Choices) -> Texturing:
    """Random choices."""
    target = pick.one("2d", "2d", "3d", "array", "cube")
    known = lookups(target)
    name = pick.choice(sorted({n.rstrip(" 012") for n in known}))
    lookup = known[pick.choice([n for n in known if n.rstrip(" 012") == name])]
    fetched = "fetch" in name or name == "size"
    chosen = images(pick, target, layout_for(pick, target), fetched)
    set_to = parameters(pick, chosen.layout)
    if fetched and (chosen.layout.integer or chosen.layout.kind == "depth") and "LINEAR" in set_to.min_filter:
        set_to = Parameters(set_to.by_sampler, "NEAREST", "NEAREST", set_to.wraps, set_to.lods, set_to.swizzle)
    detail = pick.real(-2.0, 4.5)
    if fetched:
        detail = pick.randint(0, chosen.fetched_levels - 1) + 0.25
    gradients = tuple(g / 16 * 2 ** pick.real(-1, 3) for g in pick.reals(6, -1, 1))
    channels = tuple(pick.choice(range(4)) for _ in range(3)) if pick.chance(0.5) else (0, 1, 2)
    return Texturing(chosen, set_to, lookup, detail, gradients, corners(pick, target, chosen.size), channels)


def corners(pick: Choices, target: str, size: tuple[int, int, int]) -> tuple[tuple[float, ...], ...]:
    """Coordinates at the cell's corners: some texels per pixel along x and y, in any direction."""
    if target == "cube":
        return _directions(pick)
    start = pick.reals(3, -1, 1.5)
    detail = 2 ** pick.real(-3, 3)
    if pick.chance(0.3):
        steps = [(detail / size[0], 0.0, 0.0), (0.0, detail / size[1], 0.0)]
    else:
        steps = [tuple(s * detail / size[i] for i, s in enumerate(pick.reals(3, -1, 1))) for _ in range(2)]
    if target == "array":
        start = (*start[:2], pick.real(-0.4, 1))
        steps = [(s[0], s[1], pick.real(0, size[2] * 0.7) / CELL) for s in steps]
    w = pick.reals(4, 0.5, 2) if pick.chance(0.3) else [pick.real(0.5, 3)] * 4
    corners = []
    for i, (x, y) in enumerate(((0, 0), (CELL, 0), (0, CELL), (CELL, CELL))):
        place = [start[k] + steps[0][k] * x + steps[1][k] * y for k in range(3)]
        corners.append((*(round(p, 6) for p in place), w[i]))
    if pick.chance(0.15):
        corners[3] = (*(c + pick.real(-0.5, 0.5) for c in corners[3][:3]), corners[3][3])
    return tuple(corners)


def _directions(pick: Choices) -> tuple[tuple[float, ...], ...]:
    major, sign = pick.randint(0, 2), pick.one(1.0, -1.0)
    reach = pick.real(0.1, 1.8)
    centre = pick.reals(2, -0.5, 0.5)
    found = []
    for x, y in ((-1, -1), (1, -1), (-1, 1), (1, 1)):
        place = [centre[0] + reach * x, centre[1] + reach * y]
        place.insert(major, sign * 1.003071)
        found.append((*(round(p, 6) for p in place), pick.real(0.5, 3)))
    return tuple(found)
