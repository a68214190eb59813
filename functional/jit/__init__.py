"""Compiled functions: Numba's compiler, linked, cached and locked our way, and all that touches its private parts.

Who writes a kernel takes `kernel`, `helper` and their like from here, the structs it is given as one address from
`jit.blocks`, and calls of machine code from `jit.native_calls`. The other modules are for this package alone; only it
imports Numba (`numba_interface`). `Program` and `Part` are functions of another kind, which need no Numba (`programs`).
"""

from .compiled import COMPILED, ZERO, KernelByAddress, cached, helper, inlined, kernel, kernel_by_address
from .disk_cache import holds_code
from .machine_code import Code, compiler_key, target_machine
from .private_numba import PLAIN
from .programs import Part, Program, lowest_bit
from .stored_files import StoredFiles, cache_folder, sources_key
from .two_processes import Kernels, compile_in_second, compiled_in_two

__all__ = [
    "COMPILED",
    "PLAIN",
    "ZERO",
    "Code",
    "KernelByAddress",
    "Kernels",
    "Part",
    "Program",
    "StoredFiles",
    "cache_folder",
    "cached",
    "compile_in_second",
    "compiled_in_two",
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
