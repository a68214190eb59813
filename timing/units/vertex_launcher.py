"""Vertex launcher: fetches indices and hands warps of vertices to the SIMT cores in turn (Emerald, 3.3.3).

At most as many warps are under way as the reorder buffers of the clusters have room for masks (3.3.4), or a central
buffer for their vertices. Warps are formed when the frame is loaded (`loading.vertices.vertex_warps`). A clear between
draws waits until all before it is drawn.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilegpu.timing.declare.parameters import Group, choice, number
from tilegpu.timing.declare.records import NEVER, i4, i8, room
from tilegpu.timing.declare.statistics import Stat, spent

from ..engine import hooks
from ..engine.account import BLOCKED, BUSY, IDLE, WAITING, Accounted, become
from ..engine.calendar import poke, wake
from ..engine.jit import inline, unit
from ..engine.ring import Queue, front, release
from ..engine.unit import Unit
from ..engine.wiring import access
from ..engine.work import CLEARS
from ..memory.request import INDEX, READ, Port, can_send, has_reply, next_reply, replies_due, send, take_reply
from . import frame_buffer, hi_z, simt_warps, work_tiles
from .simt_core import SimtCoreParameters
from .vpo import VpoParameters
from .warp_operations import VECTOR_BYTES

if TYPE_CHECKING:
    from ..engine.chip import Chip
    from ..engine.cluster_tables import Clusters
    from ..engine.frame import Batch, Depth, Shading, Surfaces, Vertices
    from ..engine.vertex_warp_tables import VertexWarp
    from ..memory.gpu import Gpu
    from .cluster_raster import ClusterRaster
    from .simt_core import SimtCore


@access
def core_of(gpu: Gpu, k: int) -> SimtCore:
    """Core of a cluster."""
    raise NotImplementedError


@access
def raster_of(gpu: Gpu, k: int) -> ClusterRaster:
    """Rasterizer of a cluster."""
    raise NotImplementedError


@access
def reserve_room(gpu: Gpu, warp: VertexWarp) -> bool:
    """Keep room for what becomes of a warp of vertices, if there is any."""
    raise NotImplementedError


@access
def all_drawn(gpu: Gpu) -> bool:
    """Whether nothing of earlier draws is under way."""
    raise NotImplementedError


@access
def draw_launched(gpu: Gpu) -> None:
    """Tell that all vertices of a draw are under way."""
    raise NotImplementedError


INDEX_LINES = 4
"""Lines of indices asked for at a time."""


class VertexLauncher(Accounted):
    """Registers of the vertex launcher. `tile`: row of the pass at work, and `begun`: that of the one whose buffers
    were made ready; `ending`: whether all draws of the pass have arrived; `clearing`: the next clear; `launched`: warps
    of the frame so far; `given`: whether clusters get primitives without shading; `output_places`: full warps whose
    outputs have room in memory, and `output_bytes`: that a vector of one takes. `shading`: warps of fragments in all
    cores, since the cycle `shading_since` if there are any; `shading_cycles`: in which there were."""

    id: i8
    port: i8
    queue: Queue[i4] = room(16)
    tiles: work_tiles.WorkTiles
    batch: i8
    row: i8
    last_row: i8
    tile: i8
    begun: i8
    ending: i8
    clearing: i8
    launched: i8
    index_next: i8
    index_pending: i8
    batch_warps: i8
    masks: i8
    given: i8
    output_places: i8
    output_bytes: i8
    shading: i8
    shading_since: i8
    shading_cycles: i8
    warps: i8
    index_requests: i8
    clears: i8


@unit
def tick(
    gpu: Gpu, vertices: Vertices, surfaces: Surfaces, depth: Depth, shading: Shading, clusters: Clusters, t: int
) -> int:
    launcher: VertexLauncher = gpu.vertex_launcher
    port = gpu.port[launcher.port]
    while has_reply(port, t):
        take_reply(gpu, port, replies_due(port, t))
        launcher.index_pending -= 1
    if launcher.begun != launcher.tile and (launcher.queue.count > 0 or launcher.ending != 0):
        begin_pass(surfaces, depth, clusters, launcher)
    if launcher.batch < 0 and launcher.queue.count > 0:
        begin(gpu, vertices, clusters, launcher)
    if launcher.batch < 0 and launcher.ending == 0:
        become(launcher, IDLE, t)
        return NEVER
    if clear_is_due(clusters, launcher):
        moved = clear(gpu, surfaces, depth, clusters, launcher)
    elif launcher.batch < 0:
        launcher.ending = 0
        wake(gpu, gpu.signal.progress)
        moved = True
    else:
        moved = launch(gpu, vertices, shading, clusters, launcher, port, t)
    become(launcher, BUSY if moved else (WAITING if launcher.index_pending > 0 else BLOCKED), t)
    return t + 1 if moved else next_reply(port)


@unit
def begin_pass(surfaces: Surfaces, depth: Depth, clusters: Clusters, launcher: VertexLauncher) -> None:
    """Make the buffers of a pass ready."""
    frame_buffer.begin_pass(surfaces, depth, launcher.tile)
    hi_z.begin_pass(surfaces.render_pass[launcher.tile], clusters)
    work_tiles.begin_pass(launcher.tiles, surfaces.render_pass[launcher.tile].width)
    for i in range(len(clusters.busy)):
        clusters.busy[i] = 0
    launcher.begun = launcher.tile


@inline
def begin(gpu: Gpu, vertices: Vertices, clusters: Clusters, launcher: VertexLauncher) -> None:
    """Take the next draw up."""
    launcher.batch = front(launcher.queue)
    release(gpu, launcher.queue)
    warps = clusters.batch[launcher.batch]
    launcher.row = warps.first
    launcher.last_row = warps.last
    batch = vertices.batch[launcher.batch]
    launcher.index_next = batch.index_address
    launcher.index_pending = 0


@inline
def clear_is_due(clusters: Clusters, launcher: VertexLauncher) -> bool:
    """Whether a clear comes before what is to be drawn next."""
    if launcher.clearing == len(clusters.clearing):
        return False
    row = clusters.clearing[launcher.clearing]
    return bool(row.tile == launcher.tile and (launcher.batch < 0 or row.batch <= launcher.batch))


@unit
def clear(gpu: Gpu, surfaces: Surfaces, depth: Depth, clusters: Clusters, launcher: VertexLauncher) -> bool:
    """Clear once all before it is drawn."""
    if not all_drawn(gpu):
        return False
    row = clusters.clearing[launcher.clearing]
    hooks.works_for(gpu, launcher.id, CLEARS)
    frame_buffer.clear(gpu, depth, surfaces.render_pass[row.tile], row.clear)
    hi_z.forget(clusters)
    launcher.clearing += 1
    launcher.clears += 1
    return True


@unit
def launch(
    gpu: Gpu, vertices: Vertices, shading: Shading, clusters: Clusters, launcher: VertexLauncher, port: Port, t: int
) -> bool:
    """Hand the next warp on, or ask for indices."""
    if launcher.given != 0:
        give(gpu, launcher)
    if launcher.row == launcher.last_row:
        launcher.batch = -1
        draw_launched(gpu)
        wake(gpu, launcher.queue.producers)
        wake(gpu, gpu.signal.progress)
        return True
    batch = vertices.batch[launcher.batch]
    hooks.works_for(gpu, launcher.id, batch.work)
    warp = clusters.vertex_warp[launcher.row]
    end = batch.index_address + (warp.last_stream + 1 - batch.first_stream) * batch.index_bytes
    if batch.index_bytes > 0 and (end > launcher.index_next or launcher.index_pending > 0):
        return fetch_indices(gpu, batch, launcher, port, t)
    core = core_of(gpu, launcher.row // launcher.batch_warps % gpu.instances.simt_core)
    if not simt_warps.has_room(core, 1, warp.registers) or not reserve_room(gpu, warp):
        return False
    w = simt_warps.begin(gpu, core, 1, warp.registers, t)
    core.warp[w].row = launcher.row
    core.warp[w].tile = launcher.tile
    for lane in range(warp.first_lane, warp.last_lane):
        stream = clusters.lane[lane].stream
        simt_warps.enter(shading, core, w, stream, shading.stream[stream].path, 1)
    simt_warps.launch(gpu, shading, core, w)
    launcher.row += 1
    launcher.launched += 1
    launcher.warps += 1
    return True


@inline
def give(gpu: Gpu, launcher: VertexLauncher) -> None:
    """Let all clusters have all primitives of the draw."""
    launcher.row = launcher.launched = launcher.last_row
    for k in range(launcher.tiles.clusters):
        poke(gpu, raster_of(gpu, k).id)


@inline
def fetch_indices(gpu: Gpu, batch: Batch, launcher: VertexLauncher, port: Port, t: int) -> bool:
    """Ask for the next line of indices: some in a row, when those before have arrived."""
    end = batch.index_address + (batch.last_stream - batch.first_stream) * batch.index_bytes
    if launcher.index_pending >= INDEX_LINES or launcher.index_next >= end or not can_send(port):
        return False
    line = launcher.index_next // gpu.line_bytes
    sent = send(gpu, port, t, line * gpu.line_bytes, gpu.line_bytes, READ, INDEX, -1)
    sent.slot = 0
    launcher.index_next = (line + 1) * gpu.line_bytes
    launcher.index_pending += 1
    launcher.index_requests += 1
    return True


@inline
def fragments_begin(gpu: Gpu, t: int) -> None:
    """A warp of fragments enters a core."""
    launcher: VertexLauncher = gpu.vertex_launcher
    if launcher.shading == 0:
        launcher.shading_since = t
    launcher.shading += 1


@inline
def fragments_end(gpu: Gpu, t: int) -> None:
    """A warp of fragments leaves a core."""
    launcher: VertexLauncher = gpu.vertex_launcher
    launcher.shading -= 1
    if launcher.shading == 0:
        launcher.shading_cycles += t - launcher.shading_since


@inline
def drained(gpu: Gpu) -> bool:
    """Whether all draws that have arrived have been handed on."""
    return bool(gpu.vertex_launcher.queue.count == 0 and gpu.vertex_launcher.batch < 0)


class VertexLauncherParameters(Group, section="vertex_launcher"):
    """Distribution of vertices to the SIMT cores."""

    vertices: str = choice(
        "stream",
        {
            "stream": "the next ones of the stream, those that primitives share twice [Emerald, 3.3.3]",
            "distinct": "each vertex once as long as there is room for the next primitive",
        },
        "what a warp of vertices holds",
    )
    batch_warps: int = number(1, "warps", "warps in a row that go to the same core", 1, 64, silent=(1, 8))
    draws: int = number(4, "draws", "draws waiting", 1, 16, silent=(1, 16))


def setup(chip: Chip, launcher: VertexLauncher, place: tuple[int, ...]) -> None:
    """Sizes from the configuration."""
    spec, vpo = chip.configuration.of(VertexLauncherParameters), chip.configuration.of(VpoParameters)
    work_tiles.set_up(launcher.tiles, chip.configuration)
    launcher.queue.depth, launcher.batch_warps, launcher.masks = spec.draws, spec.batch_warps, vpo.masks
    launcher.given = vpo.distribution == "given"
    threads = chip.configuration.of(SimtCoreParameters).warp_threads
    launcher.output_bytes, full_warps = VECTOR_BYTES * threads, -(-vpo.output_vertices // threads)
    launcher.output_places = vpo.masks if vpo.distribution == "masks" else full_warps
    launcher.cause = IDLE
    begin_frame(launcher)


def begin_frame(launcher: VertexLauncher) -> None:
    """Start over with the first warp."""
    launcher.batch, launcher.begun, launcher.tile = -1, -1, -1
    launcher.launched = launcher.clearing = launcher.ending = 0


NAME = "simt.vertex_launcher"

UNIT = Unit(
    "vertex_launcher",
    __name__,
    VertexLauncher,
    tick,
    tables=("vertices", "surfaces", "depth", "shading", "machine"),
    parameters=(VertexLauncherParameters,),
    setup=setup,
    begin_frame=begin_frame,
    holds_up=True,
    reason="vertex_fetch",
    marks=("warps", "index_requests", "clears"),
    stands=lambda launcher: f"warp {int(launcher.row)} of {int(launcher.last_row)}, {int(launcher.launched)} launched",
    statistics=(
        Stat(f"{NAME}.warps", "warps", "warps of vertices handed to the cores", "warps"),
        Stat(
            "gpu.fragment_shading_cycles",
            "cycles",
            "cycles in which fragments were shaded in some core (Emerald, 6: fragment shading time)",
            "shading_cycles",
        ),
        Stat(f"{NAME}.index_requests", "requests", "requests for lines of indices", "index_requests"),
        *spent(NAME, "the vertex launcher"),
    ),
)
