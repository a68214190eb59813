"""A configuration in a line of text, and as a table for notebooks."""

from __future__ import annotations

from html import escape
from itertools import groupby
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .schema import Configuration


def configuration_line(configuration: Configuration) -> str:
    """Name, machine, techniques and clock."""
    with_techniques = f" with {', '.join(configuration.techniques)}" if configuration.techniques else ""
    clock = f"{float(configuration.clocks.gpu):g} MHz"
    return f"<Configuration {configuration.name}: {configuration.machine}{with_techniques}, {clock}>"


def configuration_html(configuration: Configuration) -> str:
    """A heading, and for each section that its machine uses, a table that opens: field, value, unit, description."""
    # Fields are described by the class that is shown here.
    from .fields import field_value, fields_of, is_used

    used = [(full, field) for full, field in fields_of(configuration) if is_used(configuration, full)]
    parts = [f"<p><b>{escape(configuration_line(configuration)[1:-1])}</b></p>"]
    for section, members in groupby(used, key=lambda item: item[0].rpartition(".")[0]):
        rows = "".join(_row(full, field, field_value(configuration, full)) for full, field in members)
        parts.append(f"<details><summary>{escape(section or 'configuration')}</summary><table>{rows}</table></details>")
    return "".join(parts)


def _row(full: str, field: Any, value: Any) -> str:
    unit = (field.json_schema_extra or {}).get("unit", "")
    words = value if isinstance(value, str) else ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)
    cells = (full.rpartition(".")[2], words, "" if unit in ("name", "names") else unit, field.description)
    return f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in cells)}</tr>"
