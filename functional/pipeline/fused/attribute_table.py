"""The attributes of a draw as kernels take them: by address, built once while arrays do not change."""

from __future__ import annotations

import struct
from enum import IntEnum, auto
from typing import Any

import numpy as np

from ...activity.compiled import helper, kernel
from ...execute.native_calls import carray, first_byte, pointer
from ..command import DrawCommand
from ..geometry.vertex_fetch import KERNEL_TYPES, Layout, conversion, fetch_components, fill_constant
from .batch_state import Block

ARRAY, CONSTANT, VERTEX_ID, INSTANCE_ID = range(4)
_SYSTEM_VALUES = {"vertex_id": VERTEX_ID, "instance_id": INSTANCE_ID}
_NO_ARRAY = (0,) * 8
_UNSET = (0.0, 0.0, 0.0, 1.0)


class AttributeField(IntEnum):
    """One input of a vertex shader, int64 each: its source, and for an array the fields of `ArrayLayout`.

    The value of a constant attribute, four float32, takes two words.
    """

    SOURCE = 0
    ADDRESS = auto()
    BYTES = auto()
    OFFSET = auto()
    STRIDE = auto()
    TYPE = auto()
    COMPONENTS = auto()
    CONVERSION = auto()
    DIVISOR = auto()
    CONSTANT = auto()
    CONSTANT_END = auto()


_F = AttributeField
ATTRIBUTE_FIELDS = len(AttributeField)
_ROW = struct.Struct("=9q4f")


@kernel
def _address_of_bytes(data: Any) -> Any:
    """Address of the content; many times faster than asking Python for it."""
    return first_byte(data)


def fetchable(draw: DrawCommand) -> bool:
    """Whether kernels support the types of all arrays of a draw."""
    known = draw.arrays.derived.fetchable
    if known is None:
        known = True
        for array in draw.arrays.enabled.values():
            if array.layout.type not in KERNEL_TYPES:
                known = False
        draw.arrays.derived.fetchable = known
    return known


def attribute_table(draw: DrawCommand) -> Block:
    """The inputs of the vertex shader of a draw that is `fetchable`: int64, (inputs * fields of `AttributeField`,)."""
    known: Block | None = draw.arrays.derived.table
    if known is None:
        known = draw.arrays.derived.table = _table(draw)
    return known


def _table(draw: DrawCommand) -> Block:
    declarations, arrays, constants = draw.state.program.vertex.inputs, draw.arrays.enabled, draw.arrays.constants
    table = np.empty(ATTRIBUTE_FIELDS * len(declarations), np.int64)
    words, row, place = table.data, _ROW.pack_into, 0
    for declaration in declarations:
        array, semantic = arrays.get(declaration.slot), declaration.semantic
        if semantic in _SYSTEM_VALUES:
            row(words, place, _SYSTEM_VALUES[semantic], *_NO_ARRAY, *_UNSET)
        elif array is None:
            row(words, place, CONSTANT, *_NO_ARRAY, *constants.get(declaration.slot, _UNSET))
        else:
            data, _, _, layout = array
            offset, stride, kind, components, _, divisor, _ = layout
            where = _address_of_bytes(data), len(data), offset, stride, kind, components, conversion(layout), divisor
            row(words, place, ARRAY, *where, *_UNSET)
        place += _ROW.size
    return Block(table, (arrays,))


@helper
def input_count(table: Any) -> Any:
    """Inputs in an `attribute_table`."""
    return len(table) // ATTRIBUTE_FIELDS


@helper
def fetch_attributes(table: Any, indices: Any, instance: Any, address: Any) -> None:
    """Inputs of some vertices.

    Parameters
    ----------
    table
        An `attribute_table`.
    indices
        int64, (n,).
    instance
        Instance, for arrays with a divisor.
    address
        Of float32, (inputs, 4, n), to fill.
    """
    fields = table.reshape(-1, ATTRIBUTE_FIELDS)
    constants = carray(pointer(table.ctypes.data), (len(fields), 2 * ATTRIBUTE_FIELDS), np.float32)[
        :, 2 * _F.CONSTANT :
    ]
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
