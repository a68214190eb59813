"""Programs of many small functions on records and tables, compiled as a whole.

A program is written in the part of Python that hardware units need: integers, truth values, floating-point numbers;
records of numpy and arrays of them; tuples; `if`, `while`, `for` over a `range` or a tuple; calls of other functions.
It allocates nothing, raises nothing, has no negative indices, and its integers have 64 bits. The same text runs as
plain Python, with the same results.

Each function is translated to LLVM's code straight from its text, once for arguments of the same kinds; LLVM does the
rest. Numba, which understands nearly all of Python and numpy, takes fifty times as long for this step, because it has
to find out which of their many meanings each line has.
"""

from .parts import Part, lowest_bit
from .program import Program

__all__ = ["Part", "Program", "lowest_bit"]
