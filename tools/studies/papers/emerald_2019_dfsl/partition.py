"""The screen's partition as a picture: which cluster shades what of a frame of W5, with work tiles of three sizes.

`python -m tilegpu.tools.studies.papers.emerald_2019_dfsl.partition docs/model/work_tiles.png` draws it anew. A cluster
has a colour; the more quads lie in a TC tile, the darker it is.
"""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from tilegpu.functional.activity.reader import Activity
from tilegpu.functional.record import record
from tilegpu.timing.assembly.build import build
from tilegpu.timing.assembly.variants import load_part
from tilegpu.timing.config import Configuration, load_configuration
from tilegpu.timing.results.drawing import matplotlib_figures, save
from tilegpu.timing.units.tile_coalescing import TileCoalescingParameters
from tilegpu.tools.workloads.cache import cached_trace
from tilegpu.tools.workloads.twin_files import find_twin

from .measures import TRANSLUCENT, static

FRAME = 100
SIZES = (1, 5, 10)
COLORS = ((0.85, 0.2, 0.2), (0.2, 0.5, 0.85), (0.2, 0.65, 0.3), (0.9, 0.6, 0.1), (0.55, 0.3, 0.7), (0.4, 0.4, 0.4))

Array = np.ndarray[Any, Any]


def draw(path: Path) -> None:
    """Draw the picture into a .svg or .png file."""
    figure = matplotlib_figures().Figure(figsize=(12, 3.4), layout="constrained")
    twin = find_twin(TRANSLUCENT)
    configurations = [load_configuration("emerald-case2", [f"tile_coalescing.work_tile={size}"]) for size in SIZES]
    work = _work(configurations[0].of(TileCoalescingParameters).side_pixels)
    for axis, size, configuration in zip(figure.subplots(1, len(SIZES)), SIZES, configurations, strict=True):
        cluster = _clusters(configuration, work.shape)
        share = np.bincount(cluster.ravel(), work.ravel())
        strength = np.sqrt(work / work.max())[..., None]
        axis.imshow(1 - strength * (1 - np.array(COLORS)[cluster]), origin="lower")
        axis.set_title(
            f"{static(size)}: the busiest cluster has {share.max() / share.mean():.2f}x its share", fontsize=9
        )
        axis.set_axis_off()
    figure.suptitle(f"{twin.name}, frame {FRAME}", fontsize=9)
    save(figure, path)


def _work(side: int) -> Array:
    """Quads of each TC tile of so many pixels on a side, int64 (rows, columns)."""
    with TemporaryDirectory() as folder:
        activity = Path(folder) / "activity"
        record(cached_trace(find_twin(TRANSLUCENT), (FRAME,)), activity)
        opened = Activity(activity)
        frame = opened.frames[0]
        size = opened.frame("frames", frame).to_pylist()[0]
        quads = opened.frame("quads", frame)
        numbers = np.zeros((-(-size["height"] // side), -(-size["width"] // side)), np.int64)
        x, y = (2 * quads[name].to_numpy() // side for name in ("x", "y"))
        np.add.at(numbers, (y, x), 1)
    return numbers


def _clusters(configuration: Configuration, shape: tuple[int, ...]) -> Array:
    """Cluster of each TC tile, as the machine decides it."""
    part = load_part("units.work_tiles", compiled=False, machine="simt")
    tiles = build(configuration).plain().gpu.vertex_launcher.tiles
    side = configuration.of(TileCoalescingParameters).side_pixels
    part.begin_pass(tiles, side * shape[1])
    return np.array([[part.cluster_of(tiles, side * x, side * y) for x in range(shape[1])] for y in range(shape[0])])


if __name__ == "__main__":
    draw(Path(sys.argv[1]))
