"""Conversion and checks of arguments for entry points: a stream may hold anything."""

from __future__ import annotations

from math import floor, isfinite
from typing import Any

from ..capture import Call
from ..opengl import enums as gl
from ..opengl.errors import GLError

Handle = int
Range = tuple[int, int]
WORD: Range = (-(1 << 31), (1 << 32) - 1)
"""Numbers of GLint, GLsizei, GLuint, GLenum and GLbitfield."""
_ADDRESS: Range = (-(1 << 63), (1 << 64) - 1)


def whole(value: Any, valid: Range = WORD) -> int:
    """An integer from an argument; GLError for anything else, and for one that its type in C cannot hold."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if not isinstance(value, int):
        raise GLError(gl.INVALID_VALUE, f"{value!r:.40} where an integer is expected")
    if not valid[0] <= value <= valid[1]:
        raise GLError(gl.INVALID_VALUE, f"{value!r:.40} where an integer of {valid[0]} to {valid[1]} is expected")
    return int(value)


def rounded(value: Any) -> int:
    """An integer from a number: the nearest one (OpenGL ES 3.1, 2.2.1); GLError for anything else."""
    if isinstance(value, float) and isfinite(value):
        value = floor(value + 0.5)
    return whole(value)


def handle(value: Any) -> Handle:
    """An address, of an object or of memory, or an offset into a buffer; 0 for none; GLError for anything else."""
    return 0 if value is None else whole(value, _ADDRESS)


def made(call: Call) -> int:
    """Name of the object that a call made, 0 for none; GLError if it did not return an integer."""
    return handle(call.result)


def number(value: Any) -> float:
    """A number from an argument; GLError for anything else."""
    if not isinstance(value, int | float) or (isinstance(value, int) and abs(value) > _ADDRESS[1]):
        raise GLError(gl.INVALID_VALUE, f"{value!r:.40} where a number is expected")
    return float(value)


def signless(value: float) -> float:
    """A number with negative zero made positive, because both are equal as dictionary keys."""
    return float(value) + 0.0


def clamped(value: float) -> float:
    """A number clamped to 0…1; NaN becomes 0."""
    return min(max(0.0, value), 1.0)


def text(value: Any) -> str:
    """A text from an argument; GLError for anything else."""
    if not isinstance(value, str):
        raise GLError(gl.INVALID_VALUE, f"{value!r:.40} where a name is expected")
    return value


def texts(value: Any) -> list[str]:
    """Texts from an argument that is a list of them, a single one or absent; GLError for anything else."""
    if value is None:
        return []
    return [text(v) for v in value] if isinstance(value, list) else [text(value)]


def blob(value: Any) -> bytes:
    """Bytes from an argument; GLError for anything else."""
    if not isinstance(value, bytes):
        raise GLError(gl.INVALID_VALUE, f"{value!r:.40} where data are expected")
    return value


def blob_or_none(value: Any) -> bytes | None:
    """Bytes from an argument that may be absent; GLError for anything else."""
    return None if value is None else blob(value)


def integers(value: Any, valid: Range = WORD) -> list[int]:
    """Integers from an argument that is a list of them, a single one or absent; GLError for anything else."""
    if value is None:
        return []
    return [whole(v, valid) for v in value] if isinstance(value, list) else [whole(value, valid)]


def numbers(value: Any) -> list[float]:
    """Numbers from an argument that is a list of them, a single one or absent; GLError for anything else."""
    if value is None:
        return []
    return [number(v) for v in value] if isinstance(value, list) else [number(value)]
