"""Vertex fetch: distinct vertices of a draw, and their attributes (OpenGL ES 2.0, 2.8)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .command import DrawCommand, VertexArray
from .setup_kernels import index_range, renumber
from .vertex_formats import FIXED, PACKED, component_dtype, element_bytes, unpacked


@dataclass(frozen=True)
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
    """Find the distinct vertices of a draw and fetch their attributes.

    Parameters
    ----------
    draw
        The draw.
    instance
        Instance, for arrays with a divisor.
    """
    if draw.indices is None:
        indices = np.arange(draw.first, draw.first + draw.count, dtype=np.int64)
        stream = np.arange(draw.count, dtype=np.int32)
    else:
        indices, stream = _distinct(draw.indices, draw.restart_index)
    declarations = draw.program.vertex.inputs
    inputs = np.zeros((len(declarations), 4, len(indices)), np.float32)
    for i, declaration in enumerate(declarations):
        if declaration.semantic == "vertex_id":
            inputs[i, 0] = indices.astype(np.int32).view(np.float32)
        elif declaration.semantic == "instance_id":
            inputs[i, 0] = np.int32(instance).view(np.float32)
        elif declaration.slot in draw.arrays:
            array = draw.arrays[declaration.slot]
            rows = np.full(len(indices), instance // array.divisor) if array.divisor else indices
            _fetch(array, rows, inputs[i])
        else:
            inputs[i] = np.array(draw.constants.get(declaration.slot, (0.0, 0.0, 0.0, 1.0)), np.float32)[:, None]
    return FetchedVertices(indices, stream, inputs)


def _distinct(indices: NDArray[np.uint32], restart: int) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    if restart >= 0 and (indices == restart).any():
        drawn = indices != restart
        stream = np.full(len(indices), -1, np.int32)
        if not drawn.any():
            return np.zeros(0, np.int64), stream
        distinct, stream[drawn] = _distinct(indices[drawn], -1)
        return distinct, stream
    low, high = index_range(indices)
    if high - low > 8 * len(indices) + 1024:
        unique, inverse = np.unique(indices, return_inverse=True)
        return unique.astype(np.int64), inverse.astype(np.int32).reshape(-1)
    stream, distinct = np.empty(len(indices), np.int32), np.empty(len(indices), np.int64)
    count = renumber(indices, low, np.zeros(high - low + 1, np.int32), stream, distinct)
    return distinct[:count], stream


def _fetch(array: VertexArray, rows: NDArray[np.int64], out: NDArray[np.float32]) -> None:
    dtype = component_dtype(array.type)
    columns = 1 if array.type in PACKED else array.components
    # Arrays may end right after their last component, so a strided view over whole strides would overrun them.
    size = element_bytes(array.type, array.components)
    available = (len(array.data) - array.offset_bytes - size) // array.stride_bytes + 1
    view = (
        np.ndarray(
            (max(available, 0), columns),
            dtype,
            array.data,
            array.offset_bytes,
            (array.stride_bytes, dtype.itemsize),
        )
        if available > 0
        else np.zeros((1, columns), dtype)
    )
    values = view[np.minimum(rows, len(view) - 1)]
    if array.integer:
        # The shader reads the bits of integers; absent components are 0, 0, 0, 1 as integers.
        out.view(np.int32)[: array.components] = values.astype(np.int64).astype(np.uint32).view(np.int32).T
        out.view(np.int32)[array.components : 3] = 0
        if array.components < 4:
            out.view(np.int32)[3] = 1
        return
    if array.type in PACKED:
        converted = unpacked(values[:, 0], array.type, array.normalized)
    elif array.type == FIXED:
        converted = values.astype(np.float32) / np.float32(65536)
    elif array.normalized and dtype.kind in "iu":
        top = np.float32(np.iinfo(dtype).max)
        converted = np.maximum(values.astype(np.float32) / top, np.float32(-1))
    else:
        converted = values.astype(np.float32)
    out[: array.components] = converted.T
    out[array.components : 3] = 0.0
    if array.components < 4:
        out[3] = 1.0
