"""Mediump where the fragment shader of a draw declares highp."""

from __future__ import annotations

import re

from tilegpu.functional.capture import Call

from ..captured import CapturedFrame
from ..declare import RefusedError, Transformation
from ..sources import fragment_source

HIGHP = re.compile(r"\bhighp\b")


def apply(frame: CapturedFrame, draw: int | None) -> list[Call]:
    """Give the shader another source."""
    place, source = fragment_source(frame, draw)
    if not HIGHP.search(source):
        raise RefusedError("its fragment shader declares no highp")
    original, calls = frame.calls[place], list(frame.calls)
    text = HIGHP.sub("mediump", source)
    calls[place] = original.with_arguments([original.arguments[0], 1, [text], None])
    return calls


TRANSFORMATION = Transformation(
    "mediump",
    "mediump where its fragment shader declares highp",
    "values of more than 10 bits, such as coordinates of large textures",
    apply,
    frozenset({"arithmetic", "results"}),
    shares="program",
    pictured=False,
    caution="all draws with this program change; pictures are computed in 32 bits here",
)
