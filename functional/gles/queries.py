"""Query objects (OpenGL ES 3.0, 2.14) and sync objects (5.2)."""

from __future__ import annotations

from dataclasses import dataclass

ANY_SAMPLES_PASSED, ANY_SAMPLES_PASSED_CONSERVATIVE = 0x8C2F, 0x8D6A
PRIMITIVES_WRITTEN, TIME_ELAPSED, TIMESTAMP = 0x8C88, 0x88BF, 0x8E28
OCCLUSION = frozenset({ANY_SAMPLES_PASSED, ANY_SAMPLES_PASSED_CONSERVATIVE})
TARGETS = OCCLUSION | {PRIMITIVES_WRITTEN, TIME_ELAPSED}
"""What a query can count between its begin and its end; no time passes here, so that of TIME_ELAPSED is 0."""


@dataclass
class Query:
    """A query object; its result is there as soon as it ends."""

    name: int
    target: int = 0
    active: bool = False
    result: int = 0


@dataclass
class Sync:
    """A fence; everything before it is done when it is made."""

    handle: int
