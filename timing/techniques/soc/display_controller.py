"""Display controller: reads the last complete frame once per period, line by line, as fast as the panel shows it.

Its buffer holds some lines ahead of the one that is shown. Where a line is not here when its time is over (under-run)
the frame is aborted, and tried again with the next period. It does not wait for the GPU: without a new frame it shows
the last one again.
"""

from __future__ import annotations

from typing import Any

from tilegpu.timing.results.declare import Stat

from ...engine.calendar import poke
from ...engine.jit import inline, unit
from ...engine.records import record
from ...engine.unit import Unit
from ...memory.address_map import SURFACE_REGION
from ...memory.dram.policies import dash
from ...memory.masters import DISPLAY as MASTER
from ...memory.masters import belong
from ...memory.request import DISPLAY, READ, can_send, has_reply, next_reply, replies_due, send, take_reply
from .state import NAME

WAITS, READS = range(2)

DISPLAY_CONTROLLER = record(
    id="i8",
    port="i8",
    hertz_over="i8",
    hertz_under="i8",
    deadline_cycles="i8",
    lines="i8",
    line_bytes="i8",
    ahead="i8",
    late="i8",
    state="i8",
    periods="i8",
    start="i8",
    next_start="i8",
    base="i8",
    reading="i8",
    frame="i8",
    asked_bytes="i8",
    here_bytes="i8",
    due_line="i8",
    requests="i8",
    answers="i8",
    requested_bytes="i8",
    served_bytes="i8",
    begun="i8",
    shown="i8",
    repeated="i8",
    aborted="i8",
)
"""`hertz_over` / `hertz_under`: GPU cycles of a period; `start`, `next_start`: cycles in which the period and the next
one begin; `reading`, `frame`: the frame at work and the one shown last, by number; `asked_bytes`, `here_bytes`: of the
frame at work; `due_line`: the line whose time is over next."""


@unit
def tick(gpu: Any, t: int) -> int:
    own = gpu.display_controller
    port = gpu.port[own.port]
    while has_reply(port, t):
        take_answer(gpu, own, port, t)
    if own.state == READS:
        check_lines(gpu, own, t)
    if t >= own.next_start:
        begin_period(gpu, own, t)
    if own.state != READS:
        return int(min(own.next_start, next_reply(port)))
    sent = may_ask(own, t) and can_send(port)
    if sent:
        ask(gpu, own, port, t)
    wake = min(next_reply(port), own.next_start, line_time(own, own.due_line + 1))
    if own.asked_bytes < own.lines * own.line_bytes:
        allowed = line_time(own, own.asked_bytes // own.line_bytes - own.ahead)
        # Where the port is full, main memory wakes us up.
        if allowed > t or sent:
            wake = min(wake, max(t + 1, allowed))
    return int(wake)


@inline
def line_time(own: Any, line: int) -> Any:
    """Cycle in which the time of a line begins, in even steps over the period."""
    return own.start + (max(0, line) * (own.next_start - own.start) + own.lines - 1) // own.lines


@inline
def take_answer(gpu: Any, own: Any, port: Any, t: int) -> None:
    """A piece has come; those of a frame that was aborted are of no use."""
    replies = replies_due(port, t)
    reply = replies.slot[replies.head]
    own.answers += 1
    own.served_bytes += reply.slot
    if own.state == READS and reply.tag == own.begun:
        own.here_bytes += reply.slot
        if own.here_bytes == own.lines * own.line_bytes:
            complete(gpu, own)
    take_reply(port, replies)


@inline
def complete(gpu: Any, own: Any) -> None:
    own.state = WAITS
    own.shown += 1
    own.repeated += own.frame == own.reading
    own.frame = own.reading
    dash.end_work(gpu.dram.dash, MASTER)


@inline
def check_lines(gpu: Any, own: Any, t: int) -> None:
    """Abort the frame if what should be here is not."""
    while own.state == READS and line_time(own, own.due_line + 1) <= t:
        needed = (own.due_line + 1 - own.late) * own.line_bytes
        own.due_line += 1
        if own.here_bytes < needed or own.due_line == own.lines:
            own.state = WAITS
            own.aborted += 1
            dash.end_work(gpu.dram.dash, MASTER)


@inline
def begin_period(gpu: Any, own: Any, t: int) -> None:
    """Begin to read the frame that is complete now."""
    own.periods += 1
    own.start = own.next_start
    own.next_start = (own.periods * own.hertz_over + own.hertz_under - 1) // own.hertz_under
    own.state = READS
    own.begun += 1
    own.asked_bytes = own.here_bytes = own.due_line = 0
    own.reading, own.base = gpu.technique.soc.complete, gpu.technique.soc.shown_address
    dash.begin_work(gpu.dram.dash, MASTER, own.lines * own.line_bytes, own.deadline_cycles, t)


@inline
def may_ask(own: Any, t: int) -> bool:
    """Whether there is something left to read, and room for it."""
    left = own.asked_bytes < own.lines * own.line_bytes
    return bool(left and line_time(own, own.asked_bytes // own.line_bytes - own.ahead) <= t)


@inline
def ask(gpu: Any, own: Any, port: Any, t: int) -> None:
    """Read the next piece: up to the end of the line, or of memory's line."""
    address = own.base + own.asked_bytes
    room = gpu.line_bytes - (address & (gpu.line_bytes - 1))
    size = min(room, own.line_bytes - own.asked_bytes % own.line_bytes)
    send(gpu, port, t, address, size, READ, DISPLAY, -1, own.begun, size)
    own.asked_bytes += size
    own.requests += 1
    own.requested_bytes += size


def setup(chip: Any, own: Any, place: tuple[int, ...]) -> None:
    """Sizes from the configuration."""
    c, of = chip.configuration, chip.configuration.technique.of("soc")
    period = c.clocks.gpu * 1_000_000 / of.refresh_rate
    own.hertz_over, own.hertz_under = period.numerator, period.denominator
    own.deadline_cycles = c.clocks.gpu * c.dash.display_period_us // 1
    own.lines, own.line_bytes = of.display_height, of.display_width * of.pixel_bytes
    own.ahead, own.late = of.ahead_lines, of.late_lines
    own.frame = -1
    chip.gpu.technique.soc.shown_address = SURFACE_REGION
    belong(chip, int(own.port), MASTER)
    poke(chip.gpu, own.id)


def stands(own: Any) -> str:
    """How far it has come."""
    return f"{int(own.here_bytes)} of {int(own.lines * own.line_bytes)} bytes read" if own.state == READS else ""


DISPLAYED = f"{NAME}.display"
UNIT = Unit(
    "display_controller",
    __name__,
    DISPLAY_CONTROLLER,
    tick,
    count=lambda configuration: int(configuration.technique.of("soc").display == "on"),
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
