"""Results under the public names of Arm's counters, as Streamline has them: a row per frame, a column per counter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.csv

from tilegpu.functional.activity.arrow_files import written
from tilegpu.functional.activity.output import whole_file
from tilegpu.functional.errors import UserError

from .arm import ARM_NAMES

NAMINGS = ("arm",)
"""Public names that there are."""
FILE = "counters_{}.csv"


def check_naming(name: str) -> None:
    """UserError if there are no such names."""
    if name not in NAMINGS:
        raise UserError(f"--counters {name}: choose {' or '.join(NAMINGS)}")


def counter_table(frames: Sequence[Mapping[str, float]]) -> pa.Table:
    """Frame numbers, and each counter that has a public name: the sum of the statistics of that name, per frame.

    Parameters
    ----------
    frames
        Number, as `frame`, and statistics of each frame.
    """
    rows = []
    for values in frames:
        row = {"frame": values["frame"]}
        for statistic, counter in ARM_NAMES.items():
            if statistic in values:
                row[counter] = row.get(counter, 0.0) + values[statistic]
        rows.append({name: int(value) if float(value).is_integer() else value for name, value in row.items()})
    return pa.Table.from_pylist(rows)


def write_counters(frames: Sequence[Mapping[str, float]], naming: str, folder: Path) -> None:
    """Write the table as CSV into a folder of results."""
    with whole_file(folder / FILE.format(naming)) as partial, written(partial) as file:
        pyarrow.csv.write_csv(counter_table(frames), file, pyarrow.csv.WriteOptions(quoting_style="none"))
