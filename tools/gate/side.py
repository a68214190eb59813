"""One of the two results that a gate compares."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from tilegpu.functional.errors import nearest
from tilegpu.timing.engine.work import MAX_DRAWS
from tilegpu.timing.results.draws import DRAWS, IDENTITY, OTHER

from ..report.runs import Run, read_runs, read_table
from .limits import GateError
from .reasons import AMOUNTS

Row = dict[str, Any]
ENERGY = "energy"
"""Name of the total energy; with a dot and a unit behind it, that of the unit."""
TOLD = 4
"""Differences that a message names."""


@dataclass(frozen=True)
class Side:
    """Results of one replay.

    Parameters
    ----------
    run
        As a report reads it.
    figures
        Statistics over all counted frames, and energies, by name: value and unit.
    """

    run: Run
    figures: dict[str, tuple[float, str]]

    @property
    def folder(self) -> Path:
        """Folder of the results."""
        return self.run.folder

    @property
    def has_draws(self) -> bool:
        """Whether costs were counted by draw."""
        return (self.folder / f"{DRAWS}.parquet").is_file()

    def figure(self, option: str, name: str) -> tuple[float, str]:
        """Value and unit of a figure.

        Raises
        ------
        GateError
            There is none of that name, or it has no value.
        """
        if name not in self.figures:
            raise GateError(f"{option} {name}: {self.folder} has no such figure{nearest(name, self.figures)}")
        value, unit = self.figures[name]
        if not math.isfinite(value):
            raise GateError(f"{option} {name}: has no value in {self.folder}")
        return value, unit

    def draws(self, costs: Sequence[str]) -> list[Row]:
        """Draws and dispatches of all frames, in order: identity, amounts and costs.

        Raises
        ------
        GateError
            A cost is no column of them, or the table is not as a replay writes it.
        """
        names = {*IDENTITY.names, *self.run.stats.statistics}
        for name in costs:
            if name not in names:
                raise GateError(f"--max-draw {name}: draws have no such cost{nearest(name, names)}")
        wanted = {name for amount in AMOUNTS for name in amount.statistics if name in names} | {*costs}
        own = ((name, pa.float64()) for name in sorted(wanted - {*IDENTITY.names}))
        rows = read_table(self.folder, DRAWS, pa.schema([*IDENTITY, *own])).to_pylist()
        # What was done for a frame ahead of it is a part of that frame's draw.
        works: dict[tuple[int, int], Row] = {}
        for row in rows:
            if row["kind"] == OTHER:
                continue
            if None in (row["drawn_frame"], row["draw"], row["call"], row["cycles"]):
                raise GateError(f"{self.folder}: a row of a draw in {DRAWS}.parquet lacks its number; replay again")
            first = works.setdefault((row["drawn_frame"], row["draw"]), row)
            if first is not row:
                for name in {"cycles", "dynamic_pj", *wanted}:
                    first[name] = (first[name] or 0) + (row[name] or 0)
        counts = Counter(frame for frame, _ in works)
        if counts and max(counts.values()) > MAX_DRAWS:
            raise GateError(f"{self.folder}: a frame has more draws than {MAX_DRAWS:,}, which no replay counts")
        return [works[key] for key in sorted(works)]

    def others(self) -> dict[tuple[int, str], float]:
        """Cycles of what belongs to no draw, by frame and name."""
        rows = read_table(self.folder, DRAWS, IDENTITY).to_pylist()
        return {(row["frame"], row["name"]): row["cycles"] or 0.0 for row in rows if row["kind"] == OTHER}


def read_side(folder: Path) -> Side:
    """Results of a folder of one run.

    Raises
    ------
    GateError, ReportError, ResultsError
        It holds none, or several.
    """
    runs = read_runs([folder])
    if len(runs) != 1:
        raise GateError(f"{folder}: holds {len(runs)} runs; name the folder of one")
    run = runs[0]
    figures = {name: (run.stats.totals[name], stat.unit) for name, stat in run.stats.statistics.items()}
    energy = run.figures.get("energy", {})
    energies = {ENERGY: energy.get("total_pj"), f"{ENERGY}.dram": energy.get("memory_pj")}
    energies |= {f"{ENERGY}.{unit}": value for unit, value in (energy.get("units_pj") or {}).items()}
    return Side(run, figures | {name: (float(v), "pJ") for name, v in energies.items() if isinstance(v, int | float)})


def differences(before: Side, after: Side) -> list[str]:
    """Settings in which results differ, so that what they cost is not for the change alone."""
    versions = [side.run.figures["stats"].get("tool_version", "unknown") for side in (before, after)]
    pairs = [("version of tilegpu", *versions), ("frames", _frames(before), _frames(after))]
    pairs += [("warm-up frames", *(str(side.run.stats.warm_up_frames) for side in (before, after)))]
    one, other = before.run.configuration, after.run.configuration
    pairs += [(name, one.get(name, "none"), other.get(name, "none")) for name in sorted({*one, *other})]
    return [f"{name} {was} and {now}" for name, was, now in pairs if was != now]


def check_same(differences: Sequence[str]) -> None:
    """GateError that names differences of settings, if there are any."""
    if differences:
        more = f" and {len(differences) - TOLD} more" if len(differences) > TOLD else ""
        raise GateError(
            f"the results are of different settings: {', '.join(differences[:TOLD])}{more}; replay both alike, or pass "
            "--allow-different"
        )


def _frames(side: Side) -> str:
    numbers = side.run.frames
    return " ".join(map(str, numbers)) if len(numbers) < 9 else f"{numbers[0]} to {numbers[-1]} ({len(numbers)})"
