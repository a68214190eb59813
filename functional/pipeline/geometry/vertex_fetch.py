"""Vertex fetch: distinct vertices of a draw, and their attributes (OpenGL ES 2.0, 2.8)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...compile import helper, kernel
from ...compile.blocks import Bytes, FloatRows, NumberRows, Words
from ...opengl import enums as gl
from ..command import ArrayLayout, DrawCommand


@dataclass(slots=True)
class FetchedVertices:
    """Distinct vertices in ascending order of index.

    Attributes
    ----------
    indices
        int64, (n,): index of each in the application's arrays.
    stream
        int32, (count,): the draw's vertices, as positions in `indices`; -1 where a new primitive starts.
    inputs
        float32, (inputs of the vertex shader, 4, n).
    """

    indices: NDArray[np.int64]
    stream: NDArray[np.int32]
    inputs: NDArray[np.float32]


def fetch_vertices(draw: DrawCommand, instance: int) -> FetchedVertices:
    """Fetch the attributes of the distinct vertices of a draw.

    Parameters
    ----------
    draw
        The draw.
    instance
        Instance, for arrays with a divisor.
    """
    indices = draw.vertices.stream.distinct
    declarations = draw.state.program.vertex.inputs
    bits = np.empty((len(declarations), 4, len(indices)), np.uint32)
    inputs = bits.view(np.float32)
    for i, declaration in enumerate(declarations):
        if declaration.semantic in ("vertex_id", "instance_id"):
            bits[i] = 0
            bits[i, 0] = indices if declaration.semantic == "vertex_id" else instance
        elif (array := draw.arrays.enabled.get(declaration.slot)) is not None:
            kept = array.layout
            rows = np.full(len(indices), instance // kept.divisor, np.int64) if kept.divisor else indices
            fetch_components(np.frombuffer(array.data, np.uint8), kept, rows, inputs[i], bits[i])
        else:
            x, y, z, w = draw.arrays.constants.get(declaration.slot, (0.0, 0.0, 0.0, 1.0))
            fill_constant(inputs[i], x, y, z, w)
    return FetchedVertices(indices, draw.vertices.stream.stream, inputs)


@kernel
def fill_constant(out: FloatRows, x: float, y: float, z: float, w: float) -> None:
    """Give all vertices the same value; float32, (4, n), to fill."""
    for i in range(out.shape[1]):
        out[0, i], out[1, i], out[2, i], out[3, i] = np.float32(x), np.float32(y), np.float32(z), np.float32(w)


@helper
def whole_number(data: Bytes, place: int, size: int, unsigned: bool) -> Any:
    """The integer at an offset of a buffer."""
    word = 0
    for byte in range(size):
        word |= int(data[place + byte]) << (8 * byte)
    if not unsigned:
        sign = 1 << (8 * size - 1)
        word = (word ^ sign) - sign
    return word


@helper
def widened(half: int) -> Any:
    """Bits of a float, from those of a half float."""
    sign, exponent, fraction = half & 0x8000, half >> 10 & 31, half & 1023
    if exponent == 31:
        exponent = 255
    elif exponent:
        exponent += 112
    elif fraction:
        # Subnormal half floats have no leading one; floats of their size do.
        exponent = 113
        while not fraction & 1024:
            fraction <<= 1
            exponent -= 1
        fraction &= 1023
    return np.uint32(sign << 16 | exponent << 23 | fraction << 13)


@helper
def converted(data: Bytes, place: int, size: int, kind: int, normalized: bool) -> Any:
    """The integer or fixed-point number at an offset of a buffer, as a float."""
    unsigned = kind in (gl.UNSIGNED_BYTE, gl.UNSIGNED_SHORT, gl.UNSIGNED_INT)
    value = np.float32(whole_number(data, place, size, unsigned))
    if kind == gl.FIXED:
        return value / np.float32(65536)
    return normal(value, 8 * size, unsigned) if normalized else value


@helper
def normal(value: np.float32, bits: int, unsigned: bool) -> Any:
    """A normalized float, from that of an integer of some bits."""
    top = (1 << (bits if unsigned else bits - 1)) - 1
    return max(value / np.float32(top), np.float32(-1))


@helper
def unpacked(word: int, c: int, unsigned: bool, normalized: bool) -> Any:
    """A component of a packed word, three of ten bits from the lowest on and one of two bits, as a float."""
    bits = 10 if c < 3 else 2
    number = int(word) >> 10 * c & (1 << bits) - 1
    if not unsigned and number >> bits - 1:
        number -= 1 << bits
    return normal(np.float32(number), bits, unsigned) if normalized else np.float32(number)


@helper
def word(data: Bytes, place: int) -> Any:
    """Four bytes as a number; a single load, because the offset cannot be negative."""
    p = np.uint64(place)
    one, two, three = np.uint64(1), np.uint64(2), np.uint64(3)
    low = np.uint32(data[p]) | np.uint32(data[p + one]) << np.uint32(8)
    return low | np.uint32(data[p + two]) << np.uint32(16) | np.uint32(data[p + three]) << np.uint32(24)


@kernel
def fetch_components(data: Bytes, layout: ArrayLayout, rows: Words, out: FloatRows, bits: NumberRows) -> None:
    """Attributes of some vertices; absent components are 0, 0, 0, 1.

    Vertices beyond the array read its last one, so nothing outside of it is ever accessed.

    Parameters
    ----------
    data
        uint8, (bytes,): the buffer.
    layout
        `ArrayLayout`; packed words have four components.
    rows
        int64, (n,): vertices.
    out, bits
        float32 and uint32 views of the same memory, (4, n), to fill.
    """
    offset, stride, kind, components, normalized, _, integer = layout
    half = kind in (gl.HALF_FLOAT, gl.HALF_FLOAT_OES)
    size = 1 if kind <= gl.UNSIGNED_BYTE else 2 if kind <= gl.UNSIGNED_SHORT or half else 4
    packed = kind in (gl.INT_2_10_10_10_REV, gl.UNSIGNED_INT_2_10_10_10_REV)
    available = (len(data) - offset - (size if packed else size * components)) // stride + 1
    for c in range(components, 4):
        for i in range(len(rows)):
            bits[c, i] = np.uint32(0 if c != 3 else 1 if integer else 0x3F800000)
    if available <= 0 or offset < 0:
        out[:components] = np.float32(0)
        return
    if kind == gl.FLOAT:
        for c in range(components):
            for i in range(len(rows)):
                bits[c, i] = word(data, offset + max(min(rows[i], available - 1), 0) * stride + 4 * c)
        return
    for i in range(len(rows)):
        at = offset + max(min(rows[i], available - 1), 0) * stride
        for c in range(components):
            place = at + c * size
            if packed:
                unsigned = kind == gl.UNSIGNED_INT_2_10_10_10_REV
                out[c, i] = unpacked(word(data, at), c, unsigned, normalized)
            elif half:
                bits[c, i] = widened(whole_number(data, place, 2, True))
            elif integer:
                bits[c, i] = np.uint32(
                    whole_number(data, place, size, kind in (gl.UNSIGNED_BYTE, gl.UNSIGNED_SHORT, gl.UNSIGNED_INT))
                    & 0xFFFFFFFF
                )
            else:
                out[c, i] = converted(data, place, size, kind, normalized)
