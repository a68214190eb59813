"""A configuration as TOML."""

from __future__ import annotations

from typing import Any

from tilegpu.timing.declare.parameters import choices

from .choices import allowed
from .fields import field_value, fields_of
from .schema import Configuration


def configuration_toml(configuration: Configuration) -> str:
    """The whole configuration as TOML, each field with its unit and description."""
    lines: list[str] = []
    group = None
    for full, field in fields_of(configuration):
        *path, leaf = full.split(".")
        value = field_value(configuration, full)
        if path != group and path:
            lines += ["", f"[{'.'.join(path)}]"]
        group = path
        about = [(field.json_schema_extra or {}).get("unit", ""), allowed(full, field)]
        if choices(field):
            del about[0]
        lines.append(f"{leaf} = {_toml(value)}  # {', '.join(filter(None, about))}: {field.description}")
    return "\n".join(lines) + "\n"


def _toml(value: Any) -> str:
    if isinstance(value, tuple):
        return "[" + ", ".join(_toml(v) for v in value) + "]"
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return str(value)
