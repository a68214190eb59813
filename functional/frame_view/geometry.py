"""Vertices of a draw as a table, and its primitives in the window."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..pipeline.command import DrawCommand
from ..pipeline.geometry.set_up import CULL_REASONS, Geometry
from ..pipeline.geometry.vertex_fetch import FetchedVertices
from ..pipeline.geometry.vertex_shading import ShadedVertices

ROWS = 32
"""Most vertices of the table."""
MAX_PRIMITIVES = 4096
"""Most primitives of a mesh."""
SUBPIXELS = 8
"""Steps of a pixel in a mesh."""


class VertexTable(NamedTuple):
    """The first vertices of a draw.

    Attributes
    ----------
    columns
        Names.
    rows
        As many texts.
    total
        How many distinct vertices the draw has.
    """

    columns: tuple[str, ...]
    rows: list[list[str]]
    total: int


class Mesh(NamedTuple):
    """Primitives in the window.

    Attributes
    ----------
    corners
        Of a primitive, 1 to 3.
    places
        int16, (vertices, 2): x and y in `SUBPIXELS` of a pixel, y from the top.
    primitives
        uint16, (primitives, corners).
    total
        How many there are, though at most `MAX_PRIMITIVES` are given.
    culled
        How many were culled, by reason.
    """

    corners: int
    places: NDArray[np.int16]
    primitives: NDArray[np.uint16]
    total: int
    culled: dict[str, int]


def vertex_table(command: DrawCommand, fetched: FetchedVertices, shaded: ShadedVertices) -> VertexTable:
    """The first vertices: their indices, attributes as the shader gets them, and positions in clip space."""
    declared = command.state.program.vertex.inputs
    columns = ["index", *(declaration.name for declaration in declared), "gl_Position"]
    rows = []
    for number in range(min(ROWS, len(fetched.indices))):
        row = [str(int(fetched.indices[number]))]
        for place, declaration in enumerate(declared):
            size = _components(command, declaration.slot) if declaration.semantic == "attribute" else 1
            values = fetched.inputs[place, :size, number]
            integers = declaration.semantic != "attribute" or _integer(command, declaration.slot)
            row.append(_texts(values.view(np.int32) if integers else values))
        rows.append([*row, _texts(shaded.clip[number])])
    return VertexTable(tuple(columns), rows, len(fetched.indices))


def _components(command: DrawCommand, location: int) -> int:
    array = command.arrays.enabled.get(location)
    return array.layout.components if array is not None else 4


def _integer(command: DrawCommand, location: int) -> bool:
    array = command.arrays.enabled.get(location)
    return array is not None and array.layout.integer


def _texts(values: NDArray[np.float32] | NDArray[np.int32]) -> str:
    numbers = values.tolist()
    return ", ".join(f"{number:.7g}" if isinstance(number, float) else str(number) for number in numbers)


def mesh(command: DrawCommand, geometry: Geometry) -> Mesh | None:
    """Primitives that are neither culled nor outside, None without any."""
    counts = np.bincount(geometry.culled, minlength=len(CULL_REASONS))
    culled = {name: int(count) for name, count in zip(CULL_REASONS[1:], counts[1:], strict=True) if count}
    kept = np.flatnonzero(geometry.culled == 0)
    corners = geometry.corners[kept[:MAX_PRIMITIVES], : geometry.size]
    if not len(kept):
        return Mesh(geometry.size, np.zeros((0, 2), np.int16), np.zeros((0, geometry.size), np.uint16), 0, culled)
    used, places = np.unique(corners, return_inverse=True)
    window = geometry.window[used, :2].astype(np.float64)
    window[:, 1] = command.state.target.height - window[:, 1]
    steps = np.clip(np.rint(np.nan_to_num(window) * SUBPIXELS), -0x8000, 0x7FFF).astype(np.int16)
    return Mesh(geometry.size, steps, places.reshape(corners.shape).astype(np.uint16), len(kept), culled)
