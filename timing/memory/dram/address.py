"""Fields of an address."""

from __future__ import annotations

from ...engine.jit import inline, unit
from .state import FILTER, Channel

CHANNEL_FIELD, RANK_FIELD, GROUP_FIELD, BANK_FIELD, ROW_FIELD, COLUMN_FIELD = range(6)


@inline
def place(channel: Channel, address: int, which: int) -> int:
    """Field of an address. The lowest bits of the column are those within a stripe, below all other fields."""
    burst = address >> channel.shift
    field: int = (burst >> (channel.stripe_shift + channel.field_shift[which])) & channel.field_mask[which]
    if which == COLUMN_FIELD:
        field = field << channel.stripe_shift | burst & ((1 << channel.stripe_shift) - 1)
    return field


@unit
def bank_of(channel: Channel, address: int) -> int:
    """Bank of an address, counted over groups and ranks."""
    group = place(channel, address, GROUP_FIELD)
    within = group * channel.banks_per_group + place(channel, address, BANK_FIELD)
    bank: int = place(channel, address, RANK_FIELD) * channel.banks_per_rank + within
    return bank


@inline
def hashed(channel: Channel, address: int) -> int:
    line = address >> channel.shift
    return (line ^ (line >> 10)) & (FILTER - 1)
