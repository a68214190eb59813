"""Display controller: reads the last complete frame once per period, some pixels at a time, as fast as the panel shows
them.

Its buffer holds what is read ahead of the pixels that are shown. Where some are not here when their time is over
(under-run) the frame is aborted, and tried again with the next period. A period begins with blank lines, in which the
buffer fills. It does not wait for the GPU: without a new frame it shows the last one again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilegpu.timing.declare.records import Record, i8
from tilegpu.timing.declare.statistics import Stat

from ..engine.calendar import poke
from ..engine.jit import inline, unit
from ..engine.unit import Unit
from ..memory.address_map import SURFACE_REGION
from ..memory.dram import scheduler
from ..memory.masters import DISPLAY as MASTER
from ..memory.masters import belong
from ..memory.request import DISPLAY, READ, Port, can_send, has_reply, next_reply, replies_due, send, take_reply
from .parameters import NAME, Parameters

if TYPE_CHECKING:
    from ..engine.chip import Chip
    from ..memory.gpu import Gpu


WAITS, READS = range(2)


class DisplayController(Record):
    """Registers of the display controller. `hertz_over` / `hertz_under`: GPU cycles of a period; `start`, `next_start`:
    cycles in which the period and the next one begin; `complete`: frames complete so far, the last of them at
    `newest_address`; `reading`, `frame`: the frame at work and the one shown last, by number; `asked_bytes`,
    `here_bytes`: of the frame at work; `due_piece`: the pixels whose time is over next; `ahead`: pieces that the buffer
    holds."""

    id: i8
    port: i8
    hertz_over: i8
    hertz_under: i8
    pieces: i8
    piece_bytes: i8
    frame_bytes: i8
    ahead: i8
    blank: i8
    state: i8
    periods: i8
    start: i8
    next_start: i8
    base: i8
    complete: i8
    newest_address: i8
    reading: i8
    frame: i8
    asked_bytes: i8
    here_bytes: i8
    due_piece: i8
    requests: i8
    answers: i8
    requested_bytes: i8
    served_bytes: i8
    begun: i8
    shown: i8
    repeated: i8
    aborted: i8


@unit
def tick(gpu: Gpu, t: int) -> int:
    own: DisplayController = gpu.display_controller
    port = gpu.port[own.port]
    while has_reply(port, t):
        take_answer(gpu, own, port, t)
    if own.state == READS:
        check_pieces(gpu, own, t)
    if t >= own.next_start:
        begin_period(gpu, own, t)
    if own.state != READS:
        return int(min(own.next_start, next_reply(port)))
    sent = may_ask(own, t) and can_send(port)
    if sent:
        ask(gpu, own, port, t)
    wake = min(next_reply(port), own.next_start, piece_time(own, own.due_piece + 1))
    if own.asked_bytes < own.frame_bytes:
        allowed = piece_time(own, own.asked_bytes // own.piece_bytes - own.ahead)
        # Where the port is full, main memory wakes us up.
        if allowed > t or sent:
            wake = min(wake, max(t + 1, allowed))
    return int(wake)


@inline
def piece_time(own: DisplayController, piece: int) -> int:
    """Cycle in which the time of some pixels begins, in even steps behind the blank ones; what comes before the first
    ones does so with the period."""
    if piece < 0:
        return own.start
    steps = own.blank + own.pieces
    return own.start + ((own.blank + piece) * (own.next_start - own.start) + steps - 1) // steps


@inline
def take_answer(gpu: Gpu, own: DisplayController, port: Port, t: int) -> None:
    """A piece has come; those of a frame that was aborted are of no use."""
    replies = replies_due(port, t)
    reply = replies.slot[replies.head]
    own.answers += 1
    own.served_bytes += reply.slot
    if own.state == READS and reply.tag == own.begun:
        own.here_bytes += reply.slot
        if own.here_bytes == own.frame_bytes:
            complete(gpu, own)
    take_reply(gpu, port, replies)


@inline
def complete(gpu: Gpu, own: DisplayController) -> None:
    own.state = WAITS
    own.shown += 1
    own.repeated += own.frame == own.reading
    own.frame = own.reading
    scheduler.end_work(gpu.dram, MASTER)


@inline
def check_pieces(gpu: Gpu, own: DisplayController, t: int) -> None:
    """Abort the frame if data that should have arrived have not."""
    while own.state == READS and piece_time(own, own.due_piece + 1) <= t:
        own.due_piece += 1
        if own.here_bytes < min(own.due_piece * own.piece_bytes, own.frame_bytes) or own.due_piece == own.pieces:
            own.state = WAITS
            own.aborted += 1
            scheduler.end_work(gpu.dram, MASTER)


@inline
def begin_period(gpu: Gpu, own: DisplayController, t: int) -> None:
    """Begin to read the frame that is complete now."""
    own.periods += 1
    own.start = own.next_start
    own.next_start = (own.periods * own.hertz_over + own.hertz_under - 1) // own.hertz_under
    own.state = READS
    own.begun += 1
    own.asked_bytes = own.here_bytes = own.due_piece = 0
    own.reading, own.base = own.complete, own.newest_address
    scheduler.begin_work(gpu.dram, MASTER, own.frame_bytes, t)


@inline
def offer(gpu: Gpu, address: int) -> None:
    """Note that one more frame is complete, at this address; the next period begins to read the newest."""
    gpu.display_controller.complete += 1
    gpu.display_controller.newest_address = address


@inline
def may_ask(own: DisplayController, t: int) -> bool:
    """Whether there is something left to read, and room for it."""
    unfinished = own.asked_bytes < own.frame_bytes
    return bool(unfinished and piece_time(own, own.asked_bytes // own.piece_bytes - own.ahead) <= t)


@inline
def ask(gpu: Gpu, own: DisplayController, port: Port, t: int) -> None:
    """Read the next bytes: up to the end of the piece, of the frame, or of memory's line."""
    address = own.base + own.asked_bytes
    room = gpu.line_bytes - (address & (gpu.line_bytes - 1))
    size = min(room, own.piece_bytes - own.asked_bytes % own.piece_bytes, own.frame_bytes - own.asked_bytes)
    sent = send(gpu, port, t, address, size, READ, DISPLAY, -1)
    sent.tag = own.begun
    sent.slot = size
    own.asked_bytes += size
    own.requests += 1
    own.requested_bytes += size


def setup(chip: Chip, own: DisplayController, place: tuple[int, ...]) -> None:
    """Sizes from the configuration."""
    c, of = chip.configuration, chip.configuration.of(Parameters)
    period = c.clocks.gpu * 1_000_000 / of.refresh_rate
    own.hertz_over, own.hertz_under = period.numerator, period.denominator
    own.frame_bytes, own.piece_bytes = (pixels * of.pixel_bytes for pixels in (of.display_pixels, of.late_pixels))
    own.pieces, own.ahead = -(-of.display_pixels // of.late_pixels), of.buffer_bytes // own.piece_bytes
    own.blank = of.blank_lines * of.display_width // of.late_pixels
    own.frame = -1
    own.newest_address = SURFACE_REGION
    belong(chip, int(own.port), MASTER)
    poke(chip.gpu, own.id)


def stands(own: DisplayController) -> str:
    """Progress of the frame, in words."""
    return f"{int(own.here_bytes)} of {int(own.frame_bytes)} bytes read" if own.state == READS else ""


DISPLAYED = f"{NAME}.display"
UNIT = Unit(
    "display_controller",
    __name__,
    DisplayController,
    tick,
    count=lambda configuration: int(configuration.of(Parameters).display == "on"),
    setup=setup,
    ports={"port": "dram"},
    stands=stands,
    statistics=(
        Stat(f"{DISPLAYED}.frames_begun", "frames", "frames that the display began to read", "begun"),
        Stat(f"{DISPLAYED}.frames_shown", "frames", "frames that the display read to the end", "shown"),
        Stat(f"{DISPLAYED}.frames_repeated", "frames", "of these, those that were shown before", "repeated"),
        Stat(f"{DISPLAYED}.frames_aborted", "frames", "frames that the display gave up, in an under-run", "aborted"),
        Stat(f"{DISPLAYED}.requests", "requests", "requests of the display", "requests"),
        Stat(f"{DISPLAYED}.answers", "requests", "requests answered", "answers"),
        Stat(f"{DISPLAYED}.requested_bytes", "bytes", "bytes that the display asked for", "requested_bytes"),
        Stat(f"{DISPLAYED}.served_bytes", "bytes", "bytes that it got", "served_bytes"),
    ),
)
