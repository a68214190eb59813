"""DASH, the deadline-aware scheduler (Usui et al., TACO 2016; as in Gubran and Aamodt, ISCA 2019, 5.1.1).

Urgent IPs come first, then CPU threads that use little memory, then other IPs, then threads that use much. The last two
change places with a probability that balances how much of both is served. Among the threads of a level TCM decides
(`clusters`); among requests of one rank, as in `fr_fcfs`.

Here the levels of all masters are decided; requests are served in their order by `most_urgent`.
"""

from __future__ import annotations

from typing import Any

from tilegpu.timing.declare.records import record

from ....engine.jit import inline, unit
from ....engine.noise import happens
from ...masters import DISPLAY, GPU, MASTERS, is_cpu
from .clusters import cluster, shuffle

URGENT_IP, LIGHT_THREAD, IP, INTENSIVE_THREAD = range(4)
"""Levels, the first the most urgent."""

SCHEDULING, SWITCHING, SHUFFLING, QUANTUM = range(4)
"""What happens again and again: IPs are judged, the probability is adapted, threads change ranks, are clustered."""

BY_TIME, BY_SHARE = range(2)
RULES = ("time", "share")
"""What the emergent threshold is: a share of the period from which on an IP is urgent, as is one that is behind; or
the share of the expected progress that an IP must have made."""

TIMER = record(cycles="i8", count="i8", due="i8")
MASTER = record(
    urgency="i8",
    urgent="i8",
    working="i8",
    began="i8",
    period_cycles="i8",
    work_bytes="i8",
    done_bytes="i8",
    threshold="i8",
    intensive="i8",
    turn="i8",
    requests="i8",
    bytes="i8",
    retired_cycles="i8",
)
"""A master. `urgency`: rank of its requests, 0 goes first. Of an IP: `urgent`; `working` on what must be done within
`period_cycles` since `began`, which takes about `work_bytes` (0: unknown); `threshold` in per mille. Of a CPU thread:
`intensive`; `turn` among its like; requests, bytes and cycles of computing of the quantum."""

DASH = record(
    on="i8",
    cores="i8",
    rule="i8",
    system_bandwidth="i8",
    clustering="i8",
    cycle_over="i8",
    cycle_under="i8",
    timer=(TIMER, (4,)),
    probability="i8",
    step="i8",
    draws="i8",
    prefers_threads="i8",
    shift="i8",
    served_ips="i8",
    served_threads="i8",
    switches="i8",
    urgent_cycles="i8",
    judged="i8",
    master=(MASTER, (MASTERS,)),
)
"""`cycle_over` / `cycle_under`: GPU cycles of one of its own; `probability` and `step` in per mille; `served_ips`,
`served_threads`: requests of the switching unit at hand; `judged`: cycle of the last judgement."""


@unit
def update(dash: Any, t: int) -> bool:
    """Do what falls due in GPU cycle t; whether ranks have changed."""
    if next_update(dash) > t:
        return False
    if falls_due(dash, QUANTUM, t):
        cluster(dash)
    if falls_due(dash, SHUFFLING, t):
        shuffle(dash)
    if falls_due(dash, SWITCHING, t):
        switch(dash)
    if falls_due(dash, SCHEDULING, t):
        judge(dash, t)
    return rank(dash)


@inline
def next_update(dash: Any) -> int:
    """When something falls due next."""
    timer = dash.timer
    return int(min(timer[0].due, timer[1].due, timer[2].due, timer[3].due))


@inline
def set_due(dash: Any, which: int) -> None:
    """The GPU cycle in which the scheduler's own clock has made so many periods."""
    timer = dash.timer[which]
    cycles = (timer.count + 1) * timer.cycles
    timer.due = (cycles * dash.cycle_over + dash.cycle_under - 1) // dash.cycle_under


@inline
def falls_due(dash: Any, which: int, t: int) -> bool:
    timer = dash.timer[which]
    if timer.due > t:
        return False
    while timer.due <= t:
        timer.count += 1
        set_due(dash, which)
    return True


@inline
def switch(dash: Any) -> None:
    """Adapt the probability so that as much is served of intensive threads as of IPs, and draw for the next unit."""
    if dash.served_threads < dash.served_ips:
        dash.probability = min(1000, dash.probability + dash.step)
    elif dash.served_threads > dash.served_ips:
        dash.probability = max(0, dash.probability - dash.step)
    dash.served_ips = dash.served_threads = 0
    dash.draws += 1
    before = dash.prefers_threads
    dash.prefers_threads = 1 if happens(0, dash.draws, dash.probability) else 0
    dash.switches += dash.prefers_threads != before


@inline
def judge(dash: Any, t: int) -> None:
    """Find out which IPs are urgent."""
    for ip in (GPU, DISPLAY):
        master = dash.master[ip]
        dash.urgent_cycles += (t - dash.judged) * master.urgent
        master.urgent = 1 if behind(dash, master, t) else 0
    dash.judged = t


@inline
def behind(dash: Any, ip: Any, t: int) -> bool:
    """Whether an IP's progress is not what it should be."""
    if ip.working == 0:
        return False
    expected = (t - ip.began) / ip.period_cycles
    actual = ip.done_bytes / ip.work_bytes if ip.work_bytes > 0 else 1.0
    threshold = ip.threshold / 1000
    if dash.rule == BY_SHARE:
        return bool(actual < threshold * expected)
    return bool(actual < expected or expected >= threshold)


@inline
def level_of(dash: Any, master: int) -> int:
    """Level of a master's requests, before intensive threads and IPs change places."""
    of = dash.master[master]
    if is_cpu(master):
        return INTENSIVE_THREAD if of.intensive != 0 else LIGHT_THREAD
    return URGENT_IP if of.urgent != 0 else IP


@inline
def place_of(dash: Any, master: int) -> int:
    """What masters are ordered by: the level, then the thread's turn."""
    level = level_of(dash, master)
    if dash.prefers_threads != 0 and level >= IP:
        level = IP + INTENSIVE_THREAD - level
    return int(level * MASTERS + dash.master[master].turn * is_cpu(master))


@unit
def rank(dash: Any) -> bool:
    """Number the masters by urgency, without gaps; whether any number is a new one."""
    changed = False
    for m in range(MASTERS):
        if present(dash, m):
            place, smaller = place_of(dash, m), 0
            for other in range(MASTERS):
                smaller += present(dash, other) and place_of(dash, other) < place
            changed = changed or dash.master[m].urgency != smaller
            dash.master[m].urgency = smaller
    return changed


@inline
def present(dash: Any, master: int) -> bool:
    return bool(master <= dash.cores or master == DISPLAY)


@inline
def serve(dash: Any, master: int, size: int) -> None:
    """A request of a master was served."""
    of = dash.master[master]
    of.requests += 1
    of.bytes += size
    of.done_bytes += size
    level = level_of(dash, master)
    dash.served_ips += level == IP
    dash.served_threads += level == INTENSIVE_THREAD


@inline
def begin_work(dash: Any, ip: int, work_bytes: int, period_cycles: int, t: int) -> None:
    """An IP begins with what has a deadline."""
    master = dash.master[ip]
    master.working, master.began, master.period_cycles = 1, t, period_cycles
    master.work_bytes, master.done_bytes = work_bytes, 0


@inline
def end_work(dash: Any, ip: int) -> None:
    """An IP has done its work, or has given it up."""
    dash.master[ip].working = 0
