"""Charts for pages: bars and maps, as plotly's JSON has figures. The page gives them its colours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

Values = Sequence[float | None]
Figure = dict[str, Any]

COLOURS = (
    "#3b7dd8",
    "#e8863b",
    "#3aa66b",
    "#c94f6d",
    "#8a6bc9",
    "#a8802f",
    "#39a9b8",
    "#c66fb4",
    "#7d8590",
    "#93a832",
)
"""Apart in lightness too, on white and on dark."""

PAPER_PATTERN = "/"


def grouped_bars(
    title: str,
    unit: str,
    categories: Sequence[str],
    series: Mapping[str, Values],
    paper: Mapping[str, Values] | None = None,
) -> Figure:
    """Bars side by side, a group per category.

    Parameters
    ----------
    title, unit
        What it shows, and the unit of the axis.
    categories
        Names of the groups.
    series
        Heights per category, by name; None where there is no value.
    paper
        What a paper gives for some series (hatched in the colour of its series, after it), or on its own.
    """
    published = dict(paper or {})
    names = list(dict.fromkeys([*series, *published]))
    bars = []
    for number, name in enumerate(names):
        colour = COLOURS[number % len(COLOURS)]
        if name in series:
            bars.append(_bar(name, categories, series[name], unit, {"color": colour}))
        if name in published:
            hatch = {"shape": PAPER_PATTERN, "fgcolor": colour, "bgcolor": "rgba(0,0,0,0)", "size": 6}
            outlined = {"color": colour, "pattern": hatch, "line": {"color": colour, "width": 1}}
            bars.append(_bar(f"{name} (paper)", categories, published[name], unit, outlined))
    return _figure(title, unit, bars, _bars("group", categories))


def stacked_bars(
    title: str,
    unit: str,
    categories: Sequence[str],
    parts: Mapping[str, Values],
    colours: Mapping[str, str] | None = None,
) -> Figure:
    """One bar per category, a stack of named parts, some in colours of their own; see `grouped_bars`."""
    own = colours or {}
    bars = [
        _bar(name, categories, values, unit, {"color": own.get(name, COLOURS[number % len(COLOURS)])})
        for number, (name, values) in enumerate(parts.items())
    ]
    return _figure(title, unit, bars, _bars("stack", categories))


def scatter(title: str, unit: str, series: Mapping[str, Mapping[str, tuple[float, float]]]) -> Figure:
    """Points on logarithmic axes, predicted over measured, and the line where both are equal.

    Parameters
    ----------
    title, unit
        What it shows, and the unit of both axes.
    series
        By name, then by the name of a point: measured and predicted value.
    """
    traces: list[Figure] = [
        {
            "type": "scatter",
            "mode": "markers",
            "name": _text(name),
            "x": [x for x, _ in points.values()],
            "y": [y for _, y in points.values()],
            "text": [_text(point) for point in points],
            "hovertemplate": f"%{{text}}: %{{y:.3g}} of %{{x:.3g}} {_text(unit)}<extra></extra>",
            "marker": {"color": COLOURS[number % len(COLOURS)]},
        }
        for number, (name, points) in enumerate(series.items())
    ]
    both = [value for points in series.values() for point in points.values() for value in point]
    if both:
        ends = [min(both), max(both)]
        line = {"color": COLOURS[8], "width": 1}
        traces.append({"type": "scatter", "mode": "lines", "name": "equal", "x": ends, "y": ends, "line": line})
    axes = {
        "xaxis": {"type": "log", "title": {"text": f"measured, {_text(unit)}"}},
        "yaxis": {"type": "log", "title": {"text": f"predicted, {_text(unit)}"}},
    }
    return _figure(title, unit, traces, axes)


def curves(title: str, axis: str, unit: str, series: Mapping[str, Sequence[tuple[float, float]]]) -> Figure:
    """A curve per series.

    Parameters
    ----------
    title, axis, unit
        What it shows, what lies along the horizontal axis, and the unit of the vertical one.
    series
        Place on the axis and value of each point, by name.
    """
    traces: list[Figure] = [
        {
            "type": "scatter",
            "mode": "lines+markers",
            "name": _text(name),
            "x": [x for x, _ in points],
            "y": [y for _, y in points],
            "hovertemplate": f"%{{x:,.4~g}}: %{{y:,.4~g}} {_text(unit)}",
            "line": {"color": COLOURS[number % len(COLOURS)]},
        }
        for number, (name, points) in enumerate(series.items())
    ]
    return _figure(title, unit, traces, {"xaxis": {"title": {"text": _text(axis)}}})


def tile_map(title: str, unit: str, values: ArrayLike, hover: Sequence[Sequence[str]] | None = None) -> Figure:
    """A map of a frame's tiles.

    Parameters
    ----------
    title, unit
        What it shows, and the unit of the values.
    values
        Values by row and column, the lowest row of tiles first; NaN where there is no tile.
    hover
        What hovering over each tile tells, in the same order; its place and value if None.
    """
    found = np.asarray(values, np.float64)
    cells = [[float(value) if np.isfinite(value) else None for value in row] for row in found]
    told = f"tile %{{x}}, %{{y}}: %{{z:,}} {_text(unit)}<extra></extra>" if hover is None else "%{text}<extra></extra>"
    trace: Figure = {
        "type": "heatmap",
        "z": cells,
        "colorscale": "Viridis",
        "hovertemplate": told,
        "hoverongaps": False,
        "xgap": 1,
        "ygap": 1,
        "colorbar": {"title": {"text": _text(unit), "side": "right"}, "thickness": 12},
    }
    if hover is not None:
        trace["text"] = [[_text(text) for text in row] for row in hover]
    bare = {"showgrid": False, "zeroline": False, "ticks": "", "showticklabels": False}
    axes = {"xaxis": {**bare, "constrain": "domain"}, "yaxis": {**bare, "scaleanchor": "x", "constrain": "domain"}}
    return _figure(title, "", [trace], axes)


def _bars(mode: str, categories: Sequence[str]) -> Figure:
    # A few bars would become walls.
    return {"barmode": mode, "bargap": 0.3 if len(categories) > 4 else 0.6 - 0.05 * len(categories)}


def _bar(name: str, categories: Sequence[str], values: Values, unit: str, marker: Figure) -> Figure:
    shown = [None if value is None or not np.isfinite(value) else float(value) for value in values]
    if len(shown) != len(categories):
        raise ValueError(f"{name}: {len(shown)} values for {len(categories)} categories")
    return {
        "type": "bar",
        "name": _text(name),
        # Escaped names are still different ones, which plotly takes as different groups.
        "x": [_text(category) for category in categories],
        "y": shown,
        "marker": marker,
        "hovertemplate": f"%{{x}}<br>%{{fullData.name}}: %{{y:,.4~g}} {_text(unit)}<extra></extra>",
    }


def _figure(title: str, unit: str, traces: list[Figure], layout: Figure) -> Figure:
    base: Figure = {"title": {"text": _text(title)}, "margin": {"l": 70, "r": 20, "t": 50, "b": 60}}
    base["yaxis"] = {"title": {"text": _text(unit)}}
    # Names such as "8" or "1e3" are names, no numbers.
    base["xaxis"] = {"type": "category", "automargin": True, "showgrid": False} if unit else {}
    return {"data": traces, "layout": base | layout}


def _text(text: str) -> str:
    """For plotly, which reads some HTML; %{...} would be a placeholder."""
    return escape(text, quote=False).replace("%{", "% {")
