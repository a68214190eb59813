"""Limits of the driver that a program was captured on, where they exceed those of tilegpu.

Programs size their textures and arrays by what the driver answers, and the answers are in the stream.
"""

from __future__ import annotations

from collections.abc import Mapping

from ..capture import Call
from ..opengl import enums as gl
from ..opengl.limits import LIMITS

LIMIT_QUERIES = frozenset({"glGetIntegerv", "glGetFloatv", "glGetInteger64v"})
_NO_RESOURCE = frozenset({gl.MAX_ELEMENTS_INDICES, gl.MAX_ELEMENTS_VERTICES, gl.MAX_ELEMENT_INDEX,
                          gl.MAX_SERVER_WAIT_TIMEOUT, gl.MAX_SAMPLES})  # fmt: skip
"""Hints and numbers that change no picture; more samples than four are drawn with four."""
_NAMES: Mapping[int, str] = {
    value: name
    for name, value in vars(gl).items()
    if name.startswith(("MAX_", "ALIASED_")) and value in LIMITS and value not in _NO_RESOURCE
}


def note_limit(reported: dict[int, float], call: Call) -> None:
    """Note the largest number that a query of a limit was answered with."""
    if len(call.arguments) < 2:
        return
    name, answer = call.arguments[:2]
    numbers = [n for n in (answer if isinstance(answer, list) else [answer]) if isinstance(n, int | float)]
    if isinstance(name, int) and name in _NAMES and numbers:
        reported[name] = max(reported.get(name, 0), *numbers)


def limits_beyond(reported: Mapping[int, float]) -> list[str]:
    """Reported limits above tilegpu's, one line each."""
    return [
        f"GL_{_NAMES[name]}: {number:,.0f} on the captured driver, {max(LIMITS[name]):,.0f} in tilegpu"
        for name, number in sorted(reported.items())
        if number > max(LIMITS[name])
    ]
