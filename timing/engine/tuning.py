"""Settings that Numba has no option for: indices that are never negative, loops as written, LLVM's passes run once.

Numba lets every index count from the end of an array, which costs a test and a multiplication wherever a register file
is looked up. It makes vectors of loops that run two or three times. As a whole program (`functional.jit.linking`),
whose tables of the frame then do not travel as hundreds of words through every call, and without all this, the engine
is a third faster, and compiled in half the time. Where Numba's insides are arranged differently, it compiles as it
always does: more slowly, to slower code with the same results.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any

import numba.np.arrayobj
from llvmlite import binding
from numba.core import types
from numba.core.compiler_lock import global_compiler_lock

from tilegpu.functional.jit import PLAIN
from tilegpu.functional.jit.linking import LINKER

if TYPE_CHECKING:
    from ..assembly.build import Builder


_arrays: Any = numba.np.arrayobj
_config: Any = numba.config


def _index(context: Any, builder: Builder, kind: Any, index: Any, size: Any) -> Any:
    """Replaces Numba's `fix_integer_index`: leaves the index as it is."""
    return context.cast(builder, index, kind, types.intp if kind.signed else types.uintp)


def _optimize(library: Any) -> None:
    """All of LLVM's level 3 except unrolling and vectorizing loops; without references to count, once suffices."""
    options = binding.create_pipeline_tuning_options(3)
    options.loop_unrolling = options.loop_vectorization = options.slp_vectorization = options.loop_interleaving = False
    builder = binding.create_pass_builder(library._codegen._tm, options)
    builder.getModulePassManager().run(library._final_module, builder)


@contextmanager
def tuned(entry: Any) -> Iterator[None]:
    """Compile like this in here: the entry point of an engine as a whole program. Other threads compile nothing
    meanwhile."""
    if PLAIN:
        yield
        return
    with global_compiler_lock, ExitStack() as changed:
        for owner, name, new in (
            (_arrays, "fix_integer_index", _index),
            # Numba would spell out the machine's whole record in the name of every type and in messages.
            (types.Record, "__repr__", lambda record: record.name),
            (_config, "LOOP_VECTORIZE", 0),
        ):
            changed.callback(setattr, owner, name, getattr(owner, name))
            setattr(owner, name, new)
        changed.enter_context(LINKER.program(entry, _optimize))
        yield
