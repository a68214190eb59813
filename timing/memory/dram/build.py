"""From a specification to the registers of its channels."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tilegpu.timing.declare.parameters import Group

from .policies import find_policy, number_of
from .refresh import REFRESH_POLICIES
from .specification import FIELDS, Specification
from .state import MAX_WAITING
from .timing_table import rules

if TYPE_CHECKING:
    from .state import Channel


LONG_AGO = -(1 << 40)


def set_up(channel: Channel, spec: Specification, parameters: Group | None = None) -> None:
    """Set the sizes of a channel (`state.channel_type`), empty, at cycle 0; without `parameters` the policy has its
    defaults."""
    system, timing = spec.system, spec.timing
    channel.banks, channel.ranks, channel.banks_per_rank = spec.banks, spec.ranks, spec.banks_per_rank
    channel.banks_per_group = spec.dram_structure.banks_per_group
    channel.queues, channel.queue_depth = spec.queues, system.cmd_queue_size
    channel.per_rank_queues = system.queue_structure == "PER_RANK"
    channel.transaction_depth, channel.unified = system.trans_queue_size, system.unified_queue
    channel.closed_page = system.row_buf_policy == "CLOSE_PAGE"
    channel.scheduling, channel.classes = number_of(system.scheduling), 1
    channel.row_cap = system.row_accesses
    channel.read_delay, channel.write_delay = spec.read_delay_cycles, spec.write_delay_cycles
    channel.four_activates = timing.tFAW
    channel.refresh_policy = REFRESH_POLICIES.index(system.refresh_policy)
    channel.refresh_interval = channel.next_refresh = spec.refresh_interval_cycles
    channel.self_refresh_threshold = system.sref_threshold if system.enable_self_refresh else 0
    channel.power_down_threshold = system.power_down_threshold
    channel.power_management = system.enable_self_refresh or system.power_down_threshold > 0
    channel.clock_enable, channel.power_down_exit = timing.tCKE, timing.tXP
    channel.shift = spec.request_bytes.bit_length() - 1
    channel.stripe_shift = spec.stripe_bursts.bit_length() - 1
    places = spec.field_places()
    for i, name in enumerate(FIELDS):
        shift, width = places[name]
        channel.field_shift[i], channel.field_mask[i] = shift, (1 << width) - 1
    _set_up_banks(channel, spec)
    channel.open_row[:] = -1
    channel.activated[:] = LONG_AGO
    for q in range(spec.queues):
        channel.queue[q].first = q * system.cmd_queue_size
    channel.waiter_next[:] = np.where(np.arange(MAX_WAITING) < MAX_WAITING - 1, np.arange(1, MAX_WAITING + 1), -1)
    entries = np.arange(len(channel.entry))
    channel.entry["first"] = np.where(entries < len(entries) - 1, entries + 1, -1)
    policy = find_policy(system.scheduling)
    if parameters is None and policy.parameters is not None:
        parameters = policy.parameters()
    policy.set_up_channel(channel, parameters)


def _set_up_banks(channel: Channel, spec: Specification) -> None:
    """Set the rank and group of each bank, and the timing table."""
    banks = np.arange(spec.banks)
    channel.groups_per_rank = spec.dram_structure.bankgroups
    channel.groups = spec.ranks * spec.dram_structure.bankgroups
    channel.bank_rank[: spec.banks] = banks // spec.banks_per_rank
    channel.bank_group[: spec.banks] = banks // spec.dram_structure.banks_per_group
    per_bank = spec.system.queue_structure == "PER_BANK"
    channel.bank_queue[: spec.banks] = banks if per_bank else banks // spec.banks_per_rank
    n = 0
    for command, distances in enumerate(rules(spec)):
        channel.first_rule[command] = n
        for distance in distances:
            channel.rule[n] = distance
            n += 1
        channel.first_rule[command + 1] = n
