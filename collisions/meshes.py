"""Collisionable objects of each frame, in world space.

An object is what bears one label: its draws make up one mesh. A part that is drawn again at the same place, such as
into a shadow map, counts once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Literal

import numpy as np

from tilegpu.functional.activity.marks import COLLISIONABLE
from tilegpu.timing.loading.loaded import Constants, apply_uploads
from tilegpu.timing.loading.source import Activity, ActivityError

from .inputs import Vertices, position_offset
from .matrices import Projections, world_matrix
from .triangles import triangles

Array = np.ndarray[Any, Any]
Row = dict[str, Any]
MAX_OBJECTS = 4096
Grouping = Literal["label", "draw"]
COLUMNS = ["draw", "object_label", "collisionable", "program", "topology", "first", "count", "index_stream",
           "instances", "uploads"]  # fmt: skip


@dataclass(frozen=True)
class CollidingObject:
    """A mesh that takes part in collision detection, as it is in a frame.

    Parameters
    ----------
    name
        The same in every frame.
    positions
        Vertices in world space, float32, shape (n, 3), n at least 1.
    triangles
        Corners, int32, shape (m, 3).
    shape
        Names the mesh wherever it is: equal for meshes that are moved, turned or scaled alone.
    """

    name: str
    positions: Array
    triangles: Array
    shape: bytes


@dataclass(frozen=True)
class _Part:
    """Contribution of one draw to its object: object-space and world-space positions, triangles, the matrix between."""

    own: Array
    positions: Array
    triangles: Array
    matrix: Array


class Meshes:
    """Collisionable objects of an activity.

    Parameters
    ----------
    activity
        Recorded with the group `inputs`.
    world_matrix
        Uniform that holds the matrix from object to world space; None for OpenGL ES 1.1, whose model-view matrix is
        taken. It holds the view, too: a rigid motion, so that distances and collisions stay the same, while bounding
        boxes are along the eye's axes.
    position
        Attribute that holds the position; None to find it by its name.
    grouping
        What an object is: all draws of one label, those of groups within it among them; or each draw.

    Raises
    ------
    ActivityError
        If attributes were not recorded.
    """

    def __init__(
        self,
        activity: Activity,
        world_matrix: str | None = None,
        position: str | None = None,
        grouping: Grouping = "label",
    ) -> None:
        if "inputs" not in activity.manifest.groups:
            raise ActivityError(
                f"{activity.folder}: holds no vertex attributes; record it again with `tilegpu trace --with inputs`"
            )
        self._activity, self._matrix, self._position = activity, world_matrix, position
        self._grouping = grouping
        self._programs: dict[int, Row] = {row["program"]: row for row in activity.table("programs").to_pylist()}

    def frames(self) -> Iterator[tuple[int, tuple[CollidingObject, ...]]]:
        """Number and objects of each frame, in order; objects are in the order of their first draws.

        Raises
        ------
        ActivityError
            If a matrix or the position cannot be found, an object is drawn in instances, or no draw of any frame is
            collisionable.
        """
        constants: Constants = {}
        collisionable = False
        for number in self._activity.frames:
            objects = self._frame(number, constants)
            collisionable |= bool(objects)
            yield number, objects
        if not collisionable:
            raise ActivityError(
                f"{self._activity.folder}: no object is collisionable; record it again with `tilegpu trace "
                "--collisionable PATTERN`, or with debug labels that begin with 'collisionable:'"
            )

    def _frame(self, number: int, constants: Constants) -> tuple[CollidingObject, ...]:
        vertices = Vertices(self._activity, number)
        projections = Projections()
        parts: dict[str, list[_Part]] = {}
        labels: Counter[str] = Counter()
        for row in self._activity.frame("draws", number, COLUMNS).to_pylist():
            apply_uploads(constants, row)
            if row["collisionable"]:
                name = self._name(row["object_label"], labels)
                distinct = parts.setdefault(name, [])
                part = self._part(row, constants, vertices, projections, name)
                if len(part.positions) and not any(np.array_equal(part.positions, p.positions) for p in distinct):
                    distinct.append(part)
        if len(parts) > MAX_OBJECTS:
            raise ActivityError(
                f"{self._activity.folder}: {len(parts)} collisionable objects in frame {number}, more than "
                f"{MAX_OBJECTS}: name fewer"
            )
        return tuple(_joined(name, mine) for name, mine in parts.items() if mine)

    def _name(self, label: str, before: Counter[str]) -> str:
        """Name of a draw's object; `before` counts the draws of each label in the frame."""
        if self._grouping == "label":
            groups = label.split("/")
            marked = [place for place, group in enumerate(groups) if group.startswith(COLLISIONABLE)]
            return "/".join(groups[: marked[0] + 1]) if marked else label
        before[label] += 1
        return label if before[label] == 1 else f"{label} #{before[label]}"

    def _part(self, row: Row, constants: Constants, vertices: Vertices, projections: Projections, name: str) -> _Part:
        who = f"{self._activity.folder}: object {name}, draw {row['draw']}"
        if row["instances"] > 1:
            raise ActivityError(f"{who}: drawn in instances, whose places are not known; leave it out")
        program = self._programs[row["program"]]
        indices, own = vertices.positions(row["draw"], position_offset(program, self._position, who))
        matrix = world_matrix(program, constants, self._matrix, projections, who)
        with np.errstate(all="ignore"):
            moved = own @ matrix.T
            positions = (moved[:, :3] / moved[:, 3:]).astype(np.float32)
        if not np.isfinite(positions).all():
            raise ActivityError(f"{who}: has vertices at infinity, or that are no numbers")
        return _Part(own, positions, triangles(row["topology"], _stream(row, indices)), matrix)


def _stream(row: Row, indices: Array) -> Array:
    """Vertex at each place of a draw's stream, by its place among the indices, ascending; -1 for what is none."""
    if row["index_stream"] is None:
        wanted = np.arange(row["first"], row["first"] + row["count"])
    else:
        wanted = np.array(row["index_stream"], np.int64)
    if not len(indices):
        return np.full(len(wanted), -1)
    places = np.minimum(np.searchsorted(indices, wanted), len(indices) - 1)
    return np.where(indices[places] == wanted, places, -1)


def _joined(name: str, parts: list[_Part]) -> CollidingObject:
    starts = np.cumsum([0, *(len(part.positions) for part in parts[:-1])])
    corners = np.concatenate([part.triangles + start for part, start in zip(parts, starts, strict=True)])
    shape = sha256()
    for part in parts:
        shape.update(part.own.tobytes())
        if len(parts) > 1:
            # How the parts are placed relative to each other belongs to the shape.
            shape.update(part.matrix.tobytes())
    positions = np.concatenate([part.positions for part in parts])
    return CollidingObject(name, positions, corners.astype(np.int32), shape.digest())
