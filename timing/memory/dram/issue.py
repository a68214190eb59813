"""Effects of a command on banks, ranks, timing and counters."""

from __future__ import annotations

from ...engine.jit import inline, unit
from .commands import (
    ACTIVATE,
    PRECHARGE,
    READ,
    READ_PRECHARGE,
    REFRESH,
    REFRESH_BANK,
    SAME_BANK,
    SAME_GROUP,
    SAME_RANK,
    SELF_REFRESH_ENTER,
    SELF_REFRESH_EXIT,
    WRITE,
)
from .state import CLOSED, MAX_BANKS, MAX_GROUPS, POWERED, POWERED_DOWN, SELF_REFRESHING, Channel


@unit
def book(channel: Channel, rank: int, t: int) -> None:
    """Count the cycles of a rank before cycle t by the state it was in."""
    state = channel.rank[rank]
    cycles = t - state.since
    state.since = t
    if state.power == SELF_REFRESHING:
        channel.self_refresh_cycles[rank] += cycles
    elif state.power == POWERED_DOWN:
        if state.open_banks > 0:
            channel.active_power_down_cycles[rank] += cycles
        else:
            channel.idle_power_down_cycles[rank] += cycles
    elif state.open_banks > 0:
        channel.active_cycles[rank] += cycles
    else:
        channel.idle_cycles[rank] += cycles


@inline
def earliest(channel: Channel, following: int, bank: int) -> int:
    """First cycle in which the timing table lets the bank take the command `following`."""
    of_group = channel.group_earliest[following * MAX_GROUPS + channel.bank_group[bank]]
    return max(channel.bank_earliest[following * MAX_BANKS + bank], of_group)


@inline
def delay_groups(channel: Channel, following: int, first: int, last: int, time: int) -> None:
    """Bank groups first to last - 1 take the command `following` at cycle `time` at the earliest."""
    base = following * MAX_GROUPS
    for k in range(base + first, base + last):
        channel.group_earliest[k] = max(channel.group_earliest[k], time)


@unit
def keep_distances(channel: Channel, command: int, bank: int, t: int) -> None:
    """Make others wait after a command as long as the timing table says."""
    group = channel.bank_group[bank]
    rank_first = channel.bank_rank[bank] * channel.groups_per_rank
    rank_last = rank_first + channel.groups_per_rank
    for r in range(channel.first_rule[command], channel.first_rule[command + 1]):
        rule = channel.rule[r]
        time = t + rule.cycles
        following = rule.following
        if rule.relation == SAME_BANK:
            k = following * MAX_BANKS + bank
            channel.bank_earliest[k] = max(channel.bank_earliest[k], time)
        elif rule.relation == SAME_GROUP:
            k = following * MAX_GROUPS + group
            channel.group_earliest[k] = max(channel.group_earliest[k], time)
        elif rule.relation == SAME_RANK:
            delay_groups(channel, following, rank_first, group, time)
            delay_groups(channel, following, group + 1, rank_last, time)
        else:
            delay_groups(channel, following, 0, rank_first, time)
            delay_groups(channel, following, rank_last, channel.groups, time)


@inline
def open_bank(channel: Channel, bank: int, row: int, t: int) -> None:
    rank = channel.bank_rank[bank]
    book(channel, rank, t)
    channel.rank[rank].open_banks += 1
    channel.open_row[bank] = row
    turn = channel.activate_turn[rank]
    channel.activated[rank * 4 + turn] = t
    channel.activate_turn[rank] = turn + 1 if turn < 3 else 0
    channel.activates += 1


@unit
def close_bank(channel: Channel, bank: int, t: int) -> None:
    rank = channel.bank_rank[bank]
    book(channel, rank, t)
    state = channel.rank[rank]
    state.open_banks -= 1
    if state.open_banks == 0:
        state.idle_since = t
    channel.open_row[bank] = CLOSED
    channel.row_accesses[bank] = 0


@inline
def access(channel: Channel, command: int, bank: int, t: int) -> None:
    hit = 1 if channel.row_accesses[bank] != 0 else 0
    if command in (READ, READ_PRECHARGE):
        channel.read_commands += 1
        channel.read_row_hits += hit
    else:
        channel.write_commands += 1
        channel.write_row_hits += hit
    if command in (READ, WRITE):
        channel.row_accesses[bank] += 1
    else:
        close_bank(channel, bank, t)


@unit
def issue(channel: Channel, command: int, bank: int, row: int, t: int) -> None:
    """Issue a command to a bank; commands to a rank name its first bank."""
    channel.command = command
    channel.command_bank = bank
    channel.command_row = row
    rank = channel.bank_rank[bank]
    channel.rank[rank].last_command = t
    whole_rank = False
    if command == ACTIVATE:
        open_bank(channel, bank, row, t)
    elif command == PRECHARGE:
        close_bank(channel, bank, t)
        channel.precharges += 1
    elif command == REFRESH:
        channel.refreshes += 1
        whole_rank = True
    elif command == REFRESH_BANK:
        channel.bank_refreshes += 1
    elif command == SELF_REFRESH_ENTER:
        book(channel, rank, t + 1)
        channel.rank[rank].power = SELF_REFRESHING
        channel.self_refresh_entries += 1
        whole_rank = True
    elif command == SELF_REFRESH_EXIT:
        book(channel, rank, t + 1)
        channel.rank[rank].power = POWERED
        channel.rank[rank].idle_since = t + 1
        channel.self_refresh_exits += 1
        whole_rank = True
    else:
        access(channel, command, bank, t)
    keep_distances(channel, command, bank, t)
    if whole_rank:
        look_again(channel, rank)
    else:
        channel.queue[channel.bank_queue[bank]].ready = 0
        channel.ready = 0


@unit
def look_again(channel: Channel, rank: int) -> None:
    """All queues of the rank may have something to issue."""
    channel.ready = 0
    if channel.per_rank_queues != 0:
        channel.queue[rank].ready = 0
    else:
        for q in range(rank * channel.banks_per_rank, (rank + 1) * channel.banks_per_rank):
            channel.queue[q].ready = 0
