"""Leakage of devices with longer channels: slower and leaking less, where the critical path does not need fast ones.

McPAT's option `longer_channel_device`: how much of the leakage below threshold is left of a device whose channel is
longer (`long_channel_leakage_reduction`, cacti/technology.cc; from MASTAR, gates lengthened until the on-current falls
to 90 % at 45 nm, by 5 % at 32 nm), and what share of the devices are such (basic_components.cc: 0.56 in a core that
executes out of order, after Xeon Tulsa and Nehalem; 0.8 in one in order, after Niagara; all of a last-level cache).
Leakage through gates stays. Read from HewlettPackard/mcpat 3e271be.
"""

from __future__ import annotations

from typing import Literal, get_args

from .sram import Device

LongerChannels = Literal["units", "none", "all"]
LONGER_CHANNELS: tuple[LongerChannels, ...] = get_args(LongerChannels)

REMAINING: dict[tuple[int, Device], float] = {
    (22, "itrs-hp"): 1 / 3.274,
    (22, "itrs-lstp"): 1 / 1.89,
    (22, "itrs-lop"): 1 / 2.38,
    (32, "itrs-hp"): 1 / 3.706,
    (32, "itrs-lstp"): 1 / 1.93,
    (32, "itrs-lop"): 1 / 1.89,
    (45, "itrs-hp"): 1 / 3.546,
    (45, "itrs-lstp"): 1 / 2.08,
    (45, "itrs-lop"): 1 / 1.92,
}
"""Leakage below threshold of a device with a longer channel, against that of the node's."""

OUT_OF_ORDER, IN_ORDER, LAST_LEVEL = 0.56, 0.8, 1.0
"""Share of devices with longer channels."""


def remaining_share(node_nm: int, device: Device, share: float) -> float:
    """Fraction of the leakage below threshold that remains where a share of the devices has longer channels."""
    return 1 - share + share * REMAINING[node_nm, device]


def of_template(node_nm: int, device: Device, chosen: LongerChannels) -> float:
    """Leakage below threshold of a unit, against the template's, whose core is out of order and has longer channels.

    A GPU's cores are in order.
    """
    if chosen == "units":
        return 1.0
    without = 1 / remaining_share(node_nm, device, OUT_OF_ORDER)
    return without * remaining_share(node_nm, device, IN_ORDER) if chosen == "all" else without
