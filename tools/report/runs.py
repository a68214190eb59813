"""Content of a report about each run: the files that `tilegpu replay` wrote, checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from tilegpu.functional.activity.arrow_files import arrow_input
from tilegpu.functional.errors import UserError
from tilegpu.timing.results import tiles, units
from tilegpu.timing.results.plots import MAX_FILE_BYTES, PlotError, read_results
from tilegpu.timing.results.results import ENERGY_SCHEMA, check_whole
from tilegpu.timing.runs.folders import several_folders

MAX_RUNS = 32
NEEDED = "gpu.cycles", "gpu.geometry_cycles", "gpu.raster_cycles"
"""Statistics that every machine has, and a page stands on."""


class ReportError(UserError):
    """Results that make no report."""


class Statistic(BaseModel):
    """Declaration of a statistic in stats.json."""

    unit: str
    description: str
    formula: str = ""
    arm_name: str = ""


class Clocks(BaseModel):
    """Of the configuration."""

    gpu_mhz: int = Field(ge=1)
    gpu_divisor: int = Field(ge=1)


class Hardware(BaseModel):
    """Fields of a configuration that a report itself reads."""

    model_config = ConfigDict(extra="allow")

    name: str
    clocks: Clocks


class Stats(BaseModel):
    """Content of stats.json."""

    source: dict[str, str]
    warm_up_frames: int
    configuration: Hardware
    statistics: dict[str, Statistic]
    totals: dict[str, float]
    frames: list[dict[str, float]]


@dataclass(frozen=True)
class Run:
    """Results of one replay.

    Parameters
    ----------
    name
        Told apart from the other runs of the page.
    folder
        Where they lie.
    stats
        stats.json.
    figures
        stats.json and energy.json as `timing.results.plots` takes them.
    units, tiles, energy
        Tables.
    """

    name: str
    folder: Path
    stats: Stats
    figures: dict[str, Any]
    units: pa.Table
    tiles: pa.Table
    energy: pa.Table

    @property
    def frames(self) -> list[int]:
        """Numbers of the frames counted."""
        return [int(frame["frame"]) for frame in self.stats.frames]

    @property
    def configuration(self) -> dict[str, str]:
        """Fields of the configuration by their dotted names, as text."""
        return _flat(self.figures["stats"]["configuration"])

    @property
    def timeline(self) -> Path | None:
        """File of the timeline, where there is one."""
        paths = (self.folder / name for name in ("timeline.pftrace", "timeline.pftrace.gz"))
        return next((path for path in paths if path.is_file()), None)


def read_runs(folders: Sequence[Path], baseline: str = "") -> list[Run]:
    """Runs of folders of results, and of folders that hold several; the baseline first.

    Raises
    ------
    ReportError, ResultsError
        If one holds no results, or other than this version writes, or there are too many.
    """
    by_name = several_folders(folders, baseline)
    if len(by_name) > MAX_RUNS:
        raise ReportError(f"{len(by_name)} runs are more than the {MAX_RUNS} that fit a page; name the folders of some")
    return [_read(name, folder) for name, folder in by_name.items()]


def _read(name: str, folder: Path) -> Run:
    check_whole(folder)
    try:
        figures = read_results(folder)
        stats = Stats.model_validate(figures["stats"])
    except PlotError as error:
        raise ReportError(str(error)) from None
    except ValidationError as error:
        at = ".".join(map(str, error.errors()[0]["loc"]))
        raise ReportError(f"{folder / 'stats.json'}: {at} is not as this version writes it; replay again") from None
    _check_complete(folder / "stats.json", stats)
    tables = {"units": units.SCHEMA, "tiles": tiles.SCHEMA, "energy": ENERGY_SCHEMA}
    return Run(name, folder, stats, figures, **{part: read_table(folder, part, kind) for part, kind in tables.items()})


def _check_complete(path: Path, stats: Stats) -> None:
    """ReportError if a statistic that is declared has no value."""
    for number, frame in enumerate(stats.frames):
        if missing := {"frame", *stats.statistics} - set(frame):
            raise ReportError(f"{path}: frame {number} of the list lacks {min(missing)}; replay again")
    if missing := {*stats.statistics, *NEEDED} - set(stats.totals):
        raise ReportError(f"{path}: totals lack {min(missing)}; replay again")


def read_table(folder: Path, name: str, schema: pa.Schema) -> pa.Table:
    """A table of results.

    Raises
    ------
    ReportError
        If it cannot be read, or lacks a column.
    """
    path = folder / f"{name}.parquet"
    try:
        file = pq.ParquetFile(arrow_input(path))
        size = sum(file.metadata.row_group(group).total_byte_size for group in range(file.num_row_groups))
        if size > MAX_FILE_BYTES:
            raise ReportError(f"{path}: holds {size:,} bytes, more than a page can show")
        if not set(schema.names) <= set(file.schema_arrow.names):
            missing = next(column for column in schema.names if column not in file.schema_arrow.names)
            raise ReportError(f"{path}: has no column {missing}; replay again with this version (--force)")
        return file.read(schema.names).cast(schema)
    except (OSError, pa.ArrowException) as error:
        raise ReportError(f"{path}: not a readable table of results ({str(error).splitlines()[0]})") from None


def _flat(configuration: Mapping[str, Any], prefix: str = "") -> dict[str, str]:
    """Fields of a configuration by their dotted names, as text."""
    fields: dict[str, str] = {}
    for name, value in configuration.items():
        if isinstance(value, Mapping):
            fields |= _flat(value, f"{prefix}{name}.")
        else:
            fields[prefix + name] = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
    return fields
