"""The plot of the papers' numbers against ours."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tilegpu.timing.results.drawing import matplotlib_figures, save

from .summary import Pair

BANDS = {2.0: "0.94", 1.25: "0.86"}
SIZE_INCHES = (6.5, 5.6)


def draw_pairs(numbers: Sequence[Pair], path: Path) -> None:
    """Draw ours over the paper's, both without their sign.

    Parameters
    ----------
    numbers
        Numbers.
    path
        File to write, .svg, .png or .pdf.
    """
    picture = matplotlib_figures().Figure(figsize=SIZE_INCHES, layout="constrained")
    axes = picture.add_subplot()
    values = [abs(value) for pair in numbers for value in (pair.paper, pair.ours)]
    low, high = min(values) / 1.5, max(values) * 1.5
    for factor, grey in BANDS.items():
        axes.fill_between((low, high), (low / factor, high / factor), (low * factor, high * factor), color=grey, lw=0)
    axes.plot((low, high), (low, high), color="black", linewidth=0.8)
    for number, study in enumerate(dict.fromkeys(pair.study for pair in numbers)):
        _draw_study(axes, [pair for pair in numbers if pair.study == study], f"C{number}")
    axes.scatter([], [], s=20, facecolors="none", edgecolors="grey", label="set or seen before")
    axes.scatter([], [], s=20, marker="x", color="grey", label="one rises, the other falls")
    axes.set(xscale="log", yscale="log", xlim=(low, high), ylim=(low, high))
    axes.set(xlabel="the paper's number", ylabel="tilegpu's number")
    axes.set_title("Papers against tilegpu; bands of 25 % and of twice", fontsize=10)
    axes.legend(fontsize=7, loc="upper left")
    save(picture, path)


def _draw_study(axes: object, some: Sequence[Pair], color: str) -> None:
    """Points of a study: filled where predicted, hollow where set or seen, crosses where the signs differ."""
    scatter = axes.scatter  # type: ignore[attr-defined]
    scatter([], [], s=20, color=color, label=some[0].study)
    for pair in some:
        at = [abs(pair.paper)], [abs(pair.ours)]
        if pair.ours * pair.paper < 0:
            scatter(*at, s=20, marker="x", color=color, linewidths=1)
        else:
            scatter(*at, s=20, facecolors=color if pair.standing == "predicted" else "none", edgecolors=color)
