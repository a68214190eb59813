"""Plots of a study's figures as pictures."""

from __future__ import annotations

from pathlib import Path

from tilegpu.timing.results.plots import Chart, draw

from .outcome import Json
from .text import MEAN, means

FOLDER = "plots"


def draw_figures(found: Json, output: Path) -> None:
    """Write a .svg per figure into plots/.

    Parameters
    ----------
    found
        Outcome of a study.
    output
        Folder of the study.
    """
    folder = output / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    for figure in found["figures"]:
        if figure["series"]:
            draw(_chart(figure), folder / f"{figure['id']}.svg")


def _chart(figure: Json) -> Chart:
    bars, parts = figure["workloads"], dict(figure["series"])
    if figure["drawn"] == "means":
        bars, parts = list(parts), {MEAN: means(figure)}
    else:
        parts |= {f"{name} (paper)": values for name, values in figure["paper"].items()}
    heights = {name: [value or 0.0 for value in values] for name, values in parts.items()}
    return Chart(f"{figure['id']}: {figure['title']}", figure["unit"], bars, heights, figure["drawn"] == "stacked")
