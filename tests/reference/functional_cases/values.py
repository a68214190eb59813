"""Compares answers to queries with those in the stream."""

from __future__ import annotations

from typing import Any

from tilegpu.functional.capture import Call

UNCOMPARED = frozenset(
    {
        # Texts of the implementation, and numbers that every driver chooses itself.
        "glGetActiveUniformBlockiv",
        "glGetActiveUniformsiv",
        "glGetProgramInfoLog",
        "glGetShaderInfoLog",
        "glGetShaderSource",
        "glGetString",
        "glGetStringi",
        "glGetUniformIndices",
        "glGetUniformLocation",
    }
)
_LENGTHS = frozenset({0x8B84, 0x8B88, 0x8B8A, 0x8B87, 0x8A35})
"""Lengths of logs, sources and names."""
_OF_NAMES = frozenset({"glGetProgramResourceName", "glGetActiveUniformBlockName", "glGetProgramPipelineInfoLog"})
_OF_VARIABLES = frozenset({"glGetActiveUniform", "glGetActiveAttrib", "glGetTransformFeedbackVarying"})


def flat(value: Any) -> list[Any]:
    """A value and all that is nested in it."""
    return [leaf for part in value for leaf in flat(part)] if isinstance(value, list | tuple) else [value]


def is_compared(call: Call) -> bool:
    """Whether the answer to a query depends on nothing that drivers choose."""
    lengths = call.name in ("glGetShaderiv", "glGetProgramiv", "glGetProgramPipelineiv")
    return call.name not in UNCOMPARED and not (lengths and call.arguments[1:2] and call.arguments[1] in _LENGTHS)


def recorded_answer(call: Call) -> list[Any] | None:
    """The answer in the stream; None if there is none."""
    arguments = call.arguments
    if call.result is not None:
        return flat(call.result)
    if call.name in _OF_NAMES:
        name = flat(arguments[-1])[0] if arguments[-1:] and arguments[-1] else None
        return [name] if isinstance(name, str) else None
    if call.name in _OF_VARIABLES:
        name = flat(arguments[6])[0] if len(arguments) > 6 else None
        return [name, flat(arguments[5])[0], flat(arguments[4])[0]] if isinstance(name, str) else None
    if call.name == "glGetShaderPrecisionFormat":
        return flat(arguments[2]) + flat(arguments[3])
    return next((flat(a) for a in reversed(arguments) if isinstance(a, list)), None)


def same(a: Any, b: Any) -> bool:
    """Whether two numbers or texts are the same: integers modulo 2^32, floats closely."""
    if isinstance(a, str) or isinstance(b, str) or a is None or b is None:
        return bool(a == b)
    x, y = float(a), float(b)
    if x == y or (x != x and y != y) or abs(x - y) <= 1e-5 * max(1, abs(x), abs(y)):
        return True
    whole = x == int(x) and y == int(y) if abs(x) < 2**33 and abs(y) < 2**33 else False
    return whole and x % 2**32 == y % 2**32


def alike(ours: list[Any], theirs: list[Any]) -> bool:
    """Whether an answer is the one in the stream, which may be followed by room that was not filled."""
    return len(ours) <= len(theirs) and all(same(a, b) for a, b in zip(ours, theirs, strict=False))
