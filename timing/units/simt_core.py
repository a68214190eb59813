"""SIMT core: executes warps of threads, of vertices or of fragments; each of its schedulers issues one scalar
instruction of a warp per cycle (Emerald, 3.3.2).

Warps (`simt_warps`) leave in any order: order at a place is kept by the tile coalescing stage.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import model_validator

from tilegpu.functional.errors import UserError
from tilegpu.timing.declare.energy.geometry import Logic, Ram
from tilegpu.timing.declare.parameters import Group, choice, number
from tilegpu.timing.declare.reasons import ASKED
from tilegpu.timing.declare.records import (
    MAX_CLUSTERS,
    MAX_SIMT_THREADS,
    MAX_SIMT_WARPS,
    MAX_WORK_GROUPS,
    MIN_SIMT_THREADS,
    NEVER,
    Ring,
    Rows,
    i4,
    i8,
    room,
)
from tilegpu.timing.declare.statistics import Stat, ratio
from tilegpu.timing.declare.structures import FRAGMENT, Structure, operations, stat

from ..engine import hooks
from ..engine.account import Accounted, become
from ..engine.calendar import wake
from ..engine.frame import (
    ALU,
    ATTRIBUTE_LOAD,
    BARRIER,
    FLOW,
    KINDS,
    MEM,
    REGISTER_ACCESSES,
    SFU,
    SHARED,
    TEX,
)
from ..engine.jit import count_bits, inline, lowest_bit, unit
from ..engine.ring import drop, front
from ..engine.unit import Unit
from ..engine.wiring import access
from ..memory.request import INSTRUCTION, READ, can_send, has_reply, next_reply, replies_due, send, take_reply
from . import warp_schedulers, warp_turns, work_groups
from .blending import OUTCOMES, begin_frame, note_blended
from .depth_test import TileBuffer
from .processor import executed
from .simt_warps import COMPUTE, FRAGMENTS, VERTICES, SimtWarp, look_ahead
from .warp_operations import is_global, is_local
from .work_groups import SimtGroup, WorkGroupParameters

if TYPE_CHECKING:
    from tilegpu.timing.declare.hardware import Hardware

    from ..engine.chip import Chip
    from ..engine.cluster_tables import Clusters
    from ..engine.frame import Depth, Instruction, Shading
    from ..memory.gpu import Gpu


NARROW_REGISTERS = 32
"""Registers of a thread up to which cores of Arm's hold the most threads."""


@access
def has_operation_room(gpu: Gpu, k: int, instruction: Instruction) -> bool:
    """Whether a core's load/store units take another operation."""
    raise NotImplementedError


@access
def operations_reason(gpu: Gpu, k: int) -> int:
    """Reason for which the operations of a core's load/store units take their time."""
    raise NotImplementedError


@access
def accept_operation(gpu: Gpu, shading: Shading, clusters: Clusters, k: int, w: int, instruction: Instruction) -> None:
    """Hand the operation of a warp on to a load/store unit."""
    raise NotImplementedError


@access
def vertices_shaded(gpu: Gpu, k: int, w: int) -> bool:
    """Hand a warp of shaded vertices on, if there is room for it."""
    raise NotImplementedError


@access
def fragments_shaded(gpu: Gpu, depth: Depth, clusters: Clusters, k: int, w: int, t: int) -> None:
    """Hand a warp of shaded fragments on."""
    raise NotImplementedError


@access
def room_made(gpu: Gpu, k: int) -> None:
    """Tell that a warp has left a core."""
    raise NotImplementedError


BUSY, MEMORY, CODE, RESULTS, EMPTY, OUTPUT, HELD = range(7)
"""Uses of a core's cycles: issuing; waiting, with some warp in need of memory, else of code, else only for results of
its own; without work; unable to hand its results on; with all warps at barriers."""
NO_TILE = -1
"""Vertices and compute programs are of no tile."""
MAX_SCHEDULERS = 4


class SimtCore(Accounted):
    """Registers of a core. Masks hold warps by their state, a bit each, of those that are `used`; `operating`: those
    whose next instruction is for a load/store unit. Of each scheduler: `own`, its warps, a bit each; `turn`, the latest
    one; `issues_at`, when it can issue again. Of each warp: `due`, when its next instruction can be issued. `by_age`:
    numbers of the `resident` warps, the oldest first; `drawing`: how many of these are of draws. `groups`: numbers of
    work groups in use, a bit each; `held`: warps at barriers; `shared_at`, `varyings_at`: when shared memory and the
    varying unit are free again. `tile`: that of the fragments for which it issues since `busy_at`, or NO_TILE;
    `issues_for`: the same of the latest instruction."""

    id: i8
    port: i8
    warps: i8
    warp_threads: i8
    used: i8
    running: i8
    waiting: i8
    fetching: i8
    done: i8
    schedulers: i8
    own: Rows[i8] = room(MAX_SCHEDULERS)
    turn: Rows[i8] = room(MAX_SCHEDULERS)
    issues_at: Rows[i8] = room(MAX_SCHEDULERS)
    registers_free: i8
    scheduler: i8
    sfu_cycles: i8
    latency: Rows[i8] = room(len(KINDS))
    due: Rows[i8] = room(MAX_SIMT_WARPS)
    by_age: Rows[i8] = room(MAX_SIMT_WARPS)
    operating: i8
    warp: Rows[SimtWarp] = room(MAX_SIMT_WARPS)
    fetch: Ring[i4] = room(MAX_SIMT_WARPS)
    buffer: TileBuffer
    group: Rows[SimtGroup] = room(MAX_WORK_GROUPS)
    groups: i8
    most_groups: i8
    groups_resident: i8
    held: i8
    group_cycles: i8
    shared_free: i8
    shared_at: i8
    shared_latency: i8
    varying_channels: i8
    varyings_at: i8
    varying_cycles: i8
    varying_instructions: i8
    pipes: Rows[i8] = room(3)
    spent: Rows[i8] = room(7)
    instructions: Rows[i8] = room(len(KINDS))
    operations: Rows[i8] = room(len(KINDS))
    registers: Rows[i8] = room(len(REGISTER_ACCESSES))
    squashed: i8
    scalar_instructions: i8
    active_threads: i8
    divergent: i8
    vertex_warps: i8
    fragment_warps: i8
    compute_warps: i8
    full_warps: i8
    vertex_tasks: i8
    wide_warps: i8
    others: i8
    others_since: i8
    other_cycles: i8
    barriers: i8
    shared_accesses: i8
    shared_cycles: i8
    vertices: i8
    shaded_quads: i8
    instruction_fetches: i8
    resident: i8
    drawing: i8
    tile: i8
    busy_at: i8
    issues_for: i8
    quads: i8
    fragments: i8
    blended: i8
    late_killed_quads: i8
    discarded_quads: i8
    killed_quads: i8
    mismatched_quads: i8


@unit
def tick(gpu: Gpu, depth: Depth, shading: Shading, clusters: Clusters, k: int, t: int) -> int:
    core: SimtCore = gpu.simt_core[k]
    moved = retire(gpu, depth, clusters, core, k, t)
    receive_code(gpu, core, t)
    moved |= fetch_code(gpu, core, t)
    was_busy = core.cause == BUSY
    due = issue(gpu, shading, clusters, core, k, t)
    charge(depth, core, was_busy, t)
    if moved or due == t + 1:
        return t + 1
    return int(min(due, next_retire(core, t), next_reply(gpu.port[core.port])))


@inline
def receive_code(gpu: Gpu, core: SimtCore, t: int) -> None:
    """Lines of code that have arrived."""
    port = gpu.port[core.port]
    while has_reply(port, t):
        replies = replies_due(port, t)
        w = front(replies).slot
        core.fetching &= ~(1 << w)
        if core.waiting >> w & 1 == 0:
            core.running |= 1 << w
        core.due[w] = max(core.due[w], t)
        take_reply(gpu, port, replies)


@inline
def fetch_code(gpu: Gpu, core: SimtCore, t: int) -> bool:
    """Ask for one line of code per cycle, for the warp that has waited longest."""
    port = gpu.port[core.port]
    if core.fetch.count == 0 or not can_send(port):
        return False
    w = front(core.fetch)
    drop(core.fetch)
    hooks.turns_aside(gpu, core.id)
    hooks.resumes_warp(gpu, core.id, w, int(core.warp[w].next))
    sent = send(gpu, port, t, core.warp[w].line * gpu.line_bytes, gpu.line_bytes, READ, INSTRUCTION, -1)
    sent.slot = w
    core.instruction_fetches += 1
    hooks.turns_back(gpu, core.id)
    return True


@inline
def issue(gpu: Gpu, shading: Shading, clusters: Clusters, core: SimtCore, k: int, t: int) -> int:
    """Let each scheduler issue an instruction of the warp whose turn it is; when the next one can be issued."""
    due, busy, lacks_room, latest = NEVER, False, False, -1
    for s in range(core.schedulers):
        if core.issues_at[s] > t:
            due, busy = min(due, core.issues_at[s]), True
            continue
        chosen, own_due, own_lacks_room = choose(gpu, shading, core, k, s, t)
        lacks_room |= own_lacks_room
        if chosen >= 0:
            core.turn[s] = chosen
            hooks.resumes_warp(gpu, core.id, chosen, int(core.warp[chosen].next))
            latest = chosen
            execute(gpu, shading, clusters, core, k, s, chosen, t)
            own_due, busy = t + 1, True
        due = min(due, own_due)
    if not busy and core.resident > 0:
        # A stall is on account of the oldest warp.
        oldest = int(core.by_age[0])
        ended = core.done >> oldest & 1 != 0
        hooks.resumes_warp(gpu, core.id, oldest, -1 if ended else int(core.warp[oldest].next))
    if latest >= 0:
        core.issues_for = core.warp[latest].tile if core.warp[latest].vertex == FRAGMENTS else NO_TILE
    become(core, BUSY if busy else cause_of_stall(core, lacks_room, t), t)
    return due


@inline
def charge(depth: Depth, core: SimtCore, was_busy: bool, t: int) -> None:
    """Add the cycles in which a core issued to the tile that they are of when it issues for another one, or stops."""
    if was_busy and (core.cause != BUSY or core.issues_for != core.tile) and core.tile != NO_TILE:
        depth.log[core.tile].busy_cycles += t - core.busy_at
    if core.cause == BUSY and (not was_busy or core.issues_for != core.tile):
        core.tile, core.busy_at = core.issues_for, t


@inline
def choose(gpu: Gpu, shading: Shading, core: SimtCore, k: int, s: int, t: int) -> tuple[int, int, bool]:
    """The warp of a scheduler that issues, or -1; when one can, where none can now; whether none can for lack of room
    for its memory operation."""
    candidates = core.running & ~core.held & core.own[s]
    due, lacks_room = NEVER, False
    if candidates == 0:
        return -1, due, lacks_room
    i = 0
    w = warp_turns.in_order(gpu, core, s, i, t)
    while w >= 0:
        if candidates >> w & 1 != 0:
            if core.due[w] > t:
                due = min(due, core.due[w])
            elif takes_next(gpu, shading, core, k, w):
                return w, t + 1, False
            else:
                lacks_room = True
        i += 1
        w = warp_turns.in_order(gpu, core, s, i, t)
    return -1, int(due), lacks_room


@inline
def takes_next(gpu: Gpu, shading: Shading, core: SimtCore, k: int, w: int) -> bool:
    """Whether there is room for a warp's next instruction where it is executed."""
    if core.operating >> w & 1 == 0:
        return True
    return has_operation_room(gpu, k, shading.instruction[core.warp[w].next])


@inline
def cause_of_stall(core: SimtCore, lacks_room: bool, t: int) -> int:
    """Cause for which nothing can be issued."""
    if core.used == 0:
        return EMPTY
    if lacks_room or core.waiting != 0:
        return MEMORY
    if core.fetching != 0:
        return CODE
    if core.running & ~core.held != 0:
        return RESULTS
    if core.held != 0:
        return HELD
    warps, cause = core.done, OUTPUT
    while warps != 0:
        w = lowest_bit(warps)
        warps &= warps - 1
        if core.warp[w].outstanding > 0:
            return MEMORY
        if core.due[w] > t:
            cause = RESULTS
    return cause


@unit
def execute(gpu: Gpu, shading: Shading, clusters: Clusters, core: SimtCore, k: int, s: int, w: int, t: int) -> None:
    warp = core.warp[w]
    instruction = shading.instruction[warp.next]
    kind = instruction.kind
    cycles = instruction.cycles * (core.sfu_cycles if kind == SFU else 1)
    issues_at = t + cycles
    core.issues_at[s] = issues_at
    done = issues_at - 1 + core.latency[kind]
    if kind == MEM and instruction.access == SHARED:
        done = access_shared(clusters, core, warp, t)
        if instruction.destination > 0:
            warp.ready[instruction.destination] = done
    elif kind in (TEX, MEM):
        accept_operation(gpu, shading, clusters, k, w, instruction)
        if instruction.destination > 0:
            warp.ready[instruction.destination] = NEVER
        warp.loads += kind == MEM and instruction.access == ATTRIBUTE_LOAD
        core.shared_accesses += kind == MEM and is_local(instruction.access)
        warp.outstanding += 1
    elif instruction.destination > 0:
        warp.ready[instruction.destination] = done
    threads = 0
    alive = 0
    for c in range(warp.cursors):
        alive += warp.at[c] < warp.end[c]
        if warp.who >> c & 1 != 0:
            threads += warp.threads[c]
            warp.textures[c] += kind == TEX
            warp.accesses[c] += kind == MEM and is_global(instruction.access)
            warp.at[c] += 1
    core.instructions[kind] += 1
    core.scalar_instructions += instruction.cycles
    core.active_threads += threads * instruction.cycles
    core.divergent += alive != count_bits(warp.who)
    core.pipes[0] += instruction.fma
    core.pipes[1] += instruction.cvt
    core.pipes[2] += instruction.special
    warp.operation += kind in (MEM, TEX)
    core.due[w] = done if kind == FLOW else issues_at
    core.varying_instructions += instruction.channels > 0
    if instruction.channels > 0 and core.varying_channels > 0:
        core.due[w] = max(core.due[w], interpolate(core, threads * int(instruction.channels), t))
    if kind == FLOW and instruction.access == BARRIER:
        work_groups.arrive(core, w)
    look_ahead(gpu, shading, core, w)


@inline
def interpolate(core: SimtCore, channels: int, t: int) -> int:
    """Let the varying unit interpolate after what came before; when a warp has its channels and goes on."""
    cycles = (channels + core.varying_channels - 1) // core.varying_channels
    core.varyings_at = max(core.varyings_at, t) + cycles
    core.varying_cycles += cycles
    return int(core.varyings_at)


@inline
def access_shared(clusters: Clusters, core: SimtCore, warp: SimtWarp, t: int) -> int:
    """Access shared memory, which takes a cycle for each word of the bank that is wanted most; when it is done."""
    cycles = clusters.memory_operation[clusters.compute_warp[warp.row].first_operation + warp.operation].cycles
    core.shared_at = max(core.shared_at, t) + cycles
    core.shared_accesses += 1
    core.shared_cycles += cycles
    return int(core.shared_at - 1 + core.shared_latency)


@inline
def next_retire(core: SimtCore, t: int) -> int:
    """Cycle in which a warp has executed everything, if that is to come and known."""
    earliest = NEVER
    warps = core.done
    while warps != 0:
        w = lowest_bit(warps)
        warps &= warps - 1
        if core.warp[w].outstanding == 0 and core.due[w] > t:
            earliest = min(earliest, core.due[w])
    return earliest


@inline
def retire(gpu: Gpu, depth: Depth, clusters: Clusters, core: SimtCore, k: int, t: int) -> bool:
    """Warps that have executed everything leave, those of vertices if there is room for what they have become."""
    warps = core.done
    moved = False
    while warps != 0:
        w = lowest_bit(warps)
        warps &= warps - 1
        warp = core.warp[w]
        if warp.outstanding > 0 or core.due[w] > t:
            continue
        hooks.resumes_work(gpu, core.id, int(w))
        if warp.vertex == COMPUTE:
            work_groups.leave(gpu, clusters, core, w, t)
            core.compute_warps += 1
        elif warp.vertex != 0:
            if not vertices_shaded(gpu, k, w):
                continue
            core.vertex_warps += 1
            core.vertices += warp.items
        else:
            fragments_shaded(gpu, depth, clusters, k, w, t)
            core.fragment_warps += 1
            core.shaded_quads += warp.items
        core.done &= ~(1 << w)
        core.used &= ~(1 << w)
        count_left(core, warp, t)
        forget(core, w)
        core.registers_free += warp.registers * core.warp_threads
        moved = True
        room_made(gpu, k)
    if moved and core.drawing == 0:
        wake(gpu, gpu.signal.progress)
    return moved


@inline
def count_left(core: SimtCore, warp: SimtWarp, t: int) -> None:
    """Count a warp that leaves."""
    threads = 0
    for c in range(warp.cursors):
        threads += warp.threads[c]
    core.full_warps += threads == core.warp_threads
    core.wide_warps += warp.registers > NARROW_REGISTERS
    if warp.vertex != FRAGMENTS:
        core.vertex_tasks += (warp.items + 3) // 4 if warp.vertex == VERTICES else 0
        core.others -= 1
        if core.others == 0:
            core.other_cycles += t - core.others_since


@inline
def forget(core: SimtCore, w: int) -> None:
    """A warp has left: take it from those sorted by age."""
    core.resident -= 1
    core.drawing -= core.warp[w].vertex != COMPUTE
    present = False
    for i in range(core.resident):
        present |= core.by_age[i] == w
        if present:
            core.by_age[i] = core.by_age[i + 1]


@unit
def count_blended(gpu: Gpu, depth: Depth, core: SimtCore, w: int, t: int) -> None:
    """The quads of a warp are done with, where its program has blended them."""
    warp = core.warp[w]
    for i in range(warp.items):
        quad = depth.quad[warp.item[i]]
        if quad.passed != 0:
            note_blended(gpu, depth, 0, core, warp.item[i], int(quad.passed), t)


class SimtCoreParameters(Group, section="simt_core"):
    """SIMT cores, one in each cluster."""

    clusters: int = number(6, "clusters", "clusters of one SIMT core each [Emerald, Table 7]", 1, MAX_CLUSTERS)
    max_threads: int = number(
        2048, "threads", "threads of a core [Emerald, Table 7]", 32, MAX_SIMT_WARPS * MAX_SIMT_THREADS
    )
    warp_threads: int = number(
        32, "threads", "threads of a warp: 4, 8, 16 or 32 [Emerald, 3.3.2]", MIN_SIMT_THREADS, MAX_SIMT_THREADS
    )
    registers: int = number(65536, "registers", "32-bit registers of a core [Emerald, Table 7]", 1024, 1 << 20)
    schedulers: int = number(
        1,
        "schedulers",
        "warp schedulers; each issues a scalar instruction of one of its warps per cycle [Emerald, Table 7: 192 lanes "
        "in six clusters, so one]",
        1,
        4,
    )
    issue: str = choice(
        "scalar",
        {
            "scalar": "a scalar instruction [Emerald, 3.3.2]",
            "pairs": "a pair of scalar operations, product and sum, as on Bifrost (docs/model/issue.md)",
            "tuples": "a tuple of two operations, of its FMA and its ADD unit, two halves each (Bifrost)",
            "pipes": "an operation for each of three pipes, two halves each; special functions take four (Valhall)",
            "bundles": "a bundle of up to five operations on vectors and scalars for one thread (Midgard)",
        },
        "what a warp issues in a cycle (docs/model/issue.md)",
    )
    varying_channels: int = number(
        0,
        "channels/cycle",
        "16-bit channels of varyings that a core interpolates for threads; 0: any number. Counted with `issue` tuples, "
        "pipes and bundles",
        0,
        256,
    )
    alu_latency: int = number(6, "cycles", "from issue to use of an arithmetic result", 1, 1000, silent=(4, 20))
    sfu_latency: int = number(16, "cycles", "the same of a special function", 1, 1000, silent=(8, 40))
    sfu_cycles: int = number(4, "cycles", "time in which a warp's special functions are issued", 1, 32, silent=(1, 8))
    flow_latency: int = number(6, "cycles", "from a jump to the next instruction of the warp", 1, 1000, silent=(1, 12))
    scheduler: str = choice(
        "greedy_oldest",
        {},
        "which warp issues: a name of docs/model/warp_schedulers.md",
        silent=("round_robin",),
        policies="warp_schedulers",
    )
    operations: int = number(
        8,
        "operations",
        "memory operations of warps under way, of each kind of cache",
        1,
        MAX_SIMT_WARPS,
        silent=(4, 16),
    )
    blended_depth: str = choice(
        "tested",
        {
            "tested": "in the program as others",
            "untested": "neither loaded nor stored, as in the authors' public simulator, which tests nothing with "
            "blending; outcomes stay as recorded",
        },
        "depths and stencil values of fragments that are blended",
    )
    texture_threads: int = number(
        0,
        "threads/cycle",
        "threads that a bilinear probe is filtered for; 0: any number, papers silent",
        0,
        32,
        silent=(2, 8),
    )
    load_latency: int = number(4, "cycles", "from the last line to the use of what was loaded", 0, 1000, silent=(1, 20))

    @model_validator(mode="after")
    def _fits(self) -> SimtCoreParameters:
        if self.warp_threads & (self.warp_threads - 1):
            raise UserError("warp_threads must be a power of two")
        if warp_schedulers.FOLDER.find(self.scheduler).in_order is None:
            raise UserError(f"scheduler {self.scheduler} is one of Fragment Processors, not of SIMT cores")
        if self.warps > MAX_SIMT_WARPS:
            raise UserError(
                f"a core has {MAX_SIMT_WARPS} warps at most, {MAX_SIMT_WARPS * self.warp_threads:,} threads of "
                f"{self.warp_threads} a warp: lower max_threads"
            )
        return self

    @property
    def warps(self) -> int:
        """Warps of a core."""
        return self.max_threads // self.warp_threads


def setup(chip: Chip, core: SimtCore, place: tuple[int, ...]) -> None:
    """Sizes from the configuration."""
    spec = chip.configuration.of(SimtCoreParameters)
    core.warps, core.registers_free, core.warp_threads = spec.warps, spec.registers, spec.warp_threads
    core.schedulers = spec.schedulers
    for s in range(spec.schedulers):
        own = sum(1 << w for w in range(s, spec.warps, spec.schedulers))
        # The mask of warp 63 is the sign.
        core.own[s] = own - (own >> 63 << 64)
    core.varying_channels = spec.varying_channels
    core.scheduler, core.sfu_cycles = warp_schedulers.FOLDER.number_of(spec.scheduler), spec.sfu_cycles
    core.fetch.depth = MAX_SIMT_WARPS
    for kind, latency in ((ALU, spec.alu_latency), (SFU, spec.sfu_latency), (FLOW, spec.flow_latency)):
        core.latency[kind] = latency
    core.latency[TEX] = core.latency[MEM] = 1
    groups = chip.configuration.of(WorkGroupParameters)
    # In memory each group has as much as the core otherwise.
    pieces = groups.groups if groups.shared == "memory" else 1
    core.most_groups, core.shared_free = groups.groups, groups.shared_bytes * pieces
    core.shared_latency = groups.shared_latency
    core.cause = EMPTY


def _register_file(c: Hardware) -> Ram:
    spec = c.of(SimtCoreParameters)
    return Ram(spec.registers // spec.warp_threads, 32 * spec.warp_threads, "2r1w")


def _cores(c: Hardware) -> int:
    return int(c.of(SimtCoreParameters).clusters)


NAME = "simt.core"

COUNTED = (
    Stat(f"{NAME}.vertex_warps", "warps", "warps of vertices executed", "vertex_warps"),
    Stat(f"{NAME}.fragment_warps", "warps", "warps of fragments executed", "fragment_warps"),
    Stat(f"{NAME}.compute_warps", "warps", "warps of compute programs executed", "compute_warps"),
    Stat(f"{NAME}.vertex_tasks", "tasks", "groups of up to four vertices in warps of vertices", "vertex_tasks"),
    Stat(f"{NAME}.full_warps", "warps", "warps with a thread in each lane", "full_warps"),
    Stat(f"{NAME}.wide_warps", "warps", f"warps of programs of more than {NARROW_REGISTERS} registers", "wide_warps"),
    Stat(
        f"{NAME}.non_fragment_cycles",
        "cycles",
        "cycles in which a core had warps of vertices or compute programs, summed",
        "other_cycles",
    ),
    Stat(f"{NAME}.group_cycles", "cycles", "cycles that work groups were in the cores, summed", "group_cycles"),
    Stat(f"{NAME}.barriers", "warps", "warps that reached a barrier", "barriers"),
    Stat(f"{NAME}.shared_accesses", "operations", "accesses of warps to shared memory", "shared_accesses"),
    Stat(f"{NAME}.shared_cycles", "cycles", "cycles in which shared memory was accessed", "shared_cycles"),
    Stat(f"{NAME}.vertices", "vertices", "vertices shaded, those in two warps twice", "vertices"),
    Stat(f"{NAME}.quads", "quads", "quads in warps of fragments", "shaded_quads"),
    *executed(NAME, "warps", "warps"),
    Stat(
        f"{NAME}.scalar_instructions",
        "instructions",
        "scalar instructions that these are, once per warp",
        "scalar_instructions",
    ),
    Stat(f"{NAME}.active_threads", "threads", "threads that executed one of them, summed", "active_threads"),
    Stat(
        f"{NAME}.divergent_instructions",
        "instructions",
        "instructions that not all unfinished paths of a warp executed together",
        "divergent",
    ),
    ratio(
        f"{NAME}.threads_per_instruction",
        "threads",
        "threads of a warp that execute an instruction, mean",
        f"{NAME}.active_threads",
        f"{NAME}.scalar_instructions",
    ),
    *(
        Stat(f"{NAME}.{cause}_cycles", "cycles", f"cycles in which a SIMT core {what}, summed", f"spent[{i}]")
        for i, (cause, what) in enumerate(
            (
                ("busy", "issued"),
                ("memory_stall", "waited, a warp for memory"),
                ("code_stall", "waited, a warp for code and none for memory"),
                ("result_stall", "waited for results of its own only"),
                ("empty", "had no warp"),
                ("output", "waited to hand vertices on"),
                ("barrier_stall", "had all its warps at barriers"),
            )
        )
    ),
    Stat(f"{NAME}.varying_cycles", "cycles", "cycles in which varyings were interpolated, summed", "varying_cycles"),
    *(
        Stat(
            f"{NAME}.{pipe.lower()}_pipe_instructions",
            "instructions",
            f"instructions of the {pipe} pipe, once per warp, where cores issue to pipes",
            f"pipes[{i}]",
        )
        for i, pipe in enumerate(("FMA", "CVT", "SFU"))
    ),
    Stat(
        f"{NAME}.varying_instructions",
        "instructions",
        "instructions that interpolate varyings, once per warp",
        "varying_instructions",
    ),
    Stat(f"{NAME}.instruction_fetches", "requests", "lines of code asked for", "instruction_fetches"),
)
"""Statistics of a core, whatever its programs do around shading."""


@inline
def waits_for(gpu: Gpu, k: int) -> int:
    """Reason of a stall for memory."""
    return operations_reason(gpu, k)


UNIT = Unit(
    "simt_core",
    __name__,
    SimtCore,
    tick,
    tables=("depth", "shading", "machine"),
    most=MAX_CLUSTERS,
    count=_cores,
    parameters=(SimtCoreParameters,),
    setup=setup,
    begin_frame=begin_frame,
    causes=("busy", "memory_stall", "code_stall", "result_stall", "empty", "output", "barrier_stall"),
    programmable=True,
    reasons={
        "busy": "arithmetic",
        "memory_stall": ASKED,
        "code_stall": "code",
        "result_stall": "results",
        "barrier_stall": "barriers",
    },
    asks=waits_for,
    marks=("instructions", "vertex_warps", "fragment_warps", "instruction_fetches"),
    stands=lambda core: f"{int(core.resident)} of {int(core.warps)} warps, {int(core.fetch.count)} want code",
    statistics=(
        *COUNTED,
        Stat(f"{NAME}.killed_quads", "quads", "quads that failed the early test in the shader", "killed_quads"),
        *OUTCOMES,
    ),
    structures=(
        Structure(
            "simt_core.fpu",
            FRAGMENT,
            _cores,
            lambda c: Logic("fpu", c.of(SimtCoreParameters).warp_threads * c.of(SimtCoreParameters).schedulers),
            operations(NAME, "alu"),
        ),
        Structure("simt_core.sfu", FRAGMENT, _cores, lambda c: Logic("sfu", 8), operations(NAME, "sfu")),
        Structure(
            "simt_core.alu",
            FRAGMENT,
            _cores,
            lambda c: Logic("alu", c.of(SimtCoreParameters).warp_threads),
            operations(NAME, "flow"),
        ),
        # A row holds a register of all lanes; an instruction reads two and writes one.
        Structure(
            "simt_core.registers",
            FRAGMENT,
            _cores,
            _register_file,
            stat(f"{NAME}.scalar_instructions", 2),
            stat(f"{NAME}.scalar_instructions"),
        ),
    ),
)
