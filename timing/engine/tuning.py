"""What Numba has no option for: the machine as a whole program, and indices that are never negative.

Numba links copies of all callees into the entry point but leaves them callable from elsewhere, so LLVM must keep
parameters that nobody reads: the tables of the frame travel as hundreds of words through every call. And it lets every
index count from the end of an array, which costs a test and a multiplication wherever a register file is looked up.
Together the two take a quarter of the running time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numba.np.arrayobj
from llvmlite import binding
from numba.core import types
from numba.core.codegen import CPUCodeLibrary
from numba.core.compiler_lock import global_compiler_lock

LINKED = binding.Linkage.linkonce_odr
"""How Numba marks what it has linked into a module."""


def _index(context: Any, builder: Any, kind: Any, index: Any, size: Any) -> Any:
    """In the place of Numba's `fix_integer_index`: the index as it is."""
    return context.cast(builder, index, kind, types.intp if kind.signed else types.uintp)


@contextmanager
def tuned(entry: str) -> Iterator[None]:
    """Compile like this in here: the function of the name `entry` as a whole program, all of them without negative
    indices. Other threads compile nothing meanwhile."""
    optimize: Callable[[Any], None] = CPUCodeLibrary._optimize_final_module
    fix_index = numba.np.arrayobj.fix_integer_index

    def optimize_whole(library: Any) -> None:
        if library.name == entry:
            for function in library._final_module.functions:
                if not function.is_declaration and function.linkage == LINKED:
                    function.linkage = "internal"
        optimize(library)

    with global_compiler_lock:
        numba.np.arrayobj.fix_integer_index = _index
        CPUCodeLibrary._optimize_final_module = optimize_whole
        try:
            yield
        finally:
            numba.np.arrayobj.fix_integer_index = fix_index
            CPUCodeLibrary._optimize_final_module = optimize
