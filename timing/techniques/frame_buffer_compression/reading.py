"""Reading of texels: what first-level caches ask the L2 for, in place of lines of a compressed surface.

First-level caches hold texels as they are, the L2 holds what memory does. A miss reads the line of the superblock's
header; that says where the payload of the subblocks lies, and its lines come next, all at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilegpu.timing.declare.records import MAX_MSHRS

from ...engine.hooks import GO, SKIP, WAIT
from ...engine.jit import inline, unit
from ...memory.request import READ, TEXTURE, can_send, send
from ...memory.texture_layout import every_other
from .places import first_texel, level_at, superblock
from .state import HEADER_BYTES, SUBBLOCKS, Fetch, Level, State

if TYPE_CHECKING:
    from ...memory.cache import Cache
    from ...memory.gpu import Gpu


@inline
def line_asked(gpu: Gpu, cache: Cache, m: int, source: int, address: int) -> int:
    """The line of the header instead of the texels'."""
    if source != TEXTURE or cache.type == 0:
        return address
    which = level_at(gpu.technique.frame_buffer_compression, address)
    return address if which < 0 else header_line(gpu, cache, m, which, address)


@unit
def header_line(gpu: Gpu, cache: Cache, m: int, which: int, address: int) -> int:
    """Address of the line that holds the header; notes which lines are to follow."""
    state = gpu.technique.frame_buffer_compression
    level = state.level[which]
    texel = first_texel(level, address)
    x, y = texel & 0xFFFF, texel >> 16
    block = superblock(level, x >> 4, y >> 4)
    begin, end = payload_range(state, level, level.first + block, x >> 2 & 3, y >> 2 & 3)
    fetch = state.fetch[gpu.unit[cache.id].a * MAX_MSHRS + m]
    body = level.bodies + block * level.body_bytes
    fetch.next = body + begin >> cache.line_shift << cache.line_shift
    fetch.end = body + end if end > begin else fetch.next
    fetch.pending = 1
    state.header_reads += 1
    return int(level.headers + block * HEADER_BYTES >> cache.line_shift << cache.line_shift)


@inline
def payload_range(state: State, level: Level, block: int, x: int, y: int) -> tuple[int, int]:
    """First byte of the payload of a line's subblocks, and the one after the last; `x`, `y`: of the first one."""
    right, top = x + (level.wide - 1 >> 2), y + (level.tall - 1 >> 2)
    offset, begin, end = 0, -1, 0
    for i in range(SUBBLOCKS):
        size = state.subblock_bytes[block * SUBBLOCKS + i]
        if x <= every_other(i) <= right and y <= every_other(i >> 1) <= top:
            begin = offset if begin < 0 else begin
            end = offset + size
        offset += size
    return begin, end


@inline
def line_arrived(gpu: Gpu, cache: Cache, m: int, t: int) -> int:
    """The header names payload lines; with the last of them the texels have arrived."""
    fetch = gpu.technique.frame_buffer_compression.fetch[gpu.unit[cache.id].a * MAX_MSHRS + m]
    return GO if fetch.pending == 0 else go_on(gpu, cache, m, fetch, t)


@unit
def go_on(gpu: Gpu, cache: Cache, m: int, fetch: Fetch, t: int) -> int:
    """Ask for payload lines that are left, as many as there is room for."""
    below, mshr = gpu.port[cache.below], cache.mshr[m]
    while fetch.next < fetch.end and can_send(below):
        sent = send(gpu, below, t, fetch.next, 1 << cache.line_shift, READ, mshr.source, mshr.tile)
        sent.slot = m
        fetch.next += 1 << cache.line_shift
        fetch.pending += 1
        gpu.technique.frame_buffer_compression.payload_reads += 1
    if fetch.pending > 1:
        fetch.pending -= 1
        return SKIP
    if fetch.next < fetch.end:
        return WAIT
    fetch.pending = 0
    return GO
