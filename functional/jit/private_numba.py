"""Private interfaces of Numba that compile faster and to faster code, and whether this version has them as expected.

Numba changes them without notice. They are used with the versions they were tried with, and only where all of them
exist; otherwise everything is compiled as Numba always does, with the same results, more slowly.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import numba
from llvmlite import binding

from .numba_interface import (
    Dispatcher,
    caching,
    codegen,
    cpu,
    environment,
    sigutils,
)

VARIABLE = "TILEGPU_PLAIN_NUMBA"
"""Environment variable that leaves private interfaces alone."""
TRIED = (0, 62), (0, 69)
"""First version that they were tried with, and the first one after those."""
LOCATORS = "UserProvidedCacheLocator", "_UserProvidedCacheLocator"
"""Name of the same class in one version and another."""
_EXPECTED: tuple[tuple[Any, str], ...] = (
    (caching, "CompileResultCacheImpl"),
    (caching, "FunctionCache"),
    (caching, "IndexDataCacheFile"),
    (codegen, "CPUCodeLibrary"),
    (codegen, "JITCodeLibrary"),
    (cpu, "CPUContext"),
    (environment, "lookup_environment"),
    (sigutils, "normalize_signature"),
    (Dispatcher, "_compile_for_args"),
    (Dispatcher, "add_overload"),
    (binding, "create_new_module_pass_manager"),
)
_EXPECTED_OF_CLASSES = (
    (caching, "CompileResultCacheImpl", ("_locator_classes",)),
    (caching, "FunctionCache", ("save_overload", "_impl_class", "cache_path")),
    (
        caching,
        "IndexDataCacheFile",
        ("_load_index", "_save_index", "_load_data", "_save_data", "_data_path", "_dump", "load", "save"),
    ),
    (
        codegen,
        "CPUCodeLibrary",
        (
            "finalize",
            "_optimize_functions",
            "_optimize_final_module",
            "_finalize_final_module",
            "_get_module_for_linking",
        ),
    ),
    (codegen, "JITCodeLibrary", ("get_pointer_to_function",)),
    (cpu, "CPUContext", ("get_executable",)),
)


def _version() -> tuple[int, ...]:
    return tuple(int(part) for part in numba.__version__.split(".")[:2] if part.isdecimal())


def _missing() -> Iterator[str]:
    if not any(hasattr(caching, name) for name in LOCATORS):
        yield f"{caching.__name__}.{LOCATORS[0]}"
    for owner, name in _EXPECTED:
        if not hasattr(owner, name):
            yield f"{owner.__name__}.{name}"
    for module, kind, names in _EXPECTED_OF_CLASSES:
        for name in names:
            if hasattr(module, kind) and not hasattr(getattr(module, kind), name):
                yield f"{module.__name__}.{kind}.{name}"


def _reason() -> str:
    if os.environ.get(VARIABLE):
        return f"{VARIABLE} is set"
    first, after = TRIED
    if not first <= _version() < after:
        return f"Numba {numba.__version__} is no version that tilegpu was tried with"
    missing = next(_missing(), "")
    return f"Numba {numba.__version__} has no {missing}" if missing else ""


PLAIN = _reason()
"""Reason for leaving private interfaces alone; "" where they are used."""
