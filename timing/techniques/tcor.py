"""TCOR, a Tile Cache with optimal replacement (Joseph et al., HPCA 2022), after the abstract.

The lists of a pass are complete before its first tile begins, so it is known which tile reads a line of the Parameter
Buffer next. The line that is read last gives way first, and one that no tile will read is not written back. A line
keeps the number of the tile that reads it next: the first one as long as geometry is binned, a later one when a tile
has been rasterized.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from tilegpu.timing.declare.energy.geometry import Ram
from tilegpu.timing.declare.parameters import Group, choice
from tilegpu.timing.declare.records import Record, Rows, i4, i8, room
from tilegpu.timing.declare.statistics import Stat
from tilegpu.timing.declare.structures import TILING, Structure, once, stat

from ..engine.hooks import GO
from ..engine.jit import inline, unit
from ..engine.technique import Technique
from ..memory.address_map import PARAMETER_REGION

if TYPE_CHECKING:
    from tilegpu.timing.declare.hardware import Hardware

    from ..engine.chip import Chip
    from ..engine.frame import Binning, Primitive, Tiling
    from ..memory.cache import Cache
    from ..memory.gpu import Gpu

NAME = "techniques.tcor"
MAX_LINES = 1 << 19
"""Lines of the Parameter Buffer that are followed; those beyond are replaced as without the technique."""
UNKNOWN, DEAD = 0, 1 << 30
"""Next uses of a line: not followed; none."""
TILE_NUMBER_BITS = 12


class Tables(NamedTuple):
    """Tiles that read each line of the Parameter Buffer, in the order of processing: those of a line are `use` from
    `first[line]` to `first[line + 1]`."""

    first: np.ndarray[Any, Any]
    use: np.ndarray[Any, Any]


class Parameters(Group, section="technique.tcor"):
    """Optimal replacement in the Tile Cache, [technique.tcor]."""

    replacement: str = choice(
        "optimal",
        {"optimal": "the line that is read last", "configured": "as `tile_cache.replacement` says"},
        "which line of the Tile Cache gives way",
    )
    dead_lines: str = choice(
        "both",
        {
            "both": "neither from the Tile Cache nor from the L2",
            "tile_cache": "not from the Tile Cache",
            "written": "as any other",
        },
        "lines that no tile will read: how they are written back; assumed",
    )


class State(Record):
    """Registers. `next`: row of the tile that reads a line next, plus 1; `tile_cache`, `l2_cache`: kinds of caches."""

    optimal: i8
    drops: i8
    tile_cache: i8
    l2_cache: i8
    first_line: i8
    next: Rows[i4] = room(MAX_LINES)
    comparisons: i8
    updates: i8
    other_victims: i8
    dead_lines: i8


def setup(chip: Chip, state: Any) -> None:
    """Kinds of caches whose dead lines are dropped."""
    own, names = chip.configuration.of(Parameters), [kind.name for kind in chip.machine.caches]
    state.optimal, state.drops = own.replacement == "optimal", own.dead_lines != "written"
    state.tile_cache = names.index("tile_cache")
    state.l2_cache = names.index("l2_cache") if own.dead_lines == "both" else -1
    state.first_line = PARAMETER_REGION // chip.configuration.memory.line_bytes


@inline
def primitive_begin(gpu: Gpu, own: Tables, binning: Binning, primitive: int, t: int) -> int:
    """The first tile that reads a primitive's attributes is known with its lists."""
    follow_record(gpu, own, binning.primitive[primitive], 0)
    return GO


@inline
def binned(gpu: Gpu, own: Tables, binning: Binning, primitive: int, entry: int, t: int) -> int:
    """The pointer is read by the tile whose list it is in."""
    follow(gpu, own, binning.entry[entry].pointer >> gpu.line_shift, 0)
    return GO


@unit
def tile_rasterized(gpu: Gpu, own: Tables, tiling: Tiling, r: int, tile: int, t: int) -> int:
    """Whatever a tile has read is read by a later tile next, or by none."""
    row = tiling.tile[tile]
    for entry in range(row.first_entry, row.last_entry):
        follow(gpu, own, tiling.entry[entry].pointer >> gpu.line_shift, tile + 1)
        follow_record(gpu, own, tiling.primitive[tiling.entry[entry].primitive], tile + 1)
    return GO


@unit
def follow_record(gpu: Gpu, own: Tables, primitive: Primitive, tile: int) -> None:
    """Set the next use of a primitive's lines to the first tile from a row on."""
    if primitive.record_bytes > 0:
        last = (primitive.record + primitive.record_bytes - 1) >> gpu.line_shift
        for line in range(primitive.record >> gpu.line_shift, last + 1):
            follow(gpu, own, line, tile)


@unit
def follow(gpu: Gpu, own: Tables, address: int, tile: int) -> None:
    """Set the next use of a line to the first tile from a row on that reads it, or to DEAD."""
    state = gpu.technique.tcor
    line = address - state.first_line
    if line >= min(len(own.first) - 1, MAX_LINES):
        return
    place = own.first[line]
    while place < own.first[line + 1] and own.use[place] < tile:
        place += 1
    state.next[line] = own.use[place] + 1 if place < own.first[line + 1] else DEAD
    state.updates += 1


@inline
def next_use(state: State, line: int) -> int:
    """Next use of a line of memory."""
    inside = 0 <= line - state.first_line < MAX_LINES
    return int(state.next[line - state.first_line]) if inside else UNKNOWN


@unit
def cache_victim(gpu: Gpu, cache: Cache, base: int, victim: int) -> int:
    """The line of the set that is read last gives way; a dead one is dropped."""
    state = gpu.technique.tcor
    if cache.type != state.tile_cache and cache.type != state.l2_cache:
        return victim
    if cache.type == state.tile_cache and state.optimal != 0 and gpu.line.used[victim] != 0:
        chosen = farthest(gpu, state, cache, base, victim)
        state.other_victims += chosen != victim
        victim = chosen
    if state.drops != 0 and gpu.line.dirty[victim] != 0 and next_use(state, int(gpu.line.tag[victim])) == DEAD:
        gpu.line.dirty[victim] = 0
        state.dead_lines += 1
    return victim


@inline
def farthest(gpu: Gpu, state: State, cache: Cache, base: int, victim: int) -> int:
    """Place of a set whose line is read last; of equals the one that would give way without the technique."""
    chosen, latest = victim, next_use(state, int(gpu.line.tag[victim]))
    for place in range(base, base + cache.ways):
        use = next_use(state, int(gpu.line.tag[place]))
        state.comparisons += 1
        if use > latest:
            chosen, latest = place, use
    return int(chosen)


def load(source: Any, configuration: Hardware, frame: Any) -> Tables:
    """Uses of lines, from the lists of the frame."""
    line_bytes, first_line = configuration.memory.line_bytes, PARAMETER_REGION // configuration.memory.line_bytes
    tiling = frame.tiling
    counts = tiling.tile["last_entry"].astype(np.int64) - tiling.tile["first_entry"]
    nothing = np.zeros(0, np.int64)
    order = np.concatenate([nothing, *(np.arange(row["first_entry"], row["last_entry"]) for row in tiling.tile)])
    entry = tiling.entry[order]
    tile = np.repeat(np.arange(len(counts)), counts)
    primitive = tiling.primitive[entry["primitive"]]
    lines, tiles = [entry["pointer"] // line_bytes], [tile]
    begin = primitive["record"] // line_bytes
    end = (primitive["record"] + primitive["record_bytes"] + line_bytes - 1) // line_bytes
    for step in range(int((end - begin).max(initial=0))):
        inside = (begin + step < end) & (primitive["record_bytes"] > 0)
        lines.append((begin + step)[inside])
        tiles.append(tile[inside])
    pairs = np.unique(np.stack([np.concatenate(lines) - first_line, np.concatenate(tiles)], axis=1), axis=0)
    last = int(pairs[:, 0].max(initial=-1)) + 1
    first = np.searchsorted(pairs[:, 0], np.arange(last + 1))
    return Tables(first.astype(np.int64), pairs[:, 1].astype(np.int64))


TECHNIQUE = Technique(
    "tcor",
    "TCOR, a Tile Cache with optimal replacement (Joseph et al., HPCA 2022), after the abstract",
    parameters=Parameters,
    record=State,
    setup=setup,
    load=load,
    statistics=(
        Stat(f"{NAME}.dead_lines", "lines", "lines that no tile would read, not written back", "dead_lines"),
        Stat(f"{NAME}.other_victims", "lines", "lines that gave way in the place of another", "other_victims"),
        Stat(f"{NAME}.comparisons", "lines", "next uses that were compared", "comparisons"),
        Stat(f"{NAME}.updates", "lines", "next uses that were set", "updates"),
    ),
    structures=(
        Structure(
            "tcor.next_uses",
            TILING,
            once,
            lambda c: Ram(
                max(1, c.cache("tile_cache").size_bytes // c.memory.line_bytes // c.cache("tile_cache").ways),
                TILE_NUMBER_BITS * c.cache("tile_cache").ways,
            ),
            stat(f"{NAME}.comparisons", 0.25),
            stat(f"{NAME}.updates"),
        ),
    ),
    conflicts=("libra", "deferred_rendering"),
    machines=("tile_based",),
)
