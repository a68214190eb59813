"""Cycles of a frame by single unit and cause: the rows behind the sums of the statistics."""

from __future__ import annotations

import pyarrow as pa

from ..engine.chip import Chip

SCHEMA = pa.schema(
    [
        ("frame", pa.int32()),
        ("unit", pa.string()),
        ("raster_unit", pa.int32()),
        ("index", pa.int32()),
        ("cause", pa.string()),
        ("cycles", pa.int64()),
    ]
)
"""`raster_unit` is -1 for units that exist once; `index` is the processor's number."""

Key = tuple[str, int, int, str]
Cycles = dict[Key, int]


def spent_cycles(chip: Chip) -> Cycles:
    """Cycles by unit and cause so far; the machine has been settled."""
    spent: Cycles = {}
    for unit, place, owner in chip.accounted:
        name = unit.label(owner) if unit.label is not None else unit.name
        r, index = (*place, 0)[:2] if unit.scope else (-1, (*place, 0)[0])
        if unit.name == "texture_unit":
            r, index = int(owner.raster_unit), int(owner.processor)
        for cause, cycles in zip(unit.causes, owner.spent, strict=True):
            spent[name, r, index, cause] = int(cycles)
    return spent


def since(before: Cycles, after: Cycles) -> Cycles:
    """Cycles spent in between."""
    return {key: after[key] - before[key] for key in after}


def table(frames: list[int], cycles: list[Cycles]) -> pa.Table:
    """One row per frame, unit and cause."""
    rows = [
        {"frame": number, "unit": unit, "raster_unit": r, "index": i, "cause": cause, "cycles": value}
        for number, counted in zip(frames, cycles, strict=True)
        for (unit, r, i, cause), value in counted.items()
    ]
    return pa.Table.from_pylist(rows, SCHEMA)
