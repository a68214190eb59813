"""The compiler of both passes: programs of many small functions on numbers, arrays, records and tuples.

A program is written in the part of Python that kernels and hardware units need: integers, truth values, floating-point
numbers; records of numpy and arrays of them; tuples; `if`, `while`, `for` over a `range`, a tuple or an array; calls of
other functions. It has no negative indices, its integers have 64 bits, and the only exception that it knows is
`MemoryError`. An array that a function makes lasts until it returns. The same text runs as plain Python, with the same
results.

Each function is translated to LLVM's code straight from its text, once for arguments of the same kinds; LLVM does the
rest. A general compiler takes fifty times as long for this step, because it has to find out which of their many
meanings in Python and numpy each line has.

Who writes a kernel takes `kernel`, `helper` and their like from here, the named tuples that it is given as one address
from `compile.blocks`, memory and machine code by address from `compile.native`.
"""

from .addresses import address
from .kernels import COMPILED, PLAIN, cached, helper, inlined, kernel, kernel_by_address
from .locks import holds_code
from .machine_code import Code, compiler_key, target_machine
from .parts import Part, lowest_bit
from .program import ByAddress, Program
from .stored_files import StoredFiles, cache_folder, sources_key

__all__ = [
    "COMPILED",
    "PLAIN",
    "ByAddress",
    "Code",
    "Part",
    "Program",
    "StoredFiles",
    "address",
    "cache_folder",
    "cached",
    "compiler_key",
    "helper",
    "holds_code",
    "inlined",
    "kernel",
    "kernel_by_address",
    "lowest_bit",
    "sources_key",
    "target_machine",
]
