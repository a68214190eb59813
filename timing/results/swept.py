"""Differences between the configurations of some runs."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

from ..config.fields import short_names

Json = dict[str, Any]
CONFIGURATION = "configuration"
"""In the place of a field: names of configurations, which stand for their own fields."""


def flat(configuration: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Values of a configuration by dotted names of fields, lists as text."""
    fields: dict[str, Any] = {}
    for name, value in configuration.items():
        if isinstance(value, Mapping):
            fields |= flat(value, f"{prefix}{name}.")
        else:
            fields[prefix + name] = "+".join(map(str, value)) or "none" if isinstance(value, list) else value
    return fields


def swept_fields(runs: Mapping[str, Json]) -> dict[str, dict[str, Any]]:
    """Values of each run, by field, of what differs between runs; what changes from run to run comes last.

    Parameters
    ----------
    runs
        As `plots.read_results` gives them, by name.
    """
    values = {name: flat(run["stats"]["configuration"]) for name, run in runs.items()}
    names = {run: of.pop("name", None) for run, of in values.items()}
    fields = dict.fromkeys(field for of in values.values() for field in of)
    swept: dict[str, dict[str, Any]] = {}
    if len(set(names.values())) > 1:
        swept[CONFIGURATION] = names
    for field in fields:
        # A field that only follows from the configuration's name tells nothing more.
        of_names: dict[Any, set[str]] = {}
        for run, of in values.items():
            of_names.setdefault(names[run], set()).add(str(of.get(field)))
        if any(len(each) > 1 for each in of_names.values()):
            swept[field] = {run: of.get(field) for run, of in values.items()}
    return dict(sorted(swept.items(), key=lambda item: _changes(list(item[1].values()))))


def value_text(field: str, value: Any) -> str:
    """A value of a field in words; sizes in the largest unit of bytes of which they are a multiple."""
    if field.endswith("_bytes") and isinstance(value, int):
        for unit, factor in (("MiB", 1 << 20), ("KiB", 1 << 10)):
            if value >= factor and value % factor == 0:
                return f"{value // factor:,} {unit}"
    return str(value)


def is_power_of_two(value: float) -> bool:
    """Whether it is 1, 2, 4 and so on."""
    return float(value).is_integer() and value > 0 and int(value) & (int(value) - 1) == 0


def labels(runs: Mapping[str, Json], but: Sequence[str] = ()) -> dict[str, str]:
    """Words that tell the configuration of each run from the others': its name, or its fields without some."""
    swept = {field: values for field, values in swept_fields(runs).items() if field not in but}
    short = short_names([field for field in swept if field != CONFIGURATION])
    made: dict[str, str] = {}
    for run, of in runs.items():
        parts = [
            str(values[run]) if field == CONFIGURATION else f"{short[field]}={value_text(field, values[run])}"
            for field, values in swept.items()
        ]
        made[run] = ", ".join(parts) or ("" if but else str(of["stats"]["configuration"].get("name")))
    return made


def _changes(values: Sequence[Any]) -> int:
    return sum(one != other for one, other in itertools.pairwise(values))
