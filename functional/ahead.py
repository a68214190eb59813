"""Kernels that the first draw needs, and the types of their arguments: two processes compile them at once."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

from numba import typeof, types

from .jit import Kernels, compile_in_second, compiled_in_two
from .jit.blocks import (
    Bytes,
    Halves,
    IntegerRows,
    Integers,
    Numbers,
    WordRows,
    Words,
    type_of,
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

_array: Any = types.Array
_tuple: Any = types.Tuple
_type: Any = typeof
_WORD: Any = types.int64
_WORDS, _WORD_ROWS, _INTEGERS, _INTEGER_ROWS = map(type_of, (Words, WordRows, Integers, IntegerRows))
_NUMBERS, _MASKS, _LANES = map(type_of, (Numbers, Halves, Bytes))
_SUMMARY, _SHADED = _tuple([_WORDS, _WORD_ROWS]), _tuple([_WORDS, _INTEGERS])
_PLACES = types.int32[:, :, ::1]
_ARGUMENTS: dict[Any, tuple[Any, ...]] = {
    draw_whole: (_WORDS, _WORD, _INTEGERS, _WORDS, _WORD, _WORD, _WORDS, _WORD),
    shade_and_set_up: (_WORDS, _INTEGERS, _WORDS, _WORD, _WORD, _WORDS, _WORD),
    shade_geometry: (_WORD, _WORD, _WORD, _WORD, type_of(Told, named=False)),
    describe: (_WORDS, type_of(Assembled, named=False)),
    widen: (_array(types.uint8, 1, "C", readonly=True), _WORD, _WORD, _WORD, _NUMBERS),
    renumber: (_NUMBERS, _WORD, _WORD, _INTEGERS, _INTEGERS, _WORDS),
    record_geometry: (
        _SUMMARY,
        _type((vertex_columns().blocks, output_columns().blocks, primitive_columns().blocks)),
        _tuple([_WORD] * 7),
        _SHADED,
        _WORD,
    ),
    record_quads: (
        _SUMMARY,
        _type(quad_columns().blocks),
        _tuple([_WORD, _WORD, types.bool_]),
        _tuple([_INTEGERS, _MASKS, _MASKS, _MASKS, _MASKS, _LANES]),
        _SHADED,
    ),
    write_reads: (
        _tuple(
            [
                _WORD_ROWS,
                _INTEGERS,
                _WORDS,
                types.int8[:, :, ::1],
                _PLACES,
                _PLACES,
                _INTEGER_ROWS,
                types.bool_[:, ::1],
            ]
        ),
        _tuple([_MASKS, _WORDS, _WORD]),
        _WORD,
        _type(read_columns().blocks),
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
