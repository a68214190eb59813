"""Command Processor: reads the commands of each draw, feeds the geometry stage, then sets the raster stage
on the pass's tiles.

The tiling engine separates the two: a pass is rasterized when all of its geometry is binned (sort-middle). With
overlap, the geometry stage then goes on to the next pass, if this reads nothing that is being drawn; with two Parameter
Buffers it comes no further than that, so both stages begin together. At the end of a frame it asks for the next frame's
tables (`HANDED`), bins the first pass and waits with it (`READY`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tilegpu.timing.declare.parameters import Group, choice, number
from tilegpu.timing.declare.records import NEVER, Record, i8
from tilegpu.timing.declare.statistics import Stat

from ..engine import hooks
from ..engine.calendar import poke
from ..engine.jit import inline, unit
from ..engine.ring import full, hand
from ..engine.unit import Unit
from ..engine.wiring import access, output
from ..engine.work import NO_DRAW
from ..memory.lines import forget, forget_above
from ..memory.request import COMMAND, READ, Port, can_send, has_reply, next_reply, replies_due, send, take_reply

if TYPE_CHECKING:
    from tilegpu.timing.declare.records import i4

    from ..engine.chip import Chip
    from ..engine.frame import Batch, Commands, RenderPass, Target, Vertices
    from ..engine.ring import Queue
    from ..memory.gpu import Gpu
    from .transfer_unit import TransferUnit


@output
def draws(gpu: Gpu) -> Queue[i4]:
    """Queue for draws."""
    raise NotImplementedError


@access
def transfer_unit(gpu: Gpu) -> TransferUnit:
    """Unit that copies, blits and makes mipmaps."""
    raise NotImplementedError


@access
def start_dispatches(gpu: Gpu, dispatches: int, t: int) -> None:
    """Set the cores on the first dispatches of the frame, up to a number."""
    raise NotImplementedError


@access
def dispatches_done(gpu: Gpu, dispatches: int) -> bool:
    """Whether the first dispatches of the frame are over, up to a number."""
    raise NotImplementedError


@access
def geometry_done(gpu: Gpu, render_pass: RenderPass) -> bool:
    """Whether the geometry stage is through with a pass."""
    raise NotImplementedError


@access
def draws_binned(gpu: Gpu, primitives: int) -> bool:
    """Whether the draws with the first primitives of the frame, up to a number, are through the geometry stage."""
    raise NotImplementedError


@access
def chain_ended(gpu: Gpu) -> bool:
    """Whether the end of a pass's geometry or tiles is over for the caches, too."""
    raise NotImplementedError


@access
def start_tiles(gpu: Gpu, render_pass: RenderPass) -> None:
    """Set the raster stage on a pass."""
    raise NotImplementedError


@access
def raster_done(gpu: Gpu) -> bool:
    """Whether the raster stage is through with its pass."""
    raise NotImplementedError


@access
def begin_pass(gpu: Gpu, commands: Commands, render_pass: RenderPass, t: int) -> None:
    """Prepare what a pass draws to."""
    raise NotImplementedError


@access
def drawn_to(gpu: Gpu, target: Target) -> None:
    """Drop what caches hold of an attachment that was drawn to."""
    raise NotImplementedError


NOT_AHEAD, AHEAD, NO_FURTHER = range(3)
"""Frame whose tables the geometry stage has: that of the raster stage; the next one; there is no next one."""

SWITCH, NEXT_PASS, SETTLE, MOVES, COMPUTE, READ_COMMANDS, DISPATCH, GEOMETRY, BINNED, HANDED, READY, FINISHED = range(
    12
)


class CommandProcessor(Record):
    """Registers of the Command Processor. `render_pass`: in the geometry stage, and `raster_pass`: in the raster stage,
    -1 for none. `batch`: place in the order of drawing; `draw`: the batch that is drawn there. `awaited`: how many
    dispatches of the frame have to be over. `application`: whose pass is in the geometry stage; `switch`: cycles of a
    switch to another one; `switched_at`: when its frame can begin, NEVER as long as that is unknown. `level`: of the
    draw's descriptors that are read, 0 for its commands; `waits_at`: before which it waits for the draw before it, -1
    for none. `job_cycles`: that the job of a draw takes to begin, and `begins_at`: when it does."""

    id: i8
    port: i8
    phase: i8
    overlap: i8
    ahead: i8
    render_pass: i8
    raster_pass: i8
    batch: i8
    draw: i8
    awaited: i8
    application: i8
    switch: i8
    switched_at: i8
    cursor: i8
    level: i8
    levels: i8
    level_bytes: i8
    waits_at: i8
    job_cycles: i8
    begins_at: i8
    pending: i8
    since: i8
    raster_since: i8
    draws: i8
    passes: i8
    frames: i8
    requests: i8
    switch_cycles: i8
    transfer_cycles: i8
    compute_cycles: i8
    geometry_cycles: i8
    raster_cycles: i8


@unit
def tick(gpu: Gpu, work: Commands, vertices: Vertices, commands: Commands, t: int) -> int:
    processor: CommandProcessor = gpu.command_processor
    port = gpu.port[processor.port]
    while has_reply(port, t):
        take_reply(gpu, port, replies_due(port, t))
        processor.pending -= 1
    if processor.phase == SWITCH and not switched(processor, t):
        return int(processor.switched_at)
    moved = False
    if processor.phase == NEXT_PASS:
        moved = next_pass(gpu, work, processor, t)
    elif processor.phase == MOVES:
        moved = end_moves(gpu, work, processor, t)
    elif processor.phase in (SETTLE, COMPUTE):
        moved = end_dispatches(gpu, work, processor, t)
    elif processor.phase == READ_COMMANDS:
        moved = read_commands(gpu, vertices, processor, port, t)
    elif processor.phase == DISPATCH:
        moved = dispatch(gpu, work, vertices, processor, t)
    elif processor.phase == GEOMETRY:
        moved = end_geometry(gpu, work, processor, t)
    elif processor.phase == BINNED:
        moved = start_raster(gpu, work, processor, t)
    if processor.raster_pass >= 0 and processor.raster_since < t:
        moved |= end_raster(gpu, commands, processor, t)
    if moved:
        return t + 1
    begins = processor.begins_at if processor.phase == DISPATCH and processor.begins_at > t else NEVER
    return min(int(begins), next_reply(port))


@inline
def switched(processor: CommandProcessor, t: int) -> bool:
    """Whether the state of another application is there, which takes some time."""
    if processor.switched_at == NEVER:
        processor.switched_at = t + processor.switch
    if processor.switched_at > t:
        return False
    processor.switch_cycles += processor.switch
    processor.phase = NEXT_PASS
    return True


@unit
def next_pass(gpu: Gpu, work: Commands, processor: CommandProcessor, t: int) -> bool:
    processor.since = t
    if processor.render_pass == len(work.render_pass) or processor.ahead == NO_FURTHER:
        return end_frame(gpu, work, processor, t)
    row = work.render_pass[processor.render_pass]
    if row.application != processor.application:
        processor.application = row.application
        if processor.switch > 0:
            processor.phase, processor.switched_at = SWITCH, t + processor.switch
            return True
    if processor.raster_pass >= 0 and not may_overlap(processor, row):
        start_dispatches(gpu, row.early_dispatch, t)
        return False
    if row.first_move < row.last_move and must_wait(gpu, processor, row.first_dispatch, SETTLE):
        return False
    if hooks.pass_begin(gpu, work, processor.render_pass, t) == hooks.WAIT:
        return False
    begin_pass(gpu, work, row, t)
    if row.first_move == row.last_move:
        begin_work(gpu, work, processor, t)
        return True
    transfer = transfer_unit(gpu)
    transfer.move = row.first_move
    transfer.last_move = row.last_move
    transfer.application = row.application
    poke(gpu, transfer.id)
    processor.phase = MOVES
    return True


@inline
def must_wait(gpu: Gpu, processor: CommandProcessor, dispatches: int, phase: int) -> bool:
    """Whether the first dispatches of the frame, up to a number, are not over: the phase is to wait for them."""
    if dispatches_done(gpu, dispatches):
        return False
    processor.awaited, processor.phase = dispatches, phase
    return True


@inline
def may_overlap(processor: CommandProcessor, row: RenderPass) -> bool:
    """Whether the geometry of a pass may go on in parallel with a raster stage at work: it needs nothing of what that
    draws."""
    moves = row.first_move < row.last_move or row.first_dispatch < row.last_dispatch
    return bool(processor.overlap != 0 and not moves and row.reads_textures == 0)


@inline
def end_frame(gpu: Gpu, work: Commands, processor: CommandProcessor, t: int) -> bool:
    """All passes of the frame are through the geometry stage."""
    if processor.overlap != 0 and processor.ahead == NOT_AHEAD and processor.raster_pass >= 0:
        processor.phase = HANDED
        return False
    if processor.raster_pass >= 0:
        return False
    passes = len(work.render_pass)
    if passes > 0 and must_wait(gpu, processor, work.render_pass[passes - 1].last_dispatch, SETTLE):
        return False
    processor.phase = FINISHED
    processor.frames += 1
    hooks.frame_end(gpu, work, t)
    return False


@unit
def end_moves(gpu: Gpu, work: Commands, processor: CommandProcessor, t: int) -> bool:
    """Uploads, copies and mipmaps that come before the pass are over."""
    if transfer_unit(gpu).move >= 0:
        return False
    processor.transfer_cycles += t - processor.since
    processor.since = t
    begin_work(gpu, work, processor, t)
    return True


@inline
def begin_work(gpu: Gpu, work: Commands, processor: CommandProcessor, t: int) -> None:
    """Let the dispatches before a pass begin, and its draws unless they wait for some."""
    row = work.render_pass[processor.render_pass]
    start_dispatches(gpu, row.last_dispatch, t)
    if not must_wait(gpu, processor, row.needed_dispatches, COMPUTE):
        begin_geometry(gpu, work, processor)


@unit
def end_dispatches(gpu: Gpu, work: Commands, processor: CommandProcessor, t: int) -> bool:
    """Dispatches are over that moves, draws or the end of the frame wait for."""
    if not dispatches_done(gpu, processor.awaited):
        return False
    processor.compute_cycles += t - processor.since
    processor.since = t
    if processor.phase == SETTLE:
        processor.phase = NEXT_PASS
    else:
        begin_geometry(gpu, work, processor)
    return True


@inline
def begin_geometry(gpu: Gpu, work: Commands, processor: CommandProcessor) -> None:
    processor.batch = work.render_pass[processor.render_pass].first_batch
    enter_batch(gpu, work, processor)


@inline
def enter_batch(gpu: Gpu, work: Commands, processor: CommandProcessor) -> None:
    processor.cursor = processor.level = 0
    if processor.batch == work.render_pass[processor.render_pass].last_batch:
        processor.phase = GEOMETRY
    else:
        processor.draw = hooks.next_draw(gpu, work, processor.batch)
        processor.phase = READ_COMMANDS


@unit
def read_commands(gpu: Gpu, vertices: Vertices, processor: CommandProcessor, port: Port, t: int) -> bool:
    """One line of commands and constants per cycle, then of each level of descriptors; the draw goes on when all of
    them have arrived."""
    batch = vertices.batch[processor.draw]
    if processor.waits_at == 0 and processor.level == 0 and not draws_binned(gpu, batch.primitives_before):
        return False
    remaining = end_of_level(processor, batch) - processor.cursor
    if remaining > 0:
        if not can_send(port):
            return False
        address = batch.command_address + processor.cursor
        size = min(remaining, gpu.line_bytes - (address & (gpu.line_bytes - 1)))
        hooks.works_for(gpu, processor.id, batch.work)
        sent = send(gpu, port, t, address, size, READ, COMMAND, -1)
        hooks.works_for(gpu, processor.id, NO_DRAW)
        sent.slot = 0
        processor.cursor += size
        processor.pending += 1
        processor.requests += 1
        return True
    if processor.pending > 0:
        return False
    if processor.waits_at == processor.level + 1 and not draws_binned(gpu, batch.primitives_before):
        return False
    processor.level += 1
    if processor.level > processor.levels:
        processor.phase = DISPATCH
        # Instances of a draw are one job.
        processor.begins_at = t + 1 + (processor.job_cycles if batch.command_bytes > 0 else 0)
    return True


@inline
def end_of_level(processor: CommandProcessor, batch: Batch) -> int:
    """Bytes up to the end of the level that is read; only the first instance of a draw has descriptors."""
    if processor.level == 0 or batch.descriptor_bytes == 0:
        return int(batch.command_bytes)
    return int(batch.command_bytes + batch.descriptor_bytes + (processor.level - 1) * processor.level_bytes)


@unit
def dispatch(gpu: Gpu, work: Commands, vertices: Vertices, processor: CommandProcessor, t: int) -> bool:
    queue = draws(gpu)
    if t < processor.begins_at or full(queue) or hooks.draw_begin(gpu, vertices, processor.draw, t) == hooks.WAIT:
        return False
    hand(gpu, queue, processor.draw)
    processor.draws += 1
    processor.batch += 1
    enter_batch(gpu, work, processor)
    return True


@unit
def end_geometry(gpu: Gpu, work: Commands, processor: CommandProcessor, t: int) -> bool:
    """The geometry of the pass is done with."""
    if not geometry_done(gpu, work.render_pass[processor.render_pass]):
        return False
    if hooks.geometry_done(gpu, work, processor.render_pass, t) == hooks.WAIT or not chain_ended(gpu):
        return False
    processor.geometry_cycles += t - processor.since
    processor.phase = BINNED
    start_raster(gpu, work, processor, t)
    return True


@unit
def start_raster(gpu: Gpu, work: Commands, processor: CommandProcessor, t: int) -> bool:
    """Let the raster stage go, once it is through with the pass before."""
    if processor.raster_pass >= 0:
        return False
    if processor.ahead == AHEAD:
        processor.phase = READY
        processor.frames += 1
        return False
    processor.raster_since = t
    processor.raster_pass = processor.render_pass
    start_tiles(gpu, work.render_pass[processor.render_pass])
    processor.render_pass += 1
    processor.phase = NEXT_PASS
    return True


@unit
def end_raster(gpu: Gpu, commands: Commands, processor: CommandProcessor, t: int) -> bool:
    if not raster_done(gpu):
        return False
    if hooks.pass_done(gpu, commands, processor.raster_pass, t) == hooks.WAIT or not chain_ended(gpu):
        return False
    row = commands.render_pass[processor.raster_pass]
    for i in range(row.first_target, row.last_target):
        if commands.target[i].store != 0:
            drawn_to(gpu, commands.target[i])
    for i in range(row.first_written, row.last_written):
        forget_above(gpu, commands.written[i].address, commands.written[i].size_bytes)
    if row.last_tile > row.first_tile:
        for i in range(processor.raster_pass - row.dead_passes, processor.raster_pass + 1):
            forget(gpu, commands.render_pass[i].dead_address, commands.render_pass[i].dead_bytes)
    processor.raster_cycles += t - processor.raster_since
    processor.passes += 1
    processor.raster_pass = -1
    return True


PHASES = (
    "switches to another application",
    "at the next pass",
    "waits for dispatches of earlier passes",
    "waits for the Transfer Unit",
    "waits for dispatches",
    "reads commands",
    "hands a draw on",
    "waits for the geometry",
    "waits for the tiles of the pass before",
    "waits for the next frame",
    "has the next frame's first pass ready",
    "has finished",
)


def begin_frame(processor: CommandProcessor) -> None:
    """Start over with the first pass, which may be binned already."""
    processor.phase = BINNED if processor.phase == READY else NEXT_PASS
    processor.render_pass, processor.raster_pass, processor.ahead = 0, -1, NOT_AHEAD


def switch_application(processor: Any) -> None:
    """Begin the frame with a switch to another application, if that takes time."""
    if processor.switch > 0:
        processor.phase, processor.switched_at = SWITCH, NEVER


def look_ahead(processor: Any, further: bool) -> None:
    """Go on with the first pass of the next frame, if there is a further one."""
    processor.phase, processor.render_pass, processor.ahead = NEXT_PASS, 0, AHEAD if further else NO_FURTHER


class CommandProcessorParameters(Group, section="command_processor"):
    """Command Processor."""

    context_switch_cycles: int = number(
        2000,
        "cycles",
        "from the frame or the geometry of one application to that of another, where several share the GPU",
        0,
        1 << 20,
        silent=(0, 50_000),
    )
    quantum_frames: int = number(
        1, "frames", "of one application before those of the next, where several share the GPU by frame", 1, 1 << 10
    )
    draw_command_bytes: int = number(
        64, "bytes", "commands read per draw, constants uploaded for it come on top", 0, 1 << 16, silent=(16, 256)
    )
    passes: str = choice(
        "recorded",
        {
            "recorded": "a new one whenever the attachments change",
            "open": "a clear of the window waits for the draws on it, as drivers of tile-based GPUs have it",
        },
        "where a pass begins",
    )
    overlap: str = choice(
        "none",
        {
            "none": "nothing",
            "geometry": "the geometry of the next pass or frame, with two Parameter Buffers in turn",
        },
        "what goes on in parallel with the raster stage of a pass",
    )


def setup(chip: Chip, processor: CommandProcessor, place: tuple[int, ...]) -> None:
    """Mode from the configuration."""
    parameters = chip.configuration.of(CommandProcessorParameters)
    processor.overlap, processor.switch = parameters.overlap == "geometry", parameters.context_switch_cycles
    processor.raster_pass = processor.waits_at = -1


def stands(processor: CommandProcessor) -> str:
    """Phase, passes and draw."""
    return (
        f"{PHASES[int(processor.phase)]}: pass {int(processor.render_pass)}, batch {int(processor.batch)}, "
        f"tiles of pass {int(processor.raster_pass)}"
    )


UNIT = Unit(
    "command_processor",
    __name__,
    CommandProcessor,
    tick,
    tables=("work", "vertices", "commands"),
    parameters=(CommandProcessorParameters,),
    setup=setup,
    begin_frame=begin_frame,
    marks=("phase", "batch", "cursor", "passes"),
    stands=stands,
    statistics=(
        Stat(
            "gpu.geometry_cycles",
            "cycles",
            "cycles from a pass's first command to its last binned primitive",
            "geometry_cycles",
        ),
        Stat("gpu.raster_cycles", "cycles", "cycles from a pass's first tile to its last flushed one", "raster_cycles"),
        Stat(
            "gpu.transfer_cycles",
            "cycles",
            "cycles in which a pass waited for uploads, copies and mipmaps",
            "transfer_cycles",
        ),
        Stat("gpu.switch_cycles", "cycles", "cycles of switches between applications", "switch_cycles"),
        Stat(
            "gpu.compute_cycles",
            "cycles",
            "cycles in which a pass or the end of the frame waited for dispatches",
            "compute_cycles",
        ),
        Stat("gpu.draws", "draws", "draws, each instance counted", "draws"),
        Stat("gpu.passes", "passes", "passes rendered", "passes"),
        Stat("geometry.command_processor.requests", "requests", "requests for lines of commands", "requests"),
    ),
)
