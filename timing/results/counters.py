"""Results under the public names of Arm's counters, as Streamline has them: a row per frame, a column per counter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa
import pyarrow.csv

from tilegpu.functional.activity.arrow_files import written
from tilegpu.functional.activity.output import whole_file
from tilegpu.functional.errors import UserError

from ..config.schema import Configuration
from .arm.names import ARM_NAMES
from .arm.values import amounts_of, frame_values

NAMINGS = ("arm",)
"""Public names that there are."""
FILE = "counters_{}.csv"


class CounterInputs(NamedTuple):
    """Results that counters are made of.

    Attributes
    ----------
    configuration
        Hardware.
    frames
        Number, as `frame`, and statistics of each frame.
    tiles
        Rows of `tiles.parquet`.
    """

    configuration: Configuration
    frames: Sequence[Mapping[str, float]]
    tiles: pa.Table


def check_naming(name: str) -> None:
    """UserError if there are no such names."""
    if name not in NAMINGS:
        raise UserError(f"--counters {name}: choose {' or '.join(NAMINGS)}")


def counter_table(counted: CounterInputs) -> pa.Table:
    """Frame numbers, and the counters of the GPU that the configuration names, or those that fit statistics best.

    A quotient is null where it divides by 0.
    """
    defined = amounts_of(counted.configuration)
    rows: list[dict[str, float | None]] = []
    for values in counted.frames:
        own = frame_values(counted.configuration, defined, values, counted.tiles) if defined else _best(values)
        row: dict[str, float | None] = {"frame": values["frame"]}
        rows.append(row | {name: _whole(value) for name, value in own.items()})
    names = list(rows[0]) if rows else ["frame"]
    return pa.table({name: [row[name] for row in rows] for name in names})


def _best(values: Mapping[str, float]) -> dict[str, float | None]:
    """Counters whose names fit statistics best: sums of those of one name."""
    sums: dict[str, float | None] = {}
    for statistic, counter in ARM_NAMES.items():
        if statistic in values:
            sums[counter] = (sums.get(counter) or 0.0) + values[statistic]
    return sums


def _whole(value: float | None) -> float | None:
    return int(value) if value is not None and float(value).is_integer() else value


def write_counters(counted: CounterInputs, naming: str, folder: Path) -> None:
    """Write the table as CSV into a folder of results."""
    with whole_file(folder / FILE.format(naming)) as partial, written(partial) as file:
        pyarrow.csv.write_csv(counter_table(counted), file, pyarrow.csv.WriteOptions(quoting_style="none"))
