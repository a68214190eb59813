"""Functions that programs are made of."""

from __future__ import annotations

import ast
import linecache
from collections.abc import Callable
from functools import cache
from typing import Any


class Part:
    """A function that programs call.

    Parameters
    ----------
    function
        It takes numbers, records, arrays and tuples, allocates nothing, and its indices are never negative.
    inlined
        Always make it a part of each of its callers; otherwise LLVM decides.

    Attributes
    ----------
    py_func
        The function.
    """

    def __init__(self, function: Callable[..., Any], inlined: bool) -> None:
        self.py_func, self.inlined = function, inlined
        self.__name__, self.__doc__, self.__module__ = function.__name__, function.__doc__, function.__module__

    def __call__(self, *arguments: Any) -> Any:
        """Run it as the Python that it is."""
        return self.py_func(*arguments)


def lowest_bit(mask: int) -> int:
    """Number of the lowest bit that is set in a mask, which must not be 0; an instruction in programs."""
    return (mask & -mask).bit_length() - 1


def definition(function: Callable[..., Any]) -> ast.FunctionDef:
    """Source text of a function, parsed.

    Raises
    ------
    OSError
        If there is no text.
    """
    code = function.__code__
    # The first line of code is that of the first decorator.
    definition_there = _definitions(code.co_filename, _Lines(linecache.getlines(code.co_filename))).get(
        (code.co_firstlineno, code.co_name)
    )
    if definition_there is None:
        raise OSError(f"{code.co_filename}:{code.co_firstlineno}: the text of {code.co_name} cannot be read")
    return definition_there


class _Lines:
    """Lines of a file, which are the same if they are the same object: that of Python's `linecache`."""

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Lines) and self.lines is other.lines

    def __hash__(self) -> int:
        return id(self.lines)


@cache
def _definitions(file: str, text: _Lines) -> dict[tuple[int, str], ast.FunctionDef]:
    """Functions of a file by first line and name."""
    tree = ast.parse("".join(text.lines), file)
    return {
        (min([node.lineno, *(each.lineno for each in node.decorator_list)]), node.name): node
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef)
    }


def names_of(function: Callable[..., Any]) -> Callable[[str], Any]:
    """Objects that a function's text can name, apart from its variables: as they are when they are asked for."""
    code = function.__code__
    cells = dict(zip(code.co_freevars, function.__closure__ or (), strict=True))
    builtins: Any = function.__globals__["__builtins__"]
    standard = builtins if isinstance(builtins, dict) else vars(builtins)

    def find(name: str) -> Any:
        if name in cells:
            return cells[name].cell_contents
        return function.__globals__[name] if name in function.__globals__ else standard[name]

    return find
