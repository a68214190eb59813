"""Rows of the draws table: what draws have in common is kept once."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pyarrow as pa

from ..activity.schema import TABLES
from ..gles.programs import Program
from ..pipeline.command import DrawCommand, VertexArray
from .draws import DRAWN, attribute_rows, drawn_row, geometry_bytes, object_identity, state_row, upload_rows
from .rows import PlainRows

_NAMES = ("draw", "event", "pass", "object", "object_label", "collisionable", "program", "constants_version", *DRAWN)

FEW_ROWS = 32
"""Rows up to which sharing values costs more than converting them again."""


class Distinct:
    """Values that rows share, each kept once, and which one every row has."""

    def __init__(self) -> None:
        self._values: list[Any] = []
        self._numbers: dict[int, int] = {}
        self._rows: list[int] = []

    def add(self, value: Any) -> None:
        """Append a row; values are told apart by their identity, and stay alive here."""
        number = self._numbers.setdefault(id(value), len(self._values))
        if number == len(self._values):
            self._values.append(value)
        self._rows.append(number)

    def column(self, kind: pa.DataType, name: str | None = None) -> pa.Array:
        """The values as a column, or the fields of a name of them."""
        values = self._values if name is None else [value[name] for value in self._values]
        if len(self._rows) < FEW_ROWS:
            return pa.array([values[number] for number in self._rows], kind)
        return pa.array(values, kind).take(pa.array(self._rows, pa.int32()))


class DrawRows:
    """Rows of the draws of some frames.

    Attributes
    ----------
    indices
        Indices in the streams of all draws.
    """

    def __init__(self) -> None:
        self._own = PlainRows(_NAMES)
        self._states, self._attributes, self._uploads = Distinct(), Distinct(), Distinct()
        self.indices = 0
        self._indices: list[Any] = []
        self._equals: Counter[bytes] = Counter()
        self._latest: tuple[dict[int, VertexArray], list[dict[str, Any]], bytes] | None = None
        self._no_uploads: list[dict[str, Any]] = []

    @property
    def count(self) -> int:
        """Number of rows."""
        return self._own.count

    def add(
        self,
        place: tuple[int, int, int],
        number: int,
        program: Program,
        command: DrawCommand,
        collisionable: bool,
    ) -> None:
        """Append the row of a draw: its number, event and pass; its program with a number."""
        latest = self._latest
        if latest is None or latest[0] is not command.arrays.enabled:
            latest = self._latest = command.arrays.enabled, attribute_rows(command), geometry_bytes(command)
        state = command.derived.row
        if state is None:
            state = command.derived.row = state_row(command)
        self._own.add(
            (
                *place,
                object_identity(program, command, latest[2], self._equals),
                command.arrays.label or None,
                collisionable,
                number,
                program.version,
                *drawn_row(command),
            )
        )
        self._states.add(state)
        self._attributes.add(latest[1])
        self._uploads.add(upload_rows(command, program) if program.dirty else self._no_uploads)
        self._indices.append(command.vertices.stream.indices)
        if command.vertices.stream.indices is not None:
            self.indices += len(command.vertices.stream.indices)

    def end_frame(self) -> None:
        """Draws that follow are another frame's: equal ones are counted anew."""
        self._equals.clear()

    def columns(self) -> dict[str, Any]:
        """Whole columns."""
        if not self.count:
            return {}
        table = TABLES["draws"]
        kinds = {column.name: column.type for column in table.columns}
        own = self._own.columns()
        own["object"] = np.array(own["object"], np.uint64)
        shared = kinds.keys() - own.keys() - {"frame", "attributes", "uploads", "index_stream"}
        return {
            **own,
            **{name: self._states.column(kinds[name], name) for name in sorted(shared)},
            "attributes": self._attributes.column(kinds["attributes"]),
            "uploads": self._uploads.column(kinds["uploads"]),
            "index_stream": _index_streams(self._indices),
        }


def _index_streams(indices: list[Any]) -> pa.Array:
    """Lists of the indices of each draw, null for those without."""
    offsets = np.zeros(len(indices) + 1, np.int32)
    np.cumsum([0 if i is None else len(i) for i in indices], out=offsets[1:])
    known = [i for i in indices if i is not None]
    flat = np.concatenate(known) if known else np.zeros(0, np.uint32)
    mask = pa.array([i is None for i in indices]) if len(known) < len(indices) else None
    return pa.ListArray.from_arrays(pa.array(offsets), pa.array(flat), mask=mask)
