"""Compiled functions: Numba's compiler, linked, cached and locked our way, and all that touches its private parts.

Who writes a kernel takes `kernel`, `helper` and their like from here, the structs it is given as one address from
`jit.blocks`, and calls of machine code from `jit.native_calls`. The other modules are nobody else's business.
"""

from .cache_place import cache_folder
from .compiled import (
    COMPILED,
    LOCKED,
    SELDOM,
    ZERO,
    KernelByAddress,
    cached,
    helper,
    holds_code,
    inlined,
    is_cached,
    kernel,
    kernel_by_address,
    seldom_collected,
    sources_key,
)
from .private_numba import PLAIN
from .tuning import program, program_part

__all__ = [
    "COMPILED",
    "LOCKED",
    "PLAIN",
    "SELDOM",
    "ZERO",
    "KernelByAddress",
    "cache_folder",
    "cached",
    "helper",
    "holds_code",
    "inlined",
    "is_cached",
    "kernel",
    "kernel_by_address",
    "program",
    "program_part",
    "seldom_collected",
    "sources_key",
]
