"""Optional columns of lists: the rows that have one, and the values of all, filled by kernels."""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

import numpy as np
import pyarrow as pa

from ..compile import address, helper, kernel
from ..compile.blocks import Address, FloatRows, Floats, Integers, Words
from ..compile.native import load
from ..pipeline.fused.attribute_table import fetch_attributes, input_count
from .columns import COLUMNS, Columns, count_of, grow, set_count


class ListRows(NamedTuple):
    """Rows of the table that have lists, ascending, and where the values of each end."""

    row: Integers
    end: Integers


class ListValues(NamedTuple):
    """Values of all lists."""

    values: Floats


class ListTables(NamedTuple):
    """Addresses of the `Extent` of both."""

    rows: Address
    values: Address


class Lists:
    """A column of lists of floats, of which rows may have none."""

    def __init__(self) -> None:
        self._rows, self._values = Columns(ListRows), Columns(ListValues, 16)
        self.tables = ListTables(self._rows.table, self._values.table)

    def clear(self) -> None:
        """Forget all lists."""
        self._rows.clear()
        self._values.clear()

    def column(self, rows: int) -> pa.Array | None:
        """The column of a number of rows; None if no row has a list."""
        if not self._rows.count:
            return None
        lengths, missing = np.zeros(rows, np.int32), np.ones(rows, np.bool_)
        having, ends = (array[: self._rows.count] for array in self._rows.arrays)
        lengths[having], missing[having] = np.diff(ends, prepend=0), False
        offsets = np.zeros(rows + 1, np.int32)
        np.cumsum(lengths, out=offsets[1:])
        flat = self._values.arrays.values[: self._values.count]
        return pa.ListArray.from_arrays(offsets, flat, mask=pa.array(missing) if missing.any() else None)


@helper
def add_lists(tables: ListTables, lists: int, size: int) -> Any:
    """Add lists of one size, to be filled: places of the first and of its first value, negative if there is no room."""
    first, start = grow(tables.rows, lists), grow(tables.values, lists * size)
    if min(first, start) < 0:
        return (-1), (-1)
    ends = load(tables.rows + COLUMNS, ListRows).end
    for i in range(lists):
        ends[first + i] = start + (i + 1) * size
    return int(first), int(start)


@helper
def drop_lists(tables: ListTables, lists: int) -> None:
    """Forget all lists but some."""
    if lists < count_of(tables.rows):
        set_count(tables.rows, lists)
        set_count(tables.values, load(tables.rows + COLUMNS, ListRows).end[lists - 1] if lists else 0)


class Lanes(NamedTuple):
    """Shaded quads of a batch, the row of its first quad, and outputs of the shader by lane of the shaded quads."""

    which: Words
    row: int
    outputs: FloatRows


@helper
def write_outputs(tables: ListTables, lanes: Lanes, rows: Words, width: int) -> Any:
    """Add a list for each of some quads; whether there was room.

    Parameters
    ----------
    tables
        `ListTables`.
    lanes
        A `Lanes`.
    rows
        int64: first rows of some outputs, -1 for zeros; without any, nothing is added.
    width
        Components of each output. A list has those of lane 0, then of lane 1 …, for each.
    """
    quads, size = len(lanes.which), 4 * width * len(rows)
    if not quads or not size:
        return True
    first, start = add_lists(tables, quads, size)
    if first < 0:
        return False
    having = load(tables.rows + COLUMNS, ListRows).row
    values = load(tables.values + COLUMNS, ListValues).values
    for k in range(quads):
        having[first + k] = lanes.row + lanes.which[k]
        for i in range(len(rows)):
            for lane in range(4):
                place = start + k * size + width * (4 * i + lane)
                for c in range(width):
                    values[place + c] = lanes.outputs[rows[i] + c, 4 * k + lane] if rows[i] >= 0 else np.float32(0)
    return True


@kernel
def record_outputs(
    tables: Annotated[tuple[Address, ...], ListTables],
    lanes: Annotated[tuple[Any, ...], Lanes],
    rows: Words,
    width: int,
) -> bool:
    """`write_outputs` for Python."""
    return bool(write_outputs(ListTables(*tables), Lanes(*lanes), rows, width))


@helper
def write_inputs(tables: ListTables, attributes: Words, indices: Words, instance: int, row: int) -> Any:
    """Add the attributes of vertices from a row on, as an `attribute_table` has them; whether there was room."""
    vertices, inputs = len(indices), input_count(attributes)
    first, start = add_lists(tables, vertices, 4 * inputs)
    if first < 0:
        return False
    fetched = np.empty((inputs, 4, vertices), np.float32)
    fetch_attributes(attributes, indices, instance, address(fetched))
    having = load(tables.rows + COLUMNS, ListRows).row
    values = load(tables.values + COLUMNS, ListValues).values
    for v in range(vertices):
        having[first + v] = row + v
        for i in range(inputs):
            for c in range(4):
                values[start + 4 * (v * inputs + i) + c] = fetched[i, c, v]
    return True


@kernel
def record_inputs(
    tables: Annotated[tuple[Address, ...], ListTables], attributes: Words, indices: Words, instance: int, row: int
) -> bool:
    """`write_inputs` for Python."""
    return bool(write_inputs(ListTables(*tables), attributes, indices, instance, row))
