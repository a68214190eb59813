"""Time and energy of the CPU for the same frames, and equations 5.1 and 5.2."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from tilegpu.collisions import Detection, Options, detect, load_cpu
from tilegpu.collisions.detection import FrameDetection

from ...measured import Measured
from .measures import BASE, CYCLES, ENERGY, GPU_HZ, ZEBS, geometric, pairs

BROAD, GJK = "AABBs", "GJK"
PRODUCT = "model_view_projection"
"""Uniform of the twins' programs; the projection is taken out of it."""
EACH_ONCE = "min-max"
"""Boxes from one look at each vertex."""
ANEW = "per-vertex"
"""An object's box anew with each vertex that is added, as Bullet's `addPoint` does by default."""


@cache
def _detection(folder: Path, uniform: str | None, boxes: str) -> Detection:
    return detect(folder, Options(world_matrix=uniform, cpu=load_cpu([f"bounding_box={boxes}"])))


def frames(m: Measured, workload: str, boxes: str = EACH_ONCE) -> tuple[FrameDetection, ...]:
    """The frames of a workload that count here, on the CPU; `boxes`: how it makes those around objects."""
    twin = m.workload(workload).twin
    uniform = None if twin is None or twin.api == "es1" else PRODUCT
    by_number = {frame.frame: frame for frame in _detection(m.activity(workload).folder, uniform, boxes).frames}
    return tuple(by_number[number] for number in m.counted_frame_numbers(workload))


def seconds(m: Measured, workload: str, which: str, boxes: str = EACH_ONCE) -> float:
    """Of the broad phase, or of both."""
    return sum(f.broad_seconds + (f.narrow_seconds if which == GJK else 0.0) for f in frames(m, workload, boxes))


def joules(m: Measured, workload: str, which: str, boxes: str = EACH_ONCE) -> float:
    """Of the broad phase, or of both."""
    return sum(f.broad_joules + (f.narrow_joules if which == GJK else 0.0) for f in frames(m, workload, boxes))


def extra_seconds(m: Measured, workload: str, machine: str, base: str = BASE) -> float:
    """Time that the GPU takes longer."""
    return (m.value(workload, machine, CYCLES) - m.value(workload, base, CYCLES)) / GPU_HZ


def speedups(m: Measured, which: str, machine: str, boxes: str = EACH_ONCE) -> dict[str, float]:
    """Equation 5.1, by workload; a cycle at least is what the GPU takes longer."""
    return {
        name: seconds(m, name, which, boxes) / max(extra_seconds(m, name, machine), 1 / GPU_HZ) for name in m.workloads
    }


def speedup(m: Measured, which: str, zebs: int, boxes: str = EACH_ONCE) -> float:
    return geometric(speedups(m, which, ZEBS[zebs], boxes).values())


def energy_percents(m: Measured, which: str, machine: str, boxes: str = EACH_ONCE) -> dict[str, float]:
    """Equation 5.2, by workload."""
    return {
        name: 1e-10 * (m.value(name, machine, ENERGY) - m.value(name, BASE, ENERGY)) / joules(m, name, which, boxes)
        for name in m.workloads
    }


def energy_percent(m: Measured, which: str, zebs: int, boxes: str = EACH_ONCE) -> float:
    return geometric(energy_percents(m, which, ZEBS[zebs], boxes).values())


def pair_counts(m: Measured) -> dict[str, float]:
    """Pairs that collide, in all frames of all games: by bounding boxes, by convex hulls, by pixels."""
    numbers = {BROAD: 0.0, GJK: 0.0, "RBCD": 0.0}
    for name in m.workloads:
        listed = [pair for frame in frames(m, name) for pair in frame.pairs]
        numbers[BROAD] += len(listed)
        numbers[GJK] += sum(bool(pair.narrow) for pair in listed)
        numbers["RBCD"] += len(pairs(m, name))
    return numbers
