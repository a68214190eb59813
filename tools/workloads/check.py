"""Whether a twin is what its file says: columns beside their targets, and whether it is a game and no toy."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tilegpu.timing.results.workload_columns import COLUMNS

from .budget import LARGEST_TENTH, share_of_largest_tenth
from .measure import MOMENTS, SINGLE_TILE_SHARE, TwinMeasurement, measure
from .texels import NEAR_REUSE, TEXEL_TRAFFIC
from .twin import Twin, TwinError

OF_FRAMES = 60
SAMPLES = ((3.0, 22.0, 41.0, 57.0),)
"""Frames that are looked at, of 60; as far into a loop that has another number of them."""
RUNS = tuple((moment - 2.0, moment - 1.0, float(moment)) for moment in MOMENTS)
"""Frames in a row, where tiles are compared."""
PRODUCT, PRODUCT_LIMIT = "fragments_per_frame", 0.05
"""Draws x primitives per draw x fragments per primitive."""
SOLID = {"programs": 6, "textures": 12, "objects": 20}
FLAT = {"programs": 4, "textures": 8, "objects": 15}
VARIATION = 0.5, 1.5
NEAR = 0.7, 0.95
"""Share of the reads of texels that find their block among those read last: in the captured games 0.76 and 0.91."""
HALF = 0.5
assert LARGEST_TENTH > HALF


@dataclass(frozen=True)
class Line:
    """A column of a twin: target, measured, deviation as a share of the target; whether that is enough, and if not why
    it may be."""

    column: str
    target: float
    measured: float
    deviation: float
    ok: bool
    excuse: str = ""


@dataclass(frozen=True)
class Report:
    """Findings of a check."""

    twin: Twin
    lines: list[Line]

    @property
    def ok(self) -> bool:
        """Whether every column that does not give way is met."""
        return all(line.ok or line.excuse for line in self.lines)

    def json(self) -> dict[str, Any]:
        """As `tilegpu workloads check --json` prints it."""
        columns = {}
        for line in self.lines:
            columns[line.column] = {"target": line.target, "measured": line.measured, "deviation": line.deviation}
            if line.excuse:
                columns[line.column]["gives_way"] = line.excuse  # type: ignore[assignment]
        return {"columns": columns, "ok": self.ok}


def compares_tiles(twin: Twin) -> bool:
    """Whether frames in a row are needed."""
    return any(name.startswith("equal_") for name in (*twin.targets, *twin.at_least, *twin.at_most))


def check(twin: Twin, jobs: int = 1) -> Report:
    """Measure a twin on frames spread over the 60, and compare.

    Raises
    ------
    TwinError
        If the twin asks for a column that there is none of.
    """
    columns = {SINGLE_TILE_SHARE, TEXEL_TRAFFIC, *(column.name for column in COLUMNS)}
    for name in (*twin.targets, *twin.at_least, *twin.at_most):
        if name not in columns:
            raise TwinError(f"{twin.path or twin.name}: targets.{name}: no column of `tilegpu stats`")
    paired = compares_tiles(twin)
    spread = [[time * twin.frames / OF_FRAMES for time in times] for times in SAMPLES]
    return judged(twin, measure(twin, RUNS if paired else spread, jobs, pictures=paired))


def judged(twin: Twin, measured: TwinMeasurement) -> Report:
    """A measurement beside the targets."""
    columns = measured.columns()
    lines = [_line(twin, name, target, columns[name], twin.limit) for name, target in twin.targets.items()]
    lines += _product(twin, columns)
    for name, bound in twin.at_least.items():
        lines.append(_bound(twin, name, bound, columns[name], columns[name] >= bound))
    for name, bound in twin.at_most.items():
        lines.append(_bound(twin, name, bound, columns[name], columns[name] <= bound))
    # A model is what it is; nobody takes it for a game.
    return Report(twin, lines if twin.is_model else [*lines, *_traits(twin, measured)])


def _line(twin: Twin, name: str, target: float, value: float, limit: float) -> Line:
    deviation = value / target - 1 if target else float(value != target)
    return Line(name, target, value, deviation, abs(deviation) <= limit, twin.gives_way.get(name, ""))


def _bound(twin: Twin, name: str, bound: float, value: float, ok: bool) -> Line:
    return Line(
        name, bound, value, 0.0 if ok else value / bound - 1 if bound else 1.0, ok, twin.gives_way.get(name, "")
    )


def _product(twin: Twin, columns: dict[str, float]) -> Iterator[Line]:
    targets = twin.targets
    each = targets.get("fragments_per_assembled_primitive")
    primitives = targets.get("input_primitives_per_frame") or (
        targets.get("draw_calls_per_frame", 0.0) * targets.get("primitives_per_draw", 0.0)
    )
    if each and primitives:
        value = columns["input_primitives_per_frame"] * columns["fragments_per_assembled_primitive"]
        yield _line(twin, PRODUCT, primitives * each, value, PRODUCT_LIMIT)


def _traits(twin: Twin, measured: TwinMeasurement) -> Iterator[Line]:
    """No toy: programs, textures, objects, draws of different sizes, tiles of different work."""
    numbers = {"programs": measured.programs, "textures": measured.textures, "objects": len(measured.contents.things)}
    for name, least in (FLAT if twin.flat else SOLID).items():
        yield _bound(twin, name, least, numbers[name], numbers[name] >= least)
    largest = share_of_largest_tenth(measured.contents.primitives)
    yield _bound(twin, "primitives_in_largest_tenth", HALF, largest, largest >= HALF)
    yield _within(twin, "variation_of_work_per_tile", VARIATION, measured.variation)
    yield _within(twin, NEAR_REUSE, NEAR, measured.of_machine[NEAR_REUSE])


def _within(twin: Twin, name: str, ends: tuple[float, float], value: float) -> Line:
    low, high = ends
    return _bound(twin, name, low if value < low else high, value, low <= value <= high)
