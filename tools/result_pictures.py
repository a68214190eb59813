"""The README's picture of results: speed-ups of Parallel Tile Rendering, where energy goes, which tiles cost what.

`python -m tilegpu.tools.result_pictures docs/results.png` draws it anew, from the outcome of the study `ptr-2022` in
data/ and from a frame of the bundled courtyard, replayed for it.
"""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pyarrow as pa

from tilegpu.functional.frame_ranges import FrameRange
from tilegpu.functional.record import record
from tilegpu.timing import load_configuration, replay
from tilegpu.timing.results.drawing import matplotlib_figures, save

from .demo import scene_folder
from .studies.stored import outcome_of

FIGURE, SERIES = "5.3", "static"
LEAST_SHARE = 0.02


def draw(path: Path) -> None:
    """Draw the picture into a .svg or .png file."""
    with TemporaryDirectory() as folder:
        activity = Path(folder) / "activity"
        record(scene_folder() / "courtyard.trace", activity, FrameRange(0, 2))
        results = replay(activity, load_configuration("ptr-2022"), warm_up=1)
    figure = matplotlib_figures().Figure(figsize=(12, 3.6), layout="constrained")
    speed_ups, energy, heat = figure.subplots(1, 3, width_ratios=(5, 2.4, 4))
    _speed_ups(speed_ups)
    report = results.energy()
    _energy(energy, {"memory": report.memory_pj, **report.by_unit()})
    _heat(figure, heat, results.tiles[0])
    save(figure, path)


def _speed_ups(axis: Any) -> None:
    """Ours as bars, the thesis' as dots where its text has figures."""
    outcome = outcome_of("ptr-2022")
    assert outcome is not None, "data/ has the outcome"
    figure = next(figure for figure in outcome["figures"] if figure["id"] == FIGURE)
    ours, paper = figure["series"][SERIES], figure["paper"][SERIES]
    twins = [place for place, name in enumerate(figure["workloads"]) if name.startswith("000-")]
    axis.bar(range(len(twins)), [ours[place] for place in twins], label="tilegpu")
    published = [(x, paper[place]) for x, place in enumerate(twins) if paper[place] is not None]
    axis.plot(*zip(*published, strict=True), "o", color="black", markersize=5, label="the thesis, where its text tells")
    axis.set_xticks(range(len(twins)), [figure["workloads"][place][4:] for place in twins], rotation=90, fontsize=8)
    axis.set(ylim=(0, 2.4), ylabel="times the speed of one")
    axis.set_title("Two Raster Units: speed-up of the raster stage", fontsize=10)
    axis.legend(fontsize=8, loc="upper right", ncols=2)


def _energy(axis: Any, parts: dict[str, float]) -> None:
    """Parts of a frame's energy in pJ; small ones together."""
    whole = sum(parts.values())
    shown = {name: value for name, value in parts.items() if value >= LEAST_SHARE * whole}
    shown["rest"] = whole - sum(shown.values())
    ordered = sorted(shown.items(), key=lambda part: part[1])
    axis.barh([name for name, _ in ordered], [value / 1e6 for _, value in ordered])
    axis.set_xlabel("µJ")
    axis.set_title("Energy of a frame of the courtyard", fontsize=10)
    axis.tick_params(labelsize=8)


def _heat(figure: Any, axis: Any, tiles: pa.Table) -> None:
    """Cycles in which Fragment Processors were busy, by tile."""
    x, y, busy, width, height = (tiles[name].to_numpy() for name in ("x", "y", "busy_cycles", "width", "height"))
    across, down = int(width.max()), int(height.max())
    grid = np.zeros((int(y.max()) // down + 1, int(x.max()) // across + 1))
    grid[y // down, x // across] = busy
    shown = axis.imshow(grid / 1e3, origin="lower", cmap="inferno")
    figure.colorbar(shown, ax=axis, label="thousand busy cycles", shrink=0.8)
    axis.set_title("Its tiles", fontsize=10)
    axis.set_axis_off()


if __name__ == "__main__":
    draw(Path(sys.argv[1]))
