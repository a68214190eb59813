"""Matrix functions of ESSL 3.00 (section 8.6): a matrix is one operand per column."""

from collections.abc import Callable

from ..ssa import Builder, Operand
from .operators import Leaves, widen


def _transpose(b: Builder, matrix: Leaves) -> Leaves:
    rows = len(matrix[0].swizzle)
    return tuple(b.vector([b.select(column, (row,)) for column in matrix]) for row in range(rows))


def _outer_product(b: Builder, column: Leaves, row: Leaves) -> Leaves:
    width = len(column[0].swizzle)
    factors = [b.select(row[0], (i,)) for i in range(len(row[0].swizzle))]
    return tuple(b.alu("MUL", column[0], widen(b, factor, width)) for factor in factors)


def _minor(b: Builder, matrix: Leaves, columns: tuple[int, ...], rows: tuple[int, ...]) -> Operand:
    """Determinant of the chosen columns and rows, expanded along the first column."""
    if len(columns) == 1:
        return b.select(matrix[columns[0]], (rows[0],))
    total: Operand | None = None
    for position, row in enumerate(rows):
        rest = tuple(r for r in rows if r != row)
        term = b.alu("MUL", b.select(matrix[columns[0]], (row,)), _minor(b, matrix, columns[1:], rest))
        term = b.negate(term) if position % 2 else term
        total = term if total is None else b.alu("ADD", total, term)
    assert total is not None
    return total


def _determinant(b: Builder, matrix: Leaves) -> Leaves:
    every = tuple(range(len(matrix)))
    return (_minor(b, matrix, every, every),)


def _inverse(b: Builder, matrix: Leaves) -> Leaves:
    """Adjugate over determinant; the builder reuses equal minors."""
    every = tuple(range(len(matrix)))
    adjugate = []
    for column in every:
        parts = []
        for row in every:
            minor = _minor(b, matrix, tuple(c for c in every if c != row), tuple(r for r in every if r != column))
            parts.append(b.negate(minor) if (row + column) % 2 else minor)
        adjugate.append(b.vector(parts))
    total: Operand | None = None
    for row in every:
        term = b.alu("MUL", b.select(matrix[row], (0,)), b.select(adjugate[0], (row,)))
        total = term if total is None else b.alu("ADD", total, term)
    assert total is not None
    reciprocal = b.alu("RCP", total)
    return tuple(b.alu("MUL", column, widen(b, reciprocal, len(matrix))) for column in adjugate)


EXPANDERS: dict[str, Callable[..., Leaves]] = {
    "transpose": _transpose,
    "outerProduct": _outer_product,
    "determinant": _determinant,
    "inverse": _inverse,
}
