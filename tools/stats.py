"""`tilegpu stats`: what a recorded workload is like, before any hardware."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from .console import print_table, progress, say, several
from .options import ByFrame, Frames, parse_frames, parse_size
from .outputs import Force, check_file, is_table_of

if TYPE_CHECKING:
    from tilegpu.timing.results.workload import Workload

MARK = b"tilegpu.stats"
"""Key of the schema's metadata."""


def stats(
    activity: Annotated[Path, typer.Argument(metavar="DIR", help="Folder that `tilegpu trace` wrote.")],
    tile: Annotated[
        str, typer.Option(metavar="WxH", help="Size of a tile in pixels, for the columns of tiles.")
    ] = "32x32",
    frames: Frames = "",
    by_frame: ByFrame = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="FILE", help="Write a row per frame as Parquet.")
    ] = None,
    force: Force = False,
) -> None:
    """Characterize a recorded activity in the columns of papers: geometry and fragment work per frame.

    The columns are those of the papers' tables, as each paper counts (docs/statistics.md says which uses which). They
    follow from the activity alone; only the columns of tiles depend on their size. Equal colours need pictures
    (`tilegpu trace --with pass_images`), equal tiles frames in a row.

    Example: tilegpu stats activity --tile 16x16
    """
    from tilegpu.functional.activity.arrow_files import write_parquet
    from tilegpu.functional.activity.output import whole_file
    from tilegpu.timing.results.workload import workload

    size = parse_size(tile)
    assert size is not None
    if output is not None:
        check_file(output, is_table_of(MARK), force)
    with progress("reading") as (bar, task):
        characteristics = workload(
            activity,
            size,
            lambda done, of: bar.update(task, completed=done / of, note=f"frame {done + 1} of {of}"),
            parse_frames(frames) if frames else None,
        )
    if output is not None:
        with whole_file(output) as partial:
            write_parquet(characteristics.table().replace_schema_metadata({MARK: b"1"}), partial, compression="zstd")
    if as_json:
        typer.echo(json.dumps(_json(characteristics), indent=1))
    else:
        _print(characteristics, by_frame)


def _json(characteristics: Workload) -> dict[str, object]:
    from tilegpu.timing.results.workload import COLUMNS

    def clean(values: dict[str, float]) -> dict[str, float | None]:
        return {name: None if math.isnan(value) else value for name, value in values.items()}

    return {
        "source": characteristics.name,
        "tile": list(characteristics.tile),
        "columns": {c.name: {"unit": c.unit, "description": c.description, "used_by": c.used_by} for c in COLUMNS},
        "all": clean(characteristics.columns()),
        "frames": [
            {"frame": f, "counts": c, "columns": clean(characteristics.columns(f))}
            for f, c in zip(characteristics.frames, characteristics.counts, strict=True)
        ],
    }


def _print(characteristics: Workload, by_frame: bool) -> None:
    from tilegpu.timing.results.workload import COLUMNS

    frames = several(len(characteristics.frames), "frame")
    say(
        f"[bold]{characteristics.name}[/bold]: {frames}, "
        f"tiles of {characteristics.tile[0]}x{characteristics.tile[1]} pixels"
    )
    table = Table("workload", "value", "unit", "as counted by", box=None)
    table.columns[1].justify = "right"
    values = characteristics.columns()
    for column in COLUMNS:
        table.add_row(column.name.replace("_", " "), _value(values[column.name]), column.unit, column.used_by)
    print_table(table)
    if by_frame:
        rows = [characteristics.columns(frame) for frame in characteristics.frames]
        each = Table("frame", *map(str, characteristics.frames), box=None)
        for column in COLUMNS:
            each.add_row(column.name.replace("_", " "), *(_value(row[column.name]) for row in rows))
        print_table(each)


def _value(value: float) -> str:
    return "-" if math.isnan(value) else f"{value:,.2f}"
