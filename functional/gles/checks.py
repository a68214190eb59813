"""Checks shared by many entry points; each raises the error that the specifications ask for."""

from __future__ import annotations

from collections.abc import Container, Iterable

from ..opengl import enums as gl
from ..opengl.errors import GLError
from ..opengl.limits import LIMITS


def check_enum(value: int, allowed: Container[int], what: str = "value") -> None:
    """INVALID_ENUM unless a value is among those allowed."""
    if value not in allowed:
        raise GLError(gl.INVALID_ENUM, f"{value:#06x} is not a valid {what} here")


def check_value(valid: bool, message: str) -> None:
    """INVALID_VALUE unless a condition holds."""
    if not valid:
        raise GLError(gl.INVALID_VALUE, message)


def check_limit(number: int, limit: int, message: str) -> None:
    """INVALID_VALUE for a number above one of `LIMITS`; the message names the limit."""
    most = LIMITS[limit][0]
    if number > most:
        name = next(name for name, value in vars(gl).items() if value == limit and name.startswith("MAX_"))
        raise GLError(gl.INVALID_VALUE, f"{message} exceeds GL_{name}, {most} in tilegpu")


def check_operation(valid: bool, message: str) -> None:
    """INVALID_OPERATION unless a condition holds."""
    if not valid:
        raise GLError(gl.INVALID_OPERATION, message)


def check_count(count: int) -> None:
    """INVALID_VALUE for a negative count."""
    check_value(count >= 0, f"count {count}")


def listed(count: int, names: Iterable[int]) -> list[int]:
    """The names passed to glGen and glDelete functions; GLError for a negative count."""
    check_count(count)
    return list(names)[:count]
