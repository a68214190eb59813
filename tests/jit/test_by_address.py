"""A kernel called by address is one compilation, however it is found."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

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
    script = tmp_path / "sums.py"
    script.write_text(KERNEL)
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache")}
    commands = [[sys.executable, str(script), how] for how in ("address", "call", "address")]
    said = [subprocess.run(c, env=environment, capture_output=True, text=True, check=True).stdout for c in commands]
    assert [line.split() for line in said] == [["42", "0"], ["42", "1"], ["42", "1"]]
