"""State of the fixed-function pipeline (OpenGL ES 1.1, tables 6.3 to 6.19)."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ...glsl.compatibility import (
    CLIP_PLANES,
    COLOR,
    COORDINATES,
    ENVIRONMENTS,
    LIGHTS,
    LOCATIONS,
    NORMAL,
    POINT_SIZE,
)
from ...opengl import enums as gl
from ...opengl.limits import MAX_VERTEX_ATTRIBS

MAX_LIGHTS, MAX_UNITS, MAX_CLIP_PLANES, MAX_STACK = LIGHTS, ENVIRONMENTS, CLIP_PLANES, 32
MAX_COORDINATES = COORDINATES
"""Units with coordinates and a texture matrix, which programs of desktop OpenGL read; `MAX_UNITS` have a texture
environment."""
MODELVIEW, PROJECTION, TEXTURE = gl.MODELVIEW, gl.PROJECTION, gl.TEXTURE
Vector = tuple[float, ...]
Matrix = NDArray[np.float64]
IDENTITY: Matrix = np.eye(4)
"""First matrix of each stack. Matrices are replaced, never written."""
IDENTITY.setflags(write=False)


@dataclass
class Light:
    """A light, in eye coordinates."""

    ambient: Vector = (0, 0, 0, 1)
    diffuse: Vector = (0, 0, 0, 1)
    specular: Vector = (0, 0, 0, 1)
    position: Vector = (0, 0, 1, 0)
    spot_direction: Vector = (0, 0, -1)
    spot_exponent: float = 0.0
    spot_cutoff: float = 180.0
    attenuation: Vector = (1, 0, 0)


@dataclass
class Material:
    """Colours of surfaces of one side, and the exponent of highlights."""

    ambient: Vector = (0.2, 0.2, 0.2, 1.0)
    diffuse: Vector = (0.8, 0.8, 0.8, 1.0)
    specular: Vector = (0, 0, 0, 1)
    emission: Vector = (0, 0, 0, 1)
    shininess: float = 0.0


@dataclass
class Environment:
    """Texture environment of a unit; sources and operands of red, green, blue, then of alpha."""

    mode: int = gl.MODULATE
    color: Vector = (0, 0, 0, 0)
    combine: list[int] = field(default_factory=lambda: [gl.MODULATE, gl.MODULATE])
    sources: list[list[int]] = field(
        default_factory=lambda: [[gl.TEXTURE, gl.PREVIOUS, gl.CONSTANT], [gl.TEXTURE, gl.PREVIOUS, gl.CONSTANT]]
    )
    operands: list[list[int]] = field(
        default_factory=lambda: [[gl.SRC_COLOR, gl.SRC_COLOR, gl.SRC_ALPHA], [gl.SRC_ALPHA, gl.SRC_ALPHA, gl.SRC_ALPHA]]
    )
    scale: list[float] = field(default_factory=lambda: [1.0, 1.0])
    coordinate_replace: bool = False
    lod_bias: float = 0.0


@dataclass
class FixedState:
    """The whole fixed-function state, with initial values."""

    enabled: set[int] = field(default_factory=set)
    """Capabilities that only ES 1.1 has; texturing is stored per unit in `texturing`."""
    texturing: set[int] = field(default_factory=set)
    matrix_mode: int = MODELVIEW
    model_view: list[Matrix] = field(default_factory=lambda: [IDENTITY])
    projection: list[Matrix] = field(default_factory=lambda: [IDENTITY])
    texture: list[list[Matrix]] = field(default_factory=lambda: [[IDENTITY] for _ in range(MAX_COORDINATES)])
    lights: list[Light] = field(
        default_factory=lambda: [Light(diffuse=(1, 1, 1, 1), specular=(1, 1, 1, 1))] + [Light() for _ in range(7)]
    )
    scene_ambient: Vector = (0.2, 0.2, 0.2, 1.0)
    two_sided: bool = False
    front: Material = field(default_factory=Material)
    back: Material = field(default_factory=Material)
    """Differs from that of front faces in desktop OpenGL only, as the next two differ from what they are at first."""
    tracking: tuple[str, ...] = ("ambient", "diffuse")
    """Colours of a material that are the vertex's where COLOR_MATERIAL is enabled."""
    tracking_face: int = gl.FRONT_AND_BACK
    environments: list[Environment] = field(default_factory=lambda: [Environment() for _ in range(MAX_UNITS)])
    client_unit: int = 0
    flat: bool = False
    alpha_function: int = gl.ALWAYS
    alpha_reference: float = 0.0
    fog_mode: int = gl.EXP
    fog_color: Vector = (0, 0, 0, 0)
    fog_density: float = 1.0
    fog_start: float = 0.0
    fog_end: float = 1.0
    point_size: float = 1.0
    point_fade: float = 1.0
    logic_operation: int = gl.COPY
    point_limits: tuple[float, float] = (1.0, 2048.0)
    point_attenuation: Vector = (1, 0, 0)
    clip_planes: list[Vector] = field(default_factory=lambda: [(0, 0, 0, 0)] * MAX_CLIP_PLANES)

    def keep_tracked(self, color: Vector) -> None:
        """Leave the present colour in the materials that were the vertex's: from now on they are not, or others."""
        for material in (self.front, self.back):
            if material is self.front or self.tracking_face == gl.FRONT_AND_BACK:
                for name in self.tracking:
                    setattr(material, name, color)

    def stack(self, unit: int) -> list[Matrix]:
        """Matrix stack of the current mode."""
        if self.matrix_mode == PROJECTION:
            return self.projection
        return self.texture[unit % MAX_COORDINATES] if self.matrix_mode == TEXTURE else self.model_view


def first_constants() -> list[tuple[float, float, float, float]]:
    """Current values at the beginning of the attributes that have a name, by location."""
    first = {NORMAL: (0.0, 0.0, 1.0, 1.0), COLOR: (1.0, 1.0, 1.0, 1.0), POINT_SIZE: (1.0, 0.0, 0.0, 1.0)}
    return [first.get(location, (0.0, 0.0, 0.0, 1.0)) for location in range(MAX_VERTEX_ATTRIBS, LOCATIONS)]
