"""The attributes of a draw as kernels take them: by address, made once while arrays do not change."""

from __future__ import annotations

from enum import IntEnum, auto
from typing import Any

import numpy as np

from ...activity.compiled import helper, kernel
from ...execute.native_calls import pointer
from ..command import DrawCommand
from ..geometry.vertex_fetch import KERNEL_TYPES, Layout, conversion, fetch_components, fill_constant
from .batch_state import Block, carray

ARRAY, CONSTANT, VERTEX_ID, INSTANCE_ID = range(4)
_SYSTEM_VALUES = {"vertex_id": VERTEX_ID, "instance_id": INSTANCE_ID}


class AttributeField(IntEnum):
    """One input of a vertex shader, int64 each: where it comes from, and for an array what `ArrayLayout` says of it."""

    SOURCE = 0
    ADDRESS = auto()
    BYTES = auto()
    OFFSET = auto()
    STRIDE = auto()
    TYPE = auto()
    COMPONENTS = auto()
    CONVERSION = auto()
    DIVISOR = auto()


_F = AttributeField
_FIELDS = len(AttributeField)


@kernel
def address_of(array: Any) -> Any:
    """Where an array lies; many times faster than asking it."""
    return array.ctypes.data


def fetchable(draw: DrawCommand) -> bool:
    """Whether kernels know the types of all arrays that a draw's vertex shader reads."""
    known = draw.arrays.derived.fetchable
    if known is None:
        inputs, enabled = draw.state.program.vertex.inputs, draw.arrays.enabled
        arrays = (enabled.get(d.slot) for d in inputs if d.semantic not in _SYSTEM_VALUES)
        known = draw.arrays.derived.fetchable = all(a is None or a.layout.type in KERNEL_TYPES for a in arrays)
    return known


def attribute_table(draw: DrawCommand) -> Block:
    """The inputs of the vertex shader of a draw that is `fetchable`.

    Three fields: where int64 (inputs, fields of `AttributeField`) and float32 (inputs, 4), what a constant attribute
    is, lie; and how many inputs there are.
    """
    known: Block | None = draw.arrays.derived.table
    if known is None:
        known = draw.arrays.derived.table = _table(draw)
    return known


def _table(draw: DrawCommand) -> Block:
    declarations = draw.state.program.vertex.inputs
    rows: list[tuple[int, ...]] = []
    constants, kept = [], []
    for declaration in declarations:
        array = draw.arrays.enabled.get(declaration.slot)
        constant = (0.0, 0.0, 0.0, 1.0)
        if declaration.semantic in _SYSTEM_VALUES:
            rows.append((_SYSTEM_VALUES[declaration.semantic], 0, 0, 0, 0, 0, 0, 0, 0))
        elif array is None:
            rows.append((CONSTANT, 0, 0, 0, 0, 0, 0, 0, 0))
            constant = draw.arrays.constants.get(declaration.slot, constant)
        else:
            data = np.frombuffer(array.data, np.uint8)
            kept.append(data)
            layout = array.layout
            rows.append((ARRAY, address_of(data), len(data), *layout[:4], conversion(layout), layout.divisor))
        constants.append(constant)
    fields = np.array(rows, np.int64).reshape(-1, len(AttributeField))
    values = np.array(constants, np.float32).reshape(-1, 4)
    return Block(np.array([address_of(fields), address_of(values), len(rows)], np.int64), (fields, values, kept))


@helper
def fetch_attributes(table: Any, indices: Any, instance: Any, address: Any) -> None:
    """Inputs of some vertices.

    Parameters
    ----------
    table
        Fields of an `attribute_table`.
    indices
        int64, (n,).
    instance
        Instance, for arrays with a divisor.
    address
        Of float32, (inputs, 4, n), to fill.
    """
    fields = carray(pointer(table[0]), (table[2], _FIELDS), np.int64)
    constants = carray(pointer(table[1]), (table[2], 4), np.float32)
    shape = (len(fields), 4, len(indices))
    inputs, bits = carray(pointer(address), shape, np.float32), carray(pointer(address), shape, np.uint32)
    for i in range(len(fields)):
        source = fields[i, _F.SOURCE]
        if source == ARRAY:
            rows = indices
            if fields[i, _F.DIVISOR]:
                rows = np.empty(len(indices), np.int64)
                for v in range(len(indices)):
                    rows[v] = instance // fields[i, _F.DIVISOR]
            data = carray(pointer(fields[i, _F.ADDRESS]), fields[i, _F.BYTES], np.uint8)
            layout = Layout(
                fields[i, _F.OFFSET],
                fields[i, _F.STRIDE],
                fields[i, _F.TYPE],
                fields[i, _F.COMPONENTS],
                fields[i, _F.CONVERSION],
            )
            fetch_components(data, layout, rows, inputs[i], bits[i])
        elif source == CONSTANT:
            fill_constant(inputs[i], constants[i, 0], constants[i, 1], constants[i, 2], constants[i, 3])
        else:
            for v in range(len(indices)):
                bits[i, 1, v] = bits[i, 2, v] = bits[i, 3, v] = 0
                bits[i, 0, v] = np.uint32(indices[v] if source == VERTEX_ID else instance)
