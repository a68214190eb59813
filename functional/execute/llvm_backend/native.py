"""Compiles functions to machine code and caches it on disk.

The key of the cache: the shader's text, the functions, the sources of the package around this one, LLVM's version,
and the processor. A folder that cannot be read or written only costs time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from llvmlite import binding, ir

from ...compile import Code, StoredFiles, compiler_key, target_machine
from ...garbage import seldom_collected

OPTIMIZATION = 2
_QUICK_PASSES = (
    "ipsccp",
    "dead_arg_elimination",
    "sroa",
    "new_gvn",
    "simplify_cfg",
    "instruction_combine",
    "dead_store_elimination",
)
"""Passes for shaders, which come simplified and in single-assignment form: all of level 2 would take three times as
long, for code of the same size and speed."""


@cache
def width() -> int:
    """Lanes of a vector: 16 with AVX-512, otherwise 8."""
    features = binding.get_host_cpu_features()
    return 16 if features.get("avx512f") and features.get("avx512bw") and features.get("avx512vl") else 8


def _machine() -> Any:
    # LLVM prefers half-width vectors on some processors that have full-width ones.
    return target_machine(OPTIMIZATION, ",-prefer-256-bit" if width() == 16 else "")


@cache
def _files() -> StoredFiles:
    return StoredFiles("shaders", ".o", [Path(__file__).parent.parent], compiler_key())


def compile_functions(
    key: Sequence[str],
    names: Sequence[str],
    emit: Callable[[ir.Module], None],
    called: Sequence[Code] = (),
    thoroughly: bool = False,
) -> Code:
    """Machine code of functions, from the cache or new.

    Parameters
    ----------
    key
        Everything that the functions depend on except this package, the vector's width, LLVM and the processor.
    names
        Of the functions.
    emit
        Adds them to a module.
    called
        Code with other functions that they call.
    thoroughly
        Whether to spend time on optimization: for code that many programs share.
    """
    # Tests compile for several widths in one process.
    key = [*key, f"{width()} lanes"]
    object_code = _files().read(key)
    if object_code is None:
        with seldom_collected():
            object_code = _compile(emit, thoroughly)
        _files().write(key, object_code)
    return Code(object_code, names, called)


def _compile(emit: Callable[[ir.Module], None], thoroughly: bool) -> bytes:
    module = ir.Module("shader")
    module.triple = binding.get_default_triple()
    module.data_layout = str(_machine().target_data)
    emit(module)
    parsed = binding.parse_assembly(str(module))
    options = binding.create_pipeline_tuning_options(speed_level=OPTIMIZATION)
    options.loop_vectorization = options.slp_vectorization = options.loop_unrolling = False
    builder = binding.create_pass_builder(_machine(), options)
    passes = builder.getModulePassManager() if thoroughly else binding.create_new_module_pass_manager()
    if not thoroughly:
        for name in _QUICK_PASSES:
            getattr(passes, f"add_{name}_pass")()
    passes.run(parsed, builder)
    code: bytes = _machine().emit_object(parsed)
    return code
