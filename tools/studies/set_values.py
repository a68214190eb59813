"""Values of a study's twins that are set from its paper: a table on the study's page, beside its conclusions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..workloads.calibration import Calibrated, calibrated
from ..workloads.twin_files import find_twin

HEAD = """## Set from the paper

Properties of the workloads that papers publish are set, and are no conclusions; the limit of each, and what gives way,
is on the page of [workloads](../workloads.md).
"""


def set_table(workloads: Sequence[str]) -> Iterator[str]:
    """Lines of the table; none where nothing is set.

    Parameters
    ----------
    workloads
        Names of twins.
    """
    rows: dict[tuple[str, str], list[Calibrated]] = {}
    for name in workloads:
        for value in calibrated(find_twin(name)):
            rows.setdefault((value.name, value.place), []).append(value)
    if not rows:
        return
    together: dict[tuple[str, tuple[str, ...]], list[list[Calibrated]]] = {}
    for (_, place), values in rows.items():
        together.setdefault((place, tuple(value.twin for value in values)), []).append(values)
    yield HEAD
    yield "| what | value | twins | where the paper says so |"
    yield "| --- | --- | --- | --- |"
    for (place, twins), values_together in together.items():
        names = ", ".join(f"`{values[0].name}`" for values in values_together)
        listed = "all" if len(twins) == len(workloads) else ", ".join(twins)
        every = _told([value for values in values_together for value in values])
        yield f"| {names} | {every} | {listed} | {place} |"
    yield ""


def _told(values: list[Calibrated]) -> str:
    """A value that all have."""
    distinct = {value.value for value in values}
    value = distinct.pop()
    if distinct:
        return "as there"
    return f"{value:g}" if isinstance(value, float | int) else str(value)
