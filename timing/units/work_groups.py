"""Work groups on a SIMT core: the warps that share memory and wait for each other at barriers, banks of the shared
memory, and how many groups fit (ESSL 3.10, 4.3.8 and 8.15; figures of GPGPU-Sim's published configurations, which
Emerald's cores come from).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tilegpu.timing.declare.parameters import Group, choice, number
from tilegpu.timing.declare.records import MAX_WORK_GROUPS, Record, i8

from ..engine.jit import inline, lowest_bit, unit
from ..engine.wiring import access

if TYPE_CHECKING:
    from tilegpu.timing.declare.hardware import Hardware

    from ..engine.cluster_tables import Clusters
    from ..memory.gpu import Gpu
    from .simt_core import SimtCore


@access
def group_ends(gpu: Gpu, clusters: Clusters, dispatch: int, t: int) -> None:
    """Tell that all invocations of a work group of a dispatch are through."""
    raise NotImplementedError


class SimtGroup(Record):
    """Work group on a core. `warps`: those that are not through, a bit each; `arrived`: of these, those that wait at a
    barrier; `shared_bytes`: its part of the shared memory; `since`: when it came; `dispatch`: row of its dispatch."""

    warps: i8
    arrived: i8
    shared_bytes: i8
    since: i8
    dispatch: i8


@inline
def has_room(core: SimtCore, shared_bytes: int) -> bool:
    """Whether a core takes a group that needs a number of bytes of shared memory."""
    return bool(core.groups_resident < core.most_groups and core.shared_free >= shared_bytes)


@unit
def begin(core: SimtCore, dispatch: int, shared_bytes: int, t: int) -> int:
    """A new group of a dispatch without warps; its number. The caller has asked `has_room`."""
    g = lowest_bit(~core.groups)
    core.groups |= 1 << g
    core.groups_resident += 1
    core.shared_free -= shared_bytes
    core.group[g].warps = core.group[g].arrived = 0
    core.group[g].shared_bytes = shared_bytes
    core.group[g].since = t
    core.group[g].dispatch = dispatch
    return int(g)


@unit
def arrive(core: SimtCore, w: int) -> None:
    """A warp has reached a barrier: it is held until all warps of its group are there."""
    group = core.group[core.warp[w].group]
    group.arrived |= 1 << w
    core.held |= 1 << w
    core.barriers += 1
    release(core, int(core.warp[w].group))


@inline
def release(core: SimtCore, g: int) -> None:
    """Let the warps of a group go on that all wait at a barrier."""
    group = core.group[g]
    if group.arrived == group.warps:
        core.held &= ~group.arrived
        group.arrived = 0


@unit
def leave(gpu: Gpu, clusters: Clusters, core: SimtCore, w: int, t: int) -> None:
    """A warp of a group is through."""
    g = int(core.warp[w].group)
    group = core.group[g]
    group.warps &= ~(1 << w)
    if group.warps != 0:
        release(core, g)
        return
    core.groups &= ~(1 << g)
    core.groups_resident -= 1
    core.shared_free += group.shared_bytes
    core.group_cycles += t - group.since
    group_ends(gpu, clusters, int(group.dispatch), t)


def shared_in_memory(configuration: Hardware) -> bool:
    """Whether accesses to shared memory are accesses to memory; not on machines that execute no compute programs."""
    parameters: Any = getattr(configuration, WorkGroupParameters.section, None)
    return parameters is not None and parameters.shared == "memory"


class WorkGroupParameters(Group, section="work_groups"):
    """Work groups of compute shaders on a SIMT core."""

    groups: int = number(
        8, "groups", "groups of a core at a time [GPGPU-Sim, its GTX 480]", 1, MAX_WORK_GROUPS, silent=(4, 16)
    )
    shared_bytes: int = number(
        49152, "bytes", "shared memory of a core [GPGPU-Sim, its GTX 480]", 1024, 1 << 18, silent=(16384, 65536)
    )
    shared: str = choice(
        "banks",
        {
            "banks": "in banks of each core [GPGPU-Sim]",
            "memory": "in memory, a piece for each group of each core, behind the data cache of the core; `banks` and "
            "`shared_latency` are not used",
        },
        "where shared memory lies",
    )
    banks: int = number(
        32, "banks", "banks of shared memory, a word of 4 bytes each per cycle [GPGPU-Sim, its GTX 480]", 1, 64
    )
    shared_latency: int = number(
        26,
        "cycles",
        "from the last access to shared memory to its use [GPGPU-Sim, its GTX 480]",
        1,
        1000,
        silent=(6, 40),
    )
    global_latency: int = number(
        4,
        "cycles",
        "from the last line of an access to a buffer or an image to its use, beside that of the L1D",
        1,
        1000,
        silent=(1, 40),
    )
    launch_cycles: int = number(
        700, "cycles", "from the end of what a dispatch waits for to its first group", 0, 1 << 20, silent=(0, 5000)
    )
    atomics: int = number(1, "operations", "atomic operations per cycle of a unit at the L2", 1, 64, silent=(1, 16))
    atomic_units: str = choice(
        "one",
        {
            "one": "one for all cores, a lane after the other",
            "banks": "one for each bank of the L2, which takes all words of a line at once and lanes that change the "
            "same word one after the other, as each partition of GPGPU-Sim's",
        },
        "units at the L2 that do atomic operations",
        silent=("banks",),
    )
    synchronization: str = choice(
        "barriers",
        {
            "barriers": "they run at the same time unless a memory barrier, a target or a copy lies between",
            "in_turn": "draws wait for the dispatches before them, and these for the passes before them",
        },
        "order of dispatches and draws",
        silent=("in_turn",),
    )
