"""What Numba has no option for: the machine as a whole program, indices that are never negative, loops as they stand.

Numba links copies of all callees into the entry point but leaves them callable from elsewhere, so LLVM must keep
parameters that nobody reads: the tables of the frame travel as hundreds of words through every call. It lets every
index count from the end of an array, which costs a test and a multiplication wherever a register file is looked up.
It makes vectors of loops that run two or three times. And it optimizes every function again in every one that calls
it, and makes machine code of each, though only the entry point is ever called. The engine is a third faster without
all this, and compiled in half the time. Where Numba's insides are arranged differently, it compiles as it always does:
more slowly, to slower code with the same results.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import numba.np.arrayobj
from llvmlite import binding
from numba.core import codegen, cpu, types
from numba.core.compiler_lock import global_compiler_lock

LINKED = binding.Linkage.linkonce_odr
"""How Numba marks what it has linked into a module."""

_arrays: Any = numba.np.arrayobj
_library: Any = codegen.CPUCodeLibrary
_context: Any = cpu.CPUContext
_config: Any = numba.config
TUNABLE = all(
    hasattr(owner, name)
    for owner, name in (
        (codegen.CPUCodegen, "_pass_builder"),
        (binding, "create_pass_builder"),
        (binding, "create_pipeline_tuning_options"),
        (_library, "finalize"),
        (_library, "_optimize_functions"),
        (_library, "_optimize_final_module"),
        (_library, "_finalize_final_module"),
        (_library, "_get_module_for_linking"),
        (_context, "get_executable"),
        (_arrays, "fix_integer_index"),
        (_config, "LOOP_VECTORIZE"),
    )
)
"""Whether this version of Numba has what is changed here."""


def _index(context: Any, builder: Any, kind: Any, index: Any, size: Any) -> Any:
    """Replaces Numba's `fix_integer_index`: leaves the index as it is."""
    return context.cast(builder, index, kind, types.intp if kind.signed else types.uintp)


class _WholeProgram:
    """Stands in the place of what Numba does at the end of compiling each function.

    Functions wait as they were lowered until somebody whose machine code is wanted takes them in: the entry point of
    the engine, or a function that does not belong to the engine.

    Parameters
    ----------
    package
        Copy of the engine whose functions only the entry point calls.
    entry
        Name of the entry point.
    """

    def __init__(self, package: str, entry: str) -> None:
        self.package, self.entry = package, entry
        self.optimize: Callable[[Any], None] = _library._optimize_final_module
        self.executable: Callable[..., Any] = _context.get_executable
        self.waiting: dict[int, Any] = {}

    def finalize(self, library: Any) -> None:
        """Replaces `CodeLibrary.finalize`: the library waits."""
        library._raise_if_finalized()
        library._finalized = True
        self.waiting[id(library)] = library

    def get_executable(self, context: Any, library: Any, description: Any, environment: Any) -> Any:
        """Replaces `CPUContext.get_executable`: a function's machine code, or a placeholder if it is not called."""
        inside = description.modname.startswith(f"{self.package}.")
        if inside and library.name != self.entry:
            # Numba expects a different built-in function each time.
            return [description].index
        library._ensure_finalized()
        if self.waiting.pop(id(library), None) is not None:
            self._complete(library, inside)
        return self.executable(context, library, description, environment)

    def _complete(self, library: Any, whole: bool) -> None:
        """Take in all that a library calls, optimize it, make machine code; `whole`: nobody else calls what it has."""
        for needed in self._needed(library, {id(library)}):
            library._reload_init.update(needed._reload_init)
            library._final_module.link_in(self._linkable(needed), preserve=True)
        if whole:
            for function in library._final_module.functions:
                if not function.is_declaration and function.linkage == LINKED:
                    function.linkage = "internal"
        generator = library._codegen
        before, generator._loopvect = getattr(generator, "_loopvect", None), False
        try:
            if whole:
                # Without references to count, one run of the passes does what Numba's two do.
                builder = binding.create_pass_builder(generator._tm, _few_passes())
                builder.getModulePassManager().run(library._final_module, builder)
            else:
                self.optimize(library)
        finally:
            generator._loopvect = before
        library._final_module.verify()
        library._finalize_final_module()

    def _needed(self, library: Any, known: set[int]) -> Iterator[Any]:
        """All that a library calls, each once; what is complete already has taken in what it calls itself."""
        for needed in library._linking_libraries:
            if id(needed) not in known:
                known.add(id(needed))
                yield needed
                if id(needed) in self.waiting:
                    yield from self._needed(needed, known)

    def _linkable(self, library: Any) -> Any:
        if id(library) not in self.waiting:
            return library._get_module_for_linking()
        module = library._final_module.clone()
        for function in module.functions:
            if not function.is_declaration and function.linkage == binding.Linkage.external:
                function.linkage = "linkonce_odr"
        return module

    def leave(self) -> None:
        """Libraries that still wait are finished by Numba when they are needed elsewhere."""
        for library in self.waiting.values():
            library._finalized = False


def _few_passes() -> Any:
    """LLVM's optimizations for the engine: all of level 3 except unrolling and vectorizing loops."""
    options = binding.create_pipeline_tuning_options(3)
    options.loop_unrolling = options.loop_vectorization = options.slp_vectorization = options.loop_interleaving = False
    return options


@contextmanager
def tuned(package: str, entry: str) -> Iterator[None]:
    """Compile like this in here: the function of the name `entry` of a copy of the engine as a whole program, and all
    of them without negative indices and vectors. Other threads compile nothing meanwhile."""
    if not TUNABLE:
        yield
        return
    program = _WholeProgram(package, entry)
    with global_compiler_lock, ExitStack() as changed:
        for owner, name, new in (
            (_library, "finalize", lambda library: program.finalize(library)),
            (_library, "_optimize_functions", lambda library, module: None),
            (_context, "get_executable", lambda *arguments: program.get_executable(*arguments)),
            (_arrays, "fix_integer_index", _index),
            # Numba would spell out the machine's whole record in the name of every type and in messages.
            (types.Record, "__repr__", lambda record: record.name),
            (_config, "LOOP_VECTORIZE", 0),
        ):
            changed.callback(setattr, owner, name, getattr(owner, name))
            setattr(owner, name, new)
        try:
            yield
        finally:
            program.leave()
