"""Fragment warp launcher of a Raster Unit: makes warps of quads for cores that shade everything, and hands shaded quads
to blending in the order in which they came.

A warp takes quads of one draw in a tile that follow each other. It leaves when it is full, when a quad of another draw
or the end of the tile is behind it, or some time after its first quad came. Papers are silent on such machines.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilegpu.timing.declare.parameters import Group, number
from tilegpu.timing.declare.records import NEVER, QUAD, Record, Ring, Token, i4, i8, room
from tilegpu.timing.declare.statistics import Stat, ratio, spent

from ..engine import hooks
from ..engine.account import BLOCKED, BUSY, IDLE, WAITING, Accounted, become
from ..engine.calendar import poke
from ..engine.jit import inline, unit
from ..engine.ring import Queue, drop, front, full, grow, push_token, release, wrap
from ..engine.unit import RASTER_UNIT, Unit, Watch
from ..engine.wiring import access, output
from . import simt_warps
from .depth_test import work_of
from .fragment_processor import InputToken
from .simt_core import SimtCoreParameters
from .simt_warps import FRAGMENTS

if TYPE_CHECKING:
    from ..engine.chip import Chip
    from ..engine.frame import Depth, Shading
    from ..engine.unified_tables import Unified
    from ..memory.gpu import Gpu
    from .simt_core import SimtCore


@output
def color_queue(gpu: Gpu, r: int) -> Queue[Token]:
    """Queue before blending."""
    raise NotImplementedError


@access
def core_of(gpu: Gpu, k: int) -> SimtCore:
    """A core."""
    raise NotImplementedError


MAX_FLIGHT = 2048


class ShadedToken(Record):
    """Quad that is being shaded, or was, or the end of a tile."""

    token: Token
    done: i4


class FragmentWarpLauncher(Accounted):
    """Registers of a fragment warp launcher. `flight`: what has left `queue` and not yet reached blending, in order;
    `came`: when the quad that leads the queue came there, or -1; its cores are those from `first_core` on, `turn` is
    asked first; `next_at`: when the next shaded quad may follow the last."""

    id: i8
    queue: Queue[Token] = room(1024)
    flight: Ring[ShadedToken] = room(MAX_FLIGHT)
    came: i8
    patience: i8
    warp_quads: i8
    quads_per_cycle: i8
    quad_cycles: i8
    next_at: i8
    first_core: i8
    cores: i8
    turn: i8
    quads: i8
    warps: i8


class SharedQueue(Record):
    """Queue that several processors of a Raster Unit share, which has no room here."""

    input: Queue[InputToken] = room(1)


@unit
def tick(gpu: Gpu, depth: Depth, shading: Shading, unified: Unified, r: int, t: int) -> int:
    launcher: FragmentWarpLauncher = gpu.raster_unit[r].fragment_warp_launcher
    moved = hand_on(gpu, launcher, r, t)
    due = NEVER
    if launcher.queue.count == 0:
        become(launcher, IDLE if launcher.flight.count == 0 else WAITING, t)
    elif front(launcher.queue).kind != QUAD:
        moved |= pass_on(gpu, launcher)
        become(launcher, BUSY if moved else BLOCKED, t)
    else:
        if launcher.came < 0:
            launcher.came = t
        quads = together(depth, launcher)
        ready = quads == launcher.warp_quads or quads < launcher.queue.count
        if not ready and t < launcher.came + launcher.patience:
            due = launcher.came + launcher.patience
            become(launcher, WAITING, t)
        else:
            launched = launch(gpu, depth, shading, unified, launcher, quads, r, t)
            moved |= launched
            become(launcher, BUSY if launched else BLOCKED, t)
    if moved:
        return t + 1
    # A quad that is shaded waits for the one before it.
    return min(int(due), int(launcher.next_at)) if launcher.next_at > t and launcher.flight.count > 0 else int(due)


@unit
def hand_on(gpu: Gpu, launcher: FragmentWarpLauncher, r: int, t: int) -> bool:
    """Let what leads go to blending, if it is shaded."""
    colors, moved = color_queue(gpu, r), False
    for _ in range(launcher.quads_per_cycle):
        if launcher.flight.count == 0 or front(launcher.flight).done == 0 or full(colors) or launcher.next_at > t:
            break
        token = front(launcher.flight).token
        if token.kind == QUAD:
            launcher.next_at = t + launcher.quad_cycles
        push_token(colors, token.kind, token.tile, token.index)
        poke(gpu, colors.consumer)
        drop(launcher.flight)
        moved = True
    return moved


@inline
def pass_on(gpu: Gpu, launcher: FragmentWarpLauncher) -> bool:
    """Let the end of a tile, or a quad that needs no shading, follow the quads before it."""
    if full(launcher.flight):
        return False
    enter(launcher, 1)
    release(gpu, launcher.queue)
    return True


@inline
def enter(launcher: FragmentWarpLauncher, done: int) -> None:
    """Put what leads the queue behind what is being shaded."""
    token = front(launcher.queue)
    entry = grow(launcher.flight)
    entry.token.kind, entry.token.tile, entry.token.index, entry.done = token.kind, token.tile, token.index, done


@unit
def together(depth: Depth, launcher: FragmentWarpLauncher) -> int:
    """Number of quads at the head of the queue that may share a warp."""
    queue = launcher.queue
    state = depth.primitive[depth.quad[front(queue).index].primitive].state
    quads = 0
    while quads < launcher.warp_quads and quads < queue.count:
        token = queue.slot[wrap(queue, queue.head + quads)]
        if token.kind != QUAD or depth.primitive[depth.quad[token.index].primitive].state != state:
            break
        quads += 1
    return quads


@unit
def launch(
    gpu: Gpu,
    depth: Depth,
    shading: Shading,
    unified: Unified,
    launcher: FragmentWarpLauncher,
    quads: int,
    r: int,
    t: int,
) -> bool:
    """Hand a warp of the next quads to a core, if one has room."""
    if launcher.flight.count + quads > launcher.flight.depth:
        return False
    registers = unified.fragment_registers[depth.primitive[depth.quad[front(launcher.queue).index].primitive].state]
    k = free_core(gpu, launcher, registers)
    if k < 0:
        return False
    core = core_of(gpu, k)
    hooks.works_for(gpu, launcher.id, work_of(depth, front(launcher.queue).index))
    w = simt_warps.begin(gpu, core, FRAGMENTS, registers, t)
    warp = core.warp[w]
    warp.row, warp.tile = r, front(launcher.queue).tile
    warp.place = wrap(launcher.flight, launcher.flight.head + launcher.flight.count)
    for _ in range(quads):
        q = front(launcher.queue).index
        simt_warps.enter(shading, core, w, q, shading.quad[q].path, 4)
        enter(launcher, 0)
        release(gpu, launcher.queue)
    simt_warps.launch(gpu, shading, core, w)
    launcher.came = -1
    launcher.quads += quads
    launcher.warps += 1
    return True


@inline
def free_core(gpu: Gpu, launcher: FragmentWarpLauncher, registers: int) -> int:
    """The next core in turn that has room for a warp, or -1."""
    for i in range(launcher.cores):
        k = launcher.first_core + (launcher.turn + i) % launcher.cores
        if simt_warps.has_room(core_of(gpu, k), 1, registers):
            launcher.turn = (launcher.turn + i + 1) % launcher.cores
            return int(k)
    return -1


@inline
def fragments_shaded(gpu: Gpu, k: int, w: int) -> None:
    """The quads of a warp are shaded."""
    warp = core_of(gpu, k).warp[w]
    launcher: FragmentWarpLauncher = gpu.raster_unit[warp.row].fragment_warp_launcher
    for i in range(warp.items):
        launcher.flight.slot[wrap(launcher.flight, warp.place + i)].done = 1
    poke(gpu, launcher.id)


class FragmentWarpLauncherParameters(Group, section="fragment_warp_launcher"):
    """Launchers of warps of fragments, one for each Raster Unit, on machines whose cores shade everything."""

    queue: int = number(64, "quads", "quads that wait for a warp", 8, 1024, silent=(16, 256))
    quads: int = number(
        256, "quads", "quads between the queue and blending, shaded or not", 8, MAX_FLIGHT, silent=(64, 1024)
    )
    wait_cycles: int = number(
        16, "cycles", "for which a warp that has room waits for further quads of its draw", 0, 1000, silent=(0, 64)
    )
    quads_per_cycle: int = number(1, "quads/cycle", "shaded quads handed to blending", 1, 8, silent=(1, 4))
    quad_cycles: int = number(
        0, "cycles", "time of a shaded quad, where a core blends and writes fewer than four pixels per cycle", 0, 16
    )


def setup(chip: Chip, launcher: FragmentWarpLauncher, place: tuple[int, ...]) -> None:
    """Sizes from the configuration; Raster Units and cores are dealt out to each other evenly."""
    spec = chip.configuration.of(FragmentWarpLauncherParameters)
    core = chip.configuration.of(SimtCoreParameters)
    launcher.queue.depth, launcher.flight.depth = spec.queue, spec.quads
    launcher.patience, launcher.quads_per_cycle = spec.wait_cycles, spec.quads_per_cycle
    launcher.quad_cycles = spec.quad_cycles
    launcher.warp_quads = core.warp_threads // 4
    r, units = place[0], int(chip.gpu.raster_units)
    launcher.first_core = r * core.clusters // units
    launcher.cores = max(1, (r + 1) * core.clusters // units - launcher.first_core)
    launcher.came = -1
    launcher.cause = IDLE


NAME = "fragment.warp_launcher"

UNIT = Unit(
    "fragment_warp_launcher",
    __name__,
    FragmentWarpLauncher,
    tick,
    tables=("depth", "shading", "machine"),
    scope=RASTER_UNIT,
    shared=SharedQueue,
    parameters=(FragmentWarpLauncherParameters,),
    setup=setup,
    reason="launch",
    marks=("quads",),
    stands=lambda launcher: (
        f"{int(launcher.queue.count)} of {int(launcher.queue.depth)} quads queued, {int(launcher.flight.count)} of "
        f"{int(launcher.flight.depth)} shaded or being shaded"
    ),
    watches=(Watch("fragment", "quads before shading", "queue"),),
    statistics=(
        Stat("fragment.processor.quads", "quads", "quads shaded", "quads"),
        Stat(f"{NAME}.warps", "warps", "warps of quads handed to the cores", "warps"),
        ratio(
            f"{NAME}.quads_per_warp", "quads/warp", "quads in a warp, mean", "fragment.processor.quads", f"{NAME}.warps"
        ),
        *spent(NAME, "a fragment warp launcher"),
    ),
)
