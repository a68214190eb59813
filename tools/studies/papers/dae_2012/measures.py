"""Decoupled Access/Execute: machines and workloads, and what is measured of them."""

from __future__ import annotations

from collections.abc import Iterable

from tilegpu.timing.registry import technique_names

from ...declare import Machine
from ...measured import Measured, NotMeasured

PLANE = ("002-angryfrogs", "002-icommando", "002-pocketracing")

SOLID = ("002-polybreaker", "002-shooting", "002-quake2", "002-ibowl", "002-tankrecon")

TWINS = (*PLANE, *SOLID)
"""Games in two and in three dimensions (4)."""

NONE, STRIDE, GHB, MTA, PERFECT = "none", "stride", "ghb", "mta", "perfect"

DECOUPLED, REMOTE = "decoupled", "remote"

PREDICTED, PROPOSED = (STRIDE, GHB, MTA), (DECOUPLED, REMOTE)

SCHEMES = (*PREDICTED, *PROPOSED)

WARPS, FEW = (1, 2, 4, 6, 8, 10, 12, 14, 16), (1, 2, 4, 8, 16)
"""Warps of each Fragment Processor: those of Fig. 9 and 10, and those that schemes run with (Fig. 11 and 12)."""

MOST = 16

PREDICTING = ("techniques=prefetching", "technique.prefetching.caches=texture+color")
"""Hardware prefetchers "in the fragment processors" (3.1), whose caches are "a pixel cache and a texture cache" (3.3);
that of the early depth test is another one."""

ACCESS = "decoupled_access"

SETTINGS = {
    NONE: (),
    **{kind: (*PREDICTING, f"technique.prefetching.prefetcher={kind}") for kind in PREDICTED},
    # "A Tegra with perfect caches" (2.1): all of them.
    PERFECT: (
        "techniques=prefetching",
        "technique.prefetching.caches=texture+pixel",
        "technique.prefetching.prefetcher=perfect",
    ),
    DECOUPLED: (f"techniques={ACCESS}", f"technique.{ACCESS}.remote=off"),
    REMOTE: (f"techniques={ACCESS}", f"technique.{ACCESS}.remote=queue"),
}

DEVICE = "energy.device=itrs-hp"
"""Of which 1 V is the supply at 45 nm (Table 1)."""

CYCLES, TRAFFIC = "gpu.cycles", "memory.l2_cache.accesses"


def machine(kind: str, warps: int = 1) -> str:
    """Name of the machine with a scheme and so many warps."""
    return f"{kind}, {warps} warp{'s' * (warps > 1)}"


def _machines(kind: str, counts: Iterable[int]) -> dict[str, Machine]:
    return {
        machine(kind, warps): Machine("dae-2012-baseline", (DEVICE, f"fragment_stage.warps={warps}", *SETTINGS[kind]))
        for warps in counts
    }


THERE = SCHEMES if ACCESS in technique_names() else PREDICTED
"""Schemes that can be run: what asks for others is not measured."""

MACHINES = (
    _machines(NONE, WARPS)
    | _machines(PERFECT, (1,))
    | {name: chip for kind in THERE for name, chip in _machines(kind, (1,)).items()}
)
THREADED = {name: chip for kind in THERE for name, chip in _machines(kind, FEW[1:]).items()}
"""Schemes with more than one warp (Fig. 11 and 12), of which every other frame is enough."""

READ = (*(machine(kind) for kind in (NONE, GHB, MTA, DECOUPLED, REMOTE)), machine(NONE, MOST), machine(REMOTE, 2))
READ_ON = ("002-icommando", "002-pocketracing", "002-shooting", "002-quake2")
"""Machines and twins that other readings of the text are judged on: two games in each number of dimensions."""


def solid(m: Measured) -> Measured:
    return m.of(*SOLID)


def speeds(m: Measured, kind: str, warps: int = 1, base: str = NONE) -> dict[str, float]:
    """Speed-up over a scheme with one warp, by workload, on the frames that both ran."""
    return ratios(m, CYCLES, machine(base), machine(kind, warps))


def ratios(m: Measured, statistic: str, above: str, below: str) -> dict[str, float]:
    """A statistic of one machine over that of another, by workload, on the frames that both ran."""
    return m.with_machine(above, below).ratios(statistic, above, below)


def speed(m: Measured, kind: str, warps: int = 1, base: str = NONE) -> float:
    return m.mean(speeds(m, kind, warps, base).values())


def speed_of_most(m: Measured, kind: str, warps: int) -> float:
    """Speed of a scheme over that of the baseline with most warps."""
    return m.mean(ratios(m, CYCLES, machine(NONE, MOST), machine(kind, warps)).values())


def change(m: Measured, statistic: str, kind: str, warps: int = 1, base: str = NONE) -> float:
    """By how many per cent a statistic differs from that of a scheme with one warp."""
    return m.mean(m.change_percent(statistic, machine(kind, warps), machine(base)).values())


def own(kind: str) -> str:
    """Prefix of a scheme's statistics."""
    return f"techniques.{ACCESS}" if kind in PROPOSED else "techniques.prefetching"


def useless(m: Measured, kind: str) -> dict[str, float]:
    """Per cent of the prefetched lines that nobody asks for (Fig. 7)."""
    lines = {what: m.each(machine(kind), f"{own(kind)}.{what}") for what in ("useless", "issued")}
    return {n: 100 * lines["useless"][n] / max(1.0, lines["issued"][n]) for n in m.workloads}


def mean_useless(m: Measured, kind: str) -> float:
    return m.mean(useless(m, kind).values())


def share(m: Measured, part: str, whole: str) -> float:
    """Per cent that one count of the prefetch queue is of another, without remote requests (3.4)."""
    name, prefix = machine(DECOUPLED), own(DECOUPLED)
    return 100 * m.mean(m.shares(name, f"{prefix}.{part}", f"{prefix}.{whole}").values())


def warps_to_reach(m: Measured, goal: float) -> float:
    """Fewest warps with which the baseline is as fast, within 3 %; twice the most where none are enough."""
    return next((float(n) for n in WARPS if speed(m, NONE, n) >= 0.97 * goal), 2.0 * MOST)


def best_speed(m: Measured, kind: str) -> float:
    return max(speed(m, kind, warps) for warps in FEW)


def least_lead(m: Measured) -> float:
    """Speed of remote requests over that of the fastest other scheme, in the game where it is least."""
    others = [speeds(m, kind) for kind in (NONE, *PREDICTED, DECOUPLED)]
    ours = speeds(m, REMOTE)
    return min(ours[n] / max(other[n] for other in others) for n in m.workloads)


def least_between(m: Measured) -> float:
    """Least distance of the other schemes, with every number of warps beyond one, from the baseline below and remote
    requests: the least ratio."""
    ratios = []
    for warps in FEW[1:]:
        low, high = speed(m, NONE, warps), speed(m, REMOTE, warps)
        speeds = [speed(m, kind, warps) for kind in (*PREDICTED, DECOUPLED)]
        ratios += [min(speeds) / low, high / max(speeds)]
    return min(ratios)


def mta_ahead(m: Measured) -> dict[str, float]:
    return speeds(m, MTA, base=GHB)


def curve(m: Measured, kind: str, counts: Iterable[int]) -> dict[str, float]:
    """Mean speed-up by number of warps; those that were run (Fig. 11)."""
    speeds = {}
    for warps in counts:
        try:
            speeds[str(warps)] = speed(m, kind, warps)
        except NotMeasured:
            continue
    return speeds
