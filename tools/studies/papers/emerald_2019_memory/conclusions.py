"""Emerald's first case study: the conclusions and their rules."""

from __future__ import annotations

from ...declare import Conclusion
from .explanations import high_load, regular_load
from .measures import (
    DCB,
    DTB,
    FRAME_TIME,
    GPU_TIME,
    HIGH,
    HIT_RATE,
    HMC,
    LARGE,
    LATENCY,
    REGULAR,
    SMALL,
    bytes_per_activation,
    change,
    display_bandwidth,
    greatest_rate_change,
    lead_of_hmc,
    rate_change,
    slowdown,
)

M1 = LARGE[0]

CONCLUSIONS = (
    Conclusion(
        "same-rate", "Under regular load all have similar frame rates, less than 1 % apart (5.2.1).",
        1, "%", "< 1", greatest_rate_change, regular_load,
    ),
    Conclusion(
        "dcb-gpu", "The GPU takes 19 to 20 % longer with DASH: DCB (Fig. 9).",
        19.5, "%", "within 25 % of 19.5", lambda m: change(m, GPU_TIME, DCB, REGULAR), regular_load,
    ),
    Conclusion(
        "dtb-gpu", "The GPU takes 19 to 20 % longer with DASH: DTB (Fig. 9).",
        19.5, "%", "within 25 % of 19.5", lambda m: change(m, GPU_TIME, DTB, REGULAR), regular_load,
    ),
    Conclusion(
        "hmc-gpu", "With HMC it takes almost twice as long (Fig. 9).",
        2, "x", "1.75 to 2.25", lambda m: 1 + change(m, GPU_TIME, HMC, REGULAR) / 100, regular_load, "seen",
    ),
    Conclusion(
        "hmc-rows", "HMC's row hit rate is 15 % lower (Fig. 11).",
        -15, "%", "within 25 % of -15", lambda m: change(m, HIT_RATE, HMC, REGULAR), regular_load,
        "seen",
    ),
    Conclusion(
        "hmc-bytes", "It moves 60 % fewer bytes per row that it opens (Fig. 11).",
        -60, "%", "within 25 % of -60",
        lambda m: 100 * (m.mean(bytes_per_activation(m, HMC).values()) - 1), regular_load, "seen",
    ),
    Conclusion(
        "hmc-frame", "Under high load a frame takes 45 % longer with HMC (5.2.2).",
        45, "%", "within 25 % of 45", lambda m: change(m, FRAME_TIME, HMC, HIGH), high_load,
    ),
    Conclusion(
        "dcb-rate", "DASH reduces the frame rate by 8.9 %: DCB (5.2.2).",
        -8.9, "%", "within 25 % of -8.9", lambda m: rate_change(m, (DCB,), HIGH), high_load,
    ),
    Conclusion(
        "dtb-rate", "DASH reduces the frame rate by 9.7 %: DTB (5.2.2).",
        -9.7, "%", "within 25 % of -9.7", lambda m: rate_change(m, (DTB,), HIGH), high_load,
    ),
    Conclusion(
        "large-rate", "In M1 and M3 by around 12 % (5.2.2).",
        -12, "%", "within 25 % of -12", lambda m: rate_change(m.of(*LARGE), (DCB, DTB), HIGH), high_load,
    ),
    Conclusion(
        "m1-dcb", "The GPU's time of M1 rises by 15.1 % with DCB (5.2.2).",
        15.1, "%", "within 25 % of 15.1", lambda m: change(m.of(M1), GPU_TIME, DCB, HIGH), high_load,
    ),
    Conclusion(
        "m1-dtb", "By 15.5 % with DTB (5.2.2).",
        15.5, "%", "within 25 % of 15.5", lambda m: change(m.of(M1), GPU_TIME, DTB, HIGH), high_load,
    ),
    Conclusion(
        "simpler-less", "Simpler models (M2, M4) suffer less (5.2.2).",
        None, "of the larger ones' slowdown", "< 1", lambda m: slowdown(m, SMALL) / slowdown(m, LARGE), high_load,
    ),
    Conclusion(
        "latency", "Reads of the GPU take 16.2 % longer with DASH in M1 (5.2.2).",
        16.2, "%", "within 25 % of 16.2", lambda m: change(m.of(M1), LATENCY, DTB, HIGH), high_load,
    ),
    Conclusion(
        "display-dtb", "The display gets 85 % less with DTB in M1 (Fig. 13).",
        -85, "%", "within 25 % of -85", lambda m: 100 * (m.mean(display_bandwidth(m.of(M1), DTB, HIGH).values()) - 1),
        high_load,
    ),
    Conclusion(
        "display-dash", "In M1 and M3 it gets less with DASH than with FR-FCFS (Fig. 13).",
        None, "of the baseline's", "< 1",
        lambda m: max(v for name in (DCB, DTB) for v in display_bandwidth(m.of(*LARGE), name, HIGH).values()),
        high_load,
    ),
    Conclusion(
        "display-hmc", "In M2 and M4 it gets most with HMC (Fig. 13).",
        None, "of the best other's", ">= 1", lead_of_hmc, high_load,
    ),
)  # fmt: skip
