"""Charts as pictures, by Matplotlib."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import Any

from tilegpu.functional.activity.output import whole_file
from tilegpu.functional.optional import optional

from .comparisons import Lines
from .plots import Chart, PlotError

SUFFIXES = (".png", ".svg", ".pdf")
NAME_WIDTH = 36
"""Characters of a line of a name."""
SHORT = 12
"""Longest names that are legible below bars."""


def draw(drawn: Chart | Lines, path: Path) -> None:
    """Draw into a .png, .svg or .pdf file, which appears when it is whole.

    Raises
    ------
    PlotError
        If the file is of another kind.
    MissingPackage
        If Matplotlib is not installed.
    """
    if path.suffix not in SUFFIXES:
        raise PlotError(f"{path}: write a {', '.join(SUFFIXES[:-1])} or {SUFFIXES[-1]} file")
    save(_lines(drawn) if isinstance(drawn, Lines) else _bars(drawn), path)


def is_power_of_two(value: float) -> bool:
    """Whether it is 1, 2, 4 and so on."""
    return float(value).is_integer() and value > 0 and int(value) & (int(value) - 1) == 0


def tick(place: float, is_size: bool) -> str:
    """A place on an axis in words; sizes in the largest unit of bytes of which they are a multiple."""
    for unit, factor in (("MiB", 1 << 20), ("KiB", 1 << 10)):
        if is_size and place >= factor and place % factor == 0:
            return f"{place / factor:,.0f} {unit}"
    return f"{place:,g}" if place < 1e4 else f"{place:,.0f}"


def _lines(drawn: Lines) -> Any:
    figure = matplotlib_figures().Figure(figsize=(8.0, 4.5), layout="constrained")
    axes = figure.subplots()
    for name, points in drawn.lines.items():
        axes.plot([x for x, _ in points], [y for _, y in points], marker="o", markersize=4, label=_wrapped(name))
    places = sorted({x for points in drawn.lines.values() for x, _ in points})
    sizes = drawn.field.endswith("_bytes")
    if places[0] > 0 and places[-1] / places[0] > (2 if all(map(is_power_of_two, places)) else 8):
        axes.set_xscale("log", base=2)
        axes.set_xticks(places, [tick(place, sizes) for place in places])
        axes.minorticks_off()
    axes.set(xlabel=drawn.field, ylabel=drawn.unit)
    axes.set_ylim(bottom=0)
    axes.set_title(drawn.title, fontsize=10)
    axes.grid(axis="y", alpha=0.3)
    if any(drawn.lines):
        figure.legend(loc="outside right upper", fontsize="small")
    return figure


def _bars(drawn: Chart) -> Any:
    """Names that are short below upright bars; long ones to the left of bars that lie."""
    lying = max(map(len, drawn.runs)) > SHORT
    bars = len(drawn.runs) * (1 if drawn.stacked else max(1, 0.5 * len(drawn.parts)))
    names = [_wrapped(name) for name in drawn.runs]
    size = (9.0, max(3.0, 1.2 + 0.42 * bars)) if lying else (max(5.0, 2.5 + 0.6 * bars), 4.0)
    figure = matplotlib_figures().Figure(figsize=size, layout="constrained")
    axes = figure.subplots()
    base = [0.0] * len(drawn.runs)
    width = 0.6 if drawn.stacked else 0.8 / len(drawn.parts)
    for place, (name, values) in enumerate(drawn.parts.items()):
        aside = 0.0 if drawn.stacked else width * (place - (len(drawn.parts) - 1) / 2)
        at = [i + aside for i in range(len(values))]
        if lying:
            axes.barh(at, values, left=base, label=_wrapped(name) or None, height=width)
        else:
            axes.bar(at, values, bottom=base, label=_wrapped(name) or None, width=width)
        if drawn.stacked:
            base = [b + v for b, v in zip(base, values, strict=True)]
    if lying:
        axes.set_yticks(range(len(names)), names, fontsize="small")
        axes.invert_yaxis()
        axes.set_xlabel(drawn.axis)
    else:
        axes.set_xticks(range(len(names)), names)
        axes.set_ylabel(drawn.axis)
    axes.grid(axis="x" if lying else "y", alpha=0.3)
    axes.set_axisbelow(True)
    axes.set_title(drawn.title, fontsize=10)
    if any(drawn.parts):
        figure.legend(loc="outside right upper", fontsize="small")
    return figure


def _wrapped(name: str) -> str:
    """A name on several lines, broken after commas."""
    lines = textwrap.wrap(name.replace(",", ", ").replace(",  ", ", "), NAME_WIDTH, break_long_words=False)
    return "\n".join(lines).replace("$", r"\$")


MAKER = "tilegpu"
"""Noted in pictures, so that their maker knows them again."""


def matplotlib_figures() -> Any:
    """Matplotlib's module of figures, without a display.

    Raises
    ------
    MissingPackage
        If Matplotlib is not installed.
    """
    optional("matplotlib", "drawing pictures").use("Agg")
    return optional("matplotlib.figure", "drawing pictures")


def save(figure: Any, path: Path) -> None:
    """Write a figure of Matplotlib into a .png, .svg or .pdf file: always the same bytes, there when it is whole."""
    matplotlib = optional("matplotlib", "drawing pictures")
    matplotlib.rcParams["svg.hashsalt"] = "tilegpu"
    undated = {
        ".svg": {"Date": None, "Creator": MAKER},
        ".pdf": {"CreationDate": None, "ModDate": None, "Creator": MAKER},
        ".png": {"Software": MAKER},
    }.get(path.suffix)
    with whole_file(path) as partial:
        figure.savefig(partial, format=path.suffix[1:], dpi=150, metadata=undated)
