"""One operation on one row: closures over row numbers, called with the register file."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...glsl.ir.opcodes import OPCODES
from ...glsl.ir.semantics import FUNCTIONS
from .registers import Registers

Operation = Callable[[Registers], None]
Row = NDArray[Any]
ZERO, ONE = np.zeros(1, np.float32), np.ones(1, np.float32)
LEAST_EXPONENT, LEAST_POWER = np.float32(-126), np.float32(2.0**-126)


def exponential(x: Row) -> Row:
    """2 to the power x.

    Results too small for a normal float become 0, as on GPUs: numpy takes a hundred times as long for them.
    Subtracting the least normal number does that, and changes only tiny results.
    """
    return np.asarray(np.exp2(np.maximum(x, LEAST_EXPONENT)) - LEAST_POWER)


def _difference(a: Row, lane: int) -> Row:
    """Difference inside the quad: from lane 0 to lane 1 or 2, the same for all four."""
    if len(a) == 1:
        return np.zeros_like(a)
    quads = a.reshape(-1, 4)
    return np.repeat(quads[:, lane] - quads[:, 0], 4)


_FUNCTIONS: dict[str, Callable[..., Row]] = {
    **FUNCTIONS,
    "UARL": lambda a: a,
    "EX2": exponential,
    "POW": lambda a, b: exponential(np.log2(a) * b),
    "DDX": lambda a: _difference(a, 1),
    "DDY": lambda a: _difference(a, 2),
}


def arithmetic(opcode: str, d: int, operands: Sequence[int]) -> Operation:
    """A component-wise or replicating opcode, by its meaning."""
    function, integers = _FUNCTIONS[opcode], OPCODES[opcode].kind == "int"
    if isinstance(function, np.ufunc):
        return in_place(function, d, operands, integers)

    def run(s: Registers) -> None:
        rows: Any = s.ints if integers else s.floats
        np.copyto(s.ints[d], function(*[rows[o] for o in operands]).view(np.int32))

    return run


def in_place(function: Any, d: int, operands: Sequence[int], integers: bool = False) -> Operation:
    """A function of numpy's of one or two rows, without temporaries."""
    a, b = operands[0], operands[1] if len(operands) == 2 else None

    def run(s: Registers) -> None:
        rows: Any = s.ints if integers else s.floats
        if b is None:
            function(rows[a], out=rows[d])
        else:
            function(rows[a], rows[b], out=rows[d])

    return run


def copy(d: int, a: int) -> Operation:
    """A row into another."""

    def run(s: Registers) -> None:
        np.copyto(s.ints[d], s.ints[a])

    return run


def copy_where_active(d: int, a: int) -> Operation:
    """A row into another, in the lanes that execute."""

    def run(s: Registers) -> None:
        np.copyto(s.ints[d], s.ints[a], where=True if s.mask is None else s.mask)

    return run


def saturate(d: int) -> Operation:
    """Clamp a row to [0, 1] in place."""

    def run(s: Registers) -> None:
        row = s.floats[d]
        np.fmax(row, ZERO, row)
        np.fmin(row, ONE, row)

    return run
