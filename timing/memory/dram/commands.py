"""DRAM commands, and the relations of two banks."""

from __future__ import annotations

COMMANDS = (
    "ACTIVATE",
    "READ",
    "WRITE",
    "PRECHARGE",
    "REFRESH",
    "REFRESH_BANK",
    "SELF_REFRESH_ENTER",
    "SELF_REFRESH_EXIT",
    "READ_PRECHARGE",
    "WRITE_PRECHARGE",
    "POWER_DOWN_ENTER",
    "POWER_DOWN_EXIT",
)
(
    ACTIVATE,
    READ,
    WRITE,
    PRECHARGE,
    REFRESH,
    REFRESH_BANK,
    SELF_REFRESH_ENTER,
    SELF_REFRESH_EXIT,
    READ_PRECHARGE,
    WRITE_PRECHARGE,
    POWER_DOWN_ENTER,
    POWER_DOWN_EXIT,
) = range(len(COMMANDS))

NO_COMMAND = -1

FOLLOWING = 8
"""Commands that can be made to wait: the first eight. Those with automatic precharge wait as those without."""

RELATIONS = ("same bank", "same bank group", "same rank", "other rank")
SAME_BANK, SAME_GROUP, SAME_RANK, OTHER_RANK = range(len(RELATIONS))
"""Each relation excludes the ones before it."""
