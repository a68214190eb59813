"""Refresh: when ranks or banks have to be refreshed, and the commands that do it.

Refreshes are served in the order in which they fall due and go before everything else: the queues concerned are blocked
until the refresh is issued.
"""

from __future__ import annotations

from tilegpu.timing.declare.records import NEVER

from ...engine.jit import unit
from .commands import PRECHARGE, REFRESH, REFRESH_BANK
from .issue import earliest, issue
from .state import CLOSED, DRAIN_AT, MAX_REFRESHES, POWERED, SELF_REFRESHING, Channel

REFRESH_POLICIES = ("RANK_LEVEL_STAGGERED", "RANK_LEVEL_SIMULTANEOUS", "BANK_LEVEL_STAGGERED")
RANK_STAGGERED, RANK_SIMULTANEOUS, BANK_STAGGERED = range(len(REFRESH_POLICIES))


@unit
def fall_due(channel: Channel, t: int) -> None:
    """Note the refreshes that fall due in this cycle."""
    if t < channel.next_refresh:
        return
    channel.next_refresh += channel.refresh_interval
    if channel.refresh_policy == RANK_SIMULTANEOUS:
        for rank in range(channel.ranks):
            want(channel, rank, rank, t)
    elif channel.refresh_policy == RANK_STAGGERED:
        rank = channel.next_refreshed
        channel.next_refreshed = rank + 1 if rank + 1 < channel.ranks else 0
        want(channel, rank, rank, t)
    else:
        place = channel.next_refreshed
        channel.next_refreshed = place + 1 if place + 1 < channel.banks else 0
        per_rank, per_group = channel.banks_per_rank, channel.banks_per_group
        rank, within = place // per_rank, place % per_rank
        groups = per_rank // per_group
        # Bank groups in turn, as JEDEC's fixed order has it: neighbours in time are in different groups.
        want(channel, rank * per_rank + within % groups * per_group + within // groups, rank, t)


@unit
def want(channel: Channel, what: int, rank: int, t: int) -> None:
    """A rank in self-refresh refreshes itself."""
    if channel.rank[rank].power == SELF_REFRESHING or channel.refresh_count == MAX_REFRESHES:
        return
    place = (channel.refresh_head + channel.refresh_count) % MAX_REFRESHES
    channel.refresh[place] = what
    channel.refresh_due[place] = t
    channel.refresh_count += 1


@unit
def serve(channel: Channel, t: int) -> int:
    """Issue the next command of the oldest refresh if it is ready; the cycle in which one can be, otherwise."""
    what = channel.refresh[channel.refresh_head]
    if channel.refresh_policy == BANK_STAGGERED:
        first, last, command = what, what + 1, REFRESH_BANK
    else:
        first, last, command = what * channel.banks_per_rank, (what + 1) * channel.banks_per_rank, REFRESH
    rank = channel.bank_rank[first]
    if channel.refreshing == 0:
        channel.refreshing = 1
        channel.blocked_first = rank if channel.per_rank_queues != 0 else first
        channel.blocked_last = rank + 1 if channel.per_rank_queues != 0 else last
    if channel.rank[rank].power != POWERED:
        return NEVER
    ready = 0
    to_close = NEVER
    for bank in range(first, last):
        if channel.open_row[bank] == CLOSED:
            ready = max(ready, earliest(channel, command, bank))
        else:
            time = earliest(channel, PRECHARGE, bank)
            if time <= t:
                issue(channel, PRECHARGE, bank, channel.open_row[bank], t)
                return t + 1
            to_close = min(to_close, time)
    if to_close < NEVER:
        return to_close
    if ready > t:
        return ready
    channel.latest_refresh_cycles = max(channel.latest_refresh_cycles, t - channel.refresh_due[channel.refresh_head])
    issue(channel, command, first, 0, t)
    channel.refresh_head = (channel.refresh_head + 1) % MAX_REFRESHES
    channel.refresh_count -= 1
    channel.refreshing = 0
    return t + 1


@unit
def wanted(channel: Channel, rank: int) -> bool:
    """Whether a refresh waits for this rank."""
    for k in range(channel.refresh_count):
        what = channel.refresh[(channel.refresh_head + k) % MAX_REFRESHES]
        if channel.refresh_policy == BANK_STAGGERED:
            what = channel.bank_rank[what]
        if what == rank:
            return True
    return False


@unit
def leap(channel: Channel, until: int) -> None:
    """Pass over refreshes before cycle `until` of a channel that has nothing else to do.

    Every bank is refreshed as often as the next, and the last two rounds are not passed over, so that all distances are
    those of refreshes done one by one.
    """
    if channel.wake != channel.next_refresh or channel.refresh_count > 0 or channel.power_management != 0:
        return
    if channel.queued > 0 or channel.reads.count > 0 or channel.draining > 0 or channel.writes.count > DRAIN_AT:
        return
    for rank in range(channel.ranks):
        if channel.rank[rank].open_banks > 0:
            return
    steps = 1
    if channel.refresh_policy == RANK_STAGGERED:
        steps = channel.ranks
    elif channel.refresh_policy == BANK_STAGGERED:
        steps = channel.banks
    rounds = (until - channel.next_refresh) // (steps * channel.refresh_interval) - 2
    if rounds > 0:
        channel.next_refresh += rounds * steps * channel.refresh_interval
        channel.wake = channel.next_refresh
        if channel.refresh_policy == BANK_STAGGERED:
            channel.bank_refreshes += rounds * channel.banks
        else:
            channel.refreshes += rounds * channel.ranks
