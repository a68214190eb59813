"""A technique for tests that is told what happens to samples, quads and cache lines, and leaves quads out, or their
shading, where the test wishes."""

from __future__ import annotations

from typing import Any

from tilegpu.timing.declare.records import Record, i8

from ..engine.hooks import BYPASS, GO, SKIP
from ..engine.jit import inline
from ..engine.technique import Technique


class State(Record):
    """Counts, and the test's wishes."""

    tested: i8
    passed: i8
    written: i8
    rasterized: i8
    accessed: i8
    blended: i8
    skip: i8
    bypass: i8


TECHNIQUE = Technique("watching", "counts what it is told", record=State)


@inline
def depth_tested(gpu: Any, own: Any, depth: Any, r: int, place: int, quad: int, compared: Any, passed: bool) -> bool:
    """Count."""
    state = gpu.technique.watching
    state.tested += 1
    state.passed += 1 if passed else 0
    return passed


@inline
def depth_written(gpu: Any, own: Any, depth: Any, r: int, place: int, quad: int) -> None:
    """Count."""
    gpu.technique.watching.written += 1


@inline
def rasterized(gpu: Any, own: Any, tiling: Any, r: int, quad: int, t: int) -> int:
    """Count; leave every other quad out, if so wished."""
    state = gpu.technique.watching
    state.rasterized += 1
    return SKIP if state.skip != 0 and quad % 2 == 1 else GO


@inline
def quad_ready(gpu: Any, own: Any, depth: Any, r: int, quad: int, t: int) -> int:
    """Let every other quad go to blending without being shaded, if so wished."""
    return BYPASS if gpu.technique.watching.bypass != 0 and quad % 2 == 1 else GO


@inline
def cache_accessed(gpu: Any, cache: Any, port: Any, line: int, place: int, t: int) -> None:
    """Count."""
    gpu.technique.watching.accessed += 1


@inline
def blended(gpu: Any, own: Any, depth: Any, r: int, quad: int, passed: int, t: int) -> None:
    """Count."""
    gpu.technique.watching.blended += 1
