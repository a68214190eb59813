"""Asks Mesa where members of blocks are: `python -m tests.compute.mesa_layouts NUMBER` reads pickled sources of compute
shaders from its standard input and writes for each, pickled, the sizes of its blocks and the places of their
members."""

from __future__ import annotations

import ctypes
import pickle
import sys
from collections.abc import Iterator
from ctypes import c_int

from tests.gles.mesa import Mesa

from .layout_rules import Place
from .mesa_module import write
from .mesa_runner import linked

UNIFORM, UNIFORM_BLOCK, BUFFER_VARIABLE, STORAGE_BLOCK = 0x92E1, 0x92E2, 0x92E5, 0x92E6
ACTIVE_RESOURCES, BUFFER_DATA_SIZE = 0x92F5, 0x9303
PROPERTIES = [0x92FC, 0x92FB, 0x92FE, 0x92FF, 0x9300, 0x930D]
"""OFFSET, ARRAY_SIZE, ARRAY_STRIDE, MATRIX_STRIDE, IS_ROW_MAJOR and, of storage blocks, TOP_LEVEL_ARRAY_STRIDE."""


def _asked(mesa: Mesa, program: int, interface: int, index: int, properties: list[int]) -> list[int]:
    out = (c_int * len(properties))()
    given = (c_int * len(properties))(*properties)
    mesa.gles.glGetProgramResourceiv(program, interface, index, len(properties), given, len(properties), None, out)
    return list(out)


def _listed(mesa: Mesa, program: int, interface: int, properties: list[int]) -> Iterator[tuple[str, list[int]]]:
    """Names and properties of everything of an interface."""
    (count,) = mesa.get("glGetProgramInterfaceiv", program, interface, ACTIVE_RESOURCES)
    for index in range(int(count)):
        name = ctypes.create_string_buffer(512)
        mesa.gles.glGetProgramResourceName(program, interface, index, len(name), None, name)
        yield name.value.decode(), _asked(mesa, program, interface, index, properties)


def _all() -> Iterator[bytes]:
    mesa = Mesa(3, 1)
    for source in pickle.load(sys.stdin.buffer):
        program = linked(mesa, source)
        blocks = [_listed(mesa, program, kind, [BUFFER_DATA_SIZE]) for kind in (STORAGE_BLOCK, UNIFORM_BLOCK)]
        sizes = {name: size for listed in blocks for name, (size,) in listed}
        places = {name: Place(*given) for name, given in _listed(mesa, program, BUFFER_VARIABLE, PROPERTIES)}
        places |= {name: Place(*given) for name, given in _listed(mesa, program, UNIFORM, PROPERTIES[:-1])}
        assert mesa.error() == 0, source
        mesa.call("glDeleteProgram", program)
        yield pickle.dumps((sizes, places))


def main() -> None:
    """Ask for the shaders of the input."""
    write(_all)


if __name__ == "__main__":
    main()
