"""Result types of operators (sections 5.1, 5.8, 5.9), behind implicit conversions where the language has them."""

from ..types import BOOL, VOID, BasicType, StructType, Type, contains_array, contains_opaque

_BITWISE = frozenset(["&", "|", "^"])
SHIFTS = frozenset(["<<", ">>"])
_RELATIONAL = frozenset(["<", ">", "<=", ">="])


def unary_type(operator: str, operand: Type) -> Type | None:
    """Type of a prefix operator's result; None if it does not apply."""
    if not isinstance(operand, BasicType):
        return None
    if operator == "!":
        return operand if operand == BOOL else None
    if operator == "~":
        return operand if operand.base in ("int", "uint") else None
    return operand if operand.base != "bool" else None


def binary_type(operator: str, left: Type, right: Type, version: int) -> Type | None:
    """Type of a binary operator's result; None if it does not apply."""
    if operator in ("==", "!="):
        return _equality(left, right, version)
    if not isinstance(left, BasicType) or not isinstance(right, BasicType):
        return None
    if operator in ("&&", "||", "^^"):
        return BOOL if left == BOOL and right == BOOL else None
    if operator in _RELATIONAL:
        comparable = left == right and left.is_scalar and left.base != "bool"
        return BOOL if comparable else None
    if operator in SHIFTS:
        integers = left.base in ("int", "uint") and right.base in ("int", "uint")
        return left if integers and (right.is_scalar or right.rows == left.rows) else None
    if left.base != right.base or left.base == "bool":
        return None
    if operator in _BITWISE or operator == "%":
        return _componentwise(left, right) if left.base in ("int", "uint") else None
    if operator == "*" and (left.is_matrix or right.is_matrix):
        return _product(left, right)
    return _componentwise(left, right)


def _equality(left: Type, right: Type, version: int) -> Type | None:
    if left != right or left == VOID or contains_opaque(left):
        return None
    if contains_array(left) and version < 300:
        return None
    return BOOL if isinstance(left, (BasicType, StructType)) or version >= 300 else None


def _componentwise(left: BasicType, right: BasicType) -> BasicType | None:
    if left == right or right.is_scalar:
        return left
    return right if left.is_scalar else None


def _product(left: BasicType, right: BasicType) -> BasicType | None:
    if left.is_scalar or right.is_scalar:
        return _componentwise(left, right)
    if left.is_vector:
        return BasicType("float", right.columns) if left.rows == right.rows else None
    if left.columns != right.rows:
        return None
    return BasicType("float", left.rows, right.columns)
