"""Checks that many entry points share; each raises what the specifications ask for."""

from __future__ import annotations

from collections.abc import Container, Iterable

from . import enums as gl
from .errors import GLError


def check_enum(value: int, allowed: Container[int], what: str = "value") -> None:
    """INVALID_ENUM where a value is none of those allowed."""
    if value not in allowed:
        raise GLError(gl.INVALID_ENUM, f"{value:#06x} is no {what} allowed here")


def check_value(valid: bool, message: str) -> None:
    """INVALID_VALUE unless something holds."""
    if not valid:
        raise GLError(gl.INVALID_VALUE, message)


def check_operation(valid: bool, message: str) -> None:
    """INVALID_OPERATION unless something holds."""
    if not valid:
        raise GLError(gl.INVALID_OPERATION, message)


def check_count(count: int) -> None:
    """INVALID_VALUE for a negative number of things."""
    check_value(count >= 0, f"count {count}")


def listed(count: int, names: Iterable[int]) -> list[int]:
    """The names that glGen and glDelete are given; GLError for a negative count."""
    check_count(count)
    return list(names)[:count]
