"""Render-Based Collision Detection: the headlines, what the text cannot decide, and why conclusions do not hold."""

from __future__ import annotations

from ...declare import Cause, PublishedNumber, Undecidable
from .measures import BASE, CYCLES, RASTER

HEADLINES = {
    "time-2": "Render-Based Collision Detection costs 3 % of the GPU's time",
    "energy-2": "It costs 3.5 % of the energy",
    "speedup-aabbs-2": "It is about 600 times as fast as a CPU",
}

BASELINE = (
    PublishedNumber(
        "the Raster Pipeline's share of the time", "5.3.2: +3.7 % of it and under +1 % of the rest are +3 %: 74 to 81",
        78, "%", lambda m: 100 * m.mean(m.shares(BASE, RASTER, CYCLES).values()),
    ),
)  # fmt: skip

CPU = Undecidable(
    "a quantity that is not given",
    "the CPU's program. A broad phase that reads each vertex once takes 21 cycles for it; 620 times what the GPU takes "
    "asks for 18,000 to 60,000 cycles. Boxes made anew for each vertex that is added, as Bullet's addPoint does, give "
    "245 to 278 times (the rows `-anew`, seen).",
)

UNDECIDABLE = {
    **dict.fromkeys(
        (
            "speedup-aabbs-1", "speedup-aabbs-2", "speedup-aabbs-4", "speedup-gjk-1", "speedup-gjk-2", "speedup-gjk-4",
            "cpu-energy-aabbs-1", "cpu-energy-gjk-1", "cpu-energy-gjk-2", "cpu-energy-gjk-4",
        ),
        CPU,
    ),
    "area": Undecidable(
        "a quantity that is not given",
        "how McPAT's areas compose: the unit takes 1.8 % of this model's area, and 1 % of a GPU 1.8 times as large.",
    ),
}  # fmt: skip

CAUSES = (
    Cause(
        ("time-1", "raster", "second-zeb"),
        "the Tile Fetcher of the preset hides what the thesis's did not: fetching the tagged primitives costs no time",
        "With each request sent when the last is answered, time rises by 2.9 % and the raster stage by 2.6 (3 and "
        "3.7). "
        "With one ZEB no buffer is free in 0 to 6.6 % of the cycles; how many neighbouring tiles have objects that "
        "collide is not told.",
    ),
    Cause(
        ("geometry", "write-misses", "read-misses"),
        "a tagged primitive brings a record of its own, two or three new lines; in the thesis most accesses hit old "
        "ones",
        "Stores (26 %), loads (17 %) and primitives (18.5 %) are right (32, 19, 18.4). 8.8 % more misses for 32 % more "
        "stores is possible only if primitives share lines, or lists are most of the baseline's misses; the layout is "
        "not told. At 1200x768, where lists do not fit the cache, write misses rise by 12 % on captain.",
    ),
    Cause(
        ("idle",),
        "idle cycles rise by 7.4 % of themselves, and by 1.2 % of the raster stage's cycles: the sentence can mean "
        "both",
    ),
)  # fmt: skip
