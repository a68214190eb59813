"""Compute launcher: hands the work groups of dispatches to the SIMT cores, a group per cycle to the next core that has
room for all of its warps.

Dispatches run one after the other where a memory barrier lies between them, else side by side. First-level caches are
not coherent: when a dispatch ends, they drop what it may have written.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilegpu.timing.declare.records import NEVER, Rows, i8, room
from tilegpu.timing.declare.statistics import Stat, spent

from ..engine import hooks
from ..engine.account import BLOCKED, BUSY, IDLE, WAITING, Accounted, become
from ..engine.calendar import poke, wake
from ..engine.jit import inline, unit
from ..engine.unit import Unit
from ..engine.wiring import access
from ..memory.lines import forget_above
from . import simt_warps, work_groups
from .simt_warps import COMPUTE
from .work_groups import WorkGroupParameters

if TYPE_CHECKING:
    from ..engine.chip import Chip
    from ..engine.cluster_tables import Clusters
    from ..engine.dispatch_tables import DispatchRow
    from ..engine.frame import Shading
    from ..memory.gpu import Gpu
    from .simt_core import SimtCore


@access
def core_of(gpu: Gpu, k: int) -> SimtCore:
    """Core of a cluster."""
    raise NotImplementedError


MAX_BANKS = 64
"""Banks of the L2 at most, each of which may do atomic operations."""
NOT_BEGUN = -1
"""Next group of a dispatch that still waits for its beginning."""


class ComputeLauncher(Accounted):
    """Registers of the compute launcher, which count the dispatches of the frame: `done`, those that are over and have
    none before them that is not; `dispatch`, the one at work; `last_dispatch`, those that may begin. `group`: its next
    group; `running`: groups in the cores; `turn`: core that is asked first; `begins_at`: when its first group can go,
    NEVER as long as it waits; `atomics_at`: when the L2 can take the next atomic operation, or `by_bank`, each bank of
    it."""

    id: i8
    done: i8
    dispatch: i8
    last_dispatch: i8
    group: i8
    running: i8
    turn: i8
    begins_at: i8
    launch_cycles: i8
    atomics: i8
    by_bank: i8
    atomics_at: Rows[i8] = room(MAX_BANKS)
    atomic_operations: i8
    dispatches: i8
    groups: i8
    warps: i8


@unit
def tick(gpu: Gpu, shading: Shading, clusters: Clusters, t: int) -> int:
    launcher: ComputeLauncher = gpu.compute_launcher
    if launcher.dispatch == launcher.last_dispatch:
        become(launcher, IDLE if launcher.running == 0 else BLOCKED, t)
        return NEVER
    row = clusters.dispatch[launcher.dispatch]
    hooks.works_for(gpu, launcher.id, row.work)
    if launcher.group == NOT_BEGUN and not begins(launcher, row, t):
        become(launcher, BLOCKED if launcher.begins_at == NEVER else WAITING, t)
        return int(launcher.begins_at)
    if launcher.group < row.groups and not launch(gpu, shading, clusters, launcher, row, t):
        become(launcher, BLOCKED, t)
        return NEVER
    if launcher.group == row.groups:
        launcher.dispatches += 1
        launcher.dispatch += 1
        launcher.group, launcher.begins_at = NOT_BEGUN, NEVER
        count_done(gpu, clusters, launcher)
    become(launcher, BUSY, t)
    return t + 1


@inline
def begins(launcher: ComputeLauncher, row: DispatchRow, t: int) -> bool:
    """Whether the first group of a dispatch can go: some time after all that the dispatch waits for."""
    if launcher.begins_at == NEVER and (row.waits == 0 or launcher.running == 0):
        launcher.begins_at = t + launcher.launch_cycles
    if launcher.begins_at > t:
        return False
    # Runs may share the tables of a frame.
    row.first_cycle, row.remaining, launcher.group = t, row.groups, 0
    return True


@inline
def launch(gpu: Gpu, shading: Shading, clusters: Clusters, launcher: ComputeLauncher, row: DispatchRow, t: int) -> bool:
    """Hand the next group to the next core that has room for it."""
    for i in range(gpu.instances.simt_core):
        k = (launcher.turn + i) % gpu.instances.simt_core
        core = core_of(gpu, k)
        if simt_warps.has_room(core, row.group_warps, row.registers) and work_groups.has_room(core, row.shared_bytes):
            begin_group(gpu, shading, clusters, core, row, row.first_warp + launcher.group * row.group_warps, t)
            launcher.turn = (k + 1) % gpu.instances.simt_core
            launcher.group += 1
            launcher.groups += 1
            launcher.running += 1
            return True
    return False


@unit
def begin_group(
    gpu: Gpu, shading: Shading, clusters: Clusters, core: SimtCore, row: DispatchRow, first_warp: int, t: int
) -> None:
    """Let all warps of a group begin, in the order of its local indices."""
    g = work_groups.begin(core, int(gpu.compute_launcher.dispatch), row.shared_bytes, t)
    for number in range(first_warp, first_warp + row.group_warps):
        warp = clusters.compute_warp[number]
        w = simt_warps.begin(gpu, core, COMPUTE, row.registers, t)
        core.warp[w].row, core.warp[w].group = number, g
        core.group[g].warps |= 1 << w
        for lane in range(warp.first_lane, warp.last_lane):
            simt_warps.enter(shading, core, w, lane - warp.first_lane, clusters.compute_lane[lane], 1)
        simt_warps.launch(gpu, shading, core, w)
        gpu.compute_launcher.warps += 1


@inline
def group_ends(gpu: Gpu, clusters: Clusters, dispatch: int, t: int) -> None:
    """A group has left its core."""
    launcher: ComputeLauncher = gpu.compute_launcher
    launcher.running -= 1
    row = clusters.dispatch[dispatch]
    row.remaining -= 1
    if row.remaining == 0:
        row.last_cycle = t
        for r in range(row.first_written, row.last_written):
            forget_above(gpu, clusters.written[r].address, clusters.written[r].size_bytes)
        count_done(gpu, clusters, launcher)
    poke(gpu, launcher.id)


@unit
def count_done(gpu: Gpu, clusters: Clusters, launcher: ComputeLauncher) -> None:
    """Count the dispatches that are over, of those whose groups have all been launched."""
    while launcher.done < launcher.dispatch and clusters.dispatch[launcher.done].remaining == 0:
        launcher.done += 1
        wake(gpu, gpu.signal.progress)


@inline
def start(gpu: Gpu, dispatches: int, t: int) -> None:
    """Let the first dispatches of the frame begin, up to a number."""
    launcher: ComputeLauncher = gpu.compute_launcher
    if dispatches > launcher.last_dispatch:
        launcher.last_dispatch = dispatches
        poke(gpu, launcher.id)


@inline
def done(gpu: Gpu, dispatches: int) -> bool:
    """Whether the first dispatches of the frame are over, up to a number."""
    return bool(gpu.compute_launcher.done >= dispatches)


@inline
def room_made(gpu: Gpu) -> None:
    """A warp has left a core."""
    if gpu.compute_launcher.dispatch < gpu.compute_launcher.last_dispatch:
        poke(gpu, gpu.compute_launcher.id)


def setup(chip: Chip, launcher: ComputeLauncher, place: tuple[int, ...]) -> None:
    """Costs from the configuration."""
    spec = chip.configuration.of(WorkGroupParameters)
    launcher.launch_cycles, launcher.atomics = spec.launch_cycles, spec.atomics
    launcher.by_bank = spec.atomic_units == "banks"
    launcher.cause = IDLE
    begin_frame(launcher)


def begin_frame(launcher: ComputeLauncher) -> None:
    """Start over with the first dispatch."""
    launcher.done = launcher.dispatch = launcher.last_dispatch = 0
    launcher.group, launcher.begins_at = NOT_BEGUN, NEVER


NAME = "simt.compute_launcher"

UNIT = Unit(
    "compute_launcher",
    __name__,
    ComputeLauncher,
    tick,
    tables=("shading", "machine"),
    parameters=(WorkGroupParameters,),
    setup=setup,
    begin_frame=begin_frame,
    reason="launch",
    marks=("groups", "dispatches"),
    stands=lambda launcher: (
        f"group {int(launcher.group)} of dispatch {int(launcher.dispatch)}, {int(launcher.running)} in the cores"
    ),
    statistics=(
        Stat("gpu.dispatches", "dispatches", "dispatches executed", "dispatches"),
        Stat(f"{NAME}.groups", "groups", "work groups handed to the cores", "groups"),
        Stat(f"{NAME}.warps", "warps", "warps of invocations handed to the cores", "warps"),
        Stat(
            f"{NAME}.atomic_operations",
            "operations",
            "atomic operations on buffers and images that the L2 has done",
            "atomic_operations",
        ),
        *spent(NAME, "the compute launcher"),
    ),
)
