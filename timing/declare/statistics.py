"""Declaration of a statistic: what it counts or derives, in which unit, for which unit of the hardware."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

Values = Mapping[str, float]
CAUSES = ("busy", "waiting", "blocked", "idle")


@dataclass(frozen=True)
class Stat:
    """One statistic.

    Parameters
    ----------
    name
        `group.unit.what`.
    unit
        Unit of its value.
    description
        One sentence.
    path
        Where the machine counts it, as dotted fields of the record of the unit that declares it; `[]` sums over the
        elements of an array, and all instances of the unit are summed. Empty for others.
    sums
        Whether it is a sum of others, so that parts of a frame add up to the whole.
    measured
        Whether it is found in the tables of a frame, because the machine need not count it.
    formula
        How it is derived from others, for the reader.
    derive
        The same, for the machine: from the values of all counted statistics of a frame.
    wrong
        Whether anything but 0 says that a picture is wrong, so that a replay that checks pictures fails.
    """

    name: str
    unit: str
    description: str
    path: str = ""
    formula: str = ""
    derive: Callable[[Values], float] | None = None
    measured: bool = False
    sums: bool = False
    wrong: bool = False

    @property
    def group(self) -> str:
        """Part of the machine it belongs to."""
        return self.name.partition(".")[0]


def ratio(name: str, unit: str, description: str, over: str, under: str, scale: float = 1.0) -> Stat:
    """Derived statistic: one over another, 0 where the other is 0."""

    def derive(values: Values) -> float:
        return scale * values[over] / values[under] if values[under] else 0.0

    return Stat(name, unit, description, "", f"{over} / {under}" + (f" x {scale:g}" if scale != 1.0 else ""), derive)


def total(name: str, unit: str, description: str, *parts: str) -> Stat:
    """Derived statistic: sum of others."""
    return Stat(
        name, unit, description, "", " + ".join(parts), lambda values: sum(values[part] for part in parts), sums=True
    )


@dataclass(frozen=True)
class ResultTable:
    """A table of a machine or a technique among the results; without rows, that of a machine is not written.

    Parameters
    ----------
    name
        Of the file, without `.parquet`.
    title
        What it is, in a sentence; shown in the report, too.
    schema
        Its columns; `frame` is the first.
    rows
        `rows(chip, own, frame)`: those of a frame that has just ended, from the machine and its own or the technique's
        tables.
    """

    name: str
    title: str
    schema: pa.Schema
    rows: Callable[[Any, Any, int], pa.Table]


def spent(name: str, owner: str) -> tuple[Stat, ...]:
    """Statistics of what a unit's cycles went on."""
    what = ("was at work", "waited for memory or other results", "could hand nothing on", "had nothing to do")
    return tuple(
        Stat(f"{name}.{cause}_cycles", "cycles", f"cycles in which {owner} {text}, summed", f"spent[{i}]")
        for i, (cause, text) in enumerate(zip(CAUSES, what, strict=True))
    )


def read(owner: Any, path: str) -> int:
    """Value of a counter in a record; see `Stat.path`."""
    name, dot, rest = path.partition(".")
    if name.endswith("[]"):
        return sum(read(element, rest) for element in _field(owner, name[:-2]))
    name, bracket, index = name.partition("[")
    value = _field(owner, name)[int(index[:-1])] if bracket else _field(owner, name)
    if dot:
        return read(value, rest)
    return int(value) if np.ndim(value) == 0 else int(sum(value))


def _field(record: Any, name: str) -> Any:
    # By name: attributes of numpy's own would hide some fields of records.
    return record[name] if isinstance(record, np.void) else getattr(record, name)
