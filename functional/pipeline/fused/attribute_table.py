"""The attributes of a draw as kernels take them: by address, built once while arrays do not change."""

from __future__ import annotations

import struct
from typing import Any, NamedTuple

import numpy as np

from ...compile import address, helper
from ...compile.blocks import Block, Bytes, Words, words_in
from ...compile.native import carray, load
from ..command import ArrayLayout, DrawCommand
from ..geometry.vertex_fetch import fetch_components, fill_constant

ARRAY, CONSTANT, VERTEX_ID, INSTANCE_ID = range(4)
_SYSTEM_VALUES = {"vertex_id": VERTEX_ID, "instance_id": INSTANCE_ID}
_NO_ARRAY = (0,) * 9
_UNSET = (0.0, 0.0, 0.0, 1.0)


class Attribute(NamedTuple):
    """One input of a vertex shader: its source, the array's content and layout, or the constant value."""

    source: int
    data: Bytes
    layout: ArrayLayout
    x: float
    y: float
    z: float
    w: float


_WORDS = words_in(Attribute)
_ROW = struct.Struct("=10q4d")


def attribute_table(draw: DrawCommand) -> Block:
    """The inputs of the vertex shader of a draw: an `Attribute` each."""
    table: Block | None = draw.arrays.derived.table
    if table is None:
        table = draw.arrays.derived.table = _table(draw)
    return table


def _table(draw: DrawCommand) -> Block:
    declarations, arrays, constants = draw.state.program.vertex.inputs, draw.arrays.enabled, draw.arrays.constants
    table = np.empty(_WORDS * len(declarations), np.int64)
    words, row, place = table.data, _ROW.pack_into, 0
    for declaration in declarations:
        array, semantic = arrays.get(declaration.slot), declaration.semantic
        if semantic in _SYSTEM_VALUES:
            row(words, place, _SYSTEM_VALUES[semantic], *_NO_ARRAY, *_UNSET)
        elif array is None:
            row(words, place, CONSTANT, *_NO_ARRAY, *constants.get(declaration.slot, _UNSET))
        else:
            data, _, _, layout = array
            row(words, place, ARRAY, address(np.frombuffer(data, np.uint8)), len(data), *layout, *_UNSET)
        place += _ROW.size
    return Block(table, None, arrays)


@helper
def input_count(table: Words) -> Any:
    """Inputs in an `attribute_table`."""
    return len(table) // _WORDS


@helper
def fetch_attributes(table: Words, indices: Words, instance: int, start: int) -> None:
    """Inputs of some vertices.

    Parameters
    ----------
    table
        Words of an `attribute_table`.
    indices
        int64, (n,).
    instance
        Instance, for arrays with a divisor.
    start
        Address of float32, (inputs, 4, n), to fill.
    """
    count = input_count(table)
    shape = (count, 4, len(indices))
    inputs, bits = carray(start, shape, np.float32), carray(start, shape, np.uint32)
    for i in range(count):
        one = load(address(table) + 8 * _WORDS * i, Attribute)
        if one.source == ARRAY:
            rows = indices
            if one.layout.divisor:
                rows = np.empty(len(indices), np.int64)
                for v in range(len(indices)):
                    rows[v] = instance // one.layout.divisor
            fetch_components(one.data, one.layout, rows, inputs[i], bits[i])
        elif one.source == CONSTANT:
            fill_constant(inputs[i], one.x, one.y, one.z, one.w)
        else:
            for v in range(len(indices)):
                bits[i, 1, v] = bits[i, 2, v] = bits[i, 3, v] = 0
                bits[i, 0, v] = np.uint32(indices[v] if one.source == VERTEX_ID else instance)
