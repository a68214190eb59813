"""What each single unit spent the cycles of a frame on: the rows behind the sums of the statistics."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pyarrow as pa

from ..engine.account import CAUSES
from ..engine.records import MAX_FRAGMENT_TEXTURE_UNITS

PROCESSOR_CAUSES = ("busy", "texel_stall", "code_stall", "result_stall", "empty", "output")
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


def _units(gpu: Any) -> Iterator[tuple[str, int, int, Any]]:
    once = "vertex_fetcher", "primitive_assembly", "polygon_list_builder", "tile_fetcher", "tile_flush"
    for name in once:
        yield name, -1, 0, getattr(gpu, name)
    for p in range(gpu.vertex_processors):
        yield "vertex_processor", -1, p, gpu.vertex_processor[p]
        yield "vertex_texture_unit", -1, p, gpu.texture_unit[MAX_FRAGMENT_TEXTURE_UNITS + p]
    for r in range(gpu.raster_units):
        unit = gpu.raster_unit[r]
        for name in ("rasterizer", "early_depth", "blending"):
            yield name, r, 0, getattr(unit, name)
        for i in range(gpu.fragment_processors):
            yield "fragment_processor", r, i, unit.processor[i]
            yield "texture_unit", r, i, gpu.texture_unit[unit.processor[i].texture_unit]


def spent_cycles(gpu: Any) -> Cycles:
    """Cycles by unit and cause, as they stand; the machine has been settled."""
    found: Cycles = {}
    for name, r, index, owner in _units(gpu):
        causes = PROCESSOR_CAUSES if name.endswith("_processor") else CAUSES
        for cause, cycles in zip(causes, owner.spent, strict=True):
            found[name, r, index, cause] = int(cycles)
    return found


def since(before: Cycles, after: Cycles) -> Cycles:
    """What was spent in between."""
    return {key: after[key] - before[key] for key in after}


def table(frames: list[int], cycles: list[Cycles]) -> pa.Table:
    """One row per frame, unit and cause."""
    rows = [
        {"frame": number, "unit": unit, "raster_unit": r, "index": i, "cause": cause, "cycles": value}
        for number, found in zip(frames, cycles, strict=True)
        for (unit, r, i, cause), value in found.items()
    ]
    return pa.Table.from_pylist(rows, SCHEMA)
