"""Frames with the pixels marked at which a replay with an RBCD unit found objects colliding."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from PIL import Image

from tilegpu.functional.activity.arrow_files import read_parquet
from tilegpu.functional.activity.errors import ActivityError
from tilegpu.functional.activity.reader import Activity
from tilegpu.timing.runs.table import read_results

TABLE = "collisions.parquet"
COLUMNS = ["frame", "label_a", "label_b", "x", "y", "overflow"]
PALETTE = ((230, 60, 50), (250, 190, 40), (60, 180, 75), (70, 150, 240), (190, 80, 210), (240, 130, 40), (70, 220, 220))
"""A colour for each pair, again from the first after the last."""
LOST = (255, 255, 255)
"""Of pixels whose lists had no room for all fragments."""
Pixels = np.ndarray[Any, Any]


def read_collisions(results: Path) -> tuple[list[int], pa.Table]:
    """The frames of a replay, and its table of collisions.

    Raises
    ------
    ActivityError, ResultsError
        If the folder holds none.
    """
    path = results / TABLE
    if not path.is_file():
        raise ActivityError(f"{results}: no {TABLE}; replay with a configuration such as rbcd-2018-rbcd")
    try:
        table = read_parquet(path, columns=COLUMNS)
    except (OSError, pa.ArrowException) as error:
        raise ActivityError(f"{path}: not a table of collisions ({str(error).splitlines()[0]})") from None
    return [int(row["frame"]) for row in read_results(results)["frames"]], table


def pixel_counts(table: pa.Table) -> Counter[tuple[int, str, str]]:
    """Pixels at which each pair collides, by frame and labels."""
    return Counter((row["frame"], row["label_a"], row["label_b"]) for row in _pixels(table))


def _pixels(table: pa.Table) -> list[dict[str, Any]]:
    """Rows of which each pair and pixel has one."""
    grouped = table.group_by(["frame", "label_a", "label_b", "x", "y"]).aggregate([("overflow", "max")])
    return list(grouped.sort_by([("frame", "ascending"), ("y", "ascending")]).to_pylist())


def marked(activity: Activity, table: pa.Table) -> Iterator[tuple[int, Image.Image]]:
    """Number and picture of each frame with collisions: darkened, or black where none was recorded; y from the top."""
    rows = _pixels(table)
    pairs = list(dict.fromkeys((row["label_a"], row["label_b"]) for row in rows))
    for number in sorted({row["frame"] for row in rows}):
        picture = _background(activity, number)
        height, width = picture.shape[:2]
        for row in rows:
            if row["frame"] == number and row["x"] < width and row["y"] < height:
                color = PALETTE[pairs.index((row["label_a"], row["label_b"])) % len(PALETTE)]
                picture[height - 1 - row["y"], row["x"]] = LOST if row["overflow_max"] else color
        yield number, Image.fromarray(picture)


def _background(activity: Activity, number: int) -> Pixels:
    if number not in activity.frames:
        raise ActivityError(f"{activity.folder} has no frame {number}: these results are of another activity")
    row = activity.frame("frames", number).to_pylist()[0]
    if row.get("image") is None:
        return np.zeros((row["height"], row["width"], 3), np.uint8)
    with Image.open(activity.folder / row["image"]) as image:
        return np.asarray(image.convert("RGB")) // 2
