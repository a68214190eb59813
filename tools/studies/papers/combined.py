"""All together: Parallel Tile Rendering, Rendering Elimination, and Visibility Rendering Order or Deferred Rendering,
in every combination on the same twins. No paper has measured that.

Rendering Elimination's Signature Unit was made for a GPU with one Vertex Processor; this one has four. So its Compute
CRC unit is as much wider: 32 bytes in a cycle instead of 8, each with a table. The Accumulate CRC unit takes a block in
a cycle on both.

If gains are independent, speed-ups multiply, and so do the shares of energy that are left. The rules say so within a
tenth; they were written before anything was measured.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import product

from tilegpu.tools.workloads.measure import MOMENTS

from ..declare import Conclusion, Experiment, Figure, Frames, Machine, Study
from ..measured import Measured
from ..reasons import by_game, lines, share_of

PTR, RE, VRO, DR = "PTR", "RE", "VRO", "DR"
BASE = "baseline"
CYCLES, ENERGY = "gpu.cycles", "energy.total"
RASTER, GEOMETRY = "gpu.raster_cycles", "gpu.geometry_cycles"
SIGNING = "techniques.rendering_elimination.signature_unit.busy_cycles"
VERTEX_PROCESSORS = {"re-2019": 1, "ptr-2022": 4}
"""Of the machine that the Signature Unit was made for, and of this study's."""
COMPUTE_BYTES = 8 * VERTEX_PROCESSORS["ptr-2022"] // VERTEX_PROCESSORS["re-2019"]
"""Bytes that the Compute CRC unit signs in a cycle, by Vertex Processors."""
TECHNIQUES = {RE: "rendering_elimination", VRO: "visibility_rendering_order", DR: "deferred_rendering"}
EDGES = "techniques.visibility_rendering_order.edges"
TWINS = (
    "003-captain", "003-forest2", "003-gravity", "001-ccs", "001-abi", "001-ter", "000-s3d", "000-cra",
)  # fmt: skip
"""Of each paper's games, some that its technique helps."""


def name_of(*parts: str) -> str:
    return " + ".join(part for part in parts if part) or BASE


def _machines() -> dict[str, Machine]:
    machines = {}
    for ptr, re, order in product(("", PTR), ("", RE), ("", VRO, DR)):
        chosen = "+".join(TECHNIQUES[name] for name in (re, order) if name) or "none"
        preset = "ptr-2022-2ru" if ptr else "ptr-2022"
        width = (f"technique.rendering_elimination.compute_bytes_per_cycle={COMPUTE_BYTES}",) if re else ()
        machines[name_of(ptr, re, order)] = Machine(preset, (f"techniques={chosen}", *width))
    return machines


MACHINES = _machines()


def speedup(m: Measured, machine: str) -> float:
    """Mean over the twins."""
    return m.mean(m.ratios(CYCLES, BASE, machine).values())


def together(*parts: str) -> Callable[[Measured], float]:
    """Speed-up of techniques together, over the product of each one's, in the mean over the twins."""

    def ours(m: Measured) -> float:
        of_each = [m.ratios(CYCLES, BASE, part) for part in parts]
        of_all = m.ratios(CYCLES, BASE, name_of(*parts))
        gains_together = dict(of_all)
        for gains in of_each:
            gains_together = {n: gains_together[n] / gains[n] for n in gains_together}
        return m.mean(gains_together.values())

    return ours


def energy_together(*parts: str) -> Callable[[Measured], float]:
    """Energy that is left with techniques together, over the product of what each leaves."""

    def ours(m: Measured) -> float:
        ratios = m.ratios(ENERGY, name_of(*parts), BASE)
        for part in parts:
            ratios_of_part = m.ratios(ENERGY, part, BASE)
            ratios = {n: ratios[n] / ratios_of_part[n] for n in ratios}
        return m.mean(ratios.values())

    return ours


def shaded(m: Measured, machine: str) -> dict[str, float]:
    return m.differences(machine, "raster.early_depth.fragments", "raster.early_depth.killed_fragments")


def kept_saving(m: Measured) -> float:
    """Fragments that VRO leaves of those that RE leaves, over those that it leaves without RE."""
    whole, alone, fewer, both = (shaded(m, name) for name in (BASE, VRO, RE, name_of(RE, VRO)))
    return m.mean((both[n] / fewer[n]) / (alone[n] / whole[n]) for n in whole if fewer[n])


def stages(*parts: str) -> Callable[[Measured], str]:
    """Stage that keeps gains from multiplying: cycles of the raster stage and of the geometry, each by itself."""

    def cycles(m: Measured) -> str:
        alone = [m.ratios(RASTER, BASE, part) for part in parts]
        both = m.ratios(RASTER, BASE, name_of(*parts))
        return lines(
            by_game(
                "the raster stage's gain of the product", {n: both[n] / math.prod(g[n] for g in alone) for n in both}
            ),
            by_game("geometry with RE over that without", m.ratios(GEOMETRY, RE, BASE)),
            share_of(
                m, f"of which the Signature Unit, {COMPUTE_BYTES} bytes in a cycle, is busy in", RE, SIGNING, GEOMETRY
            ),
        )

    return cycles


def edges_left(m: Measured) -> str:
    """Effect of Rendering Elimination on the graph."""
    fewer = {n: m.value(n, name_of(RE, VRO), EDGES) / max(1.0, m.value(n, VRO, EDGES)) for n in m.workloads}
    return by_game("comparisons of VRO's graph that RE leaves", fewer, ".0%")


def _pair(first: str, second: str) -> Conclusion:
    return Conclusion(
        f"{first}-{second}".lower(),
        f"The gains of {first} and {second} multiply.",
        1, "of the product", "0.9 to 1.1", together(first, second),
        stages(first, second) if RE in (first, second) else None,
    )  # fmt: skip


CONCLUSIONS = (
    *(_pair(*pair) for pair in ((PTR, RE), (PTR, VRO), (PTR, DR), (RE, VRO), (RE, DR))),
    *(
        Conclusion(
            f"all-{order}".lower(), f"The gains of PTR, RE and {order} multiply.",
            1, "of the product", "0.9 to 1.1", together(PTR, RE, order), stages(PTR, RE, order),
        )
        for order in (VRO, DR)
    ),
    *(
        Conclusion(
            f"energy-{order}".lower(), f"The energy that PTR, RE and {order} leave multiplies.",
            1, "of the product", "0.9 to 1.1", energy_together(PTR, RE, order),
        )
        for order in (VRO, DR)
    ),
    Conclusion(
        "graph", "VRO hides as much of what RE leaves: tiles left out give no edges, but need no order either.",
        1, "of the fragments", "0.9 to 1.1", kept_saving, edges_left,
    ),
    Conclusion(
        "fastest", "All three together are fastest, with VRO or with DR.",
        None, "x", f"{name_of(PTR, RE, VRO)}, {name_of(PTR, RE, DR)} among the highest 2",
        lambda m: {name: speedup(m, name) for name in MACHINES if name != BASE},
        stages(PTR, RE),
    ),
    Conclusion(
        "pictures", "Nothing that RE leaves out has changed, whatever it is combined with.",
        0, "tiles", "<= 0",
        lambda m: sum(
            value for name in MACHINES if RE in name.split(" + ")
            for value in m.each(name, "techniques.rendering_elimination.false_positives").values()
        ), edges_left,
    ),
)  # fmt: skip

FIGURES = (
    Figure("speed-up", "Speed-up of every combination", "times the baseline", lambda m: {
        name: m.ratios(CYCLES, BASE, name) for name in MACHINES if name != BASE
    }),
    Figure("energy", "Energy of every combination", "of the baseline's", lambda m: {
        name: m.ratios(ENERGY, name, BASE) for name in MACHINES if name != BASE
    }),
    Figure("means", "Speed-up of every combination, and the product of its parts", "times the baseline", lambda m: {
        label: {"mean": value}
        for name in MACHINES if " + " in name
        for label, value in (
            (name, speedup(m, name)),
            (f"product of {name}", speedup(m, name) / together(*name.split(" + "))(m)),
        )
    }, means=True),
)  # fmt: skip

STUDY = Study(
    name="combined",
    title="Parallel Tile Rendering, Rendering Elimination and visibility techniques together",
    source=(
        "of our own; the machine is that of Tomás, Master's thesis, UPC 2022, with a Compute CRC unit as wide as its "
        "four Vertex Processors ask for: 32 bytes per cycle"
    ),
    workloads=TWINS,
    applications=("scene:courtyard", "scene:runner"),
    screen=None,
    frames=Frames((), MOMENTS, before=2),
    slow=("003-forest2",),
    quick_frames=Frames((), MOMENTS[::4], before=2),
    experiments=(Experiment(MACHINES),),
    figures=FIGURES,
    conclusions=CONCLUSIONS,
    level="all",
    groups=frozenset({"pass_images"}),
    check_images=True,
)
