"""The picture of the page: errors over the number of simulated frames.

`python -m tilegpu.tools.studies.papers.sampling.picture docs/sampling.svg` draws it from the study's outcome in data/.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from tilegpu.timing.results.drawing import matplotlib_figures, save

from ...plots import curve_points
from ...stored import outcome_of

LEAST_PERCENT = 0.001


def draw(path: Path) -> None:
    """Draw the picture into a .svg or .png file."""
    outcome = outcome_of("sampling")
    assert outcome is not None, "data/ has the outcome"
    workloads, figures = outcome["workloads"], outcome["figures"]
    columns = len(figures) // len(workloads)
    picture = matplotlib_figures().Figure(figsize=(3 * columns, 2.8 * len(workloads)), layout="constrained")
    axes = picture.subplots(len(workloads), columns, squeeze=False, sharey=True)
    for place, figure in enumerate(figures):
        _panel(axes[place // columns][place % columns], figure)
    for row, workload in zip(axes, workloads, strict=True):
        row[0].set_ylabel(f"{workload}\nmean error, %", fontsize=8)
    names, lines = axes[0][0].get_legend_handles_labels()
    picture.legend(names, lines, loc="outside lower center", ncols=4, fontsize=8)
    save(picture, path)


def _panel(axis: Any, figure: dict[str, Any]) -> None:
    for name, points in curve_points(figure).items():
        axis.plot(
            [frames for frames, _ in points],
            [max(LEAST_PERCENT, error) for _, error in points],
            marker="o",
            markersize=3,
            label=name,
        )
    axis.set(xscale="log", yscale="log")
    axis.axhline(1, color="grey", linewidth=0.8)
    places = [float(frames) for frames in figure["workloads"]]
    axis.set_xticks(places, [f"{frames:g}" for frames in places], fontsize=7)
    axis.minorticks_off()
    axis.tick_params(axis="y", labelsize=7)
    axis.set_title(figure["title"].removeprefix("Mean error of "), fontsize=9)
    axis.set_xlabel("simulated frames", fontsize=8)


if __name__ == "__main__":
    draw(Path(sys.argv[1]))
