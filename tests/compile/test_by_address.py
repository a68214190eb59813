"""A kernel called by address is one compilation, however it is found."""

from __future__ import annotations

from pathlib import Path

import pytest

from tilegpu.functional.compile import COMPILED

from .processes import printed

pytestmark = pytest.mark.skipif(not COMPILED, reason="kernels are Python")

KERNEL = """
import sys
from tilegpu.functional.compile import kernel, kernel_by_address
from typing import NamedTuple
from tilegpu.functional.compile.blocks import Address, Kernel, block_of, code_at
from tilegpu.functional.compile.native import load

class Held(NamedTuple):
    sum: Kernel

@kernel_by_address
def summed(a, b):
    return a + b

@kernel
def twice(block: Address, a: int):
    return 2 * load(block, Held).sum(a, 1)

stored = int(summed.is_stored())
total = twice(block_of(Held(code_at(summed.address))).address, 20) if sys.argv[1] == "address" else summed(40, 2)
print(total, stored)
"""


def test_a_call_finds_what_an_address_compiled(tmp_path: Path) -> None:
    (tmp_path / "sums.py").write_text(KERNEL)
    said = printed(tmp_path, *([("sums.py", how)] for how in ("address", "call", "address")))
    assert said == [["42 0\n"], ["42 1\n"], ["42 1\n"]]
