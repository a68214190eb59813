"""Kernels that the first draw needs, and the types of their arguments: two processes compile them at once."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

from .jit import Kernels, compile_in_second, compiled_in_two
from .jit.blocks import (
    Bytes,
    FlagRows,
    Halves,
    IntegerPlanes,
    IntegerRows,
    Integers,
    Numbers,
    ReadOnlyBytes,
    SignedPlanes,
    WordRows,
    Words,
    type_of,
    type_of_value,
)
from .pipeline.fused.batch_kernels import cover_geometry, raster, shade_geometry
from .pipeline.fused.batch_shading import Told
from .pipeline.fused.geometry_block import Assembled, describe
from .pipeline.fused.geometry_call import shade_and_set_up
from .pipeline.fused.vertex_kernels import shade_vertices
from .pipeline.fused.whole_kernels import draw_whole
from .pipeline.index_stream import renumber, widen
from .recording.geometry_rows import output_columns, primitive_columns, record_geometry, vertex_columns
from .recording.quad_rows import quad_columns, record_quads
from .recording.reads import read_columns, write_reads

_SHADED = type_of(tuple[Words, Integers])
_SUMMARY = type_of(tuple[Words, WordRows])


def _types(*declared: Any) -> tuple[Any, ...]:
    return tuple(map(type_of, declared))


_ARGUMENTS: dict[Any, tuple[Any, ...]] = {
    draw_whole: _types(Words, int, Integers, Words, int, int, Words, int),
    shade_and_set_up: _types(Words, Integers, Words, int, int, Words, int),
    shade_geometry: (*_types(int, int, int, int), type_of(Told, named=False)),
    describe: (type_of(Words), type_of(Assembled, named=False)),
    widen: _types(ReadOnlyBytes, int, int, int, Numbers),
    renumber: _types(Numbers, int, int, Integers, Integers, Words),
    record_geometry: (
        _SUMMARY,
        type_of_value((vertex_columns().blocks, output_columns().blocks, primitive_columns().blocks)),
        type_of(tuple[int, int, int, int, int, int, int]),
        _SHADED,
        type_of(int),
    ),
    record_quads: (
        _SUMMARY,
        type_of_value(quad_columns().blocks),
        type_of(tuple[int, int, bool]),
        type_of(tuple[Integers, Halves, Halves, Halves, Halves, Bytes]),
        _SHADED,
    ),
    write_reads: (
        type_of(tuple[WordRows, Integers, Words, SignedPlanes, IntegerPlanes, IntegerPlanes, IntegerRows, FlagRows]),
        type_of(tuple[Halves, Words, int]),
        type_of(int),
        type_of_value(read_columns().blocks),
    ),
} | {kernel.dispatcher: kernel.arguments for kernel in (shade_vertices, cover_geometry, raster)}
"""Types of the arguments of kernels."""
HERE = {
    "render": (draw_whole, shade_and_set_up, shade_vertices.dispatcher, describe),
    "record": (shade_and_set_up, shade_vertices.dispatcher, describe, record_geometry, record_quads, write_reads),
}
BESIDE = {
    "render": (cover_geometry.dispatcher, raster.dispatcher, widen, renumber),
    "record": (cover_geometry.dispatcher, shade_geometry, widen, renumber),
}
"""What this process and the other one compile first, for draws that nobody records and for those that are recorded."""


def kernels_of(names: tuple[Any, ...]) -> Kernels:
    """Some of these kernels with the types of their arguments."""
    return {kernel: _ARGUMENTS[kernel] for kernel in names}


def compiled_beside(what: str, starting: Callable[[], None]) -> AbstractContextManager[None]:
    """Compile kernels before this block, those of a second process during it as well; where they are not on disk and
    there are two processors.

    Parameters
    ----------
    what
        Of `HERE`.
    starting
        Called before anything is compiled.
    """
    others = f"from {__name__} import compile_beside; compile_beside({what!r})"
    return compiled_in_two(kernels_of(HERE[what]), others, starting)


def compile_beside(what: str) -> None:
    """Compile what is for the second process, in this one."""
    compile_in_second(kernels_of(BESIDE[what]))
