"""Levels of all masters, from their progress, the probability and the clusters of threads; and the ranks from these."""

from __future__ import annotations

from .....engine.jit import inline, unit
from .....engine.noise import happens
from ....masters import DISPLAY, GPU, MASTERS, is_cpu
from .clusters import cluster, shuffle
from .registers import (
    BY_SHARE,
    INTENSIVE_THREAD,
    IP,
    LIGHT_THREAD,
    QUANTUM,
    SCHEDULING,
    SHUFFLING,
    SWITCHING,
    URGENT_IP,
    JudgedMaster,
    Ranking,
)


@unit
def decide(dash: Ranking, t: int) -> bool:
    """Do what falls due in GPU cycle t; whether ranks have changed."""
    if next_decision(dash) > t:
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
def next_decision(dash: Ranking) -> int:
    """Cycle in which something falls due next."""
    timer = dash.timer
    return int(min(timer[0].due, timer[1].due, timer[2].due, timer[3].due))


@inline
def set_due(dash: Ranking, which: int) -> None:
    """The GPU cycle in which the scheduler's own clock has completed a number of periods."""
    timer = dash.timer[which]
    cycles = (timer.count + 1) * timer.cycles
    timer.due = (cycles * dash.cycle_over + dash.cycle_under - 1) // dash.cycle_under


@inline
def falls_due(dash: Ranking, which: int, t: int) -> bool:
    timer = dash.timer[which]
    if timer.due > t:
        return False
    while timer.due <= t:
        timer.count += 1
        set_due(dash, which)
    return True


@inline
def switch(dash: Ranking) -> None:
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
def judge(dash: Ranking, t: int) -> None:
    """Find out which IPs are urgent."""
    for ip in (GPU, DISPLAY):
        master = dash.master[ip]
        dash.urgent_cycles += (t - dash.judged) * master.urgent
        master.urgent = 1 if behind(dash, master, t) else 0
    dash.judged = t


@inline
def behind(dash: Ranking, ip: JudgedMaster, t: int) -> bool:
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
def level_of(dash: Ranking, master: int) -> int:
    """Level of a master's requests, before intensive threads and IPs change places."""
    of = dash.master[master]
    if is_cpu(master):
        return INTENSIVE_THREAD if of.intensive != 0 else LIGHT_THREAD
    return URGENT_IP if of.urgent != 0 else IP


@inline
def place_of(dash: Ranking, master: int) -> int:
    """Sort key of masters: the level, then the thread's turn."""
    level = level_of(dash, master)
    if dash.prefers_threads != 0 and level >= IP:
        level = IP + INTENSIVE_THREAD - level
    return int(level * MASTERS + dash.master[master].turn * is_cpu(master))


@unit
def rank(dash: Ranking) -> bool:
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
def present(dash: Ranking, master: int) -> bool:
    return bool(master <= dash.cores or master == DISPLAY)


@inline
def serve(dash: Ranking, master: int, size: int) -> None:
    """Count a request of a master that was served."""
    of = dash.master[master]
    of.requests += 1
    of.bytes += size
    of.done_bytes += size
    level = level_of(dash, master)
    dash.served_ips += level == IP
    dash.served_threads += level == INTENSIVE_THREAD
