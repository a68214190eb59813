"""Warps of visible fragments: several quads that each have few of them share one (Decoupled Access/Execute, 3.3:
"visible fragments are packed into tiles", which are four fragments, a warp).

The first quad in a processor's queue starts a warp; those behind it join in the same cycle as long as they fit. A lane
of the warp is a quad: arithmetic is issued once for all of them, texture operations and accesses to pixels quad by
quad.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilegpu.timing.declare.records import MAX_THREADS, QUAD, Token

from ..engine.jit import inline, unit
from . import processor
from .processor import Processor, Warp, newest

if TYPE_CHECKING:
    from ..engine.frame import Depth, Quad, Shading


@inline
def fragments_of(samples: int) -> int:
    """Pixels of a quad that have one of some samples."""
    pixels = (samples | samples >> 4 | samples >> 8 | samples >> 12) & 15
    return (pixels & 1) + (pixels >> 1 & 1) + (pixels >> 2 & 1) + (pixels >> 3 & 1)


@inline
def visible_fragments(depth: Depth, quad: Quad) -> int:
    """Fragments that passed the early test, or that are to be tested after shading."""
    late = depth.state[depth.primitive[quad.primitive].state].late
    return fragments_of(int(quad.coverage) if late != 0 else int(quad.passed))


@inline
def place_of(quad: Quad) -> int:
    """Place of a quad on the screen."""
    return int(quad.y << 16 | quad.x)


@inline
def enter(depth: Depth, core: Processor, token: Token, quad: Quad, lane: int) -> None:
    """Put a quad into a lane of the newest warp."""
    w = newest(core)
    core.item[MAX_THREADS * w + lane] = token.index
    core.place[MAX_THREADS * w + lane] = place_of(quad)
    core.first_operation[MAX_THREADS * w + lane] = quad.operation
    if token.kind == QUAD:
        fragments = visible_fragments(depth, quad)
        core.fragments += fragments
        core.warp.slot[w].fragments += fragments


@unit
def join(shading: Shading, depth: Depth, core: Processor, token: Token) -> bool:
    """Let a quad share the newest warp, which no other instruction was issued for yet; False where it cannot."""
    warp = core.warp.slot[newest(core)]
    if token.kind != QUAD or not fits(shading, depth, core, warp, token):
        return False
    quad = shading.quad[token.index]
    enter(depth, core, token, quad, warp.lanes)
    warp.lanes += 1
    core.items += 1
    processor.count(core, shading.path[quad.path], 1)
    return True


@inline
def fits(shading: Shading, depth: Depth, core: Processor, warp: Warp, token: Token) -> bool:
    """Whether a quad may share a warp: of the same draw state, with the same instructions to execute, room for its
    fragments, and none of the quads there at its place."""
    if token.tile != warp.tile or warp.lanes == MAX_THREADS:
        return False
    first = MAX_THREADS * newest(core)
    quad, leader = shading.quad[token.index], shading.quad[core.item[first]]
    if quad.path < 0 or leader.path < 0:
        return False
    path, led = shading.path[quad.path], shading.path[leader.path]
    if path.first != led.first or path.last != led.last:
        return False
    if depth.primitive[quad.primitive].state != depth.primitive[leader.primitive].state:
        return False
    room = warp.fragments + visible_fragments(depth, quad) <= MAX_THREADS
    for lane in range(warp.lanes):
        room &= core.place[first + lane] != place_of(quad)
    return bool(room)
