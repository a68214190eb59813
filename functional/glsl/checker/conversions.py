"""Implicit conversions of integers to floats, and of signed ones to unsigned, where the language has them (GLSL 1.20,
4.1.10; EXT_shader_implicit_conversions)."""

from ..typed import Construct, Expression
from ..types import BasicType, Type

EXTENSION = "GL_EXT_shader_implicit_conversions"
"""Extension to GLSL ES 3.10 with the same rules."""
_ORDER = {"int": 0, "uint": 1, "float": 2}


def convertible(of: Type, to: Type) -> bool:
    """Whether a value of one type becomes one of another by itself."""
    if not isinstance(of, BasicType) or not isinstance(to, BasicType) or of.is_matrix or to.is_matrix:
        return False
    numeric = of.base in _ORDER and to.base in _ORDER
    return numeric and of.rows == to.rows and _ORDER[of.base] < _ORDER[to.base]


def converted(value: Expression, to: Type) -> Expression:
    """A value as one of another type if it becomes that by itself, otherwise as it is."""
    return Construct(value.line, to, (value,), constant=value.constant) if convertible(value.type, to) else value


def balanced(left: Expression, right: Expression) -> tuple[Expression, Expression]:
    """Operands with one kind of components, each with as many as it had."""
    return converted(left, _like(left.type, right.type)), converted(right, _like(right.type, left.type))


def _like(own: Type, other: Type) -> Type:
    """A type with the components of another."""
    if not isinstance(own, BasicType) or not isinstance(other, BasicType) or own.is_matrix:
        return own
    return BasicType(other.base, own.rows)


def takes(parameters: tuple[Type, ...], types: tuple[Type, ...]) -> bool:
    """Whether each argument has its parameter's type, or becomes that by itself."""
    pairs = zip(types, parameters, strict=False)
    return len(parameters) == len(types) and all(of == to or convertible(of, to) for of, to in pairs)
