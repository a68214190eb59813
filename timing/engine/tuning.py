"""What Numba has no option for: the machine as a whole program, indices that are never negative, loops as they stand.

Numba links copies of all callees into the entry point but leaves them callable from elsewhere, so LLVM must keep
parameters that nobody reads: the tables of the frame travel as hundreds of words through every call. It lets every
index count from the end of an array, which costs a test and a multiplication wherever a register file is looked up.
And it makes vectors of loops that run two or three times. The engine is a third faster without all this. Where Numba's
insides are arranged differently, it compiles as it always does: slower code with the same results.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numba.np.arrayobj
from llvmlite import binding
from numba.core import codegen, types
from numba.core.compiler_lock import global_compiler_lock

LINKED = binding.Linkage.linkonce_odr
"""How Numba marks what it has linked into a module."""

_arrays: Any = numba.np.arrayobj
_library: Any = codegen.CPUCodeLibrary
_config: Any = numba.config
TUNABLE = all(
    hasattr(owner, name)
    for owner, name in (
        (_library, "_optimize_final_module"),
        (_arrays, "fix_integer_index"),
        (_config, "LOOP_VECTORIZE"),
    )
)
"""Whether this version of Numba has what is changed here."""


def _index(context: Any, builder: Any, kind: Any, index: Any, size: Any) -> Any:
    """In the place of Numba's `fix_integer_index`: the index as it is."""
    return context.cast(builder, index, kind, types.intp if kind.signed else types.uintp)


@contextmanager
def tuned(entry: str) -> Iterator[None]:
    """Compile like this in here: the function of the name `entry` as a whole program, and all of them without negative
    indices and vectors. Other threads compile nothing meanwhile."""
    if not TUNABLE:
        yield
        return
    optimize: Callable[[Any], None] = _library._optimize_final_module
    fix_index, vectorize = _arrays.fix_integer_index, _config.LOOP_VECTORIZE

    def optimize_tuned(library: Any) -> None:
        if library.name == entry:
            for function in library._final_module.functions:
                if not function.is_declaration and function.linkage == LINKED:
                    function.linkage = "internal"
        generator = library._codegen
        before, generator._loopvect = getattr(generator, "_loopvect", None), False
        try:
            optimize(library)
        finally:
            generator._loopvect = before

    with global_compiler_lock:
        _library._optimize_final_module = optimize_tuned
        _arrays.fix_integer_index, _config.LOOP_VECTORIZE = _index, 0
        try:
            yield
        finally:
            _library._optimize_final_module = optimize
            _arrays.fix_integer_index, _config.LOOP_VECTORIZE = fix_index, vectorize
