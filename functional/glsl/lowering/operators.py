"""Operators and conversions, on operands."""

from collections.abc import Callable

from ..ssa import Builder, Operand
from ..types import BasicType, Type, leaf_types

Leaves = tuple[Operand, ...]
ONE = 0x3F800000

_FLOAT = {"+": "ADD", "*": "MUL", "/": "DIV", "<": "FSLT", ">=": "FSGE"}
_INT = {
    "+": "UADD",
    "*": "UMUL",
    "/": "IDIV",
    "%": "MOD",
    "<": "ISLT",
    ">=": "ISGE",
    "&": "AND",
    "|": "OR",
    "^": "XOR",
    "<<": "SHL",
    ">>": "ISHR",
}
_UNSIGNED = {**_INT, "/": "UDIV", "%": "UMOD", "<": "USLT", ">=": "USGE", ">>": "USHR"}
_TABLES = {"float": _FLOAT, "int": _INT, "uint": _UNSIGNED, "bool": _INT}


def widen(builder: Builder, operand: Operand, width: int) -> Operand:
    """A scalar repeated; anything else as it is."""
    return builder.select(operand, (0,) * width) if len(operand.swizzle) == 1 < width else operand


def pairwise(builder: Builder, function: Callable[[Operand, Operand], Operand], a: Leaves, b: Leaves) -> Leaves:
    """Apply a function leaf by leaf; a single scalar is combined with every leaf of the other side."""
    count = max(len(a), len(b))
    width = max(len(leaf.swizzle) for leaf in (*a, *b))
    left = a * count if len(a) == 1 else a
    right = b * count if len(b) == 1 else b
    return tuple(function(widen(builder, x, width), widen(builder, y, width)) for x, y in zip(left, right, strict=True))


def binary(builder: Builder, operator: str, left: Type, right: Type, a: Leaves, b: Leaves) -> Leaves:
    """A binary operator whose operands have been evaluated."""
    if operator in ("==", "!="):
        equal = equality(builder, a, b, _leaf_bases(left))
        return (equal if operator == "==" else builder.alu("NOT", equal),)
    assert isinstance(left, BasicType) and isinstance(right, BasicType)
    if operator == "*" and (left.is_matrix or right.is_matrix) and not (left.is_scalar or right.is_scalar):
        return product(builder, left, right, a, b)
    if operator in ("&&", "||", "^^"):
        return (builder.alu({"&&": "AND", "||": "OR", "^^": "XOR"}[operator], a[0], b[0]),)
    if operator in (">", "<="):
        return binary(builder, {">": "<", "<=": ">="}[operator], right, left, b, a)
    if operator == "-":
        b = negated(builder, right, b)
        operator = "+"
    opcode = _TABLES[left.base][operator]
    return pairwise(builder, lambda x, y: builder.alu(opcode, x, y), a, b)


def _leaf_bases(of: Type) -> list[str]:
    return [leaf.base if isinstance(leaf, BasicType) else "" for leaf in leaf_types(of)]


def negated(builder: Builder, of: Type, leaves: Leaves) -> Leaves:
    """Unary minus."""
    if isinstance(of, BasicType) and of.base == "float":
        return tuple(builder.negate(leaf) for leaf in leaves)
    return tuple(builder.alu("INEG", leaf) for leaf in leaves)


def equality(builder: Builder, a: Leaves, b: Leaves, bases: list[str]) -> Operand:
    """Whether two values are equal in every component."""
    result: Operand | None = None
    for x, y, base in zip(a, b, bases, strict=True):
        equal = all_of(builder, builder.alu("FSEQ" if base == "float" else "USEQ", x, y))
        result = equal if result is None else builder.alu("AND", result, equal)
    assert result is not None
    return result


def all_of(builder: Builder, mask: Operand) -> Operand:
    """Whether every component is true."""
    return _reduce(builder, "AND", mask)


def any_of(builder: Builder, mask: Operand) -> Operand:
    """Whether a component is true."""
    return _reduce(builder, "OR", mask)


def _reduce(builder: Builder, op: str, mask: Operand) -> Operand:
    width = len(mask.swizzle)
    if width == 1:
        return mask
    half = width // 2
    low, high = builder.select(mask, tuple(range(half))), builder.select(mask, tuple(range(half, 2 * half)))
    result = _reduce(builder, op, builder.alu(op, low, high))
    return builder.alu(op, result, builder.select(mask, (width - 1,))) if width % 2 else result


def transform(builder: Builder, columns: Leaves, vector: Operand) -> Operand:
    """Matrix times vector: a sum of columns, starting with the second one as in TGSI dumps."""
    scaled = [
        (column, widen(builder, builder.select(vector, (i,)), len(column.swizzle))) for i, column in enumerate(columns)
    ]
    order = [1, 0, *range(2, len(columns))]
    total: Operand | None = None
    for column, factor in (scaled[i] for i in order):
        term = builder.alu("MUL", column, factor)
        total = term if total is None else builder.alu("ADD", term, total)
    assert total is not None
    return total


def dot(builder: Builder, a: Operand, b: Operand) -> Operand:
    """Scalar product of two vectors of equal width."""
    width = len(a.swizzle)
    return builder.alu("MUL", a, b) if width == 1 else builder.alu(f"DP{width}", a, b)


def product(builder: Builder, left: BasicType, right: BasicType, a: Leaves, b: Leaves) -> Leaves:
    """Products with a matrix (section 5.10)."""
    if not left.is_matrix:
        return (builder.vector([dot(builder, a[0], column) for column in b]),)
    return tuple(transform(builder, a, column) for column in b)


def convert(builder: Builder, operand: Operand, source: str, target: str) -> Operand:
    """Convert components from one base type to another (section 5.4.1)."""
    if source == target or {source, target} == {"int", "uint"}:
        return operand
    zeros = builder.immediate(*(0,) * len(operand.swizzle))
    if target == "bool":
        return builder.alu("FSNE" if source == "float" else "USNE", operand, zeros)
    if source == "bool":
        one = ONE if target == "float" else 1
        return builder.alu("AND", operand, builder.immediate(*(one,) * len(operand.swizzle)))
    if target == "float":
        return builder.alu("U2F" if source == "uint" else "I2F", operand)
    return builder.alu("F2U" if target == "uint" else "F2I", operand)


def construct(builder: Builder, of: BasicType, arguments: list[tuple[BasicType, Leaves]]) -> Leaves:
    """A constructor of a scalar, vector or matrix (sections 5.4.2 and 5.4.3)."""
    first_type, first = arguments[0]
    if len(arguments) == 1 and of.is_matrix and first_type.is_matrix:
        return tuple(_fit_column(builder, first, i, of.rows) for i in range(of.columns))
    if len(arguments) == 1 and first_type.is_scalar:
        scalar = convert(builder, first[0], first_type.base, of.base)
        if of.is_matrix:
            return tuple(_diagonal(builder, scalar, i, of.rows) for i in range(of.columns))
        return (widen(builder, scalar, of.rows),)
    parts: list[Operand] = []
    for source, leaves in arguments:
        for leaf in leaves:
            wanted = min(len(leaf.swizzle), of.component_count - len(parts))
            if wanted > 0:
                cut = builder.select(leaf, tuple(range(wanted)))
                converted = convert(builder, cut, source.base, of.base)
                parts += [builder.select(converted, (i,)) for i in range(wanted)]
    return tuple(builder.vector(parts[i : i + of.rows]) for i in range(0, len(parts), of.rows))


def _diagonal(builder: Builder, scalar: Operand, column: int, rows: int) -> Operand:
    return builder.vector([scalar if row == column else builder.immediate(0) for row in range(rows)])


def _fit_column(builder: Builder, columns: Leaves, index: int, rows: int) -> Operand:
    """A column of a matrix made from another matrix; missing parts come from the identity matrix."""
    parts = []
    for row in range(rows):
        inside = index < len(columns) and row < len(columns[index].swizzle)
        default = builder.immediate(ONE if row == index else 0)
        parts.append(builder.select(columns[index], (row,)) if inside else default)
    return builder.vector(parts)
