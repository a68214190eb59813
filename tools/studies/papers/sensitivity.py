"""Sensitivity: what hangs on the constants that no paper gives.

Every such field of `ptr-2022` takes the other values that are plausible, one at a time; then those that change a
verdict in pairs. Five twins and two frames: this study has some hundreds of machines.
"""

from __future__ import annotations

from functools import cache

from tilegpu.timing.config import load_configuration
from tilegpu.timing.config.open_choices import OpenChoice, open_choices

from ..declare import Conclusion, Experiment, Figure, Frames, Machine, Study
from ..measured import Measured
from ..text import every_value
from ..variants import pairs_of
from .ptr_2022.conclusions import CONCLUSIONS
from .ptr_2022.measures import BASE, CYCLES, DOUBLED, ENERGY, MACHINES, PTR, RASTER

TWINS = ("000-ccs", "000-bbr", "000-rok", "000-gra", "000-crs")
"""The typical one of Fig. 6.5, and those that section 5.2 tells apart: most misses, or least work per tile."""
COMPARED = (BASE, PTR, DOUBLED)
JUDGED = (
    "raster-speedup", "no-game-twice-as-fast", "energy", "ahead-of-doubling", "raster-dominates", "bandwidth",
    "blocks-reused", "reused-by-the-next", "primitive-table",
)  # fmt: skip
"""Conclusions of `ptr-2022` that three machines and five twins decide."""
MAX_MOVERS = 6
"""Of the fields that change a verdict, so many are run in pairs: where a figure lies close to its rule's bound, nearly
all of them do."""


@cache
def choices() -> tuple[OpenChoice, ...]:
    """Fields that no paper gives."""
    return tuple(open_choices(load_configuration("ptr-2022")))


def variants() -> dict[str, tuple[str, ...]]:
    """Settings by the name of the variant, each field alone."""
    return {f"@{c.name}={other}": (f"{c.name}={other}",) for c in choices() for other in c.others}


def _machines(found: dict[str, tuple[str, ...]]) -> dict[str, Machine]:
    return {
        name + variant: Machine(MACHINES[name].preset, (*MACHINES[name].settings, *settings))
        for variant, settings in found.items()
        for name in COMPARED
    }


def _verdict(m: Measured, conclusion: Conclusion, variant: str) -> bool:
    return conclusion.holds(m.under(variant))


def _moved(m: Measured, conclusion: Conclusion) -> list[str]:
    """Variants that change the verdict."""
    usual = _verdict(m, conclusion, "")
    return [variant for variant in variants() if _verdict(m, conclusion, variant) != usual]


def _judged() -> list[Conclusion]:
    return [conclusion for conclusion in CONCLUSIONS if conclusion.id in JUDGED]


def movers(m: Measured) -> list[str]:
    """Variants that change a verdict by themselves, those first that change the baseline's cycles or energy most."""
    moved = {name for conclusion in _judged() for name in _moved(m, conclusion)}

    def effect(name: str) -> float:
        changed = m.under(name)
        return max(
            abs(changed.value(n, BASE, statistic) / m.value(n, BASE, statistic) - 1)
            for n in m.workloads
            for statistic in (CYCLES, ENERGY)
        )

    return sorted(moved, key=lambda name: (-effect(name), name))


def pairs(m: Measured) -> dict[str, tuple[str, ...]]:
    """Pairs of fields that change a verdict by themselves, at the values that do."""
    return pairs_of(variants(), movers(m)[:MAX_MOVERS])


def _follow_up(m: Measured) -> tuple[Experiment, ...]:
    found = pairs(m)
    return (Experiment(_machines(found), TWINS, QUICK, with_applications=False),) if found else ()


def _ratios(m: Measured, statistic: str, machine: str) -> dict[str, dict[str, float]]:
    found = {}
    for variant in _run(m):
        changed, usual = m.under(variant), m
        found[variant[1:]] = {
            n: changed.value(n, machine, statistic) / usual.value(n, machine, statistic) for n in m.workloads
        }
    return found


def _run(m: Measured) -> list[str]:
    """Variants that were run: each field alone, then those that `_follow_up` added."""
    return [name.removeprefix(BASE) for name in m.selection.study.machines() if name.startswith(f"{BASE}@")]


def _speedups(m: Measured) -> dict[str, dict[str, float]]:
    return {"as it is": m.ratios(RASTER, BASE, PTR)} | {
        variant[1:]: m.under(variant).ratios(RASTER, BASE, PTR) for variant in _run(m)
    }


def _told(conclusion: Conclusion, m: Measured) -> str:
    moved = _moved(m, conclusion)
    values = ", ".join(f"{variant[1:]}: {_short(conclusion, m, variant)}" for variant in moved)
    usual = f"as it is: {_short(conclusion, m, '')}"
    return f"{usual}; changed by {values}" if moved else f"{usual}; no field changes it"


def _short(conclusion: Conclusion, m: Measured, variant: str) -> str:
    return every_value(conclusion.ours(m.under(variant)))


def _hangs(conclusion: Conclusion) -> Conclusion:
    return Conclusion(
        conclusion.id,
        f"Whatever plausible value one field has, the verdict stays: {conclusion.text} ({conclusion.rule})",
        None,
        "values that change it",
        "<= 0",
        lambda m: float(len(_moved(m, conclusion))),
        lambda m: _told(conclusion, m),
    )


QUICK = ("000-ccs", "000-rok")
STUDY = Study(
    name="sensitivity",
    title="What hangs on the constants that no paper gives",
    source="the conclusions of the study ptr-2022",
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
    conclusions=tuple(_hangs(conclusion) for conclusion in _judged()),
    follow_up=_follow_up,
)
