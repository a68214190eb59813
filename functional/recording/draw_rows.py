"""Rows of the draws table: values that draws share are stored once."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ..activity.schema import TABLES
from ..gles.programs import Program
from ..pipeline.command import DrawCommand, VertexArray, Vertices
from ..text import legible
from .draws import (
    DRAWN,
    Unlabelled,
    attribute_rows,
    drawn_row,
    geometry_bytes,
    object_identity,
    state_row,
    upload_rows,
    vertices_identity,
)
from .rows import Rows

_NAMES = (
    "draw",
    "number",
    "event",
    "pass",
    "object",
    "object_label",
    "collisionable",
    "program",
    "constants_version",
    *DRAWN,
)
_SHARED = ("state", "attributes", "uploads", "indices")
"""Values that many rows share."""

FEW_ROWS = 32
"""Number of rows up to which sharing values costs more than converting them again."""


class _Values(NamedTuple):
    """Distinct values of rows, and the index of each row's value."""

    distinct: list[Any]
    which: NDArray[np.int64]


def _shared(values: list[Any]) -> _Values:
    """Values of rows, distinct by identity."""
    _, first, which = np.unique(list(map(id, values)), return_index=True, return_inverse=True)
    return _Values([values[row] for row in first.tolist()], which.reshape(-1))


def _column(shared: _Values, kind: pa.DataType, name: str | None = None) -> pa.Array:
    """Shared values as a column, or one field of them."""
    values, which = shared
    if name is not None:
        values = [value[name] for value in values]
    if len(which) < FEW_ROWS:
        return pa.array([values[number] for number in which.tolist()], kind)
    return pa.array(values, kind).take(pa.array(which))


class DrawRows:
    """Rows of the draws of some frames.

    Attributes
    ----------
    indices
        Indices in the streams of all draws.
    """

    def __init__(self) -> None:
        self._rows = Rows(*_NAMES, *_SHARED)
        self.indices = 0
        self._equals: dict[Unlabelled | str, int] = {}
        self._latest: tuple[dict[int, VertexArray], list[dict[str, Any]], bytes] | None = None
        self._no_uploads: list[dict[str, Any]] = []

    @property
    def count(self) -> int:
        """Number of rows."""
        return self._rows.count

    def add(
        self,
        place: tuple[int, int, int, int],
        program: Program,
        command: DrawCommand,
        collisionable: bool,
        drawn: list[Vertices],
    ) -> None:
        """Append the rows of draws of a command's state: key, number and event of the first one, and their pass."""
        latest, (draw, first, event, entered) = self._latest, place
        if latest is None or latest[0] is not command.arrays.enabled:
            latest = self._latest = command.arrays.enabled, attribute_rows(command), geometry_bytes(command)
        state = command.derived.row
        if state is None:
            state = command.derived.row = state_row(command)
        uploads = upload_rows(program) if program.dirty else self._no_uploads
        label, alike = command.arrays.label, self._equals
        shared = legible(label) or None, collisionable, program.identity, program.version
        append = self._rows.append
        for number, vertices in enumerate(drawn):
            own, indices = drawn_row(vertices), vertices.stream.indices
            named = object_identity(label or (program.sources, latest[2], vertices_identity(vertices)), alike)
            place = draw + number, first + number, event + number, entered
            append((*place, named, *shared, *own, state, latest[1], uploads, indices))
            if indices is not None:
                self.indices += len(indices)

    def end_frame(self) -> None:
        """Begin another frame, in which the count of equal draws starts again."""
        self._equals.clear()

    def columns(self) -> dict[str, Any]:
        """Whole columns."""
        if not self.count:
            return {}
        table = TABLES["draws"]
        kinds = {column.name: column.type for column in table.columns}
        own = self._rows.columns()
        own["object"] = np.array(own["object"], np.uint64)
        states, attributes, uploads = (_shared(own.pop(name)) for name in _SHARED[:3])
        own["index_stream"] = _index_streams(own.pop("indices"))
        of_states = kinds.keys() - own.keys() - {"frame", "attributes", "uploads"}
        return {
            **own,
            **{name: _column(states, kinds[name], name) for name in sorted(of_states)},
            "attributes": _column(attributes, kinds["attributes"]),
            "uploads": _column(uploads, kinds["uploads"]),
        }


def _index_streams(indices: list[Any]) -> pa.Array:
    """Lists of the indices of each draw, null for those without."""
    offsets = np.zeros(len(indices) + 1, np.int32)
    np.cumsum([0 if i is None else len(i) for i in indices], out=offsets[1:])
    streams = [i for i in indices if i is not None]
    flat = np.concatenate(streams) if streams else np.zeros(0, np.uint32)
    mask = pa.array([i is None for i in indices]) if len(streams) < len(indices) else None
    return pa.ListArray.from_arrays(pa.array(offsets), pa.array(flat), mask=mask)
