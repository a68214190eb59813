"""Optimization of single-assignment code."""

from ..ssa import Code
from ..ssa.values import walk
from .coordinates import separate_coordinates
from .fuse import fuse_multiply_add
from .simplify import Simplifier
from .vectorize import vectorize

__all__ = ["optimize"]

MAXIMUM_PASSES = 12


def simplify(code: Code, name: str) -> Code:
    """Simplify until nothing changes, in `MAXIMUM_PASSES` at most; `name` is the shader's."""
    for _ in range(MAXIMUM_PASSES):
        before = _size(code)
        simplifier = Simplifier(code, name)
        code = simplifier.run()
        if not simplifier.changed and _size(code) == before:
            break
    return code


def _size(code: Code) -> int:
    return sum(1 for _ in walk(code.nodes))


def optimize(code: Code, name: str = "shader") -> Code:
    """Code as a shader executes it: simplified, with multiply-adds and vector operations; `name` is the shader's."""
    fused = Simplifier(fuse_multiply_add(simplify(code, name)), name).run()
    vectors = Simplifier(vectorize(fused), name).run()
    return separate_coordinates(vectors)
