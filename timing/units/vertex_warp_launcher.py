"""Vertex warp launcher: makes warps of fetched vertices for cores that shade everything, and puts shaded vertices in
the order of the stream again.

A warp takes the next vertices of the stream while they are of one draw. It leaves when it is full, or when no other
vertex can join it, for the next core in turn that has room. Attributes are asked for by a central unit or by each core
(`fetch`). Papers are silent on such machines; the rules are those of the Vertex Processors (`vertex_processor`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilegpu.timing.declare.parameters import Group, choice, number
from tilegpu.timing.declare.records import (
    MAX_CLUSTERS,
    MAX_SIMT_THREADS,
    MAX_SIMT_WARPS,
    NEVER,
    Rows,
    i4,
    i8,
    room,
)
from tilegpu.timing.declare.statistics import Stat, ratio, spent

from ..engine import hooks
from ..engine.account import BLOCKED, BUSY, IDLE, WAITING, Accounted, become
from ..engine.calendar import poke, wake
from ..engine.jit import inline, unit
from ..engine.ring import front, release, wrap
from ..engine.unit import Unit
from ..engine.wiring import access, input, output
from . import simt_warps
from .simt_core import SimtCoreParameters
from .simt_warps import VERTICES
from .vertex_fetcher import (
    INDEX_PLACES,
    MAX_INPUT,
    MAX_OUTPUT,
    MAX_WINDOW,
    READY,
    SHADED,
    VertexFetcherParameters,
    others_follow,
    set_lanes,
)
from .vertex_processor import has_room

if TYPE_CHECKING:
    from tilegpu.timing.declare.hardware import Hardware

    from ..engine.chip import Chip
    from ..engine.frame import Shading
    from ..engine.ring import Queue
    from ..engine.unified_tables import Unified
    from ..memory.gpu import Gpu
    from .simt_core import SimtCore
    from .vertex_fetcher import VertexFetcher, WindowEntry


@access
def front_end(gpu: Gpu) -> VertexFetcher:
    """Fetcher whose window vertices are in."""
    raise NotImplementedError


@input
def vertices(gpu: Gpu) -> Queue[i4]:
    """Vertices whose attributes have arrived."""
    raise NotImplementedError


@output
def window(gpu: Gpu) -> Queue[WindowEntry]:
    """Vertices in the order of the stream."""
    raise NotImplementedError


@access
def core_of(gpu: Gpu, k: int) -> SimtCore:
    """A core."""
    raise NotImplementedError


class VertexWarpLauncher(Accounted):
    """Registers of the vertex warp launcher. `turn`: core that is asked first. Of each warp of each core: `slot`,
    places of its vertices in the window, and `handed`, how many of them went back there."""

    id: i8
    turn: i8
    threads: i8
    slot: Rows[i4] = room(MAX_CLUSTERS * MAX_SIMT_WARPS * MAX_SIMT_THREADS)
    handed: Rows[i4] = room(MAX_CLUSTERS * MAX_SIMT_WARPS)
    warps: i8
    vertices: i8


@unit
def tick(gpu: Gpu, shading: Shading, unified: Unified, t: int) -> int:
    launcher: VertexWarpLauncher = gpu.vertex_warp_launcher
    # Assembly may have made room for vertices that cores hold.
    for k in range(gpu.instances.simt_core):
        if core_of(gpu, k).done != 0:
            poke(gpu, core_of(gpu, k).id)
    fetched = vertices(gpu)
    if fetched.count == 0:
        become(launcher, IDLE, t)
        return NEVER
    lanes = together(gpu, launcher, fetched, window(gpu))
    if lanes == 0:
        become(launcher, WAITING, t)
        return NEVER
    if not launch(gpu, shading, unified, launcher, lanes, t):
        become(launcher, BLOCKED, t)
        return NEVER
    become(launcher, BUSY, t)
    return t + 1


@inline
def together(gpu: Gpu, launcher: VertexWarpLauncher, fetched: Queue[int], window: Queue[WindowEntry]) -> int:
    """Number of the next vertices that make a warp now; 0 if it is too early."""
    batch = window.slot[front(fetched)].batch
    lanes = 0
    while lanes < launcher.threads and lanes < fetched.count:
        entry = window.slot[fetched.slot[wrap(fetched, fetched.head + lanes)]]
        if entry.batch != batch:
            return lanes
        if entry.state != READY:
            return 0
        lanes += 1
    return 0 if lanes < launcher.threads and others_follow(front_end(gpu), batch) else lanes


@unit
def launch(gpu: Gpu, shading: Shading, unified: Unified, launcher: VertexWarpLauncher, lanes: int, t: int) -> bool:
    """Hand a warp of the next vertices to a core, if one has room."""
    fetched, entries = vertices(gpu), window(gpu)
    registers = unified.vertex_registers[entries.slot[front(fetched)].batch]
    k = launcher.turn
    for _ in range(gpu.instances.simt_core):
        if simt_warps.has_room(core_of(gpu, k), 1, registers):
            break
        k = k + 1 if k + 1 < gpu.instances.simt_core else 0
    core = core_of(gpu, k)
    if not simt_warps.has_room(core, 1, registers):
        return False
    launcher.turn = k + 1 if k + 1 < gpu.instances.simt_core else 0
    hooks.works_for(gpu, launcher.id, shading.stream[entries.slot[front(fetched)].stream].work)
    w = simt_warps.begin(gpu, core, VERTICES, registers, t)
    core.warp[w].tile = -1
    place = k * MAX_SIMT_WARPS + w
    launcher.handed[place] = 0
    for lane in range(lanes):
        slot = front(fetched)
        launcher.slot[place * MAX_SIMT_THREADS + lane] = slot
        stream = entries.slot[slot].stream
        simt_warps.enter(shading, core, w, stream, shading.stream[stream].path, 1)
        release(gpu, fetched)
    if fetched.count > 0:
        wake(gpu, fetched.consumers)
    simt_warps.launch(gpu, shading, core, w)
    launcher.warps += 1
    launcher.vertices += lanes
    return True


@unit
def vertices_shaded(gpu: Gpu, k: int, w: int) -> bool:
    """Put the vertices of a warp back into the window, as far as the output queue has room; whether all are there."""
    launcher: VertexWarpLauncher = gpu.vertex_warp_launcher
    entries, place, vertices_of = window(gpu), k * MAX_SIMT_WARPS + w, core_of(gpu, k).warp[w].items
    first = launcher.handed[place]
    while launcher.handed[place] < vertices_of:
        slot = launcher.slot[place * MAX_SIMT_THREADS + launcher.handed[place]]
        if not has_room(front_end(gpu), entries, slot):
            break
        entries.slot[slot].state = SHADED
        launcher.handed[place] += 1
    if launcher.handed[place] > first:
        poke(gpu, entries.consumer)
    return bool(launcher.handed[place] == vertices_of)


class VertexWarpLauncherParameters(Group, section="vertex_warp_launcher"):
    """Launcher of warps of vertices, on machines whose cores shade everything."""

    vertices_in_flight: int = number(
        512, "vertices", "vertices that may be in the cores at a time", MAX_SIMT_THREADS, 2048, silent=(128, 2048)
    )
    shaded_vertices: int = number(
        32, "vertices", "shaded vertices that wait for Primitive Assembly, in order", 1, MAX_OUTPUT, silent=(16, 128)
    )
    fetch: str = choice(
        "central",
        {
            "central": "one Vertex Fetcher, one line per cycle",
            "cores": "each core, a line per cycle through a Vertex Cache of its own; queues are as much longer",
        },
        "which part asks for attributes",
    )
    index_lines: int = number(
        0,
        "lines",
        "lines of indices asked for ahead, beside attributes; 0: one, when nothing else is asked for",
        0,
        INDEX_PLACES - 2,
        silent=(0, 8),
    )


def lanes(configuration: Hardware) -> int:
    """Number of vertices whose attributes are asked for at a time."""
    central = configuration.of(VertexWarpLauncherParameters).fetch == "central"
    return 1 if central else int(configuration.of(SimtCoreParameters).clusters)


def setup(chip: Chip, launcher: VertexWarpLauncher, place: tuple[int, ...]) -> None:
    """Sizes from the configuration; the fetcher's window holds what is queued, in cores and shaded."""
    spec, fetcher = chip.configuration.of(VertexWarpLauncherParameters), chip.gpu.vertex_fetcher
    count = lanes(chip.configuration)
    set_lanes(fetcher, count, spec.index_lines)
    fetcher.input.depth = min(MAX_INPUT, count * chip.configuration.of(VertexFetcherParameters).queue)
    fetcher.output_depth = min(MAX_OUTPUT, count * spec.shaded_vertices)
    held = fetcher.input.depth + count * spec.vertices_in_flight + fetcher.output_depth
    fetcher.window.depth = min(MAX_WINDOW, held)
    launcher.threads = chip.configuration.of(SimtCoreParameters).warp_threads
    launcher.cause = IDLE


NAME = "geometry.vertex_warp_launcher"

UNIT = Unit(
    "vertex_warp_launcher",
    __name__,
    VertexWarpLauncher,
    tick,
    tables=("shading", "machine"),
    parameters=(VertexWarpLauncherParameters,),
    setup=setup,
    reason="launch",
    marks=("warps",),
    statistics=(
        Stat("geometry.vertex_processor.vertices", "vertices", "vertices shaded", "vertices"),
        Stat(f"{NAME}.warps", "warps", "warps of vertices handed to the cores", "warps"),
        ratio(
            f"{NAME}.vertices_per_warp",
            "vertices/warp",
            "vertices that a warp shades together",
            "geometry.vertex_processor.vertices",
            f"{NAME}.warps",
        ),
        *spent(NAME, "the vertex warp launcher"),
    ),
)
