"""Describes accesses to memory in few rows: by strides within a work group, and by a step over repeated executions."""

from __future__ import annotations

from math import prod
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ..activity.accesses import LocalSize, local_places
from ..execute.memory import Access
from .rows import Rows

_NAMES = ("dispatch", "group", "pc", "executions", "lanes", "base", "stride_x", "stride_y", "stride_z", "step")


class _GroupAccesses(NamedTuple):
    """One execution by some work groups: arrays over groups.

    Attributes
    ----------
    some
        Whether any invocation of the group executes it.
    lanes
        uint8 (groups, bytes): the invocations that do.
    base, strides
        (groups,), (groups, 3).
    fits
        Whether strides describe all elements.
    """

    some: NDArray[np.bool_]
    lanes: NDArray[np.uint8]
    base: NDArray[np.int64]
    strides: NDArray[np.int64]
    fits: NDArray[np.bool_]


class _Open:
    """The row of each work group to which the next execution of the same instruction may be added."""

    def __init__(self, groups: int, lane_bytes: int) -> None:
        self.executions = np.zeros(groups, np.int64)
        self.order = np.zeros(groups, np.int64)
        self.base, self.last, self.step = (np.zeros(groups, np.int64) for _ in range(3))
        self.strides = np.zeros((groups, 3), np.int64)
        self.lanes = np.zeros((groups, lane_bytes), np.uint8)
        self.fits = np.zeros(groups, np.bool_)

    def continued(self, new: _GroupAccesses) -> NDArray[np.bool_]:
        """Groups whose row the execution continues."""
        alike = (self.strides == new.strides).all(1) & (self.lanes == new.lanes).all(1)
        steady = (self.executions == 1) | (new.base - self.last == self.step)
        return np.asarray(new.some & (self.executions > 0) & self.fits & new.fits & alike & steady)

    def extend(self, which: NDArray[np.bool_], new: _GroupAccesses) -> None:
        """Add an execution to the rows of some groups."""
        self.step = np.where(which, new.base - self.last, self.step)
        self.last = np.where(which, new.base, self.last)
        self.executions += which

    def begin(self, which: NDArray[np.bool_], new: _GroupAccesses, order: int) -> None:
        """Begin new rows for some groups."""
        self.executions[which], self.order[which], self.step[which] = 1, order, 0
        self.base[which] = self.last[which] = new.base[which]
        self.strides[which], self.lanes[which], self.fits[which] = new.strides[which], new.lanes[which], new.fits[which]


class MemoryRows:
    """Rows of the table `memory_accesses`."""

    def __init__(self) -> None:
        self._rows = Rows(*_NAMES, "offsets")

    @property
    def count(self) -> int:
        """Number of rows."""
        return self._rows.count

    def add(self, dispatch: int, first_group: int, accesses: list[Access], size: LocalSize) -> None:
        """Add what some work groups did.

        Parameters
        ----------
        dispatch
            Number of the dispatch.
        first_group
            The first work group; the others follow.
        accesses
            In order of execution; lanes are the invocations of the groups.
        size
            Of a work group.
        """
        rows: list[tuple[tuple[int, int, int], tuple[Any, ...]]] = []
        for pc in sorted({access.pc for access in accesses}):
            own = [access for access in accesses if access.pc == pc]
            for group, order, row in _rows_of(own, size):
                rows.append(((group, pc, order), (dispatch, first_group + group, pc, *row)))
        for _, row in sorted(rows, key=lambda item: item[0]):
            self._rows.append(row)

    def columns(self) -> dict[str, Any]:
        """Whole columns."""
        columns = self._rows.columns()
        if columns:
            columns["offsets"] = pa.array(columns["offsets"], pa.list_(pa.int64()))
        return columns


def _rows_of(accesses: list[Access], size: LocalSize) -> list[tuple[int, int, tuple[Any, ...]]]:
    """Rows of one instruction: group, order, and columns from ``executions`` on."""
    lanes = prod(size)
    groups = len(accesses[0].elements) // lanes
    open_rows, offsets = _Open(groups, -(-lanes // 8)), dict[int, NDArray[np.int64]]()
    rows_of_groups: list[tuple[int, int, tuple[Any, ...]]] = []
    for order, access in enumerate(accesses):
        elements = access.elements.reshape(groups, lanes)
        executing = (
            np.ones_like(elements, np.bool_) if access.executing is None else access.executing.reshape(groups, lanes)
        )
        new = _describe(elements, executing, size)
        continued = open_rows.continued(new)
        begun = new.some & ~continued
        _close(open_rows, begun, lanes, offsets, rows_of_groups)
        open_rows.extend(continued, new)
        open_rows.begin(begun, new, order)
        for group in np.flatnonzero(begun & ~new.fits).tolist():
            offsets[group] = elements[group][executing[group]] - new.base[group]
    _close(open_rows, np.ones(groups, np.bool_), lanes, offsets, rows_of_groups)
    return rows_of_groups


def _close(
    rows: _Open,
    which: NDArray[np.bool_],
    lanes: int,
    offsets: dict[int, NDArray[np.int64]],
    rows_of_groups: list[tuple[int, int, tuple[Any, ...]]],
) -> None:
    """Take the open rows of some groups."""
    every = np.packbits(np.ones(lanes, np.bool_), bitorder="little").tobytes()
    for group in np.flatnonzero(which & (rows.executions > 0)).tolist():
        executing = rows.lanes[group].tobytes()
        strides = rows.strides[group].tolist()
        row = int(rows.executions[group]), None if executing == every else executing, int(rows.base[group]), *strides
        rows_of_groups.append((group, int(rows.order[group]), (*row, int(rows.step[group]), offsets.pop(group, None))))
    rows.executions[which] = 0


def _describe(elements: NDArray[np.int64], executing: NDArray[np.bool_], size: LocalSize) -> _GroupAccesses:
    """Strides that describe the elements of each group, (groups, lanes), if there are such."""
    places, groups = local_places(size), np.arange(len(elements))
    first = executing.argmax(1)
    base, strides = elements[groups, first], np.zeros((len(elements), 3), np.int64)
    # A lane that differs in x alone gives the stride in x; with that, one that differs in y, too, that in y; and so on.
    for axis in range(3):
        others = executing & (places[axis][None] != places[axis][first][:, None])
        for further in range(axis + 1, 3):
            others &= places[further][None] == places[further][first][:, None]
        other = others.argmax(1)
        away = places[:, other] - places[:, first]
        change = elements[groups, other] - base - (strides * away.T).sum(1)
        several = others.any(1)
        strides[:, axis] = np.where(several, change // np.where(several, away[axis], 1), 0)
    origin = base - (strides * places[:, first].T).sum(1)
    fits = np.asarray(((origin[:, None] + strides @ places == elements) | ~executing).all(1))
    return _GroupAccesses(
        np.asarray(executing.any(1)),
        np.packbits(executing, axis=1, bitorder="little"),
        np.where(fits, origin, base),
        np.where(fits[:, None], strides, 0),
        fits,
    )
