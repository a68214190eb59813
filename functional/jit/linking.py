"""Kernels as whole programs: a kernel and all that it calls go through LLVM once, when the kernel is needed.

Numba optimizes every function again in every one that calls it, makes machine code of each, and writes a wrapper for
each that takes its arguments from Python, though Python calls only a few. Here functions wait as they were lowered
until Python wants one of them: that one takes in all it calls, is optimized as a whole and becomes machine code.
Where Numba's insides are arranged differently, it compiles as it always does: the same results, more slowly.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from functools import partial
from typing import Any

from llvmlite import binding

from .numba_interface import codegen, cpu, environment, global_compiler_lock, sigutils
from .private_numba import PLAIN

_library: Any = getattr(codegen, "CPUCodeLibrary", None)
_context: Any = getattr(cpu, "CPUContext", None)
ENVIRONMENT = "_ZN08NumbaEnv"
"""Prefix of the variables that hold Numba's environment of a function at run time."""


def _optimize(library: Any) -> None:
    """As Numba does, but for its passes over single functions, which are run on all at once: what counts references is
    found again in simplified functions only."""
    simplify = binding.create_new_module_pass_manager()
    simplify.add_sroa_pass()
    simplify.add_simplify_cfg_pass()
    simplify.add_instruction_combine_pass()
    simplify.add_refprune_pass()
    simplify.run(library._final_module, library._codegen._pass_builder(opt=1))
    library._optimize_final_module()


class Linker:
    """Takes the place of what Numba does at the end of compiling each function.

    Attributes
    ----------
    waiting
        Libraries of functions that were lowered and no more, by identity.
    """

    def __init__(self) -> None:
        self.waiting: dict[int, Any] = {}
        self._program: Any = None
        self._executable: Callable[..., Any] = getattr(_context, "get_executable", getattr)

    def waits(self, library: Any) -> bool:
        """Whether a library has no machine code yet."""
        return id(library) in self.waiting

    @contextmanager
    def program(self, function: Any, optimize: Callable[[Any], None] = _optimize) -> Iterator[bool]:
        """Compile a function as a whole program within this context; no effect while another one is being compiled.

        Parameters
        ----------
        function
            The Python function that is wanted.
        optimize
            Optimizes a library that has everything in it.

        Yields
        ------
        bool
            Whether the function is the program.
        """
        with global_compiler_lock, ExitStack() as changed:
            if self._program is not None or PLAIN:
                yield False
                return
            self._program, finished = (function.__module__, function.__qualname__, optimize), []

            def wait(library: Any) -> None:
                library._raise_if_finalized()
                library._finalized = True
                self.waiting[id(library)] = library
                finished.append(library)

            for owner, name, new in (
                (_library, "finalize", wait),
                (_library, "_optimize_functions", lambda library, module: None),
                (_context, "get_executable", lambda *arguments: self._get_executable(*arguments)),
            ):
                changed.callback(setattr, owner, name, getattr(owner, name))
                setattr(owner, name, new)
            try:
                yield True
            finally:
                self._program = None
                # Others that link what still waits finish it first.
                for library in finished:
                    library._finalized = not self.waits(library)

    def complete(self, result: Any) -> Any:
        """Libraries that Numba keeps of the program, which waited; with its machine code."""
        result.library._finalized = True
        entry = self._get_executable(result.target_context, result.library, result.fndesc, result.environment)
        return result._replace(entry_point=entry)

    def _get_executable(self, context: Any, library: Any, description: Any, variables: Any) -> Any:
        """Replaces `CPUContext.get_executable`: a function's machine code, or a placeholder while it waits."""
        library._ensure_finalized()
        if not self.waits(library):
            return self._executable(context, library, description, variables)
        *program, optimize = self._program
        if [description.modname, description.qualname] != program:
            # Numba expects a different built-in function each time.
            return [description].index
        del self.waiting[id(library)]
        try:
            self._link(library, optimize)
        except BaseException:
            library._finalized = False
            raise
        executable = self._executable(context, library, description, variables)
        for variable in library._final_module.global_variables:
            value = environment.lookup_environment(variable.name) if variable.name.startswith(ENVIRONMENT) else None
            if value is not None:
                library.codegen.set_env(variable.name, value)
        return executable

    def _link(self, library: Any, optimize: Callable[[Any], None]) -> None:
        """Take in all that a library calls, optimize it, make machine code."""
        for needed in self._needed(library):
            if hasattr(library, "_reload_init"):  # Since Numba 0.63.
                library._reload_init.update(needed._reload_init)
            library._final_module.link_in(self._linkable(needed), preserve=True)
        for function in library._final_module.functions:
            if not function.is_declaration and function.linkage == binding.Linkage.linkonce_odr:
                function.linkage = "internal"
        optimize(library)
        library._final_module.verify()
        library._finalize_final_module()

    def _needed(self, library: Any) -> list[Any]:
        """All that a library calls, each once, after all those that call it: LLVM links only what is called already.
        What is complete has taken in what it calls."""
        listed, ordered = {id(library)}, []

        def visit(caller: Any) -> None:
            for needed in caller._linking_libraries:
                if id(needed) not in listed:
                    listed.add(id(needed))
                    if self.waits(needed):
                        visit(needed)
                    ordered.append(needed)

        visit(library)
        return ordered[::-1]

    def _linkable(self, library: Any) -> Any:
        if not self.waits(library):
            return library._get_module_for_linking()
        module = library._final_module.clone()
        for function in module.functions:
            if not function.is_declaration and function.linkage == binding.Linkage.external:
                function.linkage = "linkonce_odr"
        return module


LINKER = Linker()
"""Of this process, as Numba's compiler is."""


def linked(dispatcher: Any, function: Any, alone: Callable[[], AbstractContextManager[Any]] = nullcontext) -> Any:
    """Have a dispatcher of Numba compile its function as a whole program when Python calls it.

    ``alone`` makes a context that it is loaded or compiled in.
    """
    compile_plainly, add = dispatcher.compile, dispatcher.add_overload

    def compile_linked(signature: Any) -> Any:
        with LINKER.program(function) as is_program:
            kept = dispatcher.overloads.get(tuple(sigutils.normalize_signature(signature)[0]))
            if kept is None or not is_program or not LINKER.waits(kept.library):
                with alone() if is_program else nullcontext():
                    return compile_plainly(signature)
            result = LINKER.complete(kept)
            # Kernels that are compiled later and call it look for what it has now.
            dispatcher.targetctx.insert_user_function(result.entry_point, result.fndesc, [result.library])
            add(result)
            dispatcher._cache.save_overload(signature, result)
            return result.entry_point

    def add_overload(result: Any) -> None:
        if LINKER.waits(result.library):
            _keep(dispatcher, result)
        else:
            add(result)

    dispatcher.compile, dispatcher.add_overload = compile_linked, add_overload
    return dispatcher


def only_within(dispatcher: Any) -> None:
    """Have a dispatcher of Numba keep what it compiles from Python, for callers in machine code."""
    dispatcher.add_overload = partial(_keep, dispatcher)


def _keep(dispatcher: Any, result: Any) -> None:
    dispatcher.overloads[tuple(result.signature.args)] = result
