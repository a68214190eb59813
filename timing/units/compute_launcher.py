"""Compute launcher: hands the work groups of dispatches to the SIMT cores, a group per cycle to the next core that has
room for all of its warps.

Dispatches run one after the other where a memory barrier lies between them, else side by side. Draws wait for all
dispatches before them. First-level caches are not coherent: when no group is left, they drop what was written.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilegpu.timing.declare.records import NEVER, i8
from tilegpu.timing.declare.statistics import Stat, spent

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
    from ..assembly.build import Chip
    from ..engine.frame import RenderPass, Shading
    from ..loading.clusters import Clusters
    from ..loading.dispatch_tables import DispatchRow
    from ..memory.gpu import Gpu
    from .simt_core import SimtCore


@access
def core_of(gpu: Gpu, k: int) -> SimtCore:
    """Core of a cluster."""
    raise NotImplementedError


NOT_BEGUN = -1
"""Next group of a dispatch that still waits for its beginning."""


class ComputeLauncher(Accounted):
    """Registers of the compute launcher. `dispatch`: row of the one at work, -1 for none, of those up to
    `last_dispatch`, from `first_dispatch` on; `group`: its next group; `running`: groups in the cores; `turn`: core
    that is asked first; `begins_at`: when its first group can go; `atomics_at`: when the L2 can take the next atomic
    operation."""

    id: i8
    first_dispatch: i8
    dispatch: i8
    last_dispatch: i8
    group: i8
    running: i8
    turn: i8
    begins_at: i8
    launch_cycles: i8
    atomics: i8
    atomics_at: i8
    atomic_operations: i8
    dispatches: i8
    groups: i8
    warps: i8


@unit
def tick(gpu: Gpu, shading: Shading, clusters: Clusters, t: int) -> int:
    launcher: ComputeLauncher = gpu.compute_launcher
    if launcher.dispatch < 0:
        become(launcher, IDLE, t)
        return NEVER
    if launcher.begins_at > t:
        become(launcher, WAITING, t)
        return int(launcher.begins_at)
    row = clusters.dispatch[launcher.dispatch]
    if launcher.group == NOT_BEGUN:
        # Runs may share the tables of a frame.
        row.first_cycle, row.left, launcher.group = t, row.groups, 0
    if launcher.group < row.groups:
        moved = launch(gpu, shading, clusters, launcher, row, t)
    else:
        moved = go_on(gpu, clusters, launcher, t)
    become(launcher, BUSY if moved else BLOCKED, t)
    return t + 1 if moved else NEVER


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
        w = simt_warps.begin(core, COMPUTE, row.registers, t)
        core.warp[w].row, core.warp[w].group = number, g
        core.group[g].warps |= 1 << w
        for lane in range(warp.first_lane, warp.last_lane):
            simt_warps.enter(shading, core, w, lane - warp.first_lane, clusters.compute_lane[lane], 1)
        simt_warps.launch(gpu, shading, core, w)
        gpu.compute_launcher.warps += 1


@unit
def go_on(gpu: Gpu, clusters: Clusters, launcher: ComputeLauncher, t: int) -> bool:
    """All groups of a dispatch are under way: go on with the next one when nothing is left that it waits for."""
    following = launcher.dispatch + 1
    last = following == launcher.last_dispatch
    if launcher.running > 0 and (last or clusters.dispatch[following].waits != 0):
        return False
    launcher.dispatches += 1
    if launcher.running == 0:
        for i in range(launcher.first_dispatch, following):
            row = clusters.dispatch[i]
            for r in range(row.first_written, row.last_written):
                forget_above(gpu, clusters.written[r].address, clusters.written[r].size_bytes)
        launcher.first_dispatch = following
    launcher.dispatch, launcher.group = following, NOT_BEGUN
    launcher.begins_at = t + 1 + launcher.launch_cycles
    if last:
        launcher.dispatch = -1
        wake(gpu, gpu.signal.progress)
    return True


@inline
def group_ends(gpu: Gpu, clusters: Clusters, dispatch: int, t: int) -> None:
    """A group has left its core."""
    gpu.compute_launcher.running -= 1
    row = clusters.dispatch[dispatch]
    row.left -= 1
    if row.left == 0:
        row.last_cycle = t
    poke(gpu, gpu.compute_launcher.id)


@inline
def start(gpu: Gpu, render_pass: RenderPass, t: int) -> bool:
    """Begin with the dispatches before a pass; whether there are any."""
    first, last = render_pass.first_dispatch, render_pass.last_dispatch
    if first == last:
        return False
    launcher: ComputeLauncher = gpu.compute_launcher
    launcher.first_dispatch = launcher.dispatch = first
    launcher.last_dispatch = last
    launcher.group = NOT_BEGUN
    launcher.begins_at = t + 1 + launcher.launch_cycles
    poke(gpu, launcher.id)
    return True


@inline
def done(gpu: Gpu) -> bool:
    """Whether no dispatch is left."""
    return bool(gpu.compute_launcher.dispatch < 0)


def setup(chip: Chip, launcher: ComputeLauncher, place: tuple[int, ...]) -> None:
    """Costs from the configuration."""
    spec = chip.configuration.of(WorkGroupParameters)
    launcher.launch_cycles, launcher.atomics = spec.launch_cycles, spec.atomics
    launcher.cause = IDLE
    begin_frame(launcher)


def begin_frame(launcher: ComputeLauncher) -> None:
    """No dispatch is at work."""
    launcher.dispatch = -1


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
