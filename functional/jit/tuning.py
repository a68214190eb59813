"""Large programs of many functions, with settings that Numba has no option for: indices that are never negative, loops
as written, LLVM's passes run once.

Numba lets every index count from the end of an array, which costs a test and a multiplication wherever a register file
is looked up. It makes vectors of loops that run two or three times. As a whole program (`linking`), whose tables then
do not travel as hundreds of words through every call, and without all this, the engine of the timing pass is a third
faster, and compiled in half the time. Where Numba's insides are arranged differently, it compiles as it always does:
more slowly, to slower code with the same results.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any, TypeVar, cast

from llvmlite import binding

from .compiled import cached
from .linking import LINKER
from .numba_interface import arrayobj, config, global_compiler_lock, njit, types
from .private_numba import PLAIN

F = TypeVar("F", bound=Callable[..., Any])

# Records and arrays live as long as the program: nothing in it counts references or allocates.
_OPTIONS = {"nogil": True, "boundscheck": False, "error_model": "numpy", "_nrt": False}
_WITHIN = {**_OPTIONS, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
"""Options of functions that only compiled code calls."""


def program(function: F, folder: str) -> F:
    """Compile a function and all its parts as one program without allocations, and keep what is compiled in a folder.

    The arrays it is given must outlive the call, and indices are never negative.
    """
    dispatcher: Any = cached(function, folder, **_OPTIONS)
    compile_plainly = dispatcher.compile

    def compile_tuned(signature: Any) -> Any:
        with tuned(function):
            return compile_plainly(signature)

    dispatcher.compile = compile_tuned
    return cast(F, dispatcher)


def program_part(function: F, inlined: bool) -> F:
    """Compile a function that programs call, once for all arguments that differ in constants or widths of integers.

    Parameters
    ----------
    function
        It allocates nothing, and its indices are never negative.
    inlined
        Always make it a part of each of its callers; otherwise LLVM decides.
    """
    # Set explicitly: Numba lets callees inherit every option they leave open.
    dispatcher = njit(forceinline=inlined, **_WITHIN)(function)
    template = dispatcher.get_call_template

    def widened(arguments: tuple[Any, ...], named: dict[str, Any]) -> Any:
        return template(tuple(map(_wide, arguments)), {name: _wide(kind) for name, kind in named.items()})

    dispatcher.get_call_template = widened
    return cast(F, dispatcher)


def _wide(kind: types.Type) -> types.Type:
    kind = types.unliteral(kind)
    return types.int64 if isinstance(kind, types.Integer) else kind


def _index(context: Any, builder: Any, kind: Any, index: Any, size: Any) -> Any:
    """Replaces Numba's `fix_integer_index`: leaves the index as it is."""
    return context.cast(builder, index, kind, types.intp if kind.signed else types.uintp)


def _optimize(library: Any) -> None:
    """All of LLVM's level 3 except unrolling and vectorizing loops; without references to count, once suffices."""
    options = binding.create_pipeline_tuning_options(3)
    options.loop_unrolling = options.loop_vectorization = options.slp_vectorization = options.loop_interleaving = False
    builder = binding.create_pass_builder(library._codegen._tm, options)
    builder.getModulePassManager().run(library._final_module, builder)


@contextmanager
def tuned(function: Any) -> Iterator[None]:
    """Compile like this in here: a function as a whole program. Other threads compile nothing meanwhile."""
    if PLAIN:
        yield
        return
    with global_compiler_lock, ExitStack() as changed:
        for owner, name, new in (
            (arrayobj, "fix_integer_index", _index),
            # Numba would spell out a whole record in the name of every type and in messages.
            (types.Record, "__repr__", lambda record: record.name),
            (config, "LOOP_VECTORIZE", 0),
        ):
            changed.callback(setattr, owner, name, getattr(owner, name))
            setattr(owner, name, new)
        changed.enter_context(LINKER.program(function, _optimize))
        yield
