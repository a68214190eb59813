"""A model: one or two draws, the look of their surfaces, and the motion of model and camera."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

import numpy as np

from ...scenes.meshes import look_at
from ..geometry import Floats, Mesh, placed
from ..textures import Texels

Vector = tuple[float, float, float]


class Faces(Enum):
    """Triangles that are drawn."""

    FRONT = 0
    BACK = 1
    BOTH = 2


@dataclass(frozen=True)
class Part:
    """Geometry and look of one draw.

    Attributes
    ----------
    label
        Debug label.
    mesh
        Triangles, 65,536 vertices at most.
    image
        Paints its texture: uint8 (size, size, 4) for a size in texels, a power of two.
    size
        Size of the texture at the scale of 1.
    faces
        Which triangles are drawn.
    light
        Share of ambient, diffuse and specular light.
    """

    label: str
    mesh: Mesh
    image: Callable[[int], Texels]
    size: int = 512
    faces: Faces = Faces.FRONT
    light: Vector = (0.45, 0.6, 0.0)


@dataclass(frozen=True)
class View:
    """Pose of model and camera in a frame.

    Attributes
    ----------
    eye
        Position of the camera, (3,).
    camera
        Matrix from the world to the camera, (4, 4).
    model
        Matrix from the model to the world, (4, 4).
    """

    eye: Floats
    camera: Floats
    model: Floats


@dataclass(frozen=True)
class Model:
    """A model with all that its frames need.

    Attributes
    ----------
    parts
        One or two, in the order in which they are drawn.
    view
        View by time, in loops from 0 to 1.
    field
        Vertical field of view in degrees.
    near, far
        Distances of the clipping planes.
    lamp
        Position of the lamp in the world.
    sky
        Colour of what the model does not cover.
    opacity
        Below 1 the parts are blended and write no depth.
    """

    parts: tuple[Part, ...]
    view: Callable[[float], View]
    field: float = 40.0
    near: float = 0.5
    far: float = 60.0
    lamp: Vector = (4.0, 6.0, 5.0)
    sky: Vector = (0.16, 0.18, 0.22)
    opacity: float = 1.0


def turntable(
    eye: Vector, target: Vector = (0.0, 0.0, 0.0), middle: float = 0.0, reach: float = 0.7
) -> Callable[[float], View]:
    """A model that turns about y and back in a loop, before a camera that stands still.

    Parameters
    ----------
    eye, target
        Where the camera stands, and what it looks at.
    middle, reach
        Angle about which it turns, and how far to both sides, in radians. In a loop of 220 frames a reach of 0.7 makes
        1.1 degrees a frame at most.
    """
    position = np.array(eye)
    camera = look_at(position, np.array(target))
    return lambda t: View(position, camera, placed(0.0, 0.0, 0.0, 1.0, middle + reach * np.sin(2 * np.pi * t)))
