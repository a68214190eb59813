"""Meshes and matrices of the bundled scenes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Mesh = tuple[NDArray[np.float32], NDArray[np.uint16]]
"""Vertices (n, 8): position, normal, texture coordinate; and triangle indices."""


def box() -> Mesh:
    """Cube from -1 to 1 with a texture on each face."""
    vertices: list[list[float]] = []
    indices: list[int] = []
    for axis in range(3):
        for sign in (-1.0, 1.0):
            u, v = np.eye(3)[(axis + 1) % 3], np.eye(3)[(axis + 2) % 3]
            normal = np.eye(3)[axis] * sign
            corners = [(-1, -1), (1, -1), (1, 1), (-1, 1)] if sign > 0 else [(-1, -1), (-1, 1), (1, 1), (1, -1)]
            start = len(vertices)
            for a, b in corners:
                vertices.append([*(normal + a * u + b * v), *normal, (a + 1) / 2, (b + 1) / 2])
            indices += [start, start + 1, start + 2, start, start + 2, start + 3]
    return np.array(vertices, np.float32), np.array(indices, np.uint16)


def sphere(rings: int = 16, segments: int = 24) -> Mesh:
    """Unit sphere."""
    theta, phi = np.meshgrid(np.linspace(0, np.pi, rings + 1), np.linspace(0, 2 * np.pi, segments + 1), indexing="ij")
    points = np.stack([np.sin(theta) * np.cos(phi), np.cos(theta), np.sin(theta) * np.sin(phi)], 2).reshape(-1, 3)
    coordinates = np.stack([phi / (2 * np.pi), theta / np.pi], 2).reshape(-1, 2)
    indices = []
    for i in range(rings):
        for j in range(segments):
            a, b = i * (segments + 1) + j, (i + 1) * (segments + 1) + j
            indices += [a, a + 1, b, b, a + 1, b + 1]
    return np.concatenate([points, points, coordinates], 1).astype(np.float32), np.array(indices, np.uint16)


def plane() -> Mesh:
    """Square from -1 to 1 at y = 0, facing up."""
    vertices = [[x, 0, z, 0, 1, 0, (x + 1) / 2, (z + 1) / 2] for x, z in ((-1, -1), (-1, 1), (1, 1), (1, -1))]
    return np.array(vertices, np.float32), np.array([0, 1, 2, 0, 2, 3], np.uint16)


def placed(
    x: float, y: float, z: float, scale: tuple[float, float, float] = (1, 1, 1), turn: float = 0.0
) -> NDArray[np.float64]:
    """Model matrix: scale, then turn about y (radians), then move."""
    c, s = np.cos(turn), np.sin(turn)
    rotation = np.array([[c, 0, s, 0], [0, 1, 0, 0], [-s, 0, c, 0], [0, 0, 0, 1]])
    move = np.eye(4)
    move[:3, 3] = x, y, z
    return np.asarray(move @ rotation @ np.diag([*scale, 1]))


def look_at(eye: NDArray[np.float64], target: NDArray[np.float64]) -> NDArray[np.float64]:
    """View matrix with y up."""
    forward = (target - eye) / np.linalg.norm(target - eye)
    right = np.cross(forward, [0, 1, 0])
    right /= np.linalg.norm(right)
    view = np.eye(4)
    view[:3, :3] = np.stack([right, np.cross(right, forward), -forward])
    view[:3, 3] = -view[:3, :3] @ eye
    return view


def perspective(degrees: float, aspect: float, near: float = 0.3, far: float = 300.0) -> NDArray[np.float64]:
    """Projection matrix with a vertical field of view in degrees."""
    f = 1 / np.tan(np.radians(degrees) / 2)
    return np.array(
        [
            [f / aspect, 0, 0, 0],
            [0, f, 0, 0],
            [0, 0, (far + near) / (near - far), 2 * far * near / (near - far)],
            [0, 0, -1, 0],
        ]
    )


def columns(matrix: NDArray[np.float64]) -> NDArray[np.float32]:
    """Matrix in the order of glUniformMatrix4fv."""
    return matrix.T.astype(np.float32)
