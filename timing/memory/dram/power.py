"""Low-power states of ranks: self-refresh and power-down.

A rank enters self-refresh when all of its banks have been closed for a while and nothing waits for it; it comes back
when something does. Power-down needs no closed banks, costs less time to leave, and is left for a refresh.
"""

from __future__ import annotations

from tilegpu.timing.declare.records import NEVER

from ...engine.jit import unit
from .commands import FOLLOWING, NO_COMMAND, POWER_DOWN_ENTER, POWER_DOWN_EXIT, SELF_REFRESH_ENTER, SELF_REFRESH_EXIT
from .issue import book, delay_groups, earliest, issue, look_again
from .refresh import wanted
from .state import POWERED, POWERED_DOWN, SELF_REFRESHING, Channel


@unit
def manage(channel: Channel, t: int) -> int:
    """Change the state of at most one rank; the next cycle in which there is something to look at."""
    wake = NEVER
    for rank in range(channel.ranks):
        state = channel.rank[rank]
        needed = state.queued > 0 or wanted(channel, rank)
        first = rank * channel.banks_per_rank
        if state.power == SELF_REFRESHING:
            time = earliest(channel, SELF_REFRESH_EXIT, first) if needed else NEVER
            if time <= t and channel.command == NO_COMMAND:
                issue(channel, SELF_REFRESH_EXIT, first, 0, t)
                return t + 1
        elif state.power == POWERED_DOWN:
            time = state.entered + channel.clock_enable if needed else NEVER
            if time <= t:
                leave_power_down(channel, rank, t)
                return t + 1
        elif needed:
            time = NEVER
        else:
            time = self_refresh_time(channel, rank)
            if time <= t and channel.command == NO_COMMAND:
                issue(channel, SELF_REFRESH_ENTER, first, 0, t)
                return t + 1
            if channel.power_down_threshold > 0:
                down = state.last_command + channel.power_down_threshold
                if down <= t:
                    enter_power_down(channel, rank, t)
                    return t + 1
                time = min(time, down)
        wake = min(wake, max(time, t + 1))
    return wake


@unit
def self_refresh_time(channel: Channel, rank: int) -> int:
    """First cycle in which a rank that is not needed can enter self-refresh."""
    state = channel.rank[rank]
    if channel.self_refresh_threshold == 0 or state.open_banks > 0:
        return NEVER
    time = state.idle_since + channel.self_refresh_threshold - 1
    first = rank * channel.banks_per_rank
    for bank in range(first, first + channel.banks_per_rank):
        time = max(time, earliest(channel, SELF_REFRESH_ENTER, bank))
    return time


@unit
def enter_power_down(channel: Channel, rank: int, t: int) -> None:
    book(channel, rank, t + 1)
    channel.rank[rank].power = POWERED_DOWN
    channel.rank[rank].entered = t
    channel.power_downs += 1
    channel.power_command = POWER_DOWN_ENTER
    channel.power_rank = rank


@unit
def leave_power_down(channel: Channel, rank: int, t: int) -> None:
    book(channel, rank, t + 1)
    channel.rank[rank].power = POWERED
    channel.rank[rank].last_command = t
    channel.power_command = POWER_DOWN_EXIT
    channel.power_rank = rank
    first = rank * channel.groups_per_rank
    for following in range(FOLLOWING):
        delay_groups(channel, following, first, first + channel.groups_per_rank, t + channel.power_down_exit)
    look_again(channel, rank)
