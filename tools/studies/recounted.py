"""Energy counted anew with other settings of `[energy]`, which change no run."""

from __future__ import annotations

from tilegpu.timing.results.energy.report import Report, report

from .declare import Machine
from .measured import Measured
from .selection import configuration_of


def recounted(m: Measured, workload: str, machine: str, *settings: str) -> Report:
    """Energy of a run.

    Parameters
    ----------
    m
        What was measured.
    workload, machine
        The run.
    settings
        Of `[energy]`, on top of the machine's.
    """
    declared = m.selection.study.machines()[machine + m.variant]
    configuration = configuration_of(Machine(declared.preset, (*declared.settings, *settings)))
    return report(configuration, m.totals(workload, machine))


def change_percent(m: Measured, machine: str, base: str, *settings: str) -> dict[str, float]:
    """By how much the energy of one machine differs from that of another, by workload."""
    changes = {}
    for n in m.workloads:
        after, before = (recounted(m, n, name, *settings).total_pj for name in (machine, base))
        changes[n] = 100 * (after / before - 1)
    return changes
