"""The picture of the page: what each pair of applications comes to, by how it shares the GPU.

`python -m tilegpu.tools.studies.papers.sharing.picture docs/sharing.svg` draws it from the study's outcome in data/.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from tilegpu.timing.results.drawing import matplotlib_figures, save

from ...plots import curve_points
from ...stored import outcome_of

BARS = "slowdown", "fairness", "throughput", "time-saved", "l2-misses", "row-hits"
CURVES = "fairness-quantum", "time-quantum", "time-cost"


def draw(path: Path) -> None:
    """Draw the picture into a .svg or .png file."""
    outcome = outcome_of("sharing")
    assert outcome is not None, "data/ has the outcome"
    figures = {figure["id"]: figure for figure in outcome["figures"]}
    picture = matplotlib_figures().Figure(figsize=(13, 10), layout="constrained")
    axes = picture.subplots(3, 3, squeeze=False)
    for axis, name in zip(axes.flat, (*BARS, *CURVES), strict=True):
        (_bars if name in BARS else _lines)(axis, figures[name])
        axis.set_title(figures[name]["title"], fontsize=8)
        axis.set_ylabel(figures[name]["unit"], fontsize=7)
        axis.tick_params(labelsize=6)
        axis.legend(fontsize=5)
    save(picture, path)


def _bars(axis: Any, figure: dict[str, Any]) -> None:
    series, places = figure["series"], figure["workloads"]
    width = 0.8 / max(1, len(series))
    for i, (name, values) in enumerate(series.items()):
        axis.bar([place + i * width for place in range(len(places))], values, width, label=name)
    axis.set_xticks(
        [place + 0.4 - width / 2 for place in range(len(places))],
        [place.replace(" and ", "\nand ") for place in places],
    )
    axis.axhline(1, color="grey", linewidth=0.8)
    if figure["id"] == "slowdown":
        axis.set_yscale("log")


def _lines(axis: Any, figure: dict[str, Any]) -> None:
    for name, points in curve_points(figure).items():
        places, values = zip(*points, strict=True)
        axis.plot(places, values, marker="o", markersize=3, label=name)
    axis.set_xlabel(figure["axis"], fontsize=7)
    if figure["id"] != "time-cost":
        axis.set_xscale("log")


if __name__ == "__main__":
    draw(Path(sys.argv[1]))
