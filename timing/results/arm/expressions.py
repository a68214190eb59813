"""Equations over names: Arm's over counters, and ours over statistics. They are data, so nothing is executed: the text
is parsed, and only sums, products, quotients, `max` and `min` of names and numbers are computed.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from functools import lru_cache

Lookup = Callable[[str], float | None]
"""Value of a name, or None where there is none."""
MAX_LETTERS = 1000


class EquationError(ValueError):
    """Text that is none of these equations."""


@lru_cache(maxsize=4096)
def parsed(text: str) -> ast.expr:
    """Tree of an equation.

    Raises
    ------
    EquationError
        If it has anything else in it.
    """
    if len(text) > MAX_LETTERS:
        raise EquationError(f"longer than {MAX_LETTERS} letters: {text[:40]}...")
    try:
        tree = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise EquationError(f"no equation: {text}") from None
    list(_names(tree))
    return tree


def names(text: str) -> list[str]:
    """Names in an equation, each once."""
    return list(dict.fromkeys(_names(parsed(text))))


def value_of(text: str, lookup: Lookup) -> float | None:
    """Value of an equation, or None where a name has none or something is divided by 0."""
    return _value(parsed(text), lookup)


def _names(tree: ast.expr) -> Iterator[str]:
    match tree:
        case ast.Constant(value=bool()):
            raise EquationError(f"not in an equation: {ast.unparse(tree)}")
        case ast.Constant(value=int() | float()):
            return
        case ast.Name() | ast.Attribute():
            yield _dotted(tree)
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() | ast.Mult() | ast.Div(), right=right):
            yield from _names(left)
            yield from _names(right)
        case ast.Call(func=ast.Name(id="max" | "min"), args=[_, *_] as values, keywords=[]):
            for value in values:
                yield from _names(value)
        case _:
            raise EquationError(f"not in an equation: {ast.unparse(tree)}")


def _dotted(tree: ast.expr) -> str:
    match tree:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=value, attr=name):
            return f"{_dotted(value)}.{name}"
    raise EquationError(f"not in an equation: {ast.unparse(tree)}")


def _value(tree: ast.expr, lookup: Lookup) -> float | None:
    match tree:
        case ast.Constant(value=int() | float() as number):
            return number
        case ast.BinOp(left=left, op=op, right=right):
            a, b = _value(left, lookup), _value(right, lookup)
            return None if a is None or b is None else _combined(a, op, b)
        case ast.Call(func=ast.Name(id=name), args=args):
            values = [_value(arg, lookup) for arg in args]
            given = [value for value in values if value is not None]
            return None if len(given) < len(values) else (max(given) if name == "max" else min(given))
    return lookup(_dotted(tree))


def _combined(a: float, op: ast.operator, b: float) -> float | None:
    match op:
        case ast.Add():
            return a + b
        case ast.Sub():
            return a - b
        case ast.Mult():
            return a * b
    return a / b if b else None
