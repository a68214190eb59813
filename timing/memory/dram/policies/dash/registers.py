"""Registers of DASH: its clock, what it knows of each master, and what it has decided."""

from __future__ import annotations

from tilegpu.timing.declare.records import Record, Rows, i8, room

from ....masters import MASTERS

URGENT_IP, LIGHT_THREAD, IP, INTENSIVE_THREAD = range(4)
"""Levels, the first the most urgent."""

SCHEDULING, SWITCHING, SHUFFLING, QUANTUM = range(4)
"""Recurring events: IPs are judged, the probability is adapted, threads change ranks, are clustered."""

BY_TIME, BY_SHARE = range(2)
RULES = ("time", "share")
"""Meanings of the emergent threshold: a share of the period from which on an IP is urgent, as is one that is behind; or
the share of the expected progress that an IP must have made."""


class Timer(Record):
    """Period of a number of cycles: how many are over, and when the next one is."""

    cycles: i8
    count: i8
    due: i8


class JudgedMaster(Record):
    """Registers of a master. `urgency`: rank of its requests, 0 goes first. Of an IP: `urgent`; `working` on what must
    be done within `period_cycles` since `began`, which takes about `work_bytes` (0: unknown); `threshold` in per mille.
    Of a CPU thread: `intensive`; `turn` among its like; requests, bytes and cycles of computing of the quantum."""

    urgency: i8
    urgent: i8
    working: i8
    began: i8
    period_cycles: i8
    work_bytes: i8
    done_bytes: i8
    threshold: i8
    intensive: i8
    turn: i8
    requests: i8
    bytes: i8
    retired_cycles: i8


class Ranking(Record):
    """Registers of DASH. `cycle_over` / `cycle_under`: GPU cycles of one of its own; `probability` and `step` in per
    mille; `served_ips`, `served_threads`: requests of the switching unit at hand; `judged`: cycle of the last
    judgement."""

    cores: i8
    rule: i8
    system_bandwidth: i8
    clustering: i8
    cycle_over: i8
    cycle_under: i8
    timer: Rows[Timer] = room(4)
    probability: i8
    step: i8
    draws: i8
    prefers_threads: i8
    shift: i8
    served_ips: i8
    served_threads: i8
    switches: i8
    urgent_cycles: i8
    judged: i8
    master: Rows[JudgedMaster] = room(MASTERS)
