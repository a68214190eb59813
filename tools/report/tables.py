"""Tables of a page: a click on a header sorts, words in a field filter."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

SIGNIFICANT = 4
"""Digits of a number that is not whole."""
MAX_DECIMALS = 6


@dataclass(frozen=True)
class Cell:
    """Content of one place of a table.

    Parameters
    ----------
    text
        What is written there; escaped on the page.
    value
        What it sorts by; with None it sorts as text, after all values.
    tooltip
        What hovering over it tells, and filtering looks through.
    note
        A smaller line below.
    """

    text: str
    value: float | None = None
    tooltip: str = ""
    note: str = ""


Entry = Cell | str | float | None


def number_text(value: float | None) -> str:
    """A number for readers: whole ones with thousands apart, others with four digits at most; none for None, NaN."""
    if value is None or math.isnan(value):
        return ""
    if math.isinf(value) or float(value).is_integer():
        return f"{value:,.0f}"
    decimals = max(0, SIGNIFICANT - 1 - math.floor(math.log10(abs(value))))
    if decimals > MAX_DECIMALS:
        return f"{value:.{SIGNIFICANT - 1}e}"
    text = f"{value:,.{decimals}f}"
    return text.rstrip("0").rstrip(".") if decimals else text


def percent_cell(value: float | None, first: float | None) -> Cell:
    """Difference of a value from another in per cent of that; empty where there is none."""
    if value is None or not first or math.isnan(value):
        return Cell("")
    change = 100 * (value / first - 1)
    text = f"{change:+,.1f} %"
    return Cell("0 %" if not change else text.removeprefix("-") if text == "-0.0 %" else text, change)


def sortable_table(
    header: Sequence[Entry],
    rows: Sequence[Sequence[Entry]],
    *,
    tooltips: Sequence[str] = (),
    emphasized: int = 0,
    filter_hint: str = "",
) -> str:
    """HTML of a table that sorts by the column whose header is clicked.

    Parameters
    ----------
    header
        Names of the columns.
    rows
        Numbers stand right and sort by value; None is an empty place and sorts last.
    tooltips
        One per row, or none.
    emphasized
        So many rows at the beginning stand out.
    filter_hint
        What the field above the table says that shows only rows with all of the words written there; "" for no field.
    """
    shown = [[_as_cell(entry) for entry in row] for row in rows]
    numeric = [any(row[column].value is not None for row in shown) for column in range(len(header))]
    head = "".join(_head(_as_cell(entry), right) for entry, right in zip(header, numeric, strict=True))
    body = []
    for number, row in enumerate(shown):
        title = _tooltip(tooltips[number]) if tooltips else ""
        kind = ' class="main"' if number < emphasized else ""
        body.append(f"<tr{kind}{title}>{''.join(map(_cell, row))}</tr>")
    field = f'<input class="filter" type="search" placeholder="{escape(filter_hint)}">' if filter_hint else ""
    table = f"<table><thead><tr>{head}</tr></thead>\n<tbody>{chr(10).join(body)}</tbody></table>"
    return f'<div class="sortable">{field}<div class="wide">{table}</div></div>'


def _as_cell(entry: Entry) -> Cell:
    if isinstance(entry, Cell):
        return entry
    return Cell(entry) if isinstance(entry, str) else Cell(number_text(entry), _finite(entry))


def _head(cell: Cell, right: bool) -> str:
    kind = ' class="number"' if right else ""
    return f'<th tabindex="0"{kind}{_tooltip(cell.tooltip)}>{escape(cell.text)}</th>'


def _cell(cell: Cell) -> str:
    value = f' class="number" data-value="{cell.value!r}"' if cell.value is not None else ""
    note = f'<div class="note">{escape(cell.note)}</div>' if cell.note else ""
    return f"<td{value}{_tooltip(cell.tooltip)}>{escape(cell.text)}{note}</td>"


def _tooltip(text: str) -> str:
    return f' title="{escape(text)}"' if text else ""


def _finite(value: float | None) -> float | None:
    return None if value is None or math.isnan(value) else float(value)
