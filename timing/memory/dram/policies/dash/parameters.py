"""Configuration of the memory scheduler DASH."""

from __future__ import annotations

from tilegpu.timing.declare.parameters import Group, choice, number


class Dash(Group, section="dash"):
    """DASH (Usui et al., TACO 2016; Gubran and Aamodt, ISCA 2019, Table 3), with scheduling dash; its cycles are those
    of the CPU."""

    clock_mhz: int = number(2000, "MHz", "clock of its cycles, the CPU's [Table 5]", 1, 100_000)
    scheduling_unit: int = number(1000, "DASH cycles", "after which IPs are judged again [Table 3]", 1, 1 << 30)
    switching_unit: int = number(500, "DASH cycles", "after which the probability is adapted [Table 3]", 1, 1 << 30)
    shuffling_interval: int = number(
        800, "DASH cycles", "after which intensive threads change ranks [Table 3]", 1, 1 << 30
    )
    quantum: int = number(1_000_000, "DASH cycles", "after which threads are clustered [Table 3]", 1, 1 << 40)
    clustering_factor: int = number(
        150, "per mille", "share of the bandwidth that threads of the light cluster may use [Table 3: 0.15]", 0, 1000
    )
    clustering_bandwidth: str = choice(
        "cpu", {"cpu": "that of CPU threads (DCB)", "system": "of all (DTB)"}, "bandwidth that is shared [Table 6]"
    )
    emergent_threshold: int = number(800, "per mille", "emergent threshold of the display [Table 3: 0.8]", 0, 1000)
    gpu_emergent_threshold: int = number(900, "per mille", "emergent threshold of the GPU [Table 3: 0.9]", 0, 1000)
    emergent: str = choice(
        "share",
        {
            "share": "the expected progress, below which an IP is urgent",
            "time": "the time of the period, from which on it is urgent, as it is at any time when it has made less "
            "progress than time has passed",
        },
        "what the threshold is of",
        silent=("time",),
    )
    probability: int = number(
        500, "per mille", "at first, with which intensive threads go before IPs", 0, 1000, silent=(0, 1000)
    )
    probability_step: int = number(10, "per mille", "by which the probability is adapted", 0, 1000, silent=(1, 100))
    display_period_us: int = number(
        16_667, "microseconds", "deadline of the display's frame [Table 3: 16 ms, 60 FPS]", 1, 1 << 30
    )
    gpu_period_us: int = number(
        33_000, "microseconds", "deadline of the GPU's frame [Table 3: 33 ms; the text: 16 ms]", 1, 1 << 30
    )
