"""Scenes of kind "compare": depth textures looked up with a reference."""

from __future__ import annotations

from dataclasses import dataclass

from .formats import of_kinds
from .scene import Choices, matrix
from .stage import HEAD, Stage
from .texture_images import TARGETS, Images, Parameters, images, parameters
from .texturing import corners

COMPARISONS = ("NEVER", "LESS", "EQUAL", "LEQUAL", "GREATER", "NOTEQUAL", "GEQUAL", "ALWAYS")
SAMPLERS = {"2d": "sampler2DShadow", "array": "sampler2DArrayShadow", "cube": "samplerCubeShadow"}
LOOKUPS = {
    "2d": (
        "texture(image, vec3(v.xy, reference))",
        "texture(image, vec3(v.xy, reference), detail)",
        "textureLod(image, vec3(v.xy, reference), detail)",
        "textureGrad(image, vec3(v.xy, reference), gx.xy, gy.xy)",
        "textureOffset(image, vec3(v.xy, reference), ivec2(1, -2))",
        "textureLodOffset(image, vec3(v.xy, reference), detail, ivec2(-8, 7))",
        "textureGradOffset(image, vec3(v.xy, reference), gx.xy, gy.xy, ivec2(3, 0))",
        "textureProj(image, vec4(v.xy, reference, 1.0) * v.w)",
        "textureProjLod(image, vec4(v.xy, reference, 1.0) * v.w, detail)",
    ),
    "array": (
        "texture(image, vec4(v.xyz, reference))",
        "textureGrad(image, vec4(v.xyz, reference), gx.xy, gy.xy)",
    ),
    "cube": (
        "texture(image, vec4(v.xyz, reference))",
        "texture(image, vec4(v.xyz, reference), detail)",
        "textureGrad(image, vec4(v.xyz, reference), gx, gy)",
    ),
}


@dataclass(frozen=True)
class Comparing:
    """A depth texture compared with a reference: the same everywhere, or rising along x."""

    images: Images
    parameters: Parameters
    lookup: str
    reference: str
    detail: float
    gradients: tuple[float, ...]
    corners: tuple[tuple[float, ...], ...]

    def draw(self, stage: Stage) -> None:
        """Record it."""
        self.images.make(stage)
        self.parameters.set(stage, TARGETS[self.images.target])
        stage.window()
        head = HEAD.replace("uniform mat4", f"uniform highp {SAMPLERS[self.images.target]} image; uniform mat4", 1)
        program = stage.use(
            f"{head}uniform float detail; uniform vec3 gx; uniform vec3 gy; out vec4 color;\n"
            f"void main() {{ float reference = {self.reference}; color = seen(vec4({self.lookup})); }}"
        )
        stage.uniform(program, "channels", *matrix((0, 0, 0), 1.0))
        stage.uniform(program, "offset", 0, 0.1, 0.2, 1)
        stage.uniform(program, "detail", self.detail)
        stage.uniform(program, "gx", *self.gradients[:3])
        stage.uniform(program, "gy", *self.gradients[3:])
        stage.quad(self.corners)


def comparing(pick: Choices) -> Comparing:
    """Random choices."""
    target = pick.one("2d", "2d", "array", "cube")
    layout = pick.choice(of_kinds("depth"))
    chosen = images(pick, target, layout, False)
    compare = pick.choice(COMPARISONS)
    reference = pick.one("0.3", "0.5", "0.71", "fract(v.x * 0.37 + v.y * 0.61) * 1.2 - 0.1")
    gradients = tuple(g / 16 * 2 ** pick.real(-1, 3) for g in pick.reals(6, -1, 1))
    set_to = parameters(pick, layout, compare)
    lookup = pick.choice(LOOKUPS[target])
    return Comparing(
        chosen, set_to, lookup, reference, pick.real(-2.0, 4.5), gradients, corners(pick, target, chosen.size)
    )
