"""A memory channel, cycle by cycle: transactions come in, move to command queues, and become commands.

In each cycle: refreshes fall due, one command is issued (a refresh's first), ranks change their power state, one
transaction moves from the transaction queues to the command queue of its bank or rank.
"""

from __future__ import annotations

from tilegpu.timing.declare.records import NEVER

from ...engine.jit import inline, unit
from ..masters import class_of
from . import power, refresh, scheduler
from .address import COLUMN_FIELD, ROW_FIELD, bank_of, hashed, place
from .command_queues import next_filled, note_filled
from .commands import ACTIVATE, NO_COMMAND, PRECHARGE, READ, READ_PRECHARGE, WRITE, WRITE_PRECHARGE
from .issue import issue
from .state import DRAIN_AT, MAX_WAITING, POWERED, Channel, CommandEntry, CommandQueue, Transactions

REFUSED, WAITS, DONE = range(3)
"""Outcomes of a request: no room now; the read gets its data later; data (or the write's place) have arrived."""


@unit
def tick(channel: Channel, t: int) -> int:
    """Do cycle t; the next cycle in which something can happen if no request comes."""
    channel.command = channel.power_command = NO_COMMAND
    refresh.fall_due(channel, t)
    wake: int = channel.next_refresh
    if channel.refresh_count > 0:
        wake = min(wake, refresh.serve(channel, t))
    if channel.command == NO_COMMAND:
        wake = min(wake, serve_queues(channel, t))
    if channel.power_management != 0:
        wake = min(wake, power.manage(channel, t))
    if schedule(channel, t):
        return t + 1
    return wake


@inline
def has_room(channel: Channel, write: int) -> bool:
    """Whether a request would be accepted."""
    if channel.unified == 0 and write != 0:
        return bool(channel.writes.count < channel.transaction_depth)
    return bool(channel.reads.count < channel.transaction_depth and channel.waiters < MAX_WAITING)


@unit
def find(channel: Channel, transactions: Transactions, address: int, write: int) -> int:
    """Entry that reads or writes this address and was not issued yet, or -1."""
    for k in range(transactions.count):
        e = channel.entry[transactions.slot[k]]
        if e.address == address and e.write == write:
            return transactions.slot[k]
    bank = bank_of(channel, address)
    queue = channel.queue[channel.bank_queue[bank]]
    for k in range(queue.first, queue.first + queue.count):
        e = channel.entry[channel.command_slot[k]]
        if e.address == address and e.write == write:
            return channel.command_slot[k]
    return -1


@unit
def accept(channel: Channel, address: int, write: int, urgency: int, master: int, source: int, tag: int, t: int) -> int:
    """Offer a request before cycle t is done; `urgency`: its class, 0 for the most urgent; `master` and
    `source`: whose it is, and what for.

    Writes are done when accepted, and join a write to the same address that was not issued yet. Reads of what such a
    write holds are done too; others wait, together with earlier reads of the same address.
    """
    if not has_room(channel, write):
        return REFUSED
    channel.wake = min(channel.wake, t)
    channel.settled = 0
    bucket = hashed(channel, address)
    writing = -1
    if channel.write_filter[bucket] > 0:
        writing = find(channel, channel.reads if channel.unified != 0 else channel.writes, address, 1)
    if write != 0:
        if writing >= 0:
            channel.merged_writes += 1
        else:
            writing = enter(channel, channel.reads if channel.unified != 0 else channel.writes, address, 1, urgency, t)
            channel.entry[writing].master, channel.entry[writing].source = master, source
            channel.write_filter[bucket] += 1
        if channel.classes > 1:
            hurry(channel, writing, urgency)
            # A read that the write waits for must not be slower than it may be.
            if channel.read_filter[bucket] > 0:
                hurry(channel, find(channel, channel.reads, address, 0), urgency)
        channel.writes_done += 1
        return DONE
    if writing >= 0:
        channel.forwarded_reads += 1
        channel.reads_done += 1
        channel.read_latency_cycles += 1
        return DONE
    reading = find(channel, channel.reads, address, 0) if channel.read_filter[bucket] > 0 else -1
    if reading >= 0:
        channel.merged_reads += 1
    else:
        reading = enter(channel, channel.reads, address, 0, urgency, t)
        channel.entry[reading].master, channel.entry[reading].source = master, source
        channel.read_filter[bucket] += 1
    if channel.classes > 1:
        hurry(channel, reading, urgency)
    wait(channel, channel.entry[reading], tag, t)
    return WAITS


@unit
def hurry(channel: Channel, e: int, urgency: int) -> None:
    """Entry e, unless -1, is at least as urgent as this from now on."""
    if e >= 0 and urgency < channel.entry[e].urgency:
        channel.entry[e].urgency = urgency
        channel.queue[channel.bank_queue[channel.entry[e].bank]].ready = 0
        channel.ready = 0


@unit
def enter(channel: Channel, transactions: Transactions, address: int, write: int, urgency: int, t: int) -> int:
    """New entry at the end of a transaction queue."""
    e = channel.free_entry
    entry = channel.entry[e]
    channel.free_entry = entry.first
    entry.address = address
    entry.added = t
    entry.bank = bank_of(channel, address)
    entry.row = place(channel, address, ROW_FIELD)
    entry.column = place(channel, address, COLUMN_FIELD)
    entry.write = write
    entry.urgency = urgency
    entry.first = entry.last = -1
    transactions.slot[transactions.count] = e
    transactions.count += 1
    return e


@inline
def wait(channel: Channel, entry: CommandEntry, tag: int, t: int) -> None:
    """One more read waits for the entry."""
    w = channel.free_waiter
    channel.free_waiter = channel.waiter_next[w]
    channel.waiter_tag[w] = tag
    channel.waiter_added[w] = t
    channel.waiter_next[w] = -1
    if entry.first < 0:
        entry.first = w
    else:
        channel.waiter_next[entry.last] = w
    entry.last = w
    channel.waiters += 1


@inline
def serve_queues(channel: Channel, t: int) -> int:
    """Issue one command from the queues, the one that the policy has go first, in turn after the queue served last; or
    the cycle in which one can be."""
    wake: int = channel.ready
    if wake > t:
        return wake
    wake = NEVER
    chosen, place_in_queue, command, standing = -1, -1, NO_COMMAND, NEVER
    q = channel.turn
    for _ in range(channel.filled_queues):
        q = next_filled(channel, q)
        queue = channel.queue[q]
        blocked = channel.refreshing != 0 and channel.blocked_first <= q < channel.blocked_last
        if not blocked and awake(channel, q):
            if queue.ready <= t:
                i = scheduler.choose(channel, q, standing, t)
                if i >= 0:
                    chosen, place_in_queue, command, standing = q, i, channel.command, channel.standing
                    if standing == 0:
                        break
            wake = min(wake, queue.ready)
    if chosen >= 0:
        channel.command = command
        serve(channel, channel.queue[chosen], place_in_queue, t)
        channel.turn = chosen
        return t + 1
    channel.ready = wake
    return wake


@inline
def awake(channel: Channel, q: int) -> bool:
    if channel.power_management == 0:
        return True
    return bool(channel.rank[q if channel.per_rank_queues != 0 else q // channel.banks_per_rank].power == POWERED)


@unit
def serve(channel: Channel, queue: CommandQueue, i: int, t: int) -> None:
    """Issue the command chosen for entry i of a queue."""
    e = channel.command_slot[queue.first + i]
    entry = channel.entry[e]
    command = channel.command
    account(channel, entry, command)
    issue(channel, command, entry.bank, entry.row, t)
    if command == PRECHARGE:
        channel.demand_precharges += 1
    elif command in (READ, WRITE, READ_PRECHARGE, WRITE_PRECHARGE):
        queue.count -= 1
        note_filled(channel, channel.bank_queue[entry.bank])
        for k in range(queue.first + i, queue.first + queue.count):
            channel.command_slot[k] = channel.command_slot[k + 1]
        channel.queued -= 1
        channel.rank[channel.bank_rank[entry.bank]].queued -= 1
        channel.settled = 0
        scheduler.accessed(channel, entry, t)
        leave(channel, entry, t)
        entry.first = channel.free_entry
        channel.free_entry = e


@inline
def account(channel: Channel, entry: CommandEntry, command: int) -> None:
    """Count a command for the kind of masters that asked for it."""
    of = channel.of[class_of(entry.master)]
    if command == ACTIVATE:
        of.activates += 1
    elif command != PRECHARGE:
        of.accesses += 1
        if channel.row_accesses[entry.bank] != 0:
            of.row_hits += 1


@inline
def leave(channel: Channel, entry: CommandEntry, t: int) -> None:
    """Data of an access are on their way; the reads that wait for them know when they arrive."""
    bucket = hashed(channel, entry.address)
    if entry.write != 0:
        channel.write_filter[bucket] -= 1
        channel.write_latency_cycles += t - entry.added + channel.write_delay
        return
    channel.read_filter[bucket] -= 1
    arrival = t + channel.read_delay
    w = entry.first
    while w >= 0:
        k = (channel.done_head + channel.done_count) % MAX_WAITING
        channel.done_tag[k] = channel.waiter_tag[w]
        channel.done_cycle[k] = arrival
        channel.done_count += 1
        channel.reads_done += 1
        channel.read_latency_cycles += arrival - channel.waiter_added[w]
        following = channel.waiter_next[w]
        channel.waiter_next[w] = channel.free_waiter
        channel.free_waiter = w
        w = following


@inline
def take_done(channel: Channel) -> None:
    """Drop the first of the arrived reads."""
    channel.done_head = (channel.done_head + 1) % MAX_WAITING
    channel.done_count -= 1
    channel.waiters -= 1


@unit
def schedule(channel: Channel, t: int) -> bool:
    """Move a transaction to its command queue, if there is room; whether the next cycle can bring another."""
    writes = channel.writes
    if channel.draining == 0 and channel.unified == 0:
        # Writes wait until their buffer is full, or until there is nothing else to do.
        idle = writes.count > DRAIN_AT and channel.queued == 0
        if writes.count >= channel.transaction_depth or idle:
            channel.draining = writes.count
            channel.settled = 0
    if channel.settled != 0:
        return False
    queue = writes if channel.draining > 0 else channel.reads
    k = next_transaction(channel, queue)
    if k < 0:
        channel.settled = 1
        return False
    e = queue.slot[k]
    entry = channel.entry[e]
    if channel.unified == 0 and entry.write != 0:
        reading = -1
        if channel.read_filter[hashed(channel, entry.address)] > 0:
            reading = find(channel, channel.reads, entry.address, 0)
        if reading >= 0:
            channel.draining = 0
            return after_read(channel, reading)
        channel.draining -= 1
    move(channel, queue, k, e)
    return True


@inline
def next_transaction(channel: Channel, queue: Transactions) -> int:
    """Place of the oldest of the most urgent transactions whose command queue has room, or -1."""
    chosen, urgency = -1, channel.classes
    for k in range(queue.count):
        entry = channel.entry[queue.slot[k]]
        if entry.urgency < urgency and takes(channel, entry):
            chosen, urgency = k, entry.urgency
            if urgency == 0:
                break
    return chosen


@inline
def takes(channel: Channel, entry: CommandEntry) -> bool:
    return bool(channel.queue[channel.bank_queue[entry.bank]].count < channel.queue_depth)


@unit
def after_read(channel: Channel, reading: int) -> bool:
    """A write must not overtake a read of its address: draining ends. If it began again at once, for ever, because
    the command queues are empty and the read is behind the drain in the transaction queue, the read goes now."""
    writes = channel.writes.count
    if channel.queued == 0 and (writes >= channel.transaction_depth or writes > DRAIN_AT):
        for k in range(channel.reads.count):
            if channel.reads.slot[k] == reading:
                move(channel, channel.reads, k, reading)
                return True
    return True


@unit
def move(channel: Channel, transactions: Transactions, k: int, e: int) -> None:
    """Entry e, at place k of a transaction queue, goes to the end of its command queue."""
    transactions.count -= 1
    for i in range(k, transactions.count):
        transactions.slot[i] = transactions.slot[i + 1]
    entry = channel.entry[e]
    queue = channel.queue[channel.bank_queue[entry.bank]]
    channel.command_slot[queue.first + queue.count] = e
    queue.count += 1
    note_filled(channel, channel.bank_queue[entry.bank])
    queue.ready = 0
    channel.ready = 0
    channel.queued += 1
    channel.rank[channel.bank_rank[entry.bank]].queued += 1
