"""Plots of a study's figures as pictures."""

from __future__ import annotations

import os
from pathlib import Path
from statistics import fmean
from typing import Any

Json = dict[str, Any]
FOLDER = "plots"


def draw_figures(found: Json, output: Path) -> list[Path]:
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
    return [_draw(figure, folder) for figure in found["figures"] if figure["series"]]


def _draw(figure: Json, folder: Path) -> Path:
    import matplotlib
    from matplotlib.figure import Figure

    matplotlib.rcParams["svg.hashsalt"] = "tilegpu"
    bars = _bars(figure)
    picture = Figure(figsize=(max(6.0, 0.5 * len(bars[0]) + 3), 4), layout="constrained")
    axes = picture.add_subplot()
    width = 0.8 / (1 if figure["drawn"] == "stacked" else len(bars[1]))
    base = [0.0] * len(bars[0])
    for number, (name, values) in enumerate(bars[1].items()):
        heights = [value or 0.0 for value in values]
        if figure["drawn"] == "stacked":
            axes.bar(range(len(bars[0])), heights, 0.8, bottom=base, label=name)
            base = [low + height for low, height in zip(base, heights, strict=True)]
        else:
            axes.bar([i - 0.4 + width * (number + 0.5) for i in range(len(bars[0]))], heights, width, label=name)
    axes.set_xticks(range(len(bars[0])), bars[0], rotation=60, ha="right", fontsize=8)
    axes.set_ylabel(figure["unit"])
    axes.set_title(f"{figure['id']}: {figure['title']}", fontsize=10)
    if len(bars[1]) > 1:
        axes.legend(fontsize=8)
    path = folder / f"{figure['id']}.svg"
    partial = path.with_name(f".{path.name}.partial")
    picture.savefig(partial, format="svg", metadata={"Date": None})
    os.replace(partial, path)
    return path


def _bars(figure: Json) -> tuple[list[str], dict[str, list[float | None]]]:
    if figure["drawn"] != "means":
        published = {f"{name} (paper)": values for name, values in figure["paper"].items()}
        return figure["workloads"], figure["series"] | published
    means: list[float | None] = []
    for values in figure["series"].values():
        found = [value for value in values if value is not None]
        means.append(fmean(found) if found else None)
    return list(figure["series"]), {"mean of the workloads": means}
