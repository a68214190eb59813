"""Primitive Assembly: takes shaded vertices in the order of the stream, makes primitives, culls, clips.

A primitive takes a cycle, culled or not; a primitive that clipping cuts into several takes one for each.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tilegpu.timing.declare.energy.geometry import Ram
from tilegpu.timing.declare.parameters import Group, number
from tilegpu.timing.declare.records import NEVER, Rows, i8, room
from tilegpu.timing.declare.statistics import Stat, spent
from tilegpu.timing.declare.structures import GEOMETRY, TRIANGLE_BYTES, Structure, once, stat

from ..engine import hooks
from ..engine.account import BLOCKED, BUSY, IDLE, Accounted, account
from ..engine.calendar import wake
from ..engine.frame import CULLING
from ..engine.jit import inline, unit
from ..engine.ring import drop, front, full
from ..engine.unit import Unit
from ..engine.wiring import access, input, output
from .vertex_fetcher import SHADED

if TYPE_CHECKING:
    from ..engine.chip import Chip
    from ..engine.frame import Binning, RenderPass
    from ..engine.ring import Queue
    from ..memory.gpu import Gpu
    from .vertex_fetcher import WindowEntry


@input
def shaded(gpu: Gpu) -> Queue[WindowEntry]:
    """Vertices in the order of the stream, shaded ones among them."""
    raise NotImplementedError


@output
def primitives(gpu: Gpu) -> Queue[Any]:
    """Queue for assembled primitives."""
    raise NotImplementedError


@access
def hand_on(gpu: Gpu, binning: Binning, primitive: int) -> None:
    """Hand an assembled primitive on."""
    raise NotImplementedError


class PrimitiveAssembly(Accounted):
    """Registers of Primitive Assembly."""

    id: i8
    primitive: i8
    committed: i8
    vertices_per_cycle: i8
    primitives_per_cycle: i8
    primitives: i8
    culled: i8
    kinds: Rows[i8] = room(4)
    culled_by: Rows[i8] = room(len(CULLING))
    facing: Rows[i8] = room(2)


@unit
def tick(gpu: Gpu, binning: Binning, t: int) -> int:
    assembly: PrimitiveAssembly = gpu.primitive_assembly
    account(assembly, t)
    assembly.cause = IDLE
    taken = take_vertices(gpu, assembly, t)
    made = assemble(gpu, binning, assembly, t)
    if taken or made:
        assembly.cause = BUSY
        return t + 1
    return NEVER


@inline
def take_vertices(gpu: Gpu, assembly: PrimitiveAssembly, t: int) -> bool:
    window = shaded(gpu)
    taken = False
    for _ in range(assembly.vertices_per_cycle):
        if window.count > 0 and front(window).state == SHADED:
            drop(window)
            assembly.committed += 1
            taken = True
    if taken:
        wake(gpu, window.producers)
        wake(gpu, gpu.signal.progress)
    return taken


@inline
def assemble(gpu: Gpu, binning: Binning, assembly: PrimitiveAssembly, t: int) -> bool:
    """Make the next primitives whose vertices are all here."""
    queue = primitives(gpu)
    made = False
    for _ in range(assembly.primitives_per_cycle):
        if assembly.primitive == len(binning.primitive):
            break
        chosen = hooks.next_assembled(gpu, binning, assembly.primitive)
        if chosen == hooks.WAIT_PRIMITIVE:
            break
        primitive = binning.primitive[chosen]
        if full(queue):
            assembly.cause = BLOCKED
            break
        hooks.works_for(gpu, assembly.id, primitive.work)
        if primitive.clear < 0:
            assembly.primitives += 1
            assembly.kinds[primitive.corners] += 1
            assembly.culled_by[primitive.culled] += 1
            if primitive.culled == 0:
                assembly.facing[primitive.front_facing] += 1
        if primitive.culled != 0:
            assembly.culled += 1
        else:
            hand_on(gpu, binning, chosen)
        assembly.primitive += 1
        made = True
    if made:
        wake(gpu, gpu.signal.progress)
    return made


class PrimitiveAssemblyParameters(Group, section="primitive_assembly"):
    """Primitive Assembly."""

    primitives_per_cycle: int = number(1, "primitives/cycle", "primitives made per cycle [Table 4.1]", 1, 16)
    vertices_per_cycle: int = number(3, "vertices/cycle", "vertices taken per cycle", 1, 16, silent=(1, 4))
    queue: int = number(32, "primitives", "queue before the Polygon List Builder [Table 4.1]", 1, 128)


def setup(chip: Chip, assembly: PrimitiveAssembly, place: tuple[int, ...]) -> None:
    """Sizes from the configuration."""
    spec = chip.configuration.of(PrimitiveAssemblyParameters)
    assembly.vertices_per_cycle, assembly.primitives_per_cycle = spec.vertices_per_cycle, spec.primitives_per_cycle
    assembly.cause = IDLE


def begin_frame(assembly: PrimitiveAssembly) -> None:
    """Start over with the first primitive."""
    assembly.primitive = assembly.committed = 0


@inline
def drained(gpu: Gpu, render_pass: RenderPass) -> bool:
    """Whether all primitives of a pass are assembled."""
    return bool(gpu.primitive_assembly.primitive >= render_pass.last_primitive)


NAME = "geometry.primitive_assembly"

UNIT = Unit(
    "primitive_assembly",
    __name__,
    PrimitiveAssembly,
    tick,
    tables=("binning",),
    parameters=(PrimitiveAssemblyParameters,),
    setup=setup,
    begin_frame=begin_frame,
    reason="primitive_assembly",
    marks=("spent[0]",),
    statistics=(
        Stat(
            f"{NAME}.primitives",
            "primitives",
            "primitives assembled, culled ones and parts of clipped ones among them",
            "primitives",
        ),
        Stat(f"{NAME}.culled", "primitives", "primitives culled", "culled"),
        *(
            Stat(f"{NAME}.{kind}", "primitives", f"{kind} among them", f"kinds[{i}]")
            for i, kind in ((1, "points"), (2, "lines"), (3, "triangles"))
        ),
        Stat(f"{NAME}.front_facing", "primitives", "primitives not culled that face the viewer", "facing[1]"),
        Stat(f"{NAME}.back_facing", "primitives", "primitives not culled that face away", "facing[0]"),
        *(
            Stat(f"{NAME}.culled_by_{CULLING[i]}", "primitives", f"primitives culled {why}", f"culled_by[{i}]")
            for i, why in (
                (1, "for their facing, or beyond a side of the view"),
                (2, "before the near plane or behind the far one only"),
                (3, "as they cover no sample"),
            )
        ),
        *spent(NAME, "Primitive Assembly"),
    ),
    structures=(
        Structure(
            "primitive_assembly.queue",
            GEOMETRY,
            once,
            lambda c: Ram(c.of(PrimitiveAssemblyParameters).queue, TRIANGLE_BYTES * 8),
            stat(f"{NAME}.primitives"),
            stat(f"{NAME}.primitives"),
        ),
    ),
)
