"""Compiles functions to machine code and caches it on disk.

The key of the cache: the shader's text, the functions, the sources of the package around this one, LLVM's version,
and the processor. A folder that cannot be read or written only costs time.
"""

from __future__ import annotations

import hashlib
import itertools
import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import llvmlite
from llvmlite import binding, ir

from ...activity.output import whole_file
from ...jit import cache_folder, sources_key

OPTIMIZATION = 2
_NUMBERS = itertools.count()
"""Libraries of one process need distinct names."""


class Code:
    """Machine code of functions; `address` of each is valid as long as this object exists."""

    def __init__(self, object_code: bytes, names: Sequence[str]) -> None:
        builder = binding.JITLibraryBuilder().add_object_img(object_code)
        for name in names:
            builder.export_symbol(name)
        # Dropping it unloads the code.
        self._library: Any = builder.link(_linker(), f"shader_{next(_NUMBERS)}")
        self.address = {name: int(self._library[name]) for name in names}


@cache
def _linker() -> Any:
    return binding.create_lljit_compiler(_machine())


@cache
def width() -> int:
    """Lanes of a vector: 16 with AVX-512, otherwise 8."""
    features = binding.get_host_cpu_features()
    return 16 if features.get("avx512f") and features.get("avx512bw") and features.get("avx512vl") else 8


@cache
def _machine() -> Any:
    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    target = binding.Target.from_default_triple()
    features = binding.get_host_cpu_features().flatten()
    if width() == 16:
        # LLVM prefers half-width vectors on some processors that have full-width ones.
        features += ",-prefer-256-bit"
    return target.create_target_machine(
        cpu=binding.get_host_cpu_name(), features=features, opt=OPTIMIZATION, reloc="default", codemodel="jitdefault"
    )


@cache
def _place() -> tuple[Path, str]:
    """Folder for object code, and the common part of its keys."""
    sources = sources_key([Path(__file__).parent.parent])
    processor = f"{binding.get_host_cpu_name()} {binding.get_host_cpu_features().flatten()}"
    return cache_folder("shaders"), f"{sources} {llvmlite.__version__} {binding.llvm_version_info} {processor}"


def compile_functions(key: Sequence[str], names: Sequence[str], emit: Callable[[ir.Module], None]) -> Code:
    """Machine code of functions, from the cache or new.

    Parameters
    ----------
    key
        Everything that the functions depend on except this package, the vector's width, LLVM and the processor.
    names
        Of the functions.
    emit
        Adds them to a module.
    """
    folder, common = _place()
    digest = hashlib.sha256("\n".join([common, str(width()), *key]).encode()).hexdigest()
    path = folder / f"{digest[:40]}.o"
    try:
        return Code(_checked(path.read_bytes()), names)
    except (OSError, ValueError):
        object_code = _compile(emit)
    with suppress(OSError), whole_file(path, mark=f".{os.getpid()}") as partial:
        partial.write_bytes(hashlib.sha256(object_code).digest() + object_code)
    return Code(object_code, names)


def _checked(stored: bytes) -> bytes:
    """The object code of a stored file, which begins with its hash."""
    digest, object_code = stored[:32], stored[32:]
    if hashlib.sha256(object_code).digest() != digest:
        raise ValueError("damaged")
    return object_code


def _compile(emit: Callable[[ir.Module], None]) -> bytes:
    module = ir.Module("shader")
    module.triple = binding.get_default_triple()
    module.data_layout = str(_machine().target_data)
    emit(module)
    parsed = binding.parse_assembly(str(module))
    options = binding.create_pipeline_tuning_options(speed_level=OPTIMIZATION)
    options.loop_vectorization = options.slp_vectorization = options.loop_unrolling = False
    builder = binding.create_pass_builder(_machine(), options)
    builder.getModulePassManager().run(parsed, builder)
    code: bytes = _machine().emit_object(parsed)
    return code
