"""Sizes and latencies that Emerald's paper leaves out, and the conclusions that depend on them.

Every such field of `emerald-case2` takes the other values that are plausible, one at a time, with work tiles of 1, 5
and 10 TC tiles; then those that change the time of fragment shading most in pairs, for fields act together: misses
under way hardly matter as long as each TC tile has lines of its own. What is asked: how much fragment shading takes,
and by how much the slowest of the sizes is slower than the fastest.
"""

from __future__ import annotations

from functools import cache

from tilegpu.timing.config import load_configuration
from tilegpu.timing.config.open_choices import open_choices

from ..declare import Experiment, Figure, Frames, Machine, Study
from ..measured import Measured
from ..variants import Variants, pairs_of
from .emerald_2019_dfsl.measures import BLOB, CHURCH, TIME, TRANSLUCENT, static

PRESET = "emerald-case2"
MODELS = (CHURCH, BLOB, TRANSLUCENT)
"""Those of which the paper tells most: time and misses, the largest best size, the smallest."""
SIZES = (1, 5, 10)

SIZES_LEFT_OUT: dict[str, tuple[int | str, ...]] = {
    "vertex_cache.size_bytes": (4096, 65536),
    "instruction_cache.size_bytes": (4096, 65536),
    "texture_cache.latency": (1, 20),
    "depth_cache.latency": (1, 20),
    "color_cache.latency": (1, 20),
    "l2_cache.latency": (10, 100),
    "raster.hi_z": ("off",),
    "memory.texture_layout": ("tiled", "morton"),
}
"""Fields of caches that the preset sets and Table 7 does not give; whether there is a Hi-Z, whose size it does not
give: here it has an entry for each raster tile; and where surfaces lie."""


MAX_PAIRED = 6
"""Values that are paired: those with the largest effect."""


@cache
def variants() -> dict[str, tuple[str, ...]]:
    """Settings by the name of the variant, each field alone."""
    machine = load_configuration(PRESET)
    others = {c.name: c.others for c in open_choices(machine) if not c.name.startswith("energy.")} | SIZES_LEFT_OUT
    return {f"@{name}={value}": (f"{name}={value}",) for name, values in others.items() for value in values}


def _machine(size: int, *settings: str) -> Machine:
    return Machine(PRESET, (f"tile_coalescing.work_tile={size}", *settings))


def _times(m: Measured, workload: str, variant: str) -> dict[int, float]:
    return {size: m.under(variant).value(workload, static(size), TIME) for size in SIZES}


def _spread(m: Measured, workload: str, variant: str) -> float:
    """By how much the slowest of the sizes is slower than the fastest."""
    times = _times(m, workload, variant).values()
    return max(times) / min(times) - 1


def paired(m: Measured) -> dict[str, tuple[str, ...]]:
    """The values with the largest effect on fragment shading, two together."""
    usual = {n: _times(m, n, "") for n in m.workloads}

    def effect(name: str) -> float:
        changed = {n: _times(m, n, name) for n in m.workloads}
        return max(abs(changed[n][size] / usual[n][size] - 1) for n in m.workloads for size in SIZES)

    chosen = sorted(variants(), key=lambda name: (-effect(name), name))[:MAX_PAIRED]
    return pairs_of(variants(), chosen)


def _follow_up(m: Measured) -> tuple[Experiment, ...]:
    return (Experiment(_machines(paired(m))),)


def _machines(variants: Variants) -> dict[str, Machine]:
    return {static(size) + name: _machine(size, *settings) for name, settings in variants.items() for size in SIZES}


def _pairs_run(m: Measured) -> list[str]:
    """Pairs that `_follow_up` added."""
    first = static(SIZES[0])
    names = (name.removeprefix(first) for name in m.selection.study.machines() if name.startswith(f"{first}@"))
    return [name for name in names if "," in name]


def _relative(m: Measured, size: int) -> dict[str, dict[str, float]]:
    usual = {n: _times(m, n, "")[size] for n in m.workloads}
    names = (*variants(), *_pairs_run(m))
    return {name[1:]: {n: _times(m, n, name)[size] / usual[n] for n in m.workloads} for name in names}


def _spreads(m: Measured) -> dict[str, dict[str, float]]:
    names = ("", *variants(), *_pairs_run(m))
    return {name[1:] or "as it is": {n: 100 * _spread(m, n, name) for n in m.workloads} for name in names}


STUDY = Study(
    name="emerald-2019-sizes",
    title="What hangs on the sizes that Emerald leaves out",
    source="the study emerald-2019-dfsl",
    workloads=MODELS,
    applications=(),
    screen=None,
    frames=Frames((99,), (100,)),
    quick_frames=Frames((), (100,)),
    draws=0,
    experiments=(
        Experiment({static(size): _machine(size) for size in SIZES}),
        Experiment(_machines(variants())),
    ),
    figures=(
        Figure("time", "Fragment shading, WT 1", "of that as it is", lambda m: _relative(m, SIZES[0]), means=True),
        Figure("time-10", "Fragment shading, WT 10", "of that as it is", lambda m: _relative(m, SIZES[-1]), means=True),
        Figure("spread", "Slowest of WT 1, 5 and 10 over the fastest", "% slower", _spreads, means=True),
    ),
    conclusions=(),
    follow_up=_follow_up,
)  # fmt: skip
