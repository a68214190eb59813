"""Values of a twin that are set from a paper, and their places in it; studies list them apart from conclusions."""

from __future__ import annotations

from dataclasses import dataclass

from .twin import Twin, TwinError


@dataclass(frozen=True)
class Calibrated:
    """A value that is set from a paper.

    Attributes
    ----------
    twin, name
        The twin, and the column or field: `motion.` and `solved.` come before fields of these tables.
    value
        What it is set to.
    place
        Where the paper says so.
    """

    twin: str
    name: str
    value: float | str
    place: str


def calibrated(twin: Twin) -> list[Calibrated]:
    """Values set from papers: the columns of the tables that the twin's source names, then `calibrated_on`."""
    columns = twin.targets | twin.at_least | twin.at_most
    places = dict.fromkeys(columns, twin.source) | twin.calibrated_on
    return [Calibrated(twin.name, name, value_of(twin, name), place) for name, place in places.items()]


def value_of(twin: Twin, name: str) -> float | str:
    """A column's target or bound, or the value of a field such as `width` or `motion.plain`.

    Raises
    ------
    TwinError
        If the twin has neither.
    """
    columns = twin.targets | twin.at_least | twin.at_most
    if name in columns:
        return columns[name]
    value: object = twin
    for part in name.split("."):
        value = getattr(value, part, None)
    if isinstance(value, tuple):
        return ", ".join(value)
    if not isinstance(value, int | float | str):
        raise TwinError(f"calibrated_on.{name}: it is neither a column of the targets nor a field")
    return value
