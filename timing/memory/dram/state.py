"""Registers of a memory channel: its queues, its banks, its ranks, and what it counts.

Queues hold numbers of entries, so that a queue can lose an entry from its middle. Capacities are part of the type;
sizes are fields.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tilegpu.timing.declare.records import Record, Rows, fields_of, i4, i8, record, room

from ..masters import CLASSES
from .commands import COMMANDS, FOLLOWING, RELATIONS
from .policies import channel_registers

MAX_CHANNELS = 8
MAX_RANKS = 16
MAX_BANKS = 128
"""Banks of all ranks of a channel."""
MAX_TRANSACTIONS = 128
MAX_GROUPS = 64
"""Bank groups of all ranks of a channel."""
MAX_COMMANDS = 2048
"""Entries of all command queues of a channel."""
MAX_WAITING = 8192
"""Reads that can wait for data, merged ones each."""
MAX_REFRESHES = 512
QUEUE_WORD_BITS = 5
"""Command queues whose bits are in one word, as a power of two."""
DRAIN_AT = 8
"""More writes than this are drained when the command queues are empty."""
FILTER = 1024

CLOSED = -1


class CommandEntry(Record):
    """A transaction on its way: `first` and `last` are the reads that wait for it; `urgency` its class, 0 goes first;
    `master` who asked first, and `source` what for."""

    address: i8
    added: i8
    row: i4
    column: i4
    bank: i4
    write: i4
    first: i4
    last: i4
    urgency: i8
    master: i4
    source: i4


class CommandQueue(Record):
    """A command queue: its entries are `command_slot[first ...]`; no command of it can be issued before cycle `ready`,
    and while `ready` is not 0 the next one is among the commands `wants` (a bit each). The channel's `filled` has a bit
    for every queue with entries, and `filled_queues` counts them."""

    count: i8
    ready: i8
    first: i8
    wants: i8


class Transactions(Record):
    """Entries that wait for room in a command queue."""

    count: i8
    slot: Rows[i4] = room(MAX_TRANSACTIONS)


class Rank(Record):
    """State of a rank: rows that are open, its power state, and since when."""

    open_banks: i8
    since: i8
    power: i8
    idle_since: i8
    last_command: i8
    entered: i8
    queued: i8


POWERED, POWERED_DOWN, SELF_REFRESHING = range(3)


class Rule(Record):
    """A distance of the timing table."""

    relation: i4
    following: i4
    cycles: i4


MAX_RULES = len(COMMANDS) * len(RELATIONS) * FOLLOWING


class ClassAccesses(Record):
    """Counters of a channel for a kind of masters."""

    accesses: i8
    row_hits: i8
    activates: i8


class Channel(Record):
    """Registers of a memory channel. `scheduling`: number of the policy; `standing`: of the entry that it chose
    last."""

    banks: i8
    banks_per_group: i8
    banks_per_rank: i8
    ranks: i8
    queues: i8
    queue_depth: i8
    per_rank_queues: i8
    transaction_depth: i8
    unified: i8
    closed_page: i8
    scheduling: i8
    classes: i8
    row_cap: i8
    read_delay: i8
    write_delay: i8
    four_activates: i8
    refresh_policy: i8
    refresh_interval: i8
    power_management: i8
    self_refresh_threshold: i8
    power_down_threshold: i8
    clock_enable: i8
    power_down_exit: i8
    shift: i8
    stripe_shift: i8
    field_shift: Rows[i8] = room(6)
    field_mask: Rows[i8] = room(6)
    groups_per_rank: i8
    groups: i8
    bank_rank: Rows[i4] = room(MAX_BANKS)
    bank_group: Rows[i4] = room(MAX_BANKS)
    bank_queue: Rows[i4] = room(MAX_BANKS)
    first_rule: Rows[i4] = room(len(COMMANDS) + 1)
    rule: Rows[Rule] = room(MAX_RULES)
    wake: i8
    turn: i8
    draining: i8
    settled: i8
    ready: i8
    queued: i8
    free_entry: i8
    free_waiter: i8
    waiters: i8
    next_refresh: i8
    next_refreshed: i8
    refreshing: i8
    blocked_first: i8
    blocked_last: i8
    refresh_head: i8
    refresh_count: i8
    refresh: Rows[i4] = room(MAX_REFRESHES)
    refresh_due: Rows[i8] = room(MAX_REFRESHES)
    reads: Transactions
    writes: Transactions
    queue: Rows[CommandQueue] = room(MAX_BANKS)
    filled: Rows[i8] = room(MAX_BANKS >> QUEUE_WORD_BITS)
    filled_queues: i8
    command_slot: Rows[i4] = room(MAX_COMMANDS)
    entry: Rows[CommandEntry] = room(MAX_COMMANDS + 2 * MAX_TRANSACTIONS)
    waiter_tag: Rows[i4] = room(MAX_WAITING)
    waiter_next: Rows[i4] = room(MAX_WAITING)
    waiter_added: Rows[i8] = room(MAX_WAITING)
    done_head: i8
    done_count: i8
    done_tag: Rows[i4] = room(MAX_WAITING)
    done_cycle: Rows[i8] = room(MAX_WAITING)
    read_filter: Rows[i4] = room(FILTER)
    write_filter: Rows[i4] = room(FILTER)
    open_row: Rows[i4] = room(MAX_BANKS)
    row_accesses: Rows[i4] = room(MAX_BANKS)
    bank_earliest: Rows[i8] = room(FOLLOWING * MAX_BANKS)
    group_earliest: Rows[i8] = room(FOLLOWING * MAX_GROUPS)
    activate_turn: Rows[i8] = room(MAX_RANKS)
    activated: Rows[i8] = room(MAX_RANKS * 4)
    rank: Rows[Rank] = room(MAX_RANKS)
    command: i8
    command_bank: i8
    command_row: i8
    standing: i8
    power_command: i8
    power_rank: i8
    of: Rows[ClassAccesses] = room(len(CLASSES))
    cycles: i8
    reads_done: i8
    writes_done: i8
    forwarded_reads: i8
    merged_reads: i8
    merged_writes: i8
    read_latency_cycles: i8
    write_latency_cycles: i8
    read_commands: i8
    write_commands: i8
    read_row_hits: i8
    write_row_hits: i8
    activates: i8
    precharges: i8
    demand_precharges: i8
    refreshes: i8
    bank_refreshes: i8
    self_refresh_entries: i8
    self_refresh_exits: i8
    power_downs: i8
    latest_refresh_cycles: i8
    active_cycles: Rows[i8] = room(MAX_RANKS)
    idle_cycles: Rows[i8] = room(MAX_RANKS)
    self_refresh_cycles: Rows[i8] = room(MAX_RANKS)
    active_power_down_cycles: Rows[i8] = room(MAX_RANKS)
    idle_power_down_cycles: Rows[i8] = room(MAX_RANKS)


def channel_type() -> np.dtype[Any]:
    """Record type of a channel, with the registers of all policies."""
    return record(**fields_of(Channel), policy=channel_registers())
