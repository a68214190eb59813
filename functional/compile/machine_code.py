"""Machine code from LLVM, and the processor that it is for."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from functools import cache
from typing import Any

import llvmlite
from llvmlite import binding

_NUMBERS = itertools.count()
"""Libraries of one process need distinct names."""


class Code:
    """Machine code of functions; `address` of each is valid as long as this object exists.

    Parameters
    ----------
    object_code
        As LLVM emits it.
    names
        Of the functions.
    called
        Code with other functions that they call.
    system
        Whether they call functions of the C library.
    """

    def __init__(
        self, object_code: bytes, names: Sequence[str], called: Sequence[Code] = (), system: bool = False
    ) -> None:
        builder = binding.JITLibraryBuilder().add_object_img(object_code)
        if system:
            builder.add_current_process()
        self._called = called
        for code in called:
            for name, address in code.address.items():
                builder.import_symbol(name, address)
        for name in names:
            builder.export_symbol(name)
        # Dropping it unloads the code.
        self._library: Any = builder.link(_linker(), f"code_{next(_NUMBERS)}")
        self.address: dict[str, int] = {name: int(self._library[name]) for name in names}


@cache
def _linker() -> Any:
    return binding.create_lljit_compiler(target_machine())


@cache
def target_machine(optimization: int = 2, features: str = "") -> Any:
    """LLVM's description of this processor.

    Parameters
    ----------
    optimization
        Of what is made of instructions, from 0 to 3.
    features
        To add, or with a minus to leave out, each after a comma.
    """
    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    target = binding.Target.from_default_triple()
    return target.create_target_machine(
        cpu=binding.get_host_cpu_name(), features=_features() + features, opt=optimization, reloc="default",
        codemodel="jitdefault",
    )  # fmt: skip


def _features() -> str:
    """Features of this processor except SSE4a: its instructions have no AVX form and take 100 ns after AVX code."""
    own: str = binding.get_host_cpu_features().flatten()
    return own.replace("+sse4a", "-sse4a")


def compiler_key() -> str:
    """Versions that all machine code depends on: LLVM and the processor."""
    processor = f"{binding.get_host_cpu_name()} {_features()}"
    return f"{llvmlite.__version__} {binding.llvm_version_info} {processor}"
