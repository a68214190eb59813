"""Shader sources of a frame's draws."""

from __future__ import annotations

import re

from .captured import CapturedFrame
from .declare import RefusedError

TEXELS = re.compile(r"\b(texelFetch\w*|textureSize|imageLoad|imageSize)\b")


def fragment_source(frame: CapturedFrame, draw: int | None) -> tuple[int, str]:
    """Place of the call that gives the fragment shader of a draw its source, and the source.

    Raises
    ------
    RefusedError
        If no such call is in the capture.
    """
    place = frame.draw(draw).fragment_source
    strings = frame.calls[place].arguments[2] if place >= 0 else None
    if not isinstance(strings, list) or not all(isinstance(text, str) for text in strings):
        raise RefusedError("the source of its fragment shader is not in the capture")
    return place, "".join(text for text in strings if isinstance(text, str))


def check_coordinates(frame: CapturedFrame, draw: int | None) -> None:
    """RefusedError where a fragment shader counts texels."""
    try:
        _, source = fragment_source(frame, draw)
    except RefusedError:
        # Programs of the fixed functions, and binaries that nothing is known of, read by coordinates from 0 to 1.
        return
    counted = TEXELS.search(source)
    if counted is not None:
        raise RefusedError(f"its shader counts texels ({counted[1]})")
