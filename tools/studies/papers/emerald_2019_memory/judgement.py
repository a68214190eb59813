"""Emerald's first case study: the headlines, what the text cannot decide, and why conclusions do not hold."""

from __future__ import annotations

from ...declare import Assumption, Cause, Undecidable

HEADLINES = {
    "hmc-gpu": "With HMC the GPU takes almost twice as long",
    "hmc-rows": "HMC's row hit rate is 15 % lower",
    "dcb-gpu": "With DASH the GPU takes 19 to 20 % longer",
}

TRAFFIC = Undecidable(
    "a quantity that is not given",
    "what Android's threads ask of memory while the GPU works; neither DASH nor HMC is in the public code. DASH costs "
    "the GPU 1.5 % with the preset's CPU. With threads that miss at least 6,000 times per million cycles, one at a "
    "time, and ask for 30,000 lines while the GPU works, it costs 17 to 20 %, HMC doubles the GPU's time within the "
    "rule, and 7 of the 11 conclusions hold together (the map below).",
)
NO_DISPLAY = Undecidable(
    "nothing to divide by",
    "under high load the display completes no frame with any model and scheme, the baseline included: it gets 0 to 68 "
    "of 189 MB/s, and a ratio to that says nothing.",
)

BY_TRAFFIC = (
    "dcb-gpu", "dtb-gpu", "dcb-rate", "dtb-rate", "large-rate", "m1-dcb", "m1-dtb", "simpler-less", "latency",
    "hmc-frame",
)  # fmt: skip

UNDECIDABLE = {
    **dict.fromkeys(BY_TRAFFIC, TRAFFIC),
    **dict.fromkeys(("display-dtb", "display-dash", "display-hmc"), NO_DISPLAY),
}

ASSUMPTIONS = (
    Assumption(
        "technique.soc.intensive_misses",
        "misses of the CPU's busy threads per million cycles, and how many are under way (`intensive_outstanding`); "
        "the map below has both, as they were tried.",
        (*BY_TRAFFIC, "hmc-gpu"),
        ("9", "12", "12, GPU", "13"),
    ),
    Assumption(
        "dram.ip_stripe_bytes",
        "the text stripes HMC's lone channel by lines, the public code by bursts of 32 bytes (second column).",
        ("hmc-rows", "hmc-bytes"),
        ("11",),
    ),
)

CAUSES = (
    Cause(
        ("hmc-rows", "hmc-bytes"),
        "text and code disagree on the stripes of the lone channel: lines give -1 and -6 %, 32 bytes -27 and -55 "
        "(-15, -60)",
    ),
)
