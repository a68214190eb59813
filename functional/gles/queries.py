"""Query objects (OpenGL ES 3.0, 2.14) and sync objects (5.2)."""

from __future__ import annotations

from dataclasses import dataclass

from ..opengl import enums as gl

PRIMITIVES_WRITTEN, TIME_ELAPSED, TIMESTAMP = gl.TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN, gl.TIME_ELAPSED, gl.TIMESTAMP
OCCLUSION = frozenset({gl.ANY_SAMPLES_PASSED, gl.ANY_SAMPLES_PASSED_CONSERVATIVE})
TARGETS = OCCLUSION | {PRIMITIVES_WRITTEN, TIME_ELAPSED}
"""Targets of queries that count between begin and end; no time passes here, so TIME_ELAPSED is 0."""


@dataclass
class Query:
    """A query object; its result is available as soon as it ends."""

    name: int
    target: int = 0
    active: bool = False
    result: int = 0


@dataclass
class Sync:
    """A fence; everything before it is complete when it is created."""

    handle: int
