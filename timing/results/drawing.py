"""Charts as pictures, by Matplotlib."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tilegpu.functional.activity.output import whole_file
from tilegpu.functional.optional import optional

from .comparisons import Lines
from .palette import colours
from .plots import Chart, PlotError
from .swept import is_power_of_two, value_text

SUFFIXES = (".png", ".svg", ".pdf")
NAME_WIDTH = 36
"""Characters of a line of a name."""
SPREAD = "\nwhiskers: standard deviation over frames"
SHORT = 12
"""Longest names that are legible below bars."""


def draw(drawn: Chart | Lines, path: Path, size: tuple[float, float] | None = None) -> None:
    """Draw into a .png, .svg or .pdf file, which appears when it is whole.

    Parameters
    ----------
    drawn
        What to draw.
    path
        The file.
    size
        Width and height in inches; None for what the names and bars need.

    Raises
    ------
    PlotError
        If the file is of another kind.
    MissingPackage
        If Matplotlib is not installed.
    """
    if path.suffix not in SUFFIXES:
        raise PlotError(f"{path}: write a {', '.join(SUFFIXES[:-1])} or {SUFFIXES[-1]} file")
    figure = _lines(drawn) if isinstance(drawn, Lines) else _bars(drawn)
    if size is not None:
        figure.set_size_inches(*size)
    save(figure, path)


def tick(place: float, is_size: bool) -> str:
    """A place on an axis in words; sizes in the largest unit of bytes of which they are a multiple."""
    if is_size and float(place).is_integer() and place >= 1 << 10:
        return value_text("_bytes", int(place))
    return f"{place:,g}" if place < 1e4 else f"{place:,.0f}"


def _lines(drawn: Lines) -> Any:
    figure = matplotlib_figures().Figure(figsize=(8.0, 4.5), layout="constrained")
    axes = figure.subplots()
    for (name, points), colour in zip(drawn.lines.items(), colours(len(drawn.lines)), strict=True):
        own = {"marker": "o", "markersize": 4, "label": _wrapped(name) or None, "color": colour}
        x, y = zip(*points, strict=True)
        axes.errorbar(x, y, yerr=drawn.spread.get(name), capsize=3, **own)
    places = sorted({x for points in drawn.lines.values() for x, _ in points})
    sizes = drawn.field.endswith("_bytes")
    if places[0] > 0 and places[-1] / places[0] > (2 if all(map(is_power_of_two, places)) else 8):
        axes.set_xscale("log", base=2)
        axes.set_xticks(places, [tick(place, sizes) for place in places])
        axes.minorticks_off()
    axes.set(xlabel=drawn.field, ylabel=drawn.unit + SPREAD * bool(drawn.spread))
    axes.set_ylim(bottom=0)
    axes.set_title(drawn.title, fontsize=10)
    axes.grid(axis="y", alpha=0.3)
    if any(drawn.lines):
        figure.legend(loc="outside right upper", fontsize="small")
    return figure


def _bars(drawn: Chart) -> Any:
    """Names that are short below upright bars; long ones, and groups, to the left of bars that lie."""
    lying = max(map(len, drawn.runs)) > SHORT or bool(drawn.groups)
    places, headings = _places(drawn)
    bars = places[-1] + 1 if drawn.stacked else len(drawn.runs) * max(1, 0.5 * len(drawn.parts))
    size = (9.0, max(3.0, 1.2 + 0.42 * bars)) if lying else (max(5.0, 2.5 + 0.6 * bars), 4.0)
    figure = matplotlib_figures().Figure(figsize=size, layout="constrained")
    axes = figure.subplots()
    _draw_parts(axes, drawn, places, lying)
    names = [*zip(places, map(_wrapped, drawn.runs), strict=True), *headings.items()]
    if lying:
        axes.set_yticks(*zip(*names, strict=True), fontsize="small")
        for label in axes.get_yticklabels()[len(places) :]:
            label.set_fontweight("bold")
        axes.invert_yaxis()
    else:
        axes.set_xticks(*zip(*names, strict=True))
    unit = drawn.axis + SPREAD * bool(drawn.spread)
    axes.set(**{"xlabel" if lying else "ylabel": unit})
    axes.grid(axis="x" if lying else "y", alpha=0.3)
    axes.set_axisbelow(True)
    axes.set_title(drawn.title, fontsize=10)
    if any(drawn.parts):
        figure.legend(loc="outside right upper", fontsize="small")
    return figure


def _places(drawn: Chart) -> tuple[list[float], dict[float, str]]:
    """Places of bars, and headings of groups, each in a row of its own."""
    places: list[float] = []
    headings: dict[float, str] = {}
    row, before = 0.0, ""
    for group in drawn.groups or [""] * len(drawn.runs):
        if group != before:
            headings[row] = _wrapped(group)
            row, before = row + 0.8, group
        places.append(row)
        row += 1.0
    return places, headings


def _draw_parts(axes: Any, drawn: Chart, places: Sequence[float], lying: bool) -> None:
    base = [0.0] * len(drawn.runs)
    width = 0.6 if drawn.stacked else 0.8 / len(drawn.parts)
    bars, offset, wide = (axes.barh, "left", "height") if lying else (axes.bar, "bottom", "width")
    shades = colours(len(drawn.parts))
    for number, (name, values) in enumerate(drawn.parts.items()):
        aside = 0.0 if drawn.stacked else width * (number - (len(drawn.parts) - 1) / 2)
        at = [place + aside for place in places]
        bars(at, values, **{offset: base, wide: width}, label=_wrapped(name) or None, color=shades[number])
        if drawn.stacked:
            base = [b + v for b, v in zip(base, values, strict=True)]
    if drawn.spread and drawn.stacked:
        points = (base, places) if lying else (places, base)
        error = {"xerr" if lying else "yerr": drawn.spread}
        axes.errorbar(*points, **error, fmt="none", ecolor="#333333", elinewidth=1, capsize=3)


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
