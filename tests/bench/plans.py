"""Errors of twenty plans of each vector against the sums of all frames, from the folder of a study.

`tilegpu study sampling -o DIR`, then `python -m tests.bench.plans DIR` prints the table of docs/sampling.md: mean and
largest error in percent, and plans whose interval holds the sum. Frames of plans are as after all frames before them.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from tilegpu.functional.characterize.files import Characterization
from tilegpu.tools.sampling.plan import Source
from tilegpu.tools.sampling.planning import PlanLimits, planned
from tilegpu.tools.sampling.totals import UNITS, measures_in, totals
from tilegpu.tools.sampling.vectors import VECTORS, vectors
from tilegpu.tools.studies.papers.sampling.measures import BASE, FEWER, LENGTHS, LONG, MOST_CLUSTERS, SHORT

PLANS = range(20)
WARM_UP = 1


def rows(study: Path, workload: str) -> list[str]:
    """Rows of the table for a workload, one for each vector."""
    counts = Characterization(study / "counts" / f"{workload}-{LENGTHS[workload]}")
    measured = measures_in(study / "runs" / workload / BASE)
    sums = {name: sum(one[name] for one in measured.values()) for name in UNITS}
    frames = LENGTHS[workload] // FEWER[workload] // (1 + WARM_UP)
    found = []
    for vector in VECTORS:
        errors: dict[str, list[float]] = {name: [] for name in UNITS}
        held = dict.fromkeys(UNITS, 0)
        compared = vectors(counts, vector)
        for seed in PLANS:
            known = {"versions": {}, "source": Source(name=workload, sha256=""), "vector": vector}
            plan = planned(counts, compared, PlanLimits(MOST_CLUSTERS, 1, frames, seed), **known)
            for total in totals(plan, measured):
                errors[total.name].append(100 * abs(total.value / sums[total.name] - 1))
                low, high = total.interval
                held[total.name] += low <= sums[total.name] <= high
        cells = [f"{np.mean(errors[name]):.2f}, {max(errors[name]):.2f} %; {held[name]}" for name in UNITS]
        found.append(f"| {workload.partition('+')[0]} | {vector} | {' | '.join(cells)} |")
    return found


if __name__ == "__main__":
    print("| twin | vector | cycles | energy | DRAM bytes | L2 misses |\n" + 6 * "| --- " + "|")
    for name in (SHORT, LONG):
        print(*rows(Path(sys.argv[1]), name), sep="\n")
