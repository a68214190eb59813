"""Kernels as whole programs: what is called is compiled with its callers, and can be called by itself afterwards."""

from __future__ import annotations

from pathlib import Path

import pytest

from .processes import printed

KERNELS = """
import sys
import numpy as np
from tilegpu.functional.jit import linking
from tilegpu.functional.jit import helper, kernel

@helper
def squares(values):
    made = np.empty_like(values)
    for i in range(len(values)):
        if values[i] < 0:
            raise ValueError("negative")
        made[i] = values[i] * values[i]
    return made

@kernel
def inner(values):
    return squares(values).sum()

@kernel
def outer(values):
    return inner(values) + inner(values[:2]) + squares(values[1:])[0]

@kernel
def later(values):
    return inner(values) - 1

def says(function, values):
    try:
        return function(values)
    except ValueError as error:
        return error

values = np.arange(1, 5)
code = lambda: [len(k.overloads) - sum(map(linking.LINKER.waits, (r.library for r in k.overloads.values())))
                for k in (squares, inner, outer)]
print(outer(values), *code())
print(inner(values), *code())
print(later(values))
print(*squares(values), says(outer, -values), says(squares, -values))
print(sum(inner.stats.cache_hits.values()), sum(outer.stats.cache_hits.values()))
"""


@pytest.mark.parametrize("how", ["linked", "plainly"])
def test_each_is_compiled_when_it_is_called(tmp_path: Path, how: str) -> None:
    """By hand: 1 + 4 + 9 + 16, 1 + 4, and 4; the second again, less one. Only what Python calls has machine code of its
    own, where Numba can link; where not, all have."""
    (tmp_path / "kernels.py").write_text(KERNELS)
    variables = {"TILEGPU_PLAIN_NUMBA": "1"} if how == "plainly" else {}
    (one,), (other,) = printed(tmp_path, [("kernels.py",)], [("kernels.py",)], **variables)
    first, second, third, fourth, _ = one.splitlines()
    assert first.split() == ["39", *("001" if how == "linked" else "111")]
    assert second.split() == ["30", *("011" if how == "linked" else "111")]
    assert third == "29"
    assert fourth == "1 4 9 16 negative negative"
    assert other.splitlines()[-1] == "1 1"
