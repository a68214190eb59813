"""Plots of a study's figures as pictures."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tilegpu.timing.results.drawing import draw, matplotlib_figures, save
from tilegpu.timing.results.plots import Chart

from .outcome import Json
from .text import MEAN, caption, means

FOLDER = "plots"


def draw_figures(outcome: Json, output: Path) -> None:
    """Write a .svg per figure into plots/.

    Parameters
    ----------
    outcome
        Outcome of a study.
    output
        Folder of the study.
    """
    folder = output / FOLDER
    for figure in outcome["figures"]:
        if figure["series"] and figure["drawn"] != "table":
            path = folder / f"{figure['id']}.svg"
            if figure["drawn"] == "scatter":
                save(_scatter(figure), path)
            elif figure["drawn"] == "curves":
                save(_curves(figure), path)
            else:
                draw(_chart(figure), path)


def _chart(figure: Json) -> Chart:
    bars, parts = figure["workloads"], dict(figure["series"])
    if figure["drawn"] == "means":
        bars, parts = list(parts), {MEAN: means(figure)}
    else:
        parts |= {f"{name} (paper)": values for name, values in figure["paper"].items()}
    heights = {name: [value or 0.0 for value in values] for name, values in parts.items()}
    return Chart(caption(figure), figure["unit"], bars, heights, figure["drawn"] == "stacked")


def _scatter(figure: Json) -> Any:
    """A point per workload on logarithmic axes, ours over what is published, and the line where both are equal."""
    picture = matplotlib_figures().Figure(figsize=(6.5, 6), layout="constrained")
    axes = picture.add_subplot()
    both: list[float] = []
    for name, points in scatter_points(figure).items():
        axes.scatter([x for x, _ in points.values()], [y for _, y in points.values()], s=18, label=name)
        both += [value for point in points.values() for value in point]
        for workload, (x, y) in points.items():
            axes.annotate(
                workload.partition(":")[2] or workload, (x, y), (3, 3), textcoords="offset points", fontsize=6
            )
    if both:
        ends = min(both) * 0.8, max(both) * 1.25
        axes.plot(ends, ends, color="grey", linewidth=0.8)
        axes.set(xscale="log", yscale="log", xlim=ends, ylim=ends)
    axes.set(xlabel=f"measured, {figure['unit']}", ylabel=f"predicted, {figure['unit']}")
    axes.set_title(figure["title"], fontsize=10)
    axes.legend(fontsize=8)
    return picture


def _curves(figure: Json) -> Any:
    """A curve per series, its points marked; points alone where ranges are marked."""
    bands = figure.get("bands", {})
    picture = matplotlib_figures().Figure(figsize=(6.5, 5), layout="constrained")
    axes = picture.add_subplot()
    for name, points in curve_points(figure).items():
        line = "none" if bands else "-"
        axes.plot([x for x, _ in points], [y for _, y in points], line, marker="o", markersize=4, label=name)
    for number, (name, (low, high)) in enumerate(bands.items()):
        axes.axhspan(low, high, color=f"C{number}", alpha=0.15, label=name)
    axes.set(xlabel=figure["axis"], ylabel=figure["unit"])
    axes.set_title(caption(figure), fontsize=10)
    axes.legend(fontsize=8)
    return picture


def curve_points(figure: Json) -> dict[str, list[tuple[float, float]]]:
    """Place on the axis and value by series, where there is a value."""
    return {
        name: [(float(x), y) for x, y in zip(figure["workloads"], values, strict=True) if y is not None]
        for name, values in figure["series"].items()
    }


def scatter_points(figure: Json) -> dict[str, dict[str, tuple[float, float]]]:
    """Published and own value by series and workload, where there are both."""
    return {
        name: {
            workload: (x, y)
            for workload, x, y in zip(figure["workloads"], figure["paper"][name], values, strict=True)
            if x is not None and y is not None
        }
        for name, values in figure["series"].items()
    }
