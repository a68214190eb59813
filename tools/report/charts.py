"""Charts for pages as HTML and SVG: they need no script, and texts lie in the page's own flow, so that none overlap."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape
from typing import NamedTuple

from tilegpu.timing.results.palette import BASE, colours

from .axes import Axis, linear, logarithmic, of_field
from .tables import number_text

Values = Sequence[float | None]

EQUAL = BASE[8]
"""Colour of what both sides of a comparison are equal on."""
HATCHED = "repeating-linear-gradient(45deg, {0} 0 2px, transparent 2px 5px)"
WIDTH, HEIGHT = 760, 380
LEFT, BOTTOM, EDGE = 64, 44, 12
"""Pixels of a plot, and of the margins of its axes."""


def grouped_bars(
    title: str,
    unit: str,
    categories: Sequence[str],
    series: Mapping[str, Values],
    paper: Mapping[str, Values] | None = None,
) -> str:
    """Bars one below the other, a group per category.

    Parameters
    ----------
    title, unit
        What it shows, and the unit of the axis.
    categories
        Names of the groups.
    series
        Lengths per category, by name; None where there is no value.
    paper
        What a paper gives for some series (hatched in the colour of its series, after it), or on its own.
    """
    published = dict(paper or {})
    shown: dict[str, tuple[list[float | None], str]] = {}
    names = dict.fromkeys([*series, *published])
    for name, colour in zip(names, colours(len(names)), strict=True):
        if name in series:
            shown[name] = _finite(name, series[name], categories), colour
        if name in published:
            paper_values = _finite(name, published[name], categories)
            shown[f"{name} (paper)"] = paper_values, HATCHED.format(colour)
    axis = linear([value for values, _ in shown.values() for value in values if value is not None])
    rows = []
    for place, category in enumerate(categories):
        bars = [(name, values[place], look) for name, (values, look) in shown.items()]
        parts = "".join(_bar(category, name, value, unit, look, axis) for name, value, look in bars)
        rows.append(
            _row(category, [(name, value) for name, value, _ in bars], unit, f'<div class="group">{parts}</div>')
        )
    return _chart(title, unit, {name: look for name, (_, look) in shown.items()}, axis, rows)


def stacked_bars(
    title: str,
    unit: str,
    categories: Sequence[str],
    parts: Mapping[str, Values],
    own: Mapping[str, str] | None = None,
) -> str:
    """One bar per category, a stack of named parts, some in colours of their own; see `grouped_bars`."""
    looks = dict(zip(parts, colours(len(parts)), strict=True)) | {n: c for n, c in (own or {}).items() if n in parts}
    values = {name: _finite(name, of_name, categories) for name, of_name in parts.items()}
    axis = linear([sum(of_name[place] or 0.0 for of_name in values.values()) for place in range(len(categories))])
    rows = []
    for place, category in enumerate(categories):
        bars = [(name, of_name[place]) for name, of_name in values.items()]
        stack = "".join(
            f'<div class="part" style="width:{axis.share(value) - axis.share(0):.3f}%;background:{looks[name]}" '
            f'title="{_told(category, name, value, unit)}"></div>'
            for name, value in bars
            if value is not None
        )
        rows.append(_row(category, bars, unit, f'<div class="stack">{stack}</div>'))
    return _chart(title, unit, looks, axis, rows)


def scatter(title: str, unit: str, series: Mapping[str, Mapping[str, tuple[float, float]]]) -> str:
    """Points on logarithmic axes, predicted over measured, and the line where both are equal.

    Parameters
    ----------
    title, unit
        What it shows, and the unit of both axes.
    series
        By name, then by the name of a point: measured and predicted value.
    """
    both = [value for points in series.values() for point in points.values() for value in point]
    axis = logarithmic(both)
    drawn = [_path([(axis.ticks[0], axis.ticks[0]), (axis.ticks[-1], axis.ticks[-1])], axis, axis, EQUAL)]
    shades = dict(zip(series, colours(len(series)), strict=True))
    for of_series, points in series.items():
        for name, (x, y) in points.items():
            title_of_dot = f"{name}: {y:.3g} of {x:.3g} {unit}"
            drawn.append(_dot(axis.share(x), axis.share(y), shades[of_series], title_of_dot))
    looks = shades | {"equal": EQUAL}
    return _plot(title, unit, looks, _Titled(axis, f"measured, {unit}"), _Titled(axis, f"predicted, {unit}"), drawn)


def curves(
    title: str, axis: str, unit: str, series: Mapping[str, Sequence[tuple[float, float]]], of_fields: bool = False
) -> str:
    """A curve per series.

    Parameters
    ----------
    title, axis, unit
        What it shows, what lies along the horizontal axis, and the unit of the vertical one.
    series
        Place on the axis and value of each point, by name.
    of_fields
        Whether the axis is a field of configurations: doublings are equally far apart, and sizes told as such.
    """
    points = [point for line in series.values() for point in line]
    places = [x for x, _ in points]
    across, up = of_field(axis, places) if of_fields else linear(places, False), linear([y for _, y in points])
    drawn = []
    looks = dict(zip(series, colours(len(series)), strict=True))
    for name, line in series.items():
        colour = looks[name]
        drawn.append(_path(line, across, up, colour))
        drawn += [
            _dot(
                across.share(x),
                up.share(y),
                colour,
                f"{name}, {across.text(x) if of_fields else number_text(x)}: {number_text(y)} {unit}",
            )
            for x, y in line
        ]
    return _plot(title, unit, looks, _Titled(across, axis), _Titled(up, unit), drawn)


def _finite(name: str, values: Values, categories: Sequence[str]) -> list[float | None]:
    shown = [None if value is None or not math.isfinite(value) else float(value) for value in values]
    if len(shown) != len(categories):
        raise ValueError(f"{name}: {len(shown)} values for {len(categories)} categories")
    return shown


def _bar(category: str, name: str, value: float | None, unit: str, look: str, axis: Axis) -> str:
    if value is None:
        return '<div class="lane"></div>'
    low, high = sorted((axis.share(0), axis.share(value)))
    style = f"margin-left:{low:.3f}%;width:{high - low:.3f}%;background:{look}"
    return (
        f'<div class="lane"><div class="part" style="{style}" title="{_told(category, name, value, unit)}"></div></div>'
    )


def _row(category: str, bars: Sequence[tuple[str, float | None]], unit: str, track: str) -> str:
    figures = "; ".join(f"{name} {number_text(value)}".strip() for name, value in bars if value is not None)
    label = escape(f"{category}: {figures} {unit}")
    name = f'<div class="name">{escape(category)}</div>'
    return f'<div class="row">{name}<div role="img" aria-label="{label}">{track}</div></div>'


def _told(category: str, name: str, value: float | None, unit: str) -> str:
    return escape(f"{category}{f', {name}' if name else ''}: {number_text(value)} {unit}")


def _legend(looks: Mapping[str, str]) -> str:
    items = "".join(
        f'<li><span class="key" style="background:{look}"></span>{escape(name)}</li>'
        for name, look in looks.items()
        if name
    )
    return f'<ul class="legend">{items}</ul>' if items else ""


def _chart(title: str, unit: str, looks: Mapping[str, str], axis: Axis, rows: Sequence[str]) -> str:
    marks = "".join(f'<span style="left:{axis.share(tick):.3f}%">{axis.text(tick)}</span>' for tick in axis.ticks)
    scale = f'<div class="row scale"><div class="name">{escape(unit)}</div><div class="ticks">{marks}</div></div>'
    return f'<h3>{escape(title)}</h3>{_legend(looks)}<div class="bars">{"".join(rows)}{scale}</div>'


def _dot(x: float, y: float, colour: str, title: str) -> str:
    across, up = _place(x, y)
    return f'<circle cx="{across:.1f}" cy="{up:.1f}" r="4" fill="{colour}"><title>{escape(title)}</title></circle>'


def _path(points: Sequence[tuple[float, float]], across: Axis, up: Axis, colour: str) -> str:
    places = " ".join("{:.1f},{:.1f}".format(*_place(across.share(x), up.share(y))) for x, y in points)
    return f'<polyline points="{places}" fill="none" stroke="{colour}" stroke-width="1.5"/>'


def _place(x: float, y: float) -> tuple[float, float]:
    """Pixels of shares of both axes in percent."""
    return LEFT + x / 100 * (WIDTH - LEFT - EDGE), EDGE + (100 - y) / 100 * (HEIGHT - BOTTOM - EDGE)


class _Titled(NamedTuple):
    """An axis and its title."""

    axis: Axis
    title: str


def _plot(
    title: str,
    unit: str,
    looks: Mapping[str, str],
    across: _Titled,
    up: _Titled,
    drawn: Sequence[str],
) -> str:
    lines = []
    for tick in across.axis.ticks:
        # Words at the edge, which may be long, end there.
        anchor = "end" if across.axis.sizes and tick == across.axis.ticks[-1] else "middle"
        x, y = _place(across.axis.share(tick), 0)
        lines.append(f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{EDGE}" y2="{y:.1f}"/>')
        lines.append(f'<text x="{x:.1f}" y="{y + 16:.1f}" text-anchor="{anchor}">{across.axis.text(tick)}</text>')
    for tick in up.axis.ticks:
        x, y = _place(0, up.axis.share(tick))
        lines.append(f'<line x1="{x:.1f}" x2="{WIDTH - EDGE}" y1="{y:.1f}" y2="{y:.1f}"/>')
        lines.append(f'<text x="{x - 6:.1f}" y="{y + 4:.1f}" text-anchor="end">{up.axis.text(tick)}</text>')
    middle = (WIDTH + LEFT - EDGE) / 2
    lines.append(f'<text x="{middle:.0f}" y="{HEIGHT - 6}" text-anchor="middle">{escape(across.title)}</text>')
    plot = (
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(title)}">{"".join([*lines, *drawn])}</svg>'
    )
    return (
        f'<h3>{escape(title)}</h3><p class="note">{escape(up.title)}</p>{_legend(looks)}<div class="plot">{plot}</div>'
    )
