"""A kernel called by address is one compilation, however it is found."""

from __future__ import annotations

from pathlib import Path

from .processes import printed

KERNEL = """
import sys
from tilegpu.functional.jit import kernel, kernel_by_address
from tilegpu.functional.jit.native_calls import call_by_address

@kernel_by_address
def summed(a, b):
    return a + b

@kernel
def twice(address, a):
    return 2 * call_by_address(address, (a, 1))

total = twice(summed.address, 20) if sys.argv[1] == "address" else summed(40, 2)
print(total, sum(summed.dispatcher.stats.cache_hits.values()))
"""


def test_a_call_finds_what_an_address_compiled(tmp_path: Path) -> None:
    (tmp_path / "sums.py").write_text(KERNEL)
    said = printed(tmp_path, *([("sums.py", how)] for how in ("address", "call", "address")))
    assert said == [["42 0\n"], ["42 1\n"], ["42 1\n"]]
