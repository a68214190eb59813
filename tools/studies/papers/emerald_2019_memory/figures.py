"""Emerald's first case study: the figures."""

from __future__ import annotations

from ...declare import Figure
from .conclusions import CONCLUSIONS
from .cpu_map import BANDS, HOLDING, POINTS, SHARE, map_of, over_share
from .measures import (
    BAS,
    DTB,
    FRAME_TIME,
    GPU_TIME,
    HIGH,
    HIT_RATE,
    HMC,
    LARGE,
    OTHERS,
    REGULAR,
    bandwidth_over_time,
    by_cap,
    bytes_per_activation,
    display_bandwidth,
    over_base,
)

TIME = "milliseconds of a frame"

FIGURES = (
    Figure("9", "Time of the GPU, regular load", "of the baseline's", lambda m: {
        name: over_base(m, GPU_TIME, name, REGULAR) for name in OTHERS
    }),
    Figure("10", "M3 with HMC: bandwidth over time", "MB/s", lambda m: bandwidth_over_time(
        m, LARGE[1], HMC
    ), curves=TIME),
    Figure("11", "HMC: row hits, and bytes per row that is opened, regular load", "of the baseline's", lambda m: {
        "row hit rate": over_base(m, HIT_RATE, HMC, REGULAR), "bytes per activation": bytes_per_activation(m, HMC)
    }),
    Figure("12", "Time of a frame, high load", "of the baseline's", lambda m: {
        name: over_base(m, FRAME_TIME, name, HIGH) for name in OTHERS
    }),
    Figure("12, GPU", "Time of the GPU, high load", "of the baseline's", lambda m: {
        name: over_base(m, GPU_TIME, name, HIGH) for name in OTHERS
    }),
    Figure("13", "Bandwidth of the display, high load", "of the baseline's", lambda m: {
        name: display_bandwidth(m, name, HIGH) for name in OTHERS
    }),
    Figure("14a", "M1 with FR-FCFS, high load: bandwidth over time", "MB/s", lambda m: bandwidth_over_time(
        m, LARGE[0], BAS + HIGH
    ), curves=TIME),
    Figure("14b", "M1 with DASH (DTB), high load: bandwidth over time", "MB/s", lambda m: bandwidth_over_time(
        m, LARGE[0], DTB + HIGH
    ), curves=TIME),
    Figure("cap", "Cap on accesses to an open row, FR-FCFS", "of those with 4", lambda m: {
        f"{what}, {load}": by_cap(m, statistic, suffix)
        for load, suffix in (("regular load", REGULAR), ("high load", HIGH))
        for what, statistic in (("row hit rate", HIT_RATE), ("time of the GPU", GPU_TIME))
    }, curves="accesses to an open row after which it is closed"),
    Figure("map", "Slowdowns by what the CPU asks for while the GPU works", "of the baseline's", over_share,
        curves=SHARE, bands=BANDS),
    Figure(
        "map, table", "Conclusions by what the CPU asks for while the GPU works",
        "Each row is another CPU: misses of each thread, how many are under way, and lines of all threads while the "
        "GPU works; times and rates are those of the baseline. Every other frame. Nothing here is a prediction: no "
        "text tells what the threads ask for. Rows in which most conclusions hold are bold.",
        lambda m: map_of(m, CONCLUSIONS), over=tuple(point.name for point in POINTS), table=HOLDING,
    ),
)  # fmt: skip
