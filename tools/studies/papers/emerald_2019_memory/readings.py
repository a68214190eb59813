"""Emerald's first case study: other readings of what the paper leaves open."""

from __future__ import annotations

from ...declare import Reading, Readings
from .measures import BAS, DCB, DTB, HIGH, HMC, MODELS, REGULAR

OWN = "technique.soc."
CODE = ("vpo.phases=apart", "raster.pipeline=central")
"""Settings that make the preset emerald-case1-code of emerald-case1; its other fields are the defaults."""

STRIPED = Reading("IP channels striped by bursts of 32 bytes", ("dram.ip_stripe_bytes=32",))
"""Text and public code disagree: the code's lone channel is striped by bursts."""

PUBLIC_CODE = Reading("the same, and stripes of 32 bytes", (*CODE, *STRIPED.settings))
"""The launcher and the stripes of the public code together."""

READINGS = Readings(
    tuple(name + load for load in (REGULAR, HIGH) for name in (BAS, DCB, DTB, HMC)),
    MODELS,
    (
        "same-rate", "dcb-gpu", "dtb-gpu", "hmc-gpu", "hmc-rows", "hmc-bytes", "hmc-frame", "dcb-rate", "large-rate",
        "display-dtb", "display-hmc",
    ),
    (
        STRIPED,
        Reading("two misses under way", (f"{OWN}intensive_outstanding=2", f"{OWN}light_outstanding=2")),
        Reading("twice the CPU's traffic", (f"{OWN}intensive_misses=4500", f"{OWN}light_misses=300")),
        Reading("surfaces in square tiles", ("memory.texture_layout=tiled",)),
        Reading("one depth unit, pixel tiles to any core, draws in phases", CODE),
        PUBLIC_CODE,
        Reading("a display buffer of two lines", (f"{OWN}buffer_bytes=8192",)),
    ),
    "[systems on chip](../model/soc.md)",
)  # fmt: skip
