"""Sensitivity: what hangs on the constants that no paper gives.

Every such field of `ptr-2022` takes the other values that are plausible, one at a time; then those with the largest
effect in pairs. Five twins and two frames: this study has some hundreds of machines.
"""

from __future__ import annotations

from functools import cache

from tilegpu.timing.config import load_configuration
from tilegpu.timing.config.open_choices import OpenChoice, open_choices

from ..declare import Experiment, Figure, Frames, Machine, Study
from ..measured import Measured
from ..variants import pairs_of
from .ptr_2022.measures import BASE, CYCLES, DOUBLED, ENERGY, MACHINES, PTR, RASTER

TWINS = ("000-ccs", "000-bbr", "000-rok", "000-gra", "000-crs")
"""The typical one of Fig. 6.5, and those that section 5.2 tells apart: most misses, or least work per tile."""
COMPARED = (BASE, PTR, DOUBLED)
MAX_PAIRED = 6
"""Values that are paired: those with the largest effect."""


@cache
def choices() -> tuple[OpenChoice, ...]:
    """Fields that no paper gives."""
    return tuple(open_choices(load_configuration("ptr-2022")))


def variants() -> dict[str, tuple[str, ...]]:
    """Settings by the name of the variant, each field alone."""
    return {f"@{c.name}={other}": (f"{c.name}={other}",) for c in choices() for other in c.others}


def _machines(variants: dict[str, tuple[str, ...]]) -> dict[str, Machine]:
    return {
        name + variant: Machine(MACHINES[name].preset, (*MACHINES[name].settings, *settings))
        for variant, settings in variants.items()
        for name in COMPARED
    }


def pairs(m: Measured) -> dict[str, tuple[str, ...]]:
    """Pairs of the values that change the baseline's cycles or energy most by themselves."""

    def effect(name: str) -> float:
        changed = m.under(name)
        ratios = (changed.value(n, BASE, s) / m.value(n, BASE, s) for n in m.workloads for s in (CYCLES, ENERGY))
        return max(abs(ratio - 1) for ratio in ratios)

    return pairs_of(variants(), sorted(variants(), key=lambda name: (-effect(name), name))[:MAX_PAIRED])


def _follow_up(m: Measured) -> tuple[Experiment, ...]:
    return (Experiment(_machines(pairs(m)), TWINS, QUICK, with_applications=False),)


def _ratios(m: Measured, statistic: str, machine: str) -> dict[str, dict[str, float]]:
    ratios = {}
    for variant in _run(m):
        changed, usual = m.under(variant), m
        ratios[variant[1:]] = {
            n: changed.value(n, machine, statistic) / usual.value(n, machine, statistic) for n in m.workloads
        }
    return ratios


def _run(m: Measured) -> list[str]:
    """Variants that were run: each field alone, then those that `_follow_up` added."""
    return [name.removeprefix(BASE) for name in m.selection.study.machines() if name.startswith(f"{BASE}@")]


def _speedups(m: Measured) -> dict[str, dict[str, float]]:
    return {"as it is": m.ratios(RASTER, BASE, PTR)} | {
        variant[1:]: m.under(variant).ratios(RASTER, BASE, PTR) for variant in _run(m)
    }


QUICK = ("000-ccs", "000-rok")
STUDY = Study(
    name="sensitivity",
    title="What hangs on the constants that no paper gives",
    source="machines of the study ptr-2022",
    workloads=TWINS,
    applications=(),
    screen=None,
    frames=Frames((), (5, 45), before=1),
    quick_frames=Frames((), (20, 40), before=1),
    draws=0,
    experiments=(
        Experiment({name: MACHINES[name] for name in COMPARED}, TWINS, QUICK),
        Experiment(_machines(variants()), TWINS, QUICK),
    ),
    figures=(
        Figure("cycles", "Cycles of the baseline", "of those as it is", lambda m: _ratios(m, CYCLES, BASE), means=True),
        Figure("energy", "Energy of the baseline", "of that as it is", lambda m: _ratios(m, ENERGY, BASE), means=True),
        Figure("speedup", "Two Raster Units: speed-up of the raster stage", "x", _speedups, means=True),
    ),
    conclusions=(),
    follow_up=_follow_up,
)
