"""The answer as JSON."""

from __future__ import annotations

from typing import Any

from ..draw_reasons import reasons_of
from ..what_if.measure import Cost
from .answer import Answer
from .trials import Trial
from .words import because, headline

INFINITE = None
"""In the place of the PSNR of equal pictures."""


def document(answer: Answer) -> dict[str, Any]:
    """Everything that the page shows, in values that JSON can hold."""
    chosen = answer.chosen
    return {
        "source": answer.source,
        "frame": chosen.number,
        "among": {str(number): cycles for number, cycles in chosen.among.items()},
        "machines": [machine.name for machine in answer.machines],
        "cost": [_cost(cost) for cost in answer.base.costs],
        "headline": headline(answer),
        "draws": [_draw(answer, row["draw"]) for row in answer.dear],
        "changes": [_change(trial) for trial in answer.trials if not trial.refused],
        "refused": [_identity(trial) | {"reason": trial.refused} for trial in answer.trials if trial.refused],
        "untried": answer.untried,
    }


def _cost(cost: Cost) -> dict[str, float]:
    return {"cycles": cost.cycles, "energy_pj": cost.energy_pj, "dram_bytes": cost.dram_bytes}


def _draw(answer: Answer, draw: int) -> dict[str, Any]:
    machines = []
    label = None
    for number, configuration in enumerate(answer.machines):
        row = answer.row(number, draw)
        if row is None:
            continue
        label = row["label"]
        sentence = because(row, answer.base.costs[number].cycles) if row["cycles"] else ""
        machines.append(
            {"machine": configuration.name, "cycles": row["cycles"], "share": row["share"]}
            | {"reasons": dict(reasons_of(row)), "because": sentence}
        )
    return {"draw": draw, "label": label, "machines": machines}


def _identity(trial: Trial) -> dict[str, Any]:
    return {"change": trial.change.name, "draw": trial.draw}


def _change(trial: Trial) -> dict[str, Any]:
    loss = trial.loss
    assert loss is not None
    lost = {"psnr_db": loss.psnr_db if loss.pixels else INFINITE, "pixels": loss.pixels, "mse": loss.mse}
    lost |= {"measured": trial.change.pictured, "over_tolerance_percent": loss.over_tolerance_percent}
    return _identity(trial) | {
        "saved": [_cost(cost) for cost in trial.saved],
        "loss": lost,
        "may_change": trial.change.may_change,
        "caution": trial.change.caution,
        "capture": trial.capture,
    }
