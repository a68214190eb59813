"""A kernel called by address is one compilation, however it is found."""

from __future__ import annotations

from pathlib import Path

from .processes import printed

KERNEL = """
import sys
from tilegpu.functional.compile import kernel, kernel_by_address
from tilegpu.functional.compile.native import call_by_address

@kernel_by_address
def summed(a, b):
    return a + b

@kernel
def twice(address, a):
    return 2 * call_by_address(address, (a, 1))

stored = int(summed.is_stored())
total = twice(summed.address, 20) if sys.argv[1] == "address" else summed(40, 2)
print(total, stored)
"""


def test_a_call_finds_what_an_address_compiled(tmp_path: Path) -> None:
    (tmp_path / "sums.py").write_text(KERNEL)
    said = printed(tmp_path, *([("sums.py", how)] for how in ("address", "call", "address")))
    assert said == [["42 0\n"], ["42 1\n"], ["42 1\n"]]
