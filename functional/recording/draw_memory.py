"""Rows of what the vertices and quads of draws access in buffers and images."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..execute.memory import Access
from .rows import Rows

LANES = 4
Columns = dict[str, NDArray[np.int64]]


class LaneRows:
    """Rows of the table of accesses of quads, or of vertices, which have one lane.

    Parameters
    ----------
    owner
        Name of the column with the quad or vertex.
    lanes
        Lanes of each.
    """

    def __init__(self, owner: str, lanes: int) -> None:
        self._owner, self._lanes = owner, lanes
        self._parts: list[Columns] = []

    @property
    def count(self) -> int:
        """Number of rows."""
        return sum(len(part["pc"]) for part in self._parts)

    @property
    def parts(self) -> int:
        """Number of additions."""
        return len(self._parts)

    def add(self, owners: NDArray[np.int64], accesses: Sequence[Access]) -> None:
        """Add what quads or vertices with these numbers in their frame, ascending, did in order of execution."""
        rows = [self._described(owners, order, access) for order, access in enumerate(accesses)]
        joined = {name: np.concatenate([row[name] for row in rows]) for name in rows[0]}
        order = np.lexsort((joined.pop("order"), joined["pc"], joined[self._owner]))
        self._parts.append(_repeated({name: values[order] for name, values in joined.items()}))

    def drop(self, parts: int) -> None:
        """Forget all but some first additions."""
        del self._parts[parts:]

    def _described(self, owners: NDArray[np.int64], order: int, access: Access) -> Columns:
        """One execution, a row for each owner that takes part."""
        shape = len(owners), self._lanes
        elements = access.elements[: len(owners) * self._lanes].reshape(shape)
        executing, idle = (
            np.full(shape, default) if given is None else given[: elements.size].reshape(shape)
            for given, default in ((access.executing, True), (access.helpers, False))
        )
        some = executing.any(1)
        elements, executing, idle = elements[some], executing[some], idle[some]
        base = elements[np.arange(len(elements)), executing.argmax(1)]
        number = len(base)
        rows = {self._owner: owners[some], "pc": np.full(number, access.pc), "order": np.full(number, order)}
        rows["base"] = base
        if self._lanes > 1:
            bits = 1 << np.arange(self._lanes)
            rows["lanes"] = (executing & ~idle) @ bits | (executing & idle) @ bits << LANES
            for lane in range(1, self._lanes):
                rows[f"offset_{lane}"] = np.where(executing[:, lane], elements[:, lane] - base, 0)
        return rows

    def columns(self) -> dict[str, Any]:
        """Whole columns."""
        if not self._parts:
            return {}
        return {name: np.concatenate([part[name] for part in self._parts]) for name in self._parts[0]}


def _repeated(rows: Columns) -> Columns:
    """Put executions that follow each other and differ by a step alone into one row."""
    base, number = rows["base"], len(rows["base"])
    same, change, steady = np.zeros(number, np.bool_), np.zeros(number, np.int64), np.zeros(number, np.bool_)
    same[1:] = np.all([v[1:] == v[:-1] for name, v in rows.items() if name != "base"], 0)
    change[1:] = base[1:] - base[:-1]
    steady[1:] = same[1:] & same[:-1] & (change[1:] == change[:-1])
    # A second execution sets the step of its row, whatever it is: where none is steady, every other one begins a row.
    unsteady, index = same & ~steady, np.arange(number)
    before = np.maximum.accumulate(np.where(unsteady, -1, index))
    begins = ~same | (unsteady & ((index - before) % 2 == np.where(same[before], 1, 0)))
    first = np.flatnonzero(begins)
    executions = np.diff(np.append(first, number))
    second = np.minimum(first + 1, number - 1)
    kept = {name: values[first] for name, values in rows.items()}
    return {**kept, "executions": executions, "step": np.where(executions > 1, change[second], 0)}


class DrawMemoryRows:
    """Rows of the tables `draw_memory`, `vertex_memory_accesses` and `quad_memory_accesses` of some frames."""

    def __init__(self) -> None:
        self.bound = Rows("draw", "buffers", "images")
        self.vertices, self.quads = LaneRows("vertex", 1), LaneRows("quad", LANES)

    @property
    def count(self) -> int:
        """Number of rows of all tables."""
        return self.bound.count + self.vertices.count + self.quads.count

    def tables(self) -> dict[str, Any]:
        """The tables by name."""
        return {
            "draw_memory": self.bound,
            "vertex_memory_accesses": self.vertices,
            "quad_memory_accesses": self.quads,
        }
